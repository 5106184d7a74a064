// The coin against itself: the same transfers by our template and by the released package's, which
// is evaluated. What they answer and what they create is the same to the last decimal.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { coin, lockedCoin } from '../../runtime/contracts/index.ts'
import { sum } from '../../runtime/engine/index.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError } from '../../runtime/packages/values/failure.ts'
import { elementsOf, Numeric, Rec, ValueMap, Variant } from '../../runtime/packages/values/value.ts'
import { ALICE, BOB, CAROL, testLedger } from '../support/ledger.ts'
import { coinProgram, startPackage, transferByOurs, transferInPackage } from './coin-transfers.ts'
import { skip, wire } from './released.ts'
import type { TransferResult } from '../../generated/contracts.gen.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { TestLedger } from '../support/ledger.ts'
import type { Case } from './coin-transfers.ts'
import type { ProgramLedger } from './program-ledger.ts'

const TEN = 10n ** 10n

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 1000n }),
  fc.bigInt({ min: 1n, max: 1000n }).map((whole) => whole * TEN),
  fc.bigInt({ min: 1n, max: 10n ** 14n }),
)
const cases: fc.Arbitrary<Case> = fc.record({
  coins: fc.array(amount, { minLength: 1, maxLength: 4 }),
  outputs: fc.array(
    fc.record({
      receiver: fc.constantFrom(ALICE, BOB, CAROL),
      amount,
      isLocked: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
})

let program: Packages
let linker: ProgramLinker

before(async () => {
  if (skip !== false) return
  program = await coinProgram()
  linker = new ProgramLinker(program)
})

const SUMMARY = [
  'inputAppRewardAmount',
  'inputValidatorRewardAmount',
  'inputSvRewardAmount',
  'inputCoinAmount',
  'holdingFees',
  'senderChangeFee',
  'senderChangeAmount',
] as const

/** The facts of both answers, in the same form. */
function ownAnswer({ summary }: TransferResult) {
  return {
    amounts: SUMMARY.map((name) => summary[name]),
    outputFees: summary.outputFees,
    balances: summary.balanceChanges.map(([party, change]) => [
      party,
      change.changeToInitialAmountAsOfRoundZero,
      change.changeToHoldingFeesRate,
    ]),
  }
}

function packageAnswer(ledger: ProgramLedger, result: Value) {
  const type = ledger.type(wire('CoinRules:TransferResult'))
  const summaryType = ledger.type(wire('CoinRules:TransferSummary'))
  const summary = ledger.field(type, result, 'summary')
  const of = (name: string) => ledger.field(summaryType, summary, wire(name))
  const balances = of('balanceChanges')
  ok(balances instanceof ValueMap)
  return {
    amounts: SUMMARY.map((name) => unscaled(of(name))),
    outputFees: listed(of('outputFees')).map(unscaled),
    balances: Array.from(balances.entries(), ({ key, value }) => {
      ok(value instanceof Rec)
      return [key, ...value.fields.map(unscaled)]
    }),
  }
}

function listed(value: Value): readonly Value[] {
  ok(value === null || (typeof value === 'object' && 'head' in value))
  return elementsOf(value)
}

function unscaled(value: Value): bigint {
  ok(value instanceof Numeric)
  return value.unscaled
}

/** Owner, amount, round and rate of a coin. */
type CoinFacts = readonly [owner: Value, amount: bigint, round: Value, rate: bigint]

function packageCoins(ledger: ProgramLedger, result: Value): readonly CoinFacts[] {
  const type = ledger.type(wire('CoinRules:TransferResult'))
  const created = listed(ledger.field(type, result, wire('createdCoins')))
  return created.map((each) => {
    ok(each instanceof Variant && typeof each.value === 'string')
    const { payload } = ledger.held(each.value)
    ok(payload instanceof Rec)
    const [inner] = payload.fields
    const plain = inner instanceof Rec ? inner : payload
    const [, owner, amountOf] = plain.fields
    ok(amountOf instanceof Rec)
    const [initial, round, rate] = amountOf.fields
    ok(round instanceof Rec && rate instanceof Rec)
    return [owner, unscaled(initial), round.fields[0], unscaled(rate.fields[0])]
  })
}

async function ownCoins(
  { reader }: TestLedger,
  { createdCoins }: TransferResult,
): Promise<readonly CoinFacts[]> {
  return Promise.all(
    createdCoins.map(async ({ tag, value }): Promise<CoinFacts> => {
      const plain =
        tag === 'TransferResultCoin'
          ? (await reader.get(coin, value))?.payload
          : (await reader.get(lockedCoin, value))?.payload.coin
      ok(plain !== undefined)
      const { initialAmount, createdAt, ratePerRound } = plain.amount
      return [plain.owner, initialAmount, createdAt, ratePerRound.rate]
    }),
  )
}

test(
  'a transfer by the package is what ours is, and is refused where ours is',
  { skip },
  async () => {
    const ours = await testLedger()
    const counts = { done: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async (of) => {
        const theirs = startPackage(program, linker, ours)
        const outcome = await transferByOurs(ours, of)
        if (!outcome.ok) {
          counts.refused += 1
          ok(sum(of.outputs.map(({ amount: each }) => each)) > sum(of.coins))
          let failed = false
          try {
            transferInPackage(theirs, of)
          } catch (error) {
            failed = error instanceof EvaluationError
          }
          ok(failed)
          return
        }
        counts.done += 1
        const result = transferInPackage(theirs, of)
        deepStrictEqual(packageAnswer(theirs.ledger, result), ownAnswer(outcome.result))
        deepStrictEqual(packageCoins(theirs.ledger, result), await ownCoins(ours, outcome.result))
      }),
      { numRuns: 60 },
    )
    ok(counts.done > 0 && counts.refused > 0)
  },
)
