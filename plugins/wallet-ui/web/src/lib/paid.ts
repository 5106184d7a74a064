// The parties that payments of the person have reached, as the history has them. Who only sent
// something is not among them, nor is one for whom coin was locked and came back.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { parseAmount } from './amount.ts'
import { useStatus } from './facts.ts'
import { wordsOf } from './history-words.ts'
import { LIVE_MS } from './query-client.ts'
import { validator } from './wallet.tsx'

/** Entries that are looked through, newest first: a telephone has to read them. */
const MOST_ENTRIES = 10_000
/** Entries of one page: at first, and to see what is new. */
const PAGE = { first: 1_000n, later: 50n } as const

export interface Paid {
  /** The last one paid first. */
  readonly parties: readonly string[]
  /** Event id of the newest entry that was read, at which the next reading ends. */
  readonly newest: string
}

type Entries = validator.Data<'listTransactions'>['items']
type Entry = Entries[number]

/** Undefined until the history was read. */
export function usePaid(): Paid | undefined {
  const own = useStatus().data?.party_id ?? ''
  const client = validator.useClient()
  const queries = useQueryClient()
  const queryKey = ['wallet', 'paid', own]
  return useQuery<Paid>({
    queryKey,
    enabled: own !== '',
    staleTime: 10_000,
    refetchInterval: ({ state }) => (state.data === undefined ? LIVE_MS : false),
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Paid>(queryKey)
      const page_size = before === undefined ? PAGE.first : PAGE.later
      const entries = await entriesUntil(before?.newest, async (after) => {
        const body = { page_size, ...(after === undefined ? {} : { begin_after_id: after }) }
        const page = validator.queryOptions(client, 'listTransactions', { body })
        return (await page.queryFn({ signal })).items
      })
      const paid = entries.flatMap((entry) => reachedBy(entry, own))
      return {
        parties: [...new Set([...paid, ...(before?.parties ?? [])])],
        newest: entries[0]?.event_id ?? before?.newest ?? '',
      }
    },
  }).data
}

/** Newest first: those that are newer than `known`, or as many as are looked through. */
async function entriesUntil(
  known: string | undefined,
  page: (after: string | undefined) => Promise<Entries>,
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  while (entries.length < MOST_ENTRIES) {
    const read = await page(entries.at(-1)?.event_id)
    const end = read.findIndex(({ event_id: id }) => id === known)
    entries.push(...(end < 0 ? read : read.slice(0, end)))
    if (read.length === 0 || end >= 0) break
  }
  return entries
}

/** Parties that the person's coin reached by an entry. Traffic is bought of the network. */
function reachedBy(entry: Entry, own: string): readonly string[] {
  if (entry.transaction_type !== 'transfer' || entry.sender.party !== own) return []
  if (wordsOf(entry.transaction_subtype.choice)?.group === 'traffic') return []
  return entry.receivers
    .filter(({ party, amount }) => party !== own && (parseAmount(amount) ?? 0n) > 0n)
    .map(({ party }) => party)
}
