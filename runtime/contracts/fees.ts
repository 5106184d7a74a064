// Prices and fees: each product and each quotient is rounded on its own, half to even at the tenth
// decimal. docs/economy-rules.md, "Fees"
import type { CoinConfig, ExpiringAmount } from '../../generated/contracts.gen.ts'
import { accruedBy } from '../engine/accruals.ts'
import type { Growth } from '../engine/template.ts'
import { add, ceiling, DECIMAL_ONE, decimalOf, divide, multiply } from '../engine/decimal.ts'
import { DAY_MICROS } from '../engine/durations.ts'

const INT_MAX = 2n ** 63n - 1n
const BYTES_PER_MB = 1_000_000n
/** The largest quotient that a rate below one may give: 10^27 - 10^-10. */
const SPENT_LIMIT = 10n ** 37n - 1n

/** The free duration without one in the rules: 90 days. */
const BASE_DURATION_MICROS = 90n * DAY_MICROS
/** The fee without one in the rules: 0.00274 USD a day. */
const PREAPPROVAL_FEE_PER_DAY = 27_400_000n

/** Coin for `usd`, at `conversionRate` USD a coin. */
export function usdToCoin(usd: bigint, conversionRate: bigint): bigint {
  return divide(usd, conversionRate)
}

/** USD for `coin`, at `conversionRate` USD a coin. */
export function coinToUsd(coin: bigint, conversionRate: bigint): bigint {
  return multiply(conversionRate, coin)
}

/** The holding fee in coin a round: `(1 / conversionRate) * holdingFeeUsd`. */
export function scaledHoldingRate(holdingFeeUsd: bigint, conversionRate: bigint): bigint {
  return multiply(divide(DECIMAL_ONE, conversionRate), holdingFeeUsd)
}

/**
 * What a holding has cost by `round`; shown, never charged. At most the whole holding, 0 before it
 * was created.
 */
export function holdingFeeAt(amount: ExpiringAmount, round: bigint): bigint {
  return accruedBy(accruing(amount), round)
}

/** The growth of a holding's fee with the rounds. */
export function accruing({
  initialAmount: limit,
  createdAt: since,
  ratePerRound: { rate },
}: ExpiringAmount): Growth {
  return { since, rate, limit }
}

/** The initial amount less the holding fee at `round`; shown, not used by transfers. */
export function effectiveAmountAt(amount: ExpiringAmount, round: bigint): bigint {
  return amount.initialAmount - holdingFeeAt(amount, round)
}

/** The initial amount as if the holding dated from round 0; balance changes add these up. */
export function normalisedAmount(amount: ExpiringAmount): bigint {
  return add(amount.initialAmount, amount.createdAt * amount.ratePerRound.rate)
}

/** Rounds until fees reach the whole holding; undefined if they never do. */
export function roundsUntilSpent(amount: ExpiringAmount): bigint | undefined {
  const { rate } = amount.ratePerRound
  if (rate === 0n) return undefined
  const isEndless = rate < DECIMAL_ONE && amount.initialAmount > multiply(SPENT_LIMIT, rate)
  return isEndless ? undefined : ceiling(divide(amount.initialAmount, rate))
}

/** The round from which the network may expire a holding as dust; undefined where it never may. */
export function expiryRound(amount: ExpiringAmount): bigint | undefined {
  const rounds = roundsUntilSpent(amount)
  if (rounds === undefined) return undefined
  const last = amount.createdAt + rounds
  return last > INT_MAX ? undefined : last
}

/** Whether the network may expire the holding at `round`. */
export function isDustAt(amount: ExpiringAmount, round: bigint): boolean {
  const last = expiryRound(amount)
  return last !== undefined && last <= round
}

/** The cost of traffic in both currencies, at scale 10. */
export interface TrafficCost {
  readonly usd: bigint
  readonly coin: bigint
}

/** The cost of `bytes` of traffic at `pricePerMb` USD (MB is 10^6). */
export function trafficCost(
  bytes: bigint,
  pricePerMb: bigint,
  conversionRate: bigint,
): TrafficCost {
  const usd = multiply(divide(decimalOf(bytes), decimalOf(BYTES_PER_MB)), pricePerMb)
  return { usd, coin: usdToCoin(usd, conversionRate) }
}

type PreapprovalFees = Pick<
  CoinConfig,
  'transferPreapprovalFee' | 'transferPreapprovalBaseDuration'
>

/**
 * What a preapproval costs in coin for `durationMicros`, the free part taken off.
 * docs/economy-rules.md, "Fees"
 */
export function preapprovalFee(
  durationMicros: bigint,
  fees: PreapprovalFees,
  conversionRate: bigint,
): bigint {
  const paidMicros = durationMicros - (fees.transferPreapprovalBaseDuration ?? BASE_DURATION_MICROS)
  if (paidMicros <= 0n) return 0n
  const days = divide(decimalOf(paidMicros), decimalOf(DAY_MICROS))
  const usd = multiply(days, fees.transferPreapprovalFee ?? PREAPPROVAL_FEE_PER_DAY)
  return usdToCoin(usd, conversionRate)
}
