// What names have used lately, per server, in memory. Anybody may make any number of names: those
// that are not heard of any more are forgotten.
import { Recent } from '../host/recent.ts'
import { MAX_NAMES } from './limits.ts'

const SECOND_MS = 1_000

interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  readonly left: number
  readonly atMs: number
}

/** Token buckets: a sustained rate per second, and a burst after a pause. */
export class Rates {
  readonly #rate: Rate
  readonly #nowMs: () => number
  readonly #buckets = new Recent<Bucket>(MAX_NAMES)

  /** @param nowMs time that only rises, milliseconds */
  constructor(rate: Rate, nowMs: () => number) {
    this.#rate = rate
    this.#nowMs = nowMs
  }

  /**
   * Takes so many for `name`, no more than the burst; answers how long it has to wait where fewer
   * are left, milliseconds, else 0.
   */
  take(name: string, count = 1): number {
    const { perSecond } = this.#rate
    const { left, atMs } = this.#now(name)
    const isTaken = left >= count
    this.#buckets.set(name, { left: isTaken ? left - count : left, atMs })
    return isTaken ? 0 : Math.ceil(((count - left) * SECOND_MS) / perSecond)
  }

  /** Nothing came of what they were taken for. */
  giveBack(name: string, count: number): void {
    const { left, atMs } = this.#now(name)
    this.#buckets.set(name, { left: Math.min(this.#rate.burst, left + count), atMs })
  }

  #now(name: string): Bucket {
    const { perSecond, burst } = this.#rate
    const atMs = this.#nowMs()
    const { left, atMs: beforeMs } = this.#buckets.get(name) ?? { left: burst, atMs }
    return { left: Math.min(burst, left + ((atMs - beforeMs) * perSecond) / SECOND_MS), atMs }
  }
}

interface Used {
  readonly amount: number
  readonly atMs: number
}

/**
 * Sums of what was used. It counts less and less: after one window about a third of it, after five
 * nothing.
 */
export class Fading {
  readonly #windowMs: number
  readonly #nowMs: () => number
  readonly #used = new Recent<Used>(MAX_NAMES)

  /** @param nowMs time that only rises, milliseconds */
  constructor(windowMs: number, nowMs: () => number) {
    this.#windowMs = windowMs
    this.#nowMs = nowMs
  }

  /** Adds an amount, or with a negative one takes back what was added; answers what it comes to. */
  add(name: string, amount: number): number {
    const atMs = this.#nowMs()
    const before = this.#used.get(name)
    const rest =
      before === undefined ? 0 : before.amount * Math.exp((before.atMs - atMs) / this.#windowMs)
    const sum = Math.max(0, rest + amount)
    this.#used.set(name, { amount: sum, atMs })
    return sum
  }
}
