// The formulas' own properties: decimals, shown fees, issuance, prices, intervals, round maps.
// docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  expiryRound as productExpiry,
  holdingFeeAt,
  isDustAt,
  issuanceOf,
  preapprovalFee as productFee,
  scaledHoldingRate,
  tranche as productTranche,
  trafficCost as productCost,
} from '../../runtime/contracts/index.ts'
import * as decimal from '../../runtime/engine/decimal.ts'
import { selectInputs } from '../../runtime/economy/treasury/select-inputs.ts'
import { issuanceAt } from '../../runtime/contracts/issuance.ts'
import { timeToLiveOf } from '../../runtime/interfaces/scan/rounds.ts'
import { amountOf, halfEven, ONE, over, overUp, textOf, times, whole } from './model/arithmetic.ts'
import {
  DAY,
  displayFee,
  expiryRound,
  holdingRate,
  isDust,
  leadingCoins,
  preapprovalFee,
  trafficCost,
} from './model/formulas.ts'
import { CURVE, issue, segmentAt, tranche } from './model/issuance.ts'
import { sampleConfig } from '../contracts/sample-config.ts'
import { timeToLive } from './model/rounds.ts'
import type { Round } from './model/state.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 2000) }
const MOST = 10n ** 38n - 1n
const anyDecimal = fc.bigInt({ min: -MOST, max: MOST })
const factor = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n })
const positive = fc.bigInt({ min: 1n, max: 10n ** 18n })
const price = fc.bigInt({ min: ONE / 1000n, max: 1000n * ONE })
const some = fc.bigInt({ min: 0n, max: 10n ** 17n })
const round = fc.bigInt({ min: 0n, max: 10n ** 6n })

test('43: a decimal that is printed and parsed is the same, with ten places', () => {
  fc.assert(
    fc.property(anyDecimal, (value) => {
      const text = decimal.formatDecimal(value)
      assert.match(text, /^-?\d+\.\d{10}$/)
      assert.equal(decimal.parseDecimal(text), value)
      assert.equal(textOf(value), text)
      assert.equal(amountOf(text), value)
    }),
    runs,
  )
})

test('43: texts that are no decimals are none', () => {
  for (const text of [
    '',
    '.5',
    '5.',
    '1e3',
    '+1',
    '0x1',
    '1.00000000001',
    '1'.repeat(29),
    ' 1',
    '1 ',
    '--1',
    'NaN',
    '1_0',
    '１',
  ]) {
    assert.equal(decimal.parseDecimal(text), undefined, text)
    assert.equal(amountOf(text), undefined, text)
  }
})

test('43: products and quotients are those of the reference', () => {
  fc.assert(
    fc.property(factor, factor, (a, b) => assert.equal(decimal.multiply(a, b), times(a, b))),
    runs,
  )
  fc.assert(
    fc.property(
      factor,
      factor.filter((b) => b !== 0n),
      (a, b) => assert.equal(decimal.divide(a, b), over(a, b)),
    ),
    runs,
  )
  fc.assert(
    fc.property(positive, positive, (a, b) => assert.equal(decimal.divideUp(a, b), overUp(a, b))),
    runs,
  )
})

test('43: the reference itself is nearest, and even on a tie', () => {
  fc.assert(
    fc.property(factor, positive, (a, b) => {
      const distance = 2n * (halfEven(a, b) * b - a)
      assert.ok(distance <= b && distance >= -b)
      if (distance === b || distance === -b) assert.equal(halfEven(a, b) % 2n, 0n)
    }),
    runs,
  )
  assert.deepEqual(
    [1n, 3n, 5n, -1n, -3n, -5n].map((a) => halfEven(a, 2n)),
    [0n, 2n, 2n, 0n, -2n, -2n],
  )
})

test('40: a shown fee is within the holding and rises; a holding is dust when it is eaten', () => {
  fc.assert(
    fc.property(positive, positive, round, round, (amount, rate, created, later) => {
      const [now, next] = [
        displayFee(amount, created, rate, created + later),
        displayFee(amount, created, rate, created + later + 1n),
      ]
      assert.ok(now >= 0n && now <= next && next <= amount)
      const at = expiryRound(amount, created, rate)
      assert.equal(
        isDust(amount, created, rate, created + later),
        at !== undefined && at <= created + later,
      )
      if (isDust(amount, created, rate, created + later)) assert.ok(now >= amount - rate)
    }),
    runs,
  )
})

test('40: without a rate, and with a large amount over a small rate, a holding never expires', () => {
  assert.equal(expiryRound(ONE, 0n, 0n), undefined)
  assert.equal(expiryRound(10n ** 37n, 0n, ONE / 10n), undefined)
  assert.equal(expiryRound(whole(10n), 5n, whole(3n)), 9n)
  const late = { createdAt: 2n ** 63n - 10n, ratePerRound: { rate: ONE } }
  assert.equal(productExpiry({ initialAmount: whole(10n), ...late }), undefined)
  assert.equal(productExpiry({ initialAmount: whole(9n), ...late }), 2n ** 63n - 1n)
})

const counts = fc.record({
  validator: fc.bigInt({ min: 0n, max: 10n ** 17n }),
  liveness: fc.bigInt({ min: 0n, max: 5000n }),
  featured: fc.bigInt({ min: 0n, max: 10n ** 17n }),
  unfeatured: fc.bigInt({ min: 0n, max: 10n ** 17n }),
  svWeight: fc.bigInt({ min: 0n, max: 100_000n }),
})

test('26: no tranche gives more per unit than its cap, from a weight of one on', () => {
  const some = fc.bigInt({ min: ONE, max: 10n ** 17n })
  fc.assert(
    fc.property(positive, some, some, (pool, cap, units) =>
      assert.ok(tranche(pool, cap, units).perUnit <= cap + 1n),
    ),
    runs,
  )
})

test('25: no pool of a round is overdrawn beyond rounding', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CURVE),
      price,
      counts,
      fc.bigInt({ min: 0n, max: ONE }),
      (segment, at, counted, fundShare) => {
        const rates = issue(segment, 600_000_000n, at, counted, fundShare)
        const units = (weight: bigint) => 10n + 2n * (weight / ONE)
        const smallCap = 1n + ONE / over(segment.faucetCapUsd, at)
        const apps =
          times(counted.featured, rates.perFeatured) +
          times(counted.unfeatured, rates.perUnfeatured)
        const validators =
          times(counted.validator, rates.perValidator) + counted.liveness * rates.perLiveness
        assert.ok(apps <= rates.appPool + units(counted.featured + counted.unfeatured))
        assert.ok(
          validators <=
            rates.validatorPool + units(counted.validator) + counted.liveness + smallCap,
        )
        assert.ok(rates.perSv * counted.svWeight <= rates.svPool + counted.svWeight)
      },
    ),
    runs,
  )
})

test('25: figures of the first round', () => {
  const nobody = { validator: 0n, liveness: 0n, featured: 0n, unfeatured: 0n, svWeight: 0n }
  const rates = issue(
    segmentAt(CURVE, 0n),
    600_000_000n,
    ONE / 200n,
    { ...nobody, liveness: 10n },
    0n,
  )
  assert.equal(textOf(rates.perLiveness), '570.0000000000')
  assert.equal(textOf(rates.perFeatured), '100.0000000000')
  assert.equal(textOf(rates.validatorPool), '38051.7503805175')
  assert.equal(segmentAt(CURVE, 10n * 365n * DAY - 1n).coinsPerYear, whole(5_000_000_000n))
  assert.equal(segmentAt(CURVE, 10n * 365n * DAY).coinsPerYear, whole(2_500_000_000n))
})

test('23: a preapproval is free within the base duration and its fee rises with the duration', () => {
  const duration = fc.bigInt({ min: 0n, max: 10_000n * DAY })
  fc.assert(
    fc.property(duration, duration, price, (a, b, at) => {
      const fee = (span: bigint) => preapprovalFee(span, 90n * DAY, 27_400_000n, at)
      assert.ok(a > b ? fee(a) >= fee(b) : fee(a) <= fee(b))
      if (a <= 90n * DAY) assert.equal(fee(a), 0n)
    }),
    runs,
  )
  assert.equal(textOf(preapprovalFee(90n * DAY, 0n, 27_400_000n, ONE)), '0.2466000000')
})

test('25: the curve changes when the next segment is reached, in whatever order it is listed', () => {
  const { initialValue, futureValues } = sampleConfig.issuanceCurve
  for (const listed of [futureValues, futureValues.toReversed()]) {
    for (const at of CURVE.flatMap(({ from }) => [from, from + 365n * DAY - 1n])) {
      const { coinToIssuePerYear } = issuanceAt({ initialValue, futureValues: listed }, at)
      assert.equal(coinToIssuePerYear, segmentAt(CURVE, at).coinsPerYear)
    }
  }
})

test('25: super validators get the rest in each segment, the development fund its part first', () => {
  const counted = {
    validator: whole(1000n),
    featured: whole(200n),
    unfeatured: whole(100n),
    liveness: 3n,
    svWeight: 10n,
  }
  const seen = CURVE.map((segment) => {
    const issued = issue(segment, 600_000_000n, ONE / 200n, counted, ONE / 20n)
    return [issued.perSv, issued.unclaimed, issued.developmentFund].map(textOf)
  })
  assert.deepEqual(seen, [
    ['57838.6605783866', '122626.6514459666', '38051.7503805175'],
    ['17351.5981735160', '166005.6468797564', '19025.8751902588'],
    ['3614.9162861492', '122626.6514459665', '9512.9375951294'],
    ['903.7290715373', '59365.6164383562', '4756.4687975647'],
    ['225.9322678843', '20957.1308980216', '2378.2343987823'],
  ])
})

test('34: traffic costs three roundings', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), price, price, (bytes, usd, at) => {
      const step = (value: bigint, by: bigint) => halfEven(value, by)
      const megabytes = step(bytes * ONE, 1_000_000n)
      const cost = step(megabytes * usd, ONE)
      assert.deepEqual(trafficCost(bytes, usd, at), { usd: cost, coins: step(cost * ONE, at) })
    }),
    runs,
  )
  assert.equal(
    textOf(trafficCost(200_000n, (1667n * ONE) / 100n, ONE / 200n).coins),
    '666.8000000000',
  )
})

test('40: the product shows fees and dust as the model does', () => {
  fc.assert(
    fc.property(
      positive,
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
      round,
      round,
      (initialAmount, rate, createdAt, later) => {
        const amount = { initialAmount, createdAt, ratePerRound: { rate } }
        assert.equal(
          holdingFeeAt(amount, createdAt + later),
          displayFee(initialAmount, createdAt, rate, createdAt + later),
        )
        assert.equal(productExpiry(amount), expiryRound(initialAmount, createdAt, rate))
        assert.equal(isDustAt(amount, later), isDust(initialAmount, createdAt, rate, later))
      },
    ),
    runs,
  )
})

test('prices: rates of holdings, traffic, preapprovals', () => {
  fc.assert(
    fc.property(price, positive, price, (at, bytes, usd) => {
      assert.equal(scaledHoldingRate(190_259n, at), holdingRate(at, 190_259n))
      const { usd: spent, coins } = trafficCost((bytes % 10n ** 13n) + 1n, usd, at)
      assert.deepEqual(productCost((bytes % 10n ** 13n) + 1n, usd, at), { usd: spent, coin: coins })
      const fees = {
        transferPreapprovalFee: 27_400_000n,
        transferPreapprovalBaseDuration: 30n * DAY,
      }
      assert.equal(productFee(bytes, fees, at), preapprovalFee(bytes, 30n * DAY, 27_400_000n, at))
    }),
    runs,
  )
})

test('26: tranches', () => {
  fc.assert(
    fc.property(positive, some, some, (pool, cap, units) => {
      const { perCoupon, unclaimed } = productTranche(pool, cap, units)
      assert.deepEqual({ perUnit: perCoupon, unclaimed }, tranche(pool, cap, units))
    }),
    runs,
  )
})

test('25: what a round issues', () => {
  const liveness = fc.bigInt({ min: 0n, max: 5000n })
  const share = fc.bigInt({ min: 0n, max: ONE })
  fc.assert(
    fc.property(
      fc.constantFrom(...CURVE),
      price,
      some,
      some,
      some,
      liveness,
      liveness,
      share,
      (segment, at, validator, featured, unfeatured, records, svWeight, fundShare) => {
        const issuanceConfig = {
          coinToIssuePerYear: segment.coinsPerYear,
          validatorRewardPercentage: segment.validatorShare,
          appRewardPercentage: segment.appShare,
          validatorRewardCap: segment.validatorCap,
          featuredAppRewardCap: segment.featuredCap,
          unfeaturedAppRewardCap: segment.unfeaturedCap,
          optValidatorFaucetCap: segment.faucetCapUsd,
          optDevelopmentFundPercentage: fundShare,
        }
        const product = issuanceOf(
          { tickDuration: 600_000_000n, conversionRate: at, issuanceConfig },
          {
            totalValidatorRewardCoupons: validator,
            totalFeaturedAppRewardCoupons: featured,
            totalUnfeaturedAppRewardCoupons: unfeatured,
            totalSvRewardWeight: svWeight,
            optTotalValidatorFaucetCoupons: records,
          },
        )
        const model = issue(
          segment,
          600_000_000n,
          at,
          { validator, liveness: records, featured, unfeatured, svWeight },
          fundShare,
        )
        const { perCoupon } = product
        assert.deepEqual(
          [
            perCoupon.validator,
            perCoupon.faucet,
            perCoupon.featuredApp,
            perCoupon.unfeaturedApp,
            perCoupon.sv,
            product.unclaimed,
            product.developmentFund,
          ],
          [
            model.perValidator,
            model.perLiveness,
            model.perFeatured,
            model.perUnfeatured,
            model.perSv,
            model.unclaimed,
            model.developmentFund,
          ],
        )
      },
    ),
    runs,
  )
})

test('30: how long rounds may be kept', () => {
  const tick = fc.bigInt({ min: 2n, max: 10n ** 12n })
  fc.assert(
    fc.property(
      fc.array(tick, { maxLength: 4 }),
      fc.array(fc.tuple(positive, tick), { maxLength: 4 }),
      (ticks, issuing) => {
        const base = {
          number: 0n,
          price: ONE,
          issuingFor: 0n,
          issuance: null,
          opensAt: 0n,
          targetClosesAt: 0n,
        }
        const open = ticks.map((each): Round => ({ ...base, phase: 'open', tick: each }))
        const paying = issuing.map(([opensAt, life]): Round => ({
          ...base,
          phase: 'issuing',
          tick: 1n,
          opensAt,
          targetClosesAt: opensAt + life,
        }))
        const product = timeToLiveOf(
          ticks.map((tickDuration) => ({ tickDuration })),
          paying,
        )
        assert.equal(product, timeToLive([...open, ...paying]))
      },
    ),
    runs,
  )
})

test('inputs: a first share of coins, then rewards, then what fits', () => {
  fc.assert(
    fc.property(fc.nat(150), fc.nat(150), fc.nat(3), (count, rewardCount, taps) => {
      const coins = Array.from({ length: count }, (_, index) => `c${index}`)
      const rewards = Array.from({ length: rewardCount }, (_, index) => ({
        input: { tag: 'InputAppRewardCoupon', value: `r${index}` } as const,
        round: BigInt(index),
        value: 1n,
      }))
      const taken = selectInputs(
        { coins, coinCount: count, rewards, unclaimedActivity: [], developmentFund: [] },
        100,
        taps,
      )
      const lead = leadingCoins(count, rewardCount, 100)
      const expected = [
        ...coins.slice(0, 100).slice(0, lead),
        ...rewards.map(({ input }) => input.value),
        ...coins.slice(0, 100).slice(lead),
      ]
      assert.deepEqual(
        taken.map(({ value }) => value),
        expected.slice(0, 100 - taps),
      )
    }),
    runs,
  )
})
