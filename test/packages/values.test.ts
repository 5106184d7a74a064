// Properties of values of the contract language: decimals against fractions, text against its code
// points, maps against sorted arrays, and the order of values against one that is written simply.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { EvaluationError } from '../../runtime/packages/values/failure.ts'
import { compare } from '../../runtime/packages/values/compare.ts'
import { insert, lookUp, remove, EMPTY_MAP } from '../../runtime/packages/values/map.ts'
import { Meter } from '../../runtime/packages/values/meter.ts'
import {
  Cons,
  elementsOf,
  listOf,
  NONE,
  Numeric,
  Optional,
  Rec,
  some,
  ValueMap,
  Variant,
} from '../../runtime/packages/values/value.ts'
import { haveSameShape } from '../../runtime/packages/templates/in-code.ts'
import { numericOf } from '../../runtime/packages/templates/scalars.ts'
import { callOf, LIMITS } from './programs.ts'
import type { Shaped } from '../../generated/contract-codec.gen.ts'
import type { BuiltinFunction } from '../../runtime/packages/program/builtin-functions.ts'
import type { MapNode, Value } from '../../runtime/packages/values/value.ts'

const NINES = 10n ** 38n - 1n
const scale = fc.integer({ min: 0, max: 37 })
/** Often small, or near what a decimal can hold. */
const unscaled = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: -NINES, max: NINES }),
  fc.bigInt({ min: NINES - 100n, max: NINES }),
)
const decimal = fc.tuple(unscaled, scale).map(([value, at]) => new Numeric(value, at))

function run(name: BuiltinFunction, ...args: readonly Value[]): Value | 'overflow' {
  try {
    return callOf(name, ...args)
  } catch (error) {
    if (error instanceof EvaluationError && error.failure.kind === 'unhandled') return 'overflow'
    throw error
  }
}

/** Whether a decimal is the fraction, rounded half to even; or too large where it is. */
function demandRounded(result: Value, numerator: bigint, denominator: bigint, at: number): void {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator]
  const shifted = top * 10n ** BigInt(at)
  if (result === 'overflow') {
    // Beyond the largest decimal by half a unit, at least.
    const size = shifted < 0n ? -shifted : shifted
    ok(2n * size >= (2n * NINES + 1n) * bottom)
    return
  }
  ok(result instanceof Numeric)
  deepStrictEqual(result.scale, at)
  const difference = 2n * (shifted - result.unscaled * bottom)
  const size = difference < 0n ? -difference : difference
  ok(size < bottom || (size === bottom && result.unscaled % 2n === 0n))
}

describe('decimals', () => {
  test('products are the fraction, rounded half to even', () => {
    fc.assert(
      fc.property(decimal, decimal, scale, (a, b, at) => {
        const result = run('MUL_NUMERIC', new Numeric(0n, at), a, b)
        demandRounded(result, a.unscaled * b.unscaled, 10n ** BigInt(a.scale + b.scale), at)
      }),
    )
  })

  test('quotients are the fraction, rounded half to even', () => {
    fc.assert(
      fc.property(decimal, decimal, scale, (a, b, at) => {
        fc.pre(b.unscaled !== 0n)
        const result = run('DIV_NUMERIC', new Numeric(0n, at), a, b)
        const [up, down] = [10n ** BigInt(b.scale), 10n ** BigInt(a.scale)]
        demandRounded(result, a.unscaled * up, b.unscaled * down, at)
      }),
    )
  })

  test('what is rounded is the closest multiple, and the even one of two', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 37 }), (value, down) => {
        const places = value.scale - down
        const unit = 10n ** BigInt(down)
        const result = run('ROUND_NUMERIC', BigInt(places), value)
        if (result === 'overflow') return
        ok(result instanceof Numeric)
        deepStrictEqual(result.unscaled % unit, 0n)
        const difference = 2n * (result.unscaled - value.unscaled)
        const size = difference < 0n ? -difference : difference
        ok(size < unit || (size === unit && (result.unscaled / unit) % 2n === 0n))
      }),
    )
  })

  test('are read back from their text', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const text = run('NUMERIC_TO_TEXT', value)
        deepStrictEqual(run('TEXT_TO_NUMERIC', new Numeric(0n, value.scale), text), some(value))
      }),
    )
  })
})

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
})

/** Code points as an array, compared one by one. */
function compareCodePoints(a: string, b: string): number {
  const [left, right] = [a, b].map((of) => Array.from(of, (point) => point.codePointAt(0) ?? 0))
  if (left === undefined || right === undefined) return 0
  for (const [at, point] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    if (point !== other) return point - other
  }
  return left.length - right.length
}

describe('text', () => {
  test('is ordered by code points', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        deepStrictEqual(
          Math.sign(compare(a, b, new Meter(LIMITS))),
          Math.sign(compareCodePoints(a, b)),
        )
      }),
    )
  })

  test('is put together again from its code points', () => {
    fc.assert(
      fc.property(text, (value) => {
        deepStrictEqual(run('IMPLODE_TEXT', run('EXPLODE_TEXT', value)), value)
        deepStrictEqual(run('CODE_POINTS_TO_TEXT', run('TEXT_TO_CODE_POINTS', value)), value)
        deepStrictEqual(run('HEX_TO_TEXT', run('TEXT_TO_HEX', value)), value)
      }),
    )
  })
})

/** The sides of every node are about the same size, and sizes are right. */
function demandBalanced(node: MapNode | undefined): number {
  if (node === undefined) return 0
  const [left, right] = [demandBalanced(node.left), demandBalanced(node.right)]
  deepStrictEqual(node.size, left + right + 1)
  ok(left + right <= 1 || (left <= 3 * right && right <= 3 * left))
  return node.size
}

describe('maps', () => {
  const change = fc.record({
    key: fc.bigInt({ min: 0n, max: 40n }),
    value: fc.option(fc.integer(), { nil: undefined }),
  })

  test('have what a sorted array would have, whatever is put in and taken out', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 60, maxLength: 200 }), (changes) => {
        const meter = new Meter(LIMITS)
        const expected = new Map<bigint, number>()
        let map = EMPTY_MAP
        for (const { key, value } of changes) {
          map = value === undefined ? remove(map, key, meter) : insert(map, key, value, meter)
          if (value === undefined) expected.delete(key)
          else expected.set(key, value)
        }
        const sorted = [...expected].sort(([a], [b]) => Number(a - b))
        deepStrictEqual(
          Array.from(map.entries(), ({ key, value }) => [key, value]),
          sorted,
        )
        for (const [key, value] of sorted) deepStrictEqual(lookUp(map, key, meter)?.value, value)
        demandBalanced(map.root)
      }),
    )
  })
})

/** A value of a type that has everything in it. */
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt({ min: 0n, max: 2n }).map((of) => new Variant(0, of)),
    fc.array(tie('value'), { maxLength: 3 }).map((of) => new Variant(1, listOf(of))),
    fc
      .option(tie('value'), { nil: NONE })
      .map((of) => new Variant(2, of instanceof Optional ? NONE : some(of))),
    fc.tuple(tie('value'), tie('value')).map((of) => new Variant(3, new Rec(of))),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map(
      (of) =>
        new Variant(
          4,
          of.reduce((map, [key, value]) => insert(map, key, value, new Meter(LIMITS)), EMPTY_MAP),
        ),
    ),
  ),
}))

/** The order as the language's rules say it, without care for depth. */
function compareSimply(a: Value, b: Value): number {
  if (a instanceof Variant && b instanceof Variant)
    return a.rank === b.rank ? compareSimply(a.value, b.value) : a.rank - b.rank
  if (a instanceof Optional && b instanceof Optional)
    return a.isSome && b.isSome
      ? compareSimply(a.value, b.value)
      : Number(a.isSome) - Number(b.isSome)
  if (a instanceof Rec && b instanceof Rec) return compareAll(a.fields, b.fields)
  if (a instanceof ValueMap && b instanceof ValueMap) {
    const [left = [], right = []] = [a, b].map((map) =>
      [...map.entries()].flatMap(({ key, value }) => [key, value]),
    )
    return compareAll(left, right)
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') return Number(a - b)
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  if (isList(a) && isList(b)) return compareAll(elementsOf(a), elementsOf(b))
  throw new Error('values of different types')
}

function isList(value: Value): value is Cons | null {
  return value === null || value instanceof Cons
}

function compareAll(a: readonly Value[], b: readonly Value[]): number {
  for (const [at, value] of a.entries()) {
    if (at >= b.length) return 1
    const order = compareSimply(value, b[at])
    if (order !== 0) return order
  }
  return a.length - b.length
}

test('values are in the order of the language', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (a, b) => {
      const order = Math.sign(compare(a, b, new Meter(LIMITS)))
      deepStrictEqual(order, Math.sign(compareSimply(a, b)))
      deepStrictEqual(Math.sign(compare(b, a, new Meter(LIMITS))), order === 0 ? 0 : -order)
      deepStrictEqual(compare(a, a, new Meter(LIMITS)), 0)
    }),
  )
})

describe('a type of an upload is one of ours', () => {
  test('where its numbers have as many places', () => {
    const ours = { shape: { kind: 'decimal' } } as const
    const isOurs = (scale: number) => haveSameShape(numericOf(scale), ours)
    deepStrictEqual([9, 10, 11].map(isOurs), [false, true, false])
  })

  test('unless it is made of others without end', () => {
    const grown = (): Shaped => ({
      get shape() {
        return { kind: 'optional', of: grown() } as const
      },
    })
    const ours: Shaped = {
      get shape() {
        return { kind: 'optional', of: ours } as const
      },
    }
    deepStrictEqual([haveSameShape(ours, ours), haveSameShape(grown(), ours)], [true, false])
  })
})
