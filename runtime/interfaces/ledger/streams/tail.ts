// Tells readers when the ledger has gone on: at once for commits of this server, and at the next
// look at the history for those of others. And gives readers their turns, so that they leave time
// for everybody else. docs/decisions/0053-idle-means-idle.md
import { setImmediate } from 'node:timers/promises'
import type { Engine, HistoryWatch } from '../../../engine/index.ts'

export class LedgerTail {
  readonly #history: HistoryWatch | undefined
  readonly #waiters = new Map<() => void, bigint>()
  #end = 0n
  #lastTurn: Promise<void> = Promise.resolve()

  constructor(engine: Engine, history?: HistoryWatch) {
    this.#history = history
    history?.onBroken(() => this.#wakeAll())
    history?.onLook((end) => this.#advance(end))
    engine.onCommitted(({ offset }) => this.#advance(offset))
  }

  /**
   * Resolves when there is an update after `offset`, when `signal` aborts, or after `ms`
   * milliseconds.
   */
  async beyond(offset: bigint, signal: AbortSignal, ms: number): Promise<void> {
    if (this.#end > offset || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiters.delete(wake)
        signal.removeEventListener('abort', wake)
        clearTimeout(timer)
        resolve()
      }
      const timer = Number.isFinite(ms) ? setTimeout(wake, ms) : undefined
      this.#waiters.set(wake, offset)
      signal.addEventListener('abort', wake)
    })
  }

  /**
   * Resolves in the reader's turn: one at a time, and requests that came in meanwhile go between
   * two of them. Throws a CommitRejected once the history is another one.
   */
  turn(): Promise<void> {
    this.#history?.require()
    this.#lastTurn = this.#lastTurn.then(() => setImmediate())
    return this.#lastTurn
  }

  #advance(end: bigint): void {
    if (end > this.#end) this.#end = end
    for (const [wake, offset] of this.#waiters) if (this.#end > offset) wake()
  }

  /** Each then takes its turn. */
  #wakeAll(): void {
    for (const wake of this.#waiters.keys()) wake()
  }
}
