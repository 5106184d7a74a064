// Strict reading of protobuf messages: each field must be known, of the expected type and, unless
// it is a list, present once. A field that a reader ignores may matter to a signer. Problems are
// thrown, and caught where the whole message is read.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Why bytes are not the message that they should be. */
export class MalformedMessage extends Error {}

const MAX_INT32 = 0x7fff_ffffn
/** Of a message with all within it: several times what 500 nodes need. */
const MAX_FIELDS = 200_000
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Value = bigint | Uint8Array

/** How many more fields a message and those within it may have: reading them takes one turn. */
interface Budget {
  fields: number
}

/** The fields of one message, taken by number; `done` refuses what is left. */
export class Fields {
  readonly #values = new Map<number, Value[]>()
  readonly #budget: Budget

  constructor(bytes: Uint8Array, budget: Budget) {
    this.#budget = budget
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      budget.fields -= 1
      if (budget.fields < 0) throw new MalformedMessage('it has too many fields')
      const [number, wireType] = reader.tag()
      const value = readValue(reader, number, wireType)
      const values = this.#values.get(number)
      if (values === undefined) this.#values.set(number, [value])
      else values.push(value)
    }
  }

  /** A non-negative int32; absent is 0. */
  number(field: number): number {
    return smallNumber(this.uint64(field) ?? 0n, field)
  }

  uint64(field: number): bigint | undefined {
    const [value] = this.#take(field, 1)
    if (value instanceof Uint8Array) throw new MalformedMessage(`field ${field} is not a number`)
    return value
  }

  /** Signed, in the form that has small numbers short; absent is 0. */
  sint64(field: number): bigint {
    const value = this.uint64(field) ?? 0n
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
  }

  /** Signed, of eight bytes; absent is 0. */
  fixed64(field: number): bigint {
    return BigInt.asIntN(64, this.uint64(field) ?? 0n)
  }

  /** Numbers of the fields that have not been taken. */
  numbersLeft(): readonly number[] {
    return [...this.#values.keys()]
  }

  bytes(field: number): Uint8Array {
    return this.bytesList(field, 1)[0] ?? new Uint8Array()
  }

  text(field: number): string {
    return this.texts(field, 1)[0] ?? ''
  }

  texts(field: number, max?: number): string[] {
    return this.bytesList(field, max).map(readText)
  }

  /** Numbers, packed or not. */
  numbers(field: number): number[] {
    return this.#take(field).flatMap((value) =>
      typeof value === 'bigint' ? [smallNumber(value, field)] : unpack(value, field),
    )
  }

  message<T>(field: number, read: (fields: Fields) => T): T | undefined {
    return this.messages(field, read, 1)[0]
  }

  messages<T>(field: number, read: (fields: Fields) => T, max?: number): T[] {
    return this.bytesList(field, max).map((bytes) => readMessage(bytes, read, this.#budget))
  }

  bytesList(field: number, max?: number): Uint8Array[] {
    return this.#take(field, max).map((value) => {
      if (typeof value === 'bigint') throw new MalformedMessage(`field ${field} is a number`)
      return value
    })
  }

  done(): void {
    const [field] = this.#values.keys()
    if (field !== undefined) throw new MalformedMessage(`field ${field} is unknown`)
  }

  #take(field: number, max = Infinity): Value[] {
    const values = this.#values.get(field) ?? []
    this.#values.delete(field)
    if (values.length > max) throw new MalformedMessage(`field ${field} is there too often`)
    return values
  }
}

/** Reads a whole message; throws for what is not one. */
export function readMessage<T>(
  bytes: Uint8Array,
  read: (fields: Fields) => T,
  budget: Budget = { fields: MAX_FIELDS },
): T {
  const fields = new Fields(bytes, budget)
  const message = read(fields)
  fields.done()
  return message
}

/** No id and no stored text can have a NUL. */
function readText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  if (text.includes('\0')) throw new MalformedMessage('a text has a NUL')
  return text
}

function readValue(reader: BinaryReader, field: number, wireType: WireType): Value {
  if (wireType === WireType.LengthDelimited) return reader.bytes()
  if (wireType === WireType.Varint) return BigInt(reader.uint64())
  if (wireType === WireType.Bit64) return BigInt(reader.fixed64())
  throw new MalformedMessage(`field ${field} has a type that no message here uses`)
}

function smallNumber(value: bigint, field: number): number {
  if (value > MAX_INT32) throw new MalformedMessage(`field ${field} is out of range`)
  return Number(value)
}

function unpack(bytes: Uint8Array, field: number): number[] {
  const reader = new BinaryReader(bytes)
  const numbers: number[] = []
  while (reader.pos < reader.len) numbers.push(smallNumber(BigInt(reader.uint64()), field))
  return numbers
}
