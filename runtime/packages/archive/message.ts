// Protobuf messages of packages as fields by number. Nothing is copied: a message is places in the
// archive's bytes, and a budget bounds how many fields one archive may make us keep.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/**
 * Why bytes are not the archive that they should be; its message is the reason of DAR_PARSE_ERROR.
 */
export class MalformedArchive extends Error {}

/** The cost that reading a package may still have: fields that are kept, steps of work. */
export class Budget {
  readonly #whole: Budget | undefined
  #left: number
  #least = 0

  /** A part of a whole, of which everything is spent too. */
  constructor(units: number, whole?: Budget) {
    this.#left = units
    this.#whole = whole
  }

  get left(): number {
    return this.#left
  }

  /** Allows no more than this from now on. */
  allow(units: number): void {
    this.#least = Math.max(this.#left - units, 0)
  }

  spend(units = 1): void {
    this.#left -= units
    if (this.#left < this.#least) throw new MalformedArchive('The package has too many definitions')
    this.#whole?.spend(units)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Stands for an end: the value is a number, and the start is its place. */
export const NUMBER = -1

/** Bytes that hold messages, and what reading them may cost. */
export class Source {
  readonly bytes: Uint8Array
  readonly budget: Budget
  readonly reader: BinaryReader
  /** Field, start and end of each value of all messages so far, one message after the other. */
  readonly values: number[] = []

  constructor(bytes: Uint8Array, budget: Budget, reader = new BinaryReader(bytes)) {
    this.bytes = bytes
    this.budget = budget
    this.reader = reader
  }

  /** The same bytes for work that has a budget of its own. */
  within(budget: Budget): Source {
    return new Source(this.bytes, budget, this.reader)
  }
}

/** One message; a repeated field keeps its order. */
export class Message {
  readonly source: Source
  /** Its part of the source's values. */
  readonly #first: number
  readonly #end: number

  constructor(source: Source, start = 0, end = source.bytes.length) {
    this.source = source
    this.#first = source.values.length
    source.reader.pos = start
    scan(source.reader, end, source.values)
    this.#end = source.values.length
    source.budget.spend((this.#end - this.#first) / 3)
  }

  /** A message in bytes of its own. */
  static in(bytes: Uint8Array, budget: Budget): Message {
    return new Message(new Source(bytes, budget))
  }

  get fields(): number[] {
    const { values } = this.source
    const fields = new Set<number>()
    for (let at = this.#first; at < this.#end; at += 3) fields.add(values[at] ?? 0)
    return [...fields]
  }

  /** The one field that the message has beside `other`. */
  only(other?: number): number {
    const { values } = this.source
    let only = 0
    for (let at = this.#first; at < this.#end; at += 3) {
      const field = values[at] ?? 0
      if (field === other) continue
      if (only !== 0) throw new MalformedArchive('A choice of one has several')
      only = field
    }
    if (only === 0) throw new MalformedArchive('A choice of one has none')
    return only
  }

  has(field: number): boolean {
    return this.#find(field) >= 0
  }

  /** An int32; undefined when absent. */
  optionalNumber(field: number): number | undefined {
    return this.#seekNumber(field) ? read(() => this.source.reader.int32()) : undefined
  }

  number(field: number): number {
    return this.optionalNumber(field) ?? 0
  }

  /** A sint64. */
  int64(field: number): bigint {
    return this.#seekNumber(field) ? read(() => BigInt(this.source.reader.sint64())) : 0n
  }

  /** An sfixed64. */
  fixed64(field: number): bigint {
    const bytes = this.bytes(field)
    if (bytes.length !== 8) throw new MalformedArchive(`Field ${field} has no 8 bytes`)
    return new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true)
  }

  optionalBytes(field: number): Uint8Array | undefined {
    const at = this.#find(field)
    return at < 0 ? undefined : this.#bytesAt(at)
  }

  bytes(field: number): Uint8Array {
    return this.optionalBytes(field) ?? new Uint8Array()
  }

  text(field: number): string {
    return decodeText(this.bytes(field))
  }

  optionalMessage(field: number): Message | undefined {
    const at = this.#find(field)
    return at < 0 ? undefined : this.#messageAt(at)
  }

  message(field: number): Message {
    const message = this.optionalMessage(field)
    if (message === undefined) throw new MalformedArchive(`Field ${field} is missing`)
    return message
  }

  messages(field: number): Message[] {
    return this.#all(field).map((at) => this.#messageAt(at))
  }

  /** The values of a field, looked at one by one. */
  table(field: number): Table {
    const { values } = this.source
    const places: number[] = []
    for (const at of this.#all(field)) places.push(values[at + 1] ?? 0, this.#endAt(at))
    return new Table(this.source, places)
  }

  /** A message as the only one of its source. */
  alone(field: number, budget: Budget): Message {
    const at = this.#find(field)
    if (at < 0) throw new MalformedArchive(`Field ${field} is missing`)
    return new Message(this.source.within(budget), this.source.values[at + 1], this.#endAt(at))
  }

  /** Numbers, packed or not. */
  numbers(field: number): number[] {
    const { reader, budget, values } = this.source
    const numbers: number[] = []
    for (const at of this.#all(field)) {
      const end = values[at + 2] ?? 0
      reader.pos = values[at + 1] ?? 0
      do {
        if (reader.pos === end) break
        budget.spend()
        numbers.push(read(() => reader.int32()))
      } while (reader.pos < end)
    }
    return numbers
  }

  /** Place of a field's only value among the values; -1 when absent. */
  #find(field: number): number {
    const { values } = this.source
    let found = -1
    for (let at = this.#first; at < this.#end; at += 3) {
      if (values[at] !== field) continue
      if (found >= 0) throw new MalformedArchive(`Field ${field} is there more than once`)
      found = at
    }
    return found
  }

  #all(field: number): number[] {
    const { values } = this.source
    const found: number[] = []
    for (let at = this.#first; at < this.#end; at += 3) if (values[at] === field) found.push(at)
    return found
  }

  #bytesAt(at: number): Uint8Array {
    return this.source.bytes.subarray(this.source.values[at + 1], this.#endAt(at))
  }

  #messageAt(at: number): Message {
    return new Message(this.source, this.source.values[at + 1], this.#endAt(at))
  }

  #endAt(at: number): number {
    const end = this.source.values[at + 2] ?? NUMBER
    if (end === NUMBER) throw new MalformedArchive(`Field ${this.source.values[at]} is a number`)
    return end
  }

  /** Goes to a field's number; false when absent. */
  #seekNumber(field: number): boolean {
    const at = this.#find(field)
    if (at < 0) return false
    if (this.source.values[at + 2] !== NUMBER)
      throw new MalformedArchive(`Field ${field} is not a number`)
    this.source.reader.pos = this.source.values[at + 1] ?? 0
    return true
  }
}

/** Values that are named by number. Throws MalformedArchive for numbers that name nothing. */
export class Table {
  readonly length: number
  readonly #source: Source
  /** Start and end of each. */
  readonly #places: readonly number[]

  constructor(source: Source, places: readonly number[]) {
    this.length = places.length / 2
    this.#source = source
    this.#places = places
  }

  text(index: number): string {
    return decodeText(this.#source.bytes.subarray(this.#at(2 * index), this.#at(2 * index + 1)))
  }

  /** Read anew at each call. */
  message(index: number, source = this.#source): Message {
    return new Message(source, this.#at(2 * index), this.#at(2 * index + 1))
  }

  #at(place: number): number {
    const at = this.#places[place]
    if (at === undefined)
      throw new MalformedArchive(`A table has nothing at ${Math.floor(place / 2)}`)
    return at
  }
}

function decodeText(bytes: Uint8Array): string {
  return read(() => utf8.decode(bytes))
}

/**
 * Adds field, start and end of each value from the reader's position up to `end`. Throws
 * MalformedArchive for what is no message. A value of fixed width is bytes.
 */
export function scan(reader: BinaryReader, end: number, values: number[]): void {
  try {
    while (reader.pos < end) {
      const tag = reader.uint32()
      const isNumber = (tag & 7) === WireType.Varint
      const width = isNumber ? 0 : widthOf(tag & 7, reader)
      const start = reader.pos
      if (isNumber) reader.uint32()
      else reader.pos += width
      if (reader.pos > end || tag < 8) break
      values.push(tag >>> 3, start, isNumber ? NUMBER : reader.pos)
    }
  } catch (problem) {
    throw malformed(problem)
  }
  if (reader.pos !== end) throw new MalformedArchive('A message is cut short')
}

/** Bytes of the value that follows, which is no number. Throws MalformedArchive for a group. */
export function widthOf(wireType: number, reader: BinaryReader): number {
  if (wireType === WireType.LengthDelimited) return reader.uint32()
  if (wireType === WireType.Bit64) return 8
  if (wireType === WireType.Bit32) return 4
  throw new MalformedArchive('A message holds a group')
}

/** What is read. Throws MalformedArchive where the library has a plain error. */
export function read<T>(take: () => T): T {
  try {
    return take()
  } catch (problem) {
    throw malformed(problem)
  }
}

function malformed(problem: unknown): MalformedArchive {
  return new MalformedArchive(problem instanceof Error ? problem.message : String(problem))
}
