// The hash of a prepared transaction as its public description has it (version 2), computed from
// the message's bytes: all kinds of nodes and values, also those that our service never makes.
// Shares no code with the service. docs/hashing.md
import { createHash } from 'node:crypto'
import { WireMessage } from './wire-message.ts'

const PURPOSE = Buffer.from('00000030', 'hex')
const SCHEME = Buffer.of(2)
const ENCODING = Buffer.of(1)

export interface PublicHashes {
  readonly transaction: Buffer
  readonly metadata: Buffer
  readonly prepared: Buffer
}

/** The signed hash, and the two hashes that it is made of. Throws for other bytes. */
export function publicHashes(bytes: Uint8Array): PublicHashes {
  const message = new WireMessage(bytes)
  const transaction = sha(PURPOSE, transactionBytes(given(message, 1)))
  const metadata = sha(PURPOSE, metadataBytes(given(message, 2)))
  return { transaction, metadata, prepared: sha(PURPOSE, SCHEME, transaction, metadata) }
}

/** Nodes and their seeds by the node's id. */
interface Nodes {
  readonly nodes: ReadonlyMap<string, WireMessage>
  readonly seeds: ReadonlyMap<string, Buffer>
}

/** The hash of one node of the transaction that the bytes are, with all below it. */
export function nodeHash(transaction: Uint8Array, id: string): Buffer {
  return hashNode(nodesOf(new WireMessage(transaction)), id)
}

/** The bytes of a value as they are hashed. */
export function valueBytes(value: WireMessage): Buffer {
  const [field] = value.fields
  const encoding = field === undefined ? undefined : VALUES.get(field[0])
  if (field === undefined || encoding === undefined) throw new RangeError('no such value')
  const [tag, write] = encoding
  return Buffer.concat([Buffer.of(tag), write(value, field[0])])
}

type Write = (value: WireMessage, field: number) => Buffer

const textIn: Write = (value, field) => text(value.text(field))
const VALUES: ReadonlyMap<number, readonly [number, Write]> = new Map([
  [1, [0, () => Buffer.of()]],
  [2, [1, (value, field) => flag(value.number(field))]],
  [3, [2, (value, field) => int64(unzigzag(value.number(field)))]],
  [4, [5, (value, field) => int32(value.number(field))]],
  [5, [4, (value, field) => int64(value.number(field))]],
  [6, [3, textIn]],
  [7, [6, textIn]],
  [8, [7, textIn]],
  [9, [8, (value, field) => block(Buffer.from(value.text(field), 'hex'))]],
  [10, [9, (value, field) => optional(given(value, field).message(1), valueBytes)]],
  [11, [10, (value, field) => list(given(value, field).messages(1), valueBytes)]],
  [12, [11, (value, field) => list(given(value, field).messages(1), entryBytes)]],
  [13, [15, (value, field) => list(given(value, field).messages(1), pairBytes)]],
  [14, [12, (value, field) => recordBytes(given(value, field))]],
  [15, [13, (value, field) => variantBytes(given(value, field))]],
  [16, [14, (value, field) => enumBytes(given(value, field))]],
])

function entryBytes(entry: WireMessage): Buffer {
  return Buffer.concat([text(entry.text(1)), valueBytes(given(entry, 2))])
}

function pairBytes(entry: WireMessage): Buffer {
  return Buffer.concat([valueBytes(given(entry, 1)), valueBytes(given(entry, 2))])
}

function recordBytes(record: WireMessage): Buffer {
  const member = (each: WireMessage): Buffer =>
    Buffer.concat([optional(each.text(1), text), valueBytes(given(each, 2))])
  return Buffer.concat([optional(record.message(1), identifier), list(record.messages(2), member)])
}

function variantBytes(variant: WireMessage): Buffer {
  return Buffer.concat([enumBytes(variant), valueBytes(given(variant, 3))])
}

function enumBytes(value: WireMessage): Buffer {
  return Buffer.concat([optional(value.message(1), identifier), text(value.text(2))])
}

function transactionBytes(transaction: WireMessage): Buffer {
  const nodes = nodesOf(transaction)
  const roots = list(transaction.texts(2), (id) => hashNode(nodes, id))
  return Buffer.concat([text(transaction.text(1)), roots])
}

function nodesOf(transaction: WireMessage): Nodes {
  return {
    nodes: new Map(
      transaction.messages(3).map((node) => [node.text(1), given(node, 1_000)] as const),
    ),
    seeds: new Map(
      transaction.messages(4).map((seed) => [String(seed.number(1)), seed.bytes(2)] as const),
    ),
  }
}

function hashNode(all: Nodes, id: string): Buffer {
  const node = all.nodes.get(id)
  const [kind] = node?.fields[0] ?? [0]
  const body = node?.message(kind)
  const write = NODES.get(kind)
  if (body === undefined || write === undefined) throw new RangeError(`no node ${id}`)
  return sha(ENCODING, write(body, all, id))
}

type WriteNode = (node: WireMessage, all: Nodes, id: string) => Buffer

const NODES: ReadonlyMap<number, WriteNode> = new Map([
  [1, (node, { seeds }, id) => createBytes(node, seeds.get(id))],
  [2, (node) => fetchBytes(node)],
  [3, exerciseBytes],
  [4, (node, all) => Buffer.concat([Buffer.of(3), childBytes(node.texts(1), all)])],
])

function createBytes(create: WireMessage, seed: Buffer | undefined): Buffer {
  return Buffer.concat([
    text(create.text(1)),
    Buffer.of(0),
    optional(seed, (bytes) => bytes),
    subject(create),
    valueBytes(given(create, 5)),
    list(create.texts(6), text),
    list(create.texts(7), text),
  ])
}

function fetchBytes(fetched: WireMessage): Buffer {
  return Buffer.concat([
    text(fetched.text(1)),
    Buffer.of(2),
    subject(fetched),
    list(fetched.texts(5), text),
    list(fetched.texts(6), text),
    optional(fetched.message(8), identifier),
    list(fetched.texts(7), text),
  ])
}

function exerciseBytes(exercise: WireMessage, all: Nodes, id: string): Buffer {
  const seed = all.seeds.get(id)
  if (seed === undefined) throw new RangeError(`the exercise ${id} has no seed`)
  return Buffer.concat([
    text(exercise.text(1)),
    Buffer.of(1),
    seed,
    subject(exercise),
    list(exercise.texts(5), text),
    list(exercise.texts(6), text),
    list(exercise.texts(7), text),
    optional(exercise.message(8), identifier),
    text(exercise.text(9)),
    valueBytes(given(exercise, 10)),
    flag(exercise.number(11)),
    optional(exercise.message(13), valueBytes),
    list(exercise.texts(14), text),
    childBytes(exercise.texts(12), all),
  ])
}

/** Contract, package and template of a node. */
function subject(node: WireMessage): Buffer {
  const contract = block(Buffer.from(node.text(2), 'hex'))
  return Buffer.concat([contract, text(node.text(3)), identifier(given(node, 4))])
}

function childBytes(children: readonly string[], all: Nodes): Buffer {
  return list(children, (id) => hashNode(all, id))
}

function metadataBytes(metadata: WireMessage): Buffer {
  const submitter = given(metadata, 2)
  const time = (field: number): Buffer =>
    optional(metadata.has(field) ? metadata.number(field) : undefined, int64)
  return Buffer.concat([
    ENCODING,
    list(submitter.texts(1), text),
    text(submitter.text(2)),
    text(metadata.text(5)),
    int32(metadata.number(4)),
    text(metadata.text(3)),
    time(9),
    time(10),
    int64(metadata.number(6)),
    list(metadata.messages(7), inputBytes),
  ])
}

/** A contract that is there already has no seed in this transaction. */
function inputBytes(input: WireMessage): Buffer {
  const hash = sha(ENCODING, createBytes(given(input, 1), undefined))
  return Buffer.concat([int64(input.number(1_000)), hash])
}

function identifier(id: WireMessage): Buffer {
  const names = (field: number): Buffer => list(id.text(field).split('.'), text)
  return Buffer.concat([text(id.text(1)), names(2), names(3)])
}

function given(message: WireMessage, field: number): WireMessage {
  const found = message.message(field)
  if (found === undefined) throw new RangeError(`field ${field} is missing`)
  return found
}

function text(value: string): Buffer {
  return block(Buffer.from(value))
}

function block(bytes: Buffer): Buffer {
  return Buffer.concat([int32(BigInt(bytes.length)), bytes])
}

function list<T>(items: readonly T[], write: (item: T) => Buffer): Buffer {
  return Buffer.concat([int32(BigInt(items.length)), ...items.map(write)])
}

function optional<T>(value: T | undefined, write: (value: T) => Buffer): Buffer {
  return value === undefined ? Buffer.of(0) : Buffer.concat([Buffer.of(1), write(value)])
}

function flag(value: bigint): Buffer {
  return Buffer.of(value === 0n ? 0 : 1)
}

function int32(value: bigint): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Number(BigInt.asIntN(32, value)))
  return bytes
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt.asIntN(64, value))
  return bytes
}

function unzigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n)
}

function sha(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}
