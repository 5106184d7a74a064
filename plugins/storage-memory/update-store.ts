// Updates in memory. Divulged events are kept with the update that shows them, so both pruned
// offsets are one.
import { deletePruned } from './prune.ts'
import { checker } from './tables.ts'
import { countFirst } from './sorted-list.ts'
import type {
  ContractStore,
  SeenQuery,
  SeenUpdates,
  UpdateRecord,
  UpdateStore,
} from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

export function updateStore(tables: Tables): UpdateStore {
  const { updates, updateOffsets } = tables
  const check = checker(tables)
  const kept = (offset: bigint): UpdateRecord | undefined =>
    offset > tables.prunedUpTo ? updates.get(offset) : undefined
  return {
    ledgerEnd: async () => check() && tables.ledgerEnd,
    prunedUpTo: async () =>
      check() && { participant: tables.prunedUpTo, divulged: tables.prunedUpTo },
    prune: async (upTo) => check() && prune(tables, upTo),
    byOffset: async (offset) => check() && kept(offset),
    byId: async (updateId) => check(updateId) && kept(updateOffsets.get(updateId) ?? 0n),
  }
}

/** What the contract engine asks of updates. Offsets are dense, and record times rise with them. */
export function updatesOf(
  tables: Tables,
): Pick<ContractStore, 'updatesAfter' | 'updatesSeenBy' | 'updateAt'> {
  const check = checker(tables)
  return {
    updatesAfter: async (offset, limit, maxBytes = Infinity) =>
      check() && updatesAfter(tables, offset, { limit, maxBytes }),
    updatesSeenBy: async (query) => check(...query.parties) && updatesSeenBy(tables, query),
    updateAt: async (recordTime) => check() && updateAt(tables, recordTime),
  }
}

function updatesAfter(
  { updates, prunedUpTo, ledgerEnd }: Tables,
  offset: bigint,
  { limit, maxBytes }: { readonly limit: number; readonly maxBytes: number },
): UpdateRecord[] {
  const page: UpdateRecord[] = []
  let bytes = 0
  for (
    let at = (offset > prunedUpTo ? offset : prunedUpTo) + 1n;
    at <= ledgerEnd && page.length < limit;
    at += 1n
  ) {
    const update = updates.get(at)
    bytes += Buffer.byteLength(update?.body ?? '')
    if (bytes > maxBytes && page.length > 0) break
    if (update !== undefined) page.push(update)
  }
  return page
}

/** Notes who sees the update that was written last. */
export function see(tables: Tables, offset: bigint, parties: ReadonlySet<string>): void {
  if (parties.size > 0) tables.seenBy.set(offset, [...parties])
  for (const party of parties) {
    const offsets = tables.sightings.get(party)
    if (offsets === undefined) tables.sightings.set(party, [offset])
    else offsets.push(offset)
  }
}

function updatesSeenBy(
  { updates, sightings, prunedUpTo, ledgerEnd }: Tables,
  { parties, after, until = ledgerEnd, limit, maxBytes = Infinity }: SeenQuery,
): SeenUpdates {
  const end = until < ledgerEnd ? until : ledgerEnd
  const from = after > prunedUpTo ? after : prunedUpTo
  const seen = parties.flatMap((party) => {
    const offsets = sightings.get(party) ?? []
    const first = countFirst(offsets, (offset) => offset <= from)
    return offsets.slice(first, first + limit).filter((offset) => offset <= end)
  })
  const offsets = [...new Set(seen)].toSorted((one, other) => Number(one - other)).slice(0, limit)
  const page: UpdateRecord[] = []
  let bytes = 0
  for (const offset of offsets) {
    const update = updates.get(offset)
    bytes += Buffer.byteLength(update?.body ?? '')
    if (bytes > maxBytes && page.length > 0) break
    if (update !== undefined) page.push(update)
  }
  const isWhole = offsets.length < limit && page.length === offsets.length
  const last = page.at(-1)?.offset ?? after
  return { updates: page, upTo: isWhole && end > last ? end : last }
}

function updateAt(
  { updates, prunedUpTo, ledgerEnd }: Tables,
  time: bigint,
): Omit<UpdateRecord, 'body'> | undefined {
  let low = prunedUpTo
  let high = ledgerEnd
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if ((updates.get(middle)?.recordTime ?? 0n) <= time) low = middle
    else high = middle - 1n
  }
  const update = updates.get(low)
  return (
    update && { offset: update.offset, updateId: update.updateId, recordTime: update.recordTime }
  )
}

async function prune(tables: Tables, upTo: bigint): Promise<'pruned' | 'after-end' | 'nothing'> {
  if (upTo > tables.ledgerEnd) return 'after-end'
  if (upTo <= tables.prunedUpTo) return 'nothing'
  const before = tables.prunedUpTo
  tables.prunedUpTo = upTo
  await deletePruned(tables, before)
  return 'pruned'
}
