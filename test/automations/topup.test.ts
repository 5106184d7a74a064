// Traffic is topped up: how much and how often by the formulas, when to buy, and what is kept back.
// docs/economy-rules.md, "Traffic" and "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import topup from '../../plugins/automation-topup/index.ts'
import { topUpPlan } from '../../plugins/automation-topup/plan.ts'
import {
  coinRulesMint,
  memberTraffic,
  transferOffer,
  validatorTopUpState,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { checkOptions } from '../../runtime/host/options.ts'
import {
  decimalOf,
  formatDecimal,
  TRAFFIC,
  TRAFFIC_LIMIT,
  trafficGrant,
} from '../../runtime/engine/index.ts'
import { operatorPriority, trafficLeft, trafficPrice } from '../../runtime/economy/traffic.ts'
import { setUpAutomations } from '../support/automations.ts'
import { newStore } from '../support/test-store.ts'
import { SECOND, startNetwork, type Network, type NetworkOptions } from '../network/kit.ts'

const DEFAULTS = { minIntervalMs: 600_000, pollMs: 30_000, minBytes: 200_000n }
const MINUTE = 60n * SECOND

async function topUp(network: Network, options: object = {}, signal?: AbortSignal): Promise<void> {
  const automations = await setUpAutomations(network.services, {
    names: ['topup'],
    options: { topup: { targetThroughput: 1_000, ...options } },
    ...(signal === undefined ? {} : { signal }),
  })
  await automations.run('topup')
}

const purchases = (network: Network) => network.payloads(memberTraffic)
const onDevNet = (options: NetworkOptions = {}) => startNetwork(options)
const onMainNet = (options: NetworkOptions = {}) =>
  startNetwork({ ...options, network: { isDevNet: false, ...options.network } })

/** Makes purchases count. */
async function apply(network: Network): Promise<void> {
  network.pass(10n * SECOND)
  await network.work('traffic')
}

test('the plan of the defaults: by throughput, and by the least amount where that is more', () => {
  assert.equal(topUpPlan({ throughput: 0, ...DEFAULTS }), undefined)
  assert.deepEqual(topUpPlan({ throughput: 1_000, ...DEFAULTS }), {
    bytes: 600_000n,
    intervalMs: 600_000n,
  })
  assert.deepEqual(topUpPlan({ throughput: 100, ...DEFAULTS }), {
    bytes: 201_000n,
    intervalMs: 2_010_000n,
  })
  assert.deepEqual(topUpPlan({ throughput: 333, ...DEFAULTS, minBytes: 200_001n }), {
    bytes: 209_790n,
    intervalMs: 630_000n,
  })
  assert.deepEqual(topUpPlan({ throughput: 7, ...DEFAULTS, minIntervalMs: 1_000, minBytes: 1n }), {
    bytes: 210n,
    intervalMs: 30_000n,
  })
  assert.deepEqual(
    topUpPlan({ throughput: 1, minIntervalMs: 1_500, pollMs: 1_001, minBytes: 1n }),
    { bytes: 3n, intervalMs: 2_002n },
  )
})

test('the least interval is said in seconds or as a time with a unit, and is ten minutes without', async () => {
  const parse = async (given: object) => {
    const checked = await checkOptions(topup.options, given, 'topup')
    return checked.ok ? checked.value.minTopupInterval : undefined
  }
  assert.equal(await parse({}), 600_000)
  for (const [minTopupInterval, ms] of [
    [1, 1_000],
    ['90s', 90_000],
    ['10m', 600_000],
    ['2 h', 7_200_000],
    ['365d', 31_536_000_000],
  ]) {
    assert.equal(await parse({ minTopupInterval }), ms)
  }
  for (const minTopupInterval of [0, 1.5, -1, '0s', '366d', '10', 'm', '10min', '1e3s', null])
    assert.equal(await parse({ minTopupInterval }), undefined)
})

test('every plan meets the target, the least amount and the least interval, in whole polls, and no plan of fewer polls does', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1_000, max: 100_000_000 }),
      fc.integer({ min: 10, max: 10_000_000 }),
      fc.bigInt(1n, 10_000_000_000n),
      (throughput, minIntervalMs, pollMs, minBytes) => {
        const plan = topUpPlan({ throughput, minIntervalMs, pollMs, minBytes })
        assert.ok(plan)
        const { bytes, intervalMs } = plan
        const [target, poll] = [BigInt(throughput), BigInt(pollMs)]
        assert.ok(bytes >= minBytes && bytes * 1_000n >= target * intervalMs)
        assert.ok((bytes - 1n) * 1_000n < target * intervalMs)
        assert.ok(
          intervalMs % poll === 0n && intervalMs >= BigInt(minIntervalMs) && intervalMs >= poll,
        )
        const shorter = intervalMs - poll
        assert.ok(
          shorter < BigInt(Math.max(minIntervalMs, pollMs)) || target * shorter < minBytes * 1_000n,
        )
      },
    ),
  )
})

test('on a development network the cost is tapped; the wallet pays nothing, and history tells of the purchase', async () => {
  const network = await onDevNet()
  const { economy, store } = network
  await topUp(network)
  const [bought, ...others] = await purchases(network)
  assert.deepEqual(others, [])
  assert.equal(bought?.totalPurchased, 600_000n)
  assert.equal(formatDecimal(bought.usdSpent), '10.0020000000')
  assert.equal(formatDecimal(bought.coinSpent), '2000.4000000000')
  assert.equal((await economy.reader.total('unlocked', economy.parties.operator)).amount, 0n)
  const state = await network.only(validatorTopUpState)
  assert.equal(state.payload.lastPurchasedAt, network.clock.nowMicros())
  const lines = await store.contracts.log({
    log: 'history',
    owner: economy.parties.operator,
    after: '',
    limit: 10,
  })
  const told = lines
    .map(({ body }): unknown => JSON.parse(body))
    .map((entry) => [
      member(entry, 'transaction_type'),
      member(member(entry, 'transaction_subtype'), 'choice'),
      member(member(entry, 'sender'), 'amount') ??
        member(member(member(entry, 'receivers'), 0), 'amount'),
    ])
  assert.deepEqual(told, [
    ['transfer', 'CoinRules_BuyMemberTraffic', '-2000.4000000000'],
    ['balance_change', 'CoinRules_DevNet_Tap', '2000.4000000000'],
  ])
})

test('it is bought when less than one top-up is left and the interval has passed, never before', async () => {
  const network = await onDevNet()
  await topUp(network)
  await apply(network)
  assert.equal((await trafficLeft(network.economy)).extra, 600_000n)
  network.pass(10n * MINUTE)
  await topUp(network)
  assert.equal((await purchases(network)).length, 1, 'nothing was used')
  await use(network, 600_000n)
  await topUp(network)
  assert.equal((await purchases(network)).length, 2)
  await use(network, 600_000n)
  network.pass(10n * MINUTE - 1n)
  await topUp(network)
  assert.equal((await purchases(network)).length, 2, 'the interval has not passed')
  network.pass(1n)
  await topUp(network)
  assert.equal((await purchases(network)).length, 3)
})

test('on other networks the wallet pays what traffic costs, and buys nothing that it cannot pay', async () => {
  const network = await onMainNet()
  const { economy } = network
  const { operator } = economy.parties
  await topUp(network)
  assert.deepEqual(await purchases(network), [])
  assert.equal((await network.only(validatorTopUpState)).payload.lastPurchasedAt, 0n)
  assert.equal(await operatorPriority(economy), 'high', 'coins of the operator are for the top-up')
  await endow(network, 2_500n)
  assert.equal(await operatorPriority(economy), 'low')
  const price = await trafficPrice(economy, 600_000n)
  await topUp(network)
  assert.equal((await purchases(network)).length, 1)
  const { amount } = await economy.reader.total('unlocked', operator)
  assert.equal(amount, decimalOf(2_500n) - (price ?? 0n))
  assert.equal(formatDecimal(price ?? 0n), '2000.4000000000')
})

test('of two servers one buys', async () => {
  const store = await newStore()
  const first = await onDevNet({ store })
  const second = await onDevNet({ store, clock: first.clock })
  await Promise.all([topUp(first), topUp(second)])
  assert.equal((await purchases(first)).length, 1)
  await Promise.all([topUp(second), topUp(first)])
  assert.equal((await purchases(first)).length, 1, 'it is too early')
  for (let bought = 2; bought <= 5; bought += 1) {
    first.pass(10n * MINUTE)
    await Promise.all([topUp(first), topUp(second)])
    assert.equal((await purchases(first)).length, bought)
  }
  assert.equal(
    (await first.only(validatorTopUpState)).payload.lastPurchasedAt,
    first.clock.nowMicros(),
  )
})

test('what is reserved is left alone by what can wait, and used by what cannot', async () => {
  const network = await onMainNet({
    network: { traffic: { baseBurstBytes: 20_000, minTopupBytes: 10 } },
  })
  const { economy } = network
  await topUp(network, { reservedTraffic: 19_000 })
  const offered = async (lowPriority: boolean) => {
    const done = await offer(network, lowPriority)
    return done.ok ? 'done' : done.kind
  }
  let low = 0
  while ((await offered(true)) === 'done') low += 1
  assert.ok(low >= 1 && (await trafficLeft(economy)).base < 19_000n, `${low} of low priority`)
  assert.equal(await offered(false), 'done')
  assert.equal(await offered(true), 'no-traffic')
  await topUp(network, { targetThroughput: 0 })
  assert.equal(await offered(true), 'done', 'nothing is reserved where nothing is topped up')
  await topUp(network, { reservedTraffic: 19_000 })
  assert.equal(await offered(true), 'no-traffic')
  const fact = await economy.store.contracts.fact(TRAFFIC_LIMIT, economy.parties.member)
  assert.equal(trafficGrant(fact?.body).limit, 0n)
})

async function offer({ economy, clock }: Network, lowPriority: boolean) {
  const { operator, dso } = economy.parties
  return economy.engine.submit({
    actAs: [operator],
    userId: '',
    lowPriority,
    run: (tx) =>
      tx.create(transferOffer, {
        sender: operator,
        receiver: operator,
        dso,
        amount: { amount: decimalOf(1n), unit: 'CoinUnit' as const },
        description: '',
        trackingId: economy.newName(),
        expiresAt: clock.nowMicros() + 86_400n * SECOND,
      }),
  })
}

/** Uses up that much extra traffic, base allowance and all. */
async function use({ economy, clock }: Network, bytes: bigint): Promise<void> {
  const key = { kind: TRAFFIC, key: economy.parties.member }
  await economy.engine.recordFacts([key], ({ facts }) => {
    const body: unknown = JSON.parse(facts.get(TRAFFIC)?.get(key.key) ?? '{}')
    const consumed = BigInt(String(member(body, 'consumed') ?? 0)) + bytes
    return [
      {
        ...key,
        body: JSON.stringify({
          baseRemaining: '0',
          at: String(clock.nowMicros()),
          consumed: String(consumed),
        }),
      },
    ]
  })
}

/** Coin from the network for the operator. */
async function endow({ economy }: Network, coins: bigint): Promise<void> {
  const { dso, operator } = economy.parties
  const [rules, round] = [await economy.network.coinRules(), await economy.network.usableRound()]
  assert.ok(round)
  const argument = { receiver: operator, amount: decimalOf(coins), openRoundCid: round.id }
  const done = await economy.engine.submit({
    actAs: [dso, operator],
    userId: '',
    free: true,
    run: (tx) => tx.exercise(coinRulesMint, rules.id, argument),
  })
  assert.ok(done.ok)
}
