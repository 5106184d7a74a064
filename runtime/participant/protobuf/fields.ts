// Strict reading of protobuf messages: each field must be known, of the expected type and, unless
// it is a list, present once. A field that a reader ignores may matter to a signer. Problems are
// thrown, and caught where the whole message is read.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Bytes that are not the message that they should be. */
export class MalformedMessage extends Error {}

/** Most fields of a message with all within it: several times what 500 nodes need. */
const MAX_FIELDS = 200_000

/** A value as it stands in the bytes: a number, or what has a length. */
export type Wire = bigint | Uint8Array

/** Progress in a message; reading one with all within it takes one turn. */
export interface Reading {
  /** Number of fields that it and those within it may still have. */
  fields: number
  /** Values that are open around the one that is read. */
  depth: number
}

/** The beginning of a message. */
export function newReading(): Reading {
  return { fields: MAX_FIELDS, depth: 0 }
}

/** The fields of one message, taken by number; `done` refuses what is left. */
export class Fields {
  readonly #values = new Map<number, Wire[]>()

  constructor(bytes: Uint8Array, reading: Reading) {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      reading.fields -= 1
      if (reading.fields < 0) throw new MalformedMessage('it has too many fields')
      const [number, wireType] = reader.tag()
      const value = readValue(reader, number, wireType)
      const values = this.#values.get(number)
      if (values === undefined) this.#values.set(number, [value])
      else values.push(value)
    }
  }

  /** Values of a field in their order. */
  take(field: number, max = Infinity): readonly Wire[] {
    const values = this.#values.get(field) ?? []
    this.#values.delete(field)
    if (values.length > max) throw new MalformedMessage(`field ${field} is there too often`)
    return values
  }

  /** The first of the fields that has not been taken. */
  get next(): number | undefined {
    const [field] = this.#values.keys()
    return field
  }

  done(): void {
    if (this.next !== undefined) throw new MalformedMessage(`field ${this.next} is unknown`)
  }
}

function readValue(reader: BinaryReader, field: number, wireType: WireType): Wire {
  if (wireType === WireType.LengthDelimited) return reader.bytes()
  if (wireType === WireType.Varint) return BigInt(reader.uint64())
  if (wireType === WireType.Bit64) return BigInt(reader.fixed64())
  throw new MalformedMessage(`field ${field} has a type that no message here uses`)
}
