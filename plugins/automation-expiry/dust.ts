// Holdings whose fees have reached what they are worth, locked or not. domain/behaviour.md §1
import {
  coin, coinExpire, forEachOf, isDustAt, lockedCoin, lockedCoinExpireCoin, scaledHoldingRate,
} from '../../runtime/economy.ts'
import type { Contract, Economy, ExpiringAmount, OpenMiningRound } from '../../runtime/economy.ts'
import { byNetwork, endUpTo } from './due.ts'
import type { Bound } from './due.ts'

/** Coins were dearer to hold when they were cheaper: how many times today's rate is looked for among the smallest of them. */
const RATE_MARGIN = 4n

/** Looks for dust whenever the earliest open round is a new one. */
export function dustEnding(): (economy: Economy, bound: Bound) => Promise<void> {
  let lastRound = -1n
  return async (economy, bound) => {
    const round = await economy.network.earliestRound()
    if (round === undefined || round.payload.round <= lastRound || round.payload.opensAt > economy.clock.nowMicros()) return
    await endDust(economy, round, bound)
    if (!bound.signal.aborted) lastRound = round.payload.round
  }
}

async function endDust(economy: Economy, { id: openRoundCid, payload }: Contract<OpenMiningRound>, bound: Bound): Promise<void> {
  const { round, conversionRate, transferConfigUsd: { holdingFee } } = payload
  const maxRank = scaledHoldingRate(holdingFee.rate, conversionRate) * round * RATE_MARGIN
  const isDust = (amount: ExpiringAmount) => isDustAt(amount, round)
  const endings = [
    () => endUpTo(economy, { template: coin, maxRank, command: ({ id, payload: { amount } }) =>
      isDust(amount) ? byNetwork(economy, (tx) => tx.exercise(coinExpire, id, { openRoundCid })) : undefined }, bound),
    () => endUpTo(economy, { template: lockedCoin, maxRank, command: ({ id, payload: { coin: { amount } } }) =>
      isDust(amount) ? byNetwork(economy, (tx) => tx.exercise(lockedCoinExpireCoin, id, { openRoundCid })) : undefined }, bound),
  ]
  await forEachOf(endings, 1, bound.signal, (end) => end())
}
