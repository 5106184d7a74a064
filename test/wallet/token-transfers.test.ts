// Transfers of the token standard by the wallet's own endpoints: at once or in two steps, each
// ending exactly once, with every refusal leaving the ledger as it was. docs/economy-rules.md,
// "Token-standard transfers"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coin,
  coinTransferInstruction,
  lockedCoin,
  lockedCoinOwnerExpireLock,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import {
  amounts,
  assertRefused,
  assertUnchanged,
  byId,
  MINUTE,
  offered,
  transfer,
} from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

async function funded(...coins: readonly bigint[]): Promise<World> {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  await tapCoins(world, 'alice', ...coins)
  return world
}

async function listed(world: World, userId: string): Promise<readonly unknown[]> {
  const reply = await world.handlers.listTokenStandardTransfers(NOTHING, await world.as(userId))
  const transfers = member(reply.body, 'transfers')
  assert.ok(Array.isArray(transfers))
  return transfers.map((contract) => member(contract, 'contract_id'))
}

async function historyOf(world: World, userId: string): Promise<readonly unknown[]> {
  const reply = await world.handlers.listTransactions(
    { ...NOTHING, body: { page_size: 100n } },
    await world.as(userId),
  )
  return [member(reply.body, 'items')]
    .flat()
    .map((entry) => member(member(entry, 'transaction_subtype'), 'choice'))
}

test('an offer locks its amount until the receiver accepts; both list it, nobody else does', async () => {
  const world = await funded(20n, 30n)
  const reply = await transfer(world)
  assert.equal(reply.status, 200)
  const cid = String(member(member(reply.body, 'output'), 'transfer_instruction_cid'))
  assert.equal([member(reply.body, 'sender_change_cids')].flat().length, 1)
  assert.equal(await amounts(world, 'alice'), '37.5 + 12.5 locked')
  assert.deepEqual(
    await Promise.all(['alice', 'bob', 'carol'].map((user) => listed(world, user))),
    [[cid], [cid], []],
  )
  const accepted = await world.handlers.acceptTokenStandardTransfer(
    byId(cid),
    await world.as('bob'),
  )
  assert.equal(accepted.status, 200)
  assert.equal([member(member(accepted.body, 'output'), 'receiver_holding_cids')].flat().length, 1)
  assert.deepEqual(member(accepted.body, 'sender_change_cids'), [])
  assert.deepEqual(
    [await amounts(world, 'alice'), await amounts(world, 'bob')],
    ['37.5 + 0 locked', '12.5 + 0 locked'],
  )
  assert.deepEqual(await historyOf(world, 'bob'), [
    'TransferInstruction_Accept',
    'TransferFactory_Transfer',
  ])
})

for (const [choice, user] of [
  ['reject', 'bob'],
  ['withdraw', 'alice'],
] as const) {
  test(`after ${choice} the amount is back, and nothing can follow`, async () => {
    const world = await funded(20n)
    const cid = await offered(world)
    const end = async (what: typeof choice) =>
      what === 'reject'
        ? world.handlers.rejectTokenStandardTransfer(byId(cid), await world.as('bob'))
        : world.handlers.withdrawTokenStandardTransfer(byId(cid), await world.as('alice'))
    const done = await end(choice)
    assert.equal(done.status, 200)
    assert.deepEqual(member(done.body, 'output'), {})
    assert.equal([member(done.body, 'sender_change_cids')].flat().length, 1, user)
    assert.equal(await amounts(world, 'alice'), '20 + 0 locked')
    await assertUnchanged(world, async () => {
      await assertRefused([
        [
          'accept',
          404,
          Promise.resolve(
            world.handlers.acceptTokenStandardTransfer(byId(cid), await world.as('bob')),
          ),
        ],
        ['reject', 404, end('reject')],
        ['withdraw', 404, end('withdraw')],
      ])
    })
  })
}

test('of acceptance, rejection and withdrawal at once exactly one happens', async () => {
  const world = await funded(20n)
  const cid = await offered(world)
  const [alice, bob] = [await world.as('alice'), await world.as('bob')]
  const replies = await Promise.all([
    world.handlers.acceptTokenStandardTransfer(byId(cid), bob),
    world.handlers.rejectTokenStandardTransfer(byId(cid), bob),
    world.handlers.withdrawTokenStandardTransfer(byId(cid), alice),
    world.handlers.acceptTokenStandardTransfer(byId(cid), bob),
  ])
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.ok(
    replies.every(({ status }) => [200, 404, 409].includes(status)),
    String(replies.map(({ status }) => status)),
  )
  assert.equal((await world.economy.reader.total('supply', '')).amount, 200_000_000_000n)
  assert.equal((await world.economy.reader.all(lockedCoin)).length, 0)
})

test('to oneself all coins become the amount and the change, at once', async () => {
  const world = await funded(1n, 2n, 3n, 4n)
  const reply = await transfer(world, { to: 'alice', amount: '7' })
  assert.equal(reply.status, 200)
  assert.equal([member(member(reply.body, 'output'), 'receiver_holding_cids')].flat().length, 1)
  const held = await world.economy.reader.all(coin, { owner: await world.partyOf('alice') })
  assert.deepEqual(held.map(({ payload }) => payload.amount.initialAmount).toSorted(), [
    30_000_000_000n,
    70_000_000_000n,
  ])
})

test('different transfers at once are all made, each out of what the one before left', async () => {
  const world = await funded(10n, 10n)
  const replies = await Promise.all(
    Array.from({ length: 5 }, (_, at) =>
      transfer(world, { amount: '3', trackingId: `many-${at}` }),
    ),
  )
  assert.ok(replies.every(({ status }) => status === 200))
  assert.equal(await amounts(world, 'alice'), '5 + 15 locked')
})

test('after its time a transfer cannot be accepted, but ends: by its sender, or by the network', async () => {
  const world = await funded(20n, 30n)
  const [first, second] = [await offered(world), await offered(world, { trackingId: 't2' })]
  world.clock.now += 2n * MINUTE
  await assertUnchanged(world, async () => {
    assert.equal(
      (await world.handlers.acceptTokenStandardTransfer(byId(first), await world.as('bob'))).status,
      409,
    )
  })
  assert.equal(
    (await world.handlers.withdrawTokenStandardTransfer(byId(first), await world.as('alice')))
      .status,
    200,
  )
  await (await setUpAutomations(world, { names: ['expiry'] })).run()
  assert.equal(await world.economy.reader.get(coinTransferInstruction, second), undefined)
  assert.equal(await amounts(world, 'alice'), '50 + 0 locked')
})

test('an expired lock is money again: the next transfer takes it, and the empty instruction can only be cleared', async () => {
  const world = await funded(20n)
  const cid = await offered(world, { amount: '20' })
  assert.equal(await amounts(world, 'alice'), '0 + 20 locked')
  assert.equal((await transfer(world, { trackingId: 't2' })).status, 400, 'still locked')
  world.clock.now += 2n * MINUTE
  assert.equal((await transfer(world, { trackingId: 't2', amount: '15' })).status, 200)
  assert.equal(await amounts(world, 'alice'), '5 + 15 locked')
  const [alice, bob] = [await world.as('alice'), await world.as('bob')]
  await assertUnchanged(world, async () => {
    assert.equal((await world.handlers.acceptTokenStandardTransfer(byId(cid), bob)).status, 404)
  })
  const cleared = await world.handlers.withdrawTokenStandardTransfer(byId(cid), alice)
  assert.equal(cleared.status, 200)
  assert.deepEqual(member(cleared.body, 'sender_change_cids'), [])
  assert.equal(await amounts(world, 'alice'), '5 + 15 locked')
})

test('the owner takes an expired lock back by itself, and the receiver clears the instruction', async () => {
  const world = await funded(20n)
  const cid = await offered(world, { amount: '20' })
  world.clock.now += 2n * MINUTE
  const [locked] = await world.economy.reader.all(lockedCoin)
  assert.ok(locked)
  const alice = await world.partyOf('alice')
  const done = await world.economy.engine.submit({
    actAs: [alice],
    userId: '',
    run: (tx) => tx.exercise(lockedCoinOwnerExpireLock, locked.id, {}),
  })
  assert.ok(done.ok)
  const cleared = await world.handlers.rejectTokenStandardTransfer(byId(cid), await world.as('bob'))
  assert.equal(cleared.status, 200)
  assert.equal(await amounts(world, 'alice'), '20 + 0 locked')
})
