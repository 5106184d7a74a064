// Integers of 64 bits.
import { arithmeticError } from '../values/failure.ts'
import { NONE, some } from '../values/value.ts'
import { integer, text } from './arguments.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)
/** Steps that a power is worth: some hundred multiplications and comparisons. */
const POWER_STEPS = 50
const TEXT = /^([+-]?)0*(\d{1,19})$/

export const int64Functions = {
  ADD_INT64: binary('ADD_INT64', (a, b) => a + b),
  SUB_INT64: binary('SUB_INT64', (a, b) => a - b),
  MUL_INT64: binary('MUL_INT64', (a, b) => a * b),
  DIV_INT64: binary('DIV_INT64', (a, b) => (b === 0n ? undefined : a / b)),
  MOD_INT64: binary('MOD_INT64', (a, b) => (b === 0n ? undefined : a % b)),
  EXP_INT64: (meter: Meter, base: Value, exponent: Value) => {
    meter.work(POWER_STEPS)
    return raised(meter, base, exponent)
  },
  INT64_TO_TEXT: (_: Meter, a: Value) => String(integer(a)),
  TEXT_TO_INT64: (meter: Meter, a: Value) => {
    meter.read(text(a))
    const value = parseInt64(text(a))
    return value === undefined ? NONE : some(value)
  },
}

/** Whether a number is one of 64 bits. */
export function isInt64(value: bigint): boolean {
  return value >= MIN && value <= MAX
}

/** The number that a text says, with any number of leading zeros. */
function parseInt64(given: string): bigint | undefined {
  const [, sign, digits] = TEXT.exec(given) ?? []
  if (digits === undefined) return undefined
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return isInt64(value) ? value : undefined
}

const raised = binary('EXP_INT64', power)

function binary(name: string, of: (a: bigint, b: bigint) => bigint | undefined) {
  return (_: Meter, first: Value, second: Value): Value => {
    const a = integer(first)
    const b = integer(second)
    const result = of(a, b)
    if (result === undefined || !isInt64(result))
      throw arithmeticError(name, [String(a), String(b)])
    return result
  }
}

/** By squaring, until it is too large: no power of a program takes long. */
function power(base: bigint, exponent: bigint): bigint | undefined {
  if (exponent < 0n) return undefined
  let [result, square, rest] = [1n, base, exponent]
  while (rest > 0n) {
    if (rest % 2n === 1n) result *= square
    rest /= 2n
    if (rest > 0n) square *= square
    if (!isInt64(result) || (rest > 0n && !isInt64(square))) return undefined
  }
  return result
}
