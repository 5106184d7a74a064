// Spreads interpretations over turns of the event loop. While the store works elsewhere, what it
// answers is then seen between them, and the next batch goes to it while others are still
// interpreted; and long ones leave room for whatever else there is to do.

/** Interpretations in one turn: fewer cost turns, more keep the store waiting. */
const EACH_TURN = 2
/** Of interpretations in one turn, whatever the store does, milliseconds. */
const LONG_MS = 10

export class Backpressure {
  /**
   * Whether it is worth anything: a store that works within this thread gains nothing from being
   * seen earlier.
   */
  isNeeded = false
  readonly #waiting: (() => void)[] = []
  #left = EACH_TURN
  #isScheduled = false
  #spentMs = 0

  /**
   * Undefined where the caller may go on at once; else resolves when its turn comes, in order of
   * arrival.
   */
  enter(): Promise<void> | undefined {
    if (!this.isNeeded && this.#spentMs < LONG_MS && this.#waiting.length === 0) return undefined
    this.#schedule()
    if (this.#left > 0 && this.#spentMs < LONG_MS && this.#waiting.length === 0) {
      this.#left -= 1
      return undefined
    }
    return new Promise((resume) => this.#waiting.push(resume))
  }

  /** Tells how long an interpretation took. */
  spent(ms: number): void {
    this.#spentMs += ms
    if (this.#spentMs >= LONG_MS) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    const most = this.#spentMs < LONG_MS ? EACH_TURN : 1
    const released = this.#waiting.splice(0, most)
    this.#left = most - released.length
    this.#spentMs = 0
    if (released.length > 0) this.#schedule()
    for (const resume of released) resume()
  }
}

/** The next turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
