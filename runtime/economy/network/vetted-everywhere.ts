// Whether every node of the ledger that would learn of a package has vetted it.
// docs/ledger-rules.md, "Packages that run"
import type { Uses } from '../../engine/index.ts'
import type { InCode } from '../../packages/templates/in-code.ts'
import { VettedPackages } from '../../participant/packages/vetted-packages.ts'
import type { Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { nodesWithPackages } from './node-packages.ts'
import { hostsAmong } from './nodes.ts'

interface Nodes {
  /** The store of all nodes. */
  readonly store: Store
  readonly economy: () => Pick<Economy, 'engine' | 'node' | 'parties'>
  readonly inCode: InCode
}

/** A name of a template or an interface, and the node that has not vetted its package. */
interface Unvetted {
  readonly name: string
  readonly participant: string
}

export class VettedEverywhere {
  readonly #nodes: Nodes
  /** By the key of the node. */
  readonly #vetted = new Map<string, VettedPackages>()

  constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  /**
   * The first name whose package is not vetted by a node that hosts a party who learns of it, and
   * that node.
   */
  async missing(uses: Uses): Promise<Unvetted | undefined> {
    const { store, economy } = this.#nodes
    const { engine, node, parties } = economy()
    const nodes = await nodesWithPackages({ store, engine })
    if (nodes.length === 0) {
      const { participantUid: participant } = node
      return missingAt({ participant, vetted: this.#at('', store.packages) }, uses)
    }
    const learning = new Set(uses.values().flatMap((each) => each))
    const hosts = await hostsAmong(store, nodes, [...learning])
    for (const { key, participantUid: participant, packages } of nodes) {
      const lives = (party: string): boolean =>
        hosts.get(party)?.includes(`PAR::${participant}`) === true ||
        (key === '' && (party === parties.dso || party === parties.sv))
      const here = new Map([...uses].filter(([, learning]) => [...learning].some(lives)))
      const missing = await missingAt({ participant, vetted: this.#at(key, packages) }, here)
      if (missing !== undefined) return missing
    }
    return undefined
  }

  #at(key: string, packages: Store['packages']): VettedPackages {
    const known = this.#vetted.get(key)
    if (known !== undefined) return known
    const made = new VettedPackages(packages, this.#nodes.inCode)
    this.#vetted.set(key, made)
    return made
  }
}

async function missingAt(
  { participant, vetted }: { readonly participant: string; readonly vetted: VettedPackages },
  uses: Uses,
): Promise<Unvetted | undefined> {
  if (uses.size === 0) return undefined
  const { template, interface: interfaceOf } = await vetted.now()
  for (const name of uses.keys())
    if (template(name, []) === undefined && interfaceOf(name) === undefined)
      return { name, participant }
  return undefined
}
