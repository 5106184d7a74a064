// A party that several nodes of a ledger host: each of them has to be asked, with the same signed
// topology, and before all have agreed there is no such party anywhere. domain/ledger.md §5.4
import type { PartyGrant, PartyRecord, PartyStore } from '../../store/party-store.ts'

/** A party that is to be, as this node is going to keep it. */
export interface ProposedParty {
  readonly party: Omit<PartyRecord, 'resourceVersion'>
  readonly grantTo: PartyGrant | undefined
  /** Uids of the other nodes that are to host it. */
  readonly others: readonly string[]
}

/** What came of a node's consent. */
export type Consented = 'proposed' | Awaited<ReturnType<PartyStore['allocate']>>

/** How this node hosts parties together with others. */
export interface Cohosting {
  /** Those of them that are no nodes of this ledger: nobody can be asked there. */
  strangers(uids: readonly string[]): Promise<readonly string[]>
  /** Whether other nodes of the ledger host the party, and this one does not. */
  isElsewhere(party: string): Promise<boolean>
  /**
   * This node agrees. `proposed`: others have not yet. Else all have, and the party is there on all
   * of them; the outcome is that of this node.
   */
  consent(proposed: ProposedParty): Promise<Consented>
}
