// Opens a store on either database; loads the driver of the one that is asked for only.
import type { PostgresConfig, SqliteConfig } from './config.ts'
import { sqlStore } from './store.ts'
import type { Spans, Store } from '../../runtime/index.ts'
import type { Database } from './database.ts'

/**
 * Opens the store with its schema up to date. Rejects with an Error of one line, without passwords,
 * where the database cannot be used.
 */
export async function openSqlStore(
  config: SqliteConfig | PostgresConfig,
  spans?: Spans,
): Promise<Store> {
  const database = await open(config)
  if (spans === undefined) return sqlStore(database)
  const { spannedDatabase } = await import('./spanned-database.ts')
  return sqlStore(spannedDatabase(database, config.dialect, spans))
}

async function open(config: SqliteConfig | PostgresConfig): Promise<Database> {
  if (config.dialect === 'sqlite') {
    const { openSqlite } = await import('./sqlite-database.ts')
    return await openSqlite(config)
  }
  const { openPostgres } = await import('./postgres-database.ts')
  return await openPostgres(config)
}
