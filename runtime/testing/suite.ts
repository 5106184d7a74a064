// How the compliance suites declare their checks, on any runner.

/** The part of a runner's `test` that a suite needs; node:test, vitest and ava fit. */
export interface TestFunction {
  (name: string, run: () => Promise<void>): unknown
  skip?(name: string, run: () => Promise<void>): unknown
}

/** How many checks there are, and which were skipped and why. */
export interface SuiteReport {
  readonly checks: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

/** What a suite does with a check. */
interface SuiteRules<C> {
  /** Undefined for a check that is run. */
  reasonToSkip(check: C): string | undefined
  run(check: C): Promise<void>
}

/** Declares the checks with the given runner. */
export function declareChecks<C extends { readonly name: string }>(
  test: TestFunction,
  checks: readonly C[],
  { reasonToSkip, run }: SuiteRules<C>,
): SuiteReport {
  const skipped = checks.flatMap((check) => {
    const { name } = check
    const reason = reasonToSkip(check)
    if (reason !== undefined) {
      test.skip?.(`${name} (skipped: ${reason})`, async () => {})
      return [{ name, reason }]
    }
    test(name, () => run(check))
    return []
  })
  return { checks: checks.length - skipped.length, skipped }
}
