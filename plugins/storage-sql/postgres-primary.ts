// Which of several hosts takes writes. All are asked at once: one that is frozen or cut off must
// not hold up the others. Of two that both say yes, the one of the later timeline was promoted
// after the other, which does not know yet. docs/replicated-database.md
import pg from 'pg'
import { connectionAt, hostsOf } from './postgres-hosts.ts'
import type { PostgresHost } from './postgres-hosts.ts'
import type { PostgresConfig } from './config.ts'

const ANSWER_MS = 2_000
/** How long others may take once one has said that it takes writes. */
const GRACE_MS = 300
const EVERY_MS = 1_000

const ROLE = `select case when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'
  then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`

interface Found {
  readonly host: PostgresHost
  /** Eight hexadecimal digits, which sort as numbers do. */
  readonly timeline: string
}

export class Primary {
  readonly #connection: PostgresConfig['connection']
  readonly #hosts: readonly PostgresHost[]
  #host: PostgresHost
  #finding: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #onMove: () => void = () => {}

  constructor({ connection }: PostgresConfig) {
    this.#connection = connection
    this.#hosts = hostsOf(connection)
    this.#host = this.#hosts[0] ?? { host: '', port: 0 }
  }

  /** Of the host that took writes when it was asked last. */
  get connection(): PostgresConfig['connection'] {
    return this.#hosts.length < 2 ? this.#connection : connectionAt(this.#connection, this.#host)
  }

  /**
   * Asks the hosts, and stays with the last one where none takes writes. Never rejects. Nothing is
   * asked where there is one host only.
   */
  find(): Promise<void> {
    if (this.#hosts.length < 2) return Promise.resolve()
    this.#finding ??= this.#find().finally(() => void (this.#finding = undefined))
    return this.#finding
  }

  /** Looks every second from now on; `onMove` is called when it is another one. */
  watch(onMove: () => void): void {
    if (this.#hosts.length < 2) return
    this.#onMove = onMove
    this.#timer = setInterval(() => void this.find(), EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #find(): Promise<void> {
    const found: Found[] = []
    const first = Promise.withResolvers<void>()
    const asked = this.#hosts.map(async (host) => {
      const timeline = await timelineOf(connectionAt(this.#connection, host))
      if (timeline === '') return
      found.push({ host, timeline })
      setTimeout(first.resolve, GRACE_MS)
    })
    await Promise.race([Promise.all(asked), first.promise])
    const [latest] = found.toSorted((one, other) => (one.timeline < other.timeline ? 1 : -1))
    if (latest === undefined || latest.host === this.#host) return
    this.#host = latest.host
    this.#onMove()
  }
}

/** Empty where the host takes no writes, or says nothing in time. */
async function timelineOf(connection: PostgresConfig['connection']): Promise<string> {
  const client = new pg.Client({
    ...(typeof connection === 'string' ? { connectionString: connection } : { ...connection }),
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'ledgerwright-primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string }>(ROLE)
    return rows[0]?.timeline ?? ''
  } catch {
    return ''
  } finally {
    // One that is frozen would not answer the farewell either.
    client.connection.stream.destroy()
  }
}
