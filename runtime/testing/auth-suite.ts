// The compliance suite for auth plugins that verify JWTs: attacks on tokens and on key sets, on any
// runner. Published as part of `ledgerwright/testing`.
import type { AuthService } from '../host/plugin.ts'
import { Kit } from './auth/check.ts'
import type { AuthFeatures, AuthSetup, Check } from './auth/check.ts'
import { claimChecks } from './auth/claim-checks.ts'
import { partyTokenChecks, providerChecks } from './auth/directory-checks.ts'
import { formChecks } from './auth/form-checks.ts'
import { fuzzChecks } from './auth/fuzz-checks.ts'
import { keySetChecks } from './auth/key-set-checks.ts'
import { signatureChecks } from './auth/signature-checks.ts'
import { declareChecks } from './suite.ts'
import type { SuiteReport, TestFunction } from './suite.ts'

export type { AuthFeatures, AuthSetup } from './auth/check.ts'

/** The plugin under test, and the runner. */
export interface AuthSuiteOptions {
  readonly test: TestFunction
  /**
   * Sets the plugin up; called for each check. The suite connects, starts and stops what comes
   * back.
   */
  create(setup: AuthSetup): Promise<AuthService> | AuthService
  /**
   * What the plugin claims beyond tokens of one issuer, nothing if absent; the rest is skipped,
   * with the reason in the name.
   */
  readonly features?: Partial<AuthFeatures>
  /** How many tokens changed at random are tried, 500 if absent. */
  readonly fuzzRuns?: number
}

const CHECKS: readonly Check[] = [
  ...signatureChecks,
  ...formChecks,
  ...claimChecks,
  ...keySetChecks,
  ...providerChecks,
  ...partyTokenChecks,
  ...fuzzChecks,
]

/**
 * Declares the checks with the given runner and answers how many there are and which were skipped.
 *
 * @example authSuite({ test, create: ({ issuer, jwksUrl, audience, context }) =>
 *   plugin.setup(context, { issuer, jwksUrl, audience }) })
 */
export function authSuite(options: AuthSuiteOptions): SuiteReport {
  const { test, features = {} } = options
  return declareChecks(test, CHECKS, {
    reasonToSkip: ({ needs }) =>
      needs === undefined || features[needs] === true
        ? undefined
        : `the plugin does not claim ${needs}`,
    run: (check) => runCheck(check, options),
  })
}

async function runCheck(check: Check, { create, fuzzRuns = 500 }: AuthSuiteOptions): Promise<void> {
  const kit = new Kit({ create, fuzzRuns })
  try {
    await kit.open()
    await check.run(kit)
  } finally {
    await kit.close()
  }
}
