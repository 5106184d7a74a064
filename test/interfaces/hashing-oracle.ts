// A prepared transaction as docs/hashing.md tells it, read from that page alone: what it does, its
// hash, and the ids that follow from it. Shares no code with the service.
import { createHash } from 'node:crypto'
import { publicHashes } from './public-hash.ts'
import { WireMessage } from './wire-message.ts'

interface OracleNode {
  readonly kind: 'create' | 'exercise'
  readonly contractId: string
  readonly templateId: string
  /** Payload of a creation, argument of an exercise, in JSON form. */
  readonly value: unknown
  readonly choice?: string
}

interface OracleReading {
  readonly hash: Uint8Array
  readonly updateId: string
  readonly parties: readonly string[]
  readonly commandId: string
  /** Microseconds; it cannot be recorded from then on. */
  readonly before: bigint
  readonly inputs: readonly string[]
  readonly nodes: readonly OracleNode[]
  /**
   * Ids of created contracts and of inputs as their contents make them, in the order of nodes and
   * inputs.
   */
  readonly recomputed: { readonly created: readonly string[]; readonly inputs: readonly string[] }
}

const hex = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const text = (value: string): Buffer =>
  Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)])

/** Reads `preparedTransaction` and computes what is to be signed. */
export function readPrepared(base64: string): OracleReading {
  const bytes = Buffer.from(base64, 'base64')
  const message = new WireMessage(bytes)
  const [transaction, metadata] = [part(message, 1), part(message, 2)]
  const seed = seedOf(metadata)
  const time = metadata.number(6)
  const nodes = transaction.messages(3).map((node) => part(part(node, 1_000), 1, 3))
  const isCreate = transaction.messages(3).map((node) => part(node, 1_000).has(1))
  return {
    hash: publicHashes(bytes).prepared,
    updateId: `1220${timeHex(time)}${hex(seed).slice(0, 56)}`,
    parties: part(metadata, 2).texts(1),
    commandId: part(metadata, 2).text(2),
    before: (metadata.has(10) ? metadata.number(10) : metadata.number(11)) + 1n,
    inputs: metadata.messages(7).map((input) => part(input, 1).text(2)),
    nodes: nodes.map((node, at) => readNode(node, isCreate[at] === true)),
    recomputed: {
      created: nodes.flatMap((node, at) =>
        isCreate[at] === true ? [createdId(node, hex(`${seed}/${at}`), time)] : [],
      ),
      inputs: metadata.messages(7).map((input) => inputId(input.text(1_002))),
    },
  }
}

/** The seed in hexadecimal. */
function seedOf(metadata: WireMessage): string {
  const submitter = part(metadata, 2)
  const expiry = Buffer.alloc(8)
  expiry.writeBigInt64BE(metadata.number(11) + 1n)
  const parties = submitter.texts(1)
  return hex(
    Buffer.from('0000003082', 'hex'),
    int32(parties.length),
    ...parties.map(text),
    text(submitter.text(2)),
    text(metadata.text(5)),
    expiry,
  )
}

function readNode(node: WireMessage, isCreate: boolean): OracleNode {
  const of = { contractId: node.text(2), templateId: idText(part(node, 4)) }
  if (isCreate) return { kind: 'create', ...of, value: json(part(node, 5)) }
  return { kind: 'exercise', ...of, value: json(part(node, 10)), choice: node.text(9) }
}

function createdId(create: WireMessage, nodeSeed: string, time: bigint): string {
  const signatories = create.texts(6)
  const observers = create.texts(7).filter((party) => !signatories.includes(party))
  const unique = timeHex(time) + nodeSeed.slice(0, 24)
  const parts = [unique, idText(part(create, 4)), create.text(3), signatories, observers, `${time}`]
  return idOf(unique, parts, JSON.stringify(json(part(create, 5))))
}

/** Eight digits with which ids begin. */
function timeHex(time: bigint): string {
  const units = Number((time / 65_536n) % 4_294_967_296n)
  return units.toString(16).padStart(8, '0')
}

function inputId(blob: string): string {
  const [id, template, name, payload, signatories, observers, time] = JSON.parse(blob)
  const unique = String(id).slice(2, 34)
  return idOf(unique, [unique, template, name, signatories, observers, time], payload)
}

function idOf(unique: string, parts: readonly unknown[], payload: string): string {
  return `00${unique}${hex(JSON.stringify(parts), payload)}`
}

function idText(id: WireMessage): string {
  return [id.text(1), id.text(2), id.text(3)].join(':')
}

/** A value in the ledger's JSON form. */
function json(value: WireMessage): unknown {
  const [field = 0] = value.fields[0] ?? []
  const held = (): WireMessage => part(value, field)
  const pairs = (): readonly WireMessage[] => held().messages(1)
  switch (field) {
    case 1:
      return {}
    case 2:
      return value.number(2) !== 0n
    case 3:
      return String((value.number(3) >> 1n) ^ -(value.number(3) & 1n))
    case 5:
      return timeText(value.number(5))
    case 10:
      return held().has(1) ? json(part(held(), 1)) : null
    case 11:
      return held().messages(1).map(json)
    case 12:
      return Object.fromEntries(pairs().map((pair) => [pair.text(1), json(part(pair, 2))]))
    case 13:
      return pairs().map((pair) => [json(part(pair, 1)), json(part(pair, 2))])
    case 14:
      return Object.fromEntries(
        held()
          .messages(2)
          .map((member) => [member.text(1), json(part(member, 2))]),
      )
    case 15:
      return { tag: held().text(2), value: json(part(held(), 3)) }
    case 16:
      return held().text(2)
    default:
      return value.text(field)
  }
}

function timeText(micros: bigint): string {
  const whole = new Date(Number(micros / 1_000n)).toISOString()
  const rest = String(micros % 1_000n).padStart(3, '0')
  return whole.replace('Z', `${rest}Z`)
}

/** The first of the fields that is there. */
function part(message: WireMessage, ...fields: readonly number[]): WireMessage {
  for (const field of fields) {
    const found = message.message(field)
    if (found !== undefined) return found
  }
  throw new RangeError(`field ${fields.join(' or ')} is missing`)
}
