// Values of packages that contracts in code do not have: codecs of texts with a form, contract ids
// of a type, and optionals within optionals.
import { fail, time, unfit } from './contract-codec.ts'
import type { Codec, Json, Shape } from './contract-codec.ts'

declare const CONTRACT: unique symbol
declare const TEMPLATE: unique symbol

/** The payload of one template: another's is none, even of the same fields. */
export interface PayloadOf<I extends string> {
  /** Never there. */
  readonly [TEMPLATE]?: I
}

/** The id of a contract: of a template whose payload is `T`, or of an interface. */
export type ContractId<T> = string & { readonly [CONTRACT]?: T }

/** None is `null`. What could be `null` itself is in a list, as the ledger interface has it. */
export type Optional<T> = null | (null extends T ? readonly [] | readonly [Exclude<T, null>] : T)

const DIGITS = 38
const DATE_FORM = /^\d{4}-\d\d-\d\d$/
const CONTRACT_ID = /^0[01](?:[\da-f]{2}){1,126}$/

function textWith(shape: Shape, expected: string, fits: (text: string) => boolean): Codec<string> {
  const isFit = (value: unknown): value is string => typeof value === 'string' && fits(value)
  return {
    shape,
    decode: (value, path = '') => (isFit(value) ? value : fail(path, expected)),
    encode: (value) => (isFit(value) ? value : unfit(expected)),
  }
}

/** A decimal with at most so many places, as text: nothing is rounded. */
export function numeric(scale: number): Codec<string> {
  const whole = DIGITS - scale
  const places = scale === 0 ? '' : `(?:\\.\\d{1,${scale}})?`
  const form = new RegExp(`^-?0*\\d{1,${Math.max(whole, 1)}}${places}$`)
  const limit = `1${'0'.repeat(whole)}`
  const expected = `a decimal of ${whole} digits and ${scale} places at most`
  return textWith({ kind: 'numeric', scale }, expected, (text) => {
    const digits = text.replace(/^-?0*|\..*$/g, '')
    return form.test(text) && digits.length < limit.length
  })
}

/** A day: `2026-01-31`. */
export const date: Codec<string> = textWith(
  { kind: 'date' },
  'a date of the years 0001 to 9999',
  (text) => {
    const day = DATE_FORM.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
    return !Number.isNaN(day) && text >= '0001' && new Date(day).toISOString().startsWith(text)
  },
)

/** A time in UTC, to the microsecond: `2026-01-31T12:00:00.000001Z`. */
export const timestamp: Codec<string> = textWith(
  { kind: 'time' },
  'a time of the years 0001 to 9999',
  (text) => {
    try {
      time.decode(text)
      return true
    } catch {
      return false
    }
  },
)

/** The codec of the ids of these contracts. */
export function contractIdOf<T>(): Codec<ContractId<T>> {
  return textWith({ kind: 'contractId' }, 'a contract id', (text) => CONTRACT_ID.test(text))
}

/** `null` or the value; where the value may be `null`, `[]` or `[value]`. */
export function nestedOptional<T>(codec: Codec<T>): Codec<Optional<T>>
export function nestedOptional(codec: Codec<unknown>): Codec<unknown> {
  const isListed = (): boolean => codec.shape.kind === 'optional'
  return {
    shape: { kind: 'optional', of: codec },
    decode: (value, path = '') => {
      if (value === null || value === undefined) return null
      if (!isListed()) return codec.decode(value, path)
      return listed(value, (item) => notNull(codec.decode(item, `${path}/0`), `${path}/0`), path)
    },
    encode: (value): Json => {
      if (value === null || !isListed()) return value === null ? null : codec.encode(value)
      return listed(value, (item) => codec.encode(item), '')
    },
  }
}

/** A list of at most one element, which is not `null`. */
function listed<R>(value: unknown, read: (item: unknown) => R, path: string): readonly R[] {
  if (!Array.isArray(value) || value.length > 1)
    return fail(path, 'an array of at most one element')
  return value.map(read)
}

function notNull(value: unknown, path: string): unknown {
  return value === null ? fail(path, 'a value') : value
}
