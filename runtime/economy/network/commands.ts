// How the network itself submits: free of traffic, and without fuss where another server was
// faster.
import type {
  Committed,
  Project,
  Rejection,
  Rejected,
  Submission,
  Tx,
} from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { rejectionError } from '../errors.ts'
import { DAY_MICROS } from '../../engine/durations.ts'

const TEN_YEARS_MICROS = 3_650n * DAY_MICROS

/** The next look shows what is left. */
const PASSING: ReadonlySet<Rejected['kind']> = new Set([
  'contract-not-found',
  'contract-in-flight',
  'duplicate',
  'duplicate-in-flight',
  'contention',
  'too-early',
  'too-late',
  'time-in-doubt',
  'no-traffic',
  'over-quota',
])

/** A command that the service submits by itself, for parties of the network or the validator. */
export interface NetworkCommand<R> {
  readonly actAs: readonly string[]
  /** The same for all servers, where the work must be done once. */
  readonly commandId?: string
  /** Contracts that the parties do not see. */
  readonly disclosedContracts?: readonly ContractRecord[]
  /** The projector of the submission. */
  readonly project?: Project
  /** Whether the validator pays with its traffic, and not the network. */
  readonly paid?: boolean
  run(tx: Tx): R
}

/**
 * The ledger's rules refuse what an automation wants: a fault of ours, or something that somebody
 * planted. Never the store's doing.
 */
export class SubmissionRejected extends Error {
  override readonly name = 'SubmissionRejected'
}

/**
 * Submits; answers undefined where it is not the moment or others were faster. Rejects with
 * `SubmissionRejected`.
 */
export async function submitForNetwork<R>(
  economy: Pick<Economy, 'engine'>,
  command: NetworkCommand<R>,
): Promise<Committed<R> | undefined> {
  return committedUnlessPassing(await economy.engine.submit(networkSubmission(command)))
}

/**
 * What was committed; undefined for refusals that pass. Throws `SubmissionRejected` with the reason
 * for all others.
 */
export function committedUnlessPassing<R>(
  outcome: Committed<R> | Rejected,
): Committed<R> | undefined {
  if (outcome.ok) return outcome
  if (isPassing(outcome)) return undefined
  throw new SubmissionRejected(
    `the network's own submission was refused: ${rejectionError(outcome).message}`,
  )
}

/** Whether a refusal says no more than that it is not the moment, or that others were faster. */
export function isPassing({ kind }: Rejection): boolean {
  return PASSING.has(kind)
}

/**
 * Whether a refusal says that another server, or another payment, was faster: the same again may
 * do.
 */
export function isLostRace({ kind }: Rejection): boolean {
  return kind === 'contention' || kind === 'contract-not-found'
}

/** The command as the engine takes it: the node's own, not to be done again within ten years. */
export function networkSubmission<R>({
  paid = false,
  ...command
}: NetworkCommand<R>): Submission<R> {
  return {
    ...command,
    userId: '',
    free: !paid,
    lowPriority: paid,
    deduplicationMicros: TEN_YEARS_MICROS,
  }
}
