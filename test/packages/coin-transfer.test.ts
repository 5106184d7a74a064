// The coin against itself: the same transfers by our template and by the released package's, which
// is evaluated. What they answer and what they create is the same to the last decimal.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { renamer } from '../../codegen/vocabulary/words.ts'
import { coin, coinRulesTransfer, lockedCoin } from '../../runtime/contracts/index.ts'
import { formatDecimal, sum } from '../../runtime/engine/index.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError } from '../../runtime/packages/values/failure.ts'
import { elementsOf, Numeric, Rec, ValueMap, Variant } from '../../runtime/packages/values/value.ts'
import {
  ALICE,
  BOB,
  CAROL,
  contextOf,
  DSO,
  exercising,
  START,
  testLedger,
} from '../support/ledger.ts'
import { ROOT } from '../support/service.ts'
import { ProgramLedger } from './program-ledger.ts'
import { archivesIn, dars, programOf, skip } from './released.ts'
import type { TransferOutput, TransferResult } from '../../generated/contracts.gen.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { TestLedger } from '../support/ledger.ts'
import type { Written } from './program-ledger.ts'

const TEN = 10n ** 10n
const RATE = '0.00380518'

const { vocabulary } = loadVocabulary(join(ROOT, 'spec/presets/network-0.6.yaml'))
/** A name in the public network's words. */
const wire = renamer(vocabulary, 'module')

interface Case {
  readonly coins: readonly bigint[]
  readonly outputs: readonly {
    readonly receiver: string
    readonly amount: bigint
    isLocked: boolean
  }[]
}

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
  const [first = ''] = dars
  const line = first.replace(/[\d.]+dar$/, '')
  const versions = dars.filter((name) => name.replace(/[\d.]+dar$/, '') === line)
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  program = programOf((await archivesIn(newest ?? first)).values())
  linker = new ProgramLinker(program)
})

/** The configuration that our test ledger has, in the package's words. */
function configOf({ config }: TestLedger) {
  const { transferConfig } = config
  const fee = { fee: '0.0' }
  const written = {
    createFee: fee,
    holdingFee: { rate: formatDecimal(transferConfig.holdingFee.rate) },
    transferFee: { initialRate: '0.0', steps: [] },
    lockHolderFee: fee,
    extraFeaturedAppRewardAmount: formatDecimal(transferConfig.extraFeaturedAppRewardAmount),
    maxNumInputs: transferConfig.maxNumInputs,
    maxNumOutputs: transferConfig.maxNumOutputs,
    maxNumLockHolders: transferConfig.maxNumLockHolders,
  }
  const issuance = {
    [wire('coinToIssuePerYear')]: '40000000000.0',
    validatorRewardPercentage: '0.05',
    appRewardPercentage: '0.15',
    validatorRewardCap: '0.2',
    featuredAppRewardCap: '100.0',
    unfeaturedAppRewardCap: '0.6',
  }
  return { transferConfig: written, issuance }
}

const TICK = { microseconds: 600_000_000n }

/** Rules and a round like those of our ledger, in the package's. */
function startPackage(ours: TestLedger) {
  const ledger = new ProgramLedger(program, linker, START)
  const { transferConfig, issuance } = configOf(ours)
  const create = (type: string, payload: Written): string => {
    const reference = ledger.type(wire(type))
    return ledger.create(reference, ledger.value(reference, payload))
  }
  const packageConfig = ['coin', 'coinNameService', 'dsoGovernance', 'validatorLifecycle']
    .concat('wallet', 'walletPayments')
    .map((name): [string, string] => [wire(name), '0.1.0'])
  const initialValue = {
    transferConfig,
    issuanceCurve: { initialValue: issuance, futureValues: [] },
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: [['s', undefined]] },
      activeSynchronizer: 's',
      fees: {
        baseRateTrafficLimits: { burstAmount: 1n, burstWindow: TICK },
        extraTrafficPrice: '1.0',
        readVsWriteScalingFactor: 1n,
        minTopupAmount: 1n,
      },
    },
    tickDuration: TICK,
    packageConfig: Object.fromEntries(packageConfig),
    featuredAppActivityMarkerAmount: transferConfig.extraFeaturedAppRewardAmount,
  }
  const rules = create('CoinRules:CoinRules', {
    dso: DSO,
    configSchedule: { initialValue, futureValues: [] },
    isDevNet: true,
  })
  const round = create('Round:OpenMiningRound', {
    dso: DSO,
    round: { number: 3n },
    [wire('coinPrice')]: '0.005',
    opensAt: START - 1n,
    targetClosesAt: START + 10n ** 12n,
    issuingFor: TICK,
    transferConfigUsd: transferConfig,
    issuanceConfig: issuance,
    tickDuration: TICK,
  })
  return { ledger, rules, round, create }
}

type Started = ReturnType<typeof startPackage>

function transferInPackage({ ledger, rules, round, create }: Started, { coins, outputs }: Case) {
  const inputs = coins.map((initialAmount) => ({
    [wire('InputCoin')]: create('Coin:Coin', {
      dso: DSO,
      owner: ALICE,
      amount: {
        initialAmount: formatDecimal(initialAmount),
        createdAt: { number: 3n },
        ratePerRound: { rate: RATE },
      },
    }),
  }))
  const argument = {
    transfer: {
      sender: ALICE,
      provider: ALICE,
      inputs,
      outputs: outputs.map(({ receiver, amount: of, isLocked }) => ({
        receiver,
        receiverFeeRatio: '0.0',
        amount: formatDecimal(of),
        lock: isLocked ? { holders: [DSO], expiresAt: START + 1_000_000n } : null,
      })),
    },
    context: { openMiningRound: round, issuingMiningRounds: [], validatorRights: [] },
    expectedDso: DSO,
  }
  const type = ledger.type(wire('CoinRules:CoinRules_Transfer'))
  return ledger.exercise({
    on: ledger.type(wire('CoinRules:CoinRules')),
    isInterface: false,
    choice: wire('CoinRules_Transfer'),
    contractId: rules,
    argument: ledger.value(type, argument),
  })
}

async function transferByOurs(ledger: TestLedger, { coins, outputs }: Case) {
  const ids = await ledger.coins(ALICE, ...coins.map(formatDecimal))
  const transfer = {
    sender: ALICE,
    provider: ALICE,
    inputs: ids.map((value) => ({ tag: 'InputCoin', value }) as const),
    outputs: outputs.map(({ receiver, amount: of, isLocked }): TransferOutput => ({
      receiver,
      receiverFeeRatio: 0n,
      amount: of,
      lock: isLocked ? { holders: [DSO], expiresAt: START + 1_000_000n, optContext: null } : null,
      meta: null,
    })),
    beneficiaries: null,
  }
  const argument = { transfer, context: contextOf(ledger), expectedDso: DSO }
  const acting = [ALICE, BOB, CAROL, DSO]
  return ledger.submit(acting, exercising(coinRulesTransfer, ledger.rules, argument))
}

const SUMMARY = [
  'inputAppRewardAmount',
  'inputValidatorRewardAmount',
  'inputSvRewardAmount',
  'inputCoinAmount',
  'holdingFees',
  'senderChangeFee',
  'senderChangeAmount',
] as const

/** What both answers say, in the same form. */
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
        const theirs = startPackage(ours)
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
