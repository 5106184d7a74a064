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
const NUMBER = -1

/** Field, start and end of each value of messages, one message after the other. */
export class Values {
  list = new Int32Array(INITIAL_VALUES)
  count = 0

  add(field: number, start: number, end: number): void {
    const { count } = this
    if (count + 3 > this.list.length) this.#grow()
    const { list } = this
    list[count] = field
    list[count + 1] = start
    list[count + 2] = end
    this.count = count + 3
  }

  #grow(): void {
    const grown = new Int32Array(2 * this.list.length)
    grown.set(this.list)
    this.list = grown
  }
}

const INITIAL_VALUES = 96

/** Bytes that hold messages, and what reading them may cost. */
export class Source {
  readonly bytes: Uint8Array
  readonly budget: Budget
  readonly reader: BinaryReader
  readonly values: Values

  constructor(
    bytes: Uint8Array,
    budget: Budget,
    reader = new BinaryReader(bytes),
    values = new Values(),
  ) {
    this.bytes = bytes
    this.budget = budget
    this.reader = reader
    this.values = values
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
    this.#first = source.values.count
    scan(source, start, end)
    this.#end = source.values.count
    source.budget.spend((this.#end - this.#first) / 3)
  }

  /** A message in bytes of its own. */
  static in(bytes: Uint8Array, budget: Budget): Message {
    return new Message(new Source(bytes, budget))
  }

  get fields(): number[] {
    const { list } = this.source.values
    const fields = new Set<number>()
    for (let at = this.#first; at < this.#end; at += 3) fields.add(list[at] ?? 0)
    return [...fields]
  }

  /** The one field that the message has beside `other`. */
  only(other?: number): number {
    const { list } = this.source.values
    let only = 0
    for (let at = this.#first; at < this.#end; at += 3) {
      const field = list[at] ?? 0
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
    const at = this.#findNumber(field)
    return at < 0 ? undefined : int32At(this.source, at)
  }

  number(field: number): number {
    return this.optionalNumber(field) ?? 0
  }

  /** A sint64. */
  int64(field: number): bigint {
    const at = this.#findNumber(field)
    if (at < 0) return 0n
    const { reader } = this.source
    reader.pos = at
    return read(() => BigInt(reader.sint64()))
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
    const places: number[] = []
    for (const at of this.#all(field)) places.push(this.#startAt(at), this.#endAt(at))
    return new Table(this.source, places)
  }

  /**
   * What `use` makes of a message that has a budget of its own. Nothing keeps the message, so that
   * the next one of this kind takes its place among the values.
   */
  passing<T>(field: number, budget: Budget, values: Values, use: (message: Message) => T): T {
    const at = this.#find(field)
    if (at < 0) throw new MalformedArchive(`Field ${field} is missing`)
    const { bytes, reader } = this.source
    const source = new Source(bytes, budget, reader, values)
    const { count } = values
    try {
      return use(new Message(source, this.#startAt(at), this.#endAt(at)))
    } finally {
      values.count = count
    }
  }

  /** Numbers, packed or not. */
  numbers(field: number): number[] {
    const { reader, budget, values } = this.source
    const numbers: number[] = []
    for (const at of this.#all(field)) {
      const end = values.list[at + 2] ?? 0
      reader.pos = this.#startAt(at)
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
    const { list } = this.source.values
    let found = -1
    for (let at = this.#first; at < this.#end; at += 3) {
      if (list[at] !== field) continue
      if (found >= 0) throw new MalformedArchive(`Field ${field} is there more than once`)
      found = at
    }
    return found
  }

  #all(field: number): number[] {
    const { list } = this.source.values
    const found: number[] = []
    for (let at = this.#first; at < this.#end; at += 3) if (list[at] === field) found.push(at)
    return found
  }

  #bytesAt(at: number): Uint8Array {
    return this.source.bytes.subarray(this.#startAt(at), this.#endAt(at))
  }

  #messageAt(at: number): Message {
    return new Message(this.source, this.#startAt(at), this.#endAt(at))
  }

  #startAt(at: number): number {
    return this.source.values.list[at + 1] ?? 0
  }

  #endAt(at: number): number {
    const { list } = this.source.values
    const end = list[at + 2] ?? NUMBER
    if (end === NUMBER) throw new MalformedArchive(`Field ${list[at]} is a number`)
    return end
  }

  /** Where a field's number is in the bytes; -1 when absent. */
  #findNumber(field: number): number {
    const at = this.#find(field)
    if (at < 0) return at
    if (this.source.values.list[at + 2] !== NUMBER)
      throw new MalformedArchive(`Field ${field} is not a number`)
    return this.#startAt(at)
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

/** Numbers from here on have more than one byte. */
const LONG = 0x80

/** The number at the reader's place, as the library reads it. */
export function unsigned(bytes: Uint8Array, reader: BinaryReader): number {
  const byte = bytes[reader.pos] ?? LONG
  if (byte >= LONG) return reader.uint32()
  reader.pos += 1
  return byte
}

function int32At({ bytes, reader }: Source, at: number): number {
  const byte = bytes[at] ?? LONG
  if (byte < LONG) return byte
  reader.pos = at
  return read(() => reader.int32())
}

/**
 * Adds the values between two places to those of the source. Throws MalformedArchive for what is no
 * message. A value of fixed width is bytes.
 */
function scan({ bytes, reader, values }: Source, start: number, end: number): void {
  reader.pos = start
  try {
    while (reader.pos < end) {
      const tag = unsigned(bytes, reader)
      const isNumber = (tag & 7) === WireType.Varint
      const width = isNumber ? 0 : widthOf(tag & 7, bytes, reader)
      const from = reader.pos
      if (isNumber) unsigned(bytes, reader)
      else reader.pos += width
      if (reader.pos > end || tag < 8) break
      values.add(tag >>> 3, from, isNumber ? NUMBER : reader.pos)
    }
  } catch (problem) {
    throw malformed(problem)
  }
  if (reader.pos !== end) throw new MalformedArchive('A message is cut short')
}

/** Bytes of the value that follows, which is no number. Throws MalformedArchive for a group. */
export function widthOf(wireType: number, bytes: Uint8Array, reader: BinaryReader): number {
  if (wireType === WireType.LengthDelimited) return unsigned(bytes, reader)
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
