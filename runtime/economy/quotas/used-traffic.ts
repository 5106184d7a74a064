// Who used how much traffic lately. What was used counts less and less: after one window about a
// third of it, after five nothing. Per server, in memory.

/**
 * Names that are remembered at most: then the one that was seen longest ago counts as one that used
 * nothing.
 */
const MAX_REMEMBERED = 10_000

interface Used {
  readonly bytes: number
  readonly atMs: number
}

export class UsedTraffic {
  readonly #windowMs: number
  readonly #nowMs: () => number
  readonly #used = new Map<string, Used>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(windowMs: number, nowMs: () => number) {
    this.#windowMs = windowMs
    this.#nowMs = nowMs
  }

  /** Adds bytes, or with a negative number takes back what was added; answers what it comes to. */
  add(name: string, bytes: number): number {
    const atMs = this.#nowMs()
    const before = this.#used.get(name)
    const rest =
      before === undefined ? 0 : before.bytes * Math.exp((before.atMs - atMs) / this.#windowMs)
    const now = Math.max(0, rest + bytes)
    this.#used.delete(name)
    const [oldest] = this.#used.size >= MAX_REMEMBERED ? this.#used.keys() : []
    if (oldest !== undefined) this.#used.delete(oldest)
    this.#used.set(name, { bytes: now, atMs })
    return now
  }
}
