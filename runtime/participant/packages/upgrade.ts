// Whether one package may follow another of the same name: what was there must still be there, and
// what is new may be left out by those who do not know it. docs/ledger-rules.md, "Packages"
import { ledgerError } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import type { KnownPackages } from './package-rules.ts'
import { compareVersions, describePackage, isUtilityPackage } from './summary.ts'
import type { Choice, DataType, Field, Module, PackageSummary, Template } from './summary.ts'
import { TypeComparison } from './upgrade-types.ts'

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
  const reason = upgradeProblem(older, newer, known)
  if (reason === undefined) return undefined
  return ledgerError('NOT_VALID_UPGRADE_PACKAGE', {
    newer: describePackage(newer),
    older: describePackage(older),
    reason,
  })
}

function upgradeProblem(
  older: PackageSummary,
  newer: PackageSummary,
  known: readonly PackageSummary[],
): string | undefined {
  if (compareVersions(newer.languageVersion, older.languageVersion) < 0) {
    return `the language version is lowered from ${older.languageVersion} to ${newer.languageVersion}`
  }
  const types = TypeComparison.between(older, newer, known)
  return eachKept('module', older.modules, newer.modules, (before, after) =>
    moduleProblem(before, after, types),
  )
}

function moduleProblem(before: Module, after: Module, types: TypeComparison): string | undefined {
  return (
    eachKept('template', before.templates, after.templates, (one, other) =>
      templateProblem(one, other, types),
    ) ??
    eachKept('data type', visible(before), visible(after), (one, other) =>
      dataTypeProblem(one, other, types),
    )
  )
}

/** Types that no contract can hold do not count, nor do those of exceptions. */
function visible({ dataTypes, exceptions }: Module): DataType[] {
  return dataTypes.filter(({ name, serializable }) => serializable && !exceptions.includes(name))
}

function templateProblem(
  before: Template,
  after: Template,
  types: TypeComparison,
): string | undefined {
  if ((before.key === undefined) !== (after.key === undefined))
    return `the key is ${before.key ? 'removed' : 'added'}`
  if (before.key && after.key && !types.same(before.key, after.key))
    return 'the type of the key is changed'
  const removed = before.interfaces.find(
    (one) => !after.interfaces.some((other) => types.same(one, other)),
  )
  if (removed !== undefined) return `interface ${removed.name} is no longer implemented`
  return eachKept('choice', before.choices, after.choices, (one, other) =>
    choiceProblem(one, other, types),
  )
}

function choiceProblem(before: Choice, after: Choice, types: TypeComparison): string | undefined {
  if (!types.same(before.argument, after.argument)) return 'the type of the argument is changed'
  return types.same(before.result, after.result) ? undefined : 'the type of the result is changed'
}

function dataTypeProblem(
  before: DataType,
  after: DataType,
  types: TypeComparison,
): string | undefined {
  const [old, now] = [before.shape, after.shape]
  if (before.parameters.length !== after.parameters.length) return 'its parameters are changed'
  const inside = types.withParameters(before.parameters, after.parameters)
  if (old.kind === 'record' && now.kind === 'record') {
    return (
      prefixProblem('field', old.fields, now.fields, inside) ??
      mandatoryField(now.fields.slice(old.fields.length), inside)
    )
  }
  if (old.kind === 'variant' && now.kind === 'variant')
    return prefixProblem('constructor', old.cases, now.cases, inside)
  if (old.kind === 'enum' && now.kind === 'enum')
    return namesProblem('constructor', old.names, now.names)
  return old.kind === now.kind ? undefined : `it was ${old.kind} and is ${now.kind}`
}

function prefixProblem(
  what: string,
  before: readonly Field[],
  after: readonly Field[],
  types: TypeComparison,
): string | undefined {
  const names = namesProblem(
    what,
    before.map(({ name }) => name),
    after.map(({ name }) => name),
  )
  if (names !== undefined) return names
  const changed = before.find(({ type }, index) => {
    const now = after[index]?.type
    return now === undefined || !types.same(type, now)
  })
  return changed && `the type of ${what} ${changed.name} is changed`
}

function namesProblem(
  what: string,
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const removed = before.find((name) => !after.includes(name))
  if (removed !== undefined) return `${what} ${removed} is removed`
  const moved = before.find((name, index) => after[index] !== name)
  return moved && `${what} ${moved} is at another place`
}

function mandatoryField(added: readonly Field[], types: TypeComparison): string | undefined {
  const field = added.find(({ type }) => !types.isOptional(type))
  return field && `the new field ${field.name} is not optional`
}

interface Named {
  readonly name: string
}

/** The problem with the first item that is gone, or that is there and has one. */
function eachKept<T extends Named>(
  what: string,
  before: readonly T[],
  after: readonly T[],
  problemIn: (before: T, after: T) => string | undefined,
): string | undefined {
  const found = new Map(after.map((item) => [item.name, item]))
  for (const item of before) {
    const now = found.get(item.name)
    if (now === undefined) return `${what} ${item.name} is removed`
    const problem = problemIn(item, now)
    if (problem !== undefined) return `${what} ${item.name}: ${problem}`
  }
  return undefined
}
