// Migration, backup and restore of an SQLite file, on connections of their own. A snapshot is one
// read transaction: the service goes on writing into the log meanwhile.
import { existsSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { RANK_DIGITS, sqliteCell } from './backup-values.ts'
import { sqlMaintenance } from './maintenance.ts'
import { SILENT, StorageRejected } from './migrations.ts'
import { appliedMigrations, openSqlite, reasonOf } from './sqlite-database.ts'
import { makeDatabase, refuseHalf } from './sqlite-file.ts'
import type { StorageMaintenance } from '../../runtime/index.ts'
import { columnList } from './tables.ts'
import type { Table } from './tables.ts'
import type { Inspectable } from './inspection.ts'
import type { Target } from './restore.ts'

type Connection = SqliteDatabase.Database

const BUSY_TIMEOUT_MS = 5_000
/** Reads the head of every page. */
const TABLE_BYTES = `select tbl_name || ' ' || sum(pgsize) from dbstat
  join sqlite_schema on sqlite_schema.name = dbstat.name where aggregate = true group by tbl_name`
/** Faults of one kind that are told. */
const MOST_FOUND = 100

/** Maintenance of a file; opens nothing yet. */
export function sqliteMaintenance(file: string): StorageMaintenance {
  return sqlMaintenance({
    location: file,
    applied: () =>
      naming(file, async () => {
        refuseHalf(file)
        return existsSync(file)
          ? reading(file, async (connection) => appliedMigrations(connection))
          : []
      }),
    migrate: async () => (await openSqlite({ dialect: 'sqlite', file })).close(),
    snapshot: (read) =>
      naming(file, () => {
        refuseHalf(file)
        if (!existsSync(file)) throw new StorageRejected('it is not there')
        return reading(file, (connection) => read(snapshotOf(connection)))
      }),
    change: (write) => naming(file, () => changing(file, write)),
  })
}

async function reading<T>(file: string, read: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new SqliteDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    connection.exec('begin')
    return await read(connection)
  } finally {
    connection.close()
  }
}

function snapshotOf(connection: Connection): Inspectable {
  return {
    applied: appliedMigrations(connection),
    rows: (table) => rowsOf(connection, table),
    check: async () => ownProblems(connection),
    column: async (sql) => connection.prepare<unknown[], unknown>(sql).pluck().all().map(String),
    tableBytes: TABLE_BYTES,
    damageIn: (error) => (isDamage(error) ? reasonOf(error) : undefined),
  }
}

/** Errors of a lock that another process holds are the only ones that pass. */
function isDamage(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && !error.code.startsWith('SQLITE_BUSY')
}

function ownProblems(connection: Connection): readonly string[] {
  const broken = connection
    .prepare<unknown[], string>('pragma integrity_check')
    .pluck()
    .all()
    .filter((line) => line !== 'ok')
  const orphans = connection
    .prepare<unknown[], string>(
      `select 'a row of ' || "table" || ' refers to a row of ' || parent
    || ' that is not there' from pragma_foreign_key_check limit ${MOST_FOUND}`,
    )
    .pluck()
    .all()
  const ranks = connection
    .prepare<unknown[], string>(
      `select contract_id from contracts where length(rank) <> ${RANK_DIGITS}
    limit ${MOST_FOUND}`,
    )
    .pluck()
    .all()
  return [
    ...broken.map((line) => line.replaceAll(/\s+/g, ' ')),
    ...orphans,
    ...ranks.map((id) => `the rank of contract ${id} does not sort as a number`),
  ]
}

async function* rowsOf(connection: Connection, table: Table): AsyncGenerator<readonly unknown[][]> {
  const statement = connection.prepare<unknown[], unknown[]>(
    `select ${columnList(table)} from ${table.name} order by ${table.key.join(', ')}`,
  )
  for (const row of statement.raw().safeIntegers().iterate()) yield [row]
}

async function changing<T>(file: string, write: (target: Target) => Promise<T>): Promise<T> {
  const { default: knex } = await import('knex')
  await makeDatabase(file)
  const connection = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS })
  const database = knex({
    client: 'better-sqlite3',
    useNullAsDefault: true,
    connection: { filename: file },
    log: SILENT,
  })
  try {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return await database.transaction(
      (transaction) =>
        write({ transaction, insert: async (table, rows) => insert(connection, table, rows) }),
      { connection },
    )
  } finally {
    await database.destroy()
    connection.close()
  }
}

function insert(
  connection: Connection,
  table: Table,
  rows: readonly (readonly unknown[])[],
): boolean {
  const { name, columns } = table
  const statement = connection.prepare(
    `insert into ${name} (${columnList(table)}) values (${columns.map(() => '?').join(', ')})`,
  )
  return rows.every((row) => {
    const cells = columns.map(({ kind }, index) => sqliteCell(kind, row[index]))
    if (cells.includes(undefined)) return false
    statement.run(cells)
    return true
  })
}

async function naming<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StorageRejected || error instanceof SqliteDatabase.SqliteError))
      throw error
    throw new Error(`Cannot use the data file ${file}: ${reasonOf(error)}`, { cause: error })
  }
}
