// Chooses the next large request: one of each caller at a time, few of all together, and first the
// caller who has had least. However many a caller has queued, the next one is another caller's.
// docs/decisions/0018-fair-turns.md

export interface FairLimits {
  /** Under way at once, of all callers. */
  readonly atOnce: number
  /** Of one caller that wait. */
  readonly waiting: number
  /**
   * What takes longer than that, perhaps since it waits itself, keeps only its own caller waiting,
   * milliseconds.
   */
  readonly shareMs: number
  /** How long what is done keeps its caller's next one waiting at most, milliseconds. */
  readonly drainMs: number
  /** Nothing keeps anybody waiting for longer, milliseconds. */
  readonly holdMs: number
}

export const FAIR_LIMITS: FairLimits = {
  atOnce: 4,
  waiting: 64,
  shareMs: 1_000,
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
    return new Place(this.#limits, {
      share: () => {
        this.#underWay -= 1
        this.#next()
      },
      leave: () => {
        caller.isBusy = false
        if (caller.waiting.length === 0) this.#callers.delete(name)
        else this.#next()
      },
    })
  }
}

interface Gives {
  /** The place among those of all. */
  share(): void
  /** That of the caller. */
  leave(): void
}

/** Of one piece of work that is under way. */
export class Place {
  readonly #drainMs: number
  #gives: Partial<Gives>
  readonly #shareTimer: NodeJS.Timeout
  #leaveTimer: NodeJS.Timeout

  constructor({ shareMs, drainMs, holdMs }: FairLimits, gives: Gives) {
    this.#drainMs = drainMs
    this.#gives = gives
    this.#shareTimer = setTimeout(() => this.#share(), shareMs).unref()
    this.#leaveTimer = setTimeout(() => this.leave(), holdMs).unref()
  }

  /** The work is over, and its caller takes what came of it: others may begin. */
  done(): void {
    this.#share()
    clearTimeout(this.#leaveTimer)
    this.#leaveTimer = setTimeout(() => this.leave(), this.#drainMs).unref()
  }

  /** Its caller may begin something else; may be called again. */
  leave(): void {
    this.#share()
    clearTimeout(this.#leaveTimer)
    const { leave } = this.#gives
    this.#gives = {}
    leave?.()
  }

  #share(): void {
    clearTimeout(this.#shareTimer)
    const { share, ...others } = this.#gives
    this.#gives = others
    share?.()
  }
}
