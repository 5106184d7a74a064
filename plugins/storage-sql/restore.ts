// Fills empty storage from a backup, as the steps of one transaction.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BackupRejected } from './backup-format.ts'
import { stakeHolderOf } from './contract-rows.ts'
import { textOf } from './database.ts'
import {
  MIGRATIONS_TABLE,
  migrateWithin,
  refuseNewerSchema,
  schemaState,
  StorageRejected,
} from './migrations.ts'
import { stakeRows } from './stakes.ts'
import { SAVED_TABLES, tableNamed, TABLES } from './tables.ts'
import type { Knex } from 'knex'
import type { BackupTableSummary, FactRecord } from '../../runtime/index.ts'
import type { Row } from './database.ts'
import type { Receiver } from './backup-reader.ts'
import type { Table } from './tables.ts'

/** A transaction that is under way. */
export interface Target {
  readonly transaction: Knex.Transaction
  /**
   * Rows as a backup has them. False where a value is none of its column's kind: then none was
   * written.
   */
  insert(table: Table, rows: readonly (readonly unknown[])[]): Promise<boolean>
}

/**
 * Takes a backup into the transaction. Its caller ends that, well or not.
 *
 * @param facts in the place of those of the backup
 */
export function restorer(target: Target, facts: readonly FactRecord[] = []): Receiver {
  const { transaction, insert } = target
  return {
    begin: () => prepare(transaction),
    rows: async (table, rows) => {
      if (!(await insert(table, rows))) throw new BackupRejected('was altered after it was taken')
    },
    end: async (tables) => {
      await assertWhole(transaction, tables)
      await assertLedgerFits(transaction)
      await fillStakes(target)
      for (const { kind, key, body } of facts)
        await transaction('facts')
          .insert({ kind, fact_key: key, body, pruned_with: 0 })
          .onConflict(['kind', 'fact_key'])
          .merge()
    },
  }
}

/** Leaves no table. Throws StorageRejected where a newer version wrote them. */
export async function removeAll({ transaction }: Target): Promise<void> {
  if ((await appliedIn(transaction)).length === 0) return
  const tables = TABLES.map(({ name }) => name).toReversed()
  for (const name of [...tables, MIGRATIONS_TABLE, `${MIGRATIONS_TABLE}_lock`])
    await transaction.schema.dropTable(name)
}

/** Leaves tables without a row. */
async function prepare(transaction: Knex.Transaction): Promise<void> {
  await appliedIn(transaction)
  await migrateWithin(transaction)
  await emptyTables(transaction)
}

/** Throws StorageRejected where a newer version wrote the data. */
async function appliedIn(transaction: Knex.Transaction): Promise<readonly string[]> {
  if (!(await transaction.schema.hasTable(MIGRATIONS_TABLE))) return []
  const applied: readonly string[] = await transaction(MIGRATIONS_TABLE).pluck('name')
  if (schemaState(applied) === 'newer') refuseNewerSchema(applied)
  return applied
}

/**
 * Takes the rows that a schema comes with out; refuses others. A server that writes meanwhile waits
 * for those rows, or is seen.
 */
async function emptyTables(transaction: Knex.Transaction): Promise<void> {
  for (const table of SAVED_TABLES.toReversed()) {
    const { name } = table
    if (table.initial !== undefined) await transaction(name).whereRaw(isInitial(table)).delete()
    const others: unknown[] = await transaction(name).select(transaction.raw('1 as found')).limit(1)
    if (others.length > 0)
      throw new StorageRejected(
        `it holds data (table ${name}); a backup goes into empty storage only`,
      )
  }
}

function isInitial({ columns, initial = [] }: Table): string {
  return columns
    .map(({ name }, index) => `${name} = ${initial[index]}`)
    .filter((condition) => !condition.endsWith('null'))
    .join(' and ')
}

/** Contracts that are in memory at a time. */
const PAGE = 1_000

/** The columns of a contract that its stakes come from: a payload may be large. */
const STAKE_COLUMNS = [
  'sequence',
  'template_id',
  'package_name',
  'created_offset',
  'archived_offset',
  'signatories',
  'observers',
]

/** Stakes say nothing that contracts do not say: they are made from them. */
async function fillStakes({ transaction, insert }: Target): Promise<void> {
  const columns = STAKE_COLUMNS.map((name) => `cast(${name} as text) as ${name}`)
  for (let after = '0'; ;) {
    const contracts: readonly Row[] = await transaction('contracts')
      .where('sequence', '>', after)
      .orderBy('contracts.sequence')
      .limit(PAGE)
      .select(transaction.raw(columns.join(', ')))
    const stakes = contracts.flatMap((row) => stakeRows(stakeHolderOf(row)))
    await insert(
      tableNamed('stakes'),
      stakes.map((row) => row.map(String)),
    )
    const last = contracts.at(-1)
    if (last === undefined || contracts.length < PAGE) return
    after = textOf(last, 'sequence')
    await nextTurn()
  }
}

/** Asserts that the tables hold what the trailer says. */
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

/** Faults of the ledger's end against updates, contracts and lines, each with its condition. */
const LEDGER_RULES: Readonly<Record<string, string>> = {
  'there is not one ledger end': '(select count(*) from ledger_end) <> 1',
  'updates are missing': `(select count(*) from updates where ledger_offset > (select up_to from pruning))
    <> (select last_offset from ledger_end) - (select up_to from pruning)`,
  'an update is after the ledger end': `exists (select 1 from updates, ledger_end
    where ledger_offset > last_offset or updates.record_time > ledger_end.record_time)`,
  'a contract is after the ledger end': `exists (select 1 from contracts, ledger_end
    where sequence > last_sequence or created_offset > last_offset or archived_offset > last_offset)`,
  'a line of a log is after the ledger end':
    'exists (select 1 from logs, ledger_end where line > last_log_line)',
}

async function assertLedgerFits(transaction: Knex.Transaction): Promise<void> {
  for (const [fault, condition] of Object.entries(LEDGER_RULES)) {
    const found: unknown[] = await transaction
      .select(transaction.raw('1 as found'))
      .whereRaw(condition)
    if (found.length > 0) throw new BackupRejected(`does not fit together: ${fault}`)
  }
}
