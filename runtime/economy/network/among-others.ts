// What a node is among others on a ledger: which parties it shows. docs/decisions/0032-nodes.md
import { HostedParties } from '../../participant/hosted.ts'
import { nodeStore } from '../../store/node-store.ts'
import type { Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'

/**
 * Parties of the node whose economy it is. The network's own live on the first one.
 *
 * @param store of all nodes
 */
export function partiesAmongOthers(
  store: Store,
  { node, parties: { dso, sv } }: Pick<Economy, 'node' | 'parties'>,
): HostedParties {
  return new HostedParties({
    node: node.key,
    participantUid: node.participantUid,
    store: nodeStore(store, node.key),
    also: node.key === '' ? [dso, sv] : [],
  })
}
