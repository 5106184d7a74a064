// Token buckets: so many a second in the long run, more at once after a pause. Per server, in
// memory.

/**
 * Names that are remembered at most: then the one that was seen longest ago has its whole burst
 * again.
 */
const MAX_REMEMBERED = 10_000
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
  readonly #buckets = new Map<string, Bucket>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(rate: Rate, nowMs: () => number) {
    this.#rate = rate
    this.#nowMs = nowMs
  }

  /**
   * Takes one for `name`; answers how long it has to wait for it where none is left, milliseconds,
   * else 0.
   */
  take(name: string): number {
    const { perSecond, burst } = this.#rate
    const atMs = this.#nowMs()
    const bucket = this.#buckets.get(name)
    const gained = bucket === undefined ? burst : ((atMs - bucket.atMs) * perSecond) / SECOND_MS
    const there = Math.min(burst, (bucket?.left ?? 0) + gained)
    const isTaken = there >= 1
    this.#set(name, { left: isTaken ? there - 1 : there, atMs })
    return isTaken ? 0 : Math.ceil(((1 - there) * SECOND_MS) / perSecond)
  }

  /** As the newest. */
  #set(name: string, bucket: Bucket): void {
    this.#buckets.delete(name)
    const [oldest] = this.#buckets.size >= MAX_REMEMBERED ? this.#buckets.keys() : []
    if (oldest !== undefined) this.#buckets.delete(oldest)
    this.#buckets.set(name, bucket)
  }
}
