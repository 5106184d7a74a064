// Kinds of objects.
import { step } from './validation.ts'
import { below, flat, nestedFlaws, ownFlaw, remembered, siftIfAny, typeFlaw } from './arbitrary.ts'
import type { Added, At, Flawed, FlawChoice, Kind, Kinds, ValueOf } from './arbitrary.ts'
import { expression } from './arbitrary-text.ts'
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
  return recordOf([...membersOf(required, true), ...membersOf(optional, false)], options)
}

function recordOf(all: readonly Member[], options: RecordOptions): Kind<unknown> {
  return {
    valid: (at) =>
      validObjects(at, chosenMembers(at, all, options), all, options)?.map(([value]) => value),
    flaws: (at) => [
      ...(options.loose === true ? [] : typeFlaw(at, 'object')),
      ...objectFlaws(at, chosenMembers(at, all, options), all, options),
    ],
    extend: (added) => recordOf(withAdded(all, added), withOneWay(options, added)),
  }
}

function withAdded(all: readonly Member[], added: Added): readonly Member[] {
  const needs = new Set(added.needs)
  return [
    ...all.map((member) => (needs.has(member.key) ? { ...member, isRequired: true } : member)),
    ...membersOf(added.required, true),
    ...membersOf(added.optional, false),
  ]
}

function withOneWay(options: RecordOptions, added: Added): RecordOptions {
  return {
    ...options,
    readOnly: [...(options.readOnly ?? []), ...(added.readOnly ?? [])],
    writeOnly: [...(options.writeOnly ?? []), ...(added.writeOnly ?? [])],
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
  const others = extraMembers(at, members, all, options)
  if (known.length < named.length || others === undefined) return undefined
  // As text, an object without members is one that was not sent.
  if (at.text !== undefined && known.length === 0 && others === 'none') return undefined
  const extra = others === 'none' ? fc.constant([]) : others
  const objects = fc
    .tuple(fc.tuple(...known), extra)
    .map(([own, others]): readonly [object, number] => {
      const entries = [...own.flat(), ...others]
      return [Object.fromEntries(entries), entries.length]
    })
  return at.text === undefined
    ? objects
    : siftIfAny(at, objects, ([, size]) => size > 0, 'an object with members')
}

/** Members of other names; `none` where there are never any, undefined where too few can be. */
function extraMembers(
  at: At,
  members: readonly Member[],
  all: readonly Member[],
  { extra, names, patterns = [], min = 0, max = Infinity }: RecordOptions,
): Arbitrary<readonly Entry[]> | 'none' | undefined {
  const least = Math.max(0, min - members.length)
  const most = Math.min(Math.max(least, 3 - at.level), max - members.length)
  const value = extra === undefined || extra === false ? undefined : extra.valid(below(at))
  if (value === undefined || most <= 0) return least === 0 ? 'none' : undefined
  const keys = otherKeys(at, names, all, patterns)
  if (keys === undefined) return least === 0 ? 'none' : undefined
  return at.fc.uniqueArray(at.fc.tuple(keys, value), {
    selector: ([key]) => key,
    minLength: least,
    maxLength: most,
  })
}

const plainKeys = remembered(({ fc }) => fc.stringMatching(/^[a-z][A-Za-z0-9_-]{0,9}$/u))

function otherKeys(
  at: At,
  names: Kind<string> | undefined,
  all: readonly Member[],
  patterns: readonly string[],
): Arbitrary<string> | undefined {
  const keys =
    names === undefined ? plainKeys(flat(at)) : names.valid({ ...below(at), text: 'query' })
  const taken = takenNames(all, patterns)
  return keys === undefined
    ? undefined
    : siftIfAny(at, keys, (key) => !taken(key), 'the name of a member')
}

function takenNames(all: readonly Member[], patterns: readonly string[]): (key: string) => boolean {
  const own = new Set(all.map(({ key }) => key))
  const expressions = patterns.map(expression)
  return (key) => own.has(key) || expressions.some((one) => one.test(key))
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
      : siftIfAny(at, base, (value) => Object.keys(value).length > 1, 'an object with two members')
  return members
    .filter(({ key }) => isAlwaysThere(all, key))
    .flatMap(({ key }) =>
      ownFlaw(
        larger?.map((value) => without(value, key)),
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
