// Payments of one party that each have a deduplication id: commands of their own that share a
// commit, whatever becomes of one of them. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Treasury, TreasuryResult } from '../../runtime/economy/treasury/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import { newStore } from '../support/test-store.ts'
import { twoServers } from './offer-kit.ts'
import { balance, createWorld, NOTHING, tapCoins } from './world.ts'
import type { World, WorldOptions } from './world.ts'

const COIN = 10_000_000_000n
const NETWORK = { traffic: { baseBurstBytes: 1_000_000_000 } }

type Send = (dedupId: string, coins: bigint, treasury?: Treasury) => Promise<TreasuryResult>

/** Alice has 100 coin and can pay Bob. */
async function setUp(world: World): Promise<Send> {
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  await tapCoins(world, 'operator', 1_000n)
  await tapCoins(world, 'alice', 50n, 30n, 20n)
  assert.equal(
    (await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))).status,
    200,
  )
  const preapproval = await world.economy.network.preapprovalOf(bob)
  assert.ok(preapproval)
  const value = {
    transferPreapprovalCid: preapproval.id,
    providerFeaturedAppRightCid: null,
    description: null,
  }
  return (dedupId, coins, treasury = world.treasury) =>
    treasury.enqueue(
      alice,
      { tag: 'CO_TransferPreapprovalSend', value: { ...value, amount: coins * COIN } },
      {
        dedup: { id: dedupId, content: String(coins) },
      },
    )
}

async function payments(
  options: WorldOptions = {},
): Promise<{ readonly world: World; readonly send: Send }> {
  const world = await createWorld({ network: NETWORK, ...options })
  return { world, send: await setUp(world) }
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `id ${index}`)
}

/** Ten payments at once, each a command of its own; resolves to the commits that they took. */
async function commitsOfTen(): Promise<number> {
  const { world, send } = await payments()
  let commits = 0
  const { contracts } = world.store
  const commit = contracts.commit.bind(contracts)
  contracts.commit = (asked) => {
    commits += 1
    return commit(asked)
  }
  const done = await Promise.all(names(10).map((id) => send(id, 2n)))
  assert.ok(done.every((one) => one.ok))
  assert.equal(new Set(done.map((one) => (one.ok ? one.updateId : ''))).size, 10)
  assert.deepEqual(await balance(world, 'alice'), { unlocked: '80.0000000000', coins: 1 })
  assert.equal((await balance(world, 'bob')).unlocked, '20.0000000000')
  return commits
}

test('payments that arrive together are commands of their own in one commit', async () => {
  // What waits is gathered for ten milliseconds at most, and a busy machine needs longer at times.
  const commits = Math.min(await commitsOfTen(), await commitsOfTen(), await commitsOfTen())
  assert.ok(commits <= 3, `${commits} commits`)
})

test('what cannot be paid fails alone, and what comes behind it is paid', async () => {
  const { world, send } = await payments()
  const done = await Promise.all([
    send('a', 10n),
    send('b', 1_000n),
    send('c', 80n),
    send('d', 80n),
    send('e', 5n),
  ])
  assert.deepEqual(
    done.map((one) => (one.ok ? 'paid' : one.kind)),
    ['paid', 'invalid-transfer', 'paid', 'invalid-transfer', 'paid'],
  )
  assert.equal((await balance(world, 'alice')).unlocked, '5.0000000000')
})

test('an id that was used before, or is used twice at once, pays once', async () => {
  const { world, send } = await payments()
  await send('b', 1n)
  const done = await Promise.all(['a', 'b', 'c', 'a', 'c', 'd'].map((id) => send(id, 1n)))
  assert.deepEqual(
    done.map((one) => one.ok && one.isRepeated),
    [false, true, false, true, true, false],
  )
  assert.equal((await balance(world, 'bob')).unlocked, '4.0000000000')
})

test('two servers that pay for a party at the same time pay everything once', async () => {
  const [world, other] = await twoServers({ network: NETWORK })
  const send = await setUp(world)
  for (let round = 0; round < 4; round++) {
    const ids = names(12).map((id) => `${round} ${id}`)
    // Every third is asked for at both.
    const done = await Promise.all(
      ids.flatMap((id, index) => [
        send(id, 1n),
        send(index % 3 === 0 ? id : `other ${id}`, 1n, other.treasury),
      ]),
    )
    assert.ok(
      done.every((one) => one.ok),
      `${done.filter(({ ok }) => !ok).length} failed`,
    )
    assert.equal(done.filter((one) => one.ok && one.isRepeated).length, 4)
  }
  assert.equal((await balance(world, 'bob')).unlocked, '80.0000000000')
  assert.equal((await balance(world, 'alice')).unlocked, '20.0000000000')
})

test('where a commit fails, each payment of it tells so, and the ids can be asked for again', async () => {
  const store: Store = await newStore()
  const { world, send } = await payments({ store })
  const { contracts } = store
  const commit = contracts.commit.bind(contracts)
  let isDown = true
  contracts.commit = async (asked) => {
    if (isDown) throw new Error('the store is down')
    return commit(asked)
  }
  const done = await Promise.allSettled(names(8).map((id) => send(id, 5n)))
  assert.deepEqual(
    done.map(({ status }) => status),
    Array(8).fill('rejected'),
  )
  isDown = false
  const again = await Promise.all(names(8).map((id) => send(id, 5n)))
  assert.ok(again.every((one) => one.ok && !one.isRepeated))
  assert.equal((await balance(world, 'bob')).unlocked, '40.0000000000')
})
