// Coin out of nothing: taps on a development network, and what the network mints.
// docs/economy-rules.md, "Taps"
import { CoinRules } from '../../generated/contracts.gen.ts'
import type {
  CoinRules_DevNet_Tap,
  CoinRules_DevNet_TapResult,
} from '../../generated/contracts.gen.ts'
import { decimalOf, formatDecimal } from '../engine/decimal.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules } from './coin-rules.ts'
import { coin } from './coin.ts'
import { kindMetadata } from './metadata.ts'
import { openRoundInUse } from './round-use.ts'
import { expiringAmount } from './transfer.ts'
import { requirePositive } from './requirements.ts'

/** The most that one tap gives, in coin. */
const TAP_LIMIT: bigint = decimalOf(100_000_000n)

type Minting = CoinRules_DevNet_Tap

function mint(
  tx: Tx,
  dso: string,
  { receiver, amount, openRoundCid }: Minting,
  reason: string | null = null,
): CoinRules_DevNet_TapResult {
  requirePositive(tx, 'the amount', amount)
  const round = openRoundInUse(tx, dso, openRoundCid)
  const created = tx.create(coin, { dso, owner: receiver, amount: expiringAmount(round, amount) })
  const coinSum = { coin: created, conversionRate: round.conversionRate, round: round.round }
  return { coinSum, meta: kindMetadata('mint', reason) }
}

/** Coin for nothing, on a development network only. */
export const coinRulesDevNetTap = choice(coinRules, CoinRules.choices.CoinRules_DevNet_Tap, {
  controllers: (_rules, { receiver }) => [receiver],
  run: (tx: Tx, { payload: { dso, isDevNet } }, argument) => {
    tx.require(isDevNet, 'this is a development network', () => 'another one')
    tx.require(argument.amount <= TAP_LIMIT, 'a tap gives at most 100000000 coin', () =>
      formatDecimal(argument.amount),
    )
    return mint(tx, dso, argument, 'tapped DevNet faucet')
  },
})

/** The network makes coin for a receiver, who agrees. */
export const coinRulesMint = choice(coinRules, CoinRules.choices.CoinRules_Mint, {
  controllers: ({ dso }, { receiver }) => [dso, receiver],
  run: (tx, { payload: { dso } }, argument) => mint(tx, dso, argument),
})
