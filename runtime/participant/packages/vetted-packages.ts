// What the vetted packages of a node are called: the templates and interfaces that commands and
// filters can name beside those in code. Read again when something was vetted, on whichever server.
// docs/decisions/0056-packages-that-run.md
import { namesake } from '../../packages/templates/in-code.ts'
import type { InCode } from '../../packages/templates/in-code.ts'
import type { PackageRecord, PackageStore } from '../../store/store.ts'
import { compareVersions, storedSummary } from '../../packages/summary/summary.ts'
import type { LfType, PackageSummary } from '../../packages/summary/summary.ts'

/** A template of an uploaded package, as far as its summary tells. */
export interface UploadedTemplate {
  readonly id: string
  readonly packageName: string
  /** `<package name>:<Module>:<Entity>` */
  readonly reference: string
  /** With those in code that it may mean. */
  readonly interfaces: readonly string[]
}

/** Everything that is vetted, at one moment. */
export interface Uploaded {
  readonly templates: readonly UploadedTemplate[]
  /**
   * The id of the template that a name means: of the preferred package, else of the highest version
   * that has it.
   */
  template(name: string, preferred: readonly string[]): string | undefined
  /** The id of the interface that a name means, likewise. */
  interface(name: string): string | undefined
}

export class VettedPackages {
  readonly #packages: PackageStore
  readonly #inCode: InCode
  #known: { readonly version: bigint; readonly uploaded: Promise<Uploaded> } | undefined

  constructor(packages: PackageStore, inCode: InCode) {
    this.#packages = packages
    this.#inCode = inCode
  }

  /** What is vetted now. */
  async now(): Promise<Uploaded> {
    const version = await this.#packages.vettingVersion()
    if (this.#known?.version !== version)
      this.#known = { version, uploaded: version === 0n ? NOTHING : this.#read() }
    const { uploaded } = this.#known
    uploaded.catch(() => {
      if (this.#known?.uploaded === uploaded) this.#known = undefined
    })
    return uploaded
  }

  async #read(): Promise<Uploaded> {
    const records = await this.#packages.get(await this.#packages.list())
    const inCode = this.#inCode
    const names = new Map(records.map(({ packageId, name }) => [packageId, name]))
    const vetted = records
      .filter((each) => each.vetted)
      .toSorted(highestFirst)
      .map(storedSummary)
    const usable = vetted.filter(({ name }) => !inCode.names.has(name))
    // Commands name what lies in our packages in our words, though code does not have it.
    const interfaces = vetted
      .flatMap(interfacesOf)
      .map(({ id, reference }) => ({ id, reference: inCode.inward.template(reference) }))
    return uploadedOf(usable, interfaces, (id) => {
      const ours = namesake(inCode, names.get(packageOf(id)) ?? '', id)
      return ours === undefined ? [id] : [id, ours.id]
    })
  }
}

function highestFirst(one: PackageRecord, other: PackageRecord): number {
  return compareVersions(other.version, one.version)
}

/** @param packages the highest version of each name first */
function uploadedOf(
  packages: readonly PackageSummary[],
  interfaces: ReturnType<typeof interfacesOf>,
  mayMean: (id: string) => readonly string[],
): Uploaded {
  const templates = packages.flatMap((each) => templatesOf(each, mayMean))
  const templateIds = idsByName(templates)
  const interfaceIds = idsByName(interfaces)
  return {
    templates,
    template: (name, preferred) => {
      const ids = templateIds.get(name) ?? []
      return ids.find((id) => preferred.includes(packageOf(id))) ?? ids[0]
    },
    interface: (name) => interfaceIds.get(name)?.[0],
  }
}

const NOTHING = Promise.resolve(uploadedOf([], [], () => []))

function templatesOf(
  { packageId, name, modules }: PackageSummary,
  mayMean: (id: string) => readonly string[],
): readonly UploadedTemplate[] {
  return modules.flatMap((module) =>
    module.templates.map((template) => ({
      id: `${packageId}:${module.name}:${template.name}`,
      packageName: name,
      reference: `${name}:${module.name}:${template.name}`,
      interfaces: template.interfaces.flatMap((type) => mayMean(idOf(type, packageId))),
    })),
  )
}

function interfacesOf({ packageId, name, modules }: PackageSummary) {
  return modules.flatMap((module) =>
    module.interfaces.map((entity) => ({
      id: `${packageId}:${module.name}:${entity}`,
      reference: `${name}:${module.name}:${entity}`,
    })),
  )
}

function idOf({ name, package: packageId }: LfType, own: string): string {
  return `${packageId === '' ? own : packageId}:${name}`
}

/** Ids by themselves, and by the name of the package. */
function idsByName(
  named: readonly { readonly id: string; readonly reference: string }[],
): ReadonlyMap<string, readonly string[]> {
  const ids = Map.groupBy(named, ({ reference }) => `#${reference}`)
  return new Map<string, readonly string[]>([
    ...named.map(({ id }) => [id, [id]] as const),
    ...[...ids].map(([name, found]) => [name, found.map(({ id }) => id)] as const),
  ])
}

function packageOf(id: string): string {
  return id.slice(0, id.indexOf(':'))
}
