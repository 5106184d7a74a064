// A stream as a list: up to a limit, and where it has no end until nothing new comes for a while. domain/ledger.md §7.4
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import type { Reading } from './reads.ts'
import { StreamFailure } from './reads.ts'

/** Waiting without end is the client's wish when it opens a websocket. */
const MAX_IDLE_MS = 10_000
const DEFAULT_IDLE_MS = 500

export interface ListBounds {
  readonly limit?: bigint | undefined
  readonly stream_idle_timeout_ms?: bigint | undefined
}

type Open<T> = (reading: Reading) => Promise<AsyncGenerator<T> | LedgerError>

/** The elements, or why there are none: JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED, or what ended the stream. */
export async function boundedList<T>(
  open: Open<T>, { limit, stream_idle_timeout_ms: idle }: ListBounds, nodeLimit: number, signal: AbortSignal,
): Promise<T[] | LedgerError> {
  const isCut = limit !== undefined && limit <= BigInt(nodeLimit)
  const most = isCut ? Number(limit) : nodeLimit + 1
  const idleMs = idle === undefined ? DEFAULT_IDLE_MS : Math.min(Number(idle), MAX_IDLE_MS)
  const list: T[] = []
  let lastMs = performance.now()
  const items = await open({ signal, patience: () => lastMs + idleMs - performance.now() })
  if (items instanceof LedgerError) return items
  try {
    if (most > 0) for await (const item of items) {
      lastMs = performance.now()
      if (list.push(item) >= most) break
    }
  } catch (error) {
    if (error instanceof StreamFailure) return error.error
    throw error
  }
  return isCut || list.length <= nodeLimit ? list : tooMany(list.length, nodeLimit)
}

function tooMany(count: number, limit: number): LedgerError {
  const params = { count: String(count), limit: String(limit) }
  return ledgerError('JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', params, { shape: 'proxy' })
}
