// All chance of a driver comes from here, so that its seed says everything.
import { hash } from 'node:crypto'

export interface Dice {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from 0 to below `sides`. */
  int(sides: number): number
  /** A whole number from `from` to `to`, both possible. */
  between(from: number, to: number): number
  chance(share: number): boolean
  /** One of them; throws where there is none. */
  pick<T>(from: readonly T[]): T
  /** One of them, as often as its weight says. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T
  /** One of the names, as often as its weight says. */
  kind<K extends string>(weights: Readonly<Record<K, number>>): K
  /** Some of them, up to `most`, none twice. */
  some<T>(from: readonly T[], most: number): readonly T[]
  bytes(count: number): Buffer
}

/** Dice that throw the same for the same seed. Mulberry32 */
export function diceOf(seed: number): Dice {
  let state = seed | 0
  let blocks = 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (sides: number): number => Math.floor(next() * sides)
  const pick = <T>(from: readonly T[]): T => {
    const value = from[int(from.length)]
    if (value === undefined) throw new RangeError('there is nothing to pick from')
    return value
  }
  const weighted = <T>(from: readonly (readonly [number, T])[]): T => {
    let left = next() * from.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of from) {
      left -= weight
      if (left < 0) return value
    }
    return pick(from)[1]
  }
  return {
    next,
    int,
    pick,
    weighted,
    between: (from, to) => from + int(to - from + 1),
    chance: (share) => next() < share,
    kind: (weights) => weighted(namesOf(weights).map((name) => [weights[name], name])),
    some: (from, most) => {
      const left = [...from]
      const count = Math.min(left.length, int(most + 1))
      return Array.from({ length: count }, () => left.splice(int(left.length), 1)).flat()
    },
    bytes: (count) => {
      const blocksOf32 = Array.from({ length: Math.ceil(count / 32) }, () =>
        hash('sha256', `${seed} ${blocks++}`, 'buffer'),
      )
      return Buffer.concat(blocksOf32).subarray(0, count)
    },
  }
}

/** Seeds of single steps. */
export function seedsOf(seed: number, count: number): readonly number[] {
  const dice = diceOf(seed)
  return Array.from({ length: count }, () => dice.int(0x7fffffff))
}

/** Names of a record, in its order. */
export function namesOf<K extends string>(weights: Readonly<Record<K, number>>): readonly K[] {
  const names: K[] = []
  for (const name in weights) names.push(name)
  return names
}
