// Fixed-point arithmetic of the reference model, on purpose not runtime/engine/decimal.ts: what
// rounds wrongly there must not round wrongly here too. docs/economy-rules.md, "Exact arithmetic"

/** One, as a decimal: value times 10^10. */
export const ONE = 10n ** 10n
const LIMIT = 10n ** 38n

/** A result beyond 38 digits, or a division by zero. */
export class Overflow extends Error {
  override readonly name = 'Overflow'
}

/** `numerator / denominator`, a tie to the even neighbour. `denominator` is positive. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator + denominator
  const upper = floorDivide(doubled, 2n * denominator)
  const isTie = doubled - upper * 2n * denominator === 0n
  return isTie && upper % 2n !== 0n ? upper - 1n : upper
}

/** Product of two decimals, rounded once. */
export function times(a: bigint, b: bigint): bigint {
  return bounded(halfEven(a * b, ONE))
}

/** Quotient of two decimals, rounded once. */
export function over(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Overflow('division by zero')
  return bounded(b < 0n ? halfEven(-a * ONE, -b) : halfEven(a * ONE, b))
}

/** Quotient of two decimals, rounded up at the tenth place. Both are positive. */
export function overUp(a: bigint, b: bigint): bigint {
  return bounded(ceilDivide(a * ONE, b))
}

/** The smallest integer that is not below `a / b`. `b` is positive. */
export function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b)
}

/** The decimal of an integer. */
export function whole(value: bigint): bigint {
  return bounded(value * ONE)
}

/** The decimal that a text says, undefined where it says none. */
export function amountOf(text: string): bigint | undefined {
  const [head = '', tail, ...rest] = text.split('.')
  const digits = head.startsWith('-') ? head.slice(1) : head
  const fraction = tail ?? '0'
  if (rest.length > 0 || !isDigits(digits, 28) || !isDigits(fraction, 10)) return undefined
  const size = BigInt(digits) * ONE + BigInt(fraction) * 10n ** BigInt(10 - fraction.length)
  return head.startsWith('-') ? -size : size
}

/** Text with ten places. */
export function textOf(value: bigint): string {
  const size = value < 0n ? -value : value
  return `${value < 0n ? '-' : ''}${size / ONE}.${(size % ONE).toString().padStart(10, '0')}`
}

/** The smaller one. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The larger one. */
export function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The sum, unbounded. */
export function total(values: Iterable<bigint>): bigint {
  let result = 0n
  for (const value of values) result += value
  return result
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient
}

function isDigits(text: string, longest: number): boolean {
  return (
    text.length > 0 &&
    text.length <= longest &&
    [...text].every((char) => char >= '0' && char <= '9')
  )
}

function bounded(value: bigint): bigint {
  if (value >= LIMIT || value <= -LIMIT) throw new Overflow('more than 38 digits')
  return value
}
