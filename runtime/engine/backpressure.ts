// Spreads interpretations over turns of the event loop. Between them, the store's answers are seen,
// so that the next batch goes to the store while others are still interpreted, and long ones leave
// room for other work. Waiting interpretations continue in turns of their payers, so that nobody
// waits for everything that another party sent.

/**
 * Interpretations in one turn while the store works elsewhere: fewer cost turns, more keep it
 * waiting.
 */
const EACH_TURN = 2
/** Of one payer in one turn; what counts against nobody is not counted. */
const EACH_PAYER = 16
/** Of interpretations in one turn, whatever the store does, milliseconds. */
const LONG_MS = 10

type Resume = () => void

export class Backpressure {
  /**
   * Whether it is worth anything: a store that works within this thread gains nothing from being
   * seen earlier.
   */
  isNeeded = false
  /** By payer; whose turn comes first is first. */
  readonly #waiting = new Map<string, Resume[]>()
  /** In this turn, by payer. */
  readonly #begun = new Map<string, number>()
  #left = EACH_TURN
  #isScheduled = false
  #spentMs = 0

  /**
   * Undefined where the caller may go on at once; else resolves when the payer's turn comes, of
   * each in order of arrival.
   */
  enter(payer: string): Promise<void> | undefined {
    if (this.#mayBegin(payer)) {
      this.#count(payer)
      return undefined
    }
    this.#schedule()
    return new Promise((resume) => {
      const queue = this.#waiting.get(payer)
      if (queue === undefined) this.#waiting.set(payer, [resume])
      else queue.push(resume)
    })
  }

  /** Tells how long an interpretation took. */
  spent(ms: number): void {
    this.#spentMs += ms
    if (this.#spentMs >= LONG_MS) this.#schedule()
  }

  #mayBegin(payer: string): boolean {
    if (this.#spentMs >= LONG_MS || this.#waiting.has(payer)) return false
    if (this.isNeeded) return this.#left > 0 && this.#waiting.size === 0
    return (this.#begun.get(payer) ?? 0) < EACH_PAYER
  }

  #count(payer: string): void {
    if (this.isNeeded) this.#left -= 1
    else if (payer === '') return
    else this.#begun.set(payer, (this.#begun.get(payer) ?? 0) + 1)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    const most = this.#spentMs >= LONG_MS ? 1 : this.isNeeded ? EACH_TURN : EACH_PAYER
    this.#spentMs = 0
    this.#left = EACH_TURN
    this.#begun.clear()
    for (let count = 0; count < most && this.#waiting.size > 0; count += 1) this.#resumeNext()
    if (this.#waiting.size > 0) this.#schedule()
  }

  /** The first of the payer whose turn it is, who is last then. */
  #resumeNext(): void {
    const [[payer, queue] = ['', []]] = this.#waiting
    this.#waiting.delete(payer)
    const resume = queue.shift()
    if (queue.length > 0) this.#waiting.set(payer, queue)
    this.#count(payer)
    resume?.()
  }
}

/** The next turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
