// A stream as a list: up to a limit, and where it has no end until nothing new comes for a while.
// Whoever can go on after the last element gets a page that ends earlier where it would be large;
// all others get everything or are told that it is too much.
// docs/ledger-rules.md, "Streams and lists"
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import { Page, PAGE_BYTES } from '../../pages.ts'
import type { Reading } from './reads.ts'
import { StreamFailure } from './reads.ts'

/** Waiting without end is the client's wish when it opens a websocket. */
const MAX_IDLE_MS = 10_000
const DEFAULT_IDLE_MS = 500

export interface ListBounds {
  readonly limit?: bigint | undefined
  readonly stream_idle_timeout_ms?: bigint | undefined
}

/** Limits of a list on this node. */
export interface ListLimits {
  readonly elements: number
  readonly bytes: number
}

type Open<T> = (reading: Reading) => Promise<AsyncIterable<T> | LedgerError>

/** A list that is asked for, and whether its reader can go on after the last element. */
interface ListRequest extends ListBounds {
  readonly isPaged: boolean
}

/**
 * The elements, or why there are none: JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED,
 * JSON_API_MAXIMUM_LIST_SIZE_REACHED, or what ended the stream.
 */
export async function boundedList<T>(
  open: Open<T>,
  { limit, stream_idle_timeout_ms: idle, isPaged }: ListRequest,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<T[] | LedgerError> {
  const isCut = limit !== undefined && limit <= BigInt(limits.elements)
  const isPage = isCut && isPaged
  const most = isCut ? Number(limit) : limits.elements + 1
  const idleMs = idle === undefined ? DEFAULT_IDLE_MS : Math.min(Number(idle), MAX_IDLE_MS)
  const page = new Page<T>(most, isPage ? Math.min(PAGE_BYTES, limits.bytes) : limits.bytes)
  let lastMs = performance.now()
  const items = await open({ signal, patience: () => lastMs + idleMs - performance.now() })
  if (items instanceof LedgerError) return items
  try {
    if (most > 0)
      for await (const item of items) {
        lastMs = performance.now()
        if (!page.add(item)) return isPage ? page.items : tooLarge(limits.bytes)
        if (page.isFull) break
      }
  } catch (error) {
    if (error instanceof StreamFailure) return error.error
    throw error
  }
  const list = page.items
  return isCut || list.length <= limits.elements ? list : tooMany(list.length, limits.elements)
}

function tooLarge(limit: number): LedgerError {
  return ledgerError(
    'JSON_API_MAXIMUM_LIST_SIZE_REACHED',
    { limit: String(limit) },
    { shape: 'proxy' },
  )
}

function tooMany(count: number, limit: number): LedgerError {
  const params = { count: String(count), limit: String(limit) }
  return ledgerError('JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', params, { shape: 'proxy' })
}
