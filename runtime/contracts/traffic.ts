// Traffic is bought by burning coin; what a member bought adds up, and the network merges it now
// and then. docs/economy-rules.md, "Traffic"
import { CoinRules, MemberTraffic } from '../../generated/contracts.gen.ts'
import type { CoinRules_BuyMemberTraffic } from '../../generated/contracts.gen.ts'
import { sum } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { splitAndBurn } from './burn.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { trafficCost } from './fees.ts'
import type { TrafficCost } from './fees.ts'
import { openRoundInUse } from './round-use.ts'
import { insufficientTopupAmount, unknownSynchronizer } from './transfer-aborts.ts'
import { requireParty } from './requirements.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

const INT_MAX = 2n ** 63n - 1n

export const memberTraffic = defineTemplate(MemberTraffic, {
  ...ofNetwork,
  ensure: ({ totalPurchased, numPurchases }) => totalPurchased >= 0n && numPurchases >= 0n,
  totals: ({ memberId, totalPurchased }) => [
    { name: 'traffic', account: memberId, amount: totalPurchased },
  ],
})

/** Aborts with `unknown-synchronizer`, `insufficient-topup-amount`, and as a transfer does. */
export const coinRulesBuyMemberTraffic = choice(
  coinRules,
  CoinRules.choices.CoinRules_BuyMemberTraffic,
  {
    controllers: (_rules, { provider }) => [provider],
    run: (tx: Tx, { payload: rules }, argument) => {
      requireParty(tx, 'the expected network party', argument.expectedDso, rules.dso)
      requirePurchase(tx, rules, argument)
      const { provider, inputs, context, trafficAmount } = argument
      const round = openRoundInUse(tx, rules.dso, context.openMiningRound)
      const pricePerMb = round.trafficPrice ?? feesOf(rules).extraTrafficPrice
      const cost = trafficCost(trafficAmount, pricePerMb, round.conversionRate)
      const paid = splitAndBurn(tx, rules, round, {
        payer: provider,
        inputs,
        context,
        price: cost.coin,
        reason: 'traffic purchase',
      })
      const purchasedTraffic = tx.create(memberTraffic, purchased(rules, argument, cost))
      const { summary, senderChangeCoin, meta } = paid
      return {
        round: round.round,
        summary,
        coinPaid: cost.coin,
        purchasedTraffic,
        senderChangeCoin,
        meta,
      }
    },
  },
)

/**
 * All of one member on one synchronizer; their sums stay, but the bytes end at the largest integer.
 */
export const coinRulesMergeMemberTrafficContracts = choice(
  coinRules,
  CoinRules.choices.CoinRules_MergeMemberTrafficContracts,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { trafficCids }) => {
      const purchases = trafficCids.map((contractId) => takePurchase(tx, contractId))
      const [first] = purchases
      tx.require(first !== undefined, 'there is traffic to merge', () => 'none')
      const isOneAccount = purchases.every((each) => each.dso === dso && isSameAccount(each, first))
      tx.require(isOneAccount, `all traffic is of ${first.memberId}`, () =>
        purchases.map(({ memberId }) => memberId).join(', '),
      )
      const merged = { ...first, ...addUp(purchases) }
      return { memberTrafficCid: tx.create(memberTraffic, merged) }
    },
  },
)

function feesOf(rules: CoinRules) {
  return configOf(rules).decentralizedSynchronizer.fees
}

function requirePurchase(tx: Tx, rules: CoinRules, purchase: CoinRules_BuyMemberTraffic): void {
  const { synchronizerId, trafficAmount } = purchase
  const {
    requiredSynchronizers,
    fees: { minTopupAmount },
  } = configOf(rules).decentralizedSynchronizer
  if (!requiredSynchronizers.includes(synchronizerId)) tx.abort(unknownSynchronizer(synchronizerId))
  if (trafficAmount < minTopupAmount)
    tx.abort(insufficientTopupAmount(trafficAmount, minTopupAmount))
  tx.require(trafficAmount > 0n, 'the traffic is above 0 bytes', () => `${trafficAmount}`)
}

function purchased(
  { dso }: CoinRules,
  argument: CoinRules_BuyMemberTraffic,
  cost: TrafficCost,
): MemberTraffic {
  const { memberId, synchronizerId, migrationId, trafficAmount } = argument
  return {
    dso,
    memberId,
    synchronizerId,
    migrationId,
    totalPurchased: trafficAmount,
    numPurchases: 1n,
    coinSpent: cost.coin,
    usdSpent: cost.usd,
  }
}

function takePurchase(tx: Tx, contractId: string): MemberTraffic {
  const purchase = tx.fetch(memberTraffic, contractId)
  tx.archive(memberTraffic, contractId)
  return purchase
}

function isSameAccount(a: MemberTraffic, b: MemberTraffic): boolean {
  return (
    a.memberId === b.memberId &&
    a.synchronizerId === b.synchronizerId &&
    a.migrationId === b.migrationId
  )
}

function addUp(purchases: readonly MemberTraffic[]) {
  let [totalPurchased, numPurchases] = [0n, 0n]
  for (const each of purchases) {
    totalPurchased += each.totalPurchased
    numPurchases += each.numPurchases
  }
  return {
    totalPurchased: totalPurchased > INT_MAX ? INT_MAX : totalPurchased,
    numPurchases,
    coinSpent: sum(purchases.map(({ coinSpent }) => coinSpent)),
    usdSpent: sum(purchases.map(({ usdSpent }) => usdSpent)),
  }
}
