// Comparing lists of what documents hold: by key, by content, by order.
import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '../json.ts'
import { compareText } from '../values.ts'

/** True when two values of documents are the same, whatever the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}

export interface Matched<T> {
  readonly pairs: readonly (readonly [string, T, T])[]
  readonly gone: readonly (readonly [string, T])[]
  readonly fresh: readonly (readonly [string, T])[]
}

/** Pairs what has the same key; in the order of keys. */
export function match<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Matched<T> {
  const pairs: (readonly [string, T, T])[] = []
  const gone: (readonly [string, T])[] = []
  for (const [key, old] of before) {
    const now = after.get(key)
    if (now === undefined) gone.push([key, old])
    else pairs.push([key, old, now])
  }
  const fresh = [...after].filter(([key]) => !before.has(key))
  return { pairs: pairs.sort(byKey), gone: gone.sort(byKey), fresh: fresh.sort(byKey) }
}

function byKey(a: readonly [string, ...unknown[]], b: readonly [string, ...unknown[]]): number {
  return compareText(a[0], b[0])
}

/** Items by a text. */
export function keyed<T>(list: readonly T[], key: (item: T) => string): ReadonlyMap<string, T> {
  return new Map(list.map((item) => [key(item), item]))
}

/** Items by their content. */
export function byContent<T>(list: readonly T[]): ReadonlyMap<string, T> {
  return keyed(list, (item) => canonicalJson(item))
}

/** Entries of two records that differ, in the order of keys. */
export function differing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly (readonly [key: string, before: unknown, after: unknown])[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort(compareText)
    .filter((key) => !same(before[key], after[key]))
    .map((key) => [key, before[key], after[key]])
}
