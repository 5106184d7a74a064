// The hosts of a connection that names several of them, `h1:5432,h2:5432`, as libpq takes them: the
// driver knows one host only.
import type { PostgresConfig } from './config.ts'

type Connection = PostgresConfig['connection']

/** Scheme and user, hosts, the rest. */
const URL_PARTS = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/i
const DEFAULT_PORT = 5_432

export interface PostgresHost {
  readonly host: string
  readonly port: number
}

/** Hosts of a connection, one at least. */
export function hostsOf(connection: Connection): readonly PostgresHost[] {
  const [names, port] =
    typeof connection === 'string'
      ? [URL_PARTS.exec(connection)?.[2] ?? '', DEFAULT_PORT]
      : [connection.host, connection.port]
  return names.split(',').map((name) => hostIn(name.trim(), port))
}

/** An IPv6 address with a port stands in brackets. */
function hostIn(name: string, port: number): PostgresHost {
  const found = /^(\[.*\]|[^:]*):(\d+)$/.exec(name)
  return found === null
    ? { host: name, port }
    : { host: found[1] ?? name, port: Number(found[2] ?? port) }
}

/** The same connection to one of its hosts. */
export function connectionAt(connection: Connection, { host, port }: PostgresHost): Connection {
  if (typeof connection !== 'string') return { ...connection, host: unbracketed(host), port }
  const [, user = '', , rest = ''] = URL_PARTS.exec(connection) ?? []
  return host === '' ? connection : `${user}${host}:${port}${rest}`
}

function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}
