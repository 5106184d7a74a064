// Lists of a wallet and of its operator that can be long: in pages where they are asked for, else
// whole, or the newest that one answer has room for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  validatorRewardCoupon,
  validatorRight,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const COINS = 65

/** The smallest that may be set. */
const LIMITED = { validator: { maxListBytes: 65_536 } }
const TRAFFIC = { network: { traffic: { baseBurstBytes: 1_000_000_000 } } }

type Query = { readonly after?: bigint; readonly limit?: number }

async function coins(world: World, query: Query = {}) {
  return world.handlers.list({ ...NOTHING, query }, await world.as('alice'))
}

/** Coins one by one, and a locked one among them. */
async function holdMany(world: World): Promise<void> {
  for (let made = 0; made < COINS; made += 1) {
    await tapCoins(world, 'alice', 2n)
    if (made === 0) await lock(world)
  }
}

async function lock(world: World): Promise<void> {
  const locked = await world.handlers.createTokenStandardTransfer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: await world.partyOf('bob'),
        amount: '1.0',
        description: '',
        expires_at: world.clock.now + 60_000_000n,
        tracking_id: 'locked',
      },
    },
    await world.as('alice'),
  )
  assert.equal(locked.status, 200)
}

/** Ids of the contracts of all pages, page by page. */
async function pages(read: (query: Query) => Promise<unknown>, members: readonly string[]) {
  const found: string[][] = []
  for (let after: bigint | undefined; found.length === 0 || after !== undefined;) {
    const reply = await read({ limit: 10, ...(after === undefined ? {} : { after }) })
    assert.equal(member(reply, 'status'), 200)
    const body = member(reply, 'body')
    found.push(members.flatMap((name) => idsOf(member(body, name))))
    const next = member(body, 'next_page_token')
    after = typeof next === 'bigint' ? next : undefined
  }
  return found
}

function idsOf(items: unknown): readonly string[] {
  assert.ok(Array.isArray(items))
  return items.map((item) =>
    String(
      member(item, 'contract_id') ??
        member(member(member(item, 'contract'), 'contract'), 'contract_id'),
    ),
  )
}

test('holdings come in pages, each once, unlocked and locked; without pages all of them', async () => {
  const world = await createWorld(TRAFFIC)
  await holdMany(world)
  const all = await coins(world)
  assert.ok(all.status === 200)
  assert.deepEqual([all.body.coins.length, all.body.locked_coins.length], [COINS, 1])
  assert.equal(all.body.older_omitted, undefined)
  const whole = [...idsOf(all.body.coins), ...idsOf(all.body.locked_coins)]
  const seen = await pages((query) => coins(world, query), ['coins', 'locked_coins'])
  assert.deepEqual(
    seen.map((page) => page.length),
    [10, 10, 10, 10, 10, 10, COINS + 1 - 60],
  )
  assert.deepEqual(seen.flat().toSorted(), whole.toSorted())
})

test('of more holdings than fit into one answer the newest are told without pages, and that there are more', async () => {
  const world = await createWorld({ ...TRAFFIC, ...LIMITED })
  await holdMany(world)
  const whole = await coins(world)
  assert.ok(whole.status === 200)
  assert.equal(whole.body.older_omitted, true)
  assert.equal(whole.body.next_page_token, undefined)
  const told = idsOf(whole.body.coins)
  const all = (await pages((query) => coins(world, query), ['coins'])).flat()
  assert.ok(told.length > 1 && told.length < all.length, `${told.length} of ${all.length}`)
  assert.deepEqual(told, all.slice(-told.length))
})

test('coupons come in pages, each once', async () => {
  const world = await createWorld(TRAFFIC)
  const [alice, { dso }] = [await world.partyOf('alice'), world.economy.parties]
  const made = await world.economy.engine.submit({
    actAs: [dso],
    userId: '',
    run: (tx) => {
      for (let one = 1n; one <= 25n; one += 1n) {
        tx.create(appRewardCoupon, {
          dso,
          provider: alice,
          featured: false,
          amount: one,
          round: 1n,
          beneficiary: null,
        })
      }
    },
  })
  assert.ok(made.ok)
  const context = await world.as('alice')
  const seen = await pages(
    async ({ after, limit = 10 }) =>
      world.handlers.listAppRewardCoupons(
        { ...NOTHING, query: { limit, ...(after === undefined ? {} : { after }) } },
        context,
      ),
    ['app_reward_coupons'],
  )
  assert.deepEqual(
    seen.map((page) => page.length),
    [10, 10, 5],
  )
  assert.equal(new Set(seen.flat()).size, 25)
})

test('validator coupons are those that the caller can collect: of its users, not its own alone', async () => {
  const world = await createWorld(TRAFFIC)
  const [alice, bob, { dso }] = [
    await world.partyOf('alice'),
    await world.partyOf('bob'),
    world.economy.parties,
  ]
  const made = await world.economy.engine.submit({
    actAs: [dso, bob],
    userId: '',
    run: (tx) => {
      for (const user of [alice, bob, alice, 'stranger::1220'])
        tx.create(validatorRewardCoupon, { dso, user, amount: 1n, round: 1n })
      tx.create(validatorRight, { dso, user: bob, validator: bob })
    },
  })
  assert.ok(made.ok)
  const usersOf = async (user: string) => {
    const context = await world.as(user)
    const reply = await world.handlers.listValidatorRewardCoupons(
      { ...NOTHING, query: { limit: 10 } },
      context,
    )
    assert.ok(reply.status === 200)
    return reply.body.validator_reward_coupons.map(({ payload }) => member(payload, 'user'))
  }
  assert.deepEqual(await usersOf('operator'), [alice, bob, alice])
  assert.deepEqual(await usersOf('alice'), [])
  assert.deepEqual(await usersOf('bob'), [bob])
})

test('on another network nobody taps, and it is said why', async () => {
  const world = await createWorld({ ...TRAFFIC, network: { isDevNet: false } })
  const body = { amount: '1.0' }
  const context = await world.as('alice')
  assert.deepEqual(await world.handlers.tap({ ...NOTHING, query: {}, body }, context), {
    status: 400,
    body: { error: 'Coin can be tapped on a development network only' },
  })
})
