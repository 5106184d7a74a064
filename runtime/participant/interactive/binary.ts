// The primitives of the bytes that are signed outside: big-endian numbers, texts and lists after
// their length. docs/hashing.md §1

/** Bytes that do not follow the format. Thrown within this folder only. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes'
}

/** Gathers an encoding. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = []

  byte(value: number): this {
    this.#parts.push(Uint8Array.of(value))
    return this
  }

  int32(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    this.#parts.push(bytes)
    return this
  }

  int64(value: bigint): this {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value)
    this.#parts.push(bytes)
    return this
  }

  /** As they are, without their length. */
  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes)
    return this
  }

  bytes(bytes: Uint8Array): this {
    return this.int32(bytes.length).raw(bytes)
  }

  text(text: string): this {
    return this.bytes(Buffer.from(text))
  }

  optional<T>(value: T | undefined, write: (value: T) => void): this {
    if (value === undefined) return this.byte(0)
    this.byte(1)
    write(value)
    return this
  }

  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.int32(items.length)
    items.forEach(write)
    return this
  }

  texts(items: readonly string[]): this {
    return this.list(items, (item) => this.text(item))
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}

/**
 * Reads an encoding; every method throws MalformedBytes where the bytes do not go on as they
 * should.
 */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  byte(): number {
    return this.raw(1)[0] ?? 0
  }

  int32(): number {
    return this.raw(4).readInt32BE()
  }

  int64(): bigint {
    return this.raw(8).readBigInt64BE()
  }

  raw(length: number): Buffer {
    if (length < 0 || length > this.#bytes.length - this.#at)
      throw new MalformedBytes('the bytes end too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  bytes(): Buffer {
    return this.raw(this.int32())
  }

  text(): string {
    const bytes = this.bytes()
    const text = bytes.toString()
    if (!Buffer.from(text).equals(bytes)) throw new MalformedBytes('a text is not UTF-8')
    // No id can have one, and JSON writes it otherwise.
    if (text.includes('\0')) throw new MalformedBytes('a text has a NUL')
    return text
  }

  flag(): boolean {
    const value = this.byte()
    if (value > 1) throw new MalformedBytes(`${value} is neither 0 nor 1`)
    return value === 1
  }

  optional<T>(read: () => T): T | undefined {
    return this.flag() ? read() : undefined
  }

  list<T>(read: () => T): readonly T[] {
    const length = this.int32()
    // Each item takes a byte at least, so a length beyond the rest is a lie that would cost memory.
    if (length < 0 || length > this.#bytes.length - this.#at)
      throw new MalformedBytes('a list is longer than the bytes')
    return Array.from({ length }, read)
  }

  texts(): readonly string[] {
    return this.list(() => this.text())
  }

  end(): void {
    if (this.#at !== this.#bytes.length)
      throw new MalformedBytes('there are more bytes than there should be')
  }
}
