// Which coins and rewards a wallet's payment takes: all that fit, so that every payment also
// collects and merges. docs/economy-rules.md, "Input selection"
import type { TransferInput } from '../../../generated/contracts.gen.ts'

/** A coupon of a round that can be minted now, with what it brings in coin (x 10^10). */
export interface RewardInput {
  readonly input: TransferInput
  readonly round: bigint
  readonly value: bigint
}

export interface Selectable {
  /**
   * Contract ids by amount, largest first; equal ones in the store's order. More than fit need not
   * be listed.
   */
  readonly coins: readonly string[]
  /** All that the party has. */
  readonly coinCount: number
  readonly rewards: readonly RewardInput[]
  readonly unclaimedActivity: readonly TransferInput[]
  readonly developmentFund: readonly TransferInput[]
}

/**
 * Inputs in the order in which they are taken: a first share of the largest coins, then rewards
 * (soonest to expire and most valuable first), then the other coins and what is bound to no round.
 *
 * @param max how many a transfer may have, less one for each tap in the batch
 */
export function selectInputs(
  selectable: Selectable,
  maxNumInputs: number,
  tapsInBatch = 0,
): readonly TransferInput[] {
  const { coins, coinCount, unclaimedActivity, developmentFund } = selectable
  const rewards = selectable.rewards.toSorted(bySoonestThenValue).map(({ input }) => input)
  const first = firstShare(coinCount + rewards.length, maxNumInputs)
  const coinInputs = coins
    .slice(0, maxNumInputs)
    .map((value): TransferInput => ({ tag: 'InputCoin', value }))
  return [
    ...coinInputs.slice(0, first),
    ...rewards,
    ...coinInputs.slice(first),
    ...unclaimedActivity,
    ...developmentFund,
  ].slice(0, Math.max(0, maxNumInputs - tapsInBatch))
}

/** Coin that all rewards bring, including those that do not fit. */
export function mintValue(rewards: readonly RewardInput[]): bigint {
  return rewards.reduce((sum, { value }) => sum + value, 0n)
}

function firstShare(available: number, maxNumInputs: number): number {
  return Math.round(Math.max(2, 0.1 * Math.max(available, maxNumInputs)))
}

function bySoonestThenValue(a: RewardInput, b: RewardInput): number {
  if (a.round !== b.round) return a.round < b.round ? -1 : 1
  if (a.value !== b.value) return a.value > b.value ? -1 : 1
  return 0
}
