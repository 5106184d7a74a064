// A wallet that takes as much traffic as it can leaves some to the others, and has its share again
// when a window has passed; so does one that pays as often as it can. docs/decisions/0011-floods.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletAppInstall } from '../../runtime/contracts/index.ts'
import { isPassing } from '../../runtime/economy/network/commands.ts'
import { OpenContracts } from '../../runtime/economy/quotas/open-contracts.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

const WINDOW_SECONDS = 1_200
const TRAFFIC = { baseBurstBytes: 60_000, baseWindowSeconds: WINDOW_SECONDS }

let ids = 0

async function offer(world: World, from: string, to: string) {
  ids += 1
  const body = {
    receiver_party_id: await world.partyOf(to),
    amount: '1',
    description: '',
    tracking_id: `id-${ids}`,
    expires_at: world.clock.now + 86_400_000_000n,
  }
  return world.handlers.createTransferOffer(
    { path: {}, query: {}, headers: {}, cookies: {}, body },
    await world.as(from),
  )
}

/** Offers made until one is refused, and when the refusal says to come again. */
async function untilRefused(world: World, from: string, to: string) {
  for (let made = 0; made < 100; made += 1) {
    const reply = await offer(world, from, to)
    if (reply.status === 200) continue
    assert.equal(reply.status, 429)
    assert.match(
      reply.body.error,
      /^The quota of the party alice.* is used up: 75 % of the traffic/,
    )
    return { made, retrySeconds: Number(reply.headers?.['Retry-After']) }
  }
  return assert.fail('nothing was refused')
}

test('a wallet takes three quarters of the traffic at most, another one pays on, and a window later it is as before', async () => {
  const world = await createWorld({ network: { traffic: TRAFFIC } })
  const first = await untilRefused(world, 'alice', 'bob')
  assert.ok(
    first.retrySeconds > 0 && first.retrySeconds <= WINDOW_SECONDS,
    String(first.retrySeconds),
  )
  assert.equal((await offer(world, 'bob', 'alice')).status, 200)
  world.clock.now += BigInt(WINDOW_SECONDS) * 2_000_000n
  const second = await untilRefused(world, 'alice', 'bob')
  assert.ok(second.made >= first.made - 1, `${second.made} after ${first.made}`)
})

test('whoever bought traffic may use it: a share is of all that is left', async () => {
  const world = await createWorld({ network: { traffic: TRAFFIC } })
  const { made } = await untilRefused(world, 'alice', 'bob')
  await world.economy.engine.recordFacts([], () => [
    {
      kind: 'traffic-limit',
      key: world.economy.parties.member,
      body: JSON.stringify({ limit: '1000000' }),
    },
  ])
  for (let more = 0; more < 2 * made; more += 1)
    assert.equal((await offer(world, 'alice', 'bob')).status, 200)
})

const PAYMENTS = { paymentsPerSecond: 2, paymentBurst: 5 }

async function tap(world: World, user: string) {
  return world.handlers.tap(
    { path: {}, query: {}, headers: {}, cookies: {}, body: { amount: '1' } },
    await world.as(user),
  )
}

test('a wallet pays so many times at once, is told when it may again, and another one pays on', async () => {
  const world = await createWorld({ quotas: PAYMENTS })
  const statuses = []
  for (let payments = 0; payments < 5; payments += 1)
    statuses.push((await tap(world, 'alice')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  const refused = await tap(world, 'alice')
  assert.equal(refused.status, 429)
  assert.match(
    refused.body.error,
    /^The quota of the wallet of alice.* is used up: 2 payments a second; it may be tried again in 1 s/,
  )
  assert.equal(refused.headers?.['Retry-After'], '1')
  assert.equal((await tap(world, 'bob')).status, 200)
  world.clock.now += 1_000_000n
  assert.equal((await tap(world, 'alice')).status, 200)
})

test('payments that an automation makes out of a wallet count too, and pass once it may pay again', async () => {
  const world = await createWorld({ quotas: { ...PAYMENTS, paymentBurst: 1 } })
  const party = await world.partyOf('alice')
  const pay = () =>
    world.treasury.enqueue(party, { tag: 'CO_Tap', value: { tapAmount: 10_000_000_000n } })
  assert.equal((await pay()).ok, true)
  const refused = await pay()
  assert.ok(!refused.ok && refused.kind === 'refused')
  assert.ok(isPassing(refused.rejection))
  world.clock.now += 1_000_000n
  assert.equal((await pay()).ok, true)
})

test('contracts that are opened while those there are counted have no room for themselves', async () => {
  const counted = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const counts = counted.values()
  const open = new OpenContracts({
    contracts: { count: async () => counts.next().value?.promise ?? 0 },
    limit: 10,
    perSecond: 1_000,
    nowMs: () => 0,
  })
  const opening = {
    party: 'alice',
    kind: { reference: 'kind', name: 'Kind', party: walletAppInstall.by('endUserParty') },
    count: 6,
  }
  const both = [open.count(opening), open.count(opening)]
  counted[0]?.resolve(0)
  await both[0]
  assert.equal(open.take(opening), 0)
  counted[1]?.resolve(0)
  await both[1]
  assert.equal(open.roomFor(opening), 'full')
})
