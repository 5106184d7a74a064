// Merge delegations by a wallet's own hand or from onboarding on, and what the operator then
// merges. docs/economy-rules.md, "Merging"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  coin,
  mergeDelegation,
  mergeDelegationProposal,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import type { CommittedUpdate } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { amounts, assertUnchanged, offered } from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const MERGING = {
  validator: { proposeMergeDelegation: true },
  network: { traffic: { baseBurstBytes: 1_000_000_000 } },
}

async function act(
  world: World,
  what: 'getMergeDelegation' | 'proposeMergeDelegation' | 'withdrawMergeDelegation',
  userId = 'alice',
) {
  return world.handlers[what](NOTHING, await world.as(userId))
}

/** One run. */
async function merge(world: World, options: object = {}): Promise<void> {
  await (await setUpAutomations(world, { names: ['merging'], options: { merging: options } })).run()
}

async function coinsOf(world: World, userId: string): Promise<number> {
  return (await world.economy.reader.all(coin, { owner: await world.partyOf(userId) })).length
}

const ones = (count: number) => Array.from({ length: count }, () => 1n)

test('a wallet proposes once, sees what it proposed, and withdraws it', async () => {
  const world = await createWorld()
  assert.deepEqual(await act(world, 'getMergeDelegation'), { status: 200, body: {} })
  assert.equal((await act(world, 'withdrawMergeDelegation')).status, 404)
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => act(world, 'proposeMergeDelegation')),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  const id = replies.map(({ body }) => member(body, 'contract_id')).find((one) => one !== undefined)
  assert.equal(
    member(member((await act(world, 'getMergeDelegation')).body, 'proposal'), 'contract_id'),
    id,
  )
  await assertUnchanged(world, async () => {
    assert.equal((await act(world, 'proposeMergeDelegation')).status, 409)
    assert.equal((await act(world, 'proposeMergeDelegation', 'operator')).status, 400)
    assert.equal((await act(world, 'withdrawMergeDelegation', 'bob')).status, 404)
    assert.equal((await act(world, 'withdrawMergeDelegation', 'nobody')).status, 404)
  })
  assert.equal((await act(world, 'withdrawMergeDelegation')).status, 200)
  assert.equal((await act(world, 'proposeMergeDelegation')).status, 200, 'and may propose again')
})

test('where merging is on, onboarding proposes, the operator accepts, and who has too many holdings has one', async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'], ...MERGING })
  await tapCoins(world, 'alice', ...ones(11))
  await tapCoins(world, 'bob', ...ones(10))
  await tapCoins(world, 'carol', ...ones(12))
  await merge(world)
  assert.deepEqual(
    [await coinsOf(world, 'alice'), await coinsOf(world, 'bob'), await coinsOf(world, 'carol')],
    [1, 10, 1],
  )
  assert.deepEqual(
    [await amounts(world, 'alice'), await amounts(world, 'carol')],
    ['11 + 0 locked', '12 + 0 locked'],
  )
  assert.equal((await world.economy.reader.all(mergeDelegationProposal)).length, 0)
  const updates: CommittedUpdate[] = []
  const stop = world.economy.engine.onCommitted((update) => void updates.push(update))
  await assertUnchanged(world, () => merge(world))
  await tapCoins(world, 'alice', ...ones(10))
  await tapCoins(world, 'carol', ...ones(10))
  updates.length = 0
  await merge(world)
  stop()
  assert.equal(updates.length, 1, 'both owners in one transaction')
})

test('where traffic is short, those that it suffices for are merged', async () => {
  const world = await createWorld({
    users: ['alice', 'bob'],
    ...MERGING,
    network: { traffic: { baseBurstBytes: 279_000 } },
  })
  await tapCoins(world, 'alice', ...ones(11))
  await tapCoins(world, 'bob', ...ones(11))
  await merge(world)
  assert.deepEqual([await coinsOf(world, 'alice'), await coinsOf(world, 'bob')].toSorted(), [1, 11])
})

test('a featured operator earns a reward for each owner', async () => {
  const world = await createWorld(MERGING)
  await world.handlers.selfGrantFeatureAppRight(
    { ...NOTHING, body: null },
    await world.as('operator'),
  )
  await tapCoins(world, 'alice', ...ones(11))
  await tapCoins(world, 'bob', ...ones(11))
  await merge(world)
  const coupons = await world.economy.reader.all(appRewardCoupon)
  assert.deepEqual(
    coupons.map(({ payload }) => payload.provider),
    [world.economy.parties.operator, world.economy.parties.operator],
  )
})

test('locked holdings stay locked, and who withdraws is left alone', async () => {
  const world = await createWorld({ users: ['alice', 'bob'], ...MERGING })
  await merge(world)
  assert.equal((await world.economy.reader.all(mergeDelegation)).length, 2)
  await tapCoins(world, 'bob', 5n)
  await offered(world, { from: 'bob', to: 'alice', amount: '5' })
  await tapCoins(world, 'bob', ...ones(11))
  await tapCoins(world, 'alice', ...ones(11))
  assert.equal((await act(world, 'withdrawMergeDelegation')).status, 200)
  await merge(world)
  assert.deepEqual(
    [await amounts(world, 'bob'), await coinsOf(world, 'bob'), await coinsOf(world, 'alice')],
    ['11 + 5 locked', 1, 11],
  )
})

test('more than a transfer takes is merged in several goes, the smallest first', async () => {
  const world = await createWorld(MERGING)
  for (let batch = 0; batch < 3; batch++) {
    const party = await world.partyOf('alice')
    await Promise.all(
      Array.from({ length: 40 }, () =>
        world.treasury.enqueue(party, { tag: 'CO_Tap', value: { tapAmount: 10_000_000_000n } }),
      ),
    )
  }
  await tapCoins(world, 'alice', 1000n)
  assert.equal(await coinsOf(world, 'alice'), 121)
  await merge(world)
  assert.deepEqual(
    [await coinsOf(world, 'alice'), await amounts(world, 'alice')],
    [1, '1120 + 0 locked'],
  )
})

test('an owner who spends meanwhile loses nothing, and does not keep others from being merged', async () => {
  const world = await createWorld({ users: ['alice', 'bob'], ...MERGING })
  await merge(world)
  await tapCoins(world, 'alice', ...ones(11))
  await tapCoins(world, 'bob', ...ones(11))
  const party = await world.partyOf('alice')
  await Promise.all([
    merge(world),
    merge(world),
    world.treasury.enqueue(party, { tag: 'CO_MergeTransferInputs', value: {} }),
  ])
  assert.deepEqual(
    [await amounts(world, 'alice'), await amounts(world, 'bob')],
    ['11 + 0 locked', '11 + 0 locked'],
  )
  assert.deepEqual([await coinsOf(world, 'alice'), await coinsOf(world, 'bob')], [1, 1])
})
