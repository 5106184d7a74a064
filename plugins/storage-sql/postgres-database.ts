// PostgreSQL, and what speaks its wire: READ COMMITTED, conditional writes, row locks; no advisory
// locks, notifications or triggers. Statements are prepared once a connection under their names.
import pg from 'pg'
import { StorageFull, StoreUnavailable } from '../../runtime/index.ts'
import { ConstraintViolated, NotOneRow } from './database.ts'
import { assertEndsMeet, ENDS } from './ends-meet.ts'
import { migrate, MIGRATIONS_TABLE, refuseNewerSchema, schemaState } from './migrations.ts'
import { describePostgres } from './postgres-address.ts'
import { binaryArray } from './postgres-array.ts'
import { poolOf, requireReplicated, untimed } from './postgres-pool.ts'
import { Primary } from './postgres-primary.ts'
import { holdBack, letGoOfMuch, SharedReads } from './postgres-reads.ts'
import { retry } from './retry.ts'
import { Space } from './space.ts'
import { STATEMENTS } from './statements.ts'
import type { Answers, Database, Pipelined, Row, Step, Value, Work } from './database.ts'
import type { PostgresConfig } from './config.ts'
import type { Statement } from './statements.ts'

/** The error of statements that must touch one row and do not. */
const DIVISION_BY_ZERO = '22012'
/**
 * knex asks the server for its version, which it does not use, and ends with an error where the
 * answer does not begin as PostgreSQL's.
 */
const KNEX_VERSION = 'any'
/** Tries of a transaction that lost against another one. */
const TRIES = 10

/**
 * Opens a pool, creating the schema where it is missing. Rejects with one line: the address and the
 * reason, such as damage.
 */
export async function openPostgres(config: PostgresConfig): Promise<Database> {
  const primary = new Primary(config)
  await primary.find()
  const guard = new ConnectionGuard()
  const pool = poolOf(config, { max: config.poolSize, primary, guard: guard.check })
  try {
    await bringUpToDate(pool, { ...config, connection: primary.connection })
    const database = new Postgres(pool, poolOf(config, { max: 1, primary }), { primary, guard })
    assertEndsMeet(await database.once(ENDS))
    return database
  } catch (error) {
    await pool.end()
    const reason =
      error instanceof AggregateError ? error.errors.map(String).join(', ') : messageOf(error)
    throw new Error(`Cannot use the database ${describePostgres(config)}: ${reason}`, {
      cause: error,
    })
  }
}

/** A database that another one is copied to, for reads; asks and changes nothing by itself. */
export function openReplica(config: PostgresConfig): Database {
  const primary = new Primary(config)
  const poolFor = (max: number): pg.Pool => poolOf(config, { max, primary })
  const guard = new ConnectionGuard()
  return new Postgres(poolFor(config.poolSize), poolFor(1), { primary, guard })
}

/** SQLSTATE of a file that cannot grow. */
const DISK_FULL = '53100'
/** A megabyte of rows; one message is one transaction. */
const TRIAL = `create temporary table ledgerwright_room on commit drop as
  select md5(random()::text) || md5(random()::text) as filler from generate_series(1, 10000)`

type Once = Database['once']

/** The check of new connections, once somebody wants it. */
class ConnectionGuard {
  #ask: ((once: Once) => Promise<void>) | undefined

  set(ask: (once: Once) => Promise<void>): void {
    this.#ask = ask
  }

  readonly check = async (client: pg.PoolClient): Promise<void> =>
    this.#ask?.((statement, ...values) => perform(client, messageFor({ statement, values })))
}

interface Watched {
  readonly primary: Primary
  readonly guard: ConnectionGuard
}

class Postgres implements Database {
  readonly #pool: pg.Pool
  readonly #pings: pg.Pool
  readonly #reads: SharedReads
  readonly #primary: Primary
  readonly #guard: ConnectionGuard
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #space = new Space(() => this.#tryWrite())
  #closing: Promise<void> | undefined

  constructor(pool: pg.Pool, pings: pg.Pool, { primary, guard }: Watched) {
    this.#pool = pool
    this.#pings = pings
    this.#primary = primary
    this.#guard = guard
    this.#reads = new SharedReads(pool, leavesConnection)
    primary.watch()
  }

  guard(check: (once: Once) => Promise<void>): void {
    this.#guard.set(check)
  }

  once(statement: Statement, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.#guarded(() => {
      const message = messageFor({ statement, values })
      const act = (client: pg.PoolClient): Promise<readonly Row[]> => perform(client, message)
      return statement.postgres.startsWith('select') ? this.#reads.run(act) : this.#withClient(act)
    })
  }

  /** Pings on a connection of its own: those of the pool may all wait for long statements. */
  async ping(): Promise<void> {
    this.#space.assertRoom()
    return this.#guarded(
      async () =>
        void (await this.#pings.query(
          messageFor({ statement: STATEMENTS.ping, values: [] }).query,
        )),
    )
  }

  transact<T>(work: () => Work<T>): Promise<T> {
    return this.#guarded(() => this.#withClient((client) => inTransaction(client, work())))
  }

  /** Takes room from the disk, which is given back at the end of the transaction. */
  async #tryWrite(): Promise<void> {
    await this.#pings.query(TRIAL).catch((error: unknown) => {
      if (codeOf(error) === DISK_FULL) throw error
    })
  }

  close(): Promise<void> {
    this.#space.stop()
    this.#closing ??= this.#drain()
    return this.#closing
  }

  /** The pool would let go of those who wait for a connection, hence it ends after them. */
  async #drain(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
    this.#primary.stop()
    await Promise.all([this.#pool.end(), this.#pings.end()])
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreUnavailable('The store is closed')
    const running = this.#retried(act)
    this.#inFlight.add(running)
    try {
      return await running
    } finally {
      this.#inFlight.delete(running)
    }
  }

  async #retried<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await retry(act, (error, tries) => tries < TRIES && lostAgainstAnother(error))
    } catch (error) {
      throw this.#space.noted(translate(error))
    }
  }

  /** A connection that failed for another reason than its statement is thrown away. */
  async #withClient<T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken = true
    try {
      const result = await act(client)
      requireReplicated(client)
      broken = false
      return result
    } catch (error) {
      broken = !leavesConnection(error)
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/**
 * Every flight is one way to the server and back, the first with the begin before it, the last with
 * the commit after.
 */
async function inTransaction<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
  let step = advance(work, [])
  let before = ['begin isolation level read committed']
  let isOver = step.done === true
  try {
    while (step.done !== true) {
      const flight = step.value
      const answers = await send(client, before, flight)
      isOver = flight.isLast
      before = []
      step = advance(work, answers)
    }
    if (!isOver) await client.query('commit')
    return step.value
  } catch (error) {
    if (leavesConnection(error)) await client.query('rollback')
    throw error
  }
}

/** An error of the work or a value in it, as opposed to one of the connection. */
class WorkFailed extends Error {
  override readonly name = 'WorkFailed'
}

function advance<T>(work: Work<T>, answers: Answers): IteratorResult<Pipelined, T> {
  return workDone(() => work.next(answers))
}

function workDone<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new WorkFailed('The transaction was given up', { cause: error })
  }
}

/**
 * The server stops at the first step that fails: a commit behind it rolls back. Rejects with what
 * that step said. Its work on the first steps begins while the others are put into words; one of
 * them that cannot be sent keeps the commit back.
 */
async function send(
  client: pg.PoolClient,
  before: readonly string[],
  { steps, isLast }: Pipelined,
): Promise<Answers> {
  holdBack(client)
  const begun = before.map((text) => client.query(text))
  const performed: Promise<readonly Row[]>[] = []
  try {
    workDone(() => {
      for (const step of steps) {
        performed.push(perform(client, messageFor(step)))
        letGoOfMuch(client)
      }
    })
  } catch (error) {
    await Promise.allSettled([...begun, ...performed])
    throw error
  }
  const ended = isLast ? [client.query('commit')] : []
  const failed = (await Promise.allSettled([...begun, ...performed, ...ended])).find(
    ({ status }) => status === 'rejected',
  )
  if (failed?.status === 'rejected') throw failed.reason
  return Promise.all(performed)
}

/** A step as the driver takes it. */
interface Message {
  readonly query: pg.QueryConfig
  readonly isBulk: boolean
}

/** Throws where a value does not fit its column. */
function messageFor(step: Step): Message {
  const { name, postgres: text } = step.statement
  if ('values' in step)
    return { query: { name, text, values: step.values.map(bound) }, isBulk: false }
  const {
    statement: { types },
    rows,
  } = step
  const values = types.map((type, column) =>
    binaryArray(
      type,
      rows.map((row) => row[column] ?? ''),
    ),
  )
  return { query: { name, text, values }, isBulk: true }
}

async function perform(client: pg.PoolClient, { query, isBulk }: Message): Promise<readonly Row[]> {
  const { rows, rowCount } = await client.query<Row>(query)
  return isBulk ? [{ touched: rowCount ?? 0 }] : rows
}

function bound(value: Value): unknown {
  return Array.isArray(value) ? binaryArray('text', value) : value
}

async function bringUpToDate(pool: pg.Pool, config: PostgresConfig): Promise<void> {
  const applied = await appliedMigrations(pool)
  const state = schemaState(applied)
  if (state === 'newer') refuseNewerSchema(applied)
  if (state === 'current') return
  if (config.schema !== undefined) await createSchema(pool, config.schema)
  await migrate(
    { client: 'pg', version: KNEX_VERSION, connection: untimed(config), pool: { min: 0, max: 2 } },
    isMigrationRace,
  )
}

/** Names of the schema changes that were applied; none where there is no table of them. */
export async function appliedMigrations(pool: pg.Pool | pg.Client): Promise<readonly string[]> {
  const table = await pool.query('select 1 where to_regclass($1) is not null', [MIGRATIONS_TABLE])
  if (table.rows.length === 0) return []
  const names = await pool.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`)
  return names.rows.map((row) => row.name)
}

/** Makes the schema that tables go to, where it is missing. */
export async function createSchema(pool: pg.Pool | pg.Client, schema: string): Promise<void> {
  try {
    await pool.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
  } catch (error) {
    if (!isMigrationRace(error)) throw error
  }
}

/** Serialization failure or deadlock: nothing was written, the transaction may run again. */
function lostAgainstAnother(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Two processes created the same table, type or row of the catalogue at once. */
function isMigrationRace(error: unknown): boolean {
  return (
    lostAgainstAnother(error) ||
    ['23505', '42P07', '42P06', '42710', 'XX000'].includes(codeOf(error))
  )
}

function translate(error: unknown): unknown {
  if (error instanceof WorkFailed) return error.cause
  const code = codeOf(error)
  if (code === DISK_FULL) return new StorageFull("the database's disk is full", { cause: error })
  if (code === '23503') return new ConstraintViolated('foreign-key', { cause: error })
  if (code === '23505') return new ConstraintViolated('unique', { cause: error })
  if (code === DIVISION_BY_ZERO)
    return new NotOneRow('A statement did not touch exactly one row', { cause: error })
  return isOurFault(error) ? error : new StoreUnavailable(messageOf(error), { cause: error })
}

/**
 * A wrong statement or value: a fault to be found, not a state that passes. Told by class or by
 * SQLSTATE.
 */
function isOurFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    /^(21|22|23|26|42|54)...$/.test(codeOf(error))
  )
}

/** The connection can go on after a rollback. */
function leavesConnection(error: unknown): boolean {
  return error instanceof WorkFailed || isServerAnswer(error)
}

/**
 * True where the server answered with an error of the statement, false where the connection or the
 * server went away.
 */
function isServerAnswer(error: unknown): boolean {
  const code = codeOf(error)
  return error instanceof pg.DatabaseError && !code.startsWith('08') && !code.startsWith('57P')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** One line of an error of the driver. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ''
    ? error.message
    : codeOf(error) || String(error)
}
