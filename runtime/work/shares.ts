// Who has had most of the thread: while others are served, they rest after each piece of work, so
// that a request of somebody who asks for little meets little of theirs.
// docs/decisions/0052-one-scheduler.md
import { Recent } from '../host/recent.ts'
import { MAX_NAMES, restMs, RESTS } from './limits.ts'
import { fading } from './rates.ts'
import type { Used } from './rates.ts'

/** What somebody has had counts less and less in so long, milliseconds. */
const WINDOW_MS = 1_000
/** A request holds others back until it is answered, and no longer than this, milliseconds. */
const FRESH_MS = 20

export class Shares {
  readonly #nowMs: () => number
  /** Time that each caller has had, milliseconds. */
  readonly #had: Used
  readonly #restingUntil = new Recent<number>(MAX_NAMES)
  /** When the last request of each who is served began, in that order. */
  readonly #begunAt = new Map<string, number>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#had = fading(WINDOW_MS, nowMs)
  }

  begun(caller: string): void {
    this.#begunAt.delete(caller)
    this.#begunAt.set(caller, this.#nowMs())
  }

  ended(caller: string): void {
    this.#begunAt.delete(caller)
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
    for (const other of this.#begunAt.keys())
      if (other !== caller && this.#had.add(other, 0) < had) return true
    return false
  }

  #forget(): void {
    const since = this.#nowMs() - FRESH_MS
    for (const [caller, at] of this.#begunAt) {
      if (at > since) return
      this.#begunAt.delete(caller)
    }
  }
}
