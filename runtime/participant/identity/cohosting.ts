// How a party with keys of its own comes to be hosted, and is hosted anew: each node that is to
// host it has to be asked, with the same signed topology; nothing changes before all have agreed.
// docs/decisions/0032-nodes.md
import type { TopologyRefusal } from '../succession.ts'
import type { DatedTopology } from '../topology/dated.ts'
import type { PartyGrant, PartyRecord, PartyStore } from '../../store/party-store.ts'

/** A party as this node is going to keep it. */
export interface ProposedParty {
  readonly party: Omit<PartyRecord, 'resourceVersion'>
  readonly grantTo: PartyGrant | undefined
  /** The topology of `VerifiedOnboarding`. */
  readonly dated: DatedTopology
  /** Uids of the nodes that are to host it, this one among them. */
  readonly hosts: readonly string[]
  /**
   * How many parties the user of `grantTo` may have proposed that others have not agreed to;
   * undefined: any number.
   */
  readonly maxProposed?: number | undefined
}

/** The outcome of a node's consent. */
export type Consented =
  'proposed' | 'too-many-proposed' | TopologyRefusal | Awaited<ReturnType<PartyStore['allocate']>>

/** The hosting of parties by this node together with others. */
export interface Cohosting {
  /** Uids that are no nodes of this ledger: nobody can be asked there. */
  strangers(uids: readonly string[]): Promise<readonly string[]>
  /**
   * The serial of a topology that is generated for these hosts: the next one where one of them
   * hosts the party already, else 1. Undefined after a copy's last one.
   */
  nextSerial(party: string, hosts: readonly string[]): Promise<number | undefined>
  /**
   * This node agrees. `proposed`: others who are to host the party have not yet. Else it is hosted
   * as its topology says from now on; the outcome is that of this node. Of several nodes that take
   * a party at the same moment one does, and the others are told that it `exists`.
   */
  consent(proposed: ProposedParty): Promise<Consented>
}
