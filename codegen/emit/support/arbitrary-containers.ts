// Kinds of objects and arrays.
import { step } from './validation.ts'
import { below, nestedFlaws, ownFlaw, sift, typeFlaw } from './arbitrary.ts'
import type { At, Flawed, FlawChoice, Kind, Kinds, ValueOf } from './arbitrary.ts'
import { canonicalText } from './arbitrary-scalars.ts'
import type { Arbitrary } from 'fast-check'

/** The object that has all of R and some of O. */
export type Members<R extends Kinds, O extends Kinds> = {
  -readonly [K in keyof R]: ValueOf<R[K]>
} & { -readonly [K in keyof O]?: ValueOf<O[K]> }

export interface RecordOptions {
  /** Members of other names: none, or of this kind. Undefined: they may be there, and never are. */
  readonly extra?: Kind<unknown> | false
  /** Names of such members. */
  readonly names?: Kind<string>
  /** Expressions whose names are no other ones. */
  readonly patterns?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly readOnly?: readonly string[]
  readonly writeOnly?: readonly string[]
  /** Names of other forms are admitted as well. */
  readonly open?: true
  /** The schema admits values that are no objects. */
  readonly loose?: true
}

interface Member {
  readonly key: string
  readonly kind: Kind<unknown>
  readonly isRequired: boolean
}

type Entry = readonly [string, unknown]

/** Objects of named members. */
export function record<R extends Kinds>(required: R): Kind<Members<R, Record<never, never>>>
export function record<R extends Kinds, O extends Kinds>(
  required: R,
  optional: O,
  options?: RecordOptions,
): Kind<Members<R, O>>
export function record(
  required: Kinds,
  optional: Kinds = {},
  options: RecordOptions = {},
): Kind<unknown> {
  const all = [...membersOf(required, true), ...membersOf(optional, false)]
  return {
    valid: (at) =>
      validObjects(at, chosenMembers(at, all, options), all, options)?.map(([value]) => value),
    flaws: (at) => [
      ...(options.loose === true ? [] : typeFlaw(at, 'object')),
      ...objectFlaws(at, chosenMembers(at, all, options), all, options),
    ],
  }
}

/** Objects of any names. */
export function map<V>(
  extra: Kind<V>,
  options?: Omit<RecordOptions, 'extra'>,
): Kind<{ [key: string]: V }>
export function map(
  extra: Kind<unknown>,
  options: Omit<RecordOptions, 'extra'> = {},
): Kind<unknown> {
  return record({}, {}, { ...options, extra })
}

function membersOf(kinds: Kinds, isRequired: boolean): readonly Member[] {
  return Object.entries(kinds).map(([key, kind]) => ({ key, kind, isRequired }))
}

/**
 * The members that values have: optional ones as far as there is room, and always where their
 * number is needed.
 */
function chosenMembers(at: At, all: readonly Member[], options: RecordOptions): readonly Member[] {
  const { min = 0, max = Infinity, readOnly = [], writeOnly = [] } = options
  const hidden = at.way === 'request' ? readOnly : at.way === 'reply' ? writeOnly : []
  const inner = below(at)
  const required = all.filter((member) => member.isRequired)
  const optional = all.filter(
    ({ key, kind, isRequired }) =>
      !isRequired && !hidden.includes(key) && kind.valid(inner) !== undefined,
  )
  const room = optional.slice(0, Math.max(0, max - required.length))
  return [
    ...required,
    ...room.map((member, index) =>
      required.length + index < min ? { ...member, isRequired: true } : member,
    ),
  ]
}

/** Objects, each with the number of its members. */
function validObjects(
  at: At,
  members: readonly Member[],
  all: readonly Member[],
  options: RecordOptions,
): Arbitrary<readonly [object, number]> | undefined {
  const { fc } = at
  const inner = below(at)
  const named = members.map(
    ({ key, kind, isRequired }): Arbitrary<readonly Entry[]> | undefined => {
      const entries = kind.valid(inner)?.map((value): readonly Entry[] => [[key, value]])
      return isRequired || entries === undefined
        ? entries
        : fc.option(entries, { nil: [], freq: 2 })
    },
  )
  const known = named.filter((member) => member !== undefined)
  const extra = extraMembers(at, members, all, options)
  if (known.length < named.length || extra === undefined) return undefined
  const objects = fc
    .tuple(fc.tuple(...known), extra)
    .map(([own, others]): readonly [object, number] => {
      const entries = [...own.flat(), ...others]
      return [Object.fromEntries(entries), entries.length]
    })
  // As text, an object without members is one that was not sent.
  return at.text === undefined
    ? objects
    : sift(objects, ([, size]) => size > 0, 'an object with members')
}

function extraMembers(
  at: At,
  members: readonly Member[],
  all: readonly Member[],
  { extra, names, patterns = [], min = 0, max = Infinity }: RecordOptions,
): Arbitrary<readonly Entry[]> | undefined {
  const least = Math.max(0, min - members.length)
  const most = Math.min(Math.max(least, 3 - at.level), max - members.length)
  const value = extra === undefined || extra === false ? undefined : extra.valid(below(at))
  if (value === undefined || most <= 0) return least === 0 ? at.fc.constant([]) : undefined
  const keys = otherKeys(at, names, all, patterns)
  if (keys === undefined) return least === 0 ? at.fc.constant([]) : undefined
  return at.fc.uniqueArray(at.fc.tuple(keys, value), {
    selector: ([key]) => key,
    minLength: least,
    maxLength: most,
  })
}

function otherKeys(
  at: At,
  names: Kind<string> | undefined,
  all: readonly Member[],
  patterns: readonly string[],
): Arbitrary<string> | undefined {
  const keys =
    names === undefined
      ? at.fc.stringMatching(/^[a-z][A-Za-z0-9_-]{0,9}$/u)
      : names.valid({ ...below(at), text: 'query' })
  const taken = takenNames(all, patterns)
  return keys === undefined ? undefined : sift(keys, (key) => !taken(key), 'the name of a member')
}

function takenNames(all: readonly Member[], patterns: readonly string[]): (key: string) => boolean {
  const own = new Set(all.map(({ key }) => key))
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'u'))
  return (key) => own.has(key) || expressions.some((expression) => expression.test(key))
}

function objectFlaws(
  at: At,
  members: readonly Member[],
  all: readonly Member[],
  options: RecordOptions,
): readonly FlawChoice[] {
  const base = validObjects(at, members, all, options)?.map(([value]) => value)
  if (base === undefined) return []
  return [
    ...missingFlaws(at, base, members, all),
    ...members.flatMap(({ key, kind }) =>
      nestedFlaws(at, kind, base, (value, flawed) => withMember(value, key, flawed)),
    ),
    ...(at.text === undefined ? strangerFlaws(at, base, all, options) : []),
    ...sizeFlaws(at, members, options),
  ]
}

function missingFlaws(
  at: At,
  base: Arbitrary<object>,
  members: readonly Member[],
  all: readonly Member[],
): readonly FlawChoice[] {
  // As text, an object whose only member is missing is one that was not sent.
  if (at.text !== undefined && members.length < 2) return []
  const larger =
    at.text === undefined
      ? base
      : sift(base, (value) => Object.keys(value).length > 1, 'an object with two members')
  return members
    .filter(({ key }) => isAlwaysThere(all, key))
    .flatMap(({ key }) =>
      ownFlaw(
        larger.map((value) => without(value, key)),
        'required',
        step(key),
      ),
    )
}

function isAlwaysThere(all: readonly Member[], key: string): boolean {
  return all.some((member) => member.key === key && member.isRequired)
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key))
}

function withMember(value: object, key: string, flawed: Flawed): Flawed {
  const entries: readonly Entry[] = Object.entries(value)
  return {
    value: Object.fromEntries([...entries, [key, flawed.value]]),
    pointer: step(key) + flawed.pointer,
    rule: flawed.rule,
  }
}

/**
 * Members of names that are not declared: forbidden ones, such with flawed values, such with flawed
 * names.
 */
function strangerFlaws(
  at: At,
  base: Arbitrary<object>,
  all: readonly Member[],
  { extra, names, patterns = [], max, open }: RecordOptions,
): readonly FlawChoice[] {
  const taken = takenNames(all, patterns)
  const key = ['unexpected', 'notDeclared', 'unknown_member'].find((name) => !taken(name))
  if (extra === undefined || key === undefined || max !== undefined) return []
  if (extra === false) {
    return ownFlaw(
      base.map((value) => ({ ...value, [key]: 1 })),
      'additionalProperties',
      step(key),
    )
  }
  const keys = otherKeys(at, names, all, patterns)
  const values = extra.valid(below(at))
  const flawedValues =
    keys === undefined
      ? []
      : nestedFlaws(at, extra, at.fc.tuple(base, keys), ([value, name], flawed) =>
          withMember(value, name, flawed),
        )
  const flawedNames =
    names === undefined || open === true || values === undefined
      ? []
      : nestedFlaws(
          { ...at, text: 'query' },
          names,
          at.fc.tuple(base, values),
          ([value, item], flawed) => {
            const name = String(flawed.value)
            return { value: { ...value, [name]: item }, pointer: step(name), rule: 'propertyNames' }
          },
        )
  return [...flawedValues, ...flawedNames]
}

const MOST_MEMBERS = 200

function sizeFlaws(
  at: At,
  members: readonly Member[],
  { extra, names, min = 0, max = Infinity }: RecordOptions,
): readonly FlawChoice[] {
  if (at.text !== undefined) return []
  const inner = below(at)
  const required = members.filter((member) => member.isRequired)
  const few = min > 0 && required.length === 0 ? ownFlaw(at.fc.constant({}), 'minProperties') : []
  const values = extra === undefined || extra === false ? undefined : extra.valid(inner)
  const isFree =
    members.length === 0 && names === undefined && values !== undefined && max <= MOST_MEMBERS
  if (!isFree) return few
  const keys = Array.from({ length: max + 1 }, (_, index) => `member${index}`)
  return [
    ...few,
    ...ownFlaw(
      values.map((value) => Object.fromEntries(keys.map((key) => [key, value]))),
      'maxProperties',
    ),
  ]
}

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
