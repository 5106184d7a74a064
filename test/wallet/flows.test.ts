// What a wallet does, in this process: offers from creation to their end, traffic, rewards, and a
// history that adds up. docs/economy-rules.md, "Legacy offers" and "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal, parseDecimal } from '../../runtime/engine/index.ts'
import { member } from '../../runtime/host/member.ts'
import { trafficRequestStatus } from '../../runtime/economy/wallets/tracking.ts'
import { setUpAutomations } from '../support/automations.ts'
import { createWorld, NOTHING, START_MICROS, tapCoins } from './world.ts'
import type { World } from './world.ts'

const MINUTE = 60_000_000n

interface OfferTerms {
  readonly amount?: string
  readonly trackingId?: string
  readonly to?: string
  readonly from?: string
}

async function offer(
  world: World,
  { amount = '10.0', trackingId = 't1', to = 'bob', from = 'alice' }: OfferTerms = {},
) {
  return world.handlers.createTransferOffer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: await world.partyOf(to),
        amount,
        description: 'lunch',
        expires_at: START_MICROS + MINUTE,
        tracking_id: trackingId,
      },
    },
    await world.as(from),
  )
}

async function offerId(world: World, terms: OfferTerms = {}): Promise<string> {
  const reply = await offer(world, terms)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return String(member(reply.body, 'offer_contract_id'))
}

const byId = (id: string) => ({ ...NOTHING, path: { contract_id: id } })

async function status(world: World, trackingId = 't1'): Promise<unknown> {
  const reply = await world.handlers.getTransferOfferStatus(
    { ...NOTHING, path: { tracking_id: trackingId } },
    await world.as('alice'),
  )
  return reply.status === 200 ? reply.body : reply.status
}

async function balanceText(world: World, userId: string): Promise<unknown> {
  const reply = await world.handlers.getBalance(NOTHING, await world.as(userId))
  return member(reply.body, 'effective_unlocked_qty')
}

async function entries(world: World, userId: string): Promise<readonly unknown[]> {
  const reply = await world.handlers.listTransactions(
    { ...NOTHING, body: { page_size: 1000n } },
    await world.as(userId),
  )
  const items = member(reply.body, 'items')
  assert.ok(Array.isArray(items))
  return items
}

/** An entry's change of a party's unlocked coins, decimals x 10^10. */
function changeOf(entry: unknown, party: string): bigint {
  const sender = member(entry, 'sender')
  const receivers = member(entry, 'receivers')
  const parts = [
    ...(sender === undefined ? [] : [sender]),
    ...(Array.isArray(receivers) ? receivers : []),
  ]
  return parts
    .filter((part) => member(part, 'party') === party)
    .reduce((sum: bigint, part) => sum + (parseDecimal(String(member(part, 'amount'))) ?? 0n), 0n)
}

/** Invariant 41. */
async function assertAddsUp(world: World, ...userIds: readonly string[]): Promise<void> {
  for (const userId of userIds) {
    const party = await world.partyOf(userId)
    const sum = (await entries(world, userId)).reduce(
      (total: bigint, entry) => total + changeOf(entry, party),
      0n,
    )
    const { amount } = await world.economy.reader.total('unlocked', party)
    assert.equal(formatDecimal(sum), formatDecimal(amount), userId)
  }
}

async function watching(world: World): Promise<World> {
  const completion = await setUpAutomations(world, { names: ['completion'] })
  completion.watch((error) => assert.fail(String(error)))
  return { ...world, settle: () => world.settle(completion) }
}

test('an accepted offer is completed at once, and both histories say so', async () => {
  const world = await watching(await createWorld())
  await tapCoins(world, 'alice', 20n, 30n)
  const id = await offerId(world, { amount: '12.5' })
  assert.equal(member(await status(world), 'status'), 'created')
  assert.equal(await balanceText(world, 'alice'), '50.0000000000', 'an offer locks nothing')
  const accepted = await world.handlers.acceptTransferOffer(byId(id), await world.as('bob'))
  assert.equal(accepted.status, 200)
  await world.settle()
  assert.equal(member(await status(world), 'status'), 'completed')
  assert.equal(await balanceText(world, 'alice'), '37.5000000000')
  assert.equal(await balanceText(world, 'bob'), '12.5000000000')
  const [newest] = await entries(world, 'bob')
  assert.deepEqual(
    member(member(newest, 'transaction_subtype'), 'choice'),
    'AcceptedTransferOffer_Complete',
  )
  assert.deepEqual(member(newest, 'sender'), {
    party: await world.partyOf('alice'),
    amount: '-12.5000000000',
  })
  await assertAddsUp(world, 'alice', 'bob')
})

test('without funds the offer ends as withdrawn, with what is missing; the sender is notified', async () => {
  const world = await watching(await createWorld())
  await tapCoins(world, 'alice', 2n)
  await world.handlers.acceptTransferOffer(
    byId(await offerId(world, { amount: '12.5' })),
    await world.as('bob'),
  )
  await world.settle()
  assert.deepEqual(await status(world), {
    status: 'failed',
    failure_kind: 'withdrawn',
    withdrawn_reason: 'out of funds (missing 10.5000000000 CC)',
  })
  const [newest] = await entries(world, 'alice')
  assert.equal(member(newest, 'transaction_type'), 'notification')
  assert.equal(
    member(newest, 'details'),
    'direct transfer failed: out of funds (missing 10.5000000000 CC)',
  )
  await assertAddsUp(world, 'alice', 'bob')
})

test('rejected and withdrawn offers end; nobody can end them twice; who is not concerned learns nothing', async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  const rejected = await offerId(world, { trackingId: 'r' })
  const withdrawn = await offerId(world, { trackingId: 'w' })
  assert.equal(
    (await world.handlers.rejectTransferOffer(byId(rejected), await world.as('carol'))).status,
    404,
  )
  assert.equal(
    (await world.handlers.acceptTransferOffer(byId(rejected), await world.as('alice'))).status,
    400,
  )
  assert.equal(
    (await world.handlers.rejectTransferOffer(byId(rejected), await world.as('bob'))).status,
    200,
  )
  assert.equal(
    (await world.handlers.rejectTransferOffer(byId(rejected), await world.as('bob'))).status,
    404,
  )
  assert.equal(
    (
      await world.handlers.withdrawTransferOfferByBody(
        { ...NOTHING, body: { contract_id: { contractId: withdrawn } } },
        await world.as('alice'),
      )
    ).status,
    200,
  )
  assert.deepEqual(await status(world, 'r'), { status: 'failed', failure_kind: 'rejected' })
  assert.deepEqual(await status(world, 'w'), {
    status: 'failed',
    failure_kind: 'withdrawn',
    withdrawn_reason: 'Withdrawn by sender',
  })
  for (const forged of ['00', 'zz', '', '\0', 'ab'.repeat(600), withdrawn]) {
    assert.equal(
      (await world.handlers.acceptTransferOffer(byId(forged), await world.as('bob'))).status,
      404,
      forged,
    )
  }
})

test('an offer that has expired cannot be accepted', async () => {
  const world = await createWorld()
  const id = await offerId(world)
  world.clock.now += 2n * MINUTE
  assert.equal(
    (await world.handlers.acceptTransferOffer(byId(id), await world.as('bob'))).status,
    409,
  )
  assert.equal(member(await status(world), 'status'), 'created')
})

test('a tracking id makes one offer, whoever receives it and however many ask at once', async () => {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, at) => offer(world, { to: at % 2 === 0 ? 'bob' : 'carol' })),
  )
  const statuses = replies.map((reply) => reply.status)
  const made = replies
    .filter(({ status }) => status === 200)
    .map(({ body }) => member(body, 'offer_contract_id'))
  assert.equal(new Set(made).size, 1)
  assert.ok(
    statuses.every((one) => one === 200 || one === 409 || one === 429),
    String(statuses),
  )
  const [toBob, toCarol] = [await offer(world), await offer(world, { to: 'carol' })]
  assert.deepEqual(
    [toBob.status, toCarol.status].toSorted(),
    [200, 409],
    'the same again, and another one',
  )
  assert.equal(member((toBob.status === 200 ? toBob : toCarol).body, 'offer_contract_id'), made[0])
  assert.equal(
    (await offer(world, { from: 'bob', to: 'alice' })).status,
    200,
    "ids are the sender's own",
  )
  const listed = await world.handlers.listTransferOffers(NOTHING, await world.as('alice'))
  assert.equal(Array(member(listed.body, 'offers')).flat().length, 2)
})

test('an offer that was refused leaves its tracking id free', async () => {
  const world = await createWorld()
  for (const amount of ['0', '-1', '0.0000000000'])
    assert.equal((await offer(world, { amount })).status, 400, amount)
  assert.equal((await offer(world, { amount: '1' })).status, 200)
  assert.equal(await status(world, 'never'), 404)
})

test('who has no wallet gets 404; who was offboarded as well, and its coins stay', async () => {
  const world = await createWorld()
  await tapCoins(world, 'alice', 3n)
  const party = await world.partyOf('alice')
  assert.equal((await world.handlers.getBalance(NOTHING, await world.as('nobody'))).status, 404)
  const offboard = (username: string) =>
    world.handlers.offboardUser({ ...NOTHING, query: { username } }, Object.create(null))
  assert.equal((await offboard('alice')).status, 200)
  assert.equal((await offboard('alice')).status, 404)
  assert.equal((await offboard('operator')).status, 400)
  const total = await world.handlers.getExternalPartyBalance(
    { ...NOTHING, query: { party_id: party } },
    await world.as('operator'),
  )
  assert.equal(member(total.body, 'total_unlocked_coin'), '3.0000000000')
})

async function buyTraffic(
  world: World,
  some: { readonly amount?: bigint; readonly domain?: string; readonly id?: string } = {},
) {
  const { amount = 200_000n, domain = world.economy.node.synchronizerId, id = 'b1' } = some
  return world.handlers.createBuyTrafficRequest(
    {
      ...NOTHING,
      body: {
        receiving_validator_party_id: await world.partyOf('bob'),
        domain_id: domain,
        traffic_amount: amount,
        tracking_id: id,
        expires_at: START_MICROS + MINUTE,
      },
    },
    await world.as('alice'),
  )
}

test('traffic is bought for who asked, and what cannot be bought says why', async () => {
  const world = await watching(await createWorld())
  await tapCoins(world, 'alice', 2000n)
  const alice = await world.partyOf('alice')
  const bought = await buyTraffic(world)
  assert.equal(bought.status, 200)
  await world.settle()
  assert.equal(member(await trafficRequestStatus(world.store, alice, 'b1'), 'status'), 'completed')
  assert.equal(await balanceText(world, 'alice'), '1333.2000000000')
  const cases = [
    [
      { amount: 1n, id: 'small' },
      'not enough traffic requested (trafficAmount 1 < minTopupAmount 200000)',
    ],
    [{ domain: 'elsewhere::1220', id: 'elsewhere' }, 'unknown domainId elsewhere::1220'],
    [{ amount: 10_000_000n, id: 'dear' }, 'out of funds (missing 32006.8000000000 CC)'],
  ] as const
  for (const [request, reason] of cases) {
    assert.equal((await buyTraffic(world, request)).status, 200)
    await world.settle()
    assert.deepEqual(await trafficRequestStatus(world.store, alice, request.id), {
      status: 'failed',
      failure_reason: 'rejected',
      rejection_reason: reason,
    })
  }
  assert.deepEqual(await buyTraffic(world), bought, 'the same again')
  assert.equal((await buyTraffic(world, { amount: 200_001n })).status, 409)
  assert.equal((await buyTraffic(world, { amount: 0n, id: 'none' })).status, 400)
  const [newest] = await entries(world, 'alice')
  assert.equal(
    member(member(newest, 'transaction_subtype'), 'choice'),
    'CoinRules_BuyMemberTraffic',
  )
  await assertAddsUp(world, 'alice')
})

test('a tap gives coins for USD, rounded up, once for a command id', async () => {
  const world = await createWorld({ network: { conversionRate: '0.3' } })
  const tap = async (amount: string, command_id?: string) =>
    world.handlers.tap(
      { ...NOTHING, body: { amount, ...(command_id === undefined ? {} : { command_id }) } },
      await world.as('alice'),
    )
  const first = await tap('1', 'c')
  assert.equal(first.status, 200)
  assert.deepEqual(await tap('1', 'c'), first)
  assert.equal(await balanceText(world, 'alice'), '3.3333333334')
  for (const amount of ['0', '-1', '9'.repeat(28)])
    assert.ok([400, 409].includes((await tap(amount)).status), amount)
  const [newest] = await entries(world, 'alice')
  assert.equal(member(member(newest, 'transaction_subtype'), 'choice'), 'CoinRules_DevNet_Tap')
  await assertAddsUp(world, 'alice')
})

test('history pages are read newest first, and end', async () => {
  const world = await createWorld()
  for (let count = 0; count < 5; count++) await tapCoins(world, 'alice', 1n)
  const seen: string[] = []
  for (let after = ''; ;) {
    const body = { page_size: 2n, begin_after_id: after }
    const page = member(
      (await world.handlers.listTransactions({ ...NOTHING, body }, await world.as('alice'))).body,
      'items',
    )
    assert.ok(Array.isArray(page))
    if (page.length === 0) break
    seen.push(...page.map((entry) => String(member(entry, 'event_id'))))
    after = seen.at(-1) ?? ''
  }
  assert.equal(new Set(seen).size, 5)
  const unknown = { page_size: 2n, begin_after_id: '\0' }
  assert.deepEqual(
    (await world.handlers.listTransactions({ ...NOTHING, body: unknown }, await world.as('alice')))
      .body,
    { items: [] },
  )
})

test('a development network features who asks, once, until it is given up', async () => {
  const world = await createWorld()
  const alice = await world.as('alice')
  const granted = await world.handlers.selfGrantFeatureAppRight({ ...NOTHING, body: null }, alice)
  assert.equal(granted.status, 200)
  assert.deepEqual(
    await world.handlers.selfGrantFeatureAppRight({ ...NOTHING, body: null }, alice),
    granted,
  )
  assert.equal(
    member((await world.handlers.userStatus(NOTHING, alice)).body, 'has_featured_app_right'),
    true,
  )
  assert.equal((await world.handlers.cancelFeaturedAppRights(NOTHING, alice)).status, 200)
  assert.equal((await world.handlers.cancelFeaturedAppRights(NOTHING, alice)).status, 200)
  assert.equal(
    member((await world.handlers.userStatus(NOTHING, alice)).body, 'has_featured_app_right'),
    false,
  )
})
