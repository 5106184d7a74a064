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

/** An application's share in a round. Rank: the round. */
export const appRewardCoupon = defineTemplate(AppRewardCoupon, {
  signatories: (coupon) => [coupon.dso],
  issuer: ({ dso }) => dso,
  observers: (coupon) => [coupon.provider, ownerOf(coupon)],
  ensure: (coupon) => coupon.amount > 0n,
  keys: (coupon) => ({
    beneficiary: ownerOf(coupon),
    provider: coupon.provider,
    round: coupon.round,
  }),
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
  signatories: (coupon) => [coupon.dso],
  issuer: ({ dso }) => dso,
  observers: (coupon) => [coupon.user],
  ensure: (coupon) => coupon.amount > 0n,
  keys: (coupon) => ({ user: coupon.user, round: coupon.round }),
  rank: (coupon) => coupon.round,
  totals: (coupon) => [
    { name: 'coupons.validator', account: coupon.round.toString(), amount: coupon.amount },
  ],
})

/** A super validator's share in a round, for its beneficiary. Rank: the round. */
export const svRewardCoupon = defineTemplate(SvRewardCoupon, {
  signatories: (coupon) => [coupon.dso],
  issuer: ({ dso }) => dso,
  observers: (coupon) => [coupon.sv, coupon.beneficiary],
  ensure: (coupon) => coupon.weight > 0n,
  keys: (coupon) => ({ beneficiary: coupon.beneficiary, sv: coupon.sv, round: coupon.round }),
  rank: (coupon) => coupon.round,
  totals: (coupon) => [
    { name: 'coupons.sv', account: coupon.round.toString(), amount: decimalOf(coupon.weight) },
  ],
})

/** A part of the issuance that nobody minted. */
export const unclaimedReward = defineTemplate(UnclaimedReward, {
  signatories: (reward) => [reward.dso],
  issuer: ({ dso }) => dso,
  ensure: (reward) => reward.amount > 0n,
  keys: (reward) => ({ dso: reward.dso }),
})

/** A grant of unclaimed rewards to a beneficiary. Rank: when it expires. */
export const unclaimedActivityRecord = defineTemplate(UnclaimedActivityRecord, {
  signatories: (record) => [record.dso],
  issuer: ({ dso }) => dso,
  observers: (record) => [record.beneficiary],
  ensure: (record) => record.amount > 0n,
  keys: (record) => ({ beneficiary: record.beneficiary }),
  rank: (record) => record.expiresAt,
})

/** Not minted in time: the amount goes back to where it came from. */
export const unclaimedActivityRecordExpire = choice(
  unclaimedActivityRecord,
  UnclaimedActivityRecord.choices.UnclaimedActivityRecord_Expire,
  {
    controllers: (record) => [record.dso],
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
