// Lists as PostgreSQL's binary arrays. As text every quote of a JSON text would be escaped here and
// unescaped there, which costs more than all else that a commit does with its texts.
import type { BulkValue } from './database.ts'
import type { WireType } from './tables.ts'

/** The type that the elements travel as, as the server numbers it. A `numeric` travels as text. */
const TYPES: Readonly<Record<WireType, number>> = {
  bigint: 20,
  int4: 23,
  text: 25,
  numeric: 25,
  boolean: 16,
  bytea: 17,
}

const HEADER_BYTES = 20
const EMPTY_BYTES = 12
const LENGTH_BYTES = 4

/** One dimension, no nulls. Throws a TypeError where a value is not of the type. */
export function binaryArray(type: WireType, values: readonly BulkValue[]): Buffer {
  if (values.length === 0) return header(Buffer.alloc(EMPTY_BYTES), type)
  return type === 'bigint' || type === 'int4' ? numbers(type, values) : texts(type, values)
}

function numbers(type: 'bigint' | 'int4', values: readonly BulkValue[]): Buffer {
  const size = type === 'bigint' ? 8 : 4
  const bytes = header(
    Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + size)),
    type,
    values.length,
  )
  let at = HEADER_BYTES
  for (const value of values) {
    at = bytes.writeInt32BE(size, at)
    at =
      size === 8 ? bytes.writeBigInt64BE(BigInt(value), at) : bytes.writeInt32BE(Number(value), at)
  }
  return bytes
}

function texts(type: WireType, values: readonly BulkValue[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(textOf(value)))
  const size = lengths.reduce(
    (sum, length) => sum + length,
    HEADER_BYTES + values.length * LENGTH_BYTES,
  )
  const bytes = header(Buffer.allocUnsafe(size), type, values.length)
  let at = HEADER_BYTES
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? 0, at)
    at += bytes.write(textOf(value), at)
  }
  return bytes
}

function textOf(value: BulkValue): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${value} is not text`)
}

/** Number of dimensions, no nulls, type of the elements; then how many they are, counted from 1. */
function header(bytes: Buffer, type: WireType, length = 0): Buffer {
  let at = bytes.writeInt32BE(length === 0 ? 0 : 1)
  at = bytes.writeInt32BE(0, at)
  at = bytes.writeInt32BE(TYPES[type], at)
  if (length > 0) bytes.writeInt32BE(1, bytes.writeInt32BE(length, at))
  return bytes
}
