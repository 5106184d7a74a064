// Whether one package may follow another of the same name. docs/ledger-rules.md, "Packages"
import { fill } from '../../errors/catalogue.ts'
import { ledgerError } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import type { KnownPackages } from './package-rules.ts'
import {
  compareVersions,
  describePackage,
  isUtilityPackage,
} from '../../packages/summary/summary.ts'
import type { PackageSummary } from '../../packages/summary/summary.ts'
import { differences, isRefused, REFUSED_DIFFERENCES } from '../../packages/summary/differences.ts'
import type { RefusedDifference } from '../../packages/summary/differences.ts'

/**
 * Checks `next` against its neighbours among the vetted packages of its name, by version. `vetted`
 * should also hold the other packages that are vetted together with it: types of theirs are
 * followed by name. Errors: KNOWN_PACKAGE_VERSION, NOT_VALID_UPGRADE_PACKAGE. A package that is
 * vetted already passes; utility packages and stable ones are no part of a line.
 */
export function checkUpgrade(
  next: PackageSummary,
  vetted: readonly PackageSummary[],
  exempt: KnownPackages = {},
): LedgerError | undefined {
  const isVetted = vetted.some(({ packageId }) => packageId === next.packageId)
  if (isVetted || !isUpgradable(next, exempt)) return undefined
  const line = vetted
    .filter((other) => other.name === next.name && isUpgradable(other, exempt))
    .toSorted((one, other) => compareVersions(one.version, other.version))
  const twin = line.find(({ version }) => version === next.version)
  if (twin !== undefined) {
    return ledgerError('KNOWN_PACKAGE_VERSION', {
      first: describePackage(twin),
      second: describePackage(next),
    })
  }
  const before = line.findLast(({ version }) => compareVersions(version, next.version) < 0)
  const after = line.find(({ version }) => compareVersions(version, next.version) > 0)
  const known = [...vetted, next]
  return (before && checkPair(before, next, known)) ?? (after && checkPair(next, after, known))
}

/**
 * Checks packages that are to be vetted together, such as those of one DAR; the first error in
 * their order.
 */
export function checkUpgrades(
  packages: readonly PackageSummary[],
  vetted: readonly PackageSummary[],
  exempt: KnownPackages = {},
): LedgerError | undefined {
  const together = new Map([...vetted, ...packages].map((each) => [each.packageId, each]))
  const old = new Set(vetted.map(({ packageId }) => packageId))
  for (const next of packages.filter(({ packageId }) => !old.has(packageId))) {
    const others = [...together.values()].filter(({ packageId }) => packageId !== next.packageId)
    const error = checkUpgrade(next, others, exempt)
    if (error !== undefined) return error
  }
  return undefined
}

/** Whether a package is part of its line of versions. */
function isUpgradable(summary: PackageSummary, { stablePackageIds }: KnownPackages): boolean {
  return !isUtilityPackage(summary) && stablePackageIds?.has(summary.packageId) !== true
}

/**
 * PRIM_NOT_UTILITY_PACKAGE for a package that has the name of one of the language's libraries and
 * defines what contracts can hold, unless it is a stable one.
 */
export function checkBasicLibrary(
  summary: PackageSummary,
  known: KnownPackages,
): LedgerError | undefined {
  const isLibrary = known.basicLibraries?.includes(summary.name) === true
  if (!isLibrary || !isUpgradable(summary, known)) return undefined
  return ledgerError('PRIM_NOT_UTILITY_PACKAGE', { package_id: summary.packageId })
}

function checkPair(
  older: PackageSummary,
  newer: PackageSummary,
  known: readonly PackageSummary[],
): LedgerError | undefined {
  const [problem] = differences(older, newer, known).filter(isRefused)
  if (problem === undefined) return undefined
  return ledgerError('NOT_VALID_UPGRADE_PACKAGE', {
    newer: describePackage(newer),
    older: describePackage(older),
    reason: reasonOf(problem),
  })
}

/** The definitions from the module down, then what is wrong there. */
function reasonOf({ rule, place, name = '', before = '', after = '' }: RefusedDifference): string {
  const where = place.map((one) => `${one.what} ${one.name}: `)
  const facts: Readonly<Record<string, string>> = { name, before, after }
  return where.join('') + fill(REFUSED_DIFFERENCES[rule], facts)
}
