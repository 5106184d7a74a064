// Values that this run has met, by what they mean: what the server has shown, and what this run
// itself has made there. Lists to pick from only grow at their end and are short, so that the same
// choice finds the same value while a failure is made smaller.

export type Identity = string | number | bigint

const LIMIT = 48
const MAX_LENGTH = 2_000

/** The part of a pool that fills a request. */
export type KnownValues = Pick<Pool, 'pick' | 'isStrange' | 'madeCount'>

export class Pool {
  readonly #seen = new Shelf()
  readonly #made = new Shelf()

  /** Notes a value that the server has shown. */
  see(key: string, value: Identity): void {
    if (!this.isMade(key, value)) this.#seen.add(key, value)
  }

  /**
   * Notes a value that came with what this run has created. Nothing that was there before becomes
   * the run's own: then false.
   */
  make(key: string, value: Identity): boolean {
    if (this.isStrange(key, value)) return false
    this.#made.add(key, value)
    return true
  }

  /** True for values that the server has shown and that this run did not make. */
  isStrange(key: string, value: Identity): boolean {
    return this.#seen.has(key, value)
  }

  /** True for values that this run has made, also when they are gone again. */
  isMade(key: string, value: Identity): boolean {
    return this.#made.has(key, value)
  }

  /** True for values that the server has shown or this run has made. */
  isKnown(key: string, value: Identity): boolean {
    return this.isStrange(key, value) || this.isMade(key, value)
  }

  /** No longer there. */
  forget(key: string, value: Identity): void {
    this.#made.drop(key, value)
    this.#seen.drop(key, value)
  }

  /** The value that a choice picks, or undefined where there is none. */
  pick(key: string, choice: number, onlyMade: boolean): Identity | undefined {
    const values = onlyMade
      ? this.#made.list(key)
      : [...this.#made.list(key), ...this.#seen.list(key)]
    return values.length === 0 ? undefined : values[choice % values.length]
  }

  /** How many values of a key that this run has made can be picked. */
  madeCount(key: string): number {
    return this.#made.list(key).length
  }

  /** The pool as a request about one thing sees it: under its key there is nothing else. */
  knowing(key: string, value: Identity): KnownValues {
    return {
      pick: (wanted, choice, onlyMade) =>
        wanted === key ? value : this.pick(wanted, choice, onlyMade),
      isStrange: (wanted, one) => this.isStrange(wanted, one),
      madeCount: (wanted) => (wanted === key ? Number.POSITIVE_INFINITY : this.madeCount(wanted)),
    }
  }
}

/** Values by key: all that ever were, and a short list of those that are. */
class Shelf {
  readonly #all = new Map<string, Set<string>>()
  readonly #lists = new Map<string, Identity[]>()

  add(key: string, value: Identity): void {
    const all = this.#all.get(key) ?? new Set()
    const list = this.#lists.get(key) ?? []
    this.#all.set(key, all)
    this.#lists.set(key, list)
    if (!all.has(String(value)) && list.length < LIMIT) list.push(value)
    all.add(String(value))
  }

  has(key: string, value: Identity): boolean {
    return this.#all.get(key)?.has(String(value)) === true
  }

  list(key: string): readonly Identity[] {
    return this.#lists.get(key) ?? []
  }

  drop(key: string, value: Identity): void {
    const list = this.#lists.get(key)
    const at = list?.findIndex((known) => String(known) === String(value)) ?? -1
    if (at >= 0) list?.splice(at, 1)
  }
}

/** True for values that can stand in a parameter. */
export function isIdentity(value: unknown): value is Identity {
  if (typeof value === 'string') return value !== '' && value.length <= MAX_LENGTH
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}
