// The coin's price: every super validator says its own, a round that opens takes the median.
// docs/economy-rules.md, "Coin price"
import { CoinPriceVote, DsoRules } from '../../generated/contracts.gen.ts'
import { decimalOf, divide, add } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { dsoRules, svOf } from './dso-rules.ts'
import { takeNow } from './now.ts'
import { requireParty, requirePositive } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

export const coinPriceVote = defineTemplate(CoinPriceVote, {
  ...ofNetwork,
  observers: (vote) => [vote.sv],
  ensure: (vote) => vote.coinPrice === null || vote.coinPrice > 0n,
})

/**
 * A super validator's vote, which takes the place of the one named; not before the cooldown of that
 * is over.
 */
export const dsoRulesUpdateCoinPriceVote = choice(
  dsoRules,
  DsoRules.choices.DsoRules_UpdateCoinPriceVote,
  {
    controllers: (_rules, { sv }) => [sv],
    run: (tx: Tx, { payload: rules }, { sv, coinPrice, optCoinPriceVoteCid, now }) => {
      svOf(tx, rules, sv)
      takeNow(tx, now)
      requirePositive(tx, 'the price', coinPrice)
      if (optCoinPriceVoteCid !== null) replace(tx, rules, sv, optCoinPriceVoteCid)
      return {
        coinPriceVoteCid: tx.create(coinPriceVote, {
          dso: rules.dso,
          sv,
          coinPrice,
          lastUpdatedAt: now,
        }),
      }
    },
  },
)

/** The middle of the prices, of the two middle ones their mean; undefined without any. */
export function medianPrice(prices: readonly bigint[]): bigint | undefined {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined
    ? undefined
    : divide(add(lower, upper), decimalOf(2n))
}

function replace(tx: Tx, rules: DsoRules, sv: string, contractId: string): void {
  const vote = tx.fetch(coinPriceVote, contractId)
  requireParty(tx, 'the network party of the vote', vote.dso, rules.dso)
  requireParty(tx, 'the super validator of the vote', vote.sv, sv)
  tx.notBefore(vote.lastUpdatedAt + (rules.config.voteCooldownTime ?? 0n))
  tx.archive(coinPriceVote, contractId)
}
