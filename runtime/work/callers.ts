// Who has been served lately, and how much of each is under way.

/** Time for which a caller counts as served after a request, milliseconds. */
const SERVED_MS = 1_000

interface Served {
  readonly caller: string
  readonly atMs: number
}

const NOBODY: Served = { caller: '', atMs: Number.NEGATIVE_INFINITY }

export class Callers {
  readonly #nowMs: () => number
  /** The time at which the last one was served, known or not. */
  #lastMs = NOBODY.atMs
  /** The last one that is known, and the last one that was not the same. */
  #last = NOBODY
  #other = NOBODY
  readonly #underWay = new Map<string, number>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Notes that something has come, and whose it is once that is known. */
  served(caller?: string): void {
    this.#lastMs = this.#nowMs()
    if (caller === undefined) return
    if (this.#last.caller !== caller) this.#other = this.#last
    this.#last = { caller, atMs: this.#lastMs }
  }

  /** Whether anybody was served lately. */
  get isServing(): boolean {
    return this.#isLate(this.#lastMs)
  }

  /** Whether more than one was. */
  get isShared(): boolean {
    return this.#isLate(this.#other.atMs)
  }

  /** Whether anybody else was. */
  isServingBesides(caller: string): boolean {
    const { atMs } = this.#last.caller === caller ? this.#other : this.#last
    return this.#isLate(atMs)
  }

  #isLate(atMs: number): boolean {
    return this.#nowMs() - atMs < SERVED_MS
  }

  /** The number of a caller's that are under way. */
  underWay(caller: string): number {
    return this.#underWay.get(caller) ?? 0
  }

  /** One more is; answers how many. It has to leave again. */
  enter(caller: string): number {
    const count = this.underWay(caller) + 1
    this.#underWay.set(caller, count)
    return count
  }

  leave(caller: string): void {
    const count = this.underWay(caller) - 1
    if (count > 0) this.#underWay.set(caller, count)
    else this.#underWay.delete(caller)
  }
}
