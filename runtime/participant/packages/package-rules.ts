// What must hold inside one package and between the packages of one DAR. docs/ledger-rules.md,
// "Packages"
import { ledgerError } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { listed } from '../../errors/text.ts'
import { compareVersions, describePackage } from '../../packages/summary/summary.ts'
import type { Module, PackageSummary } from '../../packages/summary/summary.ts'

/** Tells of a node which packages every DAR may carry along without use; both empty by default. */
export interface KnownPackages {
  /** Ids of packages that never change. */
  readonly stablePackageIds?: ReadonlySet<string>
  /** Names of the language's own libraries; a package `<name>-<more>` is one of them too. */
  readonly basicLibraries?: readonly string[]
}

/**
 * DAR_VALIDATION_ERROR where a package defines something twice or a template without its record.
 */
export function checkDefinitions(summary: PackageSummary): LedgerError | undefined {
  const problem =
    repeated('module', summary.modules, summary.name) ??
    firstProblem(summary.modules, moduleProblem)
  return problem === undefined
    ? undefined
    : ledgerError('DAR_VALIDATION_ERROR', { validationError: `${summary.packageId}: ${problem}` })
}

function moduleProblem(module: Module): string | undefined {
  const exceptions = module.exceptions.map((name) => ({ name }))
  const interfaces = module.interfaces.map((name) => ({ name }))
  return (
    repeated('type', [...module.dataTypes, ...module.synonyms], module.name) ??
    repeated('template', module.templates, module.name) ??
    repeated('exception', exceptions, module.name) ??
    repeated('interface', interfaces, module.name) ??
    firstProblem(module.templates, (template) =>
      repeated('choice', template.choices, `${module.name}:${template.name}`),
    ) ??
    recordlessTemplate(module) ??
    firstProblem(module.dataTypes, ({ name, shape }) => {
      const where = `${module.name}:${name}`
      if (shape.kind === 'record') return repeated('field', shape.fields, where)
      if (shape.kind === 'variant') return repeated('constructor', shape.cases, where)
      return shape.kind === 'enum'
        ? repeated(
            'constructor',
            shape.names.map((each) => ({ name: each })),
            where,
          )
        : undefined
    })
  )
}

function recordlessTemplate({ name, dataTypes, templates }: Module): string | undefined {
  const records = new Set(
    dataTypes
      .filter(({ shape, serializable }) => shape.kind === 'record' && serializable)
      .map((type) => type.name),
  )
  const template = templates.find((each) => !records.has(each.name))
  return (
    template && `template ${name}:${template.name} has no serializable record (rule DefTemplate)`
  )
}

function repeated(
  what: string,
  named: readonly { readonly name: string }[],
  where: string,
): string | undefined {
  const names = new Set<string>()
  for (const { name } of named) {
    if (names.has(name))
      return `${what} ${name} is defined twice in ${where} (rule name collision condition)`
    names.add(name)
  }
  return undefined
}

function firstProblem<T>(
  items: readonly T[],
  problemIn: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const problem = problemIn(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

/**
 * DAR_DEPENDENCIES_NOT_VALID unless the DAR holds what its main package needs, directly or not, and
 * nothing else; DAR_VALIDATION_ERROR where a package needs one of a later language version.
 */
export function checkDependencies(
  main: string,
  packages: readonly PackageSummary[],
  known: KnownPackages = {},
): LedgerError | undefined {
  const held = new Map(packages.map((each) => [each.packageId, each]))
  const needed = closure(main, held)
  const stable = known.stablePackageIds ?? new Set()
  const missing = [...needed].filter((id) => !held.has(id) && !stable.has(id))
  const extra = packages
    .filter((each) => !needed.has(each.packageId) && !mayIdle(each, known))
    .map((each) => each.packageId)
  if (missing.length + extra.length === 0) return newerDependency(packages, held)
  return ledgerError('DAR_DEPENDENCIES_NOT_VALID', {
    mainPackageId: main,
    missingDependencies: listed(missing),
    extraDependencies: listed(extra),
  })
}

function newerDependency(
  packages: readonly PackageSummary[],
  held: ReadonlyMap<string, PackageSummary>,
): LedgerError | undefined {
  const problem = firstProblem(packages, ({ packageId, languageVersion, dependencies }) => {
    const newer = dependencies
      .flatMap((id) => held.get(id) ?? [])
      .find((one) => compareVersions(one.languageVersion, languageVersion) > 0)
    return (
      newer &&
      `${packageId}: It is of language version ${languageVersion} and refers to ` +
        `${describePackage(newer)} of ${newer.languageVersion} (rule versions of dependencies)`
    )
  })
  return problem === undefined
    ? undefined
    : ledgerError('DAR_VALIDATION_ERROR', { validationError: problem })
}

function closure(main: string, held: ReadonlyMap<string, PackageSummary>): Set<string> {
  const needed = new Set<string>([main])
  for (const id of needed)
    for (const dependency of held.get(id)?.dependencies ?? []) needed.add(dependency)
  return needed
}

function mayIdle(
  { packageId, name }: PackageSummary,
  { stablePackageIds, basicLibraries = [] }: KnownPackages,
): boolean {
  return (
    stablePackageIds?.has(packageId) === true ||
    basicLibraries.some((library) => name === library || name.startsWith(`${library}-`))
  )
}
