// What a wallet allocated and nobody settled is the wallet's again, without anybody asking for it;
// its history tells. docs/allocations.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinAllocation, lockedCoin } from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import { amounts, MINUTE } from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

async function allocate(world: World, legId: string) {
  const { now } = world.clock
  return world.handlers.allocateCoin(
    {
      ...NOTHING,
      body: {
        settlement: {
          executor: await world.partyOf('carol'),
          settlement_ref: { id: 'trade 17' },
          requested_at: now,
          allocate_before: now + MINUTE,
          settle_before: now + 2n * MINUTE,
        },
        transfer_leg_id: legId,
        transfer_leg: { receiver: await world.partyOf('bob'), amount: '5' },
      },
    },
    await world.as('alice'),
  )
}

test('what is not settled in time returns by itself, also where the coin was taken back already', async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  await tapCoins(world, 'alice', 20n)
  for (const legId of ['leg0', 'leg1']) assert.equal((await allocate(world, legId)).status, 200)
  assert.equal(await amounts(world, 'alice'), '10 + 10 locked')
  const automations = await setUpAutomations(world, { names: ['expiry'] })
  world.clock.now += 2n * MINUTE - 1n
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '10 + 10 locked')
  world.clock.now += MINUTE
  await automations.run()
  assert.equal(await amounts(world, 'alice'), '20 + 0 locked')
  const { reader } = world.economy
  assert.deepEqual([await reader.all(coinAllocation), await reader.all(lockedCoin)], [[], []])
})

test('of the same request many times at once one allocates; another request for the leg is refused', async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  await tapCoins(world, 'alice', 20n)
  const replies = await Promise.all(Array.from({ length: 5 }, () => allocate(world, 'leg0')))
  const done = replies.filter(({ status }) => status === 200)
  assert.ok(done.length > 0 && replies.every(({ status }) => [200, 409, 429].includes(status)))
  assert.equal(new Set(done.map(({ body }) => JSON.stringify(member(body, 'output')))).size, 1)
  assert.equal(await amounts(world, 'alice'), '15 + 5 locked')
  world.clock.now += 1n
  assert.equal((await allocate(world, 'leg0')).status, 409)
})
