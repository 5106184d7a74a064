// The earlier lists of what was done with coin: made from the updates as they are read, in either
// direction. domain/wire.md §2.4
import type { ListActivityResponseItem } from '../../../generated/scan/types.gen.ts'
import { notFound, PlainError } from '../../economy/errors.ts'
import type { Economy } from '../../economy/economy.ts'
import { decodeUpdate } from '../../engine/index.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import { Stretches } from '../../loop/stretches.ts'
import { timeText } from '../../participant/time.ts'
import type { UpdateRecord } from '../../store/store.ts'
import { Page } from '../pages.ts'
import { activityItems, mayHaveItems } from './activity-items.ts'
import { offsetText } from './update-wire.ts'

/** Updates that are read together. */
const SLICE = 64
const SLICE_BYTES = 262_144
const EVENT_ID = /^(.{1,255}):(\d{1,9})$/

type Reads = Pick<Economy, 'node' | 'store'>

/** Which items, and where they begin. */
export interface ActivityQuery {
  readonly order: 'asc' | 'desc'
  /** `event_id` of the last one seen. */
  readonly after: string | undefined
  readonly pageSize: bigint
  /** Once it aborts nobody waits for the page. */
  readonly signal: AbortSignal
}

/** Where a page begins: an update, and what of it was seen. */
interface Start {
  readonly offset: bigint
  readonly node: number
}

/** A page of items; 404 where the event after which it begins is not known. */
export async function activitiesPage(
  economy: Reads,
  { order, after, pageSize, signal }: ActivityQuery,
): Promise<readonly ListActivityResponseItem[] | PlainError> {
  const start = after === undefined ? undefined : await startAt(economy, after)
  if (start instanceof PlainError) return start
  const page = new Page<ListActivityResponseItem>(Number(pageSize))
  const stretches = new Stretches()
  for await (const records of slices(economy, order, start)) {
    for (const record of records) {
      await stretches.pause()
      if (signal.aborted) return []
      for (const item of itemsOf(economy, record, order, start))
        if (!page.add(item) || page.isFull) return page.items
    }
    await stretches.pause()
    if (signal.aborted) return []
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

/** Updates from the start on, or from the end back; the first slice has the one to begin in. */
async function* slices(
  { store: { contracts, updates } }: Reads,
  order: ActivityQuery['order'],
  start: Start | undefined,
): AsyncGenerator<readonly UpdateRecord[], void> {
  if (order === 'asc') {
    for (let offset = start === undefined ? 0n : start.offset - 1n; ;) {
      const records = await contracts.updatesAfter(offset, SLICE, SLICE_BYTES)
      yield records
      const last = records.at(-1)
      if (last === undefined) return
      offset = last.offset
    }
  }
  const { participant: oldest } = await updates.prunedUpTo()
  let until = start === undefined ? (await contracts.ledgerEnd()).offset : start.offset
  while (until > oldest) {
    const from = until - BigInt(SLICE) > oldest ? until - BigInt(SLICE) : oldest
    yield await between(contracts, from, until)
    until = from
  }
}

/** All updates after one offset and up to another, newest first, in reads of bounded size. */
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
  return all.reverse()
}
