// The development fund: a part of each round's issuance, which its manager allocates and a
// beneficiary mints in time. docs/economy-rules.md, "Development fund"
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from '../../generated/contracts.gen.ts'
import type { DevelopmentFundReturned } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Self, Tx } from '../engine/template.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

/** The fund's share that nobody was given yet. */
export const unclaimedDevelopmentFundCoupon = defineTemplate(UnclaimedDevelopmentFundCoupon, {
  ...ofNetwork,
  ensure: (coupon) => coupon.amount > 0n,
})

/** An allocation to a beneficiary. Rank: when it expires. */
export const developmentFundCoupon = defineTemplate(DevelopmentFundCoupon, {
  ...ofNetwork,
  observers: (coupon) => [coupon.beneficiary, coupon.fundManager],
  ensure: ({ amount, mintAfter, expiresAt }) =>
    amount > 0n && (mintAfter === null || mintAfter < expiresAt),
  rank: (coupon) => coupon.expiresAt,
})

/** The manager takes the allocation back. */
export const developmentFundCouponWithdraw = choice(
  developmentFundCoupon,
  DevelopmentFundCoupon.choices.DevelopmentFundCoupon_Withdraw,
  {
    controllers: (coupon) => [coupon.fundManager],
    run: takeBack,
  },
)

/** The beneficiary does not want it. */
export const developmentFundCouponReject = choice(
  developmentFundCoupon,
  DevelopmentFundCoupon.choices.DevelopmentFundCoupon_Reject,
  {
    controllers: (coupon) => [coupon.beneficiary],
    run: takeBack,
  },
)

/** Not minted in time. */
export const developmentFundCouponExpire = choice(
  developmentFundCoupon,
  DevelopmentFundCoupon.choices.DevelopmentFundCoupon_Expire,
  {
    controllers: byNetwork,

    run: (tx, { payload }) => {
      tx.notBefore(payload.expiresAt)
      return giveBack(tx, payload, null)
    },
  },
)

/** Before it expires, which is the network's to say. */
function takeBack(
  tx: Tx,
  { payload }: Self<DevelopmentFundCoupon>,
  { reason }: { readonly reason: string },
): DevelopmentFundReturned {
  tx.before(payload.expiresAt)
  return giveBack(tx, payload, reason)
}

function giveBack(
  tx: Tx,
  { dso, amount }: DevelopmentFundCoupon,
  reason: string | null,
): DevelopmentFundReturned {
  return {
    unclaimedDevelopmentFundCouponCid: tx.create(unclaimedDevelopmentFundCoupon, { dso, amount }),
    reason,
  }
}
