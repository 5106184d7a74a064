// The coin: one holding, one UTXO. Its amount never shrinks; fees only decide when the network may
// expire it as dust. docs/economy-rules.md, "Dust"
import { Coin, Holding } from '../../generated/contracts.gen.ts'
import type { CoinExpireSummary, ExpiredCoin, HoldingLock } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import { formatDecimal, shortDecimal } from '../engine/decimal.ts'
import type { Accruing, Json, Tx } from '../engine/template.ts'
import { accruing, isDustAt, normalisedAmount } from './fees.ts'
import { amountEntries, kindMetadata, mergeMetadata } from './metadata.ts'
import { instrumentId, metaKeys } from './names.ts'
import { openRoundInUse } from './round-use.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

/** Whether such a coin may be. */
export function isValidCoin({ amount }: Coin): boolean {
  return amount.initialAmount > 0n && amount.createdAt >= 0n && amount.ratePerRound.rate >= 0n
}

/** The view of a holding: the initial amount, fees not deducted. */
export function holdingView({ dso, owner, amount }: Coin, lock: HoldingLock | null): Json {
  return Holding.view.encode({
    owner,
    instrumentId: { admin: dso, id: instrumentId() },
    amount: amount.initialAmount,
    lock,
    meta: {
      values: new Map([
        [metaKeys().createdInRound, amount.createdAt.toString()],
        [metaKeys().ratePerRound, shortDecimal(amount.ratePerRound.rate)],
      ]),
    },
  })
}

/** How the fee of holding a coin grows with the rounds; added up under the name of its total. */
export function holdingFees(name: string, { owner, amount }: Coin): readonly Accruing[] {
  return [{ name, account: owner, ...accruing(amount) }]
}

/** Rank: initial amount. */
export const coin = defineTemplate(Coin, {
  ...ofNetwork,
  signatories: ({ dso, owner }) => [dso, owner],
  ensure: isValidCoin,
  rank: ({ amount }) => amount.initialAmount,
  totals: ({ owner, amount }) => [
    { name: 'unlocked', account: owner, amount: amount.initialAmount },
    { name: 'supply', account: '', amount: amount.initialAmount },
  ],
  accruals: (payload) => holdingFees('unlocked', payload),
  views: { [Holding.id]: (payload) => holdingView(payload, null) },
})

/** The summary of an expired coin, which must be dust at the open round's number. */
export function expireDust(
  tx: Tx,
  { dso, owner, amount }: Coin,
  openRoundCid: string,
): ExpiredCoin {
  const { round } = openRoundInUse(tx, dso, openRoundCid)
  tx.require(
    isDustAt(amount, round),
    'the coin is dust, its holding fees as much as its amount',
    () => `${formatDecimal(amount.initialAmount)} in round ${round}`,
  )
  const expireSum: CoinExpireSummary = {
    owner,
    round,
    changeToInitialAmountAsOfRoundZero: -normalisedAmount(amount),
    changeToHoldingFeesRate: -amount.ratePerRound.rate,
  }
  const burned = amountEntries([[metaKeys().burned, amount.initialAmount]])
  return {
    expireSum,
    meta: mergeMetadata(kindMetadata('expire-dust'), { values: new Map(burned) }),
  }
}

/** The network removes a coin that is worth nothing any more. */
export const coinExpire = choice(coin, Coin.choices.Coin_Expire, {
  controllers: byNetwork,
  run: (tx, { payload }, { openRoundCid }) => expireDust(tx, payload, openRoundCid),
})
