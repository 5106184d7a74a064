// Prices and fees, with the numbers of docs/economy-rules.md, "Fees".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  coinToUsd,
  effectiveAmountAt,
  expiryRound,
  holdingFeeAt,
  isDustAt,
  normalisedAmount,
  preapprovalFee,
  roundsUntilSpent,
  scaledHoldingRate,
  trafficCost,
  usdToCoin,
} from '../../runtime/contracts/fees.ts'
import { DAY, dec } from '../support/ledger.ts'

const amountOf = (initialAmount: bigint, rate: bigint, createdAt = 10n) => ({
  initialAmount,
  createdAt,
  ratePerRound: { rate },
})
const decimals = fc.bigInt(1n, 10n ** 24n)

test('the holding rate is one over the price, rounded, times the fee in USD', () => {
  assert.equal(scaledHoldingRate(dec('0.0000190259'), dec('0.005')), dec('0.00380518'))
  assert.equal(scaledHoldingRate(dec('3'), dec('3')), dec('0.9999999999'), 'two roundings, not one')
})

test('the display fee grows with the round, from 0 to the whole holding', () => {
  const amount = amountOf(dec('1'), dec('0.4'))
  assert.deepEqual(
    [9n, 10n, 11n, 12n, 13n, 99n].map((round) => holdingFeeAt(amount, round)),
    [0n, 0n, dec('0.4'), dec('0.8'), dec('1'), dec('1')],
  )
  assert.equal(effectiveAmountAt(amount, 12n), dec('0.2'))
})

test('a holding is spent after the rounds that its fee needs, rounded up', () => {
  assert.equal(roundsUntilSpent(amountOf(dec('1'), dec('0.00380518'))), 263n)
  assert.equal(roundsUntilSpent(amountOf(dec('0.8'), dec('0.4'))), 2n)
  assert.equal(expiryRound(amountOf(dec('0.8'), dec('0.4'))), 12n)
})

test('no fee, a sum beyond int64, or a quotient beyond the decimals never expire', () => {
  assert.equal(expiryRound(amountOf(dec('1'), 0n)), undefined)
  assert.equal(expiryRound(amountOf(10n ** 37n, 1n)), undefined)
  assert.equal(expiryRound(amountOf(dec('10'), dec('1'), 2n ** 63n - 10n)), undefined)
  assert.equal(expiryRound(amountOf(dec('9'), dec('1'), 2n ** 63n - 10n)), 2n ** 63n - 1n)
})

test('expired is exactly when the display fee has reached the whole holding', () => {
  fc.assert(
    fc.property(decimals, decimals, fc.bigInt(0n, 10n ** 6n), (initialAmount, rate, rounds) => {
      const amount = amountOf(initialAmount, rate)
      fc.pre((initialAmount * 10n ** 10n) % rate === 0n)
      assert.equal(
        isDustAt(amount, 10n + rounds),
        holdingFeeAt(amount, 10n + rounds) === initialAmount,
      )
    }),
    { numRuns: 200 },
  )
})

test('the display fee is between 0 and the holding, and never falls', () => {
  fc.assert(
    fc.property(decimals, decimals, fc.bigInt(0n, 10n ** 18n), (initialAmount, rate, round) => {
      const [now, next] = [round, round + 1n].map((each) =>
        holdingFeeAt(amountOf(initialAmount, rate), each),
      )
      assert.ok(
        now !== undefined &&
          next !== undefined &&
          now >= 0n &&
          now <= next &&
          next <= initialAmount,
      )
    }),
  )
})

test('as of round 0 a holding is what it was plus the fee of all rounds before', () => {
  assert.equal(normalisedAmount(amountOf(dec('5'), dec('0.5'))), dec('10'))
})

test('coin and USD: one rounding each', () => {
  assert.equal(usdToCoin(dec('1'), dec('0.003')), dec('333.3333333333'))
  assert.equal(coinToUsd(dec('333.3333333333'), dec('0.003')), dec('1'))
})

test('traffic costs bytes in MB, times the price, over the price of a coin: three roundings in this order', () => {
  assert.deepEqual(trafficCost(200_000n, dec('16.67'), dec('0.005')), {
    usd: dec('3.334'),
    coin: dec('666.8'),
  })
  assert.deepEqual(
    trafficCost(1n, dec('0.00005'), dec('0.005')),
    { usd: 0n, coin: 0n },
    '0.5e-10 is rounded to even',
  )
  assert.deepEqual(
    trafficCost(3n, dec('0.00005'), dec('0.005')),
    { usd: 2n, coin: 400n },
    '1.5e-10 is rounded to even',
  )
})

test('a preapproval of 90 days is free, further days cost 0.00274 USD', () => {
  const fees = { transferPreapprovalFee: null, transferPreapprovalBaseDuration: null }
  assert.equal(preapprovalFee(90n * DAY, fees, dec('0.005')), 0n)
  assert.equal(preapprovalFee(180n * DAY, fees, dec('0.005')), dec('49.32'))
  const charged = { transferPreapprovalFee: dec('0.00274'), transferPreapprovalBaseDuration: 0n }
  assert.equal(preapprovalFee(90n * DAY, charged, dec('1')), dec('0.2466'))
})

test('the preapproval fee never falls with the duration', () => {
  const fees = {
    transferPreapprovalFee: dec('0.00274'),
    transferPreapprovalBaseDuration: 30n * DAY,
  }
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(0n, 10n ** 12n), (duration, more) => {
      assert.ok(
        preapprovalFee(duration, fees, dec('0.005')) <=
          preapprovalFee(duration + more, fees, dec('0.005')),
      )
    }),
  )
})
