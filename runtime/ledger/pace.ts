// Spreads interpretations over turns of the event loop while the store works elsewhere: what the store answers is then seen between
// them, and the next batch goes to it while others are still interpreted.

/** Interpretations in one turn: fewer cost turns, more keep the store waiting. */
const EACH_TURN = 2

export class Pace {
  /** Whether it is worth anything: a store that works within this thread gains nothing from being seen earlier. */
  isNeeded = false
  readonly #waiting: (() => void)[] = []
  #left = EACH_TURN
  #isScheduled = false

  /** Undefined where the caller may go on at once; else resolves when its turn comes, in order of arrival. */
  enter(): Promise<void> | undefined {
    if (!this.isNeeded) return undefined
    this.#schedule()
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= 1
      return undefined
    }
    return new Promise((resume) => this.#waiting.push(resume))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    const released = this.#waiting.splice(0, EACH_TURN)
    this.#left = EACH_TURN - released.length
    if (released.length > 0) this.#schedule()
    for (const resume of released) resume()
  }
}

/** The next turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
