// Scalar values of the contract language in their JSON form, with their limits.
// docs/ledger-rules.md, "Values on the wire"
import {
  fail,
  int,
  isContractId,
  party,
  text,
  time,
} from '../../../generated/contract-codec.gen.ts'
import type { Codec, Shape } from '../../../generated/contract-codec.gen.ts'
import { partyProblem } from '../../errors/grammar.ts'
import { illTyped } from '../values/failure.ts'
import { Numeric } from '../values/value.ts'
import type { Value } from '../values/value.ts'

/** The codec of a type of the contract language. */
export type ValueCodec = Pick<Codec<Value>, 'decode' | 'encode'> & { readonly shape: Shape }

/** Digits of a numeric, whatever its scale. */
const DIGITS = 38
const DAY_MS = 86_400_000
const DATE_FORM = /^\d{4}-\d\d-\d\d$/
const FIRST_DAY = -719_162
const LAST_DAY = 2_932_896

/** A codec that is there for whoever reads JSON, of values that are of type `T` in memory. */
function scalar<T extends Value>(
  { shape, decode, encode }: Pick<Codec<T>, 'shape' | 'decode' | 'encode'>,
  is: (value: Value) => value is T,
): ValueCodec {
  return {
    shape,
    decode,
    encode: (value) => {
      if (!is(value)) throw illTyped(`a ${shape.kind} is expected`)
      return encode(value)
    },
  }
}

const isText = (value: Value): value is string => typeof value === 'string'
const isBigint = (value: Value): value is bigint => typeof value === 'bigint'
const isNumber = (value: Value): value is number => typeof value === 'number'
const isBoolean = (value: Value): value is boolean => typeof value === 'boolean'
const isUnit = (value: Value): value is undefined => value === undefined
const isNumeric = (value: Value): value is Numeric => value instanceof Numeric

const contractId: Pick<Codec<string>, 'shape' | 'decode' | 'encode'> = {
  shape: { kind: 'contractId' },
  decode: (value, path = '') =>
    typeof value === 'string' && isContractId(value) ? value : fail(path, 'a contract id'),
  encode: (value) => value,
}

function partyIn(value: unknown, path = ''): string {
  const given = party.decode(value, path)
  return partyProblem(given) === undefined ? given : fail(path, 'a party')
}

const date: Pick<Codec<number>, 'shape' | 'decode' | 'encode'> = {
  shape: { kind: 'date' },
  decode: (value, path = '') => {
    if (typeof value !== 'string' || !DATE_FORM.test(value)) return fail(path, 'a date')
    const days = Date.parse(`${value}T00:00:00Z`) / DAY_MS
    const isDay = days >= FIRST_DAY && days <= LAST_DAY && dateText(days) === value
    return isDay ? days : fail(path, 'a date of the years 0001 to 9999')
  },
  encode: dateText,
}

function dateText(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10)
}

const unit: Pick<Codec<undefined>, 'shape' | 'decode' | 'encode'> = {
  shape: { kind: 'unit' },
  decode: (value, path = '') => {
    const isEmpty =
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length === 0
    return isEmpty ? undefined : fail(path, 'an empty object')
  },
  encode: () => ({}),
}

const bool: Pick<Codec<boolean>, 'shape' | 'decode' | 'encode'> = {
  shape: { kind: 'bool' },
  decode: (value, path = '') => (typeof value === 'boolean' ? value : fail(path, 'a boolean')),
  encode: (value) => value,
}

/** Codecs of the built-in types that have no parts, by the names of the types. */
export const scalars: ReadonlyMap<string, ValueCodec> = new Map([
  ['Unit', scalar(unit, isUnit)],
  ['Bool', scalar(bool, isBoolean)],
  ['Int64', scalar(int, isBigint)],
  ['Text', scalar(text, isText)],
  ['Party', scalar({ ...party, decode: partyIn }, isText)],
  ['ContractId', scalar(contractId, isText)],
  ['Date', scalar(date, isNumber)],
  ['Timestamp', scalar(time, isBigint)],
])

/** The codec of numerics with so many decimals: a text with all of them. */
export function numericOf(scale: number): ValueCodec {
  const whole = DIGITS - scale
  const fraction = scale === 0 ? '' : `(?:\\.(\\d{1,${scale}}))?`
  const form = new RegExp(`^(-?)0*(\\d{1,${Math.max(whole, 1)}})${fraction}$`)
  const limit = 10n ** BigInt(DIGITS)
  const expected = `a numeric of ${whole} digits and ${scale} decimals at most`
  return scalar(
    {
      shape: { kind: 'numeric', scale },
      decode: (value, path = '') => {
        const parts = typeof value === 'string' ? form.exec(value) : null
        if (parts === null) return fail(path, expected)
        const [, sign = '', digits = '', decimals = ''] = parts
        const unscaled = BigInt(`${sign}${digits}${decimals.padEnd(scale, '0')}`)
        const isFit = unscaled < limit && unscaled > -limit
        return isFit ? new Numeric(unscaled, scale) : fail(path, expected)
      },
      encode: (value) => numericText(value.unscaled, scale),
    },
    isNumeric,
  )
}

function numericText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
