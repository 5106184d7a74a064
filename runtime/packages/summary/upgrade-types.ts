// When a type of a newer package stands for the same as one of the older package: equal after
// synonyms, up to the names of variables, where a package may have moved on to a later version of
// itself. docs/ledger-rules.md, "Packages"
import { compareVersions } from './summary.ts'
import type { LfType, PackageSummary, Synonym } from './summary.ts'

/** Nodes that one comparison may visit, and its depth; synonyms of synonyms grow without end. */
const MAX_STEPS = 10_000
const MAX_DEPTH = 500

interface Packages {
  readonly older: PackageSummary
  readonly newer: PackageSummary
  /** Every package whose types may be met, by id. */
  readonly known: ReadonlyMap<string, PackageSummary>
  /** Filled on use: the synonyms of a package by name. */
  readonly synonyms: Map<string, ReadonlyMap<string, Synonym>>
}

/** Compares types of two versions of a package. */
export class TypeComparison {
  readonly #packages: Packages
  readonly #variables: ReadonlyMap<string, string>

  constructor(packages: Packages, variables: ReadonlyMap<string, string> = new Map()) {
    this.#packages = packages
    this.#variables = variables
  }

  static between(
    older: PackageSummary,
    newer: PackageSummary,
    known: readonly PackageSummary[],
  ): TypeComparison {
    const byId = new Map([...known, older, newer].map((each) => [each.packageId, each]))
    return new TypeComparison({ older, newer, known: byId, synonyms: new Map() })
  }

  /** The same comparison inside definitions whose variables correspond by position. */
  withParameters(older: readonly string[], newer: readonly string[]): TypeComparison {
    return new TypeComparison(
      this.#packages,
      new Map(older.map((name, index) => [name, newer[index] ?? ''])),
    )
  }

  same(before: LfType, after: LfType): boolean {
    let steps = 0
    const same = (one: LfType, other: LfType, depth: number): boolean => {
      if (++steps > MAX_STEPS || depth > MAX_DEPTH) return false
      const [old, now] = [
        this.#expanded(one, this.#packages.older),
        this.#expanded(other, this.#packages.newer),
      ]
      if (
        old.kind !== now.kind ||
        old.arguments.length !== now.arguments.length ||
        !this.#sameHead(old, now)
      )
        return false
      return old.arguments.every((argument, index) => {
        const counterpart = now.arguments[index]
        return counterpart !== undefined && same(argument, counterpart, depth + 1)
      })
    }
    return same(before, after, 0)
  }

  /** Whether the newer package's type is an Optional. */
  isOptional(type: LfType): boolean {
    const { kind, name } = this.#expanded(type, this.#packages.newer)
    return kind === 'builtin' && name === 'OPTIONAL'
  }

  #sameHead(old: LfType, now: LfType): boolean {
    if (old.kind === 'variable') return (this.#variables.get(old.name) ?? old.name) === now.name
    return old.name === now.name && this.#samePackage(old, now)
  }

  #samePackage({ package: old }: LfType, { package: now }: LfType): boolean {
    if (old === now) return true
    const { older, newer, known } = this.#packages
    const [before, after] = [known.get(old || older.packageId), known.get(now || newer.packageId)]
    if (before === undefined || after === undefined) return false
    return before.name === after.name && compareVersions(before.version, after.version) <= 0
  }

  /**
   * A synonym as what it stands for; itself when its package is not known. `home`: the package that
   * speaks.
   */
  #expanded(type: LfType, home: PackageSummary): LfType {
    let expanded = type
    for (let step = 0; expanded.kind === 'synonym' && step < MAX_STEPS; step++) {
      const owner = expanded.package || home.packageId
      const synonym = this.#synonymsOf(owner).get(expanded.name)
      if (synonym === undefined) return expanded
      expanded = substitute(
        rehome(synonym.type, owner === home.packageId ? '' : owner),
        synonym.parameters,
        expanded.arguments,
      )
    }
    return expanded
  }

  #synonymsOf(packageId: string): ReadonlyMap<string, Synonym> {
    const seen = this.#packages.synonyms.get(packageId)
    if (seen !== undefined) return seen
    const modules = this.#packages.known.get(packageId)?.modules ?? []
    const synonyms = new Map(
      modules.flatMap((module) =>
        module.synonyms.map((synonym): [string, Synonym] => [
          `${module.name}:${synonym.name}`,
          synonym,
        ]),
      ),
    )
    this.#packages.synonyms.set(packageId, synonyms)
    return synonyms
  }
}

/** The type as another package sees it: what was its own now names its package. */
function rehome(type: LfType, owner: string): LfType {
  const isReference = type.kind === 'constructor' || type.kind === 'synonym'
  return {
    ...type,
    package: isReference && type.package === '' ? owner : type.package,
    arguments: type.arguments.map((argument) => rehome(argument, owner)),
  }
}

function substitute(
  type: LfType,
  parameters: readonly string[],
  values: readonly LfType[],
): LfType {
  const value = type.kind === 'variable' ? values[parameters.indexOf(type.name)] : undefined
  const inner = type.arguments.map((argument) => substitute(argument, parameters, values))
  return value === undefined
    ? { ...type, arguments: inner }
    : { ...value, arguments: [...value.arguments, ...inner] }
}
