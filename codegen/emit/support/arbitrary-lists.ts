// Kinds of arrays.
import { below, nestedFlaws, ownFlaw, typeFlaw } from './arbitrary.ts'
import type { At, FlawChoice, Kind, ValueOf } from './arbitrary.ts'
import { canonicalText } from './arbitrary-scalars.ts'
import type { Arbitrary } from 'fast-check'

export interface ListOptions {
  readonly min?: number
  readonly max?: number
  readonly unique?: true
}

const MOST_ITEMS = 2000

/** Arrays of one kind of items. */
export function list<T>(item: Kind<T>, options: ListOptions = {}): Kind<T[]> {
  return {
    valid: (at) => arrays(at, item, options),
    flaws: (at) => [
      ...typeFlaw(at, 'array'),
      ...itemFlaws(at, item, options),
      ...lengthFlaws(at, item, options),
    ],
  }
}

function arrays<T>(
  at: At,
  item: Kind<T>,
  { min = 0, max = Infinity, unique }: ListOptions,
): Arbitrary<T[]> | undefined {
  const items = item.valid(below(at))
  // As text, a list without items is one that was not sent.
  const least = at.text === undefined ? min : Math.max(min, 1)
  if (items === undefined) return least === 0 ? at.fc.constant<T[]>([]) : undefined
  const most = Math.min(max, least + Math.max(1, 3 - at.level))
  if (least > most) return undefined
  if (unique === true)
    return at.fc.uniqueArray(items, { minLength: least, maxLength: most, selector: canonicalText })
  const usual = at.fc.array(items, { minLength: least, maxLength: most })
  const full =
    max > most && max <= 20 && at.level === 0
      ? [at.fc.array(items, { minLength: max, maxLength: max })]
      : []
  return at.fc.oneof(
    { weight: 8, arbitrary: usual },
    ...full.map((arbitrary) => ({ weight: 1, arbitrary })),
  )
}

function itemFlaws(at: At, item: Kind<unknown>, options: ListOptions): readonly FlawChoice[] {
  const base = arrays(at, item, options)
  if (base === undefined || (options.max ?? 1) < 1) return []
  return nestedFlaws(
    at,
    item,
    at.fc.tuple(base, at.fc.nat(2)),
    ([values, place], { value, pointer, rule }) => {
      const index = Math.min(place, Math.max(0, values.length - 1))
      return { value: values.toSpliced(index, 1, value), pointer: `/${index}${pointer}`, rule }
    },
  )
}

function lengthFlaws(
  at: At,
  item: Kind<unknown>,
  { min = 0, max = Infinity, unique }: ListOptions,
): readonly FlawChoice[] {
  const items = item.valid(below(at))
  if (items === undefined) return []
  const least = at.text === undefined ? 1 : 2
  const isMany = max <= (unique === true ? 20 : MOST_ITEMS)
  const over =
    unique === true ? undefined : items.map((one) => Array.from({ length: max + 1 }, () => one))
  const twice = items.map((one) => Array.from({ length: Math.max(2, min) }, () => one))
  return [
    ...(min >= least && min <= (unique === true ? 2 : MOST_ITEMS)
      ? ownFlaw(
          items.map((one) => Array.from({ length: min - 1 }, () => one)),
          'minItems',
        )
      : []),
    ...(isMany ? ownFlaw(over, 'maxItems') : []),
    ...(unique === true && max >= 2 ? ownFlaw(twice, 'uniqueItems') : []),
  ]
}

/**
 * Arrays whose first items have kinds of their own; `rest` is for those after them, none when it is
 * false.
 */
export function tuple<T extends readonly Kind<unknown>[]>(
  items: readonly [...T],
  rest?: Kind<unknown> | false,
  min?: number,
): Kind<{ -readonly [I in keyof T]: ValueOf<T[I]> }>
export function tuple(
  items: readonly Kind<unknown>[],
  rest: Kind<unknown> | false = false,
  min = items.length,
): Kind<unknown> {
  const values = (at: At): Arbitrary<unknown[]> | undefined => {
    const all = items.map((item) => item.valid(below(at)))
    const known = all.filter((item) => item !== undefined)
    return known.length < all.length ? undefined : at.fc.tuple(...known)
  }
  return {
    valid: values,
    flaws: (at) => {
      const base = values(at)
      if (base === undefined) return []
      return [
        ...typeFlaw(at, 'array'),
        ...items.flatMap((item, index) =>
          nestedFlaws(at, item, base, (value, flawed) => {
            return {
              ...flawed,
              value: value.with(index, flawed.value),
              pointer: `/${index}${flawed.pointer}`,
            }
          }),
        ),
        ...(rest === false
          ? ownFlaw(
              base.map((value) => [...value, null]),
              'items',
              `/${items.length}`,
            )
          : []),
        ...(min > 0 && min <= items.length
          ? ownFlaw(
              base.map((value) => value.slice(0, min - 1)),
              'minItems',
            )
          : []),
      ]
    },
  }
}
