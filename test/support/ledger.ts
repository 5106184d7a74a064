// A ledger on an empty store with the network's rules, one open round and a clock that the test
// moves: contracts are tried out on the real engine.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { newStore } from './test-store.ts'
import {
  allTemplates,
  coin,
  coinRules,
  externalPartyCoinRules,
  issuingMiningRound,
  lockedCoin,
  openMiningRound,
} from '../../runtime/contracts/index.ts'
import { simulatedClock } from '../../runtime/host/clock.ts'
import { createEngine, createReader, decimalOf, parseDecimal } from '../../runtime/engine/index.ts'
import { initialCoinConfig } from '../../runtime/economy/network/initial-config.ts'
import { networkSection } from '../../runtime/economy/network/settings.ts'
import type { ChoiceType } from '../../generated/contract-codec.gen.ts'
import type {
  CoinConfig,
  IssuingMiningRound,
  OpenMiningRound,
  TransferContext,
  TransferInput,
  TransferOutput,
  TransferPreapproval,
} from '../../generated/contracts.gen.ts'
import type { SimulatedClock } from '../../runtime/host/clock.ts'
import type {
  Choice,
  Committed,
  Engine,
  Reader,
  Rejected,
  Submission,
  Template,
  Tx,
} from '../../runtime/engine/index.ts'
import { payersInTurn } from '../../runtime/work/order.ts'

export const [DSO, ALICE, BOB, CAROL] = ['dso::12', 'alice::12', 'bob::12', 'carol::12'] as const
export const SYNCHRONIZER = 'net::12'
/** Start of the test's clock, microseconds. */
export const START = 1_800_000_000_000_000n
export const SECOND = 1_000_000n
export const DAY = 86_400n * SECOND

/** The decimal that the text says. */
export function dec(text: string): bigint {
  const value = parseDecimal(text)
  assert.ok(value !== undefined, `${text} is a decimal`)
  return value
}

export interface TestLedger {
  readonly engine: Engine
  readonly reader: Reader
  readonly clock: SimulatedClock
  readonly config: CoinConfig
  /** Contract ids of the rules. */
  readonly rules: string
  readonly factory: string
  /** Round 3: the open round that every ledger starts with. */
  readonly round: string
  /** Everything that the network signed is disclosed. */
  submit<R>(
    actAs: readonly string[],
    run: (tx: Tx) => R,
    options?: Partial<Submission<R>>,
  ): Promise<Committed<R> | Rejected>
  /** Submits like `submit`; fails the test if it is refused. */
  done<R>(
    actAs: readonly string[],
    run: (tx: Tx) => R,
    options?: Partial<Submission<R>>,
  ): Promise<R>
  /** Submits like `submit`; fails the test unless it is refused. */
  refused(actAs: readonly string[], run: (tx: Tx) => unknown): Promise<Rejected>
  /** As `refused`; fails the test where it is for another reason. */
  denied(kind: Rejected['kind'], actAs: readonly string[], run: (tx: Tx) => unknown): Promise<void>
  /** Created by the network and whoever else signs it. */
  create<T>(template: Template<T>, payload: T, ...others: readonly string[]): Promise<string>
  /** Coins of `owner`, one an amount. */
  coins(owner: string, ...amounts: readonly string[]): Promise<string[]>
  openRound(change: Partial<OpenMiningRound>): Promise<string>
  issuingRound(change: Partial<IssuingMiningRound>): Promise<string>
  /** Initial amounts of active coins, unlocked and locked, largest first. */
  held(
    owner: string,
  ): Promise<{ readonly unlocked: readonly bigint[]; readonly locked: readonly bigint[] }>
  move(micros: bigint): void
}

export interface TestLedgerOptions {
  readonly isDevNet?: boolean
  readonly config?: (initial: CoinConfig) => CoinConfig
}

/** Price 0.005, so that a coin's holding fee is 200 x 0.0000190259 a round. */
export async function testLedger(options: TestLedgerOptions = {}): Promise<TestLedger> {
  const clock = simulatedClock(START)
  const store = (await newStore()).contracts
  const newSeed = () => new Uint8Array(randomBytes(32))
  const engine = createEngine({
    order: payersInTurn,
    store,
    clock,
    newSeed,
    templates: allTemplates,
    synchronizerId: SYNCHRONIZER,
  })
  const reader = createReader(store, engine.synchronizerId, engine.cache)
  const config = (options.config ?? ((initial) => initial))(initialConfig())
  const isDevNet = options.isDevNet ?? true
  const submit: TestLedger['submit'] = async (actAs, run, more = {}) => {
    const disclosedContracts = [
      ...(await disclosuresOf(reader)),
      ...(more.disclosedContracts ?? []),
    ]
    return engine.submit({ actAs, run, userId: 'test', ...more, disclosedContracts })
  }
  const done: TestLedger['done'] = async (actAs, run, more) => {
    const outcome = await submit(actAs, run, more)
    if (!outcome.ok) assert.fail(`refused: ${describe(outcome)}`)
    return outcome.result
  }
  const refused: TestLedger['refused'] = async (actAs, run) => {
    const outcome = await submit(actAs, run)
    return outcome.ok ? assert.fail('not refused') : outcome
  }
  const create: TestLedger['create'] = (template, payload, ...others) =>
    done([DSO, ...others], creating(template, payload))
  const openRound = (change: Partial<OpenMiningRound>) =>
    create(openMiningRound, { ...openRoundOf(config), ...change })
  const configSchedule = { initialValue: config, futureValues: [] }
  return {
    engine,
    reader,
    clock,
    config,
    rules: await create(coinRules, { dso: DSO, configSchedule, isDevNet }),
    factory: await create(externalPartyCoinRules, { dso: DSO }),
    round: await openRound({}),
    submit,
    done,
    create,
    openRound,
    refused,
    denied: async (kind, actAs, run) => {
      const rejection = await refused(actAs, run)
      assert.equal(rejection.kind, kind, describe(rejection))
    },
    coins: (owner, ...amounts) =>
      done([DSO, owner], (tx) =>
        amounts.map((amount) => tx.create(coin, coinOf(owner, dec(amount)))),
      ),
    issuingRound: (change) => create(issuingMiningRound, { ...ISSUING, ...change }),
    held: async (owner) => {
      const page = { order: 'rank-desc' } as const
      const [unlocked, locked] = await Promise.all([
        reader.active(coin, { owner }, page),
        reader.active(lockedCoin, { owner }, page),
      ])
      return {
        unlocked: unlocked.map(({ payload }) => payload.amount.initialAmount),
        locked: locked.map(({ payload }) => payload.coin.amount.initialAmount),
      }
    },
    move: (micros) => assert.ok(clock.moveTo(clock.nowMicros() + micros)),
  }
}

/** Transactions of one command. */
export const creating =
  <T>(template: Template<T>, payload: T) =>
  (tx: Tx): string =>
    tx.create(template, payload)
export const exercising =
  <T, A, R>(choice: Choice<T, A, R>, contractId: string, argument: A) =>
  (tx: Tx): R =>
    tx.exercise(choice, contractId, argument)
export const exercisingInterface =
  <A, R>(choice: ChoiceType<A, R>, contractId: string, argument: A) =>
  (tx: Tx): R =>
    tx.exerciseInterface(choice, contractId, argument)

/** A coin of round 3, with that round's rate. */
export function coinOf(owner: string, initialAmount: bigint) {
  return {
    dso: DSO,
    owner,
    amount: { initialAmount, createdAt: 3n, ratePerRound: { rate: dec('0.00380518') } },
  }
}

/** The context of a transfer in the ledger's first round. */
export function contextOf(
  ledger: TestLedger,
  change: Partial<TransferContext> = {},
): TransferContext {
  return {
    openMiningRound: ledger.round,
    issuingMiningRounds: [],
    validatorRights: [],
    featuredAppRight: null,
    ...change,
  }
}

export function inputsOf(coinIds: readonly string[]): readonly TransferInput[] {
  return coinIds.map((value) => ({ tag: 'InputCoin', value }))
}

export function output(
  receiver: string,
  amount: string,
  lock: TransferOutput['lock'] = null,
): TransferOutput {
  return { receiver, receiverFeeRatio: 0n, amount: dec(amount), lock, meta: null }
}

/** Valid from the start for 90 days. */
export function preapprovalOf(receiver: string, provider: string): TransferPreapproval {
  return {
    dso: DSO,
    receiver,
    provider,
    validFrom: START,
    lastRenewedAt: START,
    expiresAt: START + 90n * DAY,
  }
}

/** A refusal in a line: its kind, then the fault's id or message. */
export function describe(rejection: Rejected): string {
  if (rejection.kind === 'aborted')
    return `aborted ${rejection.reason.id} ${rejection.reason.message}`.trim()
  return rejection.kind === 'invalid' ? `invalid ${rejection.reason}` : rejection.kind
}

async function disclosuresOf(reader: Reader) {
  const all = await Promise.all([
    reader.all(openMiningRound),
    reader.all(issuingMiningRound),
    reader.all(coinRules),
    reader.all(externalPartyCoinRules),
  ])
  return all.flat().map(({ record }) => record)
}

function initialConfig(): CoinConfig {
  const network = { ...networkSection.parse({}), isDevNet: true, developmentFundPercentage: 0n }
  return initialCoinConfig(
    network,
    { dso: DSO, sv: 'sv::12', operator: BOB, member: 'PAR::node::12' },
    SYNCHRONIZER,
  )
}

function openRoundOf(config: CoinConfig): OpenMiningRound {
  return {
    dso: DSO,
    round: 3n,
    conversionRate: dec('0.005'),
    opensAt: START - 600n * SECOND,
    targetClosesAt: START + 600n * SECOND,
    issuingFor: 0n,
    transferConfigUsd: config.transferConfig,
    issuanceConfig: config.issuanceCurve.initialValue,
    tickDuration: 600n * SECOND,
    trafficPrice: null,
  }
}

const ISSUING: IssuingMiningRound = {
  dso: DSO,
  round: 1n,
  issuancePerValidatorRewardCoupon: dec('0.2'),
  issuancePerFeaturedAppRewardCoupon: decimalOf(100n),
  issuancePerUnfeaturedAppRewardCoupon: dec('0.6'),
  issuancePerSvRewardCoupon: dec('12.5'),
  opensAt: START - SECOND,
  targetClosesAt: START + 600n * SECOND,
  optIssuancePerValidatorFaucetCoupon: decimalOf(570n),
}
