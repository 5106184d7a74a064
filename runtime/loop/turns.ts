// Splits work on large bodies into pieces, one per turn of the event loop: however many there are,
// other work runs between two pieces.

/** Who comes this early in a turn need not wait for another one, milliseconds. */
const SHARED_MS = 2
/**
 * Turns between two long pieces. Where there is nothing else to do they are over at once; else a
 * small request, which takes some turns, meets few of them.
 */
const RESTS = 3

type Resume = () => void

/**
 * Of one server. Whoever asks goes on in order of arrival, those with a short piece before every
 * second long one.
 */
export class Turns {
  readonly #short: Resume[] = []
  readonly #long: Resume[] = []
  #wasShort = false
  /** When somebody first worked in this turn; undefined where nobody has. */
  #since: number | undefined
  /** Turns until the next long piece. */
  #rests = 0
  #isScheduled = false
  /** The last of those that work alone. */
  #last: Promise<void> = Promise.resolve()

  /**
   * Undefined where the caller may go on at once; else resolves in a turn of its own. A short piece
   * is a millisecond or two.
   */
  next(length: 'short' | 'long'): Promise<void> | undefined {
    this.#schedule()
    const isFree = this.#short.length + this.#long.length === 0
    if (isFree && (length === 'short' || this.#rests === 0) && this.#isEarly()) {
      if (length === 'long') this.#rests = RESTS
      return undefined
    }
    return new Promise((resume) => (length === 'short' ? this.#short : this.#long).push(resume))
  }

  /**
   * Runs one at a time of all that is given to it, in order: what they need memory for is needed
   * once.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    try {
      return await work()
    } finally {
      resolve()
    }
  }

  #isEarly(): boolean {
    if (this.#since !== undefined) return performance.now() - this.#since < SHARED_MS
    this.#since = performance.now()
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    this.#since = undefined
    const resume = this.#take()
    if (this.#rests > 0 || this.#long.length > 0) this.#schedule()
    if (resume === undefined) return
    this.#since = performance.now()
    this.#schedule()
    resume()
  }

  #take(): Resume | undefined {
    const mayBeLong = this.#rests === 0 && this.#long.length > 0
    const isShort = this.#short.length > 0 && !(this.#wasShort && mayBeLong)
    this.#wasShort = isShort
    if (isShort) return this.#short.shift()
    this.#rests = mayBeLong ? RESTS : Math.max(0, this.#rests - 1)
    return mayBeLong ? this.#long.shift() : undefined
  }
}

/** The event loop is one for the process: whoever works long anywhere in it takes turns here. */
export const loopTurns = new Turns()
