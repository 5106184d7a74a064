// Updates in memory. Divulged events are kept with the update that shows them, so both pruned offsets are one.
import { checker } from './tables.ts'
import type { ContractStore, UpdateRecord, UpdateStore } from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

export function updateStore(tables: Tables): UpdateStore {
  const { updates, updateOffsets } = tables
  const check = checker(tables)
  return {
    ledgerEnd: async () => check() && tables.ledgerEnd,
    prunedUpTo: async () => check() && { participant: tables.prunedUpTo, divulged: tables.prunedUpTo },
    prune: async (upTo) => check() && prune(tables, upTo),
    byOffset: async (offset) => check() && updates.get(offset),
    byId: async (updateId) => check(updateId) && updates.get(updateOffsets.get(updateId) ?? 0n),
  }
}

/** What the contract engine asks of updates. Offsets are dense, and record times rise with them. */
export function updatesOf(tables: Tables): Pick<ContractStore, 'updatesAfter' | 'updateAt'> {
  const check = checker(tables)
  return {
    updatesAfter: async (offset, limit, maxBytes = Infinity) => check() && updatesAfter(tables, offset, { limit, maxBytes }),
    updateAt: async (recordTime) => check() && updateAt(tables, recordTime),
  }
}

function updatesAfter(
  { updates, prunedUpTo, ledgerEnd }: Tables, offset: bigint, { limit, maxBytes }: { readonly limit: number; readonly maxBytes: number },
): UpdateRecord[] {
  const page: UpdateRecord[] = []
  let bytes = 0
  for (let at = (offset > prunedUpTo ? offset : prunedUpTo) + 1n; at <= ledgerEnd && page.length < limit; at += 1n) {
    const update = updates.get(at)
    bytes += Buffer.byteLength(update?.body ?? '')
    if (bytes > maxBytes && page.length > 0) break
    if (update !== undefined) page.push(update)
  }
  return page
}

function updateAt({ updates, prunedUpTo, ledgerEnd }: Tables, time: bigint): Omit<UpdateRecord, 'body'> | undefined {
  let low = prunedUpTo
  let high = ledgerEnd
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if ((updates.get(middle)?.recordTime ?? 0n) <= time) low = middle
    else high = middle - 1n
  }
  const update = updates.get(low)
  return update && { offset: update.offset, updateId: update.updateId, recordTime: update.recordTime }
}

function prune(tables: Tables, upTo: bigint): 'pruned' | 'after-end' | 'nothing' {
  if (upTo > tables.ledgerEnd) return 'after-end'
  if (upTo <= tables.prunedUpTo) return 'nothing'
  for (let offset = tables.prunedUpTo + 1n; offset <= upTo; offset += 1n) forget(tables, offset)
  tables.prunedUpTo = upTo
  return 'pruned'
}

function forget({ updates, updateOffsets }: Tables, offset: bigint): void {
  updateOffsets.delete(updates.get(offset)?.updateId ?? '')
  updates.delete(offset)
}
