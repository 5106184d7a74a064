// A full reading of a ledger, and the cheap ones: from the store and by the services' own answers.
import {
  acceptedTransferOffer,
  appRewardCoupon,
  closedMiningRound,
  coin,
  coinTransferInstruction,
  issuingMiningRound,
  lockedCoin,
  memberTraffic,
  openMiningRound,
  summarizingMiningRound,
  transferOffer,
  transferPreapproval,
  validatorLicense,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
} from '../../../runtime/contracts/index.ts'
import type { IssuingMiningRound, OpenMiningRound } from '../../../generated/contracts.gen.ts'
import type { KeyedBy, Template } from '../../../runtime/engine/index.ts'
import type { Economy } from '../../../runtime/economy/economy.ts'
import { trafficStatusOf } from '../../../runtime/interfaces/scan/participants.ts'
import { roundsForCache } from '../../../runtime/interfaces/scan/rounds.ts'
import { offerStatus } from '../../../runtime/economy/wallets/tracking.ts'
import { issue } from '../model/issuance.ts'
import type { Config, License, Round, Status, Traffic } from '../model/state.ts'
import type { PartyView, World } from '../world.ts'
import type { Histories } from './histories.ts'
import type { SeenBook } from './seen.ts'
import { seenOf } from './seen.ts'

export interface Reading {
  readonly economy: Economy
  readonly config: Config
  readonly book: SeenBook
  readonly histories: Histories
}

/** Totals and histories of each party of the configuration. */
export async function readParties({
  economy: { reader },
  config,
  book,
  histories,
}: Reading): Promise<readonly PartyView[]> {
  return Promise.all(
    config.parties.map(async (party) => {
      const id = book.parties.idOf(party)
      const [unlocked, locked, history] = await Promise.all([
        reader.total('unlocked', id),
        reader.total('locked', id),
        histories.sumOf(party),
      ])
      return {
        party,
        unlocked: unlocked.amount,
        locked: locked.amount,
        coins: Number(unlocked.count + locked.count),
        history,
      }
    }),
  )
}

/** All rounds that are there, by phase and number. */
export async function readRounds({
  economy: {
    reader,
    parties: { dso },
  },
  config,
  book,
}: Reading): Promise<readonly Round[]> {
  const of = async <T>(template: Template<T, KeyedBy<'dso'>>) =>
    (await reader.active(template, { dso }, { order: 'rank' })).map(({ payload }) => payload)
  const [open, summarizing, issuing, closed] = await Promise.all([
    of(openMiningRound),
    of(summarizingMiningRound),
    of(issuingMiningRound),
    of(closedMiningRound),
  ])
  const later = (round: bigint, phase: Round['phase']): Round => ({
    ...base(book, round),
    number: round,
    phase,
    opensAt: 0n,
    targetClosesAt: 0n,
    issuance: null,
  })
  return [
    ...open.map((round): Round => ({ ...openRound(round), number: round.round, phase: 'open' })),
    ...summarizing.map(({ round }) => later(round, 'summarizing')),
    ...issuing.map((round): Round => ({
      ...base(book, round.round),
      number: round.round,
      phase: 'issuing',
      opensAt: round.opensAt,
      targetClosesAt: round.targetClosesAt,
      issuance: issuanceOf(round, book.opened(round.round), config),
    })),
    ...closed.map(({ round }) => later(round, 'closed')),
  ]
}

function openRound({
  conversionRate: price,
  tickDuration: tick,
  opensAt,
  targetClosesAt,
  issuingFor,
}: OpenMiningRound) {
  return { price, tick, opensAt, targetClosesAt, issuingFor, issuance: null }
}

function base(book: SeenBook, round: bigint): Pick<Round, 'price' | 'tick' | 'issuingFor'> {
  const {
    conversionRate: price = 0n,
    tickDuration: tick = 0n,
    issuingFor = 0n,
  } = book.opened(round) ?? {}
  return { price, tick, issuingFor }
}

/**
 * Rates as the ledger has them; pools, which it does not keep, from the configuration that the
 * round froze.
 */
function issuanceOf(
  round: IssuingMiningRound,
  opened: OpenMiningRound | undefined,
  { fundShare }: Config,
): Round['issuance'] {
  if (opened === undefined) return null
  const { issuanceConfig: frozen, tickDuration, conversionRate } = opened
  const nothing = { validator: 0n, liveness: 0n, featured: 0n, unfeatured: 0n, svWeight: 0n }
  const segment = {
    from: 0n,
    coinsPerYear: frozen.coinToIssuePerYear,
    validatorShare: frozen.validatorRewardPercentage,
    appShare: frozen.appRewardPercentage,
    validatorCap: frozen.validatorRewardCap,
    featuredCap: frozen.featuredAppRewardCap,
    unfeaturedCap: frozen.unfeaturedAppRewardCap,
    faucetCapUsd: frozen.optValidatorFaucetCap ?? 0n,
  }
  return {
    ...issue(segment, tickDuration, conversionRate, nothing, fundShare),
    perValidator: round.issuancePerValidatorRewardCoupon,
    perLiveness: round.optIssuancePerValidatorFaucetCoupon ?? 0n,
    perFeatured: round.issuancePerFeaturedAppRewardCoupon,
    perUnfeatured: round.issuancePerUnfeaturedAppRewardCoupon,
    perSv: round.issuancePerSvRewardCoupon,
  }
}

/** Everything. */
export async function readWorld(reading: Reading): Promise<World> {
  const { economy, config, book } = reading
  const of = async <T>(template: Template<T>) =>
    (await economy.reader.all(template)).flatMap(({ record }) => seenOf(record, book.parties) ?? [])
  const seen = (
    await Promise.all([
      of(coin),
      of(lockedCoin),
      of(coinTransferInstruction),
      of(transferOffer),
      of(acceptedTransferOffer),
      of(transferPreapproval),
      of(appRewardCoupon),
      of(validatorRewardCoupon),
      of(validatorLivenessActivityRecord),
    ])
  ).flat()
  return {
    config,
    now: economy.clock.nowMicros(),
    parties: await readParties(reading),
    holdings: seen.flatMap((one) => (one.kind === 'holding' ? [one.value] : [])),
    instructions: seen.flatMap((one) => (one.kind === 'instruction' ? [one.value] : [])),
    offers: seen.flatMap((one) =>
      one.kind === 'offer' || one.kind === 'accepted' ? [one.value] : [],
    ),
    preapprovals: seen.flatMap((one) => (one.kind === 'preapproval' ? [one.value] : [])),
    coupons: seen.flatMap((one) => (one.kind === 'coupon' ? [one.value] : [])),
    rounds: await readRounds(reading),
    timeToLive: await timeToLive(economy),
    licenses: await readLicenses(reading),
    ...(await readTraffic(economy)),
    statuses: await readStatuses(reading),
    supply: (await economy.reader.total('supply', '')).amount,
  }
}

async function timeToLive(economy: Economy): Promise<bigint | undefined> {
  const answer = await roundsForCache(economy, {
    cached_open_mining_round_contract_ids: [],
    cached_issuing_round_contract_ids: [],
  })
  return 'time_to_live_in_microseconds' in answer
    ? BigInt(answer.time_to_live_in_microseconds)
    : undefined
}

async function readLicenses({
  economy: { reader },
  book,
}: Reading): Promise<ReadonlyMap<string, License>> {
  const found = await reader.all(validatorLicense)
  return new Map(
    found.flatMap(({ payload: { validator, faucetState } }) => {
      if (faucetState === null) return []
      const {
        firstReceivedFor: first,
        lastReceivedFor: last,
        numCouponsMissed: missed,
      } = faucetState
      const name = book.parties.nameOf(validator)
      return [[name, { first, last, missed, received: book.received(name) }] as const]
    }),
  )
}

async function readTraffic(economy: Economy): Promise<Pick<World, 'traffic' | 'trafficTargets'>> {
  const traffic = new Map<string, Traffic>()
  for (const { payload } of await economy.reader.all(memberTraffic)) {
    const { bytes, purchases, coins, usd } = traffic.get(payload.memberId) ?? {
      bytes: 0n,
      purchases: 0n,
      coins: 0n,
      usd: 0n,
    }
    traffic.set(payload.memberId, {
      bytes: bytes + payload.totalPurchased,
      purchases: purchases + payload.numPurchases,
      coins: coins + payload.coinSpent,
      usd: usd + payload.usdSpent,
    })
  }
  const targets = await Promise.all(
    [...traffic.keys()].map(async (member) => {
      const status = await trafficStatusOf(economy, economy.node.synchronizerId, member)
      return 'target' in status ? [[member, BigInt(status.target.total_purchased)] as const] : []
    }),
  )
  return { traffic, trafficTargets: new Map(targets.flat()) }
}

async function readStatuses({ economy, book }: Reading): Promise<ReadonlyMap<string, Status>> {
  const all = await Promise.all(
    [...book.tracked()].map(async ([key, { sender, trackingId }]) => {
      const status = await readStatus(economy, book.parties.idOf(sender), trackingId)
      return status === undefined ? [] : [[key, status] as const]
    }),
  )
  return new Map(all.flat())
}

/** The status of an offer in one word, why it failed included. */
export async function readStatus(
  { store }: Economy,
  senderId: string,
  trackingId: string,
): Promise<Status | undefined> {
  const status = await offerStatus(store, senderId, trackingId)
  return status?.status === 'failed' ? status.failure_kind : status?.status
}
