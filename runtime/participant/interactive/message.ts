// A prepared transaction as the public message `PreparedTransaction` has it, and its bytes.
// docs/hashing.md §2
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { LedgerValue } from './ledger-value.ts'

/** Version of the language in nodes and transactions; clients hash it. */
export const LF_VERSION = '2.1'

export interface Identifier {
  readonly packageId: string
  readonly moduleName: string
  readonly entityName: string
}

/** A contract as its creation has it. */
export interface CreateMessage {
  readonly kind: 'create'
  readonly lfVersion: string
  readonly contractId: string
  readonly packageName: string
  readonly templateId: Identifier
  readonly argument: LedgerValue
  readonly signatories: readonly string[]
  readonly stakeholders: readonly string[]
}

export interface ExerciseMessage {
  readonly kind: 'exercise'
  readonly lfVersion: string
  readonly contractId: string
  readonly packageName: string
  readonly templateId: Identifier
  readonly signatories: readonly string[]
  readonly stakeholders: readonly string[]
  readonly actingParties: readonly string[]
  readonly interfaceId: Identifier | undefined
  readonly choiceId: string
  readonly chosenValue: LedgerValue
  readonly consuming: boolean
  /** Ids of the nodes that it caused, each after it. */
  readonly children: readonly string[]
  readonly exerciseResult: LedgerValue | undefined
  readonly choiceObservers: readonly string[]
}

export interface NodeMessage {
  readonly nodeId: string
  readonly node: CreateMessage | ExerciseMessage
}

export interface TransactionMessage {
  readonly version: string
  readonly roots: readonly string[]
  readonly nodes: readonly NodeMessage[]
  /** By the number that the node's id is. */
  readonly seeds: ReadonlyMap<number, Uint8Array>
}

/** Times are microseconds. */
export interface InputMessage {
  readonly create: CreateMessage
  readonly createdAt: bigint
  /** The contract as it is disclosed; not signed, and believed only where its id vouches for it. */
  readonly eventBlob: Uint8Array
}

export interface MetadataMessage {
  readonly actAs: readonly string[]
  readonly commandId: string
  readonly synchronizerId: string
  readonly mediatorGroup: number
  readonly transactionUuid: string
  readonly preparationTime: bigint
  readonly inputs: readonly InputMessage[]
  /** Both inclusive. */
  readonly minLedgerTime: bigint | undefined
  readonly maxLedgerTime: bigint | undefined
  readonly maxRecordTime: bigint
}

export interface PreparedMessage {
  readonly transaction: TransactionMessage
  readonly metadata: MetadataMessage
}

/** The bytes of the message. */
export function encodeMessage({ transaction, metadata }: PreparedMessage): Uint8Array {
  return message((writer) => {
    bytes(writer, 1, encodeTransaction(transaction))
    bytes(writer, 2, encodeMetadata(metadata))
  })
}

/** `<package>:<Module>:<Entity>` as a message has it. */
export function identifierOf(id: string): Identifier {
  const [packageId = '', moduleName = '', entityName = ''] = id.split(':')
  return { packageId, moduleName, entityName }
}

/** The text of an identifier. */
export function identifierText({ packageId, moduleName, entityName }: Identifier): string {
  return `${packageId}:${moduleName}:${entityName}`
}

function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter()
  write(writer)
  return writer.finish()
}

function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(value)
}

/** Left out where it is empty, as the format does it. */
function text(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value)
}

function texts(writer: BinaryWriter, field: number, values: readonly string[]): void {
  for (const value of values) writer.tag(field, WireType.LengthDelimited).string(value)
}

function time(writer: BinaryWriter, field: number, micros: bigint | undefined): void {
  if (micros !== undefined) writer.tag(field, WireType.Varint).uint64(micros)
}

function encodeTransaction({ version, roots, nodes, seeds }: TransactionMessage): Uint8Array {
  return message((writer) => {
    text(writer, 1, version)
    texts(writer, 2, roots)
    for (const node of nodes) bytes(writer, 3, encodeNode(node))
    for (const [node, seed] of seeds) {
      const entry = message((inner) => {
        if (node !== 0) inner.tag(1, WireType.Varint).int32(node)
        bytes(inner, 2, seed)
      })
      bytes(writer, 4, entry)
    }
  })
}

function encodeNode({ nodeId, node }: NodeMessage): Uint8Array {
  const versioned = message((writer) => {
    if (node.kind === 'create') bytes(writer, 1, encodeCreate(node))
    else bytes(writer, 3, encodeExercise(node))
  })
  return message((writer) => {
    text(writer, 1, nodeId)
    bytes(writer, 1_000, versioned)
  })
}

function encodeCreate(create: CreateMessage): Uint8Array {
  return message((writer) => {
    text(writer, 1, create.lfVersion)
    text(writer, 2, create.contractId)
    text(writer, 3, create.packageName)
    bytes(writer, 4, encodeIdentifier(create.templateId))
    bytes(writer, 5, encodeValue(create.argument))
    texts(writer, 6, create.signatories)
    texts(writer, 7, create.stakeholders)
  })
}

function encodeExercise(exercise: ExerciseMessage): Uint8Array {
  const { interfaceId, exerciseResult } = exercise
  return message((writer) => {
    text(writer, 1, exercise.lfVersion)
    text(writer, 2, exercise.contractId)
    text(writer, 3, exercise.packageName)
    bytes(writer, 4, encodeIdentifier(exercise.templateId))
    texts(writer, 5, exercise.signatories)
    texts(writer, 6, exercise.stakeholders)
    texts(writer, 7, exercise.actingParties)
    if (interfaceId !== undefined) bytes(writer, 8, encodeIdentifier(interfaceId))
    text(writer, 9, exercise.choiceId)
    bytes(writer, 10, encodeValue(exercise.chosenValue))
    if (exercise.consuming) writer.tag(11, WireType.Varint).bool(true)
    texts(writer, 12, exercise.children)
    if (exerciseResult !== undefined) bytes(writer, 13, encodeValue(exerciseResult))
    texts(writer, 14, exercise.choiceObservers)
  })
}

function encodeMetadata(metadata: MetadataMessage): Uint8Array {
  return message((writer) => {
    const submitter = message((inner) => {
      texts(inner, 1, metadata.actAs)
      text(inner, 2, metadata.commandId)
    })
    bytes(writer, 2, submitter)
    text(writer, 3, metadata.synchronizerId)
    if (metadata.mediatorGroup !== 0) writer.tag(4, WireType.Varint).uint32(metadata.mediatorGroup)
    text(writer, 5, metadata.transactionUuid)
    time(writer, 6, metadata.preparationTime)
    for (const input of metadata.inputs) bytes(writer, 7, encodeInput(input))
    time(writer, 9, metadata.minLedgerTime)
    time(writer, 10, metadata.maxLedgerTime)
    time(writer, 11, metadata.maxRecordTime)
  })
}

function encodeInput({ create, createdAt, eventBlob }: InputMessage): Uint8Array {
  return message((writer) => {
    bytes(writer, 1, encodeCreate(create))
    time(writer, 1_000, createdAt)
    bytes(writer, 1_002, eventBlob)
  })
}

function encodeIdentifier({ packageId, moduleName, entityName }: Identifier): Uint8Array {
  return message((writer) => {
    text(writer, 1, packageId)
    text(writer, 2, moduleName)
    text(writer, 3, entityName)
  })
}

function encodeValue(value: LedgerValue): Uint8Array {
  return message((writer) => writeValue(writer, value))
}

function writeValue(writer: BinaryWriter, value: LedgerValue): void {
  switch (value.kind) {
    case 'unit':
      return bytes(writer, 1, new Uint8Array())
    case 'bool':
      return void writer.tag(2, WireType.Varint).bool(value.value)
    case 'int64':
      return void writer.tag(3, WireType.Varint).sint64(value.value)
    case 'date':
      return void writer.tag(4, WireType.Varint).int32(value.value)
    case 'timestamp':
      return void writer.tag(5, WireType.Bit64).sfixed64(value.value)
    case 'numeric':
    case 'party':
    case 'text':
    case 'contractId':
      return void writer.tag(TEXTS[value.kind], WireType.LengthDelimited).string(value.value)
    case 'optional':
      return bytes(
        writer,
        10,
        message((inner) => {
          if (value.value !== undefined) bytes(inner, 1, encodeValue(value.value))
        }),
      )
    case 'list':
      return bytes(
        writer,
        11,
        message((inner) => {
          for (const element of value.elements) bytes(inner, 1, encodeValue(element))
        }),
      )
    case 'textMap':
      return bytes(
        writer,
        12,
        encodeEntries(value.entries, (inner, key) => text(inner, 1, key)),
      )
    case 'genMap':
      return bytes(
        writer,
        13,
        encodeEntries(value.entries, (inner, key) => bytes(inner, 1, encodeValue(key))),
      )
    case 'record':
      return bytes(
        writer,
        14,
        message((inner) => {
          for (const field of value.fields) bytes(inner, 2, encodeField(field))
        }),
      )
    case 'variant':
      return bytes(
        writer,
        15,
        message((inner) => {
          text(inner, 2, value.constructor)
          bytes(inner, 3, encodeValue(value.value))
        }),
      )
    case 'enum':
      return bytes(
        writer,
        16,
        message((inner) => text(inner, 2, value.constructor)),
      )
  }
}

const TEXTS = { numeric: 6, party: 7, text: 8, contractId: 9 } as const

function encodeField({ label, value }: { readonly label: string; readonly value: LedgerValue }) {
  return message((writer) => {
    text(writer, 1, label)
    bytes(writer, 2, encodeValue(value))
  })
}

function encodeEntries<K>(
  entries: readonly (readonly [K, LedgerValue])[],
  writeKey: (writer: BinaryWriter, key: K) => void,
): Uint8Array {
  return message((writer) => {
    for (const [key, value] of entries) {
      const entry = message((inner) => {
        writeKey(inner, key)
        bytes(inner, 2, encodeValue(value))
      })
      bytes(writer, 1, entry)
    }
  })
}
