// How much each table holds, and what of it a pruning would delete.
import type { StorageSizes, TableSize } from '../../runtime/index.ts'
import type { Inspectable } from './inspection.ts'

/** True of the rows that a pruning up to UP_TO deletes. */
const PRUNABLE: Readonly<Record<string, string>> = {
  updates: 'ledger_offset <= UP_TO',
  sightings: 'ledger_offset <= UP_TO',
  contracts: 'archived_offset > 0 and archived_offset <= UP_TO',
  stakes: 'archived_offset > 0 and archived_offset <= UP_TO',
  logs: 'ledger_offset <= UP_TO',
  facts: 'pruned_with > 0 and pruned_with <= UP_TO',
}

/** Largest first. */
export async function sizesOf(
  { column, tableBytes }: Pick<Inspectable, 'column' | 'tableBytes'>,
  keepUpdates: number,
): Promise<StorageSizes> {
  const [end = '0'] = await column('select last_offset from ledger_end')
  const last = BigInt(end) - BigInt(keepUpdates)
  const pruneUpTo = last > 0n ? last : 0n
  const tables: TableSize[] = []
  for (const line of await column(tableBytes)) {
    const [name = '', bytes] = line.split(' ')
    const count = async (where: string): Promise<number> =>
      Number((await column(`select count(*) from ${name} ${where}`))[0])
    const condition = PRUNABLE[name]?.replaceAll('UP_TO', String(pruneUpTo))
    const rows = await count('')
    const prunableRows = condition === undefined ? 0 : await count(`where ${condition}`)
    const prunableBytes = rows === 0 ? 0 : Math.round((Number(bytes) * prunableRows) / rows)
    tables.push({ name, rows, bytes: Number(bytes), prunableRows, prunableBytes })
  }
  return { pruneUpTo, tables: tables.toSorted((one, other) => other.bytes - one.bytes) }
}
