// Simulated time: what is due is done in its order, and the clock stands still meanwhile. Nothing
// else moves it, so a month takes as long as what happens in it.
import type { SimulatedClock } from '../../runtime/host/clock.ts'
import type { SchedulerService } from '../../runtime/host/plugin.ts'

/** Done at its time; the clockwork goes on when it has ended. */
export type Work = () => Promise<unknown>

interface Due {
  readonly at: bigint
  /** Orders what is due at the same time. */
  readonly number: number
  readonly work: Work
  /** Begins with all others of its time that say so, as pollers of one server do. */
  readonly isTogether: boolean
}

const MICROS_PER_MS = 1_000n

export class Clockwork {
  readonly #clock: SimulatedClock
  /** Called after each moment, until nothing more comes of it. */
  readonly #settle: Work
  /** Latest first. */
  readonly #due: Due[] = []
  #number = 0

  constructor(clock: SimulatedClock, settle: Work) {
    this.#clock = clock
    this.#settle = settle
  }

  at(at: bigint, work: Work, isTogether = false): void {
    const due = { at, number: this.#number++, work, isTogether }
    let [low, high] = [0, this.#due.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#due[middle]
      if (other !== undefined && isAfter(other, due)) low = middle + 1
      else high = middle
    }
    this.#due.splice(low, 0, due)
  }

  every(everyMs: number, work: Work): { cancel(): void } {
    let isOver = false
    const again = (): void =>
      this.at(
        this.#clock.nowMicros() + BigInt(everyMs) * MICROS_PER_MS,
        async () => {
          if (isOver) return
          again()
          await work()
        },
        true,
      )
    again()
    return { cancel: () => void (isOver = true) }
  }

  /** Everything up to and including `end`, unless it is over before. */
  async runUntil(end: bigint, isOver: () => boolean): Promise<void> {
    for (
      let next = this.#due.at(-1);
      next !== undefined && next.at <= end && !isOver();
      next = this.#due.at(-1)
    ) {
      this.#clock.moveTo(next.at)
      await Promise.all(this.#take().map(({ work }) => work()))
      await this.#settle()
    }
    if (!isOver()) this.#clock.moveTo(end)
  }

  /** A scheduler for automations: an interval of theirs is one of simulated time. */
  scheduler(): SchedulerService {
    const signal = new AbortController().signal
    return {
      schedule: (_name, everyMs, task) => this.every(everyMs, () => task(signal)),
      hold: () => ({ cancel: () => {} }),
    }
  }

  #take(): readonly Due[] {
    const first = this.#due.pop()
    if (first === undefined) return []
    const all = [first]
    for (
      let next = this.#due.at(-1);
      first.isTogether && next?.at === first.at && next.isTogether;
      next = this.#due.at(-1)
    ) {
      all.push(next)
      this.#due.pop()
    }
    return all
  }
}

function isAfter(one: Due, other: Due): boolean {
  return one.at > other.at || (one.at === other.at && one.number > other.number)
}
