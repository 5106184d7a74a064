// What a node is among others on a ledger: which parties it shows, and how it comes to host some,
// alone or together with them. docs/decisions/0032-nodes.md
import { HostedParties } from '../../participant/hosted.ts'
import type { Cohosting } from '../../participant/identity/cohosting.ts'
import { nodeStore } from '../../store/node-store.ts'
import type { Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { createCohosting } from './cohosting.ts'

interface AmongOthers {
  readonly cohosting: Cohosting
  /** Absent where the node is alone: it shows all parties. */
  readonly hosted?: HostedParties
}

/**
 * Of the node whose economy it is. The network's own parties live on the first one.
 *
 * @param store of all nodes
 * @param isOneOfSeveral whether the ledger has, or had, more nodes
 */
export function amongOthers(
  store: Store,
  { engine, node, parties: { dso, sv } }: Pick<Economy, 'engine' | 'node' | 'parties'>,
  isOneOfSeveral: boolean,
): AmongOthers {
  const cohosting = createCohosting({ store, engine, node })
  if (!isOneOfSeveral) return { cohosting }
  const hosted = new HostedParties({
    node: node.key,
    space: node.namespace,
    store: nodeStore(store, node.key),
    also: node.key === '' ? [dso, sv] : [],
  })
  return { cohosting, hosted }
}
