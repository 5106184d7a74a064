// Reads and writes ledger values in their JSON form (domain/wire.md §0.3) for the contract types of
// contracts.gen.ts. A codec is made once per type; what it writes is canonical under
// JSON.stringify.

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Levels of a recursive type below its outermost value; deeper values are refused. */
export const DEPTH_LIMIT = 100

/**
 * A JSON value is not of the type that was asked for. `path` is the JSON pointer of the part that
 * is wrong.
 */
export class DecodeError extends Error {
  readonly path: string

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`)
    this.name = 'DecodeError'
    this.path = path
  }
}

/**
 * `decode` throws DecodeError. `encode` throws RangeError for a value that `decode` would refuse.
 * `check` throws LimitError; it is apart from `decode` so that what was written before there was a
 * limit stays readable, and absent where nothing inside has one.
 */
export interface Codec<T> {
  decode(value: unknown, path?: string): T
  encode(value: T): Json
  check?(value: T, path: string): void
}

export type Unit = Readonly<Record<string, never>>

type Fields = Readonly<Record<string, unknown>>

const INT_MAX = 2n ** 63n - 1n
const INT_MIN = -(2n ** 63n)
const INT_FORM = /^-?\d{1,19}$/
const DECIMAL_FORM = /^(-?\d{1,28})(?:\.(\d{1,10}))?$/
const DECIMAL_LIMIT = 10n ** 38n
const TIME_FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/
const TIME_MIN = -62_135_596_800_000_000n
const TIME_MAX = 253_402_300_799_999_999n
const SECOND = 1_000_000n

function fail(path: string, expected: string): never {
  throw new DecodeError(path, `expected ${expected}`)
}

function unfit(expected: string): never {
  throw new RangeError(`cannot be written: expected ${expected}`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
}

function isId(value: unknown): value is string {
  return isText(value) && value !== ''
}

function step(path: string, key: string): string {
  return `${path}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A scalar whose form in memory is the text itself. */
function textual(expected: string, fits: (value: unknown) => value is string): Codec<string> {
  return {
    decode: (value, path = '') => (fits(value) ? value : fail(path, expected)),
    encode: (value) => (fits(value) ? value : unfit(expected)),
  }
}

export const party: Codec<string> = textual('a party', isId)
export const contractId: Codec<string> = textual('a contract id', isId)
export const text: Codec<string> = textual('a well-formed text without NUL', isText)

export const bool: Codec<boolean> = {
  decode: (value, path = '') => (typeof value === 'boolean' ? value : fail(path, 'a boolean')),
  encode: (value) => value,
}

/** 64-bit integer; a text in JSON, where a number is read as well when it is exact. */
export const int: Codec<bigint> = {
  decode: (value, path = '') => {
    if (Number.isSafeInteger(value) && typeof value === 'number') return BigInt(value)
    if (typeof value !== 'string' || !INT_FORM.test(value)) return fail(path, 'an integer')
    const number = BigInt(value)
    return number >= INT_MIN && number <= INT_MAX ? number : fail(path, 'an integer of 64 bits')
  },
  encode: (value) =>
    value >= INT_MIN && value <= INT_MAX ? value.toString() : unfit('an integer of 64 bits'),
}

/** Decimal as bigint x 10^10, 38 digits at most. JSON numbers are refused: they are not exact. */
export const decimal: Codec<bigint> = {
  decode: (value, path = '') => {
    const parts = typeof value === 'string' ? DECIMAL_FORM.exec(value) : null
    if (parts === null) return fail(path, 'a decimal')
    return BigInt(`${parts[1] ?? ''}${(parts[2] ?? '').padEnd(10, '0')}`)
  },
  encode: (value) => {
    if (value <= -DECIMAL_LIMIT || value >= DECIMAL_LIMIT) return unfit('a decimal of 38 digits')
    const digits = (value < 0n ? -value : value).toString().padStart(11, '0')
    return `${value < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`
  },
}

/** Time as microseconds since 1970-01-01T00:00:00Z, years 0001 to 9999. */
export const time: Codec<bigint> = {
  decode: (value, path = '') => {
    const parts = typeof value === 'string' ? TIME_FORM.exec(value) : null
    if (parts === null) return fail(path, 'a time')
    const milliseconds = Date.parse(`${parts[1] ?? ''}Z`)
    if (Number.isNaN(milliseconds) || secondsText(milliseconds) !== parts[1])
      return fail(path, 'a time')
    const time = BigInt(milliseconds) * 1000n + BigInt((parts[2] ?? '').padEnd(6, '0'))
    return time >= TIME_MIN ? time : fail(path, 'a time of the years 0001 to 9999')
  },
  encode: (value) => {
    if (value < TIME_MIN || value > TIME_MAX) return unfit('a time of the years 0001 to 9999')
    const fraction = ((value % SECOND) + SECOND) % SECOND
    const seconds = secondsText(Number((value - fraction) / 1000n))
    return fraction === 0n ? `${seconds}Z` : `${seconds}.${fraction.toString().padStart(6, '0')}Z`
  },
}

function secondsText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}

/** An integer that JSON wraps into an object of one member. */
function wrapped(member: string): Codec<bigint> {
  const whole = record<Readonly<Record<string, bigint>>>({ [member]: int })
  return {
    decode: (value, path) => whole.decode(value, path)[member] ?? fail(path ?? '', 'an integer'),
    encode: (value) => ({ [member]: int.encode(value) }),
  }
}

/** Microseconds. */
export const relTime: Codec<bigint> = wrapped('microseconds')
export const round: Codec<bigint> = wrapped('number')

const UNIT: Unit = Object.freeze({})

export const unit: Codec<Unit> = {
  decode: (value, path = '') =>
    isFields(value) && Object.keys(value).length === 0 ? UNIT : fail(path, 'an empty object'),
  encode: () => UNIT,
}

type FieldCodecs<T> = { readonly [K in keyof T]-?: Codec<T[K]> }

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
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object')
      const made: Record<string, unknown> = {}
      let present = 0
      for (const [name, codec] of entries) {
        const isPresent = Object.hasOwn(value, name)
        if (isPresent) present += 1
        made[name] = codec.decode(isPresent ? value[name] : undefined, `${path}/${name}`)
      }
      if (Object.keys(value).length !== present) refuseUnknown(value, names, path)
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

function refuseUnknown(value: Fields, names: ReadonlySet<string>, path: string): void {
  const unknown = Object.keys(value).find((key) => !names.has(key))
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
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object of tag and value')
      const tag = Object.hasOwn(value, 'tag') ? value['tag'] : undefined
      const codec = codecs.get(tag) ?? fail(`${path}/tag`, expected)
      refuseUnknown(value, names, path)
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
    decode: (value, path = '') => byName.get(value) ?? fail(path, expected),
    encode: (value) => byName.get(value) ?? unfit(expected),
  }
}

/** `null` or the value; absent is read as `null`. */
export function optional<T>(codec: Codec<T>): Codec<T | null> {
  return {
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
