// Tells readers when the ledger has gone on: at once for commits of this server, within `POLL_MS`
// for those of others. One timer serves all readers, and only while there are any. And gives
// readers their turns, so that they leave time for everybody else.
import { setImmediate } from 'node:timers/promises'
import type { Engine, HistoryWatch } from '../../../engine/index.ts'
import type { Store } from '../../../store/store.ts'

const POLL_MS = 100

export class LedgerTail {
  readonly #store: Store
  readonly #history: HistoryWatch | undefined
  readonly #waiters = new Map<() => void, bigint>()
  #end = 0n
  #lastTurn: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false

  constructor(store: Store, engine: Engine, history?: HistoryWatch) {
    this.#store = store
    this.#history = history
    history?.onBroken(() => this.#wakeAll())
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
        this.#rest()
        resolve()
      }
      const timer = Number.isFinite(ms) ? setTimeout(wake, ms) : undefined
      this.#waiters.set(wake, offset)
      signal.addEventListener('abort', wake)
      if (this.#store.features.multiProcess)
        this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref()
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

  /**
   * One question at a time, however slow the store is. One that cannot be reached right now is
   * asked again at the next turn.
   */
  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    const end = await this.#store.updates.ledgerEnd().catch(() => 0n)
    this.#isPolling = false
    this.#advance(end)
  }

  #advance(end: bigint): void {
    if (end > this.#end) this.#end = end
    for (const [wake, offset] of this.#waiters) if (this.#end > offset) wake()
  }

  /** Each then takes its turn. */
  #wakeAll(): void {
    for (const wake of this.#waiters.keys()) wake()
  }

  #rest(): void {
    if (this.#waiters.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
