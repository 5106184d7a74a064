// Work that nobody waits for, in pieces that keep their distance while somebody is served: whatever
// there is of it, requests meet one short piece at a time, and most often none.
// docs/decisions/0052-one-scheduler.md
import { RESTS, restMs } from './limits.ts'
import { Lines } from './lines.ts'
import { scheduler } from './scheduler.ts'
import type { Scheduler } from './scheduler.ts'

/** The background of one process. Owners have turns: nobody waits for all of somebody else's. */
export class Background {
  readonly #scheduler: Pick<Scheduler, 'nowMs' | 'requests'>
  readonly #lines = new Lines<() => void>()
  /** A piece is under way, or the rest after it. */
  #isHeld = false

  constructor(scheduler: Pick<Scheduler, 'nowMs' | 'requests'>) {
    this.#scheduler = scheduler
  }

  /**
   * Runs one piece of work for somebody, such as a transaction: at once where nobody is served,
   * else when its turn comes. A piece must not wait for another one.
   */
  async piece<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const { requests, nowMs } = this.#scheduler
    if (!this.#isHeld && !requests.isServing) return work()
    if (this.#isHeld) await new Promise<void>((begin) => this.#lines.add(owner, begin))
    this.#isHeld = true
    const begunAt = nowMs()
    const overdue = Promise.withResolvers<void>()
    const timer = setTimeout(overdue.resolve, RESTS.background.waitMs)
    // What throws at once must not hold up the next piece either.
    const done = (async () => work())()
    void Promise.race([done.catch(() => undefined), overdue.promise]).then(() => {
      clearTimeout(timer)
      const tookMs = nowMs() - begunAt
      this.#lines.charge(owner, tookMs)
      const rest = requests.isServing ? restMs(RESTS.background, tookMs) : 0
      setTimeout(() => this.#release(), rest)
    })
    return done
  }

  #release(): void {
    const next = this.#lines.next()
    this.#isHeld = next !== undefined
    next?.item()
  }
}

/** The event loop is one for the process: what anything does in the background waits here. */
export const background = new Background(scheduler)
