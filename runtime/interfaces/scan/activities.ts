// The earlier lists of what was done with coin: made from the updates as they are read, in either
// direction. docs/economy-rules.md, "Scan"
import type { ListActivityResponseItem } from '../../../generated/scan/types.gen.ts'
import { notFound, PlainError } from '../../economy/errors.ts'
import type { Economy } from '../../economy/economy.ts'
import { decodeUpdate } from '../../engine/index.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import { scheduler } from '../../work/scheduler.ts'
import { timeText } from '../../participant/time.ts'
import type { UpdateRecord } from '../../store/store.ts'
import { Page } from '../pages.ts'
import { activityItems, mayHaveItems } from './activity-items.ts'
import { BLOCK } from './blank-blocks.ts'
import type { BlankBlocks } from './blank-blocks.ts'
import { offsetText } from './update-wire.ts'

const SLICE_BYTES = 262_144
/** A page that has an item ends after so many blocks, 8,000 updates. */
const BLOCKS = 125
const EVENT_ID = /^(.{1,255}):(\d{1,9})$/

type Reads = Pick<Economy, 'node' | 'store'>

/** The items that are asked for, and where they begin. */
export interface ActivityQuery {
  readonly order: 'asc' | 'desc'
  /** `event_id` of the last one seen. */
  readonly after: string | undefined
  readonly pageSize: bigint
  /** Once it aborts nobody waits for the page. */
  readonly signal: AbortSignal
  /** Blocks in which items were looked for before, and there are none. */
  readonly blank: BlankBlocks
}

/** The start of a page: an update, and what of it was seen. */
interface Start {
  readonly offset: bigint
  readonly node: number
}

/** A page of items; it has none only where there are no more. 404 for an unknown event. */
export async function activitiesPage(
  economy: Reads,
  { order, after, pageSize, signal, blank }: ActivityQuery,
): Promise<readonly ListActivityResponseItem[] | PlainError> {
  const start = after === undefined ? undefined : await startAt(economy, after)
  if (start instanceof PlainError) return start
  const page = new Page<ListActivityResponseItem>(Number(pageSize))
  const pause = scheduler.parts()
  let blocks = 0
  for await (const records of slices(economy, { order, start, blank })) {
    blocks += 1
    for (const record of records) {
      await pause()
      if (signal.aborted) return []
      for (const item of itemsOf(economy, record, order, start))
        if (!page.add(item) || page.isFull) return page.items
    }
    await pause()
    if (signal.aborted) return []
    if (blocks >= BLOCKS && page.items.length > 0) return page.items
  }
  return page.items
}

async function startAt({ store }: Reads, eventId: string): Promise<PlainError | Start> {
  const [, updateId = '', node = ''] = EVENT_ID.exec(eventId) ?? []
  const record =
    updateId !== '' && ledgerStringProblem(updateId) === undefined
      ? await store.updates.byId(updateId)
      : undefined
  return record === undefined
    ? notFound(`No event ${eventId} is known`)
    : { offset: record.offset, node: Number(node) }
}

function itemsOf(
  { node: { synchronizerId } }: Reads,
  { offset, body }: UpdateRecord,
  order: ActivityQuery['order'],
  start: Start | undefined,
): readonly ListActivityResponseItem[] {
  if (!mayHaveItems(body)) return []
  const update = decodeUpdate(body)
  if (update.kind !== 'transaction') return []
  const { updateId, effectiveAt, events } = update.transaction
  const isNew = (node: number): boolean =>
    start?.offset !== offset || (order === 'asc' ? node > start.node : node < start.node)
  const items = activityItems(events).filter(({ node }) => isNew(node))
  const inOrder = order === 'asc' ? items : items.toReversed()
  return inOrder.map(({ node, ...item }) => ({
    ...item,
    event_id: `${updateId}:${node}`,
    offset: offsetText(offset),
    date: timeText(effectiveAt),
    domain_id: synchronizerId,
  }))
}

interface Walk extends Pick<ActivityQuery, 'blank' | 'order'> {
  readonly start: Start | undefined
}

/** Updates that may have items, from the start on or from the end back, block by block. */
async function* slices(
  { store: { contracts, updates } }: Reads,
  { order, start, blank }: Walk,
): AsyncGenerator<readonly UpdateRecord[], void> {
  const isUp = order === 'asc'
  const step = isUp ? 1 : -1
  const { participant: oldest } = await updates.prunedUpTo()
  const lowest = isUp && start !== undefined ? later(start.offset - 1n, oldest) : oldest
  const highest = !isUp && start !== undefined ? start.offset : (await contracts.ledgerEnd()).offset
  const first = Number((isUp ? lowest : highest - 1n) / BLOCK)
  for (let block = blank.next(first, step); block >= 0; block = blank.next(block + step, step)) {
    const begin = BigInt(block) * BLOCK
    const from = later(begin, lowest)
    const until = begin + BLOCK < highest ? begin + BLOCK : highest
    if (from >= until) return
    const told = await between(contracts, from, until)
    if (told.length === 0 && until - from === BLOCK) blank.add(block)
    yield isUp ? told : told.toReversed()
  }
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Items after one offset and up to another, in reads of bounded size. */
async function between(
  contracts: Reads['store']['contracts'],
  from: bigint,
  until: bigint,
): Promise<readonly UpdateRecord[]> {
  const all: UpdateRecord[] = []
  for (let offset = from; offset < until;) {
    const records = await contracts.updatesAfter(offset, Number(until - offset), SLICE_BYTES)
    all.push(...records.filter((record) => record.offset <= until && mayHaveItems(record.body)))
    offset = records.at(-1)?.offset ?? until
  }
  return all
}
