// Real code on the evaluator: functions of the standard library and of the coin, from released
// archives, against what is known of them.
import { deepStrictEqual, ok, throws } from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { tranche } from '../../runtime/contracts/issuance.ts'
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError } from '../../runtime/packages/values/failure.ts'
import {
  elementsOf,
  listOf,
  NONE,
  Numeric,
  Rec,
  some,
} from '../../runtime/packages/values/value.ts'
import { archivesIn, dars, programOf, skip } from './released.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import type { Reference } from '../../runtime/packages/program/types.ts'
import type { Value } from '../../runtime/packages/values/value.ts'

const LIMITS = { steps: 20_000_000, cells: 100_000_000, depth: 200_000 }
const DAY_MILLIS = 86_400_000

/** A top-level value by its module, whose first names may be left out. */
function valueNamed(program: Packages, module: string, name: string): Reference {
  for (const { packageId, modules } of program.packages.values())
    for (const { name: full, values } of modules.values())
      if (`.${full}`.endsWith(`.${module}`) && values.has(name))
        return program.reference(packageId, full, name)
  throw new Error(`no package has ${module}.${name}`)
}

describe('functions of released packages', { skip }, () => {
  let program: Packages
  let linker: ProgramLinker

  before(async () => {
    // The coin's name is the first.
    const [coin = ''] = dars
    program = programOf((await archivesIn(coin)).values())
    linker = new ProgramLinker(program)
  })

  function value(module: string, name: string): Value {
    return new Evaluation(linker, LIMITS).value(valueNamed(program, module, name))
  }

  function call(module: string, name: string, ...args: readonly Value[]): Value {
    return new Evaluation(linker, LIMITS).apply(value(module, name), args)
  }

  test('all top-level values are evaluated, or fail as they say themselves', () => {
    const kinds = new Set<string>()
    let evaluated = 0
    for (const { packageId, modules } of program.packages.values())
      for (const module of modules.values())
        for (const name of module.values.keys()) {
          const reference = program.reference(packageId, module.name, name)
          try {
            new Evaluation(linker, LIMITS).value(reference)
            evaluated += 1
          } catch (error) {
            ok(error instanceof EvaluationError)
            const { kind } = error.failure
            if (kind !== 'error' && kind !== 'unhandled') kinds.add(kind)
          }
        }
    deepStrictEqual([...kinds], [])
    ok(evaluated > 5_000)
  })

  test('text', () => {
    deepStrictEqual(call('DA.Text', 'asciiToUpper', 'coin é'), 'COIN é')
    deepStrictEqual(call('DA.Text', 'splitOn', ', ', 'a, b, , c'), listOf(['a', 'b', '', 'c']))
    deepStrictEqual(call('DA.Text', 'replace', 'aa', 'b', 'aaaca'), 'bbca'.replace('bb', 'ba'))
    deepStrictEqual(call('DA.Text', 'trim', '  a b '), 'a b')
    deepStrictEqual(call('DA.Text', 'reverse', 'a\u{1f600}b'), 'b\u{1f600}a')
    deepStrictEqual(call('DA.Text', 'length', 'a\u{1f600}b'), 3n)
    deepStrictEqual(call('DA.Text', 'parseInt', '-12'), some(-12n))
    deepStrictEqual(call('DA.Text', 'parseDecimal', '1.25'), some(new Numeric(12_500_000_000n, 10)))
    deepStrictEqual(call('DA.Text', 'parseDecimal', '1.'), NONE)
  })

  test('lists are sorted, and duplicates are found', () => {
    const ordered = value('GHC.Classes', '$$fOrdInt')
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -5n, max: 50n }), { maxLength: 60 }), (numbers) => {
        const sorted = numbers.toSorted((a, b) => Number(a - b))
        deepStrictEqual(call('DA.List', 'sort', ordered, listOf(numbers)), listOf(sorted))
        const distinct = [...new Set(numbers)]
        deepStrictEqual(call('DA.List', 'dedup', ordered, listOf(numbers)), listOf(distinct))
      }),
    )
  })

  test('dates', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1601-01-01'), noInvalidDate: true }), (date) => {
        fc.pre(date.getTime() < Date.UTC(9999, 0))
        const days = Math.floor(date.getTime() / DAY_MILLIS)
        const gregorian = new Rec([
          BigInt(date.getUTCFullYear()),
          date.getUTCMonth(),
          BigInt(date.getUTCDate()),
        ])
        deepStrictEqual(call('DA.Date', 'toGregorian', days), gregorian)
        deepStrictEqual(call('DA.Date', 'fromGregorian', gregorian), days)
        // Their week begins on Monday. Before 1970 their remainder is negative, but for Mondays.
        const weekday = (date.getUTCDay() + 6) % 7
        const dayOfWeek = (): Value => call('DA.Date', 'dayOfWeek', days)
        if (days + 3 >= 0 || weekday === 0) deepStrictEqual(dayOfWeek(), weekday)
        else throws(dayOfWeek, /outside of enumeration's range/)
      }),
    )
  })

  test('mathematics, to the last decimals', () => {
    const near = (name: string, argument: number, expected: number): void => {
      const result = call('DA.Math', name, new Numeric(BigInt(Math.round(argument * 1e10)), 10))
      ok(result instanceof Numeric)
      ok(Math.abs(Number(result.unscaled) / 1e10 - expected) < 1e-7, `${name} of ${argument}`)
    }
    near('sqrt', 2, Math.SQRT2)
    near('exp', 1, Math.E)
    near('log', 10, Math.LN10)
    near('sin', 1, Math.sin(1))
  })

  test("a pool's issuance is what ours is", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 20n })
    fc.assert(
      fc.property(amount, amount, amount, (total, cap, weight) => {
        // Otherwise the package divides by zero, where ours gives nobody anything.
        fc.pre(cap * weight >= 10n ** 10n || weight === 0n)
        const args = [total, cap, weight].map((of) => new Numeric(of, 10))
        const result = call('Issuance', 'computeIssuanceTranche', ...args)
        ok(result instanceof Rec)
        const [, perCoupon, unclaimed] = result.fields
        const ours = tranche(total, cap, weight)
        // Roundings alone can make more than the cap of next to nothing; ours never does.
        if (perCoupon instanceof Numeric && perCoupon.unscaled > cap) {
          deepStrictEqual(ours.perCoupon, cap)
          return
        }
        deepStrictEqual(perCoupon, new Numeric(ours.perCoupon, 10))
        deepStrictEqual(unclaimed, new Numeric(ours.unclaimed, 10))
      }),
    )
  })

  test('a stepped rate charges each part of an amount at its own rate', () => {
    const dec = (of: bigint): Numeric => new Numeric(of * 10n ** 8n, 10)
    const step = (from: bigint, rate: bigint): Rec => new Rec([dec(from), dec(rate)])
    // 1% up to 100, 0.5% of the next 900 and nothing of the rest; amounts in hundredths.
    const steps = listOf([step(100_00n, 1n), step(1000_00n, 0n)])
    const charged = call('Fees', 'chargeSteppedRate', new Rec([dec(1n), steps]), dec(5000_00n))
    deepStrictEqual(elementsOf(steps).length, 2)
    deepStrictEqual(charged, dec(100n + 9n * 100n))
  })
})
