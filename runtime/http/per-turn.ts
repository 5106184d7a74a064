// Starts a limited number of tasks per turn of the event loop; the others wait in order.

export class PerTurn {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #left: number
  #isScheduled = false

  constructor(most: number) {
    this.#most = most
    this.#left = most
  }

  /** True where the caller may go on at once; else `resume` is called in a later turn. */
  enter(resume: () => void): boolean {
    this.#schedule()
    if (this.#left > 0) {
      this.#left--
      return true
    }
    this.#waiting.push(resume)
    return false
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    const released = this.#waiting.splice(0, this.#most)
    this.#left = this.#most - released.length
    if (released.length > 0) this.#schedule()
    for (const resume of released) resume()
  }
}
