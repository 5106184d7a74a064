// Codecs of values that are made of others.
import {
  compareText,
  DEPTH_LIMIT,
  DecodeError,
  fail,
  int,
  isFields,
  step,
  text,
  unfit,
} from './contract-codec.ts'
import type { Codec, Fields, Json, Unit } from './contract-codec.ts'

/** An integer that JSON wraps into an object of one member. */
function wrapped(member: string): Codec<bigint> {
  const whole = record<Readonly<Record<string, bigint>>>({ [member]: int })
  return {
    shape: whole.shape,
    decode: (value, path) => whole.decode(value, path)[member] ?? fail(path ?? '', 'an integer'),
    encode: (value) => ({ [member]: int.encode(value) }),
  }
}

/** Microseconds. */
export const relTime: Codec<bigint> = wrapped('microseconds')
export const round: Codec<bigint> = wrapped('number')

const UNIT: Unit = Object.freeze({})

export const unit: Codec<Unit> = {
  shape: { kind: 'unit' },
  decode: (value, path = '') =>
    isFields(value) && Object.keys(value).length === 0 ? UNIT : fail(path, 'an empty object'),
  encode: () => UNIT,
}

type FieldCodecs<T> = { readonly [K in keyof T as K & string]-?: Codec<T[K]> }

/**
 * An object of exactly these fields, written in this order. An absent field is read as `optional`
 * allows.
 */
export function record<T extends object>(codecs: FieldCodecs<T>): Codec<T>
export function record(codecs: object): Codec<unknown> {
  const entries: readonly (readonly [string, Codec<unknown>])[] = Object.entries(codecs)
  const limited = entries.filter(([, codec]) => hasCheck(codec))
  const names: ReadonlySet<string> = new Set(entries.map(([name]) => name))
  return {
    shape: { kind: 'record', fields: entries },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object')
      const made: Record<string, unknown> = {}
      let present = 0
      for (const [name, codec] of entries) {
        const isPresent = Object.hasOwn(value, name)
        if (isPresent) present += 1
        made[name] = codec.decode(isPresent ? value[name] : undefined, `${path}/${name}`)
      }
      if (Object.keys(value).length !== present)
        refuseUnknown(value, (key) => names.has(key) || value[key] === null, path)
      return made
    },
    encode: (value) => {
      if (!isFields(value)) return unfit('an object')
      const made: Record<string, Json> = {}
      for (const [name, codec] of entries) made[name] = codec.encode(value[name])
      return made
    },
    ...checking(limited.length > 0, (value: unknown, path) => {
      if (isFields(value))
        for (const [name, codec] of limited) codec.check?.(value[name], `${path}/${name}`)
    }),
  }
}

function hasCheck(codec: object): boolean {
  return 'check' in codec
}

/** A `check` where there is something to check. */
function checking<T>(
  isLimited: boolean,
  check: (value: T, path: string) => unknown,
): { check?: (value: T, path: string) => unknown } {
  return isLimited ? { check } : {}
}

function refuseUnknown(value: Fields, isKnown: (key: string) => boolean, path: string): void {
  const unknown = Object.keys(value).find((key) => !isKnown(key))
  if (unknown !== undefined) throw new DecodeError(step(path, unknown), 'expected no such field')
}

type Cases<T extends { readonly tag: string; readonly value: unknown }> = {
  readonly [K in T['tag']]: Codec<Extract<T, { readonly tag: K }>['value']>
}

/** `{ tag, value }`, the value's type given by the tag. */
export function variant<T extends { readonly tag: string; readonly value: unknown }>(
  cases: Cases<T>,
): Codec<T>
export function variant(cases: object): Codec<unknown> {
  const codecs: ReadonlyMap<unknown, Codec<unknown>> = new Map(Object.entries(cases))
  const expected = `one of ${Object.keys(cases).join(', ')}`
  const names: ReadonlySet<string> = new Set(['tag', 'value'])
  return {
    shape: { kind: 'variant', cases: codecs },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object of tag and value')
      const tag = Object.hasOwn(value, 'tag') ? value['tag'] : undefined
      const codec = codecs.get(tag) ?? fail(`${path}/tag`, expected)
      refuseUnknown(value, (key) => names.has(key), path)
      const held = Object.hasOwn(value, 'value') ? value['value'] : undefined
      return { tag, value: codec.decode(held, `${path}/value`) }
    },
    encode: (value) => {
      const tag = isFields(value) ? value['tag'] : undefined
      const codec = codecs.get(tag)
      if (!isFields(value) || typeof tag !== 'string' || codec === undefined) return unfit(expected)
      return { tag, value: codec.encode(value['value']) }
    },
    ...checking([...codecs.values()].some(hasCheck), (value: unknown, path) => {
      if (isFields(value)) codecs.get(value['tag'])?.check?.(value['value'], `${path}/value`)
    }),
  }
}

/** One of the names. */
export function enumeration<T extends string>(names: readonly T[]): Codec<T> {
  const byName = new Map<unknown, T>(names.map((name) => [name, name]))
  const expected = `one of ${names.join(', ')}`
  return {
    shape: { kind: 'enum', names },
    decode: (value, path = '') => byName.get(value) ?? fail(path, expected),
    encode: (value) => byName.get(value) ?? unfit(expected),
  }
}

/** `null` or the value; absent is read as `null`. */
export function optional<T>(codec: Codec<T>): Codec<T | null> {
  return {
    shape: { kind: 'optional', of: codec },
    decode: (value, path = '') =>
      value === null || value === undefined ? null : codec.decode(value, path),
    encode: (value) => (value === null ? null : codec.encode(value)),
    ...checking(
      hasCheck(codec),
      (value: T | null, path) => value === null || codec.check?.(value, path),
    ),
  }
}

export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    shape: { kind: 'list', of: codec },
    decode: (value, path = '') =>
      itemsOf(value, path).map((item, index) => codec.decode(item, `${path}/${index}`)),
    encode: (value) => value.map((item) => codec.encode(item)),
    ...checking(hasCheck(codec), (value: readonly T[], path) =>
      value.forEach((item, index) => codec.check?.(item, `${path}/${index}`)),
    ),
  }
}

function itemsOf(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(path, 'an array')
}

/** `[[key, value], …]`, keys distinct, the order kept. */
export function map<K, V>(key: Codec<K>, value: Codec<V>): Codec<readonly (readonly [K, V])[]> {
  return {
    shape: { kind: 'map', key, value },
    decode: (entries, path = '') => {
      const made = itemsOf(entries, path).map((entry, index): readonly [K, V] => {
        const place = `${path}/${index}`
        if (!Array.isArray(entry) || entry.length !== 2)
          return fail(place, 'an array of a key and a value')
        return [key.decode(entry[0], `${place}/0`), value.decode(entry[1], `${place}/1`)]
      })
      if (hasTwins(made.map(([one]) => key.encode(one)))) fail(path, 'distinct keys')
      return made
    },
    encode: (entries) => {
      const made = entries.map(([one, other]) => [key.encode(one), value.encode(other)])
      return hasTwins(made.map(([one]) => one ?? null)) ? unfit('distinct keys') : made
    },
    ...checking(hasCheck(key) || hasCheck(value), (entries: readonly (readonly [K, V])[], path) => {
      for (const [index, [one, other]] of entries.entries()) {
        key.check?.(one, `${path}/${index}/0`)
        value.check?.(other, `${path}/${index}/1`)
      }
    }),
  }
}

function hasTwins(keys: readonly Json[]): boolean {
  return keys.length > 1 && new Set(keys.map((key) => JSON.stringify(key))).size !== keys.length
}

/** `{"map": [[item, {}], …]}`, a list of distinct items in memory. */
export function set<T>(codec: Codec<T>): Codec<readonly T[]> {
  const whole = record<{ readonly map: readonly (readonly [T, Unit])[] }>({ map: map(codec, unit) })
  return {
    shape: whole.shape,
    decode: (value, path = '') => whole.decode(value, path).map.map(([item]) => item),
    encode: (value) => whole.encode({ map: value.map((item) => [item, UNIT]) }),
    ...checking(hasCheck(codec), (value: readonly T[], path) =>
      whole.check?.({ map: value.map((item) => [item, UNIT]) }, path),
    ),
  }
}

/**
 * An object; keys are read and written in code-unit order (JSON.stringify puts keys that look like
 * an index first).
 */
export function textMap<T>(codec: Codec<T>, keys = text): Codec<ReadonlyMap<string, T>> {
  return {
    shape: { kind: 'textMap', of: codec },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object')
      return new Map(
        Object.entries(value)
          .sort(([a], [b]) => compareText(a, b))
          .map(([key, item]) => {
            const place = step(path, key)
            return [keys.decode(key, place), codec.decode(item, place)]
          }),
      )
    },
    encode: (value) => {
      const entries = [...value].sort(([a], [b]) => compareText(a, b))
      for (const [key] of entries) keys.encode(key)
      return Object.fromEntries(entries.map(([key, item]) => [key, codec.encode(item)]))
    },
    ...checking(hasCheck(keys) || hasCheck(codec), (value: ReadonlyMap<string, T>, path) => {
      for (const [key, item] of value) {
        keys.check?.(key, path)
        codec.check?.(item, step(path, key))
      }
    }),
  }
}

/** `{"_1": …, "_2": …}`, a tuple in memory. */
export function pair<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  const whole = record<{ readonly _1: A; readonly _2: B }>({ _1: first, _2: second })
  return {
    shape: whole.shape,
    decode: (value, path = '') => {
      const made = whole.decode(value, path)
      return [made._1, made._2]
    },
    encode: ([_1, _2]) => whole.encode({ _1, _2 }),
    ...checking(hasCheck(whole), ([_1, _2]: readonly [A, B], path) =>
      whole.check?.({ _1, _2 }, path),
    ),
  }
}

/**
 * Levels of recursive types that the running call is in; no codec waits for anything, so calls
 * never interleave.
 */
let level = 0

/** The codec of a type inside its own definition. Each passage is a level of `DEPTH_LIMIT`. */
export function lazy<T>(codec: () => Codec<T>): Codec<T> {
  const expected = `at most ${DEPTH_LIMIT} levels`
  return {
    get shape() {
      return codec().shape
    },
    decode: (value, path = '') =>
      level >= DEPTH_LIMIT ? fail(path, expected) : oneDeeper(() => codec().decode(value, path)),
    encode: (value) =>
      level >= DEPTH_LIMIT ? unfit(expected) : oneDeeper(() => codec().encode(value)),
    // No deeper than `decode` or `encode` let the value be.
    check: (value, path) => codec().check?.(value, path),
  }
}

function oneDeeper<T>(run: () => T): T {
  level += 1
  try {
    return run()
  } finally {
    level -= 1
  }
}
