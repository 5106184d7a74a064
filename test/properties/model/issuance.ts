// How many coins a round issues per coupon, from docs/economy-rules.md, "Issuance". Shares and
// amounts are decimals (times 10^10).
import { greatest, least, ONE, over, times, whole } from './arithmetic.ts'
import { DAY } from './formulas.ts'

const HALF_YEAR = (365n * DAY) / 2n

/**
 * A segment of the issuance curve; caps are coins per coupon unit, the faucet's is USD per record.
 */
export interface Segment {
  readonly from: bigint
  readonly coinsPerYear: bigint
  readonly validatorShare: bigint
  readonly appShare: bigint
  readonly validatorCap: bigint
  readonly featuredCap: bigint
  readonly unfeaturedCap: bigint
  readonly faucetCapUsd: bigint
}

/** Counts of a round's coupons: sums of amounts, number of records, sum of weights. */
export interface Counted {
  readonly validator: bigint
  readonly liveness: bigint
  readonly featured: bigint
  readonly unfeatured: bigint
  readonly svWeight: bigint
}

/** Coins per unit of each kind, the pools they come from, and what nobody claims. */
export interface Issuance {
  readonly perValidator: bigint
  readonly perLiveness: bigint
  readonly perFeatured: bigint
  readonly perUnfeatured: bigint
  readonly perSv: bigint
  readonly validatorPool: bigint
  readonly appPool: bigint
  readonly svPool: bigint
  readonly developmentFund: bigint
  readonly unclaimed: bigint
}

/** The curve of the public configuration. */
export const CURVE: readonly Segment[] = [
  segment(0n, 40_000_000_000n, 5n, 15n),
  segment(HALF_YEAR, 20_000_000_000n, 12n, 40n),
  segment(3n * HALF_YEAR, 10_000_000_000n, 18n, 62n),
  segment(10n * HALF_YEAR, 5_000_000_000n, 21n, 69n),
  segment(20n * HALF_YEAR, 2_500_000_000n, 20n, 75n),
]

/** The segment with the greatest start that is not after `issuingFor`. */
export function segmentAt(curve: readonly Segment[], issuingFor: bigint): Segment {
  const found = curve.filter(({ from }) => from <= issuingFor).at(-1)
  if (found === undefined) throw new RangeError('the curve starts after the round')
  return found
}

/** Coins per unit of a tranche, and what of it stays unclaimed. */
export interface Tranche {
  readonly perUnit: bigint
  readonly unclaimed: bigint
}

/**
 * `units` is a decimal. Two roundings: the product, then the quotient, which of next to nothing can
 * be more than the cap.
 */
export function tranche(pool: bigint, cap: bigint, units: bigint): Tranche {
  if (units <= 0n) return { perUnit: cap, unclaimed: pool }
  const wanted = times(cap, units)
  const perUnit = wanted === 0n ? 0n : least(cap, over(times(least(pool, wanted), cap), wanted))
  return { perUnit, unclaimed: greatest(0n, pool - times(perUnit, units)) }
}

/** Issuance of one round. `tick` in microseconds, `fundShare` is the development fund's part. */
export function issue(
  of: Segment,
  tick: bigint,
  price: bigint,
  counted: Counted,
  fundShare: bigint,
): Issuance {
  const perRound = over(of.coinsPerYear, over(whole(365n * DAY), whole(tick)))
  const adjusted = times(perRound, ONE - fundShare)
  const validatorPool = times(adjusted, of.validatorShare)
  const appPool = times(adjusted, of.appShare)
  const svPool = adjusted - validatorPool - appPool
  const validator = tranche(validatorPool, of.validatorCap, counted.validator)
  const faucet = tranche(validator.unclaimed, over(of.faucetCapUsd, price), whole(counted.liveness))
  const unfeatured = tranche(appPool, of.unfeaturedCap, counted.featured + counted.unfeatured)
  const featured = tranche(
    unfeatured.unclaimed,
    of.featuredCap - of.unfeaturedCap,
    counted.featured,
  )
  const perSv = counted.svWeight === 0n ? svPool : over(svPool, whole(counted.svWeight))
  const svLeft = greatest(0n, svPool - perSv * counted.svWeight)
  return {
    perValidator: validator.perUnit,
    perLiveness: faucet.perUnit,
    perFeatured: unfeatured.perUnit + featured.perUnit,
    perUnfeatured: unfeatured.perUnit,
    perSv,
    validatorPool,
    appPool,
    svPool,
    developmentFund: times(perRound, fundShare),
    unclaimed: faucet.unclaimed + featured.unclaimed + svLeft,
  }
}

function segment(
  from: bigint,
  coins: bigint,
  validatorPercent: bigint,
  appPercent: bigint,
): Segment {
  return {
    from,
    coinsPerYear: whole(coins),
    validatorShare: (validatorPercent * ONE) / 100n,
    appShare: (appPercent * ONE) / 100n,
    validatorCap: ONE / 5n,
    featuredCap: whole(100n),
    unfeaturedCap: (6n * ONE) / 10n,
    faucetCapUsd: (285n * ONE) / 100n,
  }
}
