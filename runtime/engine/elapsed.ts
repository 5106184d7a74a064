// Elapsed time: what no one who sets the clock can change. The process counts it while it runs; the
// machine's uptime says what passed while the machine was suspended.
// docs/decisions/0050-the-ledgers-own-time.md
import type { HostClock } from '../host/plugin.ts'

/**
 * Uptime is told in whole seconds on some systems; what differs by less comes from that. Also the
 * longest stretch that is counted without a look at it.
 */
const COARSE_MS = 2_000

export class Elapsed {
  readonly #clock: HostClock
  /** The lead over the process's count. */
  #shiftMs = 0
  #readMs: number
  #compared: { readonly uptimeMs: number; readonly countMs: number } | undefined

  constructor(clock: HostClock) {
    this.#clock = clock
    this.#readMs = clock.monotonicMs()
    this.compare()
  }

  /** Microseconds since some moment, also those for which the machine was suspended. */
  micros(): number {
    const countMs = this.#clock.monotonicMs()
    if (countMs - this.#readMs > COARSE_MS) this.compare()
    this.#readMs = countMs
    return (countMs + this.#shiftMs) * 1_000
  }

  /** Takes the machine's uptime where the process has counted something else. */
  compare(): void {
    const uptimeMs = this.#clock.uptimeMs?.()
    if (uptimeMs === undefined) return
    const countMs = this.#clock.monotonicMs()
    this.#compared ??= { uptimeMs, countMs }
    const missed = uptimeMs - this.#compared.uptimeMs - (countMs - this.#compared.countMs)
    if (Math.abs(missed) <= COARSE_MS) return
    // An uptime that began anew says nothing of what has passed.
    if (missed > 0) this.#shiftMs += missed
    this.#compared = { uptimeMs, countMs }
  }
}
