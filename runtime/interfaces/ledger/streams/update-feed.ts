// Updates in the order of their offsets, without a gap, up to an end or for as long as the caller
// reads. Other work runs after each page, because a store in this process answers immediately. A
// waiting reader keeps no page, because there can be many. A reader for some parties finds their
// updates by an index; near the end of the ledger, all readers share a page.
import { Stretches } from '../../../loop/stretches.ts'
import type { UpdateRecord } from '../../../store/store.ts'
import { ledgerError } from '../../../errors/errors.ts'
import { prunedUpdates } from './offsets.ts'
import type { ReadRange } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import { readAhead, StreamFailure } from './reads.ts'
import { FEED_PAGE_BYTES } from './shared-pages.ts'
import type { SharedPages } from './shared-pages.ts'

const MAX_PAGE = 200
const FIRST_PAGE = 16
/** Where a page downwards has more than that, so many times fewer updates are asked for. */
const SHRINKING = 4n

/** From how many updates before the end on all readers share a page, read and decoded once. */
const SHARED_TAIL = 64n

/** What a reader gets of an update, in order. */
export type Show<T> = (record: UpdateRecord) => Promise<readonly T[]> | readonly T[]

/** Where a reader begins and ends, and for whom. */
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
export async function* upwards<T>(
  reads: StreamReads,
  { begin, end, ledgerEnd, parties }: FeedRange,
  reading: Reading,
  show: Show<T>,
): AsyncGenerator<T> {
  const { signal } = reading
  let after = begin
  if (parties !== undefined)
    after = yield* seenUp(
      reads,
      end === undefined
        ? { begin, end: ledgerEnd, parties, spared: SHARED_TAIL }
        : { begin, end, parties, spared: 0n },
      reading,
      show,
    )
  let size = FIRST_PAGE
  while (!signal.aborted && (end === undefined || after < end)) {
    const page = yield* pageUp(reads, { after, end, size }, reading, show)
    const isFull = page.count === size
    after += BigInt(page.count)
    size = page.next
    if (isFull || end !== undefined) continue
    const left = reading.patience()
    // A page may also have ended before an update that is too large for it.
    if (left <= 0 && page.count > 0) continue
    if (left <= 0) return
    reading.hold?.(0)
    await reads.tail.beyond(after, signal, left)
  }
}

interface SeenRange {
  readonly begin: bigint
  readonly end: bigint
  readonly parties: readonly string[]
  /** Of the last updates so many are left to who reads on. */
  readonly spared: bigint
}

/** What the parties saw; answers up to where. Throws as `upwards`. */
async function* seenUp<T>(
  reads: StreamReads,
  { begin, end, parties, spared }: SeenRange,
  reading: Ahead,
  show: Show<T>,
): AsyncGenerator<T, bigint> {
  let after = begin
  for (let size = FIRST_PAGE; end - after > spared && !reading.signal.aborted;) {
    const { updates, upTo } = await readSeen(reads, { parties, after, limit: size }, reading)
    await requireKept(reads, { begin: after, end })
    const next = nextSize(updates)
    yield* shown(updates.splice(0), show, end)
    if (upTo === after) return after
    after = upTo
    size = next
  }
  return after
}

/** What is read from its end down. */
interface DownRange {
  readonly begin: bigint
  readonly end: bigint
  /** As in `FeedRange`. */
  readonly parties: readonly string[] | undefined
}

/**
 * From `end` down to the one after `begin`, as long as somebody reads. Throws a StreamFailure where
 * updates are pruned.
 */
export async function* downwards<T>(
  reads: StreamReads,
  { begin, end, parties }: DownRange,
  reading: Ahead,
  show: Show<T>,
): AsyncGenerator<T> {
  if (parties !== undefined) return yield* seenDown(reads, { begin, end, parties }, reading, show)
  let size = FIRST_PAGE
  for (let high = end; high > begin && !reading.signal.aborted;) {
    const after = high - BigInt(size) > begin ? high - BigInt(size) : begin
    const page = await readPage(reads, { after, end: high, size: Number(high - after) }, reading)
    if (page.at(-1)?.offset !== high && size > 1) {
      size = Math.ceil(size / Number(SHRINKING))
      continue
    }
    size = nextSize(page)
    yield* shown(page.splice(0).reverse(), show)
    high = after
  }
}

/**
 * What the parties saw, by stretches of offsets from the end down: a store finds what comes after
 * an offset. A stretch that has more than a page is tried again shorter, and after one with little
 * comes one twice as long, so that few are looked at however little the parties saw.
 */
async function* seenDown<T>(
  reads: StreamReads,
  { begin, end, parties }: Omit<SeenRange, 'spared'>,
  reading: Ahead,
  show: Show<T>,
): AsyncGenerator<T> {
  let length = BigInt(FIRST_PAGE)
  for (let high = end; high > begin && !reading.signal.aborted;) {
    const after = high - length > begin ? high - length : begin
    const asked = { parties, after, until: high, limit: MAX_PAGE }
    const { updates, upTo } = await readSeen(reads, asked, reading)
    await requireKept(reads, { begin: after, end })
    if (upTo < high && high - after > 1n) {
      length = (high - after + SHRINKING - 1n) / SHRINKING
      continue
    }
    const seen = updates.splice(0).filter(({ offset }) => offset <= high)
    if (seen.length < FIRST_PAGE) length *= 2n
    yield* shown(seen.reverse(), show)
    high = after
  }
}

/** The updates of a page; then how many there were, and how many the next page may have. */
async function* pageUp<T>(
  reads: StreamReads,
  asked: Page,
  reading: Ahead,
  show: Show<T>,
): AsyncGenerator<T, { readonly count: number; readonly next: number }> {
  const page = await readPage(reads, asked, reading)
  const read = { count: page.length, next: nextSize(page) }
  yield* shown(page.splice(0), show, asked.end)
  return read
}

/** Shows the updates up to an end, and keeps none of them: its reader may take its time. */
async function* shown<T>(updates: UpdateRecord[], show: Show<T>, end?: bigint): AsyncGenerator<T> {
  const stretches = new Stretches()
  const showNext = (): ReturnType<Show<T>> => {
    const next = updates.shift()
    return next === undefined || (end !== undefined && next.offset > end) ? [] : show(next)
  }
  while (updates.length > 0) {
    await stretches.pause()
    yield* await showNext()
  }
}

interface Seen {
  readonly updates: UpdateRecord[]
  readonly upTo: bigint
}

/** What the parties saw, read for one reader, who empties it. */
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

/** At most twice as many as there were, and so many that they weigh what they may. */
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
