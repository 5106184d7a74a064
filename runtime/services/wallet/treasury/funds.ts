// What a party has to pay with: its coins, the rewards that can be minted now, and the rules and rounds that a payment refers to.
// domain/behaviour.md §2, §7, §11
import {
  appRewardCoupon, coin, configOf, developmentFundCoupon, lockedCoin, svRewardCoupon, unclaimedActivityRecord,
  validatorLivenessActivityRecord, validatorRewardCoupon, validatorRight,
} from '../../../contracts/index.ts'
import type {
  AppRewardCoupon, IssuingMiningRound, PaymentTransferContext, TransferInput,
} from '../../../../generated/contracts.gen.ts'
import { decimalOf, multiply } from '../../../ledger/decimal.ts'
import type { Contract } from '../../../ledger/index.ts'
import type { Economy } from '../../economy.ts'
import type { RewardInput, Selectable } from './select-inputs.ts'

/** More coupons of one kind than a payment takes; the rest waits for the next one. */
const MAX_COUPONS = 200

export interface Funds extends Selectable {
  readonly context: PaymentTransferContext
  /** Whose coupons are among the rewards, besides the party's own. */
  readonly users: readonly string[]
  readonly maxNumInputs: number
}

/** The party's funds as of now; undefined while no round is open. */
export async function readFunds(economy: Economy, party: string): Promise<Funds | undefined> {
  const { network } = economy
  const [rules, round, issuing] = await Promise.all([network.coinRules(), network.usableRound(), usableIssuingRounds(economy)])
  if (round === undefined) return undefined
  const maxNumInputs = Number(configOf(rules.payload).transferConfig.maxNumInputs)
  const [coins, rewards, validatorCoupons, timed] = await Promise.all([
    readCoins(economy, party, maxNumInputs),
    readOwnRewards(economy, party, issuing),
    readValidatorCoupons(economy, party, issuing),
    readTimedRewards(economy, party, configOf(rules.payload).developmentFundManagerBlacklist ?? []),
  ])
  const context: PaymentTransferContext = {
    coinRules: rules.id,
    context: {
      openMiningRound: round.id,
      issuingMiningRounds: [...issuing.values()].map(({ id, payload }) => [payload.round, id]),
      validatorRights: validatorCoupons.rights,
      featuredAppRight: null,
    },
  }
  const users = validatorCoupons.rights.map(([user]) => user)
  return { context, users, maxNumInputs, ...coins, ...timed, rewards: [...rewards, ...validatorCoupons.rewards] }
}

/**
 * The holdings that a token-standard transfer takes: unlocked coins, largest first, then coins whose lock has expired; at most as many
 * as a transfer may have.
 */
export async function readHoldings(economy: Economy, party: string): Promise<readonly string[]> {
  const rules = await economy.network.coinRules()
  const limit = Number(configOf(rules.payload).transferConfig.maxNumInputs)
  const [coins, locked] = await Promise.all([
    economy.reader.active(coin, { key: [1, party], order: 'rank-desc', limit }),
    economy.reader.active(lockedCoin, { key: [1, party], order: 'rank-desc', limit }),
  ])
  const now = economy.clock.nowMicros()
  const expired = locked.filter(({ payload }) => payload.lock.expiresAt <= now)
  return [...coins, ...expired].map(({ id }) => id).slice(0, limit)
}

async function readCoins({ reader }: Economy, party: string, limit: number): Promise<Pick<Selectable, 'coins' | 'coinCount'>> {
  const [largest, { count }] = await Promise.all([
    reader.active(coin, { key: [1, party], order: 'rank-desc', limit }),
    reader.total('unlocked', party),
  ])
  return { coins: largest.map(({ id }) => id), coinCount: Number(count) }
}

type IssuingRounds = ReadonlyMap<bigint, Contract<IssuingMiningRound>>

async function usableIssuingRounds({ network, clock }: Economy): Promise<IssuingRounds> {
  const now = clock.nowMicros()
  const usable = (await network.issuingRounds()).filter(({ payload }) => payload.opensAt <= now)
  return new Map(usable.map((round) => [round.payload.round, round]))
}

async function readOwnRewards({ reader }: Economy, party: string, issuing: IssuingRounds): Promise<readonly RewardInput[]> {
  if (issuing.size === 0) return []
  const latest = [...issuing.keys()].reduce((a, b) => (a > b ? a : b))
  const page = { key: [1, party], order: 'rank-desc', maxRank: latest, limit: MAX_COUPONS } as const
  const [app, sv, liveness] = await Promise.all([
    reader.active(appRewardCoupon, page),
    reader.active(svRewardCoupon, page),
    reader.active(validatorLivenessActivityRecord, page),
  ])
  return [
    ...app.flatMap(({ id, payload }) =>
      mintable('InputAppRewardCoupon', id, payload.round, issuing, (round) => multiply(payload.amount, appRate(payload, round)))),
    ...sv.flatMap(({ id, payload }) => mintable('InputSvRewardCoupon', id, payload.round, issuing, (round) =>
      multiply(decimalOf(payload.weight), round.issuancePerSvRewardCoupon))),
    ...liveness.flatMap(({ id, payload }) => mintable('InputValidatorLivenessActivityRecord', id, payload.round, issuing, (round) =>
      round.optIssuancePerValidatorFaucetCoupon ?? 0n)),
  ]
}

function appRate({ featured }: AppRewardCoupon, round: IssuingMiningRound): bigint {
  return featured ? round.issuancePerFeaturedAppRewardCoupon : round.issuancePerUnfeaturedAppRewardCoupon
}

function mintable(
  tag: TransferInput['tag'], value: string, round: bigint, issuing: IssuingRounds, worth: (round: IssuingMiningRound) => bigint,
): readonly RewardInput[] {
  const found = issuing.get(round)
  return found === undefined ? [] : [{ input: { tag, value }, round, value: worth(found.payload) }]
}

interface ValidatorCoupons {
  readonly rewards: readonly RewardInput[]
  readonly rights: readonly (readonly [string, string])[]
}

/** Coupons of all users whose validator the party is: looked for by round, since users may be many and coupons are few. */
async function readValidatorCoupons(economy: Economy, party: string, issuing: IssuingRounds): Promise<ValidatorCoupons> {
  const { reader, parties } = economy
  if (party !== parties.operator || issuing.size === 0) return { rewards: [], rights: [] }
  const pages = await Promise.all([...issuing.keys()].map((round) =>
    reader.active(validatorRewardCoupon, { key: [3, round.toString()], order: 'created', limit: MAX_COUPONS })))
  const coupons = pages.flat()
  const rights = await rightsOver(economy, party, [...new Set(coupons.map(({ payload }) => payload.user))])
  const rewards = coupons.filter(({ payload }) => rights.has(payload.user)).flatMap(({ id, payload }) =>
    mintable('InputValidatorRewardCoupon', id, payload.round, issuing, (round) =>
      multiply(payload.amount, round.issuancePerValidatorRewardCoupon)))
  return { rewards, rights: [...rights] }
}

async function rightsOver({ reader }: Economy, validator: string, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(users.map(async (user) => {
    const rights = await reader.active(validatorRight, { key: [1, user], order: 'created', limit: MAX_COUPONS })
    return rights.find(({ payload }) => payload.validator === validator)
  }))
  return new Map(found.flatMap((right) => (right === undefined ? [] : [[right.payload.user, right.id]])))
}

type TimedRewards = Pick<Selectable, 'unclaimedActivity' | 'developmentFund'>

async function readTimedRewards({ reader, clock }: Economy, party: string, barred: readonly string[]): Promise<TimedRewards> {
  const now = clock.nowMicros()
  const page = { key: [1, party], order: 'rank', limit: MAX_COUPONS } as const
  const [records, coupons] = await Promise.all([reader.active(unclaimedActivityRecord, page), reader.active(developmentFundCoupon, page)])
  return {
    unclaimedActivity: records.filter(({ payload }) => now < payload.expiresAt)
      .map(({ id }) => ({ tag: 'InputUnclaimedActivityRecord', value: id })),
    developmentFund: coupons.filter(({ payload: { mintAfter, expiresAt, fundManager } }) =>
      (mintAfter ?? now) <= now && now < expiresAt && !barred.includes(fundManager))
      .map(({ id }) => ({ tag: 'InputDevelopmentFundCoupon', value: id })),
  }
}
