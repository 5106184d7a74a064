// Deletes what is pruned, slice by slice: nobody finds any of it by then.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SLICE } from './tables.ts'
import type { LogTable, Tables } from './tables.ts'
import type { ContractEntry } from './active-index.ts'

/** Everything that goes with the updates after `before` up to what is pruned. */
export async function deletePruned(tables: Tables, before: bigint): Promise<void> {
  const { prunedUpTo, facts, logs, templates } = tables
  for (let [offset, rows] = [before + 1n, 0]; offset <= prunedUpTo; offset += 1n) {
    rows += 1 + (tables.seenBy.get(offset)?.length ?? 0)
    forgetUpdate(tables, offset)
    if (rows < SLICE) continue
    rows = 0
    await nextTurn()
  }
  await inSlices(tables.allContracts.filter(isGone), ({ contract }) =>
    tables.contracts.delete(contract.contractId),
  )
  tables.allContracts = tables.allContracts.filter((entry) => !isGone(entry))
  for (const template of templates.values()) template.drop(isGone)
  await inSlices(logs.values(), (table) => forgetLines(table, prunedUpTo))
  await inSlices([...facts.pruned(prunedUpTo)], (fact) => facts.prune(fact, prunedUpTo))

  function isGone({ archivedOffset }: ContractEntry): boolean {
    return archivedOffset > 0n && archivedOffset <= prunedUpTo
  }
}

function forgetUpdate({ updates, updateOffsets, ...tables }: Tables, offset: bigint): void {
  // Pruned in order, so that each is its parties' first.
  for (const party of tables.seenBy.get(offset) ?? []) tables.sightings.get(party)?.shift()
  tables.seenBy.delete(offset)
  updateOffsets.delete(updates.get(offset)?.updateId ?? '')
  updates.delete(offset)
}

/** Offsets rise with lines. */
function forgetLines(table: LogTable, upTo: bigint): void {
  const kept = table.lines.findIndex(({ offset }) => offset > upTo)
  const gone = table.lines.slice(0, kept < 0 ? table.lines.length : kept)
  for (const { id } of gone) table.numbers.delete(id)
  table.lines = table.lines.slice(gone.length)
  table.pruned += gone.length
}

async function inSlices<T>(items: Iterable<T>, act: (item: T) => unknown): Promise<void> {
  let count = 0
  for (const item of items) {
    act(item)
    count += 1
    if (count % SLICE === 0) await nextTurn()
  }
}
