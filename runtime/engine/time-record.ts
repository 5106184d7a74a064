// What the store keeps of the ledger's time beside the record times of updates: how much of it
// nobody measured, and a beat, by which the next start knows how long this one has been over.
// docs/decisions/0050-the-ledgers-own-time.md
import { bodyIn } from '../store/rules.ts'
import type { CommitFacts, ContractStore, FactName, FactRecord } from '../store/store.ts'

const KIND = 'ledger-time'
const BEAT = 'beat'
/** Read by every commit. */
export const UNMEASURED: FactName = { kind: KIND, key: 'unmeasured' }

/** The ledger's time, and the machine's uptime then. */
export interface Beat {
  /** Microseconds since 1970. */
  readonly at: bigint
  /** Record time that elapsed time could have reached, less the unmeasured part. */
  readonly measured: bigint
  /** The machine since it was started; '' where the system has no name for that. */
  readonly boot: string
  readonly uptimeMs: number
}

export interface TimeRecord {
  /**
   * By how much record time is ahead of measured time, microseconds: it passed without anybody
   * counting it. Never less than before.
   */
  readonly unmeasured: bigint
  /** Absent before the first. */
  readonly beat: Beat | undefined
}

/** All that is kept. */
export async function readTimeRecord(store: Pick<ContractStore, 'facts'>): Promise<TimeRecord> {
  const facts = await store.facts(KIND, '', 2)
  const bodyOf = (wanted: string) => facts.find(({ key }) => key === wanted)?.body
  return { unmeasured: unmeasuredIn(bodyOf(UNMEASURED.key)), beat: beatIn(bodyOf(BEAT)) }
}

/**
 * The time that servers have measured up to the last update, microseconds: ids are forgotten by it.
 */
export async function measuredTime(
  store: Pick<ContractStore, 'facts' | 'ledgerEnd'>,
): Promise<bigint> {
  // In this order: what an update adds to the unmeasured time comes with its record time.
  const { recordTime } = await store.ledgerEnd()
  return recordTime - (await readTimeRecord(store)).unmeasured
}

/** The unmeasured time that a commit has read. */
export function unmeasuredOf(found: Pick<CommitFacts, 'facts'>): bigint {
  return unmeasuredIn(bodyIn(found, UNMEASURED))
}

export function unmeasuredFact(unmeasured: bigint): FactRecord {
  return { ...UNMEASURED, body: String(unmeasured) }
}

export function beatFact({ at, measured, boot, uptimeMs }: Beat): FactRecord {
  const body = JSON.stringify(`${at} ${measured} ${Math.round(uptimeMs)} ${boot}`)
  return { kind: KIND, key: BEAT, body }
}

function unmeasuredIn(body: string | undefined): bigint {
  return BigInt(body ?? 0)
}

function beatIn(body: string | undefined): Beat | undefined {
  if (body === undefined) return undefined
  const text = String(JSON.parse(body))
  const [at = '0', measured = '0', uptimeMs = '0', boot = ''] = text.split(' ')
  return { at: BigInt(at), measured: BigInt(measured), boot, uptimeMs: Number(uptimeMs) }
}
