// The history as it is read: older pages as they are wanted, each once since none ever changes, and
// the newest lines as they come.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { completeLines } from './complete-lines.ts'
import { useStatus } from './facts.ts'
import { lineOf } from './history-line.ts'
import type { HistoryLine } from './history-line.ts'
import { LIVE_MS } from './query-client.ts'
import { useFactBook } from './use-fact-book.ts'
import { validator } from './wallet.tsx'

/**
 * Entries of one page: as they are scrolled through, while all are looked through, and when only
 * the newest are asked for.
 */
const PAGE = { scrolled: 100n, searched: 1_000n, newest: 20n } as const

export interface History {
  /** Newest first; undefined until the first page is there. */
  readonly lines: readonly HistoryLine[] | undefined
  /** The reason why the last page that was asked for did not come. */
  readonly error: Error | null
  readonly isWhole: boolean
  readonly isReading: boolean
  /** Reads one more page; does nothing while one is being read. */
  readMore(): void
  /**
   * Reads all there is, and what the ledger says of it since a time (RFC 3339, '' for all of it).
   * Rejects with the server's refusal.
   */
  readAll(since: string): Promise<readonly HistoryLine[]>
}

type Reader = (after: string, size: bigint, signal: AbortSignal) => Promise<readonly HistoryLine[]>

/** The history of whoever is logged in. While `isSearching`, pages are large. */
export function useHistory(isSearching: boolean): History {
  const party = useStatus().data?.party_id ?? ''
  const read = useReader(party)
  const isReadingAll = useRef(false)
  const older = useInfiniteQuery({
    queryKey: ['wallet', 'history', party],
    enabled: party !== '',
    queryFn: ({ pageParam, signal }) =>
      read(pageParam, isSearching || isReadingAll.current ? PAGE.searched : PAGE.scrolled, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.at(-1)?.id,
    // What was read stays true; only where nothing was is it asked again.
    staleTime: 'static',
    refetchInterval: ({ state }) => (state.data === undefined ? LIVE_MS : false),
  })
  const newer = useNewer(party, read, older.data?.pages[0])
  const { hasNextPage, isFetching, fetchNextPage } = older
  const newest = (newer[0] ?? older.data?.pages[0]?.[0])?.updateId
  const {
    book,
    version,
    readAll: readFacts,
  } = useFactBook(party, older.data === undefined ? undefined : (newest ?? ''))
  const lines = useMemo(() => {
    if (older.data === undefined) return undefined
    const read = older.data.pages.flat()
    const all = newer.length === 0 ? read : [...newer, ...read]
    return completeLines(all, book, party, !hasNextPage)
  }, [newer, older.data, hasNextPage, book, version, party])
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const readAll = async (since: string): Promise<readonly HistoryLine[]> => {
    const facts = readFacts(since)
    let { data } = older
    isReadingAll.current = true
    // Whichever fails first is told; the other is not left to fail unheard.
    facts.catch(() => undefined)
    try {
      for (let isMore = hasNextPage; isMore;) {
        const next = await fetchNextPage()
        if (next.error !== null) throw next.error
        data = next.data
        isMore = next.hasNextPage
      }
    } finally {
      isReadingAll.current = false
    }
    return completeLines([...newer, ...(data?.pages.flat() ?? [])], await facts, party, true)
  }
  return {
    lines,
    error: older.error,
    isWhole: older.data !== undefined && !hasNextPage,
    isReading: isFetching,
    readMore,
    readAll,
  }
}

function useReader(party: string): Reader {
  const client = validator.useClient()
  return useCallback(
    async (after, size, signal) => {
      const body = { page_size: size, ...(after === '' ? {} : { begin_after_id: after }) }
      const { items } = await validator
        .queryOptions(client, 'listTransactions', { body })
        .queryFn({ signal })
      return items.map((entry) => lineOf(entry, party))
    },
    [client, party],
  )
}

const NONE: readonly HistoryLine[] = []

/** Lines that came after the first page was read, newest first. */
function useNewer(
  party: string,
  read: Reader,
  first: readonly HistoryLine[] | undefined,
): readonly HistoryLine[] {
  const queries = useQueryClient()
  const queryKey = ['wallet', 'history-newer', party]
  const { data } = useQuery({
    queryKey,
    enabled: first !== undefined,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<readonly HistoryLine[]>(queryKey) ?? NONE
      const fresh = await readUntil((before[0] ?? first?.[0])?.id, read, signal)
      return fresh.length === 0 ? before : [...fresh, ...before]
    },
  })
  return data ?? NONE
}

/** All that is newer than a line; everything where there is no such line yet. */
async function readUntil(
  known: string | undefined,
  read: Reader,
  signal: AbortSignal,
): Promise<readonly HistoryLine[]> {
  const fresh: HistoryLine[] = []
  for (;;) {
    const page = await read(fresh.at(-1)?.id ?? '', PAGE.newest, signal)
    const end = page.findIndex(({ id }) => id === known)
    fresh.push(...(end === -1 ? page : page.slice(0, end)))
    if (end !== -1 || page.length === 0) return fresh
  }
}
