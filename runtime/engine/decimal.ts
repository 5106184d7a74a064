// Decimals of the ledger: scale 10, at most 38 digits, as bigint of the value times 10^10. Products
// and quotients round half to even once each. docs/economy-rules.md, "Exact arithmetic"
const SCALE = 10
const ONE = 10_000_000_000n
const MAX = 10n ** 38n - 1n
const TEXT = /^(-?)(\d{1,28})(?:\.(\d{1,10}))?$/

/** One, as a decimal. */
export const DECIMAL_ONE = ONE

/**
 * A result that no decimal can hold, or a division by zero; aborts the transaction that computes
 * it.
 */
export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError'
}

/** The decimal that a text says (`-?\d{1,28}(\.\d{1,10})?`), undefined where it says none. */
export function parseDecimal(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = ''] = TEXT.exec(text) ?? []
  if (whole === '') return undefined
  const scaled = BigInt(whole + fraction.padEnd(SCALE, '0'))
  return sign === '' ? scaled : -scaled
}

/** Text with all ten decimals, as the wire has it. */
export function formatDecimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(SCALE + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}

/** The text of a decimal without zeros at its end, but for the first decimal. */
export function shortDecimal(value: bigint): string {
  return formatDecimal(value).replace(/(?<=\.\d+)0+$/, '')
}

/** The decimal of a whole number. */
export function decimalOf(whole: bigint): bigint {
  return inRange(whole * ONE)
}

/** `a + b`, exact. Throws an ArithmeticError beyond 38 digits. */
export function add(a: bigint, b: bigint): bigint {
  return inRange(a + b)
}

/** `a - b`, exact. Throws an ArithmeticError beyond 38 digits. */
export function subtract(a: bigint, b: bigint): bigint {
  return inRange(a - b)
}

/** `a * b`, rounded half to even. Throws an ArithmeticError beyond 38 digits. */
export function multiply(a: bigint, b: bigint): bigint {
  return inRange(divideHalfEven(a * b, ONE))
}

/**
 * `a / b`, rounded half to even. Throws an ArithmeticError where `b` is zero or the result has more
 * than 38 digits.
 */
export function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new ArithmeticError('division by zero')
  return inRange(divideHalfEven(a * ONE, b))
}

/** The sum of all. Throws an ArithmeticError beyond 38 digits. */
export function sum(values: Iterable<bigint>): bigint {
  let total = 0n
  for (const value of values) total += value
  return inRange(total)
}

/** `a / b` rounded up at the tenth decimal. Throws as `divide`. docs/economy-rules.md, "Taps" */
export function divideUp(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new ArithmeticError('division by zero')
  const quotient = (a * ONE) / b
  const isExact = (a * ONE) % b === 0n
  return inRange(isExact || a < 0n !== b < 0n ? quotient : quotient + 1n)
}

/** The smallest whole number that is not below the decimal. */
export function ceiling(value: bigint): bigint {
  const whole = value / ONE
  return value > 0n && value % ONE !== 0n ? whole + 1n : whole
}

/** Quotient of two whole numbers, the nearest one; of two that are as near the even one. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const remainder = dividend % divisor
  if (remainder === 0n) return quotient
  const twice = 2n * (remainder < 0n ? -remainder : remainder)
  const size = divisor < 0n ? -divisor : divisor
  const away = twice > size || (twice === size && quotient % 2n !== 0n)
  if (!away) return quotient
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n
}

function inRange(value: bigint): bigint {
  if (value > MAX || value < -MAX) throw new ArithmeticError('a decimal has more than 38 digits')
  return value
}
