// Reads and writes ledger values in their JSON form (docs/ledger-rules.md, "Values on the wire")
// for the contract types of contracts.gen.ts. A codec is made once per type; what it writes is
// canonical under JSON.stringify.

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

/** The shape of values, for those who write them in another form than JSON. */
export type Shape =
  | {
      readonly kind: 'unit' | 'bool' | 'int' | 'decimal' | 'text' | 'party' | 'contractId' | 'time'
    }
  /** Of packages alone: a decimal with so many places as its type says, and a day. */
  | { readonly kind: 'numeric'; readonly scale: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'record'; readonly fields: readonly (readonly [name: string, of: Shaped])[] }
  | { readonly kind: 'variant'; readonly cases: ReadonlyMap<unknown, Shaped> }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'optional' | 'list' | 'textMap'; readonly of: Shaped }
  | { readonly kind: 'map'; readonly key: Shaped; readonly value: Shaped }

/** A codec, asked for its shape when it is needed: a type may be within itself. */
export interface Shaped {
  readonly shape: Shape
}

/**
 * `decode` throws DecodeError. `encode` throws RangeError for a value that `decode` would refuse.
 * `check` throws LimitError or TextError; it is apart from `decode` so that what was written before
 * there was a limit stays readable, and absent where nothing inside has one.
 */
export interface Codec<T> {
  readonly shape: Shape
  decode(value: unknown, path?: string): T
  encode(value: T): Json
  check?(value: T, path: string): void
}

export type Unit = Readonly<Record<string, never>>

export type Fields = Readonly<Record<string, unknown>>

const INT_MAX = 2n ** 63n - 1n
const INT_MIN = -(2n ** 63n)
const INT_FORM = /^-?\d{1,19}$/
/** Hex digits of a version, an identifier and a suffix: at most 127 bytes. */
const CONTRACT_ID_FORM = /^0[01](?:[\da-f]{2}){1,126}$/
const DECIMAL_FORM = /^(-?\d{1,28})(?:\.(\d{1,10}))?$/
const DECIMAL_LIMIT = 10n ** 38n
const TIME_FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/
const TIME_MIN = -62_135_596_800_000_000n
const TIME_MAX = 253_402_300_799_999_999n
const SECOND = 1_000_000n

export function fail(path: string, expected: string): never {
  throw new DecodeError(path, `expected ${expected}`)
}

export function unfit(expected: string): never {
  throw new RangeError(`cannot be written: expected ${expected}`)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
}

function isId(value: unknown): value is string {
  return isText(value) && value !== ''
}

export function isContractId(value: string): boolean {
  return CONTRACT_ID_FORM.test(value)
}

export function step(path: string, key: string): string {
  return `${path}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A scalar whose form in memory is the text itself. */
function textual(
  kind: 'text' | 'party' | 'contractId',
  expected: string,
  fits: (value: unknown) => value is string,
): Codec<string> {
  return {
    shape: { kind },
    decode: (value, path = '') => (fits(value) ? value : fail(path, expected)),
    encode: (value) => (fits(value) ? value : unfit(expected)),
  }
}

export const party: Codec<string> = textual('party', 'a party', isId)
/** Of which ids were once accepted in any form. */
export const contractId: Codec<string> = {
  ...textual('contractId', 'a contract id', isId),
  check: (value, path) => void (isContractId(value) || fail(path, 'a contract id')),
}
export const text: Codec<string> = textual('text', 'a well-formed text without NUL', isText)

export const bool: Codec<boolean> = {
  shape: { kind: 'bool' },
  decode: (value, path = '') => (typeof value === 'boolean' ? value : fail(path, 'a boolean')),
  encode: (value) => value,
}

/** 64-bit integer; a text in JSON, where a number is read as well when it is exact. */
export const int: Codec<bigint> = {
  shape: { kind: 'int' },
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
  shape: { kind: 'decimal' },
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
  shape: { kind: 'time' },
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
