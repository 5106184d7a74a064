// Kinds made of other kinds: variants, values that pass a printed check, examples of the document.
import type { Arbitrary } from 'fast-check'
import { isObject } from './validation.ts'
import type { Problem } from './validation.ts'
import { extended, remembered, siftIfAny, typeFlaw } from './arbitrary.ts'
import type { At, JsonType, Kind, TextPlace, ValueOf } from './arbitrary.ts'

/** A printed check of validators.gen.ts. */
export type Check = (value: unknown, problems: Problem[]) => void

export interface UnionOptions {
  /** JSON types of all variants together; any where absent. */
  readonly types?: readonly JsonType[]
  /** A flawed value of one variant may fit another, so that only wrong types are flaws. */
  readonly blurred?: true
  /** A value must fit one variant alone. */
  readonly alone?: true
}

/** True when the check has nothing against the value. */
export function admits(check: Check, value: unknown): boolean {
  const problems: Problem[] = []
  check(value, problems)
  return problems.length === 0
}

/** Values of one of several kinds. */
export function union<K extends readonly Kind<unknown>[]>(
  kinds: readonly [...K],
  options?: UnionOptions,
): Kind<ValueOf<K[number]>>
export function union(
  kinds: readonly Kind<unknown>[],
  { types, blurred, alone }: UnionOptions = {},
): Kind<unknown> {
  return {
    valid: (at) => {
      const plain = kinds.map((kind) => kind.valid(at)).filter((one) => one !== undefined)
      const known = alone === true ? [...plain, ...apart(at, kinds)] : plain
      return known.length === 0 ? undefined : at.fc.oneof(...known)
    },
    flaws: (at) => [
      ...(types === undefined ? [] : typeFlaw(at, ...types)),
      ...(blurred === true || at.text !== undefined
        ? []
        : kinds.flatMap((kind) => kind.flaws({ ...at, keepsType: true }))),
    ],
  }
}

/** Variants above which each value would take too long. */
const MOST_APART = 16

/**
 * Values of each variant in which what the others demand is broken: variants that admit members of
 * any name are told apart by nothing else.
 */
function apart(at: At, kinds: readonly Kind<unknown>[]): readonly Arbitrary<unknown>[] {
  if (at.text !== undefined || kinds.length > MOST_APART) return []
  const flawed = kinds.map((kind) => {
    const flaws = kind.flaws({ ...at, keepsType: true })
    return flaws.length === 0 ? undefined : at.fc.oneof(...flaws).map(({ value }) => value)
  })
  return kinds.flatMap((kind, index) => {
    const own = kind.valid(at)
    const others = flawed.filter((one, place) => one !== undefined && place !== index)
    const broken = others.filter((one) => one !== undefined)
    return own === undefined || broken.length === 0
      ? []
      : [at.fc.tuple(own, at.fc.tuple(...broken)).map(([value, all]) => all.reduce(over, value))]
  })
}

/** A value with what another has besides. */
function over(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other))
    return value.map((item: unknown, index) => (index in other ? over(item, other[index]) : item))
  if (!isObject(value) || !isObject(other)) return value
  const own = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    Object.hasOwn(other, key) ? over(item, other[key]) : item,
  ])
  return Object.fromEntries([...Object.entries(other), ...own])
}

/** The values of a kind that a check lets pass, for rules that no combinator makes values for. */
export function only<T>(kind: Kind<T>, check: Check): Kind<T> {
  return {
    valid: remembered((at) => {
      const values = kind.valid(at)
      return values === undefined
        ? undefined
        : siftIfAny(at, values, (value) => admits(check, value), check.name)
    }),
    flaws: (at) => kind.flaws(at),
  }
}

/** Now and then one of the document's examples, as far as they fit. */
export function withExamples<T>(
  kind: Kind<T>,
  check: Check,
  ...examples: readonly unknown[]
): Kind<T> {
  const fits = (value: unknown): value is T => admits(check, value)
  return {
    valid: (at) => {
      const values = kind.valid(at)
      const fitting = examples.filter(fits)
      if (values === undefined || fitting.length === 0) return values
      return at.fc.oneof(
        { weight: 5, arbitrary: values },
        { weight: 1, arbitrary: at.fc.constantFrom(...fitting) },
      )
    },
    flaws: (at) => kind.flaws(at),
    extend: (added) => extended(kind, added),
  }
}

/** A parameter, which travels as text at a place. */
export function asText<T>(kind: Kind<T>, text: TextPlace): Kind<T> {
  return {
    valid: (at) => kind.valid({ ...at, text }),
    flaws: (at) => kind.flaws({ ...at, text }),
  }
}
