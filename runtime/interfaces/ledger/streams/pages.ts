// Active contracts and updates a page at a time. A page is the beginning of what the stream of the
// same request shows, and its token says where the next one begins. docs/ledger-rules.md, "Streams
// and lists"
import type {
  GetActiveContractsPageRequest,
  GetUpdatesPageRequest,
  JsGetActiveContractsPageResponse,
  JsGetUpdateResponse,
  JsGetUpdatesPageResponse,
  JsGetUpdatesResponse,
  Update,
} from '../../../../generated/ledger/types.gen.ts'
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, LedgerError } from '../../../errors/errors.ts'
import { Page, PAGE_BYTES } from '../../pages.ts'
import type { Context, Respond } from '../../reply.ts'
import { eventProblem } from '../update-format.ts'
import { openSnapshot } from './active-contracts.ts'
import type { ListLimits } from './bounded-list.ts'
import { pageToken, placesIn } from './page-token.ts'
import type { StreamReads } from './reads.ts'
import { StreamFailure } from './reads.ts'
import { openUpdates } from './updates.ts'

/** Handlers of the pages, which have at most what a list may have. */
export function pageHandlers(
  reads: StreamReads,
  limits: ListLimits,
  respond: Respond,
) {
  return {
    getActiveContractsPage: async ({ body }, context) => {
      const page = await contractsPage(reads, body, { limits, signal: context.signal })
      return respond(page, context, (found) => found)
    },
    getUpdatesPage: async ({ body }, context) => {
      const page = await updatesPage(reads, body, { limits, signal: context.signal })
      return respond(page, context, (found) => found)
    },
  } satisfies Partial<Handlers<Context>>
}

/** How much a page may have, and for how long somebody reads it. */
interface Paging {
  readonly limits: ListLimits
  readonly signal: AbortSignal
}

/**
 * A page of the contracts that were active at an offset: the ledger's end where the first request
 * names none. Errors: INVALID_ARGUMENT, those of `snapshotProblem`
 */
async function contractsPage(
  reads: StreamReads,
  { activeAtOffset, eventFormat, maxPageSize = 0, pageToken: token = '' }: ContractsRequest,
  { limits, signal }: Paging,
): Promise<JsGetActiveContractsPageResponse | LedgerError> {
  const places = token === '' ? [] : placesIn(token, eventFormat)
  const [offset = activeAtOffset ?? (await reads.store.updates.ledgerEnd()), after = 0n] =
    places ?? []
  const isKnown = places !== undefined && (activeAtOffset ?? offset) === offset
  const problem = eventProblem(eventFormat) ?? (isKnown ? undefined : unknownToken())
  if (problem !== undefined) return problem
  const limit = limitOf(maxPageSize, limits)
  // One more tells whether there is another page.
  const from = { offset, format: eventFormat, after, slice: limit + 1 }
  const page = await filled(await openSnapshot(reads, from, { signal }), limit, limits)
  if (page instanceof LedgerError) return page
  const last = page.hasMore ? page.items.at(-1) : undefined
  return {
    activeContracts: page.items.map(({ shown }) => shown),
    activeAtOffset: offset,
    ...(last && { nextPageToken: pageToken(eventFormat, offset, last.place) }),
  }
}

/**
 * A page of updates, in the order of the request. Errors: INVALID_ARGUMENT, those of `openUpdates`
 */
async function updatesPage(
  reads: StreamReads,
  request: GetUpdatesPageRequest,
  { limits, signal }: Paging,
): Promise<JsGetUpdatesPageResponse | LedgerError> {
  const { pageToken: token = '', maxPageSize = 0, ...asked } = request
  const { updateFormat, descendingOrder = false } = asked
  const places = token === '' ? [] : placesIn(token, asked)
  if (places === undefined) return unknownToken()
  const { begin, end } = await rangeOf(reads, asked, places[0])
  const updates = await openUpdates(
    reads,
    { beginExclusive: begin, endInclusive: end, updateFormat, descendingOrder },
    { signal, patience: () => 0 },
  )
  const shown = updates instanceof LedgerError ? updates : withoutCheckpoints(updates)
  const page = await filled(shown, limitOf(maxPageSize, limits), limits)
  if (page instanceof LedgerError) return page
  const last = page.hasMore ? page.items.at(-1) : undefined
  const edge = last && offsetOf(last.update)
  const lowest = descendingOrder && edge !== undefined ? edge - 1n : begin
  const highest = descendingOrder ? end : (edge ?? end)
  const goesOn = !descendingOrder && asked.endOffsetInclusive === undefined
  return {
    updates: page.items,
    lowestPageOffsetExclusive: lowest,
    highestPageOffsetInclusive: highest,
    ...((edge !== undefined || goesOn) && {
      nextPageToken: pageToken(asked, descendingOrder ? lowest : highest),
    }),
  }
}

type ContractsRequest = GetActiveContractsPageRequest
type UpdatesAsked = Omit<GetUpdatesPageRequest, 'pageToken' | 'maxPageSize'>

/** The range that is still to be read: from, or down from, the place of a token. */
async function rangeOf(
  { store: { updates } }: StreamReads,
  { beginOffsetExclusive: given = 0n, endOffsetInclusive, descendingOrder }: UpdatesAsked,
  place: bigint | undefined,
): Promise<{ readonly begin: bigint; readonly end: bigint }> {
  const first = given === 0n ? (await updates.prunedUpTo()).participant : given
  const last = endOffsetInclusive ?? (await updates.ledgerEnd())
  return descendingOrder === true
    ? { begin: first, end: place ?? last }
    : { begin: place ?? first, end: last }
}

interface Filled<T> {
  readonly items: T[]
  readonly hasMore: boolean
}

/** As many elements as fit, or the reason why there are none. */
async function filled<T>(
  elements: AsyncIterable<T> | LedgerError,
  limit: number,
  { bytes }: ListLimits,
): Promise<Filled<T> | LedgerError> {
  if (elements instanceof LedgerError) return elements
  const page = new Page<T>(limit, Math.min(PAGE_BYTES, bytes))
  try {
    for await (const element of elements)
      if (!page.add(element)) return { items: page.items, hasMore: true }
  } catch (error) {
    if (error instanceof StreamFailure) return error.error
    throw error
  }
  return { items: page.items, hasMore: false }
}

function limitOf(maxPageSize: number, { elements }: ListLimits): number {
  return Math.max(1, maxPageSize === 0 ? elements : Math.min(maxPageSize, elements))
}

/** A stream that has an end never says how far it has come. */
async function* withoutCheckpoints(
  updates: AsyncIterable<JsGetUpdatesResponse>,
): AsyncGenerator<JsGetUpdateResponse> {
  for await (const { update } of updates)
    if (update !== undefined && !('OffsetCheckpoint' in update)) yield { update }
}

function offsetOf(update: Update): bigint {
  if ('Transaction' in update) return update.Transaction.value.offset
  return 'Reassignment' in update
    ? update.Reassignment.value.offset
    : update.TopologyTransaction.value.offset
}

function unknownToken(): LedgerError {
  return invalidArgument(reasonText('invalidPageToken'))
}
