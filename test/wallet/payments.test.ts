// What goes on by itself about payments: names that are paid for are made, renewed and ended,
// subscriptions are paid as they fall due, and what nobody collects returns. docs/payments.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptedAppPayment,
  ansEntry,
  ansEntryContext,
  appPaymentRequest,
  lockedCoin,
  lockedCoinOwnerExpireLock,
  subscription,
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionInitialPaymentCollect,
  subscriptionPayment,
  subscriptionRequest,
  terminatedSubscription,
} from '../../runtime/contracts/index.ts'
import { DAY_MICROS } from '../../runtime/engine/durations.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import { entryNamed } from '../../runtime/economy/names.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import { dec } from '../support/ledger.ts'
import { amounts, MINUTE } from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const NAME = 'paper.unverified.nns'
const AUTOMATIONS = ['rounds', 'subscriptions', 'names', 'expiry']

/** Asks for the name and accepts its subscription; one payment is 1 USD, 200 coin. */
async function payForName(world: World, userId: string): Promise<void> {
  const asked = await world.handlers.createAnsEntry(
    { ...NOTHING, body: { name: NAME, url: '', description: '' } },
    await world.as(userId),
  )
  assert.equal(asked.status, 200, JSON.stringify(asked.body))
  const paid = await world.handlers.acceptSubscriptionRequest(
    { ...NOTHING, path: { contract_id: String(member(asked.body, 'subscriptionRequestCid')) } },
    await world.as(userId),
  )
  assert.equal(paid.status, 200, JSON.stringify(paid.body))
}

async function signedByAll<R>(world: World, run: (tx: Tx) => R): Promise<R> {
  const { economy } = world
  const done = await economy.engine.submit({
    actAs: [await world.partyOf('alice'), await world.partyOf('bob')],
    userId: '',
    disclosedContracts: await economy.network.disclosures(),
    run,
  })
  if (!done.ok) assert.fail(done.kind)
  return done.result
}

const holderOf = async (world: World) => (await entryNamed(world.economy, NAME))?.user

test('a name is renewed by itself as long as its owner can pay, and is free again afterwards', async () => {
  const world = await createWorld()
  const { reader } = world.economy
  await tapCoins(world, 'alice', 450n)
  const automations = await setUpAutomations(world, { names: AUTOMATIONS })
  await payForName(world, 'alice')
  assert.equal(await amounts(world, 'alice'), '250 + 200 locked')
  await automations.run()
  const alice = await world.partyOf('alice')
  assert.equal(await holderOf(world), alice)
  assert.equal(await amounts(world, 'alice'), '250 + 0 locked')
  const expiry = async () => (await reader.all(ansEntry))[0]?.payload.expiresAt
  const until = await expiry()
  world.clock.now += 59n * DAY_MICROS
  await automations.run()
  assert.equal(await expiry(), until)
  world.clock.now += DAY_MICROS + MINUTE
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '50 + 0 locked')
  assert.equal(await expiry(), (until ?? 0n) + 90n * DAY_MICROS)
  world.clock.now += 119n * DAY_MICROS
  await automations.run()
  assert.equal(await holderOf(world), alice)
  world.clock.now += DAY_MICROS
  assert.equal(await holderOf(world), undefined)
  await automations.run()
  await automations.run()
  const left = await Promise.all([
    reader.all(ansEntry),
    reader.all(ansEntryContext),
    reader.all(subscription),
    reader.all(subscriptionIdleState),
    reader.all(terminatedSubscription),
  ])
  assert.deepEqual(left.flat(), [])
  await tapCoins(world, 'bob', 200n)
  await payForName(world, 'bob')
  await automations.run()
  assert.equal(await holderOf(world), await world.partyOf('bob'))
})

test('of two who pay for a name at once, collected by two servers at once, one has it', async () => {
  const world = await createWorld()
  await Promise.all(['alice', 'bob'].map((userId) => tapCoins(world, userId, 200n)))
  await payForName(world, 'alice')
  await payForName(world, 'bob')
  const servers = await Promise.all(
    [1, 2, 3].map(() => setUpAutomations(world, { names: ['names'] })),
  )
  await Promise.all(servers.map((server) => server.run()))
  await servers[0]?.run()
  assert.equal((await world.economy.reader.all(ansEntry)).length, 1)
  const held = await Promise.all(['alice', 'bob'].map((userId) => amounts(world, userId)))
  assert.deepEqual(held.toSorted(), ['0 + 0 locked', '200 + 0 locked'])
  assert.equal((await world.economy.reader.all(lockedCoin)).length, 0)
})

test("an app's subscription is paid when it is due, late where coin was short, and never twice", async () => {
  const world = await createWorld()
  const { reader, network, parties } = world.economy
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  await tapCoins(world, 'alice', 5n)
  const request = await signedByAll(world, (tx) =>
    tx.create(subscriptionRequest, {
      subscriptionData: {
        sender: alice,
        receiver: bob,
        provider: bob,
        dso: parties.dso,
        description: 'A paper',
      },
      payData: {
        paymentAmount: { amount: dec('4'), unit: 'CoinUnit' },
        paymentInterval: DAY_MICROS,
        paymentDuration: 60n * MINUTE,
      },
    }),
  )
  const accepted = await world.handlers.acceptSubscriptionRequest(
    { ...NOTHING, path: { contract_id: request } },
    await world.as('alice'),
  )
  assert.equal(accepted.status, 200)
  const [rules, round] = [await network.coinRules(), await network.usableRound()]
  const [payment] = await reader.all(subscriptionInitialPayment)
  const transferContext = {
    coinRules: rules.id,
    openMiningRound: round?.id ?? '',
    featuredAppRight: null,
  }
  await signedByAll(world, (tx) =>
    tx.exercise(subscriptionInitialPaymentCollect, payment?.id ?? '', {
      transferContext,
      now: world.clock.now,
    }),
  )
  assert.equal(await amounts(world, 'bob'), '4 + 0 locked')
  const automations = await setUpAutomations(world, { names: AUTOMATIONS })
  world.clock.now += DAY_MICROS + 1n
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '1 + 0 locked')
  await automations.run('subscriptions')
  const { service } = automations.services.find(({ name }) => name === 'subscriptions') ?? {}
  assert.ok(
    service?.trigger.wakes?.some(({ of }) => of?.has(alice) === true),
    'a coin of hers wakes it, also after a look at which nothing was tried',
  )
  await tapCoins(world, 'alice', 9n)
  await automations.run()
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '6 + 4 locked')
  assert.equal((await reader.all(subscriptionPayment)).length, 1)
  world.clock.now += 60n * MINUTE
  await automations.run('rounds', 'expiry')
  assert.equal(await amounts(world, 'alice'), '10 + 0 locked')
  assert.equal((await reader.all(subscriptionIdleState)).length, 1)
})

test('what an app does not collect returns by itself, also where the coin was taken back already', async () => {
  const world = await createWorld()
  const { reader, parties } = world.economy
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  await tapCoins(world, 'alice', 10n)
  for (const amount of ['4', '5']) {
    const contract_id = await signedByAll(world, (tx) =>
      tx.create(appPaymentRequest, {
        sender: alice,
        receiverAmounts: [{ receiver: bob, amount: { amount: dec(amount), unit: 'CoinUnit' } }],
        provider: bob,
        dso: parties.dso,
        expiresAt: world.clock.now + MINUTE,
        description: '',
      }),
    )
    const accepted = await world.handlers.acceptAppPaymentRequest(
      { ...NOTHING, path: { contract_id } },
      await world.as('alice'),
    )
    assert.equal(accepted.status, 200)
  }
  await signedByAll(world, (tx) =>
    tx.create(appPaymentRequest, {
      sender: alice,
      receiverAmounts: [{ receiver: bob, amount: { amount: dec('1'), unit: 'CoinUnit' } }],
      provider: bob,
      dso: parties.dso,
      expiresAt: world.clock.now + MINUTE,
      description: '',
    }),
  )
  assert.equal(await amounts(world, 'alice'), '1 + 9 locked')
  const automations = await setUpAutomations(world, { names: ['rounds', 'expiry'] })
  world.clock.now += 60n * MINUTE
  const taken = (await reader.all(lockedCoin))[0]
  assert.ok(taken)
  await signedByAll(world, (tx) => tx.exercise(lockedCoinOwnerExpireLock, taken.id, {}))
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '10 + 0 locked')
  const left = [await reader.all(acceptedAppPayment), await reader.all(appPaymentRequest)]
  assert.deepEqual(left, [[], []])
})
