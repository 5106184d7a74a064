// Commands of parties that this node signs for: submitted, committed, answered.
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type {
  EventFormat,
  JsTransaction,
  TransactionFormat,
} from '../../../../generated/ledger/types.gen.ts'
import type { Committed, Engine } from '../../../engine/index.ts'
import { commandKeyOf } from '../../../engine/index.ts'
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { formatProblem } from '../update-format.ts'
import type { TemplateOf } from '../projection/events.ts'
import { projectCommitted, treeOf } from '../projection/project.ts'
import { rejectionError } from './rejection-error.ts'
import { readSubmission } from './submission-reader.ts'
import type { CommandsRequest } from './submission-reader.ts'
import { submittersProblem } from './submitters.ts'
import { orFailure, readingHere, startOnce, submitOnce } from './submitting.ts'
import type { Asked, CommandService } from './submitting.ts'

/** Handlers of the ways to submit, with and without waiting for the outcome. */
export function commandHandlers(service: CommandService) {
  const { respond } = service
  return {
    submitAndWait: async ({ body }, context) =>
      respond(await submit(service, body, context), context, ({ updateId, offset }) => ({
        updateId,
        completionOffset: offset,
      })),
    submitAndWaitForTransaction: async ({ body: { commands, transactionFormat } }, context) => {
      const format =
        transactionFormat ?? creationsAndArchivals([...commands.actAs, ...(commands.readAs ?? [])])
      const outcome =
        formatProblem({ includeTransactions: format }) ?? (await submit(service, commands, context))
      return respond(await transactionOf(service, outcome, format), context, (transaction) => ({
        transaction,
      }))
    },
    submitAndWaitForTransactionTree: async ({ body }, context) => {
      const outcome = await submit(service, body, context)
      const format = effects([...body.actAs, ...(body.readAs ?? [])])
      return respond(await transactionOf(service, outcome, format), context, (transaction) => ({
        transactionTree: treeOf(transaction),
      }))
    },
    submitAsync: async ({ body }, context) =>
      respond(await start(service, body, context), context, () => ({})),
  } satisfies Partial<Handlers<Context>>
}

/** The format of a client's own transaction that names none. */
export function creationsAndArchivals(parties: readonly string[]): TransactionFormat {
  return { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat: everythingOf(parties) }
}

function effects(parties: readonly string[]): TransactionFormat {
  return {
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    eventFormat: everythingOf(parties),
  }
}

function everythingOf(parties: readonly string[]): EventFormat {
  return { filtersByParty: Object.fromEntries(parties.map((party) => [party, {}])), verbose: true }
}

/**
 * The transaction that was just committed, as its submitter sees it. UPDATE_NOT_FOUND where it is
 * pruned already.
 */
export async function transactionOf(
  { store, engine, hosted }: Pick<CommandService, 'engine' | 'hosted' | 'store'>,
  outcome: Pick<Committed<void>, 'offset'> | LedgerError,
  format: TransactionFormat,
): Promise<JsTransaction | LedgerError> {
  if (outcome instanceof LedgerError) return outcome
  const { offset } = outcome
  const record = await store.updates.byOffset(offset)
  const templateOf: TemplateOf = ({ templateId }) => engine.template(templateId)
  const ready: Engine['ready'] = (templateIds) => engine.ready(templateIds)
  const shown = record && (await projectCommitted(record, format, { hosted, ready, templateOf }))
  return shown ?? ledgerError('UPDATE_NOT_FOUND', { type: 'OFFSET', name: String(offset) })
}

/** Errors: those of `readSubmission` and `submittersProblem` */
async function read(
  { store, rules, hosted, engine }: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<Asked | LedgerError> {
  const { user } = callerOf(context)
  const submission = await readSubmission(request, user.id, rules)
  if (submission instanceof LedgerError) return submission
  const problem = await submittersProblem(store.parties, submission.actAs)
  if (problem !== undefined) return problem
  const { actAs, commandId, submissionId = '' } = request
  const name = { userId: user.id, actAs, commandId, submissionId }
  const here = await readingHere(submission, hosted)
  return {
    content: commandKeyOf(name),
    submissionId,
    lingers: false,
    name: () => name,
    submit: async (claim) => orFailure(await engine.submit({ ...here, claim }), rejectionError),
    stage: async (claim) => orFailure(await engine.stage({ ...here, claim }), rejectionError),
    errorOf: rejectionError,
  }
}

async function submit(
  service: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<Committed<void> | LedgerError> {
  const asked = await read(service, request, context)
  return asked instanceof LedgerError ? asked : submitOnce(service, asked, context)
}

async function start(
  service: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<object | LedgerError> {
  const asked = await read(service, request, context)
  return asked instanceof LedgerError ? asked : startOnce(service, asked, context)
}
