// All chance of a simulated run comes from here, so that its seed says everything.
import { hash } from 'node:crypto'

export interface Chance {
  /** In [0, 1). */
  next(): number
  /** A whole number from `from` to `to`, both possible. */
  between(from: number, to: number): number
  /** One of them; there must be any. */
  pick<T>(items: readonly T[]): T
  /** One of the keys, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  bytes(count: number): Buffer
}

const STEP = 0x6d2b79f5
const RANGE = 2 ** 32

/** The same draws for the same seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  let blocks = 0
  const next = (): number => {
    state = (state + STEP) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => picked(items, next()),
    weighted: (weights) => weightedPick(weights, next()),
    bytes: (count) => {
      const found: Buffer[] = []
      for (let have = 0; have < count; have += 32)
        found.push(hash('sha256', `${seed} ${blocks++}`, 'buffer'))
      return Buffer.concat(found).subarray(0, count)
    },
  }
}

function picked<T>(items: readonly T[], draw: number): T {
  const item = items[Math.floor(draw * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

function weightedPick<K extends string>(weights: Readonly<Record<K, number>>, draw: number): K {
  const keys: readonly K[] = keysOf(weights)
  let left = draw * keys.reduce((sum, key) => sum + weights[key], 0)
  for (const key of keys) {
    left -= weights[key]
    if (left < 0) return key
  }
  return picked(keys, 0)
}

function keysOf<K extends string>(weights: Readonly<Record<K, number>>): readonly K[] {
  const keys: K[] = []
  for (const key in weights) keys.push(key)
  return keys
}
