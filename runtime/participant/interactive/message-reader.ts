// Reads the public message `PreparedTransaction`, strictly: what this service would not have
// written is refused before anything is computed from it. docs/hashing.md §2
import { LAST_MICROS } from '../../engine/durations.ts'
import { MalformedMessage, readMessage } from '../topology/fields.ts'
import type { Fields } from '../topology/fields.ts'
import type { LedgerValue } from './ledger-value.ts'
import type {
  CreateMessage,
  ExerciseMessage,
  Identifier,
  InputMessage,
  MetadataMessage,
  NodeMessage,
  PreparedMessage,
  TransactionMessage,
} from './message.ts'

/** Of values within values. */
const MAX_DEPTH = 400
const SEED_BYTES = 32
const HEX = /^(?:[0-9a-f]{2})+$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the bytes say, or the text of the problem. Never throws. */
export function decodeMessage(bytes: Uint8Array): PreparedMessage | string {
  try {
    return readMessage(bytes, (fields) => ({
      transaction: fields.message(1, readTransaction) ?? missing('transaction'),
      metadata: fields.message(2, readMetadata) ?? missing('metadata'),
    }))
  } catch (error) {
    // The library throws other errors for bytes that are no message at all.
    if (error instanceof Error) return error.message
    throw error
  }
}

function readTransaction(fields: Fields): TransactionMessage {
  const transaction = {
    version: fields.text(1),
    roots: fields.texts(2),
    nodes: fields.messages(3, readNode),
    seeds: new Map(fields.messages(4, readSeed)),
  }
  checkTree(transaction)
  return transaction
}

/** Nodes are numbered in pre-order, each is there once: a root or the child of one before it. */
function checkTree({ roots, nodes, seeds }: TransactionMessage): void {
  const order = [...roots]
  for (const [at, { nodeId, node }] of nodes.entries()) {
    if (order.shift() !== nodeId || nodeId !== String(at) || !seeds.has(at))
      throw new MalformedMessage('its nodes are not in order')
    if (node.kind === 'exercise') order.unshift(...node.children)
    if (order.length > nodes.length) throw new MalformedMessage('its nodes are not in order')
  }
  if (order.length > 0 || seeds.size !== nodes.length)
    throw new MalformedMessage('its nodes are not in order')
}

function readSeed(fields: Fields): readonly [number, Uint8Array] {
  const [node, seed] = [fields.number(1), fields.bytes(2)]
  if (seed.length !== SEED_BYTES) throw new MalformedMessage('a seed has not 32 bytes')
  return [node, seed]
}

function readNode(fields: Fields): NodeMessage {
  const nodeId = fields.text(1)
  const node = fields.message(1_000, (inner) => {
    return inner.message(1, readCreate) ?? inner.message(3, readExercise) ?? missing('node')
  })
  return { nodeId, node: node ?? missing('node') }
}

function readCreate(fields: Fields): CreateMessage {
  return {
    kind: 'create',
    lfVersion: fields.text(1),
    contractId: hexText(fields.text(2)),
    packageName: fields.text(3),
    templateId: fields.message(4, readIdentifier) ?? missing('template'),
    argument: valueOf(fields, 5, 0) ?? missing('argument'),
    signatories: fields.texts(6),
    stakeholders: fields.texts(7),
  }
}

function readExercise(fields: Fields): ExerciseMessage {
  return {
    kind: 'exercise',
    lfVersion: fields.text(1),
    contractId: hexText(fields.text(2)),
    packageName: fields.text(3),
    templateId: fields.message(4, readIdentifier) ?? missing('template'),
    signatories: fields.texts(5),
    stakeholders: fields.texts(6),
    actingParties: fields.texts(7),
    interfaceId: fields.message(8, readIdentifier),
    choiceId: fields.text(9),
    chosenValue: valueOf(fields, 10, 0) ?? missing('argument'),
    consuming: fields.number(11) !== 0,
    children: fields.texts(12),
    exerciseResult: valueOf(fields, 13, 0),
    choiceObservers: fields.texts(14),
  }
}

function readMetadata(fields: Fields): MetadataMessage {
  const submitter = fields.message(2, (inner) => ({
    actAs: inner.texts(1),
    commandId: inner.text(2),
  }))
  return {
    ...(submitter ?? missing('submitter')),
    synchronizerId: fields.text(3),
    mediatorGroup: fields.number(4),
    transactionUuid: uuid(fields.text(5)),
    preparationTime: timeOf(fields, 6) ?? 0n,
    inputs: fields.messages(7, readInput),
    minLedgerTime: timeOf(fields, 9),
    maxLedgerTime: timeOf(fields, 10),
    maxRecordTime: timeOf(fields, 11) ?? missing('max_record_time'),
  }
}

function readInput(fields: Fields): InputMessage {
  return {
    create: fields.message(1, readCreate) ?? missing('contract'),
    createdAt: timeOf(fields, 1_000) ?? 0n,
    eventBlob: fields.bytes(1_002),
  }
}

function readIdentifier(fields: Fields): Identifier {
  return { packageId: fields.text(1), moduleName: fields.text(2), entityName: fields.text(3) }
}

function valueOf(fields: Fields, field: number, depth: number): LedgerValue | undefined {
  return fields.message(field, (inner) => readValue(inner, depth + 1))
}

function readValue(fields: Fields, depth: number): LedgerValue {
  if (depth > MAX_DEPTH) throw new MalformedMessage('a value is too deep')
  const [kind] = fields.numbersLeft()
  const read = kind === undefined ? undefined : READERS.get(kind)
  return read?.(fields, depth) ?? missing('value')
}

type Read = (fields: Fields, depth: number) => LedgerValue | undefined

/** By the number of the field that a value has. */
const READERS: ReadonlyMap<number, Read> = new Map<number, Read>([
  [1, (fields) => fields.message(1, () => ({ kind: 'unit' as const }))],
  [2, (fields) => ({ kind: 'bool', value: fields.number(2) !== 0 })],
  [3, (fields) => ({ kind: 'int64', value: fields.sint64(3) })],
  [5, (fields) => ({ kind: 'timestamp', value: fields.fixed64(5) })],
  [6, (fields) => ({ kind: 'numeric', value: fields.text(6) })],
  [7, (fields) => ({ kind: 'party', value: fields.text(7) })],
  [8, (fields) => ({ kind: 'text', value: fields.text(8) })],
  [9, (fields) => ({ kind: 'contractId', value: hexText(fields.text(9)) })],
  [10, (fields, depth) => fields.message(10, (inner) => readOptional(inner, depth))],
  [11, (fields, depth) => fields.message(11, (inner) => readList(inner, depth))],
  [12, (fields, depth) => fields.message(12, (inner) => readTextMap(inner, depth))],
  [13, (fields, depth) => fields.message(13, (inner) => readGenMap(inner, depth))],
  [14, (fields, depth) => fields.message(14, (inner) => readRecord(inner, depth))],
  [15, (fields, depth) => fields.message(15, (inner) => readVariant(inner, depth))],
  [
    16,
    (fields) =>
      fields.message(16, (inner) => ({ kind: 'enum' as const, constructor: inner.text(2) })),
  ],
])

function readOptional(fields: Fields, depth: number): LedgerValue {
  return { kind: 'optional', value: valueOf(fields, 1, depth) }
}

function readList(fields: Fields, depth: number): LedgerValue {
  return { kind: 'list', elements: fields.messages(1, (inner) => readValue(inner, depth + 1)) }
}

function readTextMap(fields: Fields, depth: number): LedgerValue {
  const entries = fields.messages(1, (inner) => {
    return [inner.text(1), valueOf(inner, 2, depth) ?? missing('value')] as const
  })
  return { kind: 'textMap', entries }
}

function readGenMap(fields: Fields, depth: number): LedgerValue {
  const entries = fields.messages(1, (inner) => {
    const key = valueOf(inner, 1, depth) ?? missing('key')
    return [key, valueOf(inner, 2, depth) ?? missing('value')] as const
  })
  return { kind: 'genMap', entries }
}

function readRecord(fields: Fields, depth: number): LedgerValue {
  const members = fields.messages(2, (inner) => ({
    label: inner.text(1),
    value: valueOf(inner, 2, depth) ?? missing('value'),
  }))
  return { kind: 'record', fields: members }
}

function readVariant(fields: Fields, depth: number): LedgerValue {
  const constructor = fields.text(2)
  return { kind: 'variant', constructor, value: valueOf(fields, 3, depth) ?? missing('value') }
}

function timeOf(fields: Fields, field: number): bigint | undefined {
  const micros = fields.uint64(field)
  if (micros !== undefined && micros > LAST_MICROS) throw new MalformedMessage('a time is too late')
  return micros
}

function hexText(text: string): string {
  if (!HEX.test(text)) throw new MalformedMessage('a contract id is not hexadecimal')
  return text
}

function uuid(text: string): string {
  if (!UUID.test(text)) throw new MalformedMessage('transaction_uuid is not a UUID')
  return text
}

function missing(what: string): never {
  throw new MalformedMessage(`it has no ${what}`)
}
