// Topology transactions as bytes: a versioned wrapper around an operation, a serial and one
// mapping. The bytes are what is hashed and signed, so nothing that was read is ever written again.
import { MalformedMessage } from '../protobuf/fields.ts'
import {
  always,
  bytes,
  checked,
  decoded,
  encoded,
  flag,
  implicit,
  int32,
  mapped,
  message,
  named,
  oneOf,
  optional,
  packed,
  repeated,
  required,
  text,
} from '../protobuf/kinds.ts'
import type { Of } from '../protobuf/kinds.ts'
import { keyFormatNumbers, keySpecNumbers, signingKey } from './signing-key.ts'

const operations = { ADD_REPLACE: 1, REMOVE: 2 } as const
const permissions = { SUBMISSION: 1, CONFIRMATION: 2, OBSERVATION: 3 } as const
const usages = {
  NAMESPACE: 1,
  IDENTITY_DELEGATION: 2,
  SEQUENCER_AUTHENTICATION: 3,
  PROTOCOL: 4,
  PROOF_OF_OWNERSHIP: 5,
} as const
export type Permission = keyof typeof permissions
export type KeyUsage = keyof typeof usages

const VERSION = 30
const MAX_KEYS = 100

const name = implicit(text)
const count = implicit(int32)

const key = mapped(
  message({
    format: [2, implicit(named(keyFormatNumbers, 'key format'))],
    bytes: [3, implicit(bytes)],
    usages: [5, packed(named(usages, 'key usage'))],
    spec: [6, implicit(named(keySpecNumbers, 'key spec'))],
  }),
  ({ format, spec, bytes: own, usages: keyUsages }) => {
    const read = signingKey(format, spec, own)
    if (typeof read === 'string') throw new MalformedMessage(read)
    return { ...read, usages: keyUsages }
  },
  (own) => own,
)

/** A participant that hosts a party; its id is without the code of members. */
const host = message({
  participantUid: [1, name],
  permission: [2, implicit(named(permissions, 'permission'))],
})

/** Keys that sign for a party, and how many of them must. */
const signingKeys = message({ keys: [1, repeated(key, MAX_KEYS)], threshold: [2, count] })

const partyToParticipant = message({
  kind: always('PartyToParticipant'),
  party: [1, name],
  /** The number of confirmations needed. */
  threshold: [2, count],
  participants: [3, repeated(host)],
  signingKeys: [6, optional(signingKeys)],
})

const partyToKeyMapping = mapped(
  message({
    kind: always('PartyToKeyMapping'),
    party: [1, name],
    threshold: [3, count],
    keys: [4, repeated(key, MAX_KEYS)],
  }),
  ({ keys, threshold, ...mapping }) => ({ ...mapping, signingKeys: { keys, threshold } }),
  ({ signingKeys: own, ...mapping }) => ({ ...mapping, ...own }),
)

/**
 * The older flag of a root delegation says the same as the restriction to nothing that took its
 * place.
 */
const namespaceDelegation = mapped(
  message({
    kind: always('NamespaceDelegation'),
    namespace: [1, name],
    key: [2, required(key)],
    isRoot: [3, implicit(flag)],
    unrestricted: [4, optional(message({}))],
  }),
  ({ isRoot: rootFlag, unrestricted, ...delegation }) => ({
    ...delegation,
    canSignAll: rootFlag || unrestricted !== undefined,
  }),
  ({ canSignAll, ...delegation }) => ({
    ...delegation,
    isRoot: false,
    unrestricted: canSignAll ? {} : undefined,
  }),
)

const decentralizedNamespace = message({
  kind: always('DecentralizedNamespaceDefinition'),
  namespace: [1, name],
  threshold: [2, count],
  owners: [3, repeated(text)],
})

export type PartyKey = Of<typeof key>
export type HostingParticipant = Of<typeof host>
export type SigningKeys = Of<typeof signingKeys>
export type PartyToParticipant = Of<typeof partyToParticipant>
export type PartyToKeyMapping = Of<typeof partyToKeyMapping>
export type NamespaceDelegation = Of<typeof namespaceDelegation>
export type DecentralizedNamespaceDefinition = Of<typeof decentralizedNamespace>
export type Mapping =
  PartyToParticipant | PartyToKeyMapping | NamespaceDelegation | DecentralizedNamespaceDefinition

const mapping = oneOf<Mapping>(
  {
    NamespaceDelegation: [1, namespaceDelegation],
    DecentralizedNamespaceDefinition: [3, decentralizedNamespace],
    PartyToParticipant: [9, partyToParticipant],
    PartyToKeyMapping: [16, partyToKeyMapping],
  },
  'the mapping is of a kind that is not for onboarding a party',
)

const transaction = message({
  operation: [1, implicit(named(operations, 'operation'))],
  serial: [2, count],
  mapping: [3, required(mapping)],
})

const wrapper = message({
  version: [
    2,
    implicit(
      checked(int32, (version) => {
        if (version !== VERSION)
          throw new MalformedMessage(`the version ${version} is not ${VERSION}`)
      }),
    ),
  ],
  transaction: [1, required(transaction)],
})

type TopologyTransaction = Of<typeof transaction>

/** A mapping with its place among those that replace each other: 1 for the first. */
export type SerialMapping = Pick<TopologyTransaction, 'mapping' | 'serial'>

/** The key is the root of the namespace that it is delegated. */
export function isRoot({ namespace, key: own, canSignAll }: NamespaceDelegation): boolean {
  return canSignAll && namespace === own.fingerprint
}

/** The bytes of the versioned wrapper around a transaction that puts a mapping in force. */
export function encodeTransaction(given: Mapping, serial = 1): Uint8Array {
  return encoded(wrapper, {
    version: VERSION,
    transaction: { operation: 'ADD_REPLACE', serial, mapping: given },
  })
}

/** The transaction in a versioned wrapper, or the text of the bytes' problem. Never throws. */
export function decodeTransaction(given: Uint8Array): TopologyTransaction | string {
  try {
    return decoded(wrapper, given).transaction
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
