// Places for large work: one of each caller at a time, few of all together, and next whoever has
// had least. However many a caller has waiting, the next one is another caller's.
// docs/decisions/0052-one-scheduler.md
import { Lines } from './lines.ts'
import type { PlaceLimits } from './limits.ts'

/** The places of one server. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #lines = new Lines<() => void>()
  /** Callers that have something under way. */
  readonly #busy = new Set<string>()
  #underWay = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /**
   * Resolves in the caller's turn; undefined where too much of it waits already. The place must be
   * left again.
   *
   * @param size of the work, in any unit that is the same for all
   */
  enter(caller: string, size: number): Promise<Place> | undefined {
    if (this.#lines.lengthOf(caller) >= this.#limits.waiting) return undefined
    const begun = new Promise<Place>((resolve) =>
      this.#lines.add(caller, () => {
        this.#lines.charge(caller, size)
        resolve(this.#place(caller))
      }),
    )
    this.#next()
    return begun
  }

  #next(): void {
    while (this.#underWay < this.#limits.atOnce) {
      const next = this.#lines.next((caller) => !this.#busy.has(caller))
      if (next === undefined) return
      this.#busy.add(next.caller)
      this.#underWay += 1
      next.item()
    }
  }

  #place(caller: string): Place {
    return new Place(
      this.#limits.shareMs,
      () => {
        this.#underWay -= 1
        this.#next()
      },
      () => {
        this.#busy.delete(caller)
        this.#next()
      },
    )
  }
}

/** The place of one piece of work that is under way. */
export class Place {
  readonly #shareMs: number
  readonly #onShare: () => void
  readonly #onLeave: () => void
  #isShared = false
  #isLeft = false
  #timer: NodeJS.Timeout

  constructor(shareMs: number, onShare: () => void, onLeave: () => void) {
    this.#shareMs = shareMs
    this.#onShare = onShare
    this.#onLeave = onLeave
    this.#timer = this.#after(() => this.#share())
  }

  /** The work is over, and its caller takes what came of it: others may begin. */
  done(): void {
    this.#share()
    clearTimeout(this.#timer)
    this.#timer = this.#after(() => this.leave())
  }

  /** Its caller may begin something else; may be called again. */
  leave(): void {
    this.#share()
    clearTimeout(this.#timer)
    if (this.#isLeft) return
    this.#isLeft = true
    this.#onLeave()
  }

  #share(): void {
    if (this.#isShared) return
    this.#isShared = true
    this.#onShare()
  }

  #after(act: () => void): NodeJS.Timeout {
    return setTimeout(act, this.#shareMs).unref()
  }
}
