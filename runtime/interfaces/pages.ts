// How large the pages of answers are, in bytes as well as in number: what others wrote decides how
// large an item is. A page that would be larger ends earlier, and its reader goes on by the cursor
// that it has anyway.
import { setImmediate } from 'node:timers/promises'

/** Bytes of JSON that a page has at most, unless its first item alone has more. */
export const PAGE_BYTES = 2_097_152

const FIRST_SLICE = 64
const MAX_SLICE = 1_000
const GROWTH = 4

/** A page that is being filled. */
export class Page<T> {
  readonly items: T[] = []
  readonly #limit: number
  readonly #maxBytes: number
  #bytes = 0

  constructor(limit: number, maxBytes = PAGE_BYTES) {
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** As many items as it may have. */
  get isFull(): boolean {
    return this.items.length >= this.#limit
  }

  /** False where the page is full: the item belongs to the next one. */
  add(item: T, bytes = jsonBytes(item)): boolean {
    const isTooLarge = this.items.length > 0 && this.#bytes + bytes > this.#maxBytes
    if (this.isFull || isTooLarge) return false
    this.#bytes += bytes
    this.items.push(item)
    return true
  }
}

/** Bytes of a value's JSON text, where that is made of plain objects, arrays and scalars. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return String(value).length
  if (Array.isArray(value))
    return value.reduce<number>((bytes, item) => bytes + 1 + jsonBytes(item), 2)
  return Object.entries(value).reduce(
    (bytes, [name, item]) =>
      item === undefined ? bytes : bytes + 2 + jsonBytes(name) + jsonBytes(item),
    2,
  )
}

/** Reads up to `size` items after the last one that was read. */
export type ReadSlice<T> = (last: T | undefined, size: number) => Promise<readonly T[]>

/**
 * Items in slices that grow as long as they are light, so that many small ones take few reads and
 * large ones little memory. Others have their turn between slices.
 */
export async function* inSlices<T>(
  read: ReadSlice<T>,
  bytesOf: (item: T) => number,
): AsyncGenerator<T, void> {
  let last: T | undefined
  for (let size = FIRST_SLICE; ;) {
    const slice = await read(last, size)
    yield* slice
    if (slice.length < size) return
    last = slice.at(-1)
    size = nextSize(
      slice.reduce((sum, item) => sum + bytesOf(item), 0),
      slice.length,
    )
    await setImmediate()
  }
}

function nextSize(bytes: number, count: number): number {
  const fitting = Math.floor((PAGE_BYTES * count) / Math.max(bytes, 1))
  return Math.max(1, Math.min(MAX_SLICE, GROWTH * count, fitting))
}
