// Offers of senders that the receiver trusts are accepted without being asked, and no others.
// docs/automations.md, "auto-accept"; docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinTransferInstruction, transferOffer } from '../../runtime/contracts/index.ts'
import autoAcceptPlugin from '../../plugins/automation-auto-accept/index.ts'
import { checkOptions } from '../../runtime/host/options.ts'
import { setUpAutomations } from '../support/automations.ts'
import type { TestAutomations } from '../support/automations.ts'
import { MINUTE, offer, statusOf } from './offer-kit.ts'
import { offered } from './token-kit.ts'
import { balance, createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

/** Bob accepts what alice offers; `completion` pays. */
async function accepting(world: World): Promise<TestAutomations> {
  const receivers = {
    [await world.partyOf('bob')]: { fromParties: [await world.partyOf('alice')] },
  }
  return setUpAutomations(world, {
    names: ['auto-accept', 'completion'],
    options: { 'auto-accept': { receivers } },
  })
}

const start = async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  await tapCoins(world, 'alice', 100n)
  return world
}

const senders = async ({ economy: { reader } }: World) =>
  (await reader.all(transferOffer)).map(({ payload: { trackingId } }) => trackingId).toSorted()

test('an offer of the pair is accepted and paid at once; those of other pairs stay', async () => {
  const world = await start()
  const automations = await accepting(world)
  automations.watch((error) => assert.fail(String(error)))
  await offer(world, { amount: '40.0' })
  await offer(world, { from: 'carol', trackingId: 'other sender' })
  await offer(world, { from: 'bob', to: 'alice', trackingId: 'other way' })
  await offer(world, { to: 'carol', trackingId: 'other receiver' })
  await world.settle(automations)
  assert.equal(await statusOf(world), 'completed')
  assert.equal((await balance(world, 'bob')).unlocked, '40.0000000000')
  assert.deepEqual(await senders(world), ['other receiver', 'other sender', 'other way'])
})

test('offers from before the start are accepted, whatever the amount; expired ones are left to their end', async () => {
  const world = await start()
  await offer(world, { amount: '1000000.0', trackingId: 'dear' })
  await offer(world, { trackingId: 'expired' })
  await offer(world, { trackingId: 'cheap', minutes: 5n })
  await offer(world, { from: 'carol', trackingId: 'carol', minutes: 5n })
  const automations = await accepting(world)
  await automations.run('auto-accept')
  assert.equal(await statusOf(world, 'dear'), 'accepted')
  await offer(world, { trackingId: 'late' })
  world.clock.now += 2n * MINUTE
  await automations.run()
  assert.deepEqual(await senders(world), ['carol', 'late'])
  assert.equal(await statusOf(world, 'cheap'), 'completed')
})

test('instructions of the token standard wait for their receiver', async () => {
  const world = await start()
  await offered(world)
  await (await accepting(world)).run()
  assert.equal((await world.economy.reader.all(coinTransferInstruction)).length, 1)
})

test('a receiver without a wallet here is no failure', async () => {
  const world = await start()
  const bob = await world.partyOf('bob')
  const automations = await accepting(world)
  assert.equal(
    (
      await world.handlers.offboardUser(
        { ...NOTHING, query: { username: 'bob' } },
        await world.as('operator'),
      )
    ).status,
    200,
  )
  await offer(world, { receiver: bob })
  await automations.run()
  assert.equal(await statusOf(world), 'created')
})

test('options that cannot be meant are refused', async () => {
  const check = async (receivers: object) =>
    (await checkOptions(autoAcceptPlugin.options, { receivers }, 'automations.auto-accept')).ok
  assert.equal(await check({ 'b::1': { fromParties: ['a::1', 'c::1'] } }), true)
  assert.equal(await check({}), true)
  assert.equal(await check({ 'b::1': { fromParties: [] } }), false)
  assert.equal(await check({ 'b::1': ['a::1'] }), false)
  assert.equal(await check({ 'b/1': { fromParties: ['a::1'] } }), false)
})
