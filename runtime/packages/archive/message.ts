// Protobuf messages of packages as fields by number. Nothing is copied: bytes stay views of the
// archive, and a budget bounds how many fields one archive may make us keep.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/**
 * Why bytes are not the archive that they should be; its message is the reason of DAR_PARSE_ERROR.
 */
export class MalformedArchive extends Error {}

/** Fields that may still be kept. */
export class Budget {
  #left: number

  constructor(fields: number) {
    this.#left = fields
  }

  spend(fields = 1): void {
    this.#left -= fields
    if (this.#left < 0) throw new MalformedArchive('The package has too many definitions')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Value = number | Uint8Array

/** One message; a repeated field keeps its order. */
export class Message {
  readonly #values = new Map<number, Value[]>()

  constructor(bytes: Uint8Array, budget: Budget) {
    scan(new BinaryReader(bytes), bytes.length, (field, number, start, end) => {
      budget.spend()
      const value = number ?? bytes.subarray(start, end)
      const values = this.#values.get(field)
      if (values === undefined) this.#values.set(field, [value])
      else values.push(value)
    })
  }

  get fields(): number[] {
    return [...this.#values.keys()]
  }

  /** An int32; undefined when absent. */
  optionalNumber(field: number): number | undefined {
    const [value] = this.#single(field)
    if (value instanceof Uint8Array) throw new MalformedArchive(`Field ${field} is not a number`)
    return value
  }

  number(field: number): number {
    return this.optionalNumber(field) ?? 0
  }

  optionalBytes(field: number): Uint8Array | undefined {
    const [value] = this.#single(field)
    if (typeof value === 'number') throw new MalformedArchive(`Field ${field} is a number`)
    return value
  }

  bytes(field: number): Uint8Array {
    return this.optionalBytes(field) ?? new Uint8Array()
  }

  text(field: number): string {
    return decodeText(this.bytes(field))
  }

  all(field: number): Uint8Array[] {
    return (this.#values.get(field) ?? []).map((value) => {
      if (typeof value === 'number') throw new MalformedArchive(`Field ${field} is a number`)
      return value
    })
  }

  /** Numbers, packed or not. */
  numbers(field: number, budget: Budget): number[] {
    return (this.#values.get(field) ?? []).flatMap((value) =>
      typeof value === 'number' ? [value] : unpack(value, budget),
    )
  }

  #single(field: number): Value[] {
    const values = this.#values.get(field) ?? []
    if (values.length > 1) throw new MalformedArchive(`Field ${field} is there more than once`)
    return values
  }
}

export function decodeText(bytes: Uint8Array): string {
  return read(() => utf8.decode(bytes))
}

/** A visitor of fields: gets the value of a number, or start and end of its bytes. */
type FieldVisitor = (field: number, number: number | undefined, start: number, end: number) => void

/**
 * Visits the fields from the reader's position up to `end`. Throws MalformedArchive for what is not
 * a message. Fields of fixed width are passed over.
 */
export function scan(reader: BinaryReader, end: number, visit: FieldVisitor): void {
  while (reader.pos < end) {
    const [field, wireType] = read(() => reader.tag())
    if (wireType === WireType.Varint) {
      visit(
        field,
        read(() => reader.int32()),
        0,
        0,
      )
    } else {
      const [start, next] = skipValue(reader, wireType)
      if (next > end) break
      if (wireType === WireType.LengthDelimited) visit(field, undefined, start, next)
      reader.pos = next
    }
  }
  if (reader.pos !== end) throw new MalformedArchive('A message is cut short')
}

/** Start and end of the value's bytes; the reader is after them. */
function skipValue(
  reader: BinaryReader,
  wireType: WireType,
): readonly [start: number, end: number] {
  const widths: Partial<Record<WireType, number>> = { [WireType.Bit32]: 4, [WireType.Bit64]: 8 }
  const width =
    wireType === WireType.LengthDelimited ? read(() => reader.uint32()) : widths[wireType]
  if (width === undefined) throw new MalformedArchive('A message holds a group')
  const start = reader.pos
  reader.pos += width
  return [start, reader.pos]
}

/** The library's reader reports bad bytes as plain errors. */
function read<T>(take: () => T): T {
  try {
    return take()
  } catch (problem) {
    throw new MalformedArchive(problem instanceof Error ? problem.message : String(problem))
  }
}

function unpack(bytes: Uint8Array, budget: Budget): number[] {
  const reader = new BinaryReader(bytes)
  const numbers: number[] = []
  while (reader.pos < reader.len) {
    budget.spend()
    numbers.push(read(() => reader.int32()))
  }
  return numbers
}
