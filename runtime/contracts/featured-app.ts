// Featured applications: a right to earn app rewards, and the one place where activity turns into
// coupons. docs/economy-rules.md, "Featured transfers"
import { FeaturedAppRight } from '../../generated/contracts.gen.ts'
import type { AppRewardBeneficiary, OpenMiningRound } from '../../generated/contracts.gen.ts'
import { add, DECIMAL_ONE, divide, multiply, sum, formatDecimal } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { appRewardCoupon } from './coupons.ts'
import { openRoundInUse } from './round-use.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

const MAX_BENEFICIARIES = 20

/** Weights by beneficiary. */
type Weights = ReadonlyMap<string, bigint>

/** A provider is featured: its activity earns more. */
export const featuredAppRight = defineTemplate(FeaturedAppRight, {
  ...ofNetwork,
  observers: (right) => [right.provider],
  ensure: (right) => right.activityWeight === null || right.activityWeight > 0n,
})

/** The network takes the right back. */
export const featuredAppRightWithdraw = choice(
  featuredAppRight,
  FeaturedAppRight.choices.FeaturedAppRight_Withdraw,
  {
    controllers: byNetwork,
  },
)

/** The provider gives the right up. */
export const featuredAppRightCancel = choice(
  featuredAppRight,
  FeaturedAppRight.choices.FeaturedAppRight_Cancel,
  { controllers: (right) => [right.provider] },
)

/**
 * One featured coupon a beneficiary, of the round named; the provider alone where none is given.
 */
export const featuredAppRightRewardActivity = choice(
  featuredAppRight,
  FeaturedAppRight.choices.FeaturedAppRight_RewardActivity,
  {
    controllers: (right) => [right.provider],
    run: (tx, { payload: right }, { openRoundCid, beneficiaries }) => {
      const round = openRoundInUse(tx, right.dso, openRoundCid)
      const weights = weightsOf(
        tx,
        beneficiaries ?? [{ beneficiary: right.provider, weight: DECIMAL_ONE }],
      )
      return { appRewardCouponCids: rewardEach(tx, right, round, weights) }
    },
  },
)

function rewardEach(
  tx: Tx,
  right: FeaturedAppRight,
  round: OpenMiningRound,
  weights: Weights,
): string[] {
  const { dso, provider } = right
  const created: string[] = []
  for (const [beneficiary, weight] of weights) {
    const amount = rewardAmount(round, multiply(weight, right.activityWeight ?? DECIMAL_ONE))
    if (amount === 0n) continue
    created.push(
      tx.create(appRewardCoupon, {
        dso,
        provider,
        featured: true,
        amount,
        round: round.round,
        beneficiary,
      }),
    )
  }
  return created
}

/**
 * Coupon amount for a share of one activity: `(extraFeaturedAppRewardAmount / conversionRate) *
 * weight`.
 */
function rewardAmount(round: OpenMiningRound, weight: bigint): bigint {
  return multiply(
    divide(round.transferConfigUsd.extraFeaturedAppRewardAmount, round.conversionRate),
    weight,
  )
}

/** Weights by beneficiary in first-seen order, those of the same one added up. */
function weightsOf(tx: Tx, beneficiaries: readonly AppRewardBeneficiary[]): Weights {
  tx.require(
    beneficiaries.length > 0 && beneficiaries.length <= MAX_BENEFICIARIES,
    `there are 1 to ${MAX_BENEFICIARIES} beneficiaries`,
    () => `${beneficiaries.length}`,
  )
  tx.require(
    beneficiaries.every(({ weight }) => weight > 0n && weight <= DECIMAL_ONE),
    'each weight is above 0, and 1 at most',
    () => beneficiaries.map(({ weight }) => formatDecimal(weight)).join(', '),
  )
  const total = sum(beneficiaries.map(({ weight }) => weight))
  tx.require(total === DECIMAL_ONE, 'weights of beneficiaries add up to 1', () =>
    formatDecimal(total),
  )
  const weights = new Map<string, bigint>()
  for (const { beneficiary, weight } of beneficiaries) {
    weights.set(beneficiary, add(weights.get(beneficiary) ?? 0n, weight))
  }
  return weights
}
