// Who has had most of the thread: while others are served, they rest after each piece of work, so
// that a request of somebody who asks for little meets little of theirs.
// docs/decisions/0052-one-scheduler.md
import { Recent } from '../host/recent.ts'
import { MAX_NAMES, restMs, RESTS } from './limits.ts'
import { fading } from './rates.ts'
import type { Used } from './rates.ts'

/** What somebody has had counts less and less in so long, milliseconds. */
const WINDOW_MS = 1_000
/**
 * Who is served, or has just been and may ask again, holds others back: for so long after a request
 * has begun or ended, milliseconds.
 */
const FRESH_MS = 20

export class Shares {
  readonly #nowMs: () => number
  /** Time that each caller has had, milliseconds. */
  readonly #had: Used
  readonly #restingUntil = new Recent<number>(MAX_NAMES)
  /** When the last request of each who is served began or ended, in that order. */
  readonly #servedAt = new Map<string, number>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#had = fading(WINDOW_MS, nowMs)
  }

  /** Notes that a request of the caller begins or ends. */
  served(caller: string): void {
    this.#servedAt.delete(caller)
    this.#servedAt.set(caller, this.#nowMs())
    this.#forget()
  }

  /** Notes work that a caller has had; the rest after it begins now. */
  charge(caller: string, ms: number): void {
    if (caller === '') return
    const now = this.#nowMs()
    const from = Math.max(now, this.#restingUntil.get(caller) ?? 0)
    const until = Math.min(from + restMs(RESTS.share, ms), now + RESTS.share.maxMs)
    this.#had.add(caller, ms)
    this.#restingUntil.set(caller, until)
  }

  /** Whether a caller rests while somebody who has had less is served. */
  isHeld(caller: string): boolean {
    if ((this.#restingUntil.get(caller) ?? 0) <= this.#nowMs()) return false
    this.#forget()
    const had = this.#had.add(caller, 0)
    for (const other of this.#servedAt.keys())
      if (other !== caller && this.#had.add(other, 0) < had) return true
    return false
  }

  #forget(): void {
    const since = this.#nowMs() - FRESH_MS
    for (const [caller, at] of this.#servedAt) {
      if (at > since) return
      this.#servedAt.delete(caller)
    }
  }
}
