// This node's names: who it is for topology, and the synchronizer that it is connected to. Its
// ledger has drawn them (economy/network/ids.ts).
import { hex, multihash, purposes } from './topology/hashing.ts'

export interface NodeIdentity {
  /** The key of what is this node's own in the store; '' for the first of a ledger. */
  readonly key: string
  /** The name of the node in errors: the configuration's. */
  readonly participantId: string
  /** `name::namespace`, as topology and tokens name a node. */
  readonly participantUid: string
  /** Ends the ids of the parties that this node signs for. */
  readonly namespace: string
  readonly synchronizerAlias: string
  /** Logical id. */
  readonly synchronizerId: string
  /** The base of topology serials: 0, or that of a copy of a ledger, which goes on from there. */
  readonly serialBase: number
}

/** Ids of a node, and those that all nodes of its ledger share. */
export interface Ids {
  readonly node: NodeIdentity
  readonly dso: string
  readonly sv: string
}

/**
 * What a node keeps in copies of its ledger, where the name before it changes: by it the ledger's
 * facts know who hosts a party. docs/decisions/0048-copies.md
 */
export function nodeSpace(uidOrSpace: string): string {
  const at = uidOrSpace.lastIndexOf('::')
  return at < 0 ? uidOrSpace : uidOrSpace.slice(at + 2)
}

/** The namespace that stands for drawn bytes. */
export function namespaceOf(bytes: Uint8Array): string {
  return hex(multihash(purposes.publicKeyFingerprint, bytes))
}
