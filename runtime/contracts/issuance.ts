// What a round issues and what each coupon of it is worth. Pure; every product and quotient is
// rounded on its own, half to even at the tenth decimal. docs/economy-rules.md, "Issuance"
import type {
  IssuanceConfig,
  IssuanceCurve,
  OpenMiningRoundSummary,
} from '../../generated/contracts.gen.ts'
import { add, DECIMAL_ONE, decimalOf, divide, multiply, subtract, sum } from '../engine/decimal.ts'
import { DAY_MICROS } from '../engine/durations.ts'

const YEAR_MICROS = 365n * DAY_MICROS
/** The cap without one in the configuration: 2.85 USD a liveness record. */
const FAUCET_CAP_USD = 28_500_000_000n

/** Coin per coupon unit, by kind. */
export interface IssuancePerCoupon {
  readonly validator: bigint
  readonly faucet: bigint
  readonly featuredApp: bigint
  readonly unfeaturedApp: bigint
  readonly sv: bigint
}

/** Issuance of a round, at scale 10. */
export interface Issuance {
  readonly perCoupon: IssuancePerCoupon
  /** Unclaimed coin of all three pools. */
  readonly unclaimed: bigint
  readonly developmentFund: bigint
}

/** One pool's issuance, at scale 10. */
export interface Tranche {
  readonly perCoupon: bigint
  readonly unclaimed: bigint
}

/**
 * The configuration at `issuingFor` microseconds since issuing began: that of the greatest start
 * not above it.
 */
export function issuanceAt(curve: IssuanceCurve, issuingFor: bigint): IssuanceConfig {
  let found = { from: 0n, config: curve.initialValue }
  for (const [from, config] of curve.futureValues) {
    if (from <= issuingFor && from >= found.from) found = { from, config }
  }
  return found.config
}

/**
 * Shares `total` among `weight` coupon units, each at most `cap`; without units each would be worth
 * the cap.
 */
export function tranche(total: bigint, cap: bigint, weight: bigint): Tranche {
  if (weight <= 0n) return { perCoupon: cap, unclaimed: total }
  const spendable = multiply(cap, weight)
  if (spendable === 0n) return { perCoupon: 0n, unclaimed: total }
  const capped = total < spendable ? total : spendable
  const share = divide(multiply(capped, cap), spendable)
  // Of next to nothing, the roundings alone can make more.
  const perCoupon = share < cap ? share : cap
  return { perCoupon, unclaimed: atLeastZero(subtract(total, multiply(perCoupon, weight))) }
}

/**
 * What the round whose activity `summary` adds up issues. Throws an ArithmeticError beyond 38
 * digits.
 */
export function issuanceOf(
  round: {
    readonly tickDuration: bigint
    readonly conversionRate: bigint
    readonly issuanceConfig: IssuanceConfig
  },
  summary: OpenMiningRoundSummary,
): Issuance {
  const config = round.issuanceConfig
  const { pool, developmentFund } = poolOf(config, round.tickDuration)
  const validatorPool = multiply(pool, config.validatorRewardPercentage)
  const appPool = multiply(pool, config.appRewardPercentage)
  const faucetCap = divide(config.optValidatorFaucetCap ?? FAUCET_CAP_USD, round.conversionRate)
  const validators = validatorIssuance(validatorPool, faucetCap, config, summary)
  const apps = appIssuance(appPool, config, summary)
  const svs = svIssuance(
    subtract(subtract(pool, validatorPool), appPool),
    summary.totalSvRewardWeight,
  )
  return {
    perCoupon: { ...validators.perCoupon, ...apps.perCoupon, sv: svs.perCoupon },
    unclaimed: sum([validators.unclaimed, apps.unclaimed, svs.unclaimed]),
    developmentFund,
  }
}

interface Pool {
  readonly pool: bigint
  readonly developmentFund: bigint
}

/** Coin that a round issues, the development fund's part taken off. */
function poolOf(config: IssuanceConfig, tickDuration: bigint): Pool {
  const roundsPerYear = divide(decimalOf(YEAR_MICROS), decimalOf(tickDuration))
  const perRound = divide(config.coinToIssuePerYear, roundsPerYear)
  const fund = config.optDevelopmentFundPercentage ?? 0n
  return {
    pool: multiply(perRound, subtract(DECIMAL_ONE, fund)),
    developmentFund: multiply(perRound, fund),
  }
}

/** Issuance of validators: liveness records get what coupons leave. */
function validatorIssuance(
  pool: bigint,
  faucetCap: bigint,
  { validatorRewardCap }: IssuanceConfig,
  summary: OpenMiningRoundSummary,
): {
  readonly perCoupon: Pick<IssuancePerCoupon, 'validator' | 'faucet'>
  readonly unclaimed: bigint
} {
  const validator = tranche(pool, validatorRewardCap, summary.totalValidatorRewardCoupons)
  const faucet = tranche(
    validator.unclaimed,
    faucetCap,
    decimalOf(summary.optTotalValidatorFaucetCoupons ?? 0n),
  )
  return {
    perCoupon: { validator: validator.perCoupon, faucet: faucet.perCoupon },
    unclaimed: faucet.unclaimed,
  }
}

/** All coupons share up to the lower cap, featured ones what is left up to theirs. */
function appIssuance(
  pool: bigint,
  { featuredAppRewardCap, unfeaturedAppRewardCap }: IssuanceConfig,
  summary: OpenMiningRoundSummary,
): {
  readonly perCoupon: Pick<IssuancePerCoupon, 'featuredApp' | 'unfeaturedApp'>
  readonly unclaimed: bigint
} {
  const { totalFeaturedAppRewardCoupons: featured, totalUnfeaturedAppRewardCoupons: unfeatured } =
    summary
  const all = tranche(pool, unfeaturedAppRewardCap, add(featured, unfeatured))
  const extra = tranche(
    all.unclaimed,
    subtract(featuredAppRewardCap, unfeaturedAppRewardCap),
    featured,
  )
  const featuredApp = add(all.perCoupon, extra.perCoupon)
  return { perCoupon: { featuredApp, unfeaturedApp: all.perCoupon }, unclaimed: extra.unclaimed }
}

function svIssuance(pool: bigint, weight: bigint): Tranche {
  const units = decimalOf(weight)
  const perCoupon = weight === 0n ? pool : divide(pool, units)
  return { perCoupon, unclaimed: atLeastZero(subtract(pool, multiply(perCoupon, units))) }
}

function atLeastZero(value: bigint): bigint {
  return value < 0n ? 0n : value
}
