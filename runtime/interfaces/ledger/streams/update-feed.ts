// Updates in the order of their offsets, without a gap, up to an end or for as long as the caller
// reads. Other work runs after each page, because a store in this process answers immediately. A
// waiting reader keeps no page, because there can be many. A reader for some parties finds their
// updates by an index; near the end of the ledger, all readers share a page.
import type { UpdateRecord } from '../../../store/store.ts'
import { ledgerError } from '../../../errors/errors.ts'
import { ShownPages } from './elements.ts'
import type { Elements, Show } from './elements.ts'
import { prunedUpdates } from './offsets.ts'
import type { ReadRange } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import { readAhead, StreamFailure } from './reads.ts'
import { FEED_PAGE_BYTES } from './shared-pages.ts'
import type { SharedPages } from './shared-pages.ts'

const MAX_PAGE = 200
const FIRST_PAGE = 16
/** A page downwards that finds more than so many times its part asks for that many times fewer. */
const SHRINKING = 4n

/** Updates before the end from which on all readers share a page, read and decoded once. */
const SHARED_TAIL = 64n

/** A reader's begin, end and parties. */
export interface FeedRange extends ReadRange {
  /** The end of the ledger when it began. */
  readonly ledgerEnd: bigint
  /** Nobody else sees what the reader is shown; undefined: anybody. */
  readonly parties: readonly string[] | undefined
}

type Ahead = Pick<Reading, 'signal' | 'hold'>

interface Page {
  readonly after: bigint
  readonly end: bigint | undefined
  readonly size: number
}

/**
 * After `begin`, upwards; without an end it waits for more as long as it is read. Throws a
 * StreamFailure where updates are pruned.
 */
export function upwards<T>(
  reads: StreamReads,
  range: FeedRange,
  reading: Reading,
  show: Show<T>,
): Elements<T> {
  return new ShownPages(pagesUp(reads, range, reading), show)
}

async function* pagesUp(
  reads: StreamReads,
  { begin, end, ledgerEnd, parties }: FeedRange,
  reading: Reading,
): AsyncGenerator<UpdateRecord[]> {
  const { signal } = reading
  let after = begin
  if (parties !== undefined)
    after = yield* seenUp(
      reads,
      end === undefined
        ? { begin, end: ledgerEnd, parties, spared: SHARED_TAIL }
        : { begin, end, parties, spared: 0n },
      reading,
    )
  let size = FIRST_PAGE
  while (!signal.aborted && (end === undefined || after < end)) {
    const page = await readPage(reads, { after, end, size }, reading)
    const [count, isFull] = [page.length, page.length === size]
    size = nextSize(page)
    after += BigInt(count)
    yield upTo(page, end)
    if (isFull || end !== undefined) continue
    const left = reading.patience()
    // A page may also have ended before an update that is too large for it.
    if (left <= 0 && count > 0) continue
    if (left <= 0) return
    reading.hold?.(0)
    await reads.tail.beyond(after, signal, left)
  }
}

interface SeenRange {
  readonly begin: bigint
  readonly end: bigint
  readonly parties: readonly string[]
  /** The last updates, so many, that are left to who reads on. */
  readonly spared: bigint
}

/** Updates that the parties saw; answers up to where. Throws as `upwards`. */
async function* seenUp(
  reads: StreamReads,
  { begin, end, parties, spared }: SeenRange,
  reading: Ahead,
): AsyncGenerator<UpdateRecord[], bigint> {
  let after = begin
  for (let size = FIRST_PAGE; end - after > spared && !reading.signal.aborted;) {
    const seen = await readSeen(reads, { parties, after, limit: size }, reading)
    await requireKept(reads, { begin: after, end })
    size = nextSize(seen.updates)
    yield upTo(seen.updates, end)
    if (seen.upTo === after) return after
    after = seen.upTo
  }
  return after
}

/** A range that is read from its end down. */
interface DownRange {
  readonly begin: bigint
  readonly end: bigint
  /** The same as in `FeedRange`. */
  readonly parties: readonly string[] | undefined
}

/**
 * From `end` down to the one after `begin`, as long as somebody reads. Throws a StreamFailure where
 * updates are pruned.
 */
export function downwards<T>(
  reads: StreamReads,
  { parties, ...range }: DownRange,
  reading: Ahead,
  show: Show<T>,
): Elements<T> {
  const pages =
    parties === undefined
      ? pagesDown(reads, range, reading)
      : seenDown(reads, { ...range, parties }, reading)
  return new ShownPages(pages, show)
}

async function* pagesDown(
  reads: StreamReads,
  { begin, end }: Omit<DownRange, 'parties'>,
  reading: Ahead,
): AsyncGenerator<UpdateRecord[]> {
  let size = FIRST_PAGE
  for (let high = end; high > begin && !reading.signal.aborted;) {
    const after = high - BigInt(size) > begin ? high - BigInt(size) : begin
    const page = await readPage(reads, { after, end: high, size: Number(high - after) }, reading)
    if (page.at(-1)?.offset !== high && size > 1) {
      size = Math.ceil(size / Number(SHRINKING))
      continue
    }
    size = nextSize(page)
    yield page.reverse()
    high = after
  }
}

/**
 * What the parties saw, by stretches of offsets from the end down: a store finds what comes after
 * an offset. A stretch that has more than a page is tried again shorter, and after one with little
 * comes one twice as long, so that few are looked at however little the parties saw.
 */
async function* seenDown(
  reads: StreamReads,
  { begin, end, parties }: Omit<SeenRange, 'spared'>,
  reading: Ahead,
): AsyncGenerator<UpdateRecord[]> {
  let length = BigInt(FIRST_PAGE)
  for (let high = end; high > begin && !reading.signal.aborted;) {
    const after = high - length > begin ? high - length : begin
    const asked = { parties, after, until: high, limit: MAX_PAGE }
    const { updates, upTo: last } = await readSeen(reads, asked, reading)
    await requireKept(reads, { begin: after, end })
    if (last < high && high - after > 1n) {
      length = (high - after + SHRINKING - 1n) / SHRINKING
      continue
    }
    const seen = upTo(updates, high)
    if (seen.length < FIRST_PAGE) length *= 2n
    yield seen.reverse()
    high = after
  }
}

/** Updates of a page up to an end, in its place. */
function upTo(page: UpdateRecord[], end: bigint | undefined): UpdateRecord[] {
  const beyond = end === undefined ? -1 : page.findIndex(({ offset }) => offset > end)
  if (beyond >= 0) page.splice(beyond)
  return page
}

interface Seen {
  readonly updates: UpdateRecord[]
  readonly upTo: bigint
}

/** Updates that the parties saw, read for one reader, who empties it. */
function readSeen(
  { tail, pages }: StreamReads,
  asked: Parameters<SharedPages['seenBy']>[0],
  reading: Ahead,
): Promise<Seen> {
  const read = async (): Promise<Seen> => {
    await tail.turn()
    const { updates, upTo } = await pages.seenBy(asked)
    return { updates: [...updates], upTo }
  }
  return readAhead(reading, read, ({ updates }) => charsOf(updates))
}

async function readPage(
  reads: StreamReads,
  { after, end, size }: Page,
  reading: Ahead,
): Promise<UpdateRecord[]> {
  const read = async (): Promise<UpdateRecord[]> => {
    await reads.tail.turn()
    return [...(await reads.pages.after(after, size))]
  }
  const page = await readAhead(reading, read, charsOf)
  await requireNext(reads, page[0], { at: after, end })
  return page
}

async function requireKept(
  { store }: StreamReads,
  range: { readonly begin: bigint; readonly end: bigint },
): Promise<void> {
  const pruned = await store.updates.prunedUpTo()
  if (pruned.participant > range.begin) throw new StreamFailure(prunedUpdates(range, pruned))
}

/** The next size: at most twice the former, and so many that they weigh what they may. */
function nextSize(page: readonly UpdateRecord[]): number {
  const fitting = Math.floor((FEED_PAGE_BYTES * page.length) / Math.max(charsOf(page), 1))
  return Math.max(1, Math.min(MAX_PAGE, 2 * Math.max(page.length, FIRST_PAGE), fitting))
}

function charsOf(page: readonly UpdateRecord[]): number {
  return page.reduce((sum, { body }) => sum + body.length, 0)
}

/** Offsets are dense, so the first of a page is the next one, unless it was pruned meanwhile. */
async function requireNext(
  { store }: StreamReads,
  first: UpdateRecord | undefined,
  { at, end }: { readonly at: bigint; readonly end: bigint | undefined },
): Promise<void> {
  if (first === undefined ? end === undefined : first.offset === at + 1n) return
  const pruned = await store.updates.prunedUpTo()
  if (pruned.participant > at)
    throw new StreamFailure(prunedUpdates({ begin: at, end: end ?? pruned.participant }, pruned))
  throw new StreamFailure(ledgerError('LEDGER_API_INTERNAL_ERROR', {}))
}
