// Commands of parties that this node signs for: submitted, committed, answered. domain/ledger.md
// §7.5
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type { JsTransaction, TransactionFormat } from '../../../../generated/ledger/types.gen.ts'
import type { Committed, Engine } from '../../../engine/index.ts'
import type { Store } from '../../../store/store.ts'
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import type { Quotas } from '../../../economy/quotas/index.ts'
import type { Context, Respond } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { formatProblem } from '../update-format.ts'
import { projectCommitted } from '../projection/project.ts'
import { rejectionError } from './rejection-error.ts'
import type { SubmissionName, Submissions } from './submissions.ts'
import { readSubmission } from './submission-reader.ts'
import type { CommandsRequest, SubmissionRules } from './submission-reader.ts'
import { submittersProblem } from './submitters.ts'

type CommandHandlers = Pick<Handlers<Context>, 'submitAndWait' | 'submitAndWaitForTransaction'>

export interface CommandService {
  readonly store: Store
  readonly engine: Engine
  readonly rules: SubmissionRules
  readonly quotas: Quotas
  readonly submissions: Submissions
  readonly respond: Respond
}

/** Handlers of the two ways to submit and wait. */
export function commandHandlers(service: CommandService, respond: Respond): CommandHandlers {
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
      const shown =
        outcome instanceof LedgerError
          ? outcome
          : await transactionAt(service, outcome.offset, format)
      return respond(shown, context, (transaction) => ({ transaction }))
    },
  }
}

/** What a client sees of its own transaction that names no format. */
export function creationsAndArchivals(parties: readonly string[]): TransactionFormat {
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, {}]))
  return {
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    eventFormat: { filtersByParty, verbose: true },
  }
}

/**
 * The transaction that was just committed, as its submitter sees it. UPDATE_NOT_FOUND where it is
 * pruned already.
 */
export async function transactionAt(
  { store, engine }: Pick<CommandService, 'store' | 'engine'>,
  offset: bigint,
  format: TransactionFormat,
): Promise<JsTransaction | LedgerError> {
  const record = await store.updates.byOffset(offset)
  const shown =
    record && projectCommitted(record, format, ({ templateId }) => engine.template(templateId))
  return shown ?? ledgerError('UPDATE_NOT_FOUND', { type: 'OFFSET', name: String(offset) })
}

async function submit(
  service: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<Committed<void> | LedgerError> {
  const { store, engine, rules, quotas } = service
  const user = callerOf(context)
  const submission = readSubmission(request, user.user.id, rules)
  if (submission instanceof LedgerError) return submission
  const problem = await submittersProblem(store.parties, submission.actAs)
  if (problem !== undefined) return problem
  const { actAs, commandId } = request
  const name = { userId: user.user.id, actAs, commandId, submissionId: request.submissionId ?? '' }
  const content = JSON.stringify([name.userId, [...new Set(actAs)].sort(), commandId])
  const outcome = await service.submissions.once(content, name.submissionId, async () => {
    const done = await quotas.within({ user }, (claim) => engine.submit({ ...submission, claim }))
    return done.ok ? done : rejectionError(done)
  })
  return outcome instanceof LedgerError ? noted(service, name, outcome, context) : outcome
}

/** Whoever reads completions is told of a refusal, too; the caller is answered with it. */
export async function noted(
  { store, submissions, respond, rules }: CommandService,
  name: SubmissionName,
  error: LedgerError,
  context: Context,
): Promise<LedgerError> {
  if (!isFate(error)) return error
  const { body } = respond.refuse(error, context)
  const offset = await store.updates.ledgerEnd()
  submissions.tell({ ...name, offset, at: rules.clock.nowMicros(), body })
  return error
}

/** What comes out of a submission; what was not even tried has no completion. */
function isFate({ code }: LedgerError): boolean {
  return !['SUBMISSION_ALREADY_IN_FLIGHT', 'PARTICIPANT_BACKPRESSURE'].includes(code)
}
