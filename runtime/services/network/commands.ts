// How the network itself submits: free of traffic, and without fuss where another server was faster.
import type { Committed, Refused, Submission, Tx } from '../../ledger/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { refusalError } from '../wallet/errors.ts'

const TEN_YEARS_MICROS = 3_650n * 86_400_000_000n

/** Refusals that say no more than that it is not the moment, or that others were faster: the next look shows what is left. */
const PASSING: ReadonlySet<Refused['kind']> = new Set([
  'contract-not-found', 'contract-in-flight', 'duplicate', 'duplicate-in-flight', 'contention', 'too-early', 'too-late', 'no-traffic',
])

export interface NetworkCommand<R> {
  readonly actAs: readonly string[]
  /** The same for all servers, where the work must be done once. */
  readonly commandId?: string
  /** Contracts that the parties do not see. */
  readonly disclosedContracts?: readonly ContractRecord[]
  /** Of the validator, which pays with its traffic, and not of the network. */
  readonly paid?: boolean
  run(tx: Tx): R
}

/**
 * Submits; answers undefined where it is not the moment or others were faster. Rejects where the ledger's rules refuse, which is a fault
 * of ours.
 */
export async function submitForNetwork<R>(economy: Economy, command: NetworkCommand<R>): Promise<Committed<R> | undefined> {
  const outcome = await economy.engine.submit(networkSubmission(command))
  if (outcome.ok) return outcome
  if (PASSING.has(outcome.kind)) return undefined
  throw new Error(`the network's own submission was refused: ${refusalError(outcome).message}`)
}

/** As the engine takes it: of the node itself, not to be done again within ten years. */
export function networkSubmission<R>({ paid = false, ...command }: NetworkCommand<R>): Submission<R> {
  return { ...command, userId: '', free: !paid, deduplicationMicros: TEN_YEARS_MICROS }
}
