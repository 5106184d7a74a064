// What a party has to pay with: its coins, the rewards that can be minted now, and the rules and
// rounds that a payment refers to. docs/economy-rules.md, "Treasury"
import {
  appRewardCoupon,
  coin,
  configOf,
  developmentFundCoupon,
  lockedCoin,
  svRewardCoupon,
  unclaimedActivityRecord,
  validatorLivenessActivityRecord,
} from '../../contracts/index.ts'
import type {
  AppRewardCoupon,
  IssuingMiningRound,
  PaymentTransferContext,
  TransferInput,
} from '../../../generated/contracts.gen.ts'
import { decimalOf, multiply } from '../../engine/decimal.ts'
import type { Contract, KeyedBy, Reader, Template } from '../../engine/index.ts'
import type { ActivePosition } from '../../store/store.ts'
import { LAST_SEQUENCE } from '../next-rank.ts'
import type { Economy } from '../economy.ts'
import type { RewardInput, Selectable } from './select-inputs.ts'
import { readValidatorCoupons, usableIssuingRounds } from './validator-coupons.ts'
import type { IssuingRounds } from './validator-coupons.ts'

/** More coupons of one kind than a payment takes; the rest waits for the next one. */
const MAX_COUPONS = 200

/** A party's inputs to choose from, and the context that a payment with them names. */
export interface Funds extends Selectable {
  readonly context: PaymentTransferContext
  /** Users whose coupons are among the rewards, besides the party's own. */
  readonly users: readonly string[]
  readonly maxNumInputs: number
  /** There may be more of the party's own coupons, which the first ones hide. */
  readonly hasMoreRewards: boolean
}

/**
 * The party's funds as of now; undefined while no round is open.
 *
 * @param validatorCoupons ids of the coupons of users that are to be among the rewards, in place of
 *   the oldest
 */
export async function readFunds(
  economy: Economy,
  party: string,
  validatorCoupons?: readonly string[],
): Promise<Funds | undefined> {
  const { network } = economy
  const [rules, round, issuing, grants] = await Promise.all([
    network.coinRules(),
    network.usableRound(),
    usableIssuingRounds(economy),
    network.grants(),
  ])
  if (round === undefined) return undefined
  const maxNumInputs = Number(configOf(rules.payload).transferConfig.maxNumInputs)
  const [coins, own, ofUsers, unclaimedActivity, developmentFund] = await Promise.all([
    readCoins(economy, party, maxNumInputs),
    readOwnRewards(economy, party, issuing),
    readValidatorCoupons(economy, party, issuing, validatorCoupons),
    readUnclaimedActivity(economy, party, grants.activity),
    readDevelopmentFund(
      economy,
      party,
      grants.fund ? (configOf(rules.payload).developmentFundManagerBlacklist ?? []) : undefined,
    ),
  ])
  const context: PaymentTransferContext = {
    coinRules: rules.id,
    context: {
      openMiningRound: round.id,
      issuingMiningRounds: [...issuing.values()].map(({ id, payload }) => [payload.round, id]),
      validatorRights: ofUsers.rights,
      featuredAppRight: null,
    },
  }
  const users = ofUsers.rights.map(([user]) => user)
  return {
    context,
    users,
    maxNumInputs,
    ...coins,
    unclaimedActivity,
    developmentFund,
    rewards: [...own.rewards, ...ofUsers.rewards],
    hasMoreRewards: own.hasMore,
  }
}

/**
 * The holdings that a token-standard transfer takes: unlocked coins, largest first, then coins
 * whose lock has expired; at most as many as a transfer may have.
 */
export async function readHoldings(
  economy: Pick<Economy, 'clock' | 'network' | 'reader'>,
  party: string,
): Promise<readonly string[]> {
  const rules = await economy.network.coinRules()
  const limit = Number(configOf(rules.payload).transferConfig.maxNumInputs)
  const [coins, locked] = await Promise.all([
    economy.reader.active(coin, { owner: party }, { order: 'rank-desc', limit }),
    economy.reader.active(lockedCoin, { owner: party }, { order: 'rank-desc', limit }),
  ])
  const now = economy.clock.nowMicros()
  const expired = locked.filter(({ payload }) => payload.lock.expiresAt <= now)
  return [...coins, ...expired].map(({ id }) => id).slice(0, limit)
}

async function readCoins(
  { reader }: Pick<Economy, 'reader'>,
  party: string,
  limit: number,
): Promise<Pick<Selectable, 'coins' | 'coinCount'>> {
  const largest = await reader.active(coin, { owner: party }, { order: 'rank-desc', limit })
  const coinCount =
    largest.length < limit ? largest.length : Number((await reader.total('unlocked', party)).count)
  return { coins: largest.map(({ id }) => id), coinCount }
}

interface OwnRewards {
  readonly rewards: readonly RewardInput[]
  readonly hasMore: boolean
}

/**
 * The first of each kind. Those behind them come to light once the first ones are minted, be they
 * worth something or not.
 */
async function readOwnRewards(
  { reader }: Pick<Economy, 'reader'>,
  party: string,
  issuing: IssuingRounds,
): Promise<OwnRewards> {
  const [earliest] = issuing.keys()
  const latest = [...issuing.keys()].at(-1)
  if (earliest === undefined || latest === undefined) return { rewards: [], hasMore: false }
  // Those of the round that ends first come first, and none of rounds that have ended already.
  const page = {
    order: 'rank',
    maxRank: latest,
    limit: MAX_COUPONS,
    ...ranksAbove(earliest - 1n),
  } as const
  const [app, sv, liveness] = await Promise.all([
    reader.active(appRewardCoupon, { beneficiary: party }, page),
    reader.active(svRewardCoupon, { beneficiary: party }, page),
    reader.active(validatorLivenessActivityRecord, { validator: party }, page),
  ])
  const rewards = [
    ...app.flatMap(({ id, payload }) =>
      mintable('InputAppRewardCoupon', id, payload.round, issuing, (round) =>
        multiply(payload.amount, appRate(payload, round)),
      ),
    ),
    ...sv.flatMap(({ id, payload }) =>
      mintable('InputSvRewardCoupon', id, payload.round, issuing, (round) =>
        multiply(decimalOf(payload.weight), round.issuancePerSvRewardCoupon),
      ),
    ),
    ...liveness.flatMap(({ id, payload }) =>
      mintable(
        'InputValidatorLivenessActivityRecord',
        id,
        payload.round,
        issuing,
        (round) => round.optIssuancePerValidatorFaucetCoupon ?? 0n,
      ),
    ),
  ]
  return { rewards, hasMore: [app, sv, liveness].some(({ length }) => length === MAX_COUPONS) }
}

function appRate({ featured }: AppRewardCoupon, round: IssuingMiningRound): bigint {
  return featured
    ? round.issuancePerFeaturedAppRewardCoupon
    : round.issuancePerUnfeaturedAppRewardCoupon
}

function mintable(
  tag: TransferInput['tag'],
  value: string,
  round: bigint,
  issuing: IssuingRounds,
  worth: (round: IssuingMiningRound) => bigint,
): readonly RewardInput[] {
  const found = issuing.get(round)
  return found === undefined ? [] : [{ input: { tag, value }, round, value: worth(found.payload) }]
}

/** Most networks have none of either; then nothing is asked for the party. */
async function readUnclaimedActivity(
  { reader, clock }: Pick<Economy, 'clock' | 'reader'>,
  party: string,
  areThere: boolean,
): Promise<Selectable['unclaimedActivity']> {
  if (!areThere) return []
  const records = await lasting(reader, unclaimedActivityRecord, party, clock.nowMicros())
  return records.map(({ id }) => ({ tag: 'InputUnclaimedActivityRecord', value: id }))
}

/** @param barred managers whose coupons do not count; undefined where there are no coupons */
async function readDevelopmentFund(
  { reader, clock }: Pick<Economy, 'clock' | 'reader'>,
  party: string,
  barred: readonly string[] | undefined,
): Promise<Selectable['developmentFund']> {
  if (barred === undefined) return []
  const now = clock.nowMicros()
  const coupons = await lasting(
    reader,
    developmentFundCoupon,
    party,
    now,
    ({ mintAfter, fundManager }) => (mintAfter ?? now) <= now && !barred.includes(fundManager),
  )
  return coupons.map(({ id }) => ({ tag: 'InputDevelopmentFundCoupon', value: id }))
}

/**
 * Those that end after `now` and are `fit`, the first to end first: however many that are not fit
 * are before them.
 */
async function lasting<T>(
  reader: Reader,
  template: Template<T, KeyedBy<'beneficiary'>>,
  beneficiary: string,
  now: bigint,
  fit: (payload: T) => boolean = () => true,
): Promise<readonly Contract<T>[]> {
  const found: Contract<T>[] = []
  let from: { readonly after?: ActivePosition } = ranksAbove(now)
  for (;;) {
    const page = await reader.active(
      template,
      { beneficiary },
      { order: 'rank', limit: MAX_COUPONS, ...from },
    )
    found.push(...page.filter(({ payload }) => fit(payload)))
    const last = page.at(-1)
    if (last === undefined || page.length < MAX_COUPONS || found.length >= MAX_COUPONS) return found
    from = { after: { rank: last.record.rank, sequence: last.sequence } }
  }
}

function ranksAbove(rank: bigint): { readonly after?: ActivePosition } {
  return rank < 0n ? {} : { after: { rank, sequence: LAST_SEQUENCE } }
}
