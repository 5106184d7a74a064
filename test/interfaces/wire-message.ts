// A protobuf message as its wire format has it, fields by number, without any schema: for the
// independent reading of prepared transactions and for bytes that the service would not write.
// Shares no code with the service.

/** A number that is written as eight bytes, signed. */
export class Fixed {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

type WireValue = bigint | Fixed | Buffer
export type WireField = readonly [number: number, value: Given]

/** A value for `encode`: a text and a message are bytes on the wire. */
type Given = string | number | bigint | Uint8Array | Fixed

export class WireMessage {
  readonly fields: readonly (readonly [number: number, value: WireValue])[]

  constructor(bytes: Uint8Array) {
    this.fields = split(Buffer.from(bytes))
  }

  has(number: number): boolean {
    return this.fields.some(([each]) => each === number)
  }

  all(number: number): readonly WireValue[] {
    return this.fields.flatMap(([each, value]) => (each === number ? [value] : []))
  }

  messages(number: number): readonly WireMessage[] {
    return this.all(number).map((value) => new WireMessage(bytesOf(value)))
  }

  texts(number: number): readonly string[] {
    return this.all(number).map((value) => bytesOf(value).toString())
  }

  /** The last one counts, as in every protobuf message; absent is undefined. */
  message(number: number): WireMessage | undefined {
    return this.messages(number).at(-1)
  }

  text(number: number): string {
    return this.texts(number).at(-1) ?? ''
  }

  bytes(number: number): Buffer {
    return bytesOf(this.all(number).at(-1) ?? Buffer.of())
  }

  /** Absent is 0. */
  number(number: number): bigint {
    const value = this.all(number).at(-1) ?? 0n
    if (value instanceof Fixed) return value.value
    if (typeof value !== 'bigint') throw new RangeError(`field ${number} is no number`)
    return value
  }
}

/** The bytes of a message: its fields in the order in which they are given. */
export function encode(...fields: readonly WireField[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => encodeField(number, value)))
}

/**
 * The bytes with other fields in the message that `path` leads to, the first of each number.
 */
export function rewrite(
  bytes: Uint8Array,
  path: readonly number[],
  change: (fields: readonly WireField[]) => readonly WireField[],
): Buffer {
  const { fields } = new WireMessage(bytes)
  const [next, ...rest] = path
  if (next === undefined) return encode(...change(fields))
  const at = fields.findIndex(([number]) => number === next)
  if (at < 0) throw new RangeError(`field ${next} is missing`)
  return encode(
    ...fields.map(([number, value], each): WireField =>
      each === at ? [number, rewrite(bytesOf(value), rest, change)] : [number, value],
    ),
  )
}

function encodeField(number: number, value: Given): Buffer {
  const tag = (type: number): Buffer => varint((BigInt(number) << 3n) | BigInt(type))
  if (value instanceof Fixed) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value.value)
    return Buffer.concat([tag(1), bytes])
  }
  if (typeof value === 'bigint' || typeof value === 'number')
    return Buffer.concat([tag(0), varint(BigInt(value))])
  const bytes = Buffer.from(value)
  return Buffer.concat([tag(2), varint(BigInt(bytes.length)), bytes])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, value)
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128)
  return Buffer.from([...bytes, Number(left)])
}

function split(bytes: Buffer): WireMessage['fields'] {
  const fields: (readonly [number, WireValue])[] = []
  let at = 0
  const take = (length: number): Buffer => {
    at += length
    if (at > bytes.length) throw new RangeError('out of bytes')
    return bytes.subarray(at - length, at)
  }
  const number = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = take(1).readUInt8()
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
  }
  while (at < bytes.length) {
    const tag = number()
    const [field, type] = [Number(tag >> 3n), Number(tag & 7n)]
    if (type === 0) fields.push([field, number()])
    else if (type === 1) fields.push([field, new Fixed(take(8).readBigInt64LE())])
    else if (type === 2) fields.push([field, take(Number(number()))])
    else throw new RangeError(`type ${type} is not used here`)
  }
  return fields
}

function bytesOf(value: WireValue): Buffer {
  if (!Buffer.isBuffer(value)) throw new RangeError('a number where bytes should be')
  return value
}
