// Commands of parties that this node signs for: submitted, committed, answered. domain/ledger.md
// §7.5
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type {
  EventFormat,
  JsTransaction,
  TransactionFormat,
} from '../../../../generated/ledger/types.gen.ts'
import type { Committed, Engine, Rejected, Rejection, Submission } from '../../../engine/index.ts'
import { commandKeyOf } from '../../../engine/index.ts'
import type { Store } from '../../../store/store.ts'
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import type { Quotas } from '../../../economy/quotas/index.ts'
import type { Context, Respond } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { formatProblem } from '../update-format.ts'
import type { HostedParties } from '../../../participant/hosted.ts'
import type { TemplateOf } from '../projection/events.ts'
import { projectCommitted, treeOf } from '../projection/project.ts'
import { rejectionError } from './rejection-error.ts'
import type { SubmissionName, Submissions } from './submissions.ts'
import { readSubmission } from './submission-reader.ts'
import type { CommandsRequest, SubmissionRules } from './submission-reader.ts'
import { submittersProblem } from './submitters.ts'

type CommandHandlers = Pick<
  Handlers<Context>,
  | 'submitAndWait'
  | 'submitAndWaitForTransaction'
  | 'submitAndWaitForTransactionTree'
  | 'submitAsync'
>

export interface CommandService {
  readonly store: Store
  readonly engine: Engine
  readonly rules: SubmissionRules
  readonly quotas: Quotas
  readonly submissions: Submissions
  /** The parties of this node, where it is one of several. */
  readonly hosted: HostedParties | undefined
  readonly respond: Respond
}

/** Handlers of the ways to submit, with and without waiting for the outcome. */
export function commandHandlers(service: CommandService): CommandHandlers {
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
      const shown =
        outcome instanceof LedgerError
          ? outcome
          : await transactionAt(service, outcome.offset, format)
      return respond(shown, context, (transaction) => ({ transaction }))
    },
    submitAndWaitForTransactionTree: async ({ body }, context) => {
      const outcome = await submit(service, body, context)
      const format = effects([...body.actAs, ...(body.readAs ?? [])])
      const shown =
        outcome instanceof LedgerError
          ? outcome
          : await transactionAt(service, outcome.offset, format)
      return respond(shown, context, (transaction) => ({ transactionTree: treeOf(transaction) }))
    },
    submitAsync: async ({ body }, context) =>
      respond(await start(service, body, context), context, () => ({})),
  }
}

/** What a client sees of its own transaction that names no format. */
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
export async function transactionAt(
  { store, engine, hosted }: Pick<CommandService, 'engine' | 'hosted' | 'store'>,
  offset: bigint,
  format: TransactionFormat,
): Promise<JsTransaction | LedgerError> {
  const record = await store.updates.byOffset(offset)
  const templateOf: TemplateOf = ({ templateId }) => engine.template(templateId)
  const shown = record && (await projectCommitted(record, format, { hosted, templateOf }))
  return shown ?? ledgerError('UPDATE_NOT_FOUND', { type: 'OFFSET', name: String(offset) })
}

interface Read {
  readonly submission: Submission<void>
  readonly name: SubmissionName
}

/** Errors: those of `readSubmission` and `submittersProblem` */
async function read(
  { store, rules, hosted }: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<Read | LedgerError> {
  const { user } = callerOf(context)
  const submission = readSubmission(request, user.id, rules)
  if (submission instanceof LedgerError) return submission
  const problem = await submittersProblem(store.parties, submission.actAs)
  if (problem !== undefined) return problem
  const { actAs, commandId } = request
  const name = { userId: user.id, actAs, commandId, submissionId: request.submissionId ?? '' }
  return { submission: await readingHere(submission, hosted), name }
}

/** What parties of other nodes see is not for this one to read. */
export async function readingHere(
  submission: Submission<void>,
  hosted: HostedParties | undefined,
): Promise<Submission<void>> {
  const { readAs = [] } = submission
  return hosted === undefined ? submission : { ...submission, readAs: await hosted.only(readAs) }
}

async function submit(
  service: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<Committed<void> | LedgerError> {
  const asked = await read(service, request, context)
  if (asked instanceof LedgerError) return asked
  const { submission, name } = asked
  const { engine, quotas } = service
  const user = callerOf(context)
  const outcome = await service.submissions.once(
    commandKeyOf(name),
    name.submissionId,
    async () => {
      const done = await quotas.within({ user }, (claim) => engine.submit({ ...submission, claim }))
      return done.ok ? done : rejectionError(done)
    },
  )
  return outcome instanceof LedgerError ? noted(service, name, outcome, context) : outcome
}

/** Answers once the commands are interpreted; the rest is told by a completion. */
async function start(
  service: CommandService,
  request: CommandsRequest,
  context: Context,
): Promise<object | LedgerError> {
  const asked = await read(service, request, context)
  if (asked instanceof LedgerError) return asked
  const { submission, name } = asked
  const { engine, quotas } = service
  const user = callerOf(context)
  return service.submissions.once(commandKeyOf(name), name.submissionId, async () => {
    const staged = await quotas.within({ user }, (claim) => engine.stage({ ...submission, claim }))
    if (staged.ok) {
      tellFate(service, name, staged.committed, context)
      return {}
    }
    const error = await noted(service, name, rejectionError(staged), context)
    return isTold(staged) ? {} : error
  })
}

/** Whoever reads completions is told if nothing comes of what is staged. */
export function tellFate(
  service: CommandService,
  name: SubmissionName,
  committed: Promise<Committed<void> | Rejected>,
  context: Context,
  errorOf: (rejection: Rejection) => LedgerError = rejectionError,
): void {
  committed
    .then(async (outcome) => {
      if (!outcome.ok) await noted(service, name, errorOf(outcome), context)
    })
    .catch((error: unknown) => context.log.error({ err: error }, 'a submission failed'))
}

/** By a completion alone; else the caller has to do something before it makes sense to go on. */
export function isTold({ kind }: Rejection): boolean {
  return ![
    'duplicate-in-flight',
    'over-quota',
    'no-traffic',
    'too-early',
    'time-in-doubt',
  ].includes(kind)
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
export function isFate({ code }: LedgerError): boolean {
  return !['SUBMISSION_ALREADY_IN_FLIGHT', 'PARTICIPANT_BACKPRESSURE'].includes(code)
}
