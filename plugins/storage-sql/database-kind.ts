// What a schema has to know of the database that it is made in, beyond its dialect. Some speak
// PostgreSQL's wire and keep tables in another way.
import type { Knex } from 'knex'

interface DatabaseKind {
  /** The type of texts that sort by their UTF-8 bytes. */
  readonly byteOrdered: string
  /** Whether it keeps rows in PostgreSQL's own pages, whose shape can be set. */
  readonly hasPages: boolean
}

/**
 * SQLite and CockroachDB sort all texts by their bytes, and the latter makes no column with the
 * collation that PostgreSQL and YugabyteDB need for it.
 */
export async function databaseKind(knex: Knex): Promise<DatabaseKind> {
  if (!isPostgres(knex)) return { byteOrdered: 'text', hasPages: false }
  const version = JSON.stringify(await knex.raw('select version() as version'))
  if (version.includes('CockroachDB')) return { byteOrdered: 'text', hasPages: false }
  return { byteOrdered: 'text collate "C"', hasPages: !version.includes('-YB-') }
}

/** PostgreSQL, or what speaks its wire. */
export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg'
}
