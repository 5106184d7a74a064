// The development fund by a wallet's endpoints: allocated by its manager alone, out of what is
// unclaimed, and told of afterwards. docs/economy-rules.md, "Development fund"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installChoices, unclaimedDevelopmentFundCoupon } from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import { amounts, assertRefused, assertUnchanged, byId, DAY, FORGED, MINUTE } from './token-kit.ts'
import { createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const COIN = 10_000_000_000n

/** A fund of 100 and 50 coins; the operator manages it. */
async function endowed(): Promise<World> {
  const world = await createWorld({ users: ['alice', 'bob'] })
  const {
    engine,
    parties: { dso },
  } = world.economy
  for (const amount of [100n, 50n]) {
    const done = await engine.submit({
      actAs: [dso],
      userId: '',
      free: true,
      run: (tx) => tx.create(unclaimedDevelopmentFundCoupon, { dso, amount: amount * COIN }),
    })
    assert.ok(done.ok)
  }
  return world
}

interface Allocation {
  readonly by?: string
  readonly beneficiary?: string
  readonly amount?: string
  readonly lifetime?: bigint
  readonly reason?: string
}

async function allocate(
  world: World,
  {
    by = 'operator',
    beneficiary,
    amount = '30',
    lifetime = DAY,
    reason = 'Grant 7',
  }: Allocation = {},
) {
  return world.handlers.allocateDevelopmentFundCoupon(
    {
      ...NOTHING,
      body: {
        beneficiary: beneficiary ?? (await world.partyOf('bob')),
        amount,
        expiresAt: world.clock.now + lifetime,
        reason,
      },
    },
    await world.as(by),
  )
}

async function allocated(world: World, allocation: Allocation = {}): Promise<string> {
  const reply = await allocate(world, allocation)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return String(member(reply.body, 'development_fund_coupon_contract_id'))
}

async function withdraw(world: World, id: string, by = 'operator', reason = 'Sent twice') {
  return world.handlers.withdrawDevelopmentFundCoupon(
    { ...byId(id), body: { reason } },
    await world.as(by),
  )
}

async function fund(world: World): Promise<readonly bigint[]> {
  const coupons = await world.economy.reader.all(unclaimedDevelopmentFundCoupon)
  return coupons.map(({ payload }) => payload.amount / COIN).toSorted((a, b) => Number(a - b))
}

async function history(
  world: World,
  userId: string,
  query: { after?: bigint; limit?: number } = {},
) {
  const input = { ...NOTHING, query: { limit: 100, ...query } }
  const reply = await world.handlers.listDevelopmentFundCouponHistory(input, await world.as(userId))
  assert.equal(reply.status, 200)
  const entries = [member(reply.body, 'development_fund_coupon_history')].flat()
  return { entries, next: member(reply.body, 'next_page_token') }
}

test('the manager allocates, what is left over stays unclaimed, and both sides list the coupon', async () => {
  const world = await endowed()
  const reply = await allocate(world, { amount: '120' })
  assert.equal(reply.status, 200)
  assert.ok(member(reply.body, 'unclaimed_development_fund_coupon_contract_id'))
  assert.deepEqual(await fund(world), [30n])
  for (const [user, count] of [
    ['operator', 1],
    ['bob', 1],
    ['alice', 0],
  ] as const) {
    const listed = await world.handlers.listActiveDevelopmentFundCoupons(
      NOTHING,
      await world.as(user),
    )
    assert.equal(
      [member(listed.body, 'active_development_fund_coupons')].flat().length,
      count,
      user,
    )
  }
  const all = await allocate(world, { amount: '30' })
  assert.equal(member(all.body, 'unclaimed_development_fund_coupon_contract_id'), undefined)
  assert.deepEqual(await fund(world), [])
})

test('a coupon that is claimed, withdrawn, rejected or expired is told of, the last first', async () => {
  const world = await endowed()
  await allocated(world, { amount: '1' })
  const [withdrawn, rejected] = [
    await allocated(world, { amount: '2' }),
    await allocated(world, { amount: '3' }),
  ]
  await allocated(world, { amount: '4', lifetime: MINUTE })
  assert.equal((await withdraw(world, withdrawn)).status, 200)
  await reject(world, rejected)
  world.clock.now += MINUTE
  await (await setUpAutomations(world, { names: ['expiry'] })).run()
  await tapCoins(world, 'bob', 5n)
  await world.treasury.enqueue(await world.partyOf('bob'), {
    tag: 'CO_MergeTransferInputs',
    value: {},
  })
  assert.equal(await amounts(world, 'bob'), '6 + 0 locked')
  for (const user of ['operator', 'bob']) {
    const { entries } = await history(world, user)
    const told = entries.map((entry) =>
      ['status', 'amount', 'rejection_or_withdrawal_reason'].map((key) => member(entry, key)),
    )
    assert.deepEqual(told, [
      ['claimed', '1.0000000000', undefined],
      ['expired', '4.0000000000', undefined],
      ['rejected', '3.0000000000', 'not wanted'],
      ['withdrawn', '2.0000000000', 'Sent twice'],
    ])
  }
  assert.deepEqual((await history(world, 'alice')).entries, [])
})

async function reject(world: World, cid: string): Promise<void> {
  const bob = await world.partyOf('bob')
  const install = await world.treasury.installOf(bob)
  assert.ok(install)
  const done = await world.economy.engine.submit({
    actAs: [world.economy.parties.operator],
    readAs: [bob],
    userId: '',
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_DevelopmentFundCoupon_Reject, install.id, {
        cid,
        reason: 'not wanted',
      }),
  })
  assert.ok(done.ok)
}

test('history comes in pages to its end', async () => {
  const world = await endowed()
  for (let count = 1; count <= 5; count++)
    await withdraw(world, await allocated(world, { amount: String(count) }))
  const seen: unknown[] = []
  for (let after: bigint | undefined; ;) {
    const { entries, next } = await history(world, 'operator', {
      limit: 2,
      ...(after === undefined ? {} : { after }),
    })
    seen.push(...entries.map((entry) => member(entry, 'amount')))
    if (typeof next !== 'bigint') break
    assert.ok(next <= BigInt(Number.MAX_SAFE_INTEGER) && next >= 0n)
    after = next
  }
  assert.deepEqual(
    seen,
    [5, 4, 3, 2, 1].map((amount) => `${amount}.0000000000`),
  )
  for (const after of [-1n, 2n ** 63n - 1n])
    assert.deepEqual((await history(world, 'operator', { after })).entries, [])
})

test('what cannot be allocated or withdrawn is refused, and the fund stays as it was', async () => {
  const world = await endowed()
  const cid = await allocated(world)
  await assertUnchanged(world, async () => {
    await assertRefused([
      ['by somebody else', 400, allocate(world, { by: 'alice' })],
      ['without a wallet', 404, allocate(world, { by: 'nobody' })],
      ['nothing', 400, allocate(world, { amount: '0' })],
      ['less than nothing', 400, allocate(world, { amount: '-5' })],
      ['eleven decimals', 400, allocate(world, { amount: '0.00000000001' })],
      ['more than there is', 400, allocate(world, { amount: '120.0000000001' })],
      ['the past', 400, allocate(world, { lifetime: 0n })],
      ['an unknown beneficiary', 400, allocate(world, { beneficiary: 'nobody::1220' })],
      ['a text that cannot be stored', 400, allocate(world, { reason: '\0' })],
      ['the beneficiary withdraws', 400, withdraw(world, cid, 'bob')],
      ['a stranger withdraws', 404, withdraw(world, cid, 'alice')],
      ['a reason that cannot be stored', 400, withdraw(world, cid, 'operator', '\ud800')],
      ...FORGED.map((id) => [`forged ${id}`, 404, withdraw(world, id)] as const),
    ])
  })
  assert.equal((await withdraw(world, cid)).status, 200)
  assert.equal((await withdraw(world, cid)).status, 404)
})

test('allocations at once share the fund', async () => {
  const world = await endowed()
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => allocate(world, { amount: '30' })),
  )
  const done = replies.filter(({ status }) => status === 200).length
  assert.ok(
    replies.every(({ status }) => [200, 400, 409].includes(status)),
    String(replies.map(({ status }) => status)),
  )
  const left = (await fund(world)).reduce((sum, amount) => sum + amount, 0n)
  assert.equal(left, 150n - 30n * BigInt(done))
  assert.ok(done >= 1)
})
