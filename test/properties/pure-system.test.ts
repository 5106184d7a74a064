// The product's formulas against the model's: fees, prices, issuance, how long rounds may be kept,
// what a client that keeps rounds is told, which inputs are taken. docs/economy-rules.md,
// "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  expiryRound as productExpiry,
  holdingFeeAt,
  isDustAt,
  issuanceOf,
  openMiningRound,
  preapprovalFee as productFee,
  scaledHoldingRate,
  tranche as productTranche,
  trafficCost as productCost,
} from '../../runtime/contracts/index.ts'
import type { Contract } from '../../runtime/engine/index.ts'
import { cachedContracts } from '../../runtime/interfaces/contract-wire.ts'
import { timeToLiveOf } from '../../runtime/interfaces/scan/rounds.ts'
import { selectInputs } from '../../runtime/economy/treasury/select-inputs.ts'
import { ONE } from './model/arithmetic.ts'
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
import { CURVE, issue, tranche } from './model/issuance.ts'
import { merged, timeToLive } from './model/rounds.ts'
import type { Round } from './model/state.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 2000) }
const positive = fc.bigInt({ min: 1n, max: 10n ** 18n })
const round = fc.bigInt({ min: 0n, max: 10n ** 6n })
const price = fc.bigInt({ min: ONE / 1000n, max: 1000n * ONE })

test('40: shown fees and dust', () => {
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

const some = fc.bigInt({ min: 0n, max: 10n ** 17n })

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

test("31: a client that merges scan's answer has what is active, whatever it held", () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { maxLength: 12 })
  fc.assert(
    fc.property(ids, ids, (active, held) => {
      const answer = cachedContracts(active.map(contractOf), new Set(held))
      const sent = new Map(
        Object.entries(answer).map(([id, { contract }]) => [id, contract?.contract_id]),
      )
      const cache = new Map(held.map((id) => [id, id]))
      assert.deepEqual(merged(cache, sent), new Map(Object.keys(answer).map((id) => [id, id])))
      assert.deepEqual(new Set(sent.keys()), new Set(active))
    }),
    runs,
  )
})

function contractOf(id: string): Contract<unknown> {
  const record = {
    contractId: id,
    templateId: openMiningRound.type.id,
    packageName: '',
    payload: '{}',
    signatories: [],
    observers: [],
    createdAt: 0n,
    key1: '',
    key2: '',
    key3: '',
    rank: 0n,
  }
  return { id, payload: {}, record, createdAt: 0n, synchronizerId: 's', sequence: 1n }
}

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
