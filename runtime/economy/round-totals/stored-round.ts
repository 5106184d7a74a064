// The totals of a round as facts: of the round itself, and of all rounds up to it.
import type { FactRecord } from '../../store/store.ts'
import { readSums, storedSums } from './sums.ts'
import type { StoredSums, Sums } from './sums.ts'

/** Sums of a party, or of everybody. */
export interface RoundSums {
  /** Sums of the round alone. */
  readonly own: Sums
  /** Sums of all rounds up to it. */
  readonly all: Sums
}

/** Sums of everybody, with the time at which the round was over, microseconds. */
export interface RoundTotal extends RoundSums {
  readonly effectiveAt: bigint
}

interface Stored {
  readonly own: StoredSums
  readonly all: StoredSums
}

/** A fact of a party in a round. */
export function roundSumsFact(kind: string, key: string, { own, all }: RoundSums): FactRecord {
  const stored: Stored = { own: storedSums(own), all: storedSums(all) }
  return { kind, key, body: JSON.stringify(stored) }
}

/** The sums that `roundSumsFact` made. */
export function readRoundSums(body: string): RoundSums {
  const { own, all }: Stored = JSON.parse(body)
  return { own: readSums(own), all: readSums(all) }
}

/** A fact of a round. */
export function roundTotalFact(kind: string, key: string, total: RoundTotal): FactRecord {
  const stored: Stored & { readonly effectiveAt: string } = {
    own: storedSums(total.own),
    all: storedSums(total.all),
    effectiveAt: String(total.effectiveAt),
  }
  return { kind, key, body: JSON.stringify(stored) }
}

/** The total that `roundTotalFact` made. */
export function readRoundTotal(body: string): RoundTotal {
  const { effectiveAt }: { readonly effectiveAt: string } = JSON.parse(body)
  return { ...readRoundSums(body), effectiveAt: BigInt(effectiveAt) }
}
