// This node's names: who it is for topology, and the synchronizer that it is connected to.
// domain/ledger.md §5, §9
import { hex, multihash, purposes } from './topology/hashing.ts'
import { uniqueIdentifier } from './topology/unique-identifier.ts'

export interface NodeIdentity {
  /** Under which the store keeps what is this node's own; '' for the first of a ledger. */
  readonly key: string
  /** As in errors and tokens. */
  readonly participantId: string
  /** `name::namespace`, as topology names a node. */
  readonly participantUid: string
  /** Ends the ids of the parties that this node signs for. */
  readonly namespace: string
  readonly synchronizerAlias: string
  /** Logical id. */
  readonly synchronizerId: string
}

interface NodeNames {
  readonly key?: string
  readonly participantId: string
  readonly synchronizerAlias: string
  readonly synchronizerId: string
}

/**
 * The identity that a configuration gives. A namespace that is not given is made from the
 * participant's name, so that all servers of a deployment and every start agree on it.
 */
export function nodeIdentity({
  key = '',
  participantId,
  synchronizerAlias,
  synchronizerId,
}: NodeNames): NodeIdentity {
  const [name = participantId, given] = participantId.split('::')
  const namespace = given ?? namespaceOf(name)
  return {
    key,
    participantId,
    participantUid: uniqueIdentifier(name, namespace),
    namespace,
    synchronizerAlias,
    synchronizerId: synchronizerId.includes('::')
      ? synchronizerId
      : uniqueIdentifier(synchronizerId, namespaceOf(synchronizerId)),
  }
}

/** The namespace that stands for a name. */
export function namespaceOf(name: string): string {
  return hex(multihash(purposes.publicKeyFingerprint, Buffer.from(name, 'utf8')))
}
