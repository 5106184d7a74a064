// Fills empty storage from a backup, as the steps of one transaction: the schema of the backup is
// made, its rows are written, then the schema is brought up to date, so that a migration is all
// that a later version has to know.
import { backupTables, LEFT_OUT } from './backup-tables.ts'
import { BackupRejected } from './backup-format.ts'
import {
  MIGRATIONS_TABLE,
  migrateWithin,
  refuseNewerSchema,
  schemaState,
  SCHEMA_NAMES,
  StorageRejected,
} from './migrations.ts'
import { fillStakes, logLineColumn, SNAPSHOTS_SCHEMA } from './snapshot-schema.ts'
import type { Knex } from 'knex'
import type { BackupTableSummary, FactRecord } from '../../runtime/index.ts'
import type { BackupTable } from './backup-tables.ts'
import type { Receiver } from './backup-reader.ts'

/** A transaction that is under way. */
export interface Target {
  readonly transaction: Knex.Transaction
  /**
   * Rows as a backup has them. False where a value is none of its column's kind: then none was
   * written.
   */
  insert(table: BackupTable, rows: readonly (readonly unknown[])[]): Promise<boolean>
}

/**
 * Takes a backup into the transaction. Its caller ends that, well or not.
 *
 * @param facts in the place of those of the backup
 */
export function restorer(
  { transaction, insert }: Target,
  facts: readonly FactRecord[] = [],
): Receiver {
  return {
    begin: (header) => prepare(transaction, header.applied),
    rows: async (table, rows) => {
      if (!(await insert(table, rows))) throw new BackupRejected('was altered after it was taken')
    },
    end: async ({ applied }, tables) => {
      await assertWhole(transaction, tables)
      if (applied.includes('0003-contracts'))
        await assertLedgerFits(transaction, logLineColumn(applied))
      if (applied.includes(SNAPSHOTS_SCHEMA)) await fillStakes(transaction)
      await migrateWithin(transaction, SCHEMA_NAMES)
      for (const { kind, key, body } of facts)
        await transaction('facts')
          .insert({ kind, fact_key: key, body })
          .onConflict(['kind', 'fact_key'])
          .merge()
    },
  }
}

/** Leaves no table. Throws StorageRejected where a newer version wrote them. */
export async function removeAll({ transaction }: Target): Promise<void> {
  const applied = await appliedIn(transaction)
  if (schemaState(applied) === 'newer') refuseNewerSchema(applied)
  await dropTables(transaction, applied)
}

/** Leaves tables of the backup's schema without a row. */
async function prepare(transaction: Knex.Transaction, wanted: readonly string[]): Promise<void> {
  const applied = await appliedIn(transaction)
  if (schemaState(applied) === 'newer') refuseNewerSchema(applied)
  await emptyTables(transaction, applied)
  if (applied.join() === wanted.join()) return
  await dropTables(transaction, applied)
  await migrateWithin(transaction, wanted)
  await emptyTables(transaction, wanted)
}

async function appliedIn(transaction: Knex.Transaction): Promise<readonly string[]> {
  if (!(await transaction.schema.hasTable(MIGRATIONS_TABLE))) return []
  return transaction(MIGRATIONS_TABLE).orderBy('name').pluck('name')
}

/**
 * Takes the rows that a schema comes with out; refuses others. A server that writes meanwhile waits
 * for those rows, or is seen.
 */
async function emptyTables(
  transaction: Knex.Transaction,
  applied: readonly string[],
): Promise<void> {
  for (const { name, initial } of backupTables(applied).toReversed()) {
    if (initial !== undefined) await transaction(name).whereRaw(initial).delete()
    const others: unknown[] = await transaction(name).select(transaction.raw('1 as found')).limit(1)
    if (others.length > 0)
      throw new StorageRejected(
        `it holds data (table ${name}); a backup goes into empty storage only`,
      )
  }
}

async function dropTables(
  transaction: Knex.Transaction,
  applied: readonly string[],
): Promise<void> {
  const tables = backupTables(applied)
    .map(({ name }) => name)
    .toReversed()
  const own = applied.length === 0 ? [] : [MIGRATIONS_TABLE, `${MIGRATIONS_TABLE}_lock`]
  for (const name of [...LEFT_OUT, ...tables, ...own])
    await transaction.schema.dropTableIfExists(name)
}

/** What the trailer says is what the tables hold now. */
async function assertWhole(
  transaction: Knex.Transaction,
  tables: readonly BackupTableSummary[],
): Promise<void> {
  for (const { name, rows } of tables) {
    const [counted] = await transaction(name).count({ number: '*' })
    const found = Number(counted?.['number'])
    if (found !== rows) throw new StorageRejected(`table ${name} took ${found} of ${rows} rows`)
  }
}

/**
 * What the ledger's end says of updates, contracts and lines; in a condition each. LOG_LINE is a
 * column of it.
 */
const LEDGER_RULES: Readonly<Record<string, string>> = {
  'there is not one ledger end': '(select count(*) from ledger_end) <> 1',
  'updates are missing': `(select count(*) from updates where ledger_offset > (select up_to from pruning))
    <> (select last_offset from ledger_end) - (select up_to from pruning)`,
  'an update is after the ledger end': `exists (select 1 from updates, ledger_end
    where ledger_offset > last_offset or updates.record_time > ledger_end.record_time)`,
  'a contract is after the ledger end': `exists (select 1 from contracts, ledger_end
    where sequence > last_sequence or created_offset > last_offset or archived_offset > last_offset)`,
  'a line of a log is after the ledger end':
    'exists (select 1 from logs, ledger_end where line > LOG_LINE)',
}

async function assertLedgerFits(transaction: Knex.Transaction, logLine: string): Promise<void> {
  for (const [fault, condition] of Object.entries(LEDGER_RULES)) {
    const found: unknown[] = await transaction
      .select(transaction.raw('1 as found'))
      .whereRaw(condition.replace('LOG_LINE', logLine))
    if (found.length > 0) throw new BackupRejected(`does not fit together: ${fault}`)
  }
}
