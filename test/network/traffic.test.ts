// Traffic as the network grants it: a base rate that refills, purchases that count a while later,
// refusal beyond. docs/economy-rules.md, "Traffic"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import {
  coinRulesBuyMemberTraffic,
  coinRulesDevNetTap,
  memberTraffic,
  transferOffer,
} from '../../runtime/contracts/index.ts'
import {
  decimalOf,
  TRAFFIC,
  TRAFFIC_LIMIT,
  trafficAt,
  trafficGrant,
} from '../../runtime/engine/index.ts'
import { SECOND, startNetwork, type Network } from './kit.ts'

const BASE = 20_000
const WINDOW_SECONDS = 1_200
const SMALL_BASE = {
  traffic: {
    baseBurstBytes: BASE,
    baseWindowSeconds: WINDOW_SECONDS,
    minTopupBytes: 10,
    applySeconds: 10,
  },
}

/** An offer of the operator to itself, which costs what any submission costs. */
async function offer({ economy, clock }: Network, id: string) {
  const { operator, dso } = economy.parties
  return economy.engine.submit({
    actAs: [operator],
    userId: 'operator',
    run: (tx) =>
      tx.create(transferOffer, {
        sender: operator,
        receiver: operator,
        dso,
        amount: { amount: decimalOf(1n), unit: 'CoinUnit' as const },
        description: '',
        trackingId: id,
        expiresAt: clock.nowMicros() + 86_400n * SECOND,
      }),
  })
}

async function offersUntilRefused(network: Network, limit = 200): Promise<number> {
  for (let count = 0; count < limit; count += 1) {
    const outcome = await offer(network, `${network.clock.nowMicros()}-${count}`)
    if (outcome.ok) continue
    assert.equal(outcome.kind, 'no-traffic')
    return count
  }
  return limit
}

async function buy(network: Network, trafficAmount: bigint) {
  const { economy } = network
  const { dso, operator, member } = economy.parties
  const [rules, round] = [await economy.network.coinRules(), await economy.network.usableRound()]
  assert.ok(round)
  const bought = await economy.engine.submit({
    actAs: [operator],
    userId: '',
    free: true,
    disclosedContracts: await economy.network.disclosures(),
    run: (tx) => {
      const tapped = tx.exercise(coinRulesDevNetTap, rules.id, {
        receiver: operator,
        amount: decimalOf(10_000n),
        openRoundCid: round.id,
      })
      return tx.exercise(coinRulesBuyMemberTraffic, rules.id, {
        inputs: [{ tag: 'InputCoin', value: tapped.coinSum.coin }],
        context: {
          openMiningRound: round.id,
          issuingMiningRounds: [],
          validatorRights: [],
          featuredAppRight: null,
        },
        provider: operator,
        memberId: member,
        synchronizerId: economy.node.synchronizerId,
        migrationId: 0n,
        trafficAmount,
        expectedDso: dso,
      })
    },
  })
  assert.ok(bought.ok, inspect(bought))
}

const limitOf = async ({ economy }: Network) =>
  trafficGrant((await economy.store.contracts.fact(TRAFFIC_LIMIT, economy.parties.member))?.body)
    .limit

test('the base rate is used up, refuses, and refills with time', async () => {
  const network = await startNetwork({ network: SMALL_BASE })
  const first = await offersUntilRefused(network)
  assert.ok(first > 2 && first < 50, `${first} offers`)
  assert.equal(await offersUntilRefused(network), 0)
  network.pass((BigInt(WINDOW_SECONDS) * SECOND) / 2n)
  const refilled = await offersUntilRefused(network)
  assert.ok(
    refilled >= Math.floor(first / 2) - 1 && refilled <= Math.ceil(first / 2) + 1,
    `${refilled} of ${first}`,
  )
})

test('a purchase counts after its delay, then is used after the base rate', async () => {
  const network = await startNetwork({ network: SMALL_BASE })
  const first = await offersUntilRefused(network)
  await buy(network, 20_000n)
  await network.work('traffic')
  assert.equal(await limitOf(network), 0n)
  assert.equal(await offersUntilRefused(network), 0)
  network.pass(10n * SECOND)
  await network.work('traffic')
  assert.equal(await limitOf(network), 20_000n)
  const second = await offersUntilRefused(network)
  assert.ok(second >= first - 1 && second <= first + 2, `${second} bought, ${first} free`)
  const policy = {
    member: network.economy.parties.member,
    baseBurstBytes: BigInt(BASE),
    baseWindowMicros: BigInt(WINDOW_SECONDS) * SECOND,
  }
  const fact = await network.store.contracts.fact(TRAFFIC, policy.member)
  const { consumed } = trafficAt(policy, fact?.body, network.clock.nowMicros())
  assert.ok(consumed > 15_000n && consumed <= 20_000n, `${consumed} of extra traffic`)
})

test('purchases add up, are merged above the threshold, and the limit stays', async () => {
  const network = await startNetwork({ network: SMALL_BASE })
  for (let count = 0; count < 8; count += 1) await buy(network, 1_000n)
  network.pass(10n * SECOND)
  await network.work('traffic')
  const merged = (await network.only(memberTraffic)).payload
  assert.deepEqual([merged.totalPurchased, merged.numPurchases], [8_000n, 8n])
  assert.equal(await limitOf(network), 8_000n)
  await buy(network, 1_000n)
  network.pass(10n * SECOND)
  await network.work('traffic')
  assert.equal(await limitOf(network), 9_000n)
})

test('the seed gives the operator enough to begin with', async () => {
  const network = await startNetwork({ seeded: true })
  network.pass(10n * SECOND)
  await network.work('traffic')
  assert.equal(await limitOf(network), 1_000_000_000n)
})
