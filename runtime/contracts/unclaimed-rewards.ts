// Coupons that nobody minted in time turn back into coin that can be given otherwise.
// docs/economy-rules.md, "Rewards"
import { CoinRules } from '../../generated/contracts.gen.ts'
import type {
  ClosedMiningRound,
  CoinRules_ClaimExpiredRewards,
} from '../../generated/contracts.gen.ts'
import { decimalOf, multiply, sum } from '../engine/decimal.ts'
import { choice } from '../engine/index.ts'
import type { Template, Tx } from '../engine/template.ts'
import { coinRules } from './coin-rules.ts'
import {
  appRewardCoupon,
  svRewardCoupon,
  unclaimedReward,
  validatorRewardCoupon,
} from './coupons.ts'
import { validatorLivenessActivityRecord } from './licence.ts'
import { closedMiningRound } from './rounds.ts'
import { requireParty } from './requirements.ts'
import { byNetwork } from './of-network.ts'

interface OfRound {
  readonly dso: string
  readonly round: bigint
}

/**
 * Archives coupons of a closed round; what they would have brought, if anything, becomes an
 * unclaimed reward.
 */
export const coinRulesClaimExpiredRewards = choice(
  coinRules,
  CoinRules.choices.CoinRules_ClaimExpiredRewards,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, argument) => {
      const round = tx.fetch(closedMiningRound, argument.closedRoundCid)
      requireParty(tx, 'the network party of the round', round.dso, dso)
      const amount = sum(expiredAmounts(tx, round, argument))
      return {
        optUnclaimedRewardCid: amount > 0n ? tx.create(unclaimedReward, { dso, amount }) : null,
      }
    },
  },
)

/** Several unclaimed rewards become one of the same sum. */
export const coinRulesMergeUnclaimedRewards = choice(
  coinRules,
  CoinRules.choices.CoinRules_MergeUnclaimedRewards,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { unclaimedRewardCids }) => {
      tx.require(
        unclaimedRewardCids.length > 1,
        'there are two rewards at least',
        () => `${unclaimedRewardCids.length}`,
      )
      const amount = takeRewards(tx, dso, unclaimedRewardCids)
      return { unclaimedRewardCid: tx.create(unclaimedReward, { dso, amount }) }
    },
  },
)

/** Archives unclaimed rewards of the network and answers their sum. */
export function takeRewards(tx: Tx, dso: string, contractIds: readonly string[]): bigint {
  return sum(
    contractIds.map((contractId) => {
      const reward = tx.fetch(unclaimedReward, contractId)
      requireParty(tx, 'the network party of the reward', reward.dso, dso)
      tx.archive(unclaimedReward, contractId)
      return reward.amount
    }),
  )
}

function expiredAmounts(
  tx: Tx,
  round: ClosedMiningRound,
  cids: CoinRules_ClaimExpiredRewards,
): readonly bigint[] {
  const ofValidators = cids.validatorRewardCouponCids.map((cid) =>
    multiply(
      take(tx, validatorRewardCoupon, cid, round).amount,
      round.issuancePerValidatorRewardCoupon,
    ),
  )
  const ofApps = cids.appRewardCouponCids.map((cid) => {
    const { amount, featured } = take(tx, appRewardCoupon, cid, round)
    const { issuancePerFeaturedAppRewardCoupon, issuancePerUnfeaturedAppRewardCoupon } = round
    return multiply(
      amount,
      featured ? issuancePerFeaturedAppRewardCoupon : issuancePerUnfeaturedAppRewardCoupon,
    )
  })
  const ofSvs = cids.svRewardCouponCids.map((cid) =>
    multiply(
      decimalOf(take(tx, svRewardCoupon, cid, round).weight),
      round.issuancePerSvRewardCoupon,
    ),
  )
  const ofLiveness = cids.validatorLivenessActivityRecordCids.map((cid) => {
    take(tx, validatorLivenessActivityRecord, cid, round)
    return round.optIssuancePerValidatorFaucetCoupon ?? 0n
  })
  return [...ofValidators, ...ofApps, ...ofSvs, ...ofLiveness]
}

function take<T extends OfRound>(
  tx: Tx,
  template: Template<T>,
  contractId: string,
  round: ClosedMiningRound,
): T {
  const coupon = tx.fetch(template, contractId)
  requireParty(tx, 'the network party of the coupon', coupon.dso, round.dso)
  tx.require(
    coupon.round === round.round,
    `the coupon is of the closed round ${round.round}`,
    () => `${coupon.round}`,
  )
  tx.archive(template, contractId)
  return coupon
}
