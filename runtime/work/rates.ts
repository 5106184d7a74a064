// What names have used lately, per server, in memory. Anybody may make any number of names: those
// that are not heard of any more are forgotten.
import { Recent } from '../host/recent.ts'
import { MAX_NAMES } from './limits.ts'

const SECOND_MS = 1_000

interface Sum {
  readonly amount: number
  readonly atMs: number
}

/** Amounts that were used, which count less the longer ago that was. */
export class Used {
  readonly #after: (amount: number, ms: number) => number
  readonly #nowMs: () => number
  readonly #sums = new Recent<Sum>(MAX_NAMES)

  /**
   * @param after what is left of an amount after so many milliseconds
   * @param nowMs time that only rises, milliseconds
   */
  constructor(after: (amount: number, ms: number) => number, nowMs: () => number) {
    this.#after = after
    this.#nowMs = nowMs
  }

  /** Adds an amount, or with a negative one takes back what was added; answers what it comes to. */
  add(name: string, amount: number): number {
    const atMs = this.#nowMs()
    const before = this.#sums.get(name)
    const rest = before === undefined ? 0 : this.#after(before.amount, atMs - before.atMs)
    const sum = Math.max(0, rest + amount)
    this.#sums.set(name, { amount: sum, atMs })
    return sum
  }
}

/** Sums of which after one window about a third counts, after five nothing. */
export function fading(windowMs: number, nowMs: () => number): Used {
  return new Used((amount, ms) => amount * Math.exp(-ms / windowMs), nowMs)
}

/** Token buckets: a sustained rate per second, and a burst after a pause. */
export class Rates {
  readonly #perSecond: number
  readonly #burst: number
  readonly #used: Used

  /** @param nowMs time that only rises, milliseconds */
  constructor(
    { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
    nowMs: () => number,
  ) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#used = new Used((amount, ms) => Math.max(0, amount - (ms * perSecond) / SECOND_MS), nowMs)
  }

  /**
   * Takes so many for `name`, no more than the burst; answers how long it has to wait where fewer
   * are left, milliseconds, else 0.
   */
  take(name: string, count = 1): number {
    const over = this.#used.add(name, count) - this.#burst
    if (over <= 0) return 0
    this.giveBack(name, count)
    return Math.ceil((over * SECOND_MS) / this.#perSecond)
  }

  /** Nothing came of what they were taken for. */
  giveBack(name: string, count: number): void {
    this.#used.add(name, -count)
  }
}
