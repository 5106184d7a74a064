// Decimals of at most 38 digits with 0 to 37 of them after the point. Products, quotients and
// roundings round half to even.
import { divideHalfEven } from '../../engine/index.ts'
import { arithmeticError } from '../values/failure.ts'
import { Numeric, NONE, some } from '../values/value.ts'
import { integer, numeric, text } from './arguments.ts'
import { isInt64 } from './int64.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

const PRECISION = 38
const POWERS = Array.from({ length: 2 * PRECISION + 1 }, (_, exponent) => 10n ** BigInt(exponent))
const MAX = power(PRECISION) - 1n
const TEXT = /^[+-]?\d+(?:\.\d+)?$/
const LEADING_ZEROS = /^0+(?=\d)/

export const numericFunctions = {
  ADD_NUMERIC: (_: Meter, a: Value, b: Value) => sum('ADD_NUMERIC', a, b, 1n),
  SUB_NUMERIC: (_: Meter, a: Value, b: Value) => sum('SUB_NUMERIC', a, b, -1n),
  MUL_NUMERIC: (_: Meter, witness: Value, first: Value, second: Value) => {
    const like = numeric(witness)
    const a = numeric(first)
    const b = numeric(second)
    const product = rescaled(a.unscaled * b.unscaled, a.scale + b.scale, like.scale)
    return inRange(product, like.scale) ?? fail('MUL_NUMERIC', like, a, b)
  },
  DIV_NUMERIC: (_: Meter, witness: Value, first: Value, second: Value) => {
    const like = numeric(witness)
    const a = numeric(first)
    const b = numeric(second)
    if (b.unscaled === 0n) throw fail('DIV_NUMERIC', like, a, b)
    const shift = like.scale - a.scale + b.scale
    const quotient =
      shift < 0
        ? divideHalfEven(a.unscaled, b.unscaled * power(-shift))
        : divideHalfEven(a.unscaled * power(shift), b.unscaled)
    return inRange(quotient, like.scale) ?? fail('DIV_NUMERIC', like, a, b)
  },
  ROUND_NUMERIC: (_: Meter, places: Value, value: Value) => round(integer(places), numeric(value)),
  CAST_NUMERIC: (_: Meter, witness: Value, value: Value) => {
    const [like, a] = [numeric(witness), numeric(value)]
    const cast = rescaled(a.unscaled, a.scale, like.scale)
    const isExact = rescaled(cast, like.scale, a.scale) === a.unscaled
    return (isExact ? inRange(cast, like.scale) : undefined) ?? fail('CAST_NUMERIC', like, a)
  },
  SHIFT_NUMERIC: (_: Meter, witness: Value, value: Value) =>
    new Numeric(numeric(value).unscaled, numeric(witness).scale),
  INT64_TO_NUMERIC: (_: Meter, witness: Value, value: Value) => {
    const [like, a] = [numeric(witness), integer(value)]
    return inRange(a * power(like.scale), like.scale) ?? fail('INT64_TO_NUMERIC', like, a)
  },
  NUMERIC_TO_INT64: (_: Meter, value: Value) => {
    const a = numeric(value)
    const whole = a.unscaled / power(a.scale)
    return isInt64(whole) ? whole : fail('NUMERIC_TO_INT64', a)
  },
  NUMERIC_TO_TEXT: (_: Meter, value: Value) => formatNumeric(numeric(value)),
  TEXT_TO_NUMERIC: (meter: Meter, witness: Value, value: Value) => {
    meter.read(text(value))
    const parsed = parseNumeric(text(value), numeric(witness).scale)
    return parsed === undefined ? NONE : some(parsed)
  },
}

/** The decimal of this scale that a text says without loss; undefined where it says none. */
export function parseNumeric(given: string, scale: number): Numeric | undefined {
  if (!TEXT.test(given)) return undefined
  const [whole = '', decimals = ''] = given.replace(/^[+-]/, '').split('.')
  const digits = whole.replace(LEADING_ZEROS, '')
  const fraction = decimals.slice(0, endOf(decimals))
  if (digits.length > PRECISION || fraction.length > scale) return undefined
  const size = BigInt(digits + fraction.padEnd(scale, '0'))
  return inRange(given.startsWith('-') ? -size : size, scale)
}

/** Where the zeros at the end of the decimals begin. */
function endOf(decimals: string): number {
  let end = decimals.length
  while (end > 0 && decimals[end - 1] === '0') end -= 1
  return end
}

/** As few digits as say it, and at least one after the point. */
function formatNumeric({ unscaled, scale }: Numeric): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const decimals = digits.slice(digits.length - scale)
  const fraction = decimals.slice(0, endOf(decimals))
  return `${unscaled < 0n ? '-' : ''}${whole}.${fraction === '' ? '0' : fraction}`
}

function sum(name: string, first: Value, second: Value, sign: bigint): Value {
  const a = numeric(first)
  const b = numeric(second)
  return inRange(a.unscaled + sign * b.unscaled, a.scale) ?? fail(name, a, b)
}

function round(places: bigint, value: Numeric): Value {
  const { unscaled, scale } = value
  if (places > BigInt(scale) || places <= BigInt(scale - PRECISION))
    throw fail('ROUND_NUMERIC', places, value)
  const unit = power(scale - Number(places))
  const rounded = divideHalfEven(unscaled, unit) * unit
  return inRange(rounded, scale) ?? fail('ROUND_NUMERIC', places, value)
}

/** What is `unscaled` at one scale, at another, rounded. */
function rescaled(unscaled: bigint, from: number, to: number): bigint {
  return to < from ? divideHalfEven(unscaled, power(from - to)) : unscaled * power(to - from)
}

function inRange(unscaled: bigint, scale: number): Numeric | undefined {
  return unscaled > MAX || unscaled < -MAX ? undefined : new Numeric(unscaled, scale)
}

function power(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent)
}

function fail(name: string, ...args: readonly (Numeric | bigint)[]): never {
  throw arithmeticError(
    name,
    args.map((arg) => (typeof arg === 'bigint' ? String(arg) : formatNumeric(arg))),
  )
}
