// How what is asked for becomes an update, whether it came as commands or was prepared and signed:
// once while it is under way, within the caller's quotas, and told to who reads completions.
import type {
  Claim,
  Committed,
  Engine,
  Rejected,
  Rejection,
  Staged,
  Submission,
} from '../../../engine/index.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import type { Quotas } from '../../../economy/quotas/index.ts'
import type { HostedParties } from '../../../participant/hosted.ts'
import type { Store } from '../../../store/store.ts'
import type { Context, Respond } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import type { SubmissionName, Submissions } from './submissions.ts'
import type { SubmissionRules } from './submission-reader.ts'

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

/** A submission that came to nothing; `rejection` is the ledger's, if it was asked. */
interface Failure {
  readonly ok: false
  readonly error: LedgerError
  readonly rejection?: Rejection
}

/** A submission that is asked for. */
export interface Asked {
  /** The same while the same is under way. */
  readonly content: string
  readonly submissionId: string
  /** Whether a caller who hands in the same a moment later is sent to what became of it. */
  readonly lingers: boolean
  name(): SubmissionName
  submit(claim: Claim | undefined): Promise<Committed<void> | Failure>
  /** Everything but the commit. */
  stage(claim: Claim | undefined): Promise<Staged<void> | Failure>
  errorOf(rejection: Rejection): LedgerError
}

/** An outcome of the engine with the error that stands for a refusal. */
export function orFailure<T extends { readonly ok: true }>(
  outcome: T | Rejected,
  errorOf: Asked['errorOf'],
): T | Failure {
  return outcome.ok ? outcome : { ok: false, error: errorOf(outcome), rejection: outcome }
}

/** Answers once it is committed. */
export async function submitOnce(
  service: CommandService,
  asked: Asked,
  context: Context,
): Promise<Committed<void> | LedgerError> {
  return service.submissions.once(asked.content, asked.submissionId, async () => {
    const done = await within(service, context, asked.submit)
    return done.ok ? done : failed(service, asked, done, context)
  })
}

/** Answers once everything but the commit is done; the rest is told by a completion. */
export async function startOnce(
  service: CommandService,
  asked: Asked,
  context: Context,
): Promise<object | LedgerError> {
  return service.submissions.once(asked.content, asked.submissionId, async (entry) => {
    const staged = await within(service, context, asked.stage)
    if (!staged.ok) {
      const error = await failed(service, asked, staged, context)
      return staged.rejection !== undefined && isTold(staged.rejection) ? {} : error
    }
    if (asked.lingers) entry.updateId = staged.updateId
    tellFate(service, asked, staged.committed, context)
    return {}
  })
}

function within<O extends { readonly ok: boolean }>(
  { quotas }: CommandService,
  context: Context,
  submit: (claim: Claim | undefined) => Promise<O>,
): Promise<O> {
  return quotas.within({ user: callerOf(context) }, submit)
}

async function failed(
  service: CommandService,
  asked: Asked,
  { error, rejection }: Failure,
  context: Context,
): Promise<LedgerError> {
  return rejection === undefined ? error : noted(service, asked.name(), error, context)
}

/** Tells the readers of completions if nothing comes of what is staged. */
function tellFate(
  service: CommandService,
  asked: Asked,
  committed: Promise<Committed<void> | Rejected>,
  context: Context,
): void {
  committed
    .then(async (outcome) => {
      if (!outcome.ok) await noted(service, asked.name(), asked.errorOf(outcome), context)
    })
    .catch((error: unknown) => context.log.error({ err: error }, 'a submission failed'))
}

/** Whether a completion alone tells it; else the caller has to do something before going on. */
function isTold({ kind }: Rejection): boolean {
  return ![
    'duplicate-in-flight',
    'over-quota',
    'no-traffic',
    'too-early',
    'time-in-doubt',
  ].includes(kind)
}

/** Tells the readers of completions of a refusal, too; the caller is answered with it. */
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

/** Whether an error is a submission's outcome; what was not even tried has no completion. */
export function isFate({ code }: LedgerError): boolean {
  return !['SUBMISSION_ALREADY_IN_FLIGHT', 'PARTICIPANT_BACKPRESSURE'].includes(code)
}

/** The submitters who read on this node; other nodes' parties see by their own. */
export async function readingHere(
  submission: Submission<void>,
  hosted: HostedParties | undefined,
): Promise<Submission<void>> {
  const { readAs = [] } = submission
  return hosted === undefined ? submission : { ...submission, readAs: await hosted.only(readAs) }
}
