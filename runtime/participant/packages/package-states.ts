// Which packages a node has, and what runs of each: for developers and operators.
// docs/own-contracts.md
import { interfaceTypes, templateTypes } from '../../../generated/contracts.gen.ts'
import { storedSummary } from '../../packages/summary/summary.ts'
import type { Module, PackageSummary } from '../../packages/summary/summary.ts'
import type { WireWords } from '../interactive/wire-words.ts'
import type { PackageRecord, PackageStore } from '../../store/store.ts'
import { ownPackages } from './own-packages.ts'
import { byName, named, ownNamed } from './named-package.ts'
import type { NamedPackage } from './named-package.ts'

/** `in-code`: a package of its name is in code and runs in its place. */
export type Obstacle = 'in-code' | 'not-vetted' | 'contract-keys'

/** A package of a node, with what runs of it. */
export interface PackageState extends NamedPackage {
  /** `code`: that of this program; `package`: its own, interpreted. */
  readonly runs: 'code' | 'package' | 'nothing'
  /** Why nothing of it runs. */
  readonly reason?: Obstacle
  /** The version of the contract language; absent for code of this program. */
  readonly languageVersion?: string
  /** `<Module>:<Entity>` */
  readonly templates: readonly string[]
  /** `<Module>:<Entity>` */
  readonly interfaces: readonly string[]
}

/** All packages in code, and those that were uploaded; by name, version and id. */
export async function packageStates(
  store: Pick<PackageStore, 'get' | 'list'>,
  words: WireWords,
  reportedVersions: Readonly<Record<string, string>>,
): Promise<readonly PackageState[]> {
  const stored = await store.get(await store.list())
  const { names } = ownPackages(words)
  const inCode = ownNamed(reportedVersions).map((own) => stateInCode(own, words))
  return [...inCode, ...stored.map((record) => stateOf(record, names))].toSorted(byName)
}

function stateInCode(own: NamedPackage, { outward }: WireWords): PackageState {
  const entities = (types: Readonly<Record<string, { id: string; packageName: string }>>) =>
    Object.values(types)
      .filter(({ packageName }) => packageName === own.packageName)
      .map(({ id }) => entityOf(outward.template(`${own.packageName}${id.slice(id.indexOf(':'))}`)))
      .toSorted()
  return {
    ...own,
    packageName: outward.package(own.packageName),
    runs: 'code',
    templates: entities(templateTypes),
    interfaces: entities(interfaceTypes),
  }
}

function stateOf(record: PackageRecord, inCode: ReadonlySet<string>): PackageState {
  const summary = storedSummary(record)
  const reason = obstacleTo(record, summary, inCode)
  const entities = (of: (module: Module) => readonly string[]): readonly string[] =>
    summary.modules.flatMap((module) => of(module).map((entity) => `${module.name}:${entity}`))
  return {
    ...named(record),
    ...(reason === undefined ? { runs: 'package' } : { runs: 'nothing', reason }),
    languageVersion: summary.languageVersion,
    templates: entities(({ templates }) => templates.map(({ name }) => name)),
    interfaces: entities(({ interfaces }) => interfaces),
  }
}

function obstacleTo(
  { name, vetted }: PackageRecord,
  { modules }: PackageSummary,
  inCode: ReadonlySet<string>,
): Obstacle | undefined {
  if (inCode.has(name)) return 'in-code'
  if (!vetted) return 'not-vetted'
  // What was uploaded before packages ran was not refused for them.
  const hasKeys = modules.some(({ templates }) => templates.some(({ key }) => key !== undefined))
  return hasKeys ? 'contract-keys' : undefined
}

function entityOf(reference: string): string {
  return reference.slice(reference.indexOf(':') + 1)
}
