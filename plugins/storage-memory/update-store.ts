// Updates in memory. Divulged events are kept with the update that shows them, so both pruned offsets are one.
import { checker } from './tables.ts'
import type { UpdateStore } from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

export function updateStore(tables: Tables): UpdateStore {
  const { updates } = tables
  const check = checker(tables)
  return {
    ledgerEnd: async () => check() && tables.ledgerEnd,
    prunedUpTo: async () => check() && { participant: tables.prunedUpTo, divulged: tables.prunedUpTo },
    prune: async (upTo) => check() && prune(tables, upTo),
    byOffset: async (offset) => check() && updates.get(offset),
    byId: async (updateId) => check(updateId) && updates.values().find((update) => update.updateId === updateId),
  }
}

function prune(tables: Tables, upTo: bigint): 'pruned' | 'after-end' | 'nothing' {
  if (upTo > tables.ledgerEnd) return 'after-end'
  if (upTo <= tables.prunedUpTo) return 'nothing'
  for (let offset = tables.prunedUpTo + 1n; offset <= upTo; offset += 1n) tables.updates.delete(offset)
  tables.prunedUpTo = upTo
  return 'pruned'
}
