// A network on the real engine over an empty store: rules and super validators are there, time
// stands until a test moves it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { newStore } from '../support/test-store.ts'
import type {
  CoinConfig,
  DsoRules,
  OpenMiningRound,
  OpenMiningRoundSummary,
} from '../../generated/contracts.gen.ts'
import { coinRules } from '../../runtime/contracts/coin-rules.ts'
import { allTemplates } from '../../runtime/contracts/index.ts'
import { dsoRules } from '../../runtime/contracts/dso-rules.ts'
import {
  coinRulesAdvanceOpenMiningRounds,
  coinRulesBootstrapRounds,
  coinRulesMiningRoundStartIssuing,
} from '../../runtime/contracts/round-steps.ts'
import { openMiningRound, summarizingMiningRound } from '../../runtime/contracts/rounds.ts'
import { createEngine, createReader } from '../../runtime/engine/index.ts'
import type {
  Choice,
  Committed,
  Contract,
  KeyedBy,
  Reader,
  Rejected,
  Template,
} from '../../runtime/engine/index.ts'
import { dec, MINUTE, sampleConfig, TICK } from './sample-config.ts'
import { payersInTurn } from '../../runtime/work/order.ts'

export const DSO = 'dso::1220aa'
/** 2026-01-01T00:00:00Z */
export const GENESIS = 1_767_225_600_000_000n
export const PRICE = dec('0.005')

export const NO_ACTIVITY: OpenMiningRoundSummary = {
  totalValidatorRewardCoupons: 0n,
  totalFeaturedAppRewardCoupons: 0n,
  totalUnfeaturedAppRewardCoupons: 0n,
  totalSvRewardWeight: 0n,
  optTotalValidatorFaucetCoupons: 0n,
}

/** The party of the super validator with this number, from 1 on. */
export function sv(number: number): string {
  return `sv-${number}::1220bb`
}

export interface NetworkUnderTest {
  readonly reader: Reader
  now(): bigint
  /** The record time of the next update, where it is after the last one. */
  setTime(time: bigint): void
  submit<T, A, R>(
    actAs: string,
    choice: Choice<T, A, R>,
    contractId: string,
    argument: A,
  ): Promise<Committed<R> | Rejected>
  /** Fails the test where it is not refused for this reason. */
  denied<T, A, R>(
    kind: Rejected['kind'],
    actAs: string,
    choice: Choice<T, A, R>,
    contractId: string,
    argument: A,
  ): Promise<void>
  /** The result; fails the test where it is refused. */
  exercise<T, A, R>(
    actAs: string,
    choice: Choice<T, A, R>,
    contractId: string,
    argument: A,
  ): Promise<R>
  create<T>(template: Template<T>, payload: T): Promise<string>
  /** The refusal of a create by `actAs`. */
  refusalOfCreate<T>(actAs: string, template: Template<T>, payload: T): Promise<Rejected>
  coinRulesId(): Promise<string>
  dsoRulesId(): Promise<string>
  payload<T>(template: Template<T>, contractId: string): Promise<T>
}

export interface NetworkOptions {
  readonly config?: Partial<CoinConfig>
  readonly svs?: number
  readonly isDevNet?: boolean
}

/** Rules, but no round yet. */
export async function startNetwork({
  config = {},
  svs = 1,
  isDevNet = true,
}: NetworkOptions = {}): Promise<NetworkUnderTest> {
  let time = GENESIS
  const store = (await newStore()).contracts
  const engine = createEngine({
    order: payersInTurn,
    store,
    clock: { nowMicros: () => time },
    newSeed: () => randomBytes(32),
    templates: allTemplates,
    synchronizerId: 'network::sync',
  })
  const reader = createReader(store, engine.synchronizerId, engine.cache)
  const context = { userId: '', readAs: [DSO] }
  const network: NetworkUnderTest = {
    reader,
    now: () => time,
    setTime: (to) => void (time = to),
    submit: (actAs, choice, contractId, argument) =>
      engine.submit({
        ...context,
        actAs: [actAs],
        run: (tx) => tx.exercise(choice, contractId, argument),
      }),
    denied: async (kind, ...submission) => assertKind(await network.submit(...submission), kind),
    exercise: async (actAs, choice, contractId, argument) =>
      succeeded(await network.submit(actAs, choice, contractId, argument)).result,
    create: async (template, payload) =>
      succeeded(
        await engine.submit({
          ...context,
          actAs: [DSO],
          run: (tx) => tx.create(template, payload),
        }),
      ).result,
    refusalOfCreate: async (actAs, template, payload) =>
      refused(
        await engine.submit({
          ...context,
          actAs: [actAs],
          run: (tx) => tx.create(template, payload),
        }),
      ),
    coinRulesId: async () => (await theOnly(reader, coinRules)).id,
    dsoRulesId: async () => (await theOnly(reader, dsoRules)).id,
    payload: async (template, contractId) =>
      (await reader.get(template, contractId))?.payload ?? assert.fail('not active'),
  }
  const initialValue = { ...sampleConfig, ...config }
  await network.create(coinRules, {
    dso: DSO,
    configSchedule: { initialValue, futureValues: [] },
    isDevNet,
  })
  await network.create(dsoRules, dsoRulesOf(svs, isDevNet))
  return network
}

/** A network with three rounds, the first closing after two ticks. */
export async function startNetworkWithRounds(
  options: NetworkOptions = {},
): Promise<NetworkUnderTest> {
  const network = await startNetwork(options)
  await network.exercise(DSO, coinRulesBootstrapRounds, await network.coinRulesId(), {
    conversionRate: PRICE,
    round0Duration: 2n * TICK,
    initialRound: null,
    now: network.now(),
  })
  return network
}

/** Open rounds by number. */
export function openRounds({
  reader,
}: NetworkUnderTest): Promise<readonly Contract<OpenMiningRound>[]> {
  return reader.active(openMiningRound, { dso: DSO }, { order: 'rank' })
}

/** The open round with this number. */
export async function openRound(
  network: NetworkUnderTest,
  number: bigint,
): Promise<Contract<OpenMiningRound>> {
  return (
    (await openRounds(network)).find(({ payload }) => payload.round === number) ??
    assert.fail(`round ${number} is not open`)
  )
}

/** The argument that moves the open rounds on, at the time that it is. */
export async function advanceArgument(network: NetworkUnderTest) {
  const [oldest, middle, latest] = await openRounds(network)
  assert.ok(oldest && middle && latest)
  return {
    conversionRate: PRICE,
    roundToArchiveCid: oldest.id,
    middleRoundCid: middle.id,
    latestRoundCid: latest.id,
    now: network.now(),
  }
}

/**
 * Waits until the oldest round may close, closes it, and starts issuing for it. Answers the issuing
 * round's id.
 */
export async function issueNext(
  network: NetworkUnderTest,
  summary: OpenMiningRoundSummary,
): Promise<string> {
  const [oldest] = await openRounds(network)
  network.setTime((oldest ?? assert.fail('no open round')).payload.targetClosesAt + MINUTE)
  const rules = await network.coinRulesId()
  const { summarizingRoundCid } = await network.exercise(
    DSO,
    coinRulesAdvanceOpenMiningRounds,
    rules,
    await advanceArgument(network),
  )
  assert.ok(await network.reader.get(summarizingMiningRound, summarizingRoundCid))
  const argument = { miningRoundCid: summarizingRoundCid, summary, now: network.now() }
  return (await network.exercise(DSO, coinRulesMiningRoundStartIssuing, rules, argument))
    .issuingRoundCid
}

/** Fails the test where it is not refused. */
export function refused(outcome: Committed<unknown> | Rejected): Rejected {
  return outcome.ok ? assert.fail('it was not refused') : outcome
}

/** Fails the test where it is not refused for this reason. */
export function assertKind(outcome: Committed<unknown> | Rejected, kind: Rejected['kind']): void {
  assert.equal(refused(outcome).kind, kind, inspect(outcome))
}

/** Fails the test where it is refused, and says why. */
export function succeeded<R>(outcome: Committed<R> | Rejected): Committed<R> {
  return outcome.ok ? outcome : assert.fail(inspect(outcome))
}

/** Asserts a refusal by a requirement that says so. */
export function assertRequires(outcome: Committed<unknown> | Rejected, requirement: RegExp): void {
  const rejection = refused(outcome)
  assert.equal(rejection.kind, 'aborted', inspect(rejection))
  assert.match(rejection.kind === 'aborted' ? rejection.reason.message : '', requirement)
}

async function theOnly<T>(
  reader: Reader,
  template: Template<T, KeyedBy<'dso'>>,
): Promise<Contract<T>> {
  const [contract, other] = await reader.active(template, { dso: DSO })
  assert.equal(other, undefined)
  return contract ?? assert.fail(`no ${template.type.name}`)
}

function dsoRulesOf(svs: number, isDevNet: boolean): DsoRules {
  const numbers = Array.from({ length: svs }, (_, index) => index + 1)
  return {
    dso: DSO,
    epoch: 0n,
    svs: numbers.map((number) => [
      sv(number),
      {
        name: `sv-${number}`,
        joinedAsOfRound: 0n,
        svRewardWeight: 10_000n,
        participantId: `PAR::sv-${number}`,
      },
    ]),
    offboardedSvs: [],
    dsoDelegate: sv(1),
    config: {
      numUnclaimedRewardsThreshold: 10n,
      numMemberTrafficContractsThreshold: 5n,
      voteRequestTimeout: 7n * 24n * 60n * MINUTE,
      maxTextLength: 1_024n,
      voteCooldownTime: null,
    },
    initialTrafficState: [],
    isDevNet,
  }
}
