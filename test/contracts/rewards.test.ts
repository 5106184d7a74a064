// Rewards on the real engine: activity becomes coupons, coupons are minted once at what their round
// says, or expire into what nobody claimed. docs/economy-rules.md, "Rewards" and "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AppRewardBeneficiary, TransferInput } from '../../generated/contracts.gen.ts'
import {
  appRewardCoupon,
  svRewardCoupon,
  unclaimedActivityRecordExpire,
  unclaimedReward,
  validatorRewardCoupon,
} from '../../runtime/contracts/coupons.ts'
import {
  dsoRulesAllocateUnclaimedActivityRecord,
  dsoRulesReceiveSvRewardCoupon,
} from '../../runtime/contracts/dso-rules.ts'
import { coinRulesDevNetFeatureApp } from '../../runtime/contracts/feature-app.ts'
import {
  featuredAppRight,
  featuredAppRightCancel,
  featuredAppRightRewardActivity,
} from '../../runtime/contracts/featured-app.ts'
import { validatorLivenessActivityRecord } from '../../runtime/contracts/licence.ts'
import { coinRulesMiningRoundClose } from '../../runtime/contracts/round-steps.ts'
import { issuingMiningRound } from '../../runtime/contracts/rounds.ts'
import { coinRulesTransfer } from '../../runtime/contracts/transfer.ts'
import {
  coinRulesClaimExpiredRewards,
  coinRulesMergeUnclaimedRewards,
} from '../../runtime/contracts/unclaimed-rewards.ts'
import { DECIMAL_ONE, formatDecimal } from '../../runtime/engine/decimal.ts'
import {
  assertRequires,
  DSO,
  issueNext,
  NO_ACTIVITY,
  openRound,
  openRounds,
  startNetworkWithRounds,
  succeeded,
  sv,
  assertKind,
} from './network-fixture.ts'
import type { NetworkUnderTest } from './network-fixture.ts'
import { DAY, dec, sampleConfig } from './sample-config.ts'

const APP = 'app::1220dd'
const ALICE = 'alice::1220ee'

async function featureApp(network: NetworkUnderTest): Promise<string> {
  const argument = { provider: APP }
  return (
    await network.exercise(APP, coinRulesDevNetFeatureApp, await network.coinRulesId(), argument)
  ).featuredAppRightCid
}

async function rewardActivity(
  network: NetworkUnderTest,
  beneficiaries: readonly AppRewardBeneficiary[] | null,
) {
  const openRoundCid = (await openRound(network, 0n)).id
  return network.submit(APP, featuredAppRightRewardActivity, await featureApp(network), {
    openRoundCid,
    beneficiaries,
  })
}

test("an activity of a featured app is worth 1 USD at the round's price, for the provider", async () => {
  const network = await startNetworkWithRounds()
  const {
    result: {
      appRewardCouponCids: [cid = ''],
    },
  } = succeeded(await rewardActivity(network, null))
  assert.deepEqual(await network.payload(appRewardCoupon, cid), {
    dso: DSO,
    provider: APP,
    featured: true,
    amount: dec('200'),
    round: 0n,
    beneficiary: APP,
  })
  assert.deepEqual(await network.reader.total('coupons.app.featured', '0'), {
    amount: dec('200'),
    count: 1n,
  })
  assert.equal((await network.reader.active(appRewardCoupon, { round: 0n })).length, 1)
})

test('beneficiaries share by weight, in the order they are first seen, the same one once', async () => {
  const network = await startNetworkWithRounds()
  const { result } = succeeded(
    await rewardActivity(network, [
      { beneficiary: ALICE, weight: dec('0.25') },
      { beneficiary: APP, weight: dec('0.5') },
      { beneficiary: ALICE, weight: dec('0.25') },
    ]),
  )
  const coupons = await Promise.all(
    result.appRewardCouponCids.map((cid) => network.payload(appRewardCoupon, cid)),
  )
  assert.deepEqual(
    coupons.map(({ beneficiary, amount }) => [beneficiary, formatDecimal(amount)]),
    [
      [ALICE, '100.0000000000'],
      [APP, '100.0000000000'],
    ],
  )
})

test('weights are above 0, add up to exactly 1, and name 1 to 20', async () => {
  const network = await startNetworkWithRounds()
  const parts = (weights: readonly bigint[]) =>
    weights.map((weight, index) => ({ beneficiary: `p${index}::1220`, weight }))
  const even = (count: number) =>
    parts(Array.from({ length: count }, () => DECIMAL_ONE / BigInt(count)))
  assertRequires(await rewardActivity(network, []), /1 to 20/)
  assertRequires(await rewardActivity(network, even(25)), /1 to 20/)
  assertRequires(await rewardActivity(network, parts([DECIMAL_ONE - 1n])), /add up to 1/)
  assertRequires(await rewardActivity(network, parts([DECIMAL_ONE - 1n, 2n])), /add up to 1/)
  assertRequires(
    await rewardActivity(network, parts([DECIMAL_ONE, 0n])),
    /each weight is above 0, and 1 at most; given: /,
  )
  assertRequires(
    await rewardActivity(network, parts([2n * DECIMAL_ONE, -DECIMAL_ONE])),
    /each weight is above 0, and 1 at most; given: /,
  )
  assert.equal(
    succeeded(await rewardActivity(network, even(20))).result.appRewardCouponCids.length,
    20,
  )
})

test('a reward of nothing makes no coupon', async () => {
  const transferConfig = { ...sampleConfig.transferConfig, extraFeaturedAppRewardAmount: 0n }
  const network = await startNetworkWithRounds({ config: { transferConfig } })
  assert.deepEqual(succeeded(await rewardActivity(network, null)).result.appRewardCouponCids, [])
})

test('a round that has not opened takes no activity, nor does a right that ended', async () => {
  const network = await startNetworkWithRounds()
  const right = await featureApp(network)
  const two = await openRound(network, 2n)
  const argument = { openRoundCid: two.id, beneficiaries: null }
  network.setTime(two.payload.opensAt - 1n)
  await network.denied('too-early', APP, featuredAppRightRewardActivity, right, argument)
  network.setTime(two.payload.opensAt)
  succeeded(await network.submit(APP, featuredAppRightRewardActivity, right, argument))
  await network.exercise(APP, featuredAppRightCancel, right, {})
  await network.denied('contract-not-found', APP, featuredAppRightRewardActivity, right, argument)
})

test('apps feature themselves on a development network only', async () => {
  const network = await startNetworkWithRounds({ isDevNet: false })
  const rules = await network.coinRulesId()
  assertRequires(
    await network.submit(APP, coinRulesDevNetFeatureApp, rules, { provider: APP }),
    /development network/,
  )
  assert.equal((await network.reader.active(featuredAppRight)).length, 0)
})

test("a super validator's weight goes to its beneficiaries, the rest to itself, never more", async () => {
  const network = await startNetworkWithRounds()
  const rules = await network.dsoRulesId()
  const openRoundCid = (await openRound(network, 0n)).id
  const receive = (beneficiaries: readonly (readonly [string, bigint])[]) =>
    network.submit(DSO, dsoRulesReceiveSvRewardCoupon, rules, {
      sv: sv(1),
      openRoundCid,
      beneficiaries,
    })
  assertRequires(
    await receive([[ALICE, 10_001n]]),
    /the super validator's 10000 at most; given: 10001/,
  )
  assertRequires(await receive([[ALICE, 0n]]), /above 0/)
  succeeded(await receive([[ALICE, 4_000n]]))
  const coupons = (await network.reader.active(svRewardCoupon)).map(({ payload }) => payload)
  assert.deepEqual(
    coupons.map(({ beneficiary, weight }) => [beneficiary, weight]),
    [
      [ALICE, 4_000n],
      [sv(1), 6_000n],
    ],
  )
  assert.deepEqual(await network.reader.total('coupons.sv', '0'), {
    amount: dec('10000'),
    count: 2n,
  })
})

test('coupons that were not minted become an unclaimed reward of what they were worth', async () => {
  const network = await startNetworkWithRounds()
  const of = { dso: DSO, round: 0n }
  const cids = {
    validatorRewardCouponCids: [
      await network.create(validatorRewardCoupon, { ...of, user: ALICE, amount: dec('10') }),
    ],
    appRewardCouponCids: [
      await network.create(appRewardCoupon, {
        ...of,
        provider: APP,
        featured: true,
        amount: dec('2'),
        beneficiary: null,
      }),
      await network.create(appRewardCoupon, {
        ...of,
        provider: APP,
        featured: false,
        amount: dec('5'),
        beneficiary: null,
      }),
    ],
    svRewardCouponCids: [
      await network.create(svRewardCoupon, { ...of, sv: sv(1), beneficiary: sv(1), weight: 10n }),
    ],
    validatorLivenessActivityRecordCids: [
      await network.create(validatorLivenessActivityRecord, { ...of, validator: APP }),
    ],
  }
  const issuingRoundCid = await issueNext(network, {
    totalValidatorRewardCoupons: dec('10'),
    totalFeaturedAppRewardCoupons: dec('2'),
    totalUnfeaturedAppRewardCoupons: dec('5'),
    totalSvRewardWeight: 10n,
    optTotalValidatorFaucetCoupons: 1n,
  })
  const rules = await network.coinRulesId()
  network.setTime((await network.payload(issuingMiningRound, issuingRoundCid)).targetClosesAt)
  const { closedRoundCid } = await network.exercise(DSO, coinRulesMiningRoundClose, rules, {
    issuingRoundCid,
  })
  const claim = { closedRoundCid, ...cids }
  const { optUnclaimedRewardCid } = await network.exercise(
    DSO,
    coinRulesClaimExpiredRewards,
    rules,
    claim,
  )
  // 10 * 0.2 + 2 * 100 + 5 * 0.6 + 10 * 60882.800608828 + 570
  assert.equal(
    (await network.payload(unclaimedReward, optUnclaimedRewardCid ?? '')).amount,
    dec('609603.0060882800'),
  )
  await network.denied('contract-not-found', DSO, coinRulesClaimExpiredRewards, rules, claim)
  assert.deepEqual(await network.reader.total('coupons.validator', '0'), { amount: 0n, count: 0n })
  const other = await network.create(validatorRewardCoupon, {
    dso: DSO,
    user: ALICE,
    amount: 1n,
    round: 1n,
  })
  const foreign = {
    ...claim,
    validatorRewardCouponCids: [other],
    appRewardCouponCids: [],
    svRewardCouponCids: [],
  }
  assertRequires(
    await network.submit(DSO, coinRulesClaimExpiredRewards, rules, {
      ...foreign,
      validatorLivenessActivityRecordCids: [],
    }),
    /of the closed round/,
  )
})

test('unclaimed rewards merge into one of the same sum, two at least', async () => {
  const network = await startNetworkWithRounds()
  const rules = await network.coinRulesId()
  const amounts = [dec('1.5'), dec('0.0000000001'), dec('3')]
  const cids = await Promise.all(
    amounts.map((amount) => network.create(unclaimedReward, { dso: DSO, amount })),
  )
  const merge = (unclaimedRewardCids: readonly string[]) =>
    network.submit(DSO, coinRulesMergeUnclaimedRewards, rules, { unclaimedRewardCids })
  assertRequires(await merge(cids.slice(0, 1)), /two rewards/)
  assertKind(await merge([cids[0] ?? '', cids[0] ?? '']), 'contract-not-found')
  const { result } = succeeded(await merge(cids))
  assert.equal(
    (await network.payload(unclaimedReward, result.unclaimedRewardCid)).amount,
    dec('4.5000000001'),
  )
})

test('an activity record comes out of unclaimed rewards, and goes back there when it expires', async () => {
  const network = await startNetworkWithRounds()
  const rules = await network.dsoRulesId()
  const reward = await network.create(unclaimedReward, { dso: DSO, amount: dec('10') })
  const expiresAt = network.now() + DAY
  const argument = {
    unclaimedRewardCids: [reward],
    beneficiary: ALICE,
    amount: dec('4'),
    reason: 'work',
    expiresAt,
  }
  const allocate = (amount: bigint) =>
    network.submit(DSO, dsoRulesAllocateUnclaimedActivityRecord, rules, { ...argument, amount })
  assertRequires(
    await allocate(dec('10.0000000001')),
    /add up to 10.0000000001 at least; given: 10.0000000000/,
  )
  const {
    result: { unclaimedActivityRecordCid: cid, optUnclaimedRewardCid },
  } = succeeded(await allocate(dec('4')))
  assert.equal(
    (await network.payload(unclaimedReward, optUnclaimedRewardCid ?? '')).amount,
    dec('6'),
  )
  network.setTime(expiresAt - 1n)
  await network.denied('too-early', DSO, unclaimedActivityRecordExpire, cid, {})
  network.setTime(expiresAt)
  const { unclaimedRewardCid } = await network.exercise(DSO, unclaimedActivityRecordExpire, cid, {})
  assert.equal((await network.payload(unclaimedReward, unclaimedRewardCid)).amount, dec('4'))
})

/** Mints coupons in a transfer of `ALICE` to herself. */
async function mint(
  network: NetworkUnderTest,
  issuingRoundCid: string,
  inputs: readonly TransferInput[],
) {
  const [round] = (await openRounds(network)).filter(
    ({ payload }) => payload.opensAt <= network.now(),
  )
  return network.submit(ALICE, coinRulesTransfer, await network.coinRulesId(), {
    transfer: { sender: ALICE, provider: ALICE, inputs, outputs: [], beneficiaries: null },
    context: {
      openMiningRound: round?.id ?? '',
      issuingMiningRounds: [[0n, issuingRoundCid]],
      validatorRights: [],
      featuredAppRight: null,
    },
    expectedDso: DSO,
  })
}

test('all coupons of a round together mint no more than its pool, each once and only while it is issuing', async () => {
  const shares = fc.array(fc.bigInt({ min: 1n, max: 10n ** 17n }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(shares, async (amounts) => {
      const network = await startNetworkWithRounds()
      const inputs = await Promise.all(
        amounts.map(async (amount): Promise<TransferInput> => ({
          tag: 'InputAppRewardCoupon',
          value: await network.create(appRewardCoupon, {
            dso: DSO,
            provider: ALICE,
            featured: true,
            amount,
            round: 0n,
            beneficiary: ALICE,
          }),
        })),
      )
      const total = amounts.reduce((all, amount) => all + amount, 0n)
      const issuing = await issueNext(network, {
        ...NO_ACTIVITY,
        totalFeaturedAppRewardCoupons: total,
      })
      const {
        opensAt,
        targetClosesAt,
        issuancePerFeaturedAppRewardCoupon: rate,
      } = await network.payload(issuingMiningRound, issuing)
      network.setTime(opensAt - 1n)
      assertKind(await mint(network, issuing, inputs), 'too-early')
      network.setTime(opensAt)
      const {
        result: { summary },
      } = succeeded(await mint(network, issuing, inputs))
      assert.equal(
        summary.inputAppRewardAmount,
        amounts.reduce((all, amount) => all + times(amount, rate), 0n),
      )
      assert.ok(rate <= dec('100') + 1n)
      const bound = total / DECIMAL_ONE + BigInt(amounts.length) + 2n
      assert.ok(
        summary.inputAppRewardAmount <= dec('114155.2511415525') + bound,
        formatDecimal(summary.inputAppRewardAmount),
      )
      assertKind(await mint(network, issuing, inputs), 'contract-not-found')
      network.setTime(targetClosesAt)
      const late = await network.create(appRewardCoupon, {
        dso: DSO,
        provider: ALICE,
        featured: true,
        amount: dec('1'),
        round: 0n,
        beneficiary: ALICE,
      })
      await network.exercise(DSO, coinRulesMiningRoundClose, await network.coinRulesId(), {
        issuingRoundCid: issuing,
      })
      const missed = await mint(network, issuing, [{ tag: 'InputAppRewardCoupon', value: late }])
      assertKind(missed, 'contract-not-found')
    }),
    { numRuns: 8 },
  )
})

/** Half to even, apart from the code under test. */
function times(a: bigint, b: bigint): bigint {
  const [quotient, rest] = [(a * b) / DECIMAL_ONE, 2n * ((a * b) % DECIMAL_ONE)]
  return rest > DECIMAL_ONE || (rest === DECIMAL_ONE && quotient % 2n === 1n)
    ? quotient + 1n
    : quotient
}
