// Work that nobody waits for, in pieces that keep their distance while somebody is served: whatever
// there is of it, requests meet one short piece at a time, and most often none.
// docs/decisions/0018-fair-turns.md

/** Somebody is served for so long after the last request, milliseconds. */
const SERVED_MS = 1_000
/** The rest after a piece, of the time that it took: a tenth of the time is for the background. */
const REST_SHARE = 9
/**
 * The longest rest, and how long a piece that waits for something holds up the next one,
 * milliseconds: so there is a least number of pieces a second.
 */
const [MAX_REST_MS, MAX_WAIT_MS] = [25, 50]

type Resume = () => void

/** Of one process. Whose pieces wait have turns: nobody waits for all of somebody else's. */
export class Background {
  readonly #now: () => number
  #servedAt = Number.NEGATIVE_INFINITY
  /** By owner; whose turn comes next is first. */
  readonly #waiting = new Map<string, Resume[]>()
  /** A piece is under way, or the rest after it. */
  #isHeld = false

  /** @param now a clock that only rises, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A request has come. */
  served(): void {
    this.#servedAt = this.#now()
  }

  /**
   * Runs one piece of work for somebody, such as a transaction: at once where nobody is served,
   * else when its turn comes. A piece must not wait for another one.
   */
  async piece<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isHeld && this.#isIdle()) return work()
    await this.#turn(owner)
    const begunAt = this.#now()
    const overdue = Promise.withResolvers<void>()
    const timer = setTimeout(overdue.resolve, MAX_WAIT_MS)
    // What throws at once must not hold up the next piece either.
    const done = (async () => work())()
    void Promise.race([done.catch(() => undefined), overdue.promise]).then(() => {
      clearTimeout(timer)
      const tookMs = this.#isIdle() ? 0 : this.#now() - begunAt
      setTimeout(() => this.#release(), Math.min(MAX_REST_MS, REST_SHARE * tookMs))
    })
    return done
  }

  #isIdle(): boolean {
    return this.#now() - this.#servedAt >= SERVED_MS
  }

  #turn(owner: string): Promise<void> | undefined {
    if (!this.#isHeld) {
      this.#isHeld = true
      return undefined
    }
    return new Promise((resume) => {
      const queue = this.#waiting.get(owner)
      if (queue === undefined) this.#waiting.set(owner, [resume])
      else queue.push(resume)
    })
  }

  /** The first of the owner whose turn it is, who is last then. */
  #release(): void {
    const [[owner, queue] = ['', []]] = this.#waiting
    this.#waiting.delete(owner)
    const resume = queue.shift()
    if (queue.length > 0) this.#waiting.set(owner, queue)
    this.#isHeld = resume !== undefined
    resume?.()
  }
}

/** The event loop is one for the process: what anything does in the background waits here. */
export const background = new Background()
