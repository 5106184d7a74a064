// Preapprovals from proposal to cancellation, and payments by way of them. docs/economy-rules.md,
// "Preapprovals" and "Featured transfers"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  installChoices,
  transferPreapproval,
  transferPreapprovalProposal,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import { amounts, assertRefused, assertUnchanged, DAY, transfer } from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World, WorldOptions } from './world.ts'

/** A fee of 1 USD a day from the first day on. */
const DEAR = {
  transferPreapprovalFeeUsdPerDay: '1.0',
  transferPreapprovalBaseSeconds: 1,
  conversionRate: '1.0',
}

async function create(world: World, userId: string) {
  return world.handlers.createTransferPreapproval(NOTHING, await world.as(userId))
}

async function approved(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'], ...options })
  await tapCoins(world, 'alice', 20n, 30n)
  assert.equal((await create(world, 'bob')).status, 200)
  return world
}

interface Payment {
  readonly from?: string
  readonly to?: string
  readonly receiver?: string
  readonly amount?: string
  readonly id?: string
}

async function send(
  world: World,
  { from = 'alice', to = 'bob', receiver, amount = '12.5', id = 'd1' }: Payment = {},
) {
  return world.handlers.transferPreapprovalSend(
    {
      ...NOTHING,
      body: {
        receiver_party_id: receiver ?? (await world.partyOf(to)),
        amount,
        deduplication_id: id,
        description: 'lunch',
      },
    },
    await world.as(from),
  )
}

const byParty = (party: string) => ({ ...NOTHING, path: { 'receiver-party': party } })

test('a preapproval is made at once, once; whoever asks again is told which', async () => {
  const world = await createWorld()
  const replies = await Promise.all(Array.from({ length: 4 }, () => create(world, 'bob')))
  const ids = new Set(replies.map(({ body }) => member(body, 'transfer_preapproval_contract_id')))
  assert.equal(ids.size, 1)
  assert.ok(
    replies.every(({ status }) => status === 200 || status === 409),
    String(replies.map(({ status }) => status)),
  )
  const again = await create(world, 'bob')
  assert.equal(again.status, 409)
  assert.ok(ids.has(member(again.body, 'transfer_preapproval_contract_id')))
  assert.equal((await world.economy.reader.all(transferPreapproval)).length, 1)
  assert.equal((await world.economy.reader.all(transferPreapprovalProposal)).length, 0)
  assert.equal((await create(world, 'nobody')).status, 404)
})

test('after cancellation by the operator there is none, and a new one can be made', async () => {
  const world = await approved()
  const bob = await world.partyOf('bob')
  const operator = await world.as('operator')
  const { lookupTransferPreapprovalByParty: lookup, cancelTransferPreapprovalByParty: cancel } =
    world.handlers
  const list = async () =>
    [
      member((await world.handlers.listTransferPreapprovals(NOTHING, operator)).body, 'contracts'),
    ].flat()
  assert.equal((await lookup(byParty(bob), operator)).status, 200)
  assert.equal((await list()).length, 1)
  await assertUnchanged(world, async () => {
    for (const party of [
      'nobody::1220',
      '',
      '\0',
      'x'.repeat(5_000),
      await world.partyOf('alice'),
    ]) {
      assert.equal((await lookup(byParty(party), operator)).status, 404)
      assert.equal((await cancel(byParty(party), operator)).status, 404)
    }
  })
  assert.equal((await cancel(byParty(bob), operator)).status, 200)
  assert.equal((await cancel(byParty(bob), operator)).status, 404)
  assert.equal((await send(world)).status, 400)
  assert.deepEqual(await list(), [])
  assert.equal((await create(world, 'bob')).status, 200)
  assert.equal((await send(world)).status, 200)
})

test('an operator without funds: 429, and the task accepts once there are some', async () => {
  const world = await createWorld({ network: DEAR })
  const refused = await create(world, 'bob')
  assert.equal(refused.status, 429, JSON.stringify(refused.body))
  assert.match(String(member(refused.body, 'error')), /lack funds/)
  assert.equal((await create(world, 'bob')).status, 429)
  assert.equal((await world.economy.reader.all(transferPreapprovalProposal)).length, 1)
  await tapCoins(world, 'operator', 100n)
  await (await setUpAutomations(world, { names: ['preapprovals'] })).run()
  assert.equal((await create(world, 'bob')).status, 409)
  assert.equal(
    await amounts(world, 'operator'),
    '10.0000115741 + 0 locked',
    '90 days less the second that is free',
  )
})

test('a payment reaches the receiver in one step, once for an id, featured where the provider is', async () => {
  const world = await approved()
  assert.deepEqual(await send(world), { status: 200, body: undefined })
  assert.deepEqual(await send(world), { status: 200, body: undefined })
  assert.deepEqual(
    [await amounts(world, 'alice'), await amounts(world, 'bob')],
    ['37.5 + 0 locked', '12.5 + 0 locked'],
  )
  assert.equal((await world.economy.reader.all(appRewardCoupon)).length, 0)
  await world.handlers.selfGrantFeatureAppRight(
    { ...NOTHING, body: null },
    await world.as('operator'),
  )
  const replies = await Promise.all(Array.from({ length: 4 }, () => send(world, { id: 'd2' })))
  assert.ok(replies.every(({ status }) => status === 200 || status === 429))
  assert.equal(await amounts(world, 'bob'), '25 + 0 locked')
  const [coupon, ...others] = await world.economy.reader.all(appRewardCoupon)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [coupon?.payload.provider, coupon?.payload.featured, coupon?.payload.amount],
    [world.economy.parties.operator, true, 2_000_000_000_000n],
    '1 USD at 0.005',
  )
})

test('the token standard goes the same way where there is a preapproval', async () => {
  const world = await approved()
  await world.handlers.selfGrantFeatureAppRight(
    { ...NOTHING, body: null },
    await world.as('operator'),
  )
  const reply = await transfer(world)
  assert.equal([member(member(reply.body, 'output'), 'receiver_holding_cids')].flat().length, 1)
  assert.equal(await amounts(world, 'bob'), '12.5 + 0 locked')
  assert.equal((await world.economy.reader.all(appRewardCoupon)).length, 1)
})

test('what cannot be sent is refused, and the ledger stays as it was', async () => {
  const world = await approved()
  await assertUnchanged(world, () =>
    assertRefused([
      ['nothing', 400, send(world, { amount: '0' })],
      ['less than nothing', 400, send(world, { amount: '-1' })],
      ['eleven decimals', 400, send(world, { amount: '0.00000000001' })],
      ['more than there is', 400, send(world, { amount: '50.0000000001' })],
      ['no preapproval', 400, send(world, { to: 'carol' })],
      ['unknown receiver', 400, send(world, { receiver: 'nobody::1220' })],
      ['no party', 400, send(world, { receiver: '\0' })],
      ['a text that cannot be stored', 400, send(world, { id: '\ud800' })],
      ['no wallet', 404, send(world, { from: 'nobody' })],
    ]),
  )
  assert.equal((await send(world, { amount: '50' })).status, 200, 'the id is still free')
})

test('renewal goes on from the old end, in its time; what has lapsed is neither renewed nor of use', async () => {
  const world = await approved()
  const keeper = await setUpAutomations(world, { names: ['preapprovals'] })
  const only = async () => (await world.economy.reader.all(transferPreapproval))[0]
  const first = await only()
  assert.ok(first)
  world.clock.now = first.payload.expiresAt - 30n * DAY - 1n
  await keeper.run()
  assert.equal((await only())?.id, first.id, 'not yet due')
  world.clock.now += 1n
  await keeper.run()
  const renewed = await only()
  assert.equal(renewed?.payload.expiresAt, first.payload.expiresAt + 90n * DAY)
  assert.deepEqual(
    [renewed?.payload.lastRenewedAt, renewed?.payload.validFrom],
    [first.payload.expiresAt, first.payload.validFrom],
  )
  world.clock.now = first.payload.expiresAt + 90n * DAY
  await keeper.run()
  assert.equal((await only())?.id, renewed?.id, 'lapsed')
  assert.equal((await send(world)).status, 400)
  assert.equal(
    (
      await world.handlers.lookupTransferPreapprovalByParty(
        byParty(await world.partyOf('bob')),
        await world.as('operator'),
      )
    ).status,
    404,
  )
})

test('the operator pays for nobody but its own', async () => {
  const world = await createWorld()
  const {
    engine,
    parties: { operator, dso },
    reader,
  } = world.economy
  const stranger = 'stranger::1220'
  const proposal = { receiver: stranger, provider: operator, expectedDso: dso }
  const done = await engine.submit({
    actAs: [stranger],
    userId: '',
    run: (tx) => tx.create(transferPreapprovalProposal, proposal),
  })
  assert.ok(done.ok)
  const keeper = await setUpAutomations(world, { names: ['preapprovals'] })
  await assertUnchanged(world, () => keeper.run())
  await create(world, 'bob')
  const [install] = await world.economy.reader.all(transferPreapproval)
  assert.equal(install?.payload.receiver, await world.partyOf('bob'))
  const bobs = await world.treasury.installOf(await world.partyOf('bob'))
  assert.ok(bobs)
  const second = await engine.submit({
    actAs: [operator],
    readAs: [await world.partyOf('bob')],
    userId: '',
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_TransferPreapprovalProposal_Create, bobs.id, {}),
  })
  assert.ok(second.ok)
  await keeper.run()
  assert.equal((await reader.all(transferPreapproval)).length, 1, 'a second proposal is refused')
  assert.deepEqual(
    (await reader.all(transferPreapprovalProposal)).map(({ payload }) => payload.receiver),
    [stranger],
  )
})

test('coin in more holdings than a transfer takes is no lack of coin: the refusal says what the limit is', async () => {
  const world = await approved({ network: { traffic: { baseBurstBytes: 1_000_000_000 } } })
  await world.treasury.enqueue(await world.partyOf('alice'), {
    tag: 'CO_MergeTransferInputs',
    value: {},
  })
  await Promise.all(Array.from({ length: 100 }, () => tapCoins(world, 'alice', 1n)))
  const short = (missing: string) =>
    `out of funds in the 100 inputs that a transfer may have (missing ${missing} CC): ` +
    "the wallet's coin is in 101 holdings; merge them, or pay in parts"
  const paid = await send(world, { amount: '150.0', id: 'a' })
  assert.deepEqual([paid.status, paid.body], [400, { error: short('1.0000000000') }])
  const offered = await transfer(world, { amount: '149.5' })
  assert.deepEqual([offered.status, offered.body], [400, { error: short('0.5000000000') }])
  const poor = await send(world, { amount: '151.0', id: 'b' })
  assert.deepEqual(
    [poor.status, poor.body],
    [400, { error: 'out of funds (missing 2.0000000000 CC)' }],
  )
  assert.equal((await send(world, { amount: '149.0', id: 'c' })).status, 200)
})
