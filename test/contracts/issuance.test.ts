// What a round issues: the default curve at ticks of ten minutes, by figures worked out apart from
// the code, and the bounds that rounding keeps. docs/economy-rules.md, "Issuance" and "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { OpenMiningRoundSummary } from '../../generated/contracts.gen.ts'
import { issuanceAt, issuanceOf, tranche } from '../../runtime/contracts/issuance.ts'
import { DECIMAL_ONE, formatDecimal, multiply } from '../../runtime/engine/decimal.ts'
import { DAY, dec, HOUR, sampleConfig, TICK } from './sample-config.ts'

const YEAR = 365n * DAY
const summary: OpenMiningRoundSummary = {
  totalValidatorRewardCoupons: dec('1000'),
  totalFeaturedAppRewardCoupons: dec('200'),
  totalUnfeaturedAppRewardCoupons: dec('100'),
  totalSvRewardWeight: 10n,
  optTotalValidatorFaucetCoupons: 3n,
}

function roundAt(issuingFor: bigint, fund: bigint | null = null) {
  const issuanceConfig = {
    ...issuanceAt(sampleConfig.issuanceCurve, issuingFor),
    optDevelopmentFundPercentage: fund,
  }
  return { tickDuration: TICK, conversionRate: dec('0.005'), issuanceConfig }
}

test('the curve changes at half a year, one and a half, five and ten years, equality counting as reached', () => {
  const perYear = (issuingFor: bigint) =>
    issuanceAt(sampleConfig.issuanceCurve, issuingFor).coinToIssuePerYear /
    DECIMAL_ONE /
    100_000_000n
  const half = 365n * 12n * HOUR
  assert.deepEqual([0n, half - 1n, half, 3n * half - 1n, 3n * half].map(perYear), [
    400n,
    400n,
    200n,
    200n,
    100n,
  ])
  assert.deepEqual(
    [5n * YEAR - 1n, 5n * YEAR, 10n * YEAR - 1n, 10n * YEAR, 50n * YEAR].map(perYear),
    [100n, 50n, 50n, 25n, 25n],
  )
})

test('the entry with the greatest start holds, in whatever order the curve lists them', () => {
  const { initialValue, futureValues } = sampleConfig.issuanceCurve
  const shuffled = { initialValue, futureValues: futureValues.toReversed() }
  assert.deepEqual(
    issuanceAt(shuffled, 6n * YEAR),
    issuanceAt(sampleConfig.issuanceCurve, 6n * YEAR),
  )
})

test('the first round of the default curve', () => {
  const { perCoupon, unclaimed, developmentFund } = issuanceOf(roundAt(0n), summary)
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(perCoupon).map(([kind, value]) => [kind, formatDecimal(value)]),
    ),
    {
      validator: '0.2000000000',
      faucet: '570.0000000000',
      featuredApp: '100.0000000000',
      unfeaturedApp: '0.6000000000',
      sv: '60882.8006088280',
    },
  )
  assert.equal(formatDecimal(unclaimed), '130237.0015220701')
  assert.equal(developmentFund, 0n)
})

test('super validators get the rest in each segment, the development fund its part before all', () => {
  const seen = [0n, YEAR, 2n * YEAR, 6n * YEAR, 11n * YEAR].map((at) => {
    const {
      perCoupon: { sv },
      unclaimed,
      developmentFund,
    } = issuanceOf(roundAt(at, dec('0.05')), summary)
    return [sv, unclaimed, developmentFund].map(formatDecimal)
  })
  assert.deepEqual(seen, [
    ['57838.6605783866', '122626.6514459666', '38051.7503805175'],
    ['17351.5981735160', '166005.6468797564', '19025.8751902588'],
    ['3614.9162861492', '122626.6514459665', '9512.9375951294'],
    ['903.7290715373', '59365.6164383562', '4756.4687975647'],
    ['225.9322678843', '20957.1308980216', '2378.2343987823'],
  ])
})

test("without coupons each kind shows its cap and all but the super validators' part is unclaimed", () => {
  const none = {
    totalValidatorRewardCoupons: 0n,
    totalFeaturedAppRewardCoupons: 0n,
    totalUnfeaturedAppRewardCoupons: 0n,
    totalSvRewardWeight: 0n,
    optTotalValidatorFaucetCoupons: null,
  }
  const { perCoupon, unclaimed } = issuanceOf(roundAt(0n), none)
  assert.equal(perCoupon.validator, dec('0.2'))
  assert.equal(perCoupon.faucet, dec('570'))
  assert.equal(perCoupon.featuredApp, dec('100'))
  assert.equal(perCoupon.sv, dec('608828.0060882801'))
  assert.equal(unclaimed, dec('761035.0076103501'))
})

test('coupons beyond what the pool holds at the cap share it', () => {
  assert.deepEqual(tranche(dec('100'), dec('0.6'), dec('1000')), {
    perCoupon: dec('0.1'),
    unclaimed: 0n,
  })
  assert.deepEqual(tranche(dec('100'), 0n, dec('5')), { perCoupon: 0n, unclaimed: dec('100') })
})

const amounts = fc.bigInt({ min: 0n, max: 10n ** 20n })
const caps = fc.oneof(
  fc.constantFrom(0n, dec('0.2'), dec('0.6')),
  fc.bigInt({ min: DECIMAL_ONE, max: 10n ** 13n }),
)
/**
 * From half a coupon unit: below, the product of two tiny numbers is all rounding. A cap below 1
 * leaves a little of that.
 */
const units = fc.bigInt({ min: 5n * 10n ** 9n, max: 10n ** 19n })

test('a tranche gives no coupon more than its cap, and all coupons no more than the pool, but for rounding', () => {
  fc.assert(
    fc.property(amounts, caps, units, (total, cap, weight) => {
      const { perCoupon, unclaimed } = tranche(total, cap, weight)
      assert.ok(perCoupon <= cap, `${perCoupon} above ${cap}`)
      const minted = multiply(perCoupon, weight)
      const bound = weight / DECIMAL_ONE + 2n + total / (multiply(cap, weight) + 1n)
      assert.ok(minted <= total + bound, `${minted} of ${total}`)
      assert.ok(minted + unclaimed >= total)
    }),
    { numRuns: 500 },
  )
})

test('next to no weight is not worth more than the cap either', () => {
  for (const cap of [2_000_000_000n, 6_000_000_000n, 994_000_000_000n]) {
    for (let weight = 1n; weight < 100n; weight += 1n)
      assert.ok(tranche(10n ** 15n, cap, weight).perCoupon <= cap, `${weight} at ${cap}`)
  }
})

test("what is minted, unclaimed and put aside adds up to the round's issuance, but for rounding", () => {
  const counts = fc.record({
    totalValidatorRewardCoupons: units,
    totalFeaturedAppRewardCoupons: units,
    totalUnfeaturedAppRewardCoupons: units,
    totalSvRewardWeight: fc.bigInt({ min: 1n, max: 1_000_000n }),
    optTotalValidatorFaucetCoupons: fc.bigInt({ min: 0n, max: 100_000n }),
  })
  fc.assert(
    fc.property(counts, fc.bigInt({ min: 0n, max: 12n * YEAR }), (counted, at) => {
      const round = roundAt(at, dec('0.05'))
      const { perCoupon, unclaimed, developmentFund } = issuanceOf(round, counted)
      const minted =
        multiply(perCoupon.validator, counted.totalValidatorRewardCoupons) +
        perCoupon.faucet * counted.optTotalValidatorFaucetCoupons +
        multiply(perCoupon.featuredApp, counted.totalFeaturedAppRewardCoupons) +
        multiply(perCoupon.unfeaturedApp, counted.totalUnfeaturedAppRewardCoupons) +
        perCoupon.sv * counted.totalSvRewardWeight
      const issued = round.issuanceConfig.coinToIssuePerYear / 52_560n
      const difference = minted + unclaimed + developmentFund - issued
      const couponUnits =
        Object.values(counted).reduce((all, count) => all + count, 0n) / DECIMAL_ONE
      assert.ok(
        difference < 2n * couponUnits + 2n * counted.totalSvRewardWeight + 100_000n,
        `${difference}`,
      )
      assert.ok(
        difference > -(2n * couponUnits + 2n * counted.totalSvRewardWeight + 100_000n),
        `${difference}`,
      )
    }),
    { numRuns: 200 },
  )
})
