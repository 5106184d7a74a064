// Every price, fee and interval of the economy as one plain formula each, in the order of roundings
// that docs/economy-rules.md states. Decimals are bigint times 10^10, times and durations
// microseconds.
import { ceilDivide, greatest, least, ONE, over, overUp, times, whole } from './arithmetic.ts'

/** Microseconds of a day. */
export const DAY = 86_400_000_000n
const INT64_MAX = 2n ** 63n - 1n

/** Coins per round that a holding loses on display: `(1 / price) * fee`. */
export function holdingRate(price: bigint, holdingFeeUsd: bigint): bigint {
  return times(over(ONE, price), holdingFeeUsd)
}

/** What a holding has lost on display by round `round`; never charged. */
export function displayFee(
  amount: bigint,
  createdRound: bigint,
  rate: bigint,
  round: bigint,
): bigint {
  return least(amount, greatest(0n, round - createdRound) * rate)
}

/** The round from which the network may expire the holding; undefined is never. */
export function expiryRound(
  amount: bigint,
  createdRound: bigint,
  rate: bigint,
): bigint | undefined {
  if (rate === 0n) return undefined
  if (rate < ONE && amount * ONE > (10n ** 37n - 1n) * rate) return undefined
  const at = createdRound + ceilDivide(over(amount, rate), ONE)
  return at > INT64_MAX ? undefined : at
}

/** Whether the holding is dust at `round`. */
export function isDust(amount: bigint, createdRound: bigint, rate: bigint, round: bigint): boolean {
  const at = expiryRound(amount, createdRound, rate)
  return at !== undefined && at <= round
}

/** Coins of a tap of `usd`: rounded up. */
export function tapCoins(usd: bigint, price: bigint): bigint {
  return overUp(usd, price)
}

/** USD and coins that `bytes` of traffic cost; three roundings. */
export function trafficCost(
  bytes: bigint,
  usdPerMegabyte: bigint,
  price: bigint,
): { usd: bigint; coins: bigint } {
  const megabytes = over(whole(bytes), whole(1_000_000n))
  const usd = times(megabytes, usdPerMegabyte)
  return { usd, coins: over(usd, price) }
}

/** Coins that a preapproval of `duration` costs beyond the free `base`. */
export function preapprovalFee(
  duration: bigint,
  base: bigint,
  usdPerDay: bigint,
  price: bigint,
): bigint {
  const paid = duration - base
  if (paid <= 0n) return 0n
  return over(times(over(whole(paid), whole(DAY)), usdPerDay), price)
}

/** How much traffic the automation buys and how often. */
export interface TopUp {
  readonly bytes: bigint
  readonly intervalMs: bigint
}

/** Undefined where top-up is off. `target` is bytes per second. */
export function topUp(
  target: bigint,
  intervalMs: bigint,
  pollingMs: bigint,
  leastBytes: bigint,
): TopUp | undefined {
  if (target <= 0n) return undefined
  const first = topUpOver(target, greatest(intervalMs, pollingMs), pollingMs)
  return first.bytes >= leastBytes
    ? first
    : topUpOver(target, ceilDivide(leastBytes * 1000n, target), pollingMs)
}

function topUpOver(target: bigint, intervalMs: bigint, pollingMs: bigint): TopUp {
  const rounded = ceilDivide(intervalMs, pollingMs) * pollingMs
  return { bytes: ceilDivide(target * rounded, 1000n), intervalMs: rounded }
}

/**
 * What a sweep sends in coins, undefined where it sends none. `rate` is USD per
 * coin.
 */
export function sweepCoins(
  balance: bigint,
  outstanding: bigint,
  max: bigint,
  min: bigint,
  price: bigint,
): bigint | undefined {
  const left = times(price, balance) - times(price, outstanding)
  return left > max ? over(left - min, price) : undefined
}

/** How many of the smallest of `count` coins a minting delegation merges. */
export function delegatedMerge(count: number, limit: number): number {
  return count >= 2 * limit ? count - limit + 1 : 0
}

/** How many coins stand before the rewards among the treasury's inputs. */
export function leadingCoins(coins: number, rewards: number, maxInputs: number): number {
  return Math.floor((Math.max(20, coins + rewards, maxInputs) + 5) / 10)
}
