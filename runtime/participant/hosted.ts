// Which parties live on this node, where it is one of several on a ledger: nothing else may be read
// through it. docs/decisions/0032-nodes.md
import type { PartyStore } from '../store/store.ts'

/** Whether the reader's node may be informed of what a party sees. */
export type Sees = (party: string) => boolean

const PAGE = 500

/** The parties of one node. A party that came stays, so a yes is remembered and a no is not. */
export class HostedParties {
  /** Tells nodes apart where what was made for one reader may serve another. */
  readonly node: string
  readonly #parties: Pick<PartyStore, 'get'>
  readonly #known: Set<string>

  /**
   * @param parties those of the node
   * @param also parties that live here and are in no store: the network's own
   */
  constructor(node: string, parties: Pick<PartyStore, 'get'>, also: readonly string[] = []) {
    this.node = node
    this.#parties = parties
    this.#known = new Set(also)
  }

  /** Says of each of these parties whether it lives here; of no others. */
  async among(parties: Iterable<string>): Promise<Sees> {
    const asked = [...new Set(parties)].filter((party) => !this.#known.has(party))
    for (let from = 0; from < asked.length; from += PAGE)
      for (const { party, isLocal } of await this.#parties.get(asked.slice(from, from + PAGE)))
        if (isLocal) this.#known.add(party)
    return (party) => this.#known.has(party)
  }

  /** Those of them that live here, in their order. */
  async only(parties: readonly string[]): Promise<readonly string[]> {
    return parties.filter(await this.among(parties))
  }
}
