// Token buckets: a sustained rate per second, and a burst after a pause. Per server, in memory.

import { Remembered } from './remembered.ts'

const SECOND_MS = 1_000

interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  readonly left: number
  readonly atMs: number
}

export class Rates {
  readonly #rate: Rate
  readonly #nowMs: () => number
  readonly #buckets = new Remembered<Bucket>()

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
