// Migration, backup and restore of an SQLite file, on connections of their own. A snapshot is one read transaction: the
// service goes on writing into the log meanwhile.
import { existsSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { sqliteCell } from './backup-values.ts'
import { sqlMaintenance } from './maintenance.ts'
import { SILENT, StorageRefused } from './migrations.ts'
import { appliedMigrations, openSqlite, reasonOf } from './sqlite-database.ts'
import { makeDatabase, refuseHalf } from './sqlite-file.ts'
import type { StorageMaintenance } from '../../runtime/index.ts'
import type { BackupTable } from './backup-tables.ts'
import type { Snapshot } from './backup-writer.ts'
import type { Target } from './restore.ts'

type Connection = SqliteDatabase.Database

const BUSY_TIMEOUT_MS = 5_000

/** Of a file; opens nothing yet. */
export function sqliteMaintenance(file: string): StorageMaintenance {
  return sqlMaintenance({
    location: file,
    applied: () => naming(file, async () => {
      refuseHalf(file)
      return existsSync(file) ? reading(file, async (connection) => appliedMigrations(connection)) : []
    }),
    migrate: async () => (await openSqlite({ dialect: 'sqlite', file })).close(),
    snapshot: (read) => naming(file, () => {
      refuseHalf(file)
      if (!existsSync(file)) throw new StorageRefused('it is not there')
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

function snapshotOf(connection: Connection): Snapshot {
  return { applied: appliedMigrations(connection), rows: (table) => rowsOf(connection, table) }
}

async function* rowsOf(connection: Connection, { name, columns, key }: BackupTable): AsyncGenerator<readonly unknown[][]> {
  const list = columns.map((column) => column.name).join(', ')
  const statement = connection.prepare<unknown[], unknown[]>(`select ${list} from ${name} order by ${key.join(', ')}`)
  for (const row of statement.raw().safeIntegers().iterate()) yield [row]
}

async function changing<T>(file: string, write: (target: Target) => Promise<T>): Promise<T> {
  const { default: knex } = await import('knex')
  await makeDatabase(file)
  const connection = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS })
  const database = knex({ client: 'better-sqlite3', useNullAsDefault: true, connection: { filename: file }, log: SILENT })
  try {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return await database.transaction((transaction) =>
      write({ transaction, insert: async (table, rows) => insert(connection, table, rows) }), { connection })
  } finally {
    await database.destroy()
    connection.close()
  }
}

function insert(connection: Connection, { name, columns }: BackupTable, rows: readonly (readonly unknown[])[]): boolean {
  const list = columns.map((column) => column.name).join(', ')
  const statement = connection.prepare(`insert into ${name} (${list}) values (${columns.map(() => '?').join(', ')})`)
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
    if (!(error instanceof StorageRefused || error instanceof SqliteDatabase.SqliteError)) throw error
    throw new Error(`Cannot use the data file ${file}: ${reasonOf(error)}`, { cause: error })
  }
}
