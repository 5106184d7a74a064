// Says where a PostgreSQL database is without its password, for banners and errors.
import { connectionAt, hostsOf } from './postgres-hosts.ts'
import type { PostgresConfig } from './config.ts'

type Place = Pick<PostgresConfig, 'connection' | 'schema'>

/** One line such as `postgres://user@host:5432/name (schema s)`. */
export function describePostgres({ connection, schema }: Place): string {
  const [first, ...others] = hostsOf(connection)
  if (first !== undefined && others.length > 0) {
    const place = describePostgres({ connection: connectionAt(connection, first), schema })
    return `${place} and ${others.map(({ host, port }) => `${host}:${port}`).join(', ')}`
  }
  const place = typeof connection === 'string' ? withoutPassword(connection) : partsOf(connection)
  return schema === undefined ? place : `${place} (schema ${schema})`
}

function partsOf({
  user,
  host,
  port,
  database,
}: Exclude<PostgresConfig['connection'], string>): string {
  return `postgres://${encodeURIComponent(user)}@${host}:${port}/${encodeURIComponent(database)}`
}

function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (url === null) return 'postgres (its url cannot be read)'
  const user = url.username === '' ? '' : `${url.username}@`
  return `postgres://${user}${url.host}${url.pathname}`
}
