// Opens a store on either database; loads the driver of the one that is asked for only.
import type { PostgresConfig, SqliteConfig } from './config.ts'
import { sqlStore } from './store.ts'
import type { Store } from '../../runtime/index.ts'

/**
 * Opens the store with its schema up to date. Rejects with an Error of one line, without passwords,
 * where the database cannot be used.
 */
export async function openSqlStore(config: SqliteConfig | PostgresConfig): Promise<Store> {
  if (config.dialect === 'sqlite') {
    const { openSqlite } = await import('./sqlite-database.ts')
    return sqlStore(await openSqlite(config))
  }
  const { openPostgres } = await import('./postgres-database.ts')
  return sqlStore(await openPostgres(config))
}
