// What answers have shown, by kind, newest first in mind: ids that later requests name, and bodies
// that somebody outside has signed.
import type { Dice } from '../drive/dice.ts'

/** A contract as it was shown. */
export interface Seen {
  readonly id: string
  readonly templateId: string
  readonly payload: unknown
  /** The blob that discloses it; '' where it was not shown. */
  readonly blob: string
}

const ROOM = 48
/** One of the newest so many, half of the time. */
const FRESH = 6
const LOOKS = 8

/** The newest values, each once. */
class Ring<T> {
  readonly #values = new Map<string, T>()

  add(key: string, value: T): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > ROOM && oldest !== undefined) this.#values.delete(oldest)
  }

  get(key: string): T | undefined {
    return this.#values.get(key)
  }

  drop(key: string): void {
    this.#values.delete(key)
  }

  takeNewest(): T | undefined {
    const key = [...this.#values.keys()].at(-1)
    const value = this.#values.get(key ?? '')
    this.#values.delete(key ?? '')
    return value
  }

  pick(dice: Dice): T | undefined {
    const { size } = this.#values
    if (size === 0) return undefined
    const back = dice.chance(0.5) ? dice.between(1, Math.min(FRESH, size)) : dice.between(1, size)
    return [...this.#values.values()][size - back]
  }
}

export class Memory {
  readonly #rings = new Map<string, Ring<string>>()
  readonly #contracts = new Map<string, Ring<Seen>>()
  readonly #signed = new Map<string, Ring<object>>()
  /** Never to be named by a request. */
  readonly #hidden: ReadonlySet<string>
  #numbers = 0

  constructor(hidden: readonly string[]) {
    this.#hidden = new Set(hidden)
  }

  /** A number that was not there before. */
  next(): number {
    return (this.#numbers += 1)
  }

  note(kind: string, value: string): void {
    if (this.#hidden.has(value)) return
    ringOf(this.#rings, kind).add(value, value)
  }

  some(kind: string, dice: Dice): string | undefined {
    return this.#rings.get(kind)?.pick(dice)
  }

  noteContract(seen: Seen): void {
    this.note('contract', seen.id)
    const ring = ringOf(this.#contracts, entityOf(seen.templateId))
    const known = ring.get(seen.id)
    ring.add(
      seen.id,
      known === undefined
        ? seen
        : { ...seen, payload: seen.payload ?? known.payload, blob: seen.blob || known.blob },
    )
  }

  /** A contract of a template, by its last name; rather one that speaks of the party. */
  contract(entity: string, dice: Dice, party = ''): Seen | undefined {
    const ring = this.#contracts.get(entity)
    if (party === '') return ring?.pick(dice)
    return preferred(
      Array.from({ length: LOOKS }, () => ring?.pick(dice)),
      (seen) => seen.payload === undefined || speaksOf(seen, party),
    )
  }

  forgetContract(id: string): void {
    for (const ring of this.#contracts.values()) ring.drop(id)
    this.#rings.get('contract')?.drop(id)
  }

  /** Some contract, rather one that speaks of the party. */
  anyContract(party: string, dice: Dice): Seen | undefined {
    const rings = [...this.#contracts.values()]
    const found = Array.from({ length: rings.length === 0 ? 0 : LOOKS }, () =>
      dice.pick(rings).pick(dice),
    )
    return preferred(
      found,
      (seen) => speaksOf(seen, party),
      ({ blob }) => blob !== '',
    )
  }

  /** Keeps the body of a request that a key outside has signed. */
  noteSigned(kind: string, body: object): void {
    ringOf(this.#signed, kind).add(String(this.next()), body)
  }

  /** Most of them are taken once. */
  signed(kind: string, dice: Dice): object | undefined {
    const ring = this.#signed.get(kind)
    return dice.chance(0.8) ? ring?.takeNewest() : ring?.pick(dice)
  }
}

function speaksOf({ payload }: Seen, party: string): boolean {
  return JSON.stringify(payload)?.includes(party) === true
}

/** The first that fits the first rule that any fits; else the first. */
function preferred(
  found: readonly (Seen | undefined)[],
  ...rules: readonly ((seen: Seen) => boolean)[]
): Seen | undefined {
  const fitting = rules.map((fits) => found.find((seen) => seen !== undefined && fits(seen)))
  return fitting.find((seen) => seen !== undefined) ?? found[0]
}

function ringOf<T>(rings: Map<string, Ring<T>>, key: string): Ring<T> {
  const ring = rings.get(key) ?? new Ring<T>()
  rings.set(key, ring)
  return ring
}

/** The last name of a template's id. */
export function entityOf(templateId: string): string {
  return templateId.split(':').at(-1) ?? templateId
}
