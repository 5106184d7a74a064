// The development fund on the real engine: only its manager allocates, nothing is lost, times hold
// at equality. docs/economy-rules.md, "Development fund"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  developmentFundCoupon,
  developmentFundCouponExpire,
  developmentFundCouponReject,
  developmentFundCouponWithdraw,
  unclaimedDevelopmentFundCoupon,
} from '../../runtime/contracts/development-fund.ts'
import { coinRulesAllocateDevelopmentFundCoupon } from '../../runtime/contracts/fund-allocation.ts'
import {
  assertRequires,
  DSO,
  GENESIS,
  refused,
  startNetwork,
  succeeded,
  assertKind,
} from './network-fixture.ts'
import type { NetworkUnderTest } from './network-fixture.ts'
import { DAY, dec, HOUR } from './sample-config.ts'

const MANAGER = 'manager::1220dd'
const ALICE = 'alice::1220ee'

async function startFund(
  delay: bigint | null = null,
): Promise<{ readonly network: NetworkUnderTest; readonly cids: readonly string[] }> {
  const network = await startNetwork({
    config: { optDevelopmentFundManager: MANAGER, minDevelopmentFundMintingDelay: delay },
  })
  const amounts = [dec('60'), dec('40')]
  const cids = await Promise.all(
    amounts.map((amount) => network.create(unclaimedDevelopmentFundCoupon, { dso: DSO, amount })),
  )
  return { network, cids }
}

interface Terms {
  readonly amount?: bigint
  readonly expiresAt?: bigint
  readonly mintAfter?: bigint
  readonly now?: bigint
}

async function allocate(
  network: NetworkUnderTest,
  cids: readonly string[],
  terms: Terms = {},
  manager = MANAGER,
  actAs = manager,
) {
  return network.submit(
    actAs,
    coinRulesAllocateDevelopmentFundCoupon,
    await network.coinRulesId(),
    {
      unclaimedDevelopmentFundCouponCids: cids,
      beneficiary: ALICE,
      fundManager: manager,
      amount: terms.amount ?? dec('70'),
      expiresAt: terms.expiresAt ?? GENESIS + 30n * DAY,
      reason: 'a tool',
      mintAfter: terms.mintAfter ?? null,
      now: terms.now ?? network.now(),
    },
  )
}

test('an allocation takes the coupons named and leaves the rest unclaimed', async () => {
  const { network, cids } = await startFund()
  const { result } = succeeded(await allocate(network, cids))
  assert.deepEqual(await network.payload(developmentFundCoupon, result.developmentFundCouponCid), {
    dso: DSO,
    beneficiary: ALICE,
    fundManager: MANAGER,
    amount: dec('70'),
    expiresAt: GENESIS + 30n * DAY,
    reason: 'a tool',
    mintAfter: null,
  })
  const rest = await network.payload(
    unclaimedDevelopmentFundCoupon,
    result.optUnclaimedDevelopmentFundCouponCid ?? '',
  )
  assert.equal(rest.amount, dec('30'))
  assertKind(await allocate(network, cids), 'contract-not-found')
})

test('all of it may be allocated, not a fraction more, and nothing of nothing', async () => {
  const { network, cids } = await startFund()
  assertRequires(
    await allocate(network, cids, { amount: dec('100.0000000001') }),
    /add up to 100.0000000001 at least; given: 100.0000000000/,
  )
  assert.equal(refused(await allocate(network, cids, { amount: 0n })).ok, false)
  const { result } = succeeded(await allocate(network, cids, { amount: dec('100') }))
  assert.equal(result.optUnclaimedDevelopmentFundCouponCid, null)
  assert.equal((await network.reader.active(unclaimedDevelopmentFundCoupon)).length, 0)
})

test('only the configured manager allocates, unless black-listed', async () => {
  const { network, cids } = await startFund()
  assertRequires(await allocate(network, cids, {}, ALICE), /configured/)
  const listed = await startNetwork({
    config: { optDevelopmentFundManager: MANAGER, developmentFundManagerBlacklist: [MANAGER] },
  })
  assertRequires(await allocate(listed, []), /the fund manager .* is not barred/)
})

test('an allocation expires in the future, after minting may start', async () => {
  const { network, cids } = await startFund()
  assertKind(await allocate(network, cids, { expiresAt: network.now() }), 'too-late')
  const backwards = await allocate(network, cids, {
    expiresAt: GENESIS + DAY,
    mintAfter: GENESIS + DAY,
  })
  assert.equal(refused(backwards).ok, false)
  succeeded(
    await allocate(network, cids, { expiresAt: GENESIS + DAY, mintAfter: GENESIS + DAY - 1n }),
  )
})

test('minting is delayed as configured, whatever time the manager says', async () => {
  const { network, cids } = await startFund(2n * HOUR)
  network.setTime(GENESIS + HOUR)
  assertRequires(await allocate(network, cids), /delayed/)
  const mintAfter = network.now() + 2n * HOUR
  assertKind(await allocate(network, cids, { mintAfter: mintAfter - 1n }), 'too-late')
  const lie = { mintAfter: mintAfter - 1n, now: GENESIS }
  assertKind(await allocate(network, cids, lie), 'too-late')
  succeeded(await allocate(network, cids, { mintAfter }))
})

test('an allocation expires at its time, gives the amount back, and ends once', async () => {
  const { network, cids } = await startFund()
  const {
    result: { developmentFundCouponCid: cid },
  } = succeeded(await allocate(network, cids))
  const { expiresAt } = await network.payload(developmentFundCoupon, cid)
  network.setTime(expiresAt - 1n)
  await network.denied('too-early', DSO, developmentFundCouponExpire, cid, {})
  network.setTime(expiresAt)
  const { unclaimedDevelopmentFundCouponCid, reason } = await network.exercise(
    DSO,
    developmentFundCouponExpire,
    cid,
    {},
  )
  assert.equal(reason, null)
  assert.equal(
    (await network.payload(unclaimedDevelopmentFundCoupon, unclaimedDevelopmentFundCouponCid))
      .amount,
    dec('70'),
  )
  const again = await network.submit(MANAGER, developmentFundCouponWithdraw, cid, { reason: '' })
  assertKind(again, 'contract-not-found')
})

test("whatever the manager and the beneficiary do, the fund's sum stays", async () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom('allocate', 'withdraw', 'reject'),
      fc.bigInt({ min: 1n, max: dec('90') }),
    ),
    { maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      const { network } = await startFund()
      for (const [action, amount] of actions) {
        const unclaimed = (await network.reader.active(unclaimedDevelopmentFundCoupon)).map(
          ({ id }) => id,
        )
        const [coupon] = await network.reader.active(developmentFundCoupon)
        if (action === 'allocate') await allocate(network, unclaimed, { amount })
        else if (coupon !== undefined && action === 'withdraw') {
          await network.exercise(MANAGER, developmentFundCouponWithdraw, coupon.id, {
            reason: 'no',
          })
        } else if (coupon !== undefined)
          await network.exercise(ALICE, developmentFundCouponReject, coupon.id, { reason: 'no' })
        assert.equal(await fundOf(network), dec('100'))
      }
    }),
    { numRuns: 20 },
  )
})

async function fundOf({ reader }: NetworkUnderTest): Promise<bigint> {
  const contracts = [
    ...(await reader.active(unclaimedDevelopmentFundCoupon)),
    ...(await reader.active(developmentFundCoupon)),
  ]
  return contracts.reduce((sum, { payload }) => sum + payload.amount, 0n)
}
