// A prepared transaction as the public message `PreparedTransaction` has it, and its bytes. They
// are read strictly: what this service would not have written is refused before anything is
// computed from it. docs/hashing.md §2
import { LAST_MICROS } from '../../engine/durations.ts'
import { MalformedMessage } from '../protobuf/fields.ts'
import {
  alone,
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
  oneOf,
  optional,
  repeated,
  required,
  sfixed64,
  sint64,
  text,
  uint64,
} from '../protobuf/kinds.ts'
import type { Kind, Of } from '../protobuf/kinds.ts'
import type { LedgerValue } from './ledger-value.ts'

/** Version of the language in nodes and transactions; clients hash it. */
export const LF_VERSION = '2.1'

/** The deepest nesting of values. */
const MAX_DEPTH = 400
const SEED_BYTES = 32
const HEX = /^(?:[0-9a-f]{2})+$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function fit<T>(kind: Kind<T>, isFit: (value: T) => boolean, problem: string): Kind<T> {
  return checked(kind, (value) => {
    if (!isFit(value)) throw new MalformedMessage(problem)
  })
}

const contractId = fit(text, (id) => HEX.test(id), 'a contract id is not hexadecimal')
const time = fit(uint64, (micros) => micros <= LAST_MICROS, 'a time is too late')
const name = implicit(text)
const names = repeated(text)

/** A value within another message, where it may not be too deep. */
const value: Kind<LedgerValue> = {
  wireType: text.wireType,
  decode: (wire, field, reading) => {
    if (reading.depth === MAX_DEPTH) throw new MalformedMessage('a value is too deep')
    reading.depth += 1
    const read = ledgerValue.decode(wire, field, reading)
    reading.depth -= 1
    return read
  },
  encode: (writer, given) => ledgerValue.encode(writer, given),
}

function held<K extends LedgerValue['kind'], T>(kind: K, of: Kind<T>) {
  return mapped(
    of,
    (given): { readonly kind: K; readonly value: T } => ({ kind, value: given }),
    (given) => given.value,
  )
}

const ledgerValue = oneOf<LedgerValue>(
  {
    unit: [1, held('unit', message({}))],
    bool: [2, held('bool', flag)],
    int64: [3, held('int64', sint64)],
    date: [4, held('date', int32)],
    timestamp: [5, held('timestamp', sfixed64)],
    numeric: [6, held('numeric', text)],
    party: [7, held('party', text)],
    text: [8, held('text', text)],
    contractId: [9, held('contractId', contractId)],
    optional: [10, held('optional', alone(1, optional(value)))],
    list: [11, held('list', alone(1, repeated(value)))],
    textMap: [
      12,
      held('textMap', alone(1, repeated(message({ key: [1, name], value: [2, required(value)] })))),
    ],
    genMap: [
      13,
      held(
        'genMap',
        alone(1, repeated(message({ key: [1, required(value)], value: [2, required(value)] }))),
      ),
    ],
    record: [
      14,
      held(
        'record',
        alone(2, repeated(message({ label: [1, name], value: [2, required(value)] }))),
      ),
    ],
    variant: [
      15,
      held('variant', message({ constructor: [2, name], value: [3, required(value)] })),
    ],
    enum: [16, held('enum', alone(2, name))],
  },
  'it has no value',
)

const identifier = message({ packageId: [1, name], moduleName: [2, name], entityName: [3, name] })

/** A contract as its creation has it. */
const create = message({
  kind: always('create'),
  lfVersion: [1, name],
  contractId: [2, implicit(contractId)],
  packageName: [3, name],
  templateId: [4, required(identifier)],
  argument: [5, required(value)],
  signatories: [6, names],
  stakeholders: [7, names],
})

const exercise = message({
  kind: always('exercise'),
  lfVersion: [1, name],
  contractId: [2, implicit(contractId)],
  packageName: [3, name],
  templateId: [4, required(identifier)],
  signatories: [5, names],
  stakeholders: [6, names],
  actingParties: [7, names],
  interfaceId: [8, optional(identifier)],
  choiceId: [9, name],
  chosenValue: [10, required(value)],
  consuming: [11, implicit(flag)],
  /** Ids of the nodes that it caused, each after it. */
  children: [12, names],
  exerciseResult: [13, optional(value)],
  choiceObservers: [14, names],
})

const node = message({
  nodeId: [1, name],
  node: [
    1_000,
    required(
      oneOf<Of<typeof create> | Of<typeof exercise>>(
        { create: [1, create], exercise: [3, exercise] },
        'it has no node',
      ),
    ),
  ],
})

const seed = message({
  /** The number that the node's id is. */
  node: [1, implicit(int32)],
  seed: [2, implicit(fit(bytes, ({ length }) => length === SEED_BYTES, 'a seed has not 32 bytes'))],
})

const transaction = fit(
  message({
    version: [1, name],
    roots: [2, names],
    nodes: [3, repeated(node)],
    seeds: [4, repeated(seed)],
  }),
  isInOrder,
  'its nodes are not in order',
)

/** Times are microseconds. */
const input = message({
  create: [1, required(create)],
  createdAt: [1_000, implicit(time)],
  /** The contract as it is disclosed; not signed, and believed only where its id vouches for it. */
  eventBlob: [1_002, implicit(bytes)],
})

const metadata = message({
  submitter: [2, required(message({ actAs: [1, names], commandId: [2, name] }))],
  synchronizerId: [3, name],
  mediatorGroup: [4, implicit(int32)],
  transactionUuid: [
    5,
    implicit(fit(text, (id) => UUID.test(id), 'transaction_uuid is not a UUID')),
  ],
  preparationTime: [6, implicit(time)],
  inputs: [7, repeated(input)],
  /** Both inclusive. */
  minLedgerTime: [9, optional(time)],
  maxLedgerTime: [10, optional(time)],
  maxRecordTime: [11, required(time)],
})

const prepared = message({
  transaction: [1, required(transaction)],
  metadata: [2, required(metadata)],
})

export type Identifier = Of<typeof identifier>
export type CreateMessage = Of<typeof create>
export type ExerciseMessage = Of<typeof exercise>
export type NodeMessage = Of<typeof node>
export type TransactionMessage = Of<typeof transaction>
export type InputMessage = Of<typeof input>
export type MetadataMessage = Of<typeof metadata>
export type PreparedMessage = Of<typeof prepared>

/** The bytes of the message. */
export function encodeMessage(given: PreparedMessage): Uint8Array {
  return encoded(prepared, given)
}

/** Message that the bytes are, or the text of the problem. Never throws. */
export function decodeMessage(given: Uint8Array): PreparedMessage | string {
  try {
    return decoded(prepared, given)
  } catch (error) {
    // The library throws other errors for bytes that are no message at all.
    if (error instanceof Error) return error.message
    throw error
  }
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

/** Whether nodes are numbered in pre-order, each once: a root or the child of one before it. */
function isInOrder({
  roots,
  nodes,
  seeds,
}: {
  readonly roots: readonly string[]
  readonly nodes: readonly NodeMessage[]
  readonly seeds: readonly Of<typeof seed>[]
}): boolean {
  const seeded = new Set(seeds.map((each) => each.node))
  const order = [...roots]
  for (const [at, { nodeId, node: each }] of nodes.entries()) {
    if (order.shift() !== nodeId || nodeId !== String(at) || !seeded.has(at)) return false
    if (each.kind === 'exercise') order.unshift(...each.children)
    if (order.length > nodes.length) return false
  }
  return order.length === 0 && seeds.length === nodes.length
}
