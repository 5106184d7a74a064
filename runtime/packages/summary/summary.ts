// What a package says of itself, as far as uploads need it: plain data, so that it can be kept
// beside the archive. docs/ledger-rules.md, "Packages"

/**
 * A type. `name` is `Module.Sub:Entity` of constructors and synonyms, and `package` the id of the
 * package that defines them ('' for the package that speaks). A struct's name lists its fields, a
 * forall's its variables.
 */
export interface LfType {
  readonly kind: 'constructor' | 'synonym' | 'builtin' | 'variable' | 'number' | 'struct' | 'forall'
  readonly name: string
  readonly package: string
  readonly arguments: readonly LfType[]
}

export interface Field {
  readonly name: string
  readonly type: LfType
}

/**
 * `fields` of a record; `cases` of a variant carry the argument's type; an enum has names alone.
 */
export type DataShape =
  | { readonly kind: 'record'; readonly fields: readonly Field[] }
  | { readonly kind: 'variant'; readonly cases: readonly Field[] }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'interface' }

export interface DataType {
  readonly name: string
  readonly parameters: readonly string[]
  readonly serializable: boolean
  readonly shape: DataShape
}

export interface Synonym {
  readonly name: string
  readonly parameters: readonly string[]
  readonly type: LfType
}

export interface Choice {
  readonly name: string
  readonly consuming: boolean
  readonly argument: LfType
  readonly result: LfType
}

export interface Template {
  readonly name: string
  readonly choices: readonly Choice[]
  /** The type of its key, if it has one. */
  readonly key: LfType | undefined
  /** The interfaces that it implements, as types. */
  readonly interfaces: readonly LfType[]
}

export interface Interface {
  readonly name: string
  readonly requires: readonly LfType[]
  readonly methods: readonly Field[]
  readonly choices: readonly Choice[]
  readonly view: LfType
}

export interface Module {
  readonly name: string
  readonly dataTypes: readonly DataType[]
  readonly synonyms: readonly Synonym[]
  readonly templates: readonly Template[]
  readonly interfaces: readonly string[]
  /** Contents of its interfaces; summaries of older uploads have none. */
  readonly interfaceTypes?: readonly Interface[]
  readonly exceptions: readonly string[]
}

export interface PackageSummary {
  /** Lower-case hex SHA-256 of the archive's payload. */
  readonly packageId: string
  readonly name: string
  readonly version: string
  /** The language's version, such as `2.1`. */
  readonly languageVersion: string
  /** The package that this one says it upgrades. */
  readonly upgradedPackageId: string | undefined
  /** Ids of the packages that this one refers to, sorted. */
  readonly dependencies: readonly string[]
  readonly modules: readonly Module[]
}

/**
 * Whether nothing that the package defines can be in a contract: such packages are no part of
 * upgrades. docs/ledger-rules.md, "Packages"
 */
export function isUtilityPackage({ modules }: PackageSummary): boolean {
  return modules.every(
    ({ templates, interfaces, exceptions, dataTypes }) =>
      templates.length + interfaces.length + exceptions.length === 0 &&
      !dataTypes.some((type) => type.serializable),
  )
}

/** The summary in a stored package's record, where an upload wrote it. */
export function storedSummary({ summary }: { readonly summary: string }): PackageSummary {
  return JSON.parse(summary)
}

/** A package as texts name it. */
export function describePackage({ packageId, name, version }: PackageSummary): string {
  return `${packageId} (${name} v${version})`
}

/**
 * Orders `1.2.10` after `1.2.9`; negative when `one` is before `other`. Segments have no leading
 * zeros.
 */
export function compareVersions(one: string, other: string): number {
  const [ones, others] = [one.split('.'), other.split('.')]
  for (let index = 0; index < Math.max(ones.length, others.length); index++) {
    const [a, b] = [ones[index], others[index]]
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1
    const order = a.length - b.length || (a < b ? -1 : Number(a > b))
    if (order !== 0) return order
  }
  return 0
}
