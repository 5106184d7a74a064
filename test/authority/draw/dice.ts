// Chance that a number decides: the same seed, the same throws.

export interface Dice {
  /** From 0 to below `sides`. */
  int(sides: number): number
  chance(share: number): boolean
  /** Throws where there is nothing to pick from. */
  pick<T>(from: readonly T[]): T
  /** By weights. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T
  /** Some of them, up to `most`, none twice. */
  some<T>(from: readonly T[], most: number): readonly T[]
}

/** Mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed | 0
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
  return {
    int,
    pick,
    chance: (share) => next() < share,
    weighted: (from) => {
      let left = next() * from.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of from) {
        left -= weight
        if (left < 0) return value
      }
      return pick(from)[1]
    },
    some: (from, most) => {
      const left = [...from]
      const count = Math.min(left.length, int(most + 1))
      return Array.from({ length: count }, () => left.splice(int(left.length), 1)).flat()
    },
  }
}

/** Numbers that drafts of an episode come from: unlike those of its neighbours. */
export function seedsOf(seed: number, count: number): readonly number[] {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b)
  return Array.from({ length: count }, () => dice.int(0x7fffffff))
}
