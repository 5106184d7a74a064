// Updates in SQL. Pruning first raises the offset below which nothing is found, then deletes what
// is below it. Divulged events are kept with the update that shows them, so both pruned offsets
// are one.
import { storable } from '../../runtime/index.ts'
import { call, fitsInt64, int64Of, textOf } from './database.ts'
import { deletePruned } from './prune.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'
import type { UpdateRecord, UpdateStore } from '../../runtime/index.ts'

export function updateStore(database: Database): UpdateStore {
  return {
    ledgerEnd: async () => ledgerEndOf(await database.once(STATEMENTS.ledgerEnd)),
    prunedUpTo: async () => {
      const upTo = prunedUpToOf(await database.once(STATEMENTS.prunedUpTo))
      return { participant: upTo, divulged: upTo }
    },
    prune: async (upTo) => {
      const answer = await database.transact(() => raisePruned(upTo))
      if (answer !== 'after-end') await deletePruned(database)
      return answer
    },
    byOffset: async (offset) => {
      if (!fitsInt64(offset)) return undefined
      return (await database.once(STATEMENTS.updateByOffset, offset)).map(updateOf)[0]
    },
    byId: async (updateId) => {
      storable(updateId)
      return (await database.once(STATEMENTS.updateById, updateId)).map(updateOf)[0]
    },
  }
}

/** The ledger end only grows, so it is read without a lock, and commits do not wait. */
function* raisePruned(upTo: bigint): Work<'pruned' | 'after-end' | 'nothing'> {
  const pruned = prunedUpToOf(yield* call(STATEMENTS.lockPruning))
  if (upTo > ledgerEndOf(yield* call(STATEMENTS.ledgerEnd))) return 'after-end'
  if (upTo <= pruned) return 'nothing'
  yield* call(STATEMENTS.raisePruned, upTo)
  return 'pruned'
}

function ledgerEndOf([row = {}]: readonly Row[]): bigint {
  return int64Of(row, 'last_offset')
}

function prunedUpToOf([row = {}]: readonly Row[]): bigint {
  return int64Of(row, 'up_to')
}

function updateOf(row: Row): UpdateRecord {
  return {
    offset: int64Of(row, 'ledger_offset'),
    updateId: textOf(row, 'update_id'),
    recordTime: int64Of(row, 'record_time'),
    body: textOf(row, 'body'),
  }
}
