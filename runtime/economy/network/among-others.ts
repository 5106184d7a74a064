// What a node is among others on a ledger: which parties it shows, and how it comes to host some
// together with them. docs/decisions/0032-nodes.md
import { HostedParties } from '../../participant/hosted.ts'
import type { Cohosting } from '../../participant/identity/cohosting.ts'
import { nodeStore } from '../../store/node-store.ts'
import type { Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { createCohosting } from './cohosting.ts'

interface AmongOthers {
  readonly hosted: HostedParties
  readonly cohosting: Cohosting
}

/**
 * Of the node whose economy it is. The network's own parties live on the first one.
 *
 * @param store of all nodes
 */
export function amongOthers(
  store: Store,
  { engine, node, parties: { dso, sv } }: Pick<Economy, 'engine' | 'node' | 'parties'>,
): AmongOthers {
  const hosted = new HostedParties({
    node: node.key,
    participantUid: node.participantUid,
    store: nodeStore(store, node.key),
    also: node.key === '' ? [dso, sv] : [],
  })
  return { hosted, cohosting: createCohosting({ store, engine, node }) }
}
