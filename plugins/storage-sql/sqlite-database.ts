// SQLite through better-sqlite3: one connection, WAL, every commit flushed to the disk. A
// transaction runs in one turn of the event loop, so the process has one writer at a time; other
// processes wait at the file's own lock.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { StorageFull, StoreUnavailable } from '../../runtime/index.ts'
import { ConstraintViolated } from './database.ts'
import { assertEndsMeet, ENDS } from './ends-meet.ts'
import {
  migrate,
  MIGRATIONS_TABLE,
  refuseNewerSchema,
  schemaState,
  StorageRejected,
} from './migrations.ts'
import { forMs, retry } from './retry.ts'
import { sqliteSchema } from './schema.ts'
import { endsWithinPage, makeDatabase } from './sqlite-file.ts'
import { LogCopies } from './sqlite-log.ts'
import { Space } from './space.ts'
import { STATEMENTS } from './statements.ts'
import type { Clock } from '../../runtime/index.ts'
import type { Database, Row, Step, Value, Work } from './database.ts'
import type { SqliteConfig } from './config.ts'
import type { Statement } from './statements.ts'

type Connection = SqliteDatabase.Database
type Prepared = SqliteDatabase.Statement<unknown[], Row>

const BUSY_TIMEOUT_MS = 5_000
/**
 * A wait inside SQLite stands in everybody's way: it covers what another process writes in a
 * moment, and no more.
 */
const BLOCKING_WAIT_MS = 20
const CACHE_KIB = 32_768
/** Free on the disk before a full one is tried again: a payment needs more than a page. */
const ROOM_BYTES = 1_048_576
/**
 * 1 MiB: up to here a start looks at every page, which takes 1 ms, or 5 to 15 where they must come
 * from the disk. `verify` does so whatever the size.
 */
const CHECKED_PAGES = 256

/**
 * Opens a file, creating folder, file and schema where they are missing. Rejects with one line, the
 * file and the reason, also where it finds damage: it looks at the ledger's end, and at all of a
 * small file.
 */
export async function openSqlite({
  file,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
}: SqliteConfig): Promise<Database> {
  try {
    await makeDatabase(file)
    // A file that others are creating right now answers "busy" without waiting for its timeout.
    const connection = await retry(() => openSound(file), forMs(busyTimeoutMs, isBusy))
    return new Sqlite(connection, file, busyTimeoutMs)
  } catch (error) {
    throw new Error(`Cannot use the data file ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

/** A database of this process alone, which is gone with it. */
export function openMemory(clock: Clock): Database {
  const connection = withSettings(new SqliteDatabase(':memory:'), clock)
  for (const statement of sqliteSchema()) connection.exec(statement)
  return new Sqlite(connection, '.', 0)
}

class Sqlite implements Database {
  readonly #connection: Connection
  readonly #prepared = new Map<Statement, Prepared>()
  readonly #begin: SqliteDatabase.Statement
  readonly #end: SqliteDatabase.Statement
  readonly #busyTimeoutMs: number
  readonly #copies: LogCopies
  readonly #folder: string
  readonly #space = new Space(() => this.#tryWrite())
  #isReading = false

  constructor(connection: Connection, file: string, busyTimeoutMs: number) {
    this.#connection = connection
    this.#folder = dirname(file)
    this.#busyTimeoutMs = busyTimeoutMs
    this.#copies = new LogCopies(connection)
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('commit')
  }

  async once(statement: Statement, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.#guarded(() => {
      const prepared = this.#prepare(statement)
      if (prepared.readonly) this.#startReading()
      else this.#stopReading()
      return prepared.all(...values.map(bound))
    })
  }

  async transact<T>(work: () => Work<T>): Promise<T> {
    return this.#guarded(() => {
      this.#stopReading()
      this.#copies.look()
      return this.#connection.transaction(() => this.#run(work())).immediate()
    })
  }

  async ping(): Promise<void> {
    this.#space.assertRoom()
    await this.once(STATEMENTS.ping)
  }

  async close(): Promise<void> {
    this.#space.stop()
    this.#stopReading()
    this.#connection.close()
  }

  /** A page of its header, once there is room for more than that. */
  async #tryWrite(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < ROOM_BYTES) throw new StorageFull(REASON_FULL)
    await this.#guarded(() => {
      this.#stopReading()
      const version = Number(this.#connection.pragma('user_version', { simple: true }))
      this.#connection.pragma(`user_version = ${version}`)
    })
  }

  /**
   * Reads that follow on each other without a wait share one transaction, because its lock takes
   * longer than most of them. It ends before anything else can reach this process, so nobody reads
   * what was old when it asked.
   */
  #startReading(): void {
    if (this.#isReading) return
    this.#begin.run()
    this.#isReading = true
    process.nextTick(() => this.#stopReading())
  }

  #stopReading(): void {
    if (!this.#isReading) return
    this.#isReading = false
    // An error may have ended it already.
    if (this.#connection.inTransaction) this.#end.run()
  }

  #run<T>(steps: Work<T>): T {
    let step = steps.next([])
    while (step.done !== true) step = steps.next(step.value.steps.map((each) => this.#step(each)))
    return step.value
  }

  #step(step: Step): readonly Row[] {
    const prepared = this.#prepare(step.statement)
    if ('values' in step) return prepared.all(...step.values.map(bound))
    let touched = 0
    for (const row of step.rows) touched += prepared.run(row).changes
    return [{ touched }]
  }

  #prepare(statement: Statement): Prepared {
    const known = this.#prepared.get(statement)
    if (known !== undefined) return known
    const prepared = this.#connection.prepare<unknown[], Row>(statement.sqlite).safeIntegers()
    this.#prepared.set(statement, prepared)
    return prepared
  }

  /** Acts; while another process holds the lock, this one works on between its tries. */
  async #guarded<T>(act: () => T): Promise<T> {
    const attempt = (): T => {
      if (!this.#connection.open) throw new StoreUnavailable('The store is closed')
      return act()
    }
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw this.#space.noted(translate(error))
    }
    try {
      return await retry(async () => attempt(), forMs(this.#busyTimeoutMs, isBusy))
    } catch (error) {
      throw this.#space.noted(translate(error))
    }
  }
}

/** A list as the JSON text that `json_each` takes. */
function bound(value: Value): unknown {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}

function connect(file: string): Connection {
  const connection = new SqliteDatabase(file, { timeout: BLOCKING_WAIT_MS })
  return closedOnError(connection, () => {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    return withSettings(connection, MACHINE)
  })
}

function withSettings(connection: Connection, clock: Clock): Connection {
  connection.pragma('foreign_keys = ON')
  connection.pragma(`cache_size = -${CACHE_KIB}`)
  connection.function('add_exactly', { deterministic: true }, addExactly)
  connection.function('now_micros', () => clock.nowMicros())
  return connection
}

/** Integers as texts: sums outgrow SQLite's own. */
function addExactly(one: unknown, other: unknown): string {
  return String(BigInt(String(one)) + BigInt(String(other)))
}

async function openSound(file: string): Promise<Connection> {
  const isCut = endsWithinPage(file)
  const connection = await openUpToDate(file)
  return closedOnError(connection, () => {
    if (isCut) throw new StorageRejected('it is damaged: its end is missing')
    if (Number(connection.pragma('page_count', { simple: true })) <= CHECKED_PAGES) {
      const found = connection.pragma('quick_check(1)', { simple: true })
      if (found !== 'ok')
        throw new StorageRejected(`it is damaged: ${String(found).replaceAll(/\s+/g, ' ')}`)
    }
    assertEndsMeet(connection.prepare<unknown[], Row>(ENDS.sqlite).safeIntegers().all())
    return connection
  })
}

/**
 * The schema is asked for without knex, whose import alone takes longer than the rest of a start.
 */
async function openUpToDate(file: string): Promise<Connection> {
  const connection = connect(file)
  const applied = closedOnError(connection, () => appliedMigrations(connection))
  const state = schemaState(applied)
  if (state === 'current') return connection
  connection.close()
  if (state === 'newer') refuseNewerSchema(applied)
  await migrate(
    { client: 'better-sqlite3', connection: { filename: file }, useNullAsDefault: true },
    isBusy,
  )
  return connect(file)
}

/** Names of the schema changes that were applied; none where there is no table of them. */
export function appliedMigrations(connection: Connection): readonly string[] {
  const table = connection
    .prepare('select 1 from sqlite_schema where name = ?')
    .get(MIGRATIONS_TABLE)
  if (table === undefined) return []
  return connection.prepare<unknown[], string>(`select name from ${MIGRATIONS_TABLE}`).pluck().all()
}

function closedOnError<T>(connection: Connection, act: () => T): T {
  try {
    return act()
  } catch (error) {
    connection.close()
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function translate(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY')
    return new ConstraintViolated('foreign-key', { cause: error })
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new ConstraintViolated('unique', { cause: error })
  }
  if (code === 'SQLITE_FULL') return new StorageFull(REASON_FULL, { cause: error })
  return code.startsWith('SQLITE_')
    ? new StoreUnavailable(reasonOf(error), { cause: error })
    : error
}

const REASON_FULL = 'the disk is full'

/** This machine's. */
export const MACHINE: Clock = { nowMicros: () => BigInt(Date.now()) * 1_000n }

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'it is not an SQLite database',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_CANTOPEN: 'it cannot be opened; is the folder there and writable?',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_BUSY: 'another process holds its lock',
  SQLITE_FULL: REASON_FULL,
  SQLITE_IOERR: 'the disk does not read or write',
  EACCES: 'no permission to create it or its folder',
  EPERM: 'no permission to create it or its folder',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  ENOENT: 'its folder cannot be created',
  ENOSPC: REASON_FULL,
}

/** One line of an error of the driver or of this plugin. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code
  return REASONS[primary] ?? (error instanceof Error ? error.message : String(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}
