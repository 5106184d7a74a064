// Topology transactions as bytes: a versioned wrapper around an operation, a serial and one
// mapping. The bytes are what is hashed and signed, so nothing that was read is ever written again.
// domain/ledger.md §5.2
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { MalformedMessage, readMessage } from './fields.ts'
import type { Fields } from './fields.ts'
import { keyFormatNumbers, keySpecNumbers, nameOf, signingKey } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'

const operations = { ADD_REPLACE: 1, REMOVE: 2 } as const
const permissions = { SUBMISSION: 1, CONFIRMATION: 2, OBSERVATION: 3 } as const
const usages = {
  NAMESPACE: 1,
  IDENTITY_DELEGATION: 2,
  SEQUENCER_AUTHENTICATION: 3,
  PROTOCOL: 4,
  PROOF_OF_OWNERSHIP: 5,
} as const
type Operation = keyof typeof operations
export type Permission = keyof typeof permissions
export type KeyUsage = keyof typeof usages

const VERSION = 30
const MAX_KEYS = 100

/** A participant that hosts a party; its id is without the code of members. */
export interface HostingParticipant {
  readonly participantUid: string
  readonly permission: Permission
}

export interface PartyKey extends SigningKey {
  readonly usages: readonly KeyUsage[]
}

/** Keys that sign for a party, and how many of them must. */
export interface SigningKeys {
  readonly keys: readonly PartyKey[]
  readonly threshold: number
}

export interface PartyToParticipant {
  readonly kind: 'PartyToParticipant'
  readonly party: string
  /** How many confirmations are needed. */
  readonly threshold: number
  readonly participants: readonly HostingParticipant[]
  readonly signingKeys: SigningKeys | undefined
}

export interface PartyToKeyMapping {
  readonly kind: 'PartyToKeyMapping'
  readonly party: string
  readonly signingKeys: SigningKeys
}

export interface NamespaceDelegation {
  readonly kind: 'NamespaceDelegation'
  readonly namespace: string
  readonly key: PartyKey
  readonly canSignAll: boolean
}

export interface DecentralizedNamespaceDefinition {
  readonly kind: 'DecentralizedNamespaceDefinition'
  readonly namespace: string
  readonly threshold: number
  readonly owners: readonly string[]
}

export type Mapping =
  PartyToParticipant | PartyToKeyMapping | NamespaceDelegation | DecentralizedNamespaceDefinition

/** A mapping with its place among those that replace each other: 1 for the first. */
export interface SerialMapping {
  readonly serial: number
  readonly mapping: Mapping
}

interface TopologyTransaction extends SerialMapping {
  readonly operation: Operation
}

/** The key is the root of the namespace that it is delegated. */
export function isRoot({ namespace, key, canSignAll }: NamespaceDelegation): boolean {
  return canSignAll && namespace === key.fingerprint
}

/** The bytes of the versioned wrapper; only what generation makes can be written. */
export function encodePartyToParticipant(mapping: PartyToParticipant, serial = 1): Uint8Array {
  return encode(9, serial, (writer) => writePartyToParticipant(writer, mapping))
}

/** As above, for a key that may sign everything in its own namespace. */
export function encodeRootDelegation({
  namespace,
  key,
}: Pick<NamespaceDelegation, 'namespace' | 'key'>): Uint8Array {
  return encode(1, 1, (writer) => {
    writer.tag(1, WireType.LengthDelimited).string(namespace)
    writeMessage(writer, 2, (message) => writeKey(message, key))
    writeMessage(writer, 4, () => undefined)
  })
}

/** As above, for keys apart from the hosting. */
export function encodePartyToKeyMapping({
  party,
  signingKeys: { keys, threshold },
}: Omit<PartyToKeyMapping, 'kind'>): Uint8Array {
  return encode(16, 1, (writer) => {
    writer.tag(1, WireType.LengthDelimited).string(party)
    writeNumber(writer, 3, threshold)
    for (const key of keys) writeMessage(writer, 4, (message) => writeKey(message, key))
  })
}

/** A transaction with the mapping of that field number. */
function encode(
  mappingField: number,
  serial: number,
  writeMapping: (writer: BinaryWriter) => void,
): Uint8Array {
  const writer = new BinaryWriter()
  writeMessage(writer, 1, (transaction) => {
    writeNumber(transaction, 1, operations.ADD_REPLACE)
    writeNumber(transaction, 2, serial)
    writeMessage(transaction, 3, (one) => writeMessage(one, mappingField, writeMapping))
  })
  writeNumber(writer, 2, VERSION)
  return writer.finish()
}

/** The transaction in a versioned wrapper, or the text of the bytes' problem. Never throws. */
export function decodeTransaction(bytes: Uint8Array): TopologyTransaction | string {
  try {
    return readMessage(readMessage(bytes, readWrapper), readTransaction)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function writePartyToParticipant(
  writer: BinaryWriter,
  { party, threshold, participants, signingKeys }: PartyToParticipant,
): void {
  writer.tag(1, WireType.LengthDelimited).string(party)
  writeNumber(writer, 2, threshold)
  for (const { participantUid, permission } of participants) {
    writeMessage(writer, 3, (host) => {
      host.tag(1, WireType.LengthDelimited).string(participantUid)
      writeNumber(host, 2, permissions[permission])
    })
  }
  if (signingKeys !== undefined)
    writeMessage(writer, 6, (keys) => writeSigningKeys(keys, signingKeys))
}

function writeSigningKeys(writer: BinaryWriter, { keys, threshold }: SigningKeys): void {
  for (const key of keys) writeMessage(writer, 1, (message) => writeKey(message, key))
  writeNumber(writer, 2, threshold)
}

function writeKey(writer: BinaryWriter, key: PartyKey): void {
  writeNumber(writer, 2, keyFormatNumbers[key.format])
  writer.tag(3, WireType.LengthDelimited).bytes(key.bytes)
  writer.tag(5, WireType.LengthDelimited).fork()
  for (const usage of key.usages) writer.int32(usages[usage])
  writer.join()
  writeNumber(writer, 6, keySpecNumbers[key.spec])
}

function writeNumber(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Varint).int32(value)
}

function writeMessage(
  writer: BinaryWriter,
  field: number,
  write: (writer: BinaryWriter) => void,
): void {
  writer.tag(field, WireType.LengthDelimited).fork()
  write(writer)
  writer.join()
}

function readWrapper(fields: Fields): Uint8Array {
  const version = fields.number(2)
  if (version !== VERSION) throw new MalformedMessage(`the version ${version} is not ${VERSION}`)
  return fields.bytes(1)
}

function readTransaction(fields: Fields): TopologyTransaction {
  const operation = named(operations, fields.number(1), 'operation')
  const serial = fields.number(2)
  const mapping = fields.message(3, readMapping)
  if (mapping === undefined) throw new MalformedMessage('there is no mapping')
  return { operation, serial, mapping }
}

function readMapping(fields: Fields): Mapping {
  const [mapping, other] = [
    fields.message(1, readNamespaceDelegation),
    fields.message(3, readDecentralizedNamespace),
    fields.message(9, readPartyToParticipant),
    fields.message(16, readPartyToKeyMapping),
  ].filter((one) => one !== undefined)
  if (mapping === undefined)
    throw new MalformedMessage('the mapping is of a kind that is not for onboarding a party')
  if (other !== undefined) throw new MalformedMessage('there is more than one mapping')
  return mapping
}

function readPartyToParticipant(fields: Fields): PartyToParticipant {
  return {
    kind: 'PartyToParticipant',
    party: fields.text(1),
    threshold: fields.number(2),
    participants: fields.messages(3, readHost),
    signingKeys: fields.message(6, (keys) => readSigningKeys(keys, 1, 2)),
  }
}

function readHost(fields: Fields): HostingParticipant {
  return {
    participantUid: fields.text(1),
    permission: named(permissions, fields.number(2), 'permission'),
  }
}

function readPartyToKeyMapping(fields: Fields): PartyToKeyMapping {
  return {
    kind: 'PartyToKeyMapping',
    party: fields.text(1),
    signingKeys: readSigningKeys(fields, 4, 3),
  }
}

function readSigningKeys(fields: Fields, keysField: number, thresholdField: number): SigningKeys {
  return {
    keys: fields.messages(keysField, readKey, MAX_KEYS),
    threshold: fields.number(thresholdField),
  }
}

/**
 * The older flag of a root delegation says the same as the restriction to nothing that took its
 * place.
 */
function readNamespaceDelegation(fields: Fields): NamespaceDelegation {
  const namespace = fields.text(1)
  const key = fields.message(2, readKey)
  if (key === undefined) throw new MalformedMessage('there is no target key')
  const rootFlag = fields.number(3) !== 0
  const unrestricted = fields.message(4, () => true) ?? false
  return { kind: 'NamespaceDelegation', namespace, key, canSignAll: rootFlag || unrestricted }
}

function readDecentralizedNamespace(fields: Fields): DecentralizedNamespaceDefinition {
  const kind = 'DecentralizedNamespaceDefinition'
  return { kind, namespace: fields.text(1), threshold: fields.number(2), owners: fields.texts(3) }
}

function readKey(fields: Fields): PartyKey {
  const format = named(keyFormatNumbers, fields.number(2), 'key format')
  const bytes = fields.bytes(3)
  const keyUsages = fields.numbers(5).map((number) => named(usages, number, 'key usage'))
  const key = signingKey(format, named(keySpecNumbers, fields.number(6), 'key spec'), bytes)
  if (typeof key === 'string') throw new MalformedMessage(key)
  return { ...key, usages: keyUsages }
}

function named<T extends string>(
  numbers: Readonly<Record<T, number>>,
  number: number,
  what: string,
): T {
  const name = nameOf(numbers, number)
  if (name === undefined) throw new MalformedMessage(`the ${what} ${number} is unknown`)
  return name
}
