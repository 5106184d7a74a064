// Who goes next where work is large: one piece of each caller at a time, few of all together, and
// callers in turn by how much each has had. Whatever somebody has queued, another one's is next.
// docs/decisions/0018-fair-turns.md

export interface FairLimits {
  /** Under way at once, of all callers. */
  readonly atOnce: number
  /** Of one caller that wait. */
  readonly waiting: number
  /** How long what is done keeps its caller's next one waiting at most, milliseconds. */
  readonly drainMs: number
  /** Nothing keeps others waiting for longer, milliseconds. */
  readonly holdMs: number
}

export const FAIR_LIMITS: FairLimits = {
  atOnce: 2,
  waiting: 64,
  drainMs: 1_000,
  holdMs: 60_000,
}

interface Waiting {
  readonly size: number
  begin(place: Place): void
}

interface Caller {
  /** What it has had so far, on the clock of all callers: the least goes next. */
  had: number
  isBusy: boolean
  readonly waiting: Waiting[]
}

/** Of one server. */
export class FairQueue {
  readonly #limits: FairLimits
  /** Those that have something under way or waiting. */
  readonly #callers = new Map<string, Caller>()
  #underWay = 0
  /** What those have had whose turn it is: newcomers begin there. */
  #level = 0

  constructor(limits: FairLimits) {
    this.#limits = limits
  }

  /**
   * Resolves in the caller's turn; undefined where too much of it waits already. The place must be
   * left again.
   *
   * @param size of the work, in any unit that is the same for all
   */
  enter(name: string, size: number): Promise<Place> | undefined {
    const caller = this.#callers.get(name) ?? this.#newcomer(name)
    if (caller.waiting.length >= this.#limits.waiting) return undefined
    const begun = new Promise<Place>((begin) => caller.waiting.push({ size, begin }))
    this.#next()
    return begun
  }

  #newcomer(name: string): Caller {
    const caller = { had: this.#level, isBusy: false, waiting: [] }
    this.#callers.set(name, caller)
    return caller
  }

  #next(): void {
    while (this.#underWay < this.#limits.atOnce) {
      const [name, caller] = this.#due() ?? []
      const first = caller?.waiting.shift()
      if (name === undefined || caller === undefined || first === undefined) return
      this.#level = caller.had
      caller.had += first.size
      caller.isBusy = true
      this.#underWay += 1
      first.begin(this.#place(name, caller))
    }
  }

  #due(): readonly [string, Caller] | undefined {
    let due: readonly [string, Caller] | undefined
    for (const entry of this.#callers) {
      const [, { isBusy, waiting, had }] = entry
      if (!isBusy && waiting.length > 0 && had < (due?.[1].had ?? Number.POSITIVE_INFINITY))
        due = entry
    }
    return due
  }

  #place(name: string, caller: Caller): Place {
    const { drainMs, holdMs } = this.#limits
    return new Place(
      { drainMs, holdMs },
      {
        done: () => {
          this.#underWay -= 1
          this.#next()
        },
        left: () => {
          caller.isBusy = false
          if (caller.waiting.length === 0) this.#callers.delete(name)
          else this.#next()
        },
      },
    )
  }
}

interface Told {
  done(): void
  left(): void
}

/** Of one piece of work that is under way. */
export class Place {
  readonly #drainMs: number
  readonly #told: Told
  #timer: NodeJS.Timeout
  #isDone = false
  #isLeft = false

  constructor({ drainMs, holdMs }: Pick<FairLimits, 'drainMs' | 'holdMs'>, told: Told) {
    this.#drainMs = drainMs
    this.#told = told
    this.#timer = setTimeout(() => this.leave(), holdMs).unref()
  }

  /** The work is over, and its caller takes what came of it: others may begin. */
  done(): void {
    if (this.#isDone) return
    this.#isDone = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.leave(), this.#drainMs).unref()
    this.#told.done()
  }

  /** Its caller may begin something else; may be called again. */
  leave(): void {
    this.done()
    if (this.#isLeft) return
    this.#isLeft = true
    clearTimeout(this.#timer)
    this.#told.left()
  }
}
