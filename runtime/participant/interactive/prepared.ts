// A prepared transaction as bytes: all that its signers have to know, and all that its execution
// takes. docs/hashing.md §2
import type { LedgerEvent } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import { ByteReader, ByteWriter, MalformedBytes } from './binary.ts'

const FORMAT = 1
export const NONCE_BYTES = 32
const CREATE = 0
const EXERCISE = 1

/** Times are microseconds. */
export interface PreparedMetadata {
  readonly synchronizerId: string
  /** Sorted by UTF-8 bytes, each once. */
  readonly actAs: readonly string[]
  readonly userId: string
  readonly commandId: string
  readonly workflowId: string
  /** 32 bytes that nobody could guess. */
  readonly nonce: Uint8Array
  readonly effectiveAt: bigint
  readonly notBefore: bigint | undefined
  /** Of choices and of the expiry, the earlier. */
  readonly before: bigint
  readonly expiresAt: bigint
  /** By contract id. */
  readonly inputs: readonly PreparedInput[]
}

/** A contract that is used or archived. */
interface PreparedInput {
  readonly contractId: string
  /** As it is disclosed: JSON text, which is a created-event blob without its base64. */
  readonly disclosed: string
}

interface PreparedCreate extends Pick<
  ContractRecord,
  'contractId' | 'templateId' | 'packageName' | 'payload' | 'signatories' | 'observers'
> {
  readonly kind: 'create'
}

export interface PreparedExercise {
  readonly kind: 'exercise'
  readonly contractId: string
  readonly templateId: string
  readonly packageName: string
  readonly interfaceId: string | undefined
  readonly choice: string
  /** JSON text. */
  readonly argument: string
  /** JSON text. */
  readonly result: string
  readonly consuming: boolean
  readonly actingParties: readonly string[]
  readonly lastDescendant: number
}

export type PreparedNode = PreparedCreate | PreparedExercise

export interface PreparedTransaction {
  readonly metadata: PreparedMetadata
  /** In pre-order; a node's number is its place. */
  readonly nodes: readonly PreparedNode[]
}

/** The two parts that are hashed, each by itself. */
export interface PreparedParts {
  readonly metadata: Uint8Array
  readonly transaction: Uint8Array
}

export function encodeParts({ metadata, nodes }: PreparedTransaction): PreparedParts {
  return { metadata: encodeMetadata(metadata), transaction: encodeNodes(nodes) }
}

/** The bytes that are handed out: a format byte and the two parts, each after its length. */
export function encodePrepared({ metadata, transaction }: PreparedParts): Uint8Array {
  return new ByteWriter().byte(FORMAT).bytes(metadata).bytes(transaction).finish()
}

/**
 * What the bytes say and the parts that they are made of, or the text of the problem. Never throws.
 */
export function decodePrepared(
  bytes: Uint8Array,
): (PreparedTransaction & { readonly parts: PreparedParts }) | string {
  try {
    const reader = new ByteReader(bytes)
    const format = reader.byte()
    if (format !== FORMAT) throw new MalformedBytes(`the format ${format} is not ${FORMAT}`)
    const parts = { metadata: reader.bytes(), transaction: reader.bytes() }
    reader.end()
    return {
      metadata: whole(parts.metadata, readMetadata),
      nodes: whole(parts.transaction, readNodes),
      parts,
    }
  } catch (error) {
    if (error instanceof MalformedBytes) return error.message
    throw error
  }
}

/** The node as it is signed. */
export function nodeOf(event: LedgerEvent): PreparedNode {
  if (event.kind === 'create') {
    const { contractId, templateId, packageName, payload, signatories, observers } = event.contract
    return { kind: 'create', contractId, templateId, packageName, payload, signatories, observers }
  }
  const {
    contractId,
    templateId,
    packageName,
    interfaceId,
    choice,
    consuming,
    actingParties,
    lastDescendant,
  } = event
  const [argument, result] = [JSON.stringify(event.argument), JSON.stringify(event.result)]
  return {
    kind: 'exercise',
    contractId,
    templateId,
    packageName,
    interfaceId,
    choice,
    argument,
    result,
    consuming,
    actingParties,
    lastDescendant,
  }
}

function whole<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T {
  const reader = new ByteReader(bytes)
  const value = read(reader)
  reader.end()
  return value
}

function encodeMetadata(metadata: PreparedMetadata): Uint8Array {
  const writer = new ByteWriter()
  return writer
    .text(metadata.synchronizerId)
    .texts(metadata.actAs)
    .text(metadata.userId)
    .text(metadata.commandId)
    .text(metadata.workflowId)
    .raw(metadata.nonce)
    .int64(metadata.effectiveAt)
    .optional(metadata.notBefore, (time) => writer.int64(time))
    .int64(metadata.before)
    .int64(metadata.expiresAt)
    .list(metadata.inputs, ({ contractId, disclosed }) => writer.text(contractId).text(disclosed))
    .finish()
}

function readMetadata(reader: ByteReader): PreparedMetadata {
  return {
    synchronizerId: reader.text(),
    actAs: reader.texts(),
    userId: reader.text(),
    commandId: reader.text(),
    workflowId: reader.text(),
    nonce: reader.raw(NONCE_BYTES),
    effectiveAt: reader.int64(),
    notBefore: reader.optional(() => reader.int64()),
    before: reader.int64(),
    expiresAt: reader.int64(),
    inputs: reader.list(() => ({ contractId: reader.text(), disclosed: reader.text() })),
  }
}

function encodeNodes(nodes: readonly PreparedNode[]): Uint8Array {
  const writer = new ByteWriter()
  return writer
    .list(nodes, (node) =>
      node.kind === 'create' ? writeCreate(writer, node) : writeExercise(writer, node),
    )
    .finish()
}

function writeCreate(writer: ByteWriter, node: PreparedCreate): void {
  writer
    .byte(CREATE)
    .text(node.contractId)
    .text(node.templateId)
    .text(node.packageName)
    .text(node.payload)
    .texts(node.signatories)
    .texts(node.observers)
}

function writeExercise(writer: ByteWriter, node: PreparedExercise): void {
  writer
    .byte(EXERCISE)
    .text(node.contractId)
    .text(node.templateId)
    .text(node.packageName)
    .optional(node.interfaceId, (id) => writer.text(id))
    .text(node.choice)
    .text(node.argument)
    .text(node.result)
    .byte(node.consuming ? 1 : 0)
    .texts(node.actingParties)
    .int32(node.lastDescendant)
}

function readNodes(reader: ByteReader): readonly PreparedNode[] {
  return reader.list(() => {
    const kind = reader.byte()
    if (kind > EXERCISE) throw new MalformedBytes(`${kind} is no kind of node`)
    return kind === CREATE ? readCreate(reader) : readExercise(reader)
  })
}

function readCreate(reader: ByteReader): PreparedCreate {
  return {
    kind: 'create',
    contractId: reader.text(),
    templateId: reader.text(),
    packageName: reader.text(),
    payload: reader.text(),
    signatories: reader.texts(),
    observers: reader.texts(),
  }
}

function readExercise(reader: ByteReader): PreparedExercise {
  return {
    kind: 'exercise',
    contractId: reader.text(),
    templateId: reader.text(),
    packageName: reader.text(),
    interfaceId: reader.optional(() => reader.text()),
    choice: reader.text(),
    argument: reader.text(),
    result: reader.text(),
    consuming: reader.flag(),
    actingParties: reader.texts(),
    lastDescendant: reader.int32(),
  }
}
