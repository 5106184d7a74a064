// What commands can name: templates that have code here and the interfaces that these implement,
// then those of the node's vetted packages. docs/ledger-rules.md, "Commands"
import { allTemplates } from '../../../contracts/index.ts'
import { indexTemplates } from '../../../engine/index.ts'
import type { Engine } from '../../../engine/index.ts'
import type { VettedPackages } from '../../../participant/packages/vetted-packages.ts'
import { isInterface } from '../projection/event-filter.ts'
import type { Implementations } from './command-reader.ts'

const own = indexTemplates(allTemplates)
const ownInterfaces = [...new Set(allTemplates.flatMap((template) => template.interfaces))]

/** Finds what names mean; uploaded packages are asked for what is not in code. */
export class ImplementationFinder {
  readonly #engine: Engine
  readonly #packages: VettedPackages

  constructor(engine: Engine, packages: VettedPackages) {
    this.#engine = engine
    this.#packages = packages
  }

  /** What these names mean, in the version that is preferred; its templates are ready. */
  async of(names: readonly string[], preferred: readonly string[]): Promise<Implementations> {
    const strange = names.filter((name) => !own.has(name) && ownInterface(name) === undefined)
    if (strange.length === 0) return { template: (name) => own.get(name), interface: ownInterface }
    const uploaded = await this.#packages.now()
    const ids = new Map(
      strange.flatMap((name) => {
        const id = uploaded.template(name, preferred)
        return id === undefined ? [] : [[name, id] as const]
      }),
    )
    await this.#engine.ready(ids.values())
    return {
      template: (name) => own.get(name) ?? this.#engine.template(ids.get(name) ?? ''),
      interface: (name) => ownInterface(name) ?? uploaded.interface(name),
    }
  }

  /** The first of these templates that is an uploaded one, and not vetted. */
  async unvetted(templateIds: readonly string[]): Promise<string | undefined> {
    const uploaded = templateIds.filter((id) => !own.has(id) && this.#engine.template(id))
    if (uploaded.length === 0) return undefined
    const vetted = await this.#packages.now()
    return uploaded.find((id) => vetted.template(id, []) === undefined)
  }
}

function ownInterface(name: string): string | undefined {
  return ownInterfaces.find((id) => isInterface(name, id))
}
