// The small network of the property tests: defaults of docs/economy-rules.md, "Genesis", but with
// numbers at which fees, dust, rewards and limits turn up within some hundred steps.
import { ONE } from './model/arithmetic.ts'
import { DAY } from './model/formulas.ts'
import { CURVE } from './model/issuance.ts'
import type { Config } from './model/state.ts'

const MINUTE = 60_000_000n

/** Start of every episode, microseconds. */
export const START = 1_767_225_600_000_000n

/**
 * `preapprovalBase` is a month, so that some preapprovals cost something; a legacy transfer is
 * rewarded.
 */
export const PROFILE: Config = {
  network: 'network',
  operator: 'operator',
  parties: ['operator', 'alice', 'bob', 'carol', 'dave', 'hoarder'],
  featured: new Set(['operator']),
  synchronizer: 'synchronizer',
  tick: 10n * MINUTE,
  round0Duration: 10n * MINUTE,
  price: ONE / 200n,
  holdingFeeUsd: 190_259n,
  extraFeaturedUsd: ONE,
  preapprovalUsdPerDay: 27_400_000n,
  preapprovalBase: 30n * DAY,
  trafficUsdPerMegabyte: (1667n * ONE) / 100n,
  minTopupBytes: 200_000n,
  maxInputs: 100,
  maxTtl: 90n * DAY,
  tapLimit: 100_000_000n * ONE,
  legacyRewardRate: ONE / 100n,
  fundShare: ONE / 20n,
  curve: CURVE,
}
