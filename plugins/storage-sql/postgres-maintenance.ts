// Migration, backup and restore of a PostgreSQL database, on connections of their own. A snapshot
// is one read-only transaction with cursors, so that neither side holds a table in memory.
import pg from 'pg'
import { postgresCell } from './backup-values.ts'
import { sqlMaintenance } from './maintenance.ts'
import { SILENT, StorageRejected } from './migrations.ts'
import { describePostgres } from './postgres-address.ts'
import { appliedMigrations, createSchema, messageOf, openPostgres } from './postgres-database.ts'
import { untimed } from './postgres-pool.ts'
import { Primary } from './postgres-primary.ts'
import type { StorageMaintenance } from '../../runtime/index.ts'
import { columnList, WIRE } from './tables.ts'
import type { Table } from './tables.ts'
import type { Inspectable } from './inspection.ts'
import type { PostgresConfig } from './config.ts'
import type { Target } from './restore.ts'

const TABLE_BYTES = `select relname || ' ' || pg_total_relation_size(oid) from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`

/** Size of one fetch, by the size of the rows before; the driver holds it several times. */
const FETCH_BYTES = 1_048_576
const FETCH_ROWS = { first: 2, most: 1_000 }

/** Maintenance of a database; connects to nothing yet. */
export function postgresMaintenance(config: PostgresConfig): StorageMaintenance {
  return sqlMaintenance({
    location: describePostgres(config),
    applied: () => connected(config, appliedMigrations),
    migrate: async () => (await openPostgres({ ...config, poolSize: 2 })).close(),
    snapshot: (read) =>
      connected(config, async (client) => {
        await client.query('begin isolation level repeatable read read only')
        return read(await snapshotOf(client))
      }),
    change: (write) => connected(config, (client) => changing(client, config, write)),
  })
}

/** Acts on a connection of its own, without limits of time; rejects with a line that names it. */
export async function connected<T>(
  config: PostgresConfig,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const primary = new Primary(config)
  await primary.find()
  const client = new pg.Client(untimed({ ...config, connection: primary.connection }))
  // What breaks is told by the next statement.
  client.on('error', () => {})
  try {
    await client.connect().catch((error: unknown) => {
      throw new StorageRejected(reasonOf(error), { cause: error })
    })
    return await act(client)
  } catch (error) {
    if (!(error instanceof StorageRejected || error instanceof pg.DatabaseError)) throw error
    throw new Error(`Cannot use the database ${describePostgres(config)}: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error)
}

async function snapshotOf(client: pg.Client): Promise<Inspectable> {
  return {
    applied: await appliedMigrations(client),
    rows: (table) => rowsOf(client, table),
    // It has no such command; whatever it finds in a page shows when the rows are read.
    check: async () => [],
    column: (sql) =>
      apart(client, async () =>
        (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.map(([value]) =>
          String(value),
        ),
      ),
    tableBytes: TABLE_BYTES,
    damageIn: (error) =>
      error instanceof pg.DatabaseError && DAMAGE.test(error.code ?? '')
        ? messageOf(error)
        : undefined,
  }
}

/** Internal errors, damaged data and indexes among them, and values that are none of their type. */
const DAMAGE = /^(XX|22)/

/** An error ends a transaction, unless it comes after a savepoint. */
async function apart<T>(client: pg.Client, read: () => Promise<T>): Promise<T> {
  await client.query('savepoint apart')
  try {
    return await read()
  } catch (error) {
    await client.query('rollback to savepoint apart').catch(() => {})
    throw error
  }
}

async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<readonly unknown[][]> {
  await client.query('savepoint cursor')
  try {
    yield* fetched(client, table)
  } catch (error) {
    // A connection that is gone says so with the first error.
    await client.query('rollback to savepoint cursor').catch(() => {})
    throw error
  }
  await client.query('release savepoint cursor')
}

async function* fetched(client: pg.Client, table: Table): AsyncGenerator<readonly unknown[][]> {
  await client.query(
    `declare backup_rows no scroll cursor for select ${columnList(table)} from ${table.name} order by ${table.key.join(', ')}`,
  )
  for (let count = FETCH_ROWS.first; ;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${count} from backup_rows`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    yield rows
    count = nextCount(count, rows)
  }
  await client.query('close backup_rows')
}

/** The next fetch, of at most four times as many rows as before: the next ones may be larger. */
function nextCount(count: number, rows: readonly unknown[][]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0)
  const fitting = Math.floor((FETCH_BYTES * rows.length) / bytes)
  return Math.max(1, Math.min(fitting, count * 4, FETCH_ROWS.most))
}

function sizeOf(row: readonly unknown[]): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8),
    1,
  )
}

async function changing<T>(
  client: pg.Client,
  { schema }: PostgresConfig,
  write: (target: Target) => Promise<T>,
): Promise<T> {
  const { default: knex } = await import('knex')
  if (schema !== undefined) await createSchema(client, schema)
  const database = knex({ client: 'pg', log: SILENT })
  try {
    return await database.transaction(
      (transaction) => write({ transaction, insert: (table, rows) => insert(client, table, rows) }),
      { connection: client },
    )
  } finally {
    await database.destroy()
  }
}

async function insert(
  client: pg.Client,
  table: Table,
  rows: readonly (readonly unknown[])[],
): Promise<boolean> {
  const lists = table.columns.map(({ kind }, index) =>
    rows.map((row) => postgresCell(kind, row[index])),
  )
  if (lists.some((list) => list.includes(undefined))) return false
  const types = table.columns.map(({ kind }, index) => `$${index + 1}::${WIRE[kind]}[]`)
  await client.query(
    `insert into ${table.name} (${columnList(table)}) select * from unnest(${types.join(', ')})`,
    lists,
  )
  return true
}
