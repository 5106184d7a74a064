// What one mint takes: an external party's coupons, and of its coins the smallest where they have
// become too many. docs/economy-rules.md, "Minting delegations"
import { coin, readFunds, readOwnValidatorCoupons } from '../../runtime/economy.ts'
import type {
  Economy,
  MintingDelegation,
  PaymentTransferContext,
  TransferInput,
} from '../../runtime/economy.ts'

/** The order in which coupons that are bound to a round are taken. */
const ROUND_BOUND: readonly TransferInput['tag'][] = [
  'InputValidatorLivenessActivityRecord',
  'InputValidatorRewardCoupon',
  'InputAppRewardCoupon',
  'InputSvRewardCoupon',
]

interface Mint {
  readonly context: PaymentTransferContext
  /** Empty where there is nothing to mint or to merge. */
  readonly inputs: readonly TransferInput[]
}

/** Inputs that can be minted now; undefined while no round is open. */
export async function mintOf(
  economy: Economy,
  { beneficiary, coinMergeLimit }: MintingDelegation,
): Promise<Mint | undefined> {
  const [funds, own] = await Promise.all([
    readFunds(economy, beneficiary),
    readOwnValidatorCoupons(economy, beneficiary),
  ])
  if (funds === undefined) return undefined
  const {
    context: { coinRules, context },
    maxNumInputs,
    unclaimedActivity,
    developmentFund,
  } = funds
  const rewards = [...funds.rewards, ...own.rewards]
  const worthwhile = rewards.filter(({ value }) => value > 0n)
  // Where only worthless ones are to be seen, they go, since others may be behind them.
  const isHidden = worthwhile.length === 0 && (funds.hasMoreRewards || own.hasMore === true)
  const taken = (isHidden ? rewards : worthwhile).map(({ input }) => input)
  const roundBound = ROUND_BOUND.flatMap((tag) => taken.filter((input) => input.tag === tag))
  const coupons = [...roundBound, ...unclaimedActivity, ...developmentFund].slice(0, maxNumInputs)
  const room = maxNumInputs - coupons.length
  const coins = await smallestCoins(
    economy,
    beneficiary,
    Math.min(room, coinsToMerge(funds.coinCount, Number(coinMergeLimit))),
  )
  return {
    context: { coinRules, context: { ...context, validatorRights: own.rights } },
    inputs: [...coupons, ...coins],
  }
}

/**
 * How many coins become one, so that exactly `limit` remain: none before there are twice as many.
 */
export function coinsToMerge(count: number, limit: number): number {
  return count >= 2 * limit ? count - limit + 1 : 0
}

async function smallestCoins(
  { reader }: Pick<Economy, 'reader'>,
  owner: string,
  limit: number,
): Promise<readonly TransferInput[]> {
  if (limit === 0) return []
  const coins = await reader.active(coin, { owner }, { order: 'rank', limit })
  return coins.map(({ id }) => ({ tag: 'InputCoin', value: id }))
}
