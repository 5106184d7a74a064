// How large the pages of answers are, in bytes as well as in number: what others wrote decides how
// large an item is. A page that would be larger ends earlier, and its reader goes on by the cursor
// that it has anyway.
import type { ActivePage, Contract } from '../engine/index.ts'
import { badRequest } from '../economy/errors.ts'
import type { PlainError } from '../economy/errors.ts'
import { scheduler } from '../work/scheduler.ts'

/** Bytes of JSON that a page has at most, unless its first item alone has more. */
export const PAGE_BYTES = 2_097_152

/** Read together: more would be long in one go. */
const SLICE_BYTES = 262_144
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

  /** Whether the page has as many items as it may. */
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

/** Texts that JSON writes as they are, between quotes. */
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/

/** Bytes of a value's JSON text, where that is made of plain objects, arrays and scalars. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value !== 'object' || value === null) return String(value).length
  let bytes = 2
  if (Array.isArray(value)) {
    for (const item of value) bytes += 1 + jsonBytes(item)
    return bytes
  }
  for (const [name, item] of Object.entries(value))
    if (item !== undefined) bytes += 2 + textBytes(name) + jsonBytes(item)
  return bytes
}

function textBytes(text: string): number {
  return PLAIN.test(text) ? Buffer.byteLength(text) + 2 : Buffer.byteLength(JSON.stringify(text))
}

/** Reads up to `size` items after the last one that was read. */
export type ReadSlice<T> = (last: T | undefined, size: number) => Promise<readonly T[]>

/**
 * Items in slices that grow as long as they are light, so that many small ones take few reads and
 * large ones little memory. Others have their turn between slices, and all readers take turns;
 * they end once the signal aborts.
 */
export async function* inSlices<T>(
  read: ReadSlice<T>,
  bytesOf: (item: T) => number,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  let last: T | undefined
  for (let size = FIRST_SLICE; ;) {
    const turn = scheduler.enter(last === undefined ? 'short' : 'long')
    if (turn !== undefined) await turn
    if (signal.aborted) return
    const slice = await read(last, size)
    yield* slice
    if (slice.length < size) return
    last = slice.at(-1)
    size = nextSize(
      slice.reduce((sum, item) => sum + bytesOf(item), 0),
      slice.length,
    )
  }
}

function nextSize(bytes: number, count: number): number {
  const fitting = Math.floor((SLICE_BYTES * count) / Math.max(bytes, 1))
  return Math.max(1, Math.min(MAX_SLICE, GROWTH * count, fitting))
}

export interface NextPage<N> {
  readonly next_page_token?: N
  readonly older_omitted?: true
}

/** The members that say what follows a list, or went before it. */
export function nextPage<N extends bigint | number>({
  next,
  olderOmitted = false,
}: {
  /** `after` of the next page; absent on the last one. */
  readonly next?: N | undefined
  readonly olderOmitted?: boolean
}): NextPage<N> {
  return {
    ...(next === undefined ? {} : { next_page_token: next }),
    ...(olderOmitted ? { older_omitted: true as const } : {}),
  }
}

export interface ContractPage<T> {
  readonly contracts: readonly Contract<T>[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
}

/** Contracts after the one at a position; 400 for a position that none can have. */
export async function pageAfter<T>(
  { after, limit }: { readonly after?: bigint | undefined; readonly limit: number },
  read: (page: ActivePage) => Promise<readonly Contract<T>[]>,
): Promise<ContractPage<T> | PlainError> {
  if (after !== undefined && after < 0n) return badRequest('after is not a next_page_token')
  const position = after === undefined ? {} : { after: { rank: 0n, sequence: after } }
  const found = await read({ limit: limit + 1, ...position })
  const contracts = found.slice(0, limit)
  return { contracts, next: found.length > limit ? contracts.at(-1)?.sequence : undefined }
}
