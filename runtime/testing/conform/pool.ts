// Values that this run has met, by what they mean: what the server has shown, and what this run itself has made there.
// Lists only grow at their end and are short, so that the same choice finds the same value while a failure is made smaller.

export type Identity = string | number | bigint

const LIMIT = 48
const MAX_LENGTH = 2_000

/** What filling a request asks of a pool. */
export type KnownValues = Pick<Pool, 'pick' | 'isStrange' | 'madeCount'>

export class Pool {
  readonly #seen = new Map<string, Identity[]>()
  readonly #made = new Map<string, Identity[]>()
  readonly #strange = new Map<string, Set<string>>()

  /** Notes a value that the server has shown. */
  see(key: string, value: Identity): void {
    if (isMadeHere(this.#made.get(key), value)) return
    strangers(this.#strange, key).add(String(value))
    push(this.#seen, key, value)
  }

  /** Notes a value that came with what this run has created. Nothing that was there before becomes the run's own. */
  make(key: string, value: Identity): boolean {
    if (this.isStrange(key, value)) return false
    push(this.#made, key, value)
    return true
  }

  /** True for values that the server has shown and that this run did not make. */
  isStrange(key: string, value: Identity): boolean {
    return this.#strange.get(key)?.has(String(value)) === true
  }

  /** No longer there. */
  forget(key: string, value: Identity): void {
    for (const values of [this.#made.get(key), this.#seen.get(key)]) {
      const at = values?.findIndex((known) => String(known) === String(value)) ?? -1
      if (at >= 0) values?.splice(at, 1)
    }
  }

  /** The value that a choice picks, or undefined where there is none. */
  pick(key: string, choice: number, onlyMade: boolean): Identity | undefined {
    const made = this.#made.get(key) ?? []
    const values = onlyMade ? made : [...made, ...this.#seen.get(key) ?? []]
    return values.length === 0 ? undefined : values[choice % values.length]
  }

  /** True for values that the server has shown or this run has made. */
  isKnown(key: string, value: Identity): boolean {
    return this.isStrange(key, value) || isMadeHere(this.#made.get(key), value)
  }

  /** The pool as a request about one thing sees it: under its key there is nothing else. */
  knowing(key: string, value: Identity): KnownValues {
    return {
      pick: (wanted, choice, onlyMade) => (wanted === key ? value : this.pick(wanted, choice, onlyMade)),
      isStrange: (wanted, one) => this.isStrange(wanted, one),
      madeCount: (wanted) => (wanted === key ? Number.POSITIVE_INFINITY : this.madeCount(wanted)),
    }
  }

  /** How many values of a key this run has made. */
  madeCount(key: string): number {
    return this.#made.get(key)?.length ?? 0
  }
}

/** True for values that can stand in a parameter. */
export function isIdentity(value: unknown): value is Identity {
  if (typeof value === 'string') return value !== '' && value.length <= MAX_LENGTH
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}

function isMadeHere(values: readonly Identity[] | undefined, value: Identity): boolean {
  return values !== undefined && values.some((known) => String(known) === String(value))
}

function strangers(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = new Set<string>()
  map.set(key, fresh)
  return fresh
}

function push(map: Map<string, Identity[]>, key: string, value: Identity): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else if (values.length < LIMIT && !isMadeHere(values, value)) values.push(value)
}
