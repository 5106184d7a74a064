// Deletes what is pruned: in batches, each a transaction of its own, so that no other request waits
// for long. What a killed process left is deleted by the next pruning. Prunings at once, also those
// of other servers, take turns by the row that says up to where the ledger is pruned.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stakeHolderOf } from './contract-rows.ts'
import { call, textOf, together, touched } from './database.ts'
import { PRUNE, PRUNE_BULK } from './prune-statements.ts'
import { forgetSightings } from './seen-updates.ts'
import { stakeRows } from './stakes.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'

const PARTS: readonly (() => Work<readonly Row[]>)[] = [
  dropUpdates,
  dropContracts,
  () => call(PRUNE.logs),
  () => call(PRUNE.facts),
]

/** Everything below what is pruned. */
export async function deletePruned(database: Database): Promise<void> {
  for (const part of PARTS) {
    // Others have their turn between two batches, also where the database works in this thread.
    while (await database.transact(() => batch(part))) await nextTurn()
  }
}

/** Whether there was anything to delete. */
function* batch(part: () => Work<readonly Row[]>): Work<boolean> {
  yield* call(STATEMENTS.lockPruning)
  return touched(yield* part())
}

function* dropUpdates(): Work<readonly Row[]> {
  const dropped = yield* call(PRUNE.updates)
  yield* forgetSightings(dropped)
  return dropped
}

/** Drops contracts, with what finds them in snapshots, and where they moved. */
function* dropContracts(): Work<readonly Row[]> {
  const dropped = yield* call(PRUNE.contracts)
  if (dropped.length === 0) return dropped
  const stakes = dropped
    .flatMap((row) => stakeRows(stakeHolderOf(row)))
    .map(([party, template, node, sequence]) => [party, template, node, sequence] as const)
  yield* together([
    ...(stakes.length === 0 ? [] : [{ statement: PRUNE_BULK.dropStakes, rows: stakes }]),
    {
      statement: PRUNE_BULK.dropAssignments,
      rows: dropped.map((row) => [textOf(row, 'contract_id')]),
    },
  ])
  return dropped
}
