// Reads what the ledger tells of the person's updates, beside the history: the newest by itself, in
// small pages so that scrolling stays smooth; all of them for a file.
import { useCallback, useEffect, useRef, useState } from 'react'
import { FactBook, factsOf } from './ledger-facts.ts'
import { ledger } from './wallet.tsx'

const PAGE = { quiet: 30, all: 200 } as const

/** Most updates that are read without being asked for. */
const QUIET_UPDATES = 600

const PAUSE_MS = 150

interface Facts {
  readonly book: FactBook
  /** Changes when the book does. */
  readonly version: number
  /**
   * Reads on to the oldest update, or to one before a time (RFC 3339). Rejects with the server's
   * refusal.
   */
  readAll(since: string): Promise<FactBook>
}

/** `newest` is the id of the newest update that is shown; undefined until that is known. */
export function useFactBook(party: string, newest: string | undefined): Facts {
  const client = ledger.useClient()
  const book = useRef(new FactBook())
  const isCovered = useRef(false)
  const [version, setVersion] = useState(0)
  const readPage = useCallback(
    async (size: number, pageToken: string | undefined, signal: AbortSignal) => {
      const body = {
        descendingOrder: true,
        maxPageSize: size,
        updateFormat: formatFor(party),
        ...(pageToken === undefined ? {} : { pageToken }),
      }
      const page = await ledger.queryOptions(client, 'getUpdatesPage', { body }).queryFn({ signal })
      const facts = (page.updates ?? []).flatMap((update) => factsOf(update) ?? [])
      const isNew = facts.some(({ updateId }) => !book.current.has(updateId))
      book.current.add(facts)
      return { next: page.nextPageToken, isNew, oldest: facts.at(-1)?.at ?? '' }
    },
    [client, party],
  )
  useEffect(() => {
    if (party === '' || newest === undefined || book.current.has(newest)) return undefined
    const over = new AbortController()
    const read = async (): Promise<void> => {
      let token: string | undefined
      do {
        const page = await readPage(PAGE.quiet, token, over.signal)
        setVersion((before) => before + 1)
        token = page.isNew ? page.next : undefined
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      } while (token !== undefined && book.current.size < QUIET_UPDATES && !over.signal.aborted)
    }
    // Without it the history is as complete as its entries are.
    read().catch(() => undefined)
    return () => over.abort()
  }, [party, newest, readPage])
  const readAll = async (since: string): Promise<FactBook> => {
    const { signal } = new AbortController()
    let token: string | undefined
    do {
      const page = await readPage(PAGE.all, token, signal)
      token = page.oldest < since ? undefined : page.next
      if (isCovered.current && !page.isNew) break
    } while (token !== undefined)
    isCovered.current ||= since === ''
    setVersion((before) => before + 1)
    return book.current
  }
  return { book: book.current, version, readAll }
}

type Format = ledger.Input<'getUpdatesPage'>['body']['updateFormat']

/** Everything that the party sees, with the choices that led to it. */
function formatFor(party: string): Format {
  const wildcard = { WildcardFilter: { value: { includeCreatedEventBlob: false } } }
  return {
    includeTransactions: {
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      eventFormat: {
        verbose: false,
        filtersByParty: { [party]: { cumulative: [{ identifierFilter: wildcard }] } },
      },
    },
  }
}
