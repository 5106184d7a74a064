// The primitives of the bytes that are signed outside: big-endian numbers, texts and lists after
// their length. docs/hashing.md §1

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

  /** Appends the bytes without their length. */
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
