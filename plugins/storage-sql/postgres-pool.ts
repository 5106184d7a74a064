// Connections to PostgreSQL: with which settings, to which host, and what is looked at before one
// is used.
import pg from 'pg'
import { StoreUnavailable } from '../../runtime/index.ts'
import type { PostgresConfig } from './config.ts'
import type { Primary } from './postgres-primary.ts'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/**
 * The server ends a statement before: from one that says nothing for so long no answer comes any
 * more.
 */
const SILENCE_MS = 45_000
/**
 * Plans are made while tables are small, and kept: they must not read whole tables, which then is
 * the cheapest. Every statement has an index to go by. Databases that do not know these settings
 * plan by themselves.
 */
export const PLANS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((name) => `set ${name} = off`)
  .join('; ')
/**
 * A server that is frozen or cut off holds what its transaction locked, first of all the ledger
 * end, and nobody can commit: the database ends such a transaction, and connections whose other end
 * says nothing.
 */
const LEFT_TRANSACTION_MS = 5_000
const SILENT_CONNECTION = [
  'set tcp_keepalives_idle = 5',
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 15000',
].join('; ')

interface PoolOptions {
  readonly max: number
  readonly primary: Primary
  readonly guard?: (client: pg.PoolClient) => Promise<void>
}

/**
 * Connections to the host that takes writes. `guard` is asked before a new one is used; where it
 * rejects, the connection is closed and whoever wanted it gets the error.
 */
export function poolOf(
  config: PostgresConfig,
  { max, primary, guard = async () => {} }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(config),
    max,
    Client: clientOf(config, primary),
    verify: (client, done) => {
      guard(client).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the
  // process.
  pool.on('error', () => {})
  // The pool takes its listener off before a caller can put one on. What breaks in between must not
  // end the process: the next statement tells of it.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.on('notice', (notice) => noteUnreplicated(client, notice))
    for (const settings of [PLANS, SILENT_CONNECTION]) client.query(settings).catch(() => {})
  })
  return pool
}

/**
 * The pool makes its clients by itself, and each goes to where the primary is by then. One that is
 * still on its way to a host that is gone is let go of like those that have arrived.
 */
function clientOf(config: PostgresConfig, primary: Primary): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      super(connectionConfig({ ...config, connection: primary.connection }))
      primary.connections.add(this)
      this.once('end', () => primary.connections.delete(this))
    }
  }
}

/** Connections on which a commit was not confirmed by the replica that it has to wait for. */
const unreplicated = new WeakSet<object>()

/**
 * Where a statement takes too long, PostgreSQL stops waiting for the replica and says that it has
 * committed, with no more than a warning: a failover would lose what it says is there.
 */
function noteUnreplicated(client: object, { routine }: Pick<pg.DatabaseError, 'routine'>): void {
  if (routine === 'SyncRepWaitForLSN') unreplicated.add(client)
}

/** Throws StoreUnavailable where nobody knows whether the last commit is safe. */
export function requireReplicated(client: object): void {
  if (!unreplicated.has(client)) return
  throw new StoreUnavailable('The database has not heard from the replica that a commit waits for')
}

/** Options for the driver and its pool. */
export function connectionConfig({ connection, schema, silenceMs = SILENCE_MS }: PostgresConfig) {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : { ...connection }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: silenceMs,
    idle_in_transaction_session_timeout: LEFT_TRANSACTION_MS,
    keepAlive: true,
    pipeline: true,
    application_name: 'ledgerwright',
    ...(schema === undefined ? {} : { options: `-c search_path=${asOptionValue(schema)}` }),
  }
}

/**
 * For what takes as long as there is data: no statement, and no pause between two, is ended by the
 * clock.
 */
export function untimed(config: PostgresConfig) {
  return {
    ...connectionConfig(config),
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  }
}

/** Quoted as an identifier, then for the list of start options, where a space ends a value. */
function asOptionValue(schema: string): string {
  return pg.escapeIdentifier(schema).replaceAll(/[\\\s]/g, '\\$&')
}
