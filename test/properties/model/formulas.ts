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

/** Loss of a holding on display by round `round`; never charged. */
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

/** Coins that stand before the rewards among the treasury's inputs. */
export function leadingCoins(coins: number, rewards: number, maxInputs: number): number {
  return Math.floor((Math.max(20, coins + rewards, maxInputs) + 5) / 10)
}
