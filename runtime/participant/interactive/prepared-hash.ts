// What is signed of a prepared transaction: the public scheme, version 2; and the seed that its
// contracts come from, which is ours. docs/hashing.md §3, §4
import { createHash } from 'node:crypto'
import { purposes } from '../topology/hashing.ts'
import { ByteWriter } from './binary.ts'
import type { LedgerValue } from './ledger-value.ts'
import type {
  CreateMessage,
  ExerciseMessage,
  Identifier,
  InputMessage,
  MetadataMessage,
  PreparedMessage,
  TransactionMessage,
} from './message.ts'

const SCHEME = 2
const NODE_ENCODING = 1
const METADATA_ENCODING = 1
const CREATE = 0
const EXERCISE = 1
/** The purpose of the seed; the highest bit keeps it apart from versions of the scheme. */
const SEED = 0x82

/** Hashes on the way to the hash that is signed; each 32 bytes. */
export interface PreparedHashes {
  readonly transaction: Uint8Array
  readonly metadata: Uint8Array
  readonly prepared: Uint8Array
}

/** Each node once: a child stands after its parent, so there is no circle. */
export function hashPrepared({ transaction, metadata }: PreparedMessage): PreparedHashes {
  const hashes = {
    transaction: digest(new ByteWriter(), (writer) => writeTransaction(writer, transaction)),
    metadata: digest(new ByteWriter(), (writer) => writeMetadata(writer, metadata)),
  }
  const prepared = digest(new ByteWriter(), (writer) =>
    writer.byte(SCHEME).raw(hashes.transaction).raw(hashes.metadata),
  )
  return { ...hashes, prepared }
}

/** Facts that follow from a command alone, so that bytes cannot contain another command's seed. */
export interface SeedSource {
  readonly actAs: readonly string[]
  readonly commandId: string
  readonly transactionUuid: string
  /** Microseconds. */
  readonly expiresAt: bigint
}

/** The seed of the transaction. */
export function seedOf({ actAs, commandId, transactionUuid, expiresAt }: SeedSource): Uint8Array {
  return digest(new ByteWriter(), (writer) =>
    writer.byte(SEED).texts(actAs).text(commandId).text(transactionUuid).int64(expiresAt),
  )
}

/** A node's contribution to the hash: its contract's id has the first half of it. */
export function nodeSeed(seed: Uint8Array, node: number): Uint8Array {
  return sha256(Buffer.from(`${Buffer.from(seed).toString('hex')}/${node}`))
}

function writeTransaction(
  writer: ByteWriter,
  { version, roots, nodes, seeds }: TransactionMessage,
): void {
  const hashes = new Map<string, Uint8Array>()
  const seedOfNode = new Map(seeds.map(({ node, seed }) => [String(node), seed]))
  for (const { nodeId, node } of nodes.toReversed()) {
    const inner = new ByteWriter()
    const seed = seedOfNode.get(nodeId)
    if (node.kind === 'create') writeCreate(inner, node, seed)
    else writeExercise(inner, node, seed, hashes)
    hashes.set(nodeId, sha256(inner.finish()))
  }
  writer.text(version).list(roots, (id) => writer.raw(hashes.get(id) ?? new Uint8Array()))
}

function writeCreate(
  writer: ByteWriter,
  create: CreateMessage,
  seed: Uint8Array | undefined,
): ByteWriter {
  writer
    .byte(NODE_ENCODING)
    .text(create.lfVersion)
    .byte(CREATE)
    .optional(seed, (bytes) => writer.raw(bytes))
    .bytes(Buffer.from(create.contractId, 'hex'))
    .text(create.packageName)
  writeIdentifier(writer, create.templateId)
  writeValue(writer, create.argument)
  return writer.texts(create.signatories).texts(create.stakeholders)
}

function writeExercise(
  writer: ByteWriter,
  exercise: ExerciseMessage,
  seed: Uint8Array = new Uint8Array(),
  hashes: ReadonlyMap<string, Uint8Array>,
): void {
  writer
    .byte(NODE_ENCODING)
    .text(exercise.lfVersion)
    .byte(EXERCISE)
    .raw(seed)
    .bytes(Buffer.from(exercise.contractId, 'hex'))
    .text(exercise.packageName)
  writeIdentifier(writer, exercise.templateId)
  writer
    .texts(exercise.signatories)
    .texts(exercise.stakeholders)
    .texts(exercise.actingParties)
    .optional(exercise.interfaceId, (id) => writeIdentifier(writer, id))
    .text(exercise.choiceId)
  writeValue(writer, exercise.chosenValue)
  writer
    .byte(exercise.consuming ? 1 : 0)
    .optional(exercise.exerciseResult, (result) => writeValue(writer, result))
    .texts(exercise.choiceObservers)
    .list(exercise.children, (id) => writer.raw(hashes.get(id) ?? new Uint8Array()))
}

function writeMetadata(writer: ByteWriter, metadata: MetadataMessage): void {
  writer
    .byte(METADATA_ENCODING)
    .texts(metadata.submitter.actAs)
    .text(metadata.submitter.commandId)
    .text(metadata.transactionUuid)
    .int32(metadata.mediatorGroup)
    .text(metadata.synchronizerId)
    .optional(metadata.minLedgerTime, (time) => writer.int64(time))
    .optional(metadata.maxLedgerTime, (time) => writer.int64(time))
    .int64(metadata.preparationTime)
    .list(metadata.inputs, (input) => writeInput(writer, input))
}

/** Not of this transaction, so it has no seed here. */
function writeInput(writer: ByteWriter, { create, createdAt }: InputMessage): void {
  const inner = writeCreate(new ByteWriter(), create, undefined)
  writer.int64(createdAt).raw(sha256(inner.finish()))
}

function writeIdentifier(
  writer: ByteWriter,
  { packageId, moduleName, entityName }: Identifier,
): void {
  writer.text(packageId).texts(moduleName.split('.')).texts(entityName.split('.'))
}

function writeValue(writer: ByteWriter, value: LedgerValue): void {
  writer.byte(TAGS[value.kind])
  switch (value.kind) {
    case 'unit':
      return
    case 'bool':
      return void writer.byte(value.value ? 1 : 0)
    case 'int64':
    case 'timestamp':
      return void writer.int64(value.value)
    case 'date':
      return void writer.int32(value.value)
    case 'numeric':
    case 'party':
    case 'text':
      return void writer.text(value.value)
    case 'contractId':
      return void writer.bytes(Buffer.from(value.value, 'hex'))
    case 'optional':
      return void writer.optional(value.value, (held) => writeValue(writer, held))
    case 'list':
      return void writer.list(value.value, (element) => writeValue(writer, element))
    case 'textMap':
      return void writer.list(value.value, (entry) =>
        writeValue(writer.text(entry.key), entry.value),
      )
    case 'genMap':
      return void writer.list(value.value, (entry) => {
        writeValue(writer, entry.key)
        writeValue(writer, entry.value)
      })
    case 'record':
      writer.byte(ABSENT)
      return void writer.list(value.value, ({ label, value: held }) =>
        writeValue(writer.byte(PRESENT).text(label), held),
      )
    case 'variant':
      return writeValue(writer.byte(ABSENT).text(value.value.constructor), value.value.value)
    case 'enum':
      return void writer.byte(ABSENT).text(value.value)
  }
}

/** The id of a value's type, which is left out here; the label of a member, which is not. */
const ABSENT = 0
const PRESENT = 1
const TAGS: Readonly<Record<LedgerValue['kind'], number>> = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  date: 5,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  textMap: 11,
  record: 12,
  variant: 13,
  enum: 14,
  genMap: 15,
}

function digest(writer: ByteWriter, write: (writer: ByteWriter) => void): Uint8Array {
  write(writer.int32(purposes.preparedSubmission))
  return sha256(writer.finish())
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
