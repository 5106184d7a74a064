// Kinds of numbers: whole ones that a double holds, int64 as bigint, and real ones.
import { isMultiple } from './validation.ts'
import { ownFlaw, sift, typeFlaw } from './arbitrary.ts'
import type { At, FastCheck, FlawChoice, Kind } from './arbitrary.ts'
import type { Arbitrary } from 'fast-check'

/** Limits of whole numbers, both inclusive. */
export interface IntegerOptions {
  readonly min?: number
  readonly max?: number
  readonly multipleOf?: number
  readonly int32?: true
}

export interface LongOptions {
  readonly min?: bigint
  readonly max?: bigint
  readonly multipleOf?: bigint
}

export interface RealOptions {
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly below?: number
  readonly multipleOf?: number
  /** A decimal: its text says the same, so that text is no wrong type. */
  readonly decimal?: true
}

/** Whole numbers that a double holds. */
export function integer(options: IntegerOptions = {}): Kind<number> {
  const [least, most] =
    options.int32 === true
      ? [-(2 ** 31), 2 ** 31 - 1]
      : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  const range = wholeRange(least, most, options.min, options.max, options.multipleOf ?? 1)
  return {
    valid: ({ fc }) => wholes(fc, range)?.map((value) => Number(value) + 0),
    flaws: (at) => [
      ...typeFlaw(at, 'number'),
      ...ownFlaw(
        at.fc.integer({ min: -9, max: 9 }).map((value) => value + 0.5),
        'type',
      ),
      ...wholeFlaws(at, range, Number),
      ...(options.int32 === true ? formatFlaws(at, range, Number) : []),
    ],
  }
}

/** Whole numbers of 64 bits. */
export function long(options: LongOptions = {}): Kind<bigint> {
  const range = wholeRange(
    -(2n ** 63n),
    2n ** 63n - 1n,
    options.min,
    options.max,
    options.multipleOf ?? 1n,
  )
  return {
    valid: ({ fc }) => wholes(fc, range),
    flaws: (at) => [
      ...typeFlaw(at, 'number'),
      ...wholeFlaws(at, range, keep),
      ...formatFlaws(at, range, keep),
    ],
  }
}

const keep = (value: bigint): unknown => value

/** The multiples of `step` from `first * step` to `last * step`. */
interface WholeRange {
  readonly first: bigint
  readonly last: bigint
  readonly step: bigint
  /** Limits that the document states, and those of the format. */
  readonly min: bigint | undefined
  readonly max: bigint | undefined
  readonly least: bigint
  readonly most: bigint
}

type Whole = number | bigint

function wholeRange(
  least: Whole,
  most: Whole,
  min: Whole | undefined,
  max: Whole | undefined,
  multiple: Whole,
): WholeRange {
  const step = Number.isInteger(Number(multiple)) ? BigInt(multiple) : 1n
  const [lowest, highest] = [BigInt(least), BigInt(most)]
  const low = min === undefined || BigInt(min) < lowest ? lowest : BigInt(min)
  const high = max === undefined || BigInt(max) > highest ? highest : BigInt(max)
  const up = low > 0n ? step - 1n : 0n
  const down = high < 0n ? step - 1n : 0n
  return {
    first: (low + up) / step,
    last: (high - down) / step,
    step,
    least: lowest,
    most: highest,
    min: low > lowest ? low : undefined,
    max: high < highest ? high : undefined,
  }
}

/** Mostly small ones, since services count; sometimes any, and the limits themselves. */
function wholes(
  fc: FastCheck,
  { first, last, step, min, max }: WholeRange,
): Arbitrary<bigint> | undefined {
  if (first > last) return undefined
  const near = first > 0n ? first : last < 0n ? last : 0n
  const small = fc.bigInt({
    min: first > near - 50n ? first : near - 50n,
    max: last < near + 100n ? last : near + 100n,
  })
  const limits = [...(min === undefined ? [] : [first]), ...(max === undefined ? [] : [last]), near]
  return fc
    .oneof(
      { weight: 5, arbitrary: small },
      { weight: 1, arbitrary: fc.bigInt({ min: first, max: last }) },
      { weight: 2, arbitrary: fc.constantFrom(...limits) },
    )
    .map((count) => count * step)
}

function wholeFlaws(
  at: At,
  range: WholeRange,
  as: (value: bigint) => unknown,
): readonly FlawChoice[] {
  const { first, last, step, min, max, least, most } = range
  const by = (value: bigint, rule: string, isFlaw: boolean): readonly FlawChoice[] => {
    return isFlaw && value >= least && value <= most ? ownFlaw(at.fc.constant(as(value)), rule) : []
  }
  return [
    ...by((first - 1n) * step, 'minimum', min !== undefined),
    ...by((last + 1n) * step, 'maximum', max !== undefined),
    ...by(first * step + 1n, 'multipleOf', step > 1n && first * step + 1n <= (max ?? most)),
  ]
}

function formatFlaws(
  at: At,
  { min, max, least, most }: WholeRange,
  as: (value: bigint) => unknown,
): readonly FlawChoice[] {
  const outside = [
    ...(min === undefined ? [least - 1n] : []),
    ...(max === undefined ? [most + 1n] : []),
  ]
  return outside.length === 0 ? [] : ownFlaw(at.fc.constantFrom(...outside.map(as)), 'format')
}

/** Real numbers. */
export function real(options: RealOptions = {}): Kind<number> {
  return {
    valid: ({ fc }) => reals(fc, options),
    flaws: (at) => [
      ...typeFlaw(
        at,
        ...(options.decimal === true ? (['number', 'string'] as const) : (['number'] as const)),
      ),
      ...realFlaws(at, options),
    ],
  }
}

function reals(fc: FastCheck, options: RealOptions): Arbitrary<number> {
  const low = Math.max(options.min ?? -Number.MAX_VALUE, options.above ?? -Number.MAX_VALUE)
  const high = Math.min(options.max ?? Number.MAX_VALUE, options.below ?? Number.MAX_VALUE)
  const fits = (value: number): boolean => {
    const isInside =
      value >= low && value <= high && value !== options.above && value !== options.below
    return isInside && (options.multipleOf === undefined || isMultiple(value, options.multipleOf))
  }
  const near = low > 0 ? low : high < 0 ? high : 0
  const step = options.multipleOf ?? 0.25
  const first = Math.ceil(near / step)
  const steps = fc
    .integer({ min: -20, max: 40 })
    .map((count) => Number(((first + count) * step).toPrecision(12)))
  const any = fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
  const both =
    options.multipleOf === undefined
      ? fc.oneof({ weight: 3, arbitrary: steps }, { weight: 1, arbitrary: any })
      : steps
  return sift(
    both.map((value) => value + 0),
    fits,
    `a number with ${JSON.stringify(options)}`,
  )
}

function realFlaws(
  at: At,
  { min, max, above, below, multipleOf }: RealOptions,
): readonly FlawChoice[] {
  const limits: readonly (readonly [number | undefined, number, string])[] = [
    [min, -(multipleOf ?? 1), 'minimum'],
    [max, multipleOf ?? 1, 'maximum'],
    [above, 0, 'exclusiveMinimum'],
    [below, 0, 'exclusiveMaximum'],
  ]
  const beyond = limits.flatMap(([limit, more, rule]) => {
    return limit === undefined || (limit + more === limit && more !== 0)
      ? []
      : ownFlaw(at.fc.constant(limit + more), rule)
  })
  const near = Math.max(min ?? above ?? 0, 0)
  const isOff = multipleOf !== undefined && near + multipleOf / 2 < (max ?? below ?? Infinity)
  return [...beyond, ...(isOff ? ownFlaw(at.fc.constant(near + multipleOf / 2), 'multipleOf') : [])]
}
