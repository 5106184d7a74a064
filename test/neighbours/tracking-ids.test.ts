// A tracking id pays once, however many offers and requests for traffic its owner makes under it by
// commands of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedTransferOffer, buyTrafficRequest } from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { trafficRequestStatus } from '../../runtime/economy/wallets/tracking.ts'
import { setUpAutomations } from '../support/automations.ts'
import {
  accept,
  acceptAll,
  MINUTE,
  offer,
  plantOffers,
  statusOf,
  twoServers,
} from '../wallet/offer-kit.ts'
import { balance, createWorld, NOTHING, tapCoins } from '../wallet/world.ts'
import type { World } from '../wallet/world.ts'

async function complete(...worlds: readonly World[]): Promise<void> {
  const automations = await Promise.all(
    worlds.map((world) => setUpAutomations(world, { names: ['completion'] })),
  )
  await Promise.all(automations.map((each) => each.run()))
}

const bobs = async (world: World) => (await balance(world, 'bob')).unlocked

test('of three offers under one id one is paid, and the others end', async () => {
  const world = await createWorld()
  await tapCoins(world, 'alice', 20n)
  await plantOffers(world, 3)
  await acceptAll(world)
  await complete(world)
  assert.equal(await bobs(world), '5.0000000000')
  assert.deepEqual(await world.economy.reader.all(acceptedTransferOffer), [])
  assert.equal(await statusOf(world), 'completed')
})

test('an id that was paid pays nothing later, also where the wallet made the first offer', async () => {
  const world = await createWorld()
  await tapCoins(world, 'alice', 20n)
  await accept(world, await offer(world, { amount: '5.0' }))
  await complete(world)
  await plantOffers(world, 1)
  await acceptAll(world)
  await complete(world)
  await plantOffers(world, 1, 'another')
  await acceptAll(world)
  await complete(world)
  assert.equal(await bobs(world), '10.0000000000')
  assert.equal(await statusOf(world), 'completed')
})

test('two servers pay an id once', async () => {
  const [one, two] = await twoServers()
  await tapCoins(one, 'alice', 20n)
  await plantOffers(one, 3)
  await acceptAll(one)
  await complete(one, two)
  assert.equal(await bobs(one), '5.0000000000')
})

test('an offer that cannot be paid leaves its id to the next', async () => {
  const world = await createWorld()
  await plantOffers(world, 2)
  await acceptAll(world)
  await complete(world)
  assert.equal(await statusOf(world), 'failed')
  await tapCoins(world, 'alice', 20n)
  await plantOffers(world, 1)
  await acceptAll(world)
  await complete(world)
  assert.equal(await bobs(world), '5.0000000000')
})

test('of two requests for traffic under one id one is bought', async () => {
  const world = await createWorld()
  await tapCoins(world, 'alice', 2_000n)
  const asked = await world.handlers.createBuyTrafficRequest(
    {
      ...NOTHING,
      body: {
        receiving_validator_party_id: await world.partyOf('bob'),
        domain_id: world.economy.node.synchronizerId,
        traffic_amount: 200_000n,
        tracking_id: 'b1',
        expires_at: world.clock.now + MINUTE,
      },
    },
    await world.as('alice'),
  )
  assert.equal(asked.status, 200)
  const [first] = await world.economy.reader.all(buyTrafficRequest)
  assert.ok(first)
  const alice = await world.partyOf('alice')
  const again = await world.economy.engine.submit({
    actAs: [alice],
    userId: 'alice',
    run: (tx) => tx.create(buyTrafficRequest, first.payload),
  })
  assert.ok(again.ok)
  await complete(world)
  assert.equal((await balance(world, 'alice')).unlocked, '1333.2000000000')
  assert.deepEqual(await world.economy.reader.all(buyTrafficRequest), [])
  const status = await trafficRequestStatus(world.economy.store, alice, 'b1')
  assert.equal(member(status, 'status'), 'completed')
})
