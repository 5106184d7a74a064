// The fund's manager allocates what rounds put aside. docs/economy-rules.md, "Development fund"
import { CoinRules } from '../../generated/contracts.gen.ts'
import type {
  CoinConfig,
  CoinRules_AllocateDevelopmentFundCoupon,
} from '../../generated/contracts.gen.ts'
import { subtract, sum } from '../engine/decimal.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { developmentFundCoupon, unclaimedDevelopmentFundCoupon } from './development-fund.ts'
import { takeNow } from './now.ts'
import { requireParty, requireCover, orNone } from './requirements.ts'

/** Makes a coupon out of the unclaimed ones named; what is left of those stays unclaimed. */
export const coinRulesAllocateDevelopmentFundCoupon = choice(
  coinRules,
  CoinRules.choices.CoinRules_AllocateDevelopmentFundCoupon,
  {
    controllers: (_rules, { fundManager }) => [fundManager],
    run: (tx: Tx, { payload: rules }, argument) => {
      requireManager(tx, configOf(rules), argument.fundManager)
      requireTimes(tx, configOf(rules), argument)
      const { unclaimedDevelopmentFundCouponCids, now: _, ...allocation } = argument
      const rest = subtract(
        takeAll(tx, rules.dso, unclaimedDevelopmentFundCouponCids),
        allocation.amount,
      )
      requireCover(tx, 'the unclaimed coupons', rest, allocation.amount)
      return {
        developmentFundCouponCid: tx.create(developmentFundCoupon, {
          dso: rules.dso,
          ...allocation,
        }),
        optUnclaimedDevelopmentFundCouponCid:
          rest > 0n
            ? tx.create(unclaimedDevelopmentFundCoupon, { dso: rules.dso, amount: rest })
            : null,
      }
    },
  },
)

function requireManager(tx: Tx, config: CoinConfig, fundManager: string): void {
  tx.require(
    config.optDevelopmentFundManager === fundManager,
    `the fund manager is the configured one, ${orNone(config.optDevelopmentFundManager)}`,
    () => fundManager,
  )
  tx.require(
    !config.developmentFundManagerBlacklist?.includes(fundManager),
    `the fund manager ${fundManager} is not barred`,
    () => 'one who is',
  )
}

/** The delay is held against record time, not against `now`, which the manager could set back. */
function requireTimes(
  tx: Tx,
  config: CoinConfig,
  argument: CoinRules_AllocateDevelopmentFundCoupon,
): void {
  const { expiresAt, mintAfter, now } = argument
  takeNow(tx, now)
  tx.before(expiresAt)
  const delay = config.minDevelopmentFundMintingDelay ?? 0n
  if (delay === 0n) return
  if (mintAfter === null)
    return tx.require(
      false,
      `minting is delayed by ${delay / 1_000_000n} s at least`,
      () => 'no delay',
    )
  tx.before(mintAfter - delay + 1n)
}

function takeAll(tx: Tx, dso: string, contractIds: readonly string[]): bigint {
  return sum(
    contractIds.map((contractId) => {
      const coupon = tx.fetch(unclaimedDevelopmentFundCoupon, contractId)
      requireParty(tx, 'the network party of the coupon', coupon.dso, dso)
      tx.archive(unclaimedDevelopmentFundCoupon, contractId)
      return coupon.amount
    }),
  )
}
