// Shares in a round's issuance, and the part of the issuance that nobody minted. Coupons are spent
// as inputs of a transfer and have no choice for that. docs/economy-rules.md, "Rewards"
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from '../../generated/contracts.gen.ts'
import { decimalOf } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

/** An application's share in a round. Rank: the round. */
export const appRewardCoupon = defineTemplate(AppRewardCoupon, {
  ...ofNetwork,
  observers: (coupon) => [coupon.provider, ownerOf(coupon)],
  ensure: (coupon) => coupon.amount > 0n,
  keys: (coupon) => ({ ...coupon, beneficiary: ownerOf(coupon) }),
  rank: (coupon) => coupon.round,
  totals: (coupon) => [
    {
      name: coupon.featured ? 'coupons.app.featured' : 'coupons.app.unfeatured',
      account: coupon.round.toString(),
      amount: coupon.amount,
    },
  ],
})

/** A user's share, which its validator mints. Rank: the round. */
export const validatorRewardCoupon = defineTemplate(ValidatorRewardCoupon, {
  ...ofNetwork,
  observers: (coupon) => [coupon.user],
  ensure: (coupon) => coupon.amount > 0n,
  rank: (coupon) => coupon.round,
  totals: (coupon) => [
    { name: 'coupons.validator', account: coupon.round.toString(), amount: coupon.amount },
  ],
})

/** A super validator's share in a round, for its beneficiary. Rank: the round. */
export const svRewardCoupon = defineTemplate(SvRewardCoupon, {
  ...ofNetwork,
  observers: (coupon) => [coupon.sv, coupon.beneficiary],
  ensure: (coupon) => coupon.weight > 0n,
  rank: (coupon) => coupon.round,
  totals: (coupon) => [
    { name: 'coupons.sv', account: coupon.round.toString(), amount: decimalOf(coupon.weight) },
  ],
})

/** A part of the issuance that nobody minted. */
export const unclaimedReward = defineTemplate(UnclaimedReward, {
  ...ofNetwork,
  ensure: (reward) => reward.amount > 0n,
})

/** A grant of unclaimed rewards to a beneficiary. Rank: when it expires. */
export const unclaimedActivityRecord = defineTemplate(UnclaimedActivityRecord, {
  ...ofNetwork,
  observers: (record) => [record.beneficiary],
  ensure: (record) => record.amount > 0n,
  rank: (record) => record.expiresAt,
})

/** Not minted in time: the amount goes back to where it came from. */
export const unclaimedActivityRecordExpire = choice(
  unclaimedActivityRecord,
  UnclaimedActivityRecord.choices.UnclaimedActivityRecord_Expire,
  {
    controllers: byNetwork,

    run: (tx, { payload: { dso, amount, expiresAt } }) => {
      tx.notBefore(expiresAt)
      return { unclaimedRewardCid: tx.create(unclaimedReward, { dso, amount }) }
    },
  },
)

/** The party that may mint the coupon: its beneficiary, or the provider if it names none. */
export function ownerOf(coupon: AppRewardCoupon): string {
  return coupon.beneficiary ?? coupon.provider
}
