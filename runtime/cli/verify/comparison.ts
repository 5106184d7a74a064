// Whether two sides make the same claims, in memory that does not grow with their number: by its
// hash each claim is counted in one of a few thousand sums, for one side and against the other.
// What is behind a sum that is not zero is gathered when the claims are made a second time.
import { hash } from 'node:crypto'

/** Digits of a hash in hexadecimal: 4,096 sums. */
const SUM_DIGITS = 3
const VALUE_DIGITS = 32
/** Sums that are looked behind. */
const MOST_SUMS = 64

export type Side = 'one' | 'other'

/** `weight` is how often, or how much. */
export type Claim = readonly [key: string, weight: bigint]

/** First reading: does anything differ? */
export class Comparison {
  readonly #sums = new Map<string, bigint>()

  add(side: Side, claims: readonly Claim[]): void {
    for (const [key, weight] of claims) {
      const digest = hash('sha256', key)
      const sum = digest.slice(0, SUM_DIGITS)
      const value = BigInt(`0x${digest.slice(SUM_DIGITS, SUM_DIGITS + VALUE_DIGITS)}`) * weight
      this.#sums.set(sum, (this.#sums.get(sum) ?? 0n) + (side === 'one' ? value : -value))
    }
  }

  /** The gathering for the second reading; undefined if both sides say the same. */
  gathering(): Gathering | undefined {
    const sums = [...this.#sums].flatMap(([sum, value]) => (value === 0n ? [] : [sum]))
    return sums.length === 0 ? undefined : new Gathering(sums)
  }
}

/** Both sides' values of a claim, all weights together. */
export interface Difference {
  readonly key: string
  readonly one: bigint
  readonly other: bigint
}

/** Second reading: what does? */
class Gathering {
  /** Some of what differs is left out. */
  readonly isPart: boolean
  readonly #sums: ReadonlySet<string>
  readonly #found = new Map<string, Record<Side, bigint>>()

  constructor(sums: readonly string[]) {
    this.#sums = new Set(sums.slice(0, MOST_SUMS))
    this.isPart = sums.length > MOST_SUMS
  }

  add(side: Side, claims: readonly Claim[]): void {
    for (const [key, weight] of claims) {
      if (!this.#sums.has(hash('sha256', key).slice(0, SUM_DIGITS))) continue
      const found = this.#found.get(key) ?? { one: 0n, other: 0n }
      found[side] += weight
      this.#found.set(key, found)
    }
  }

  differences(): readonly Difference[] {
    return [...this.#found].flatMap(([key, { one, other }]) =>
      one === other ? [] : [{ key, one, other }],
    )
  }
}
