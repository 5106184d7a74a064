// Which of several hosts takes writes. All are asked at once: one that is frozen or cut off must
// not hold up the others. Of two that both say yes, the one of the later timeline was promoted
// after the other, which does not know yet. Hosts that know no timeline all take writes.
// docs/replicated-database.md
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionAt, hostsOf } from './postgres-hosts.ts'
import type { PostgresHost } from './postgres-hosts.ts'
import type { PostgresConfig } from './config.ts'

const ANSWER_MS = 2_000
/** Milliseconds that others may take once one has said that it takes writes. */
const GRACE_MS = 300
const EVERY_MS = 1_000
const AGAIN_MS = 250

/** A standby says 'on' as well. */
const ROLE = `select current_setting('transaction_read_only') as is_read_only`
const TIMELINE = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline'
/** The timeline of a host that has none: CockroachDB and YugabyteDB. */
const NO_TIMELINE = '00000000'
/** A function that there is not, or that is not supported. */
const NOT_THERE = /^(42883|0A000)$/

interface Found {
  readonly host: PostgresHost
  /** Eight hexadecimal digits, which sort as numbers do. */
  readonly timeline: string
}

export class Primary {
  readonly #connection: PostgresConfig['connection']
  readonly #hosts: readonly PostgresHost[]
  #host: PostgresHost
  #timeline = ''
  /** A host took writes when all were asked last. */
  #isThere = true
  #isOver = false
  #finding: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Connections to the host that takes writes, or did; also future ones. */
  readonly connections = new Set<pg.Client>()

  constructor({ connection }: PostgresConfig) {
    this.#connection = connection
    this.#hosts = hostsOf(connection)
    this.#host = this.#hosts[0] ?? { host: '', port: 0 }
  }

  /** The connection to the host that took writes when it was last asked. */
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

  /** Looks every second from now on, and at once again while no host takes writes. */
  watch(): void {
    if (this.#hosts.length < 2 || this.#isOver) return
    const look = (): void => void this.find().then(() => this.watch())
    this.#timer = setTimeout(look, this.#isThere ? EVERY_MS : AGAIN_MS).unref()
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  async #find(): Promise<void> {
    const found: Found[] = []
    const first = Promise.withResolvers<void>()
    let silent = this.#hosts.length
    const ask = async (host: PostgresHost): Promise<void> => {
      const connection = connectionAt(this.#connection, host)
      let timeline = await timelineOf(connection)
      silent -= 1
      // A replica may take over while another host, perhaps gone, is still waited for.
      while (timeline === '' && silent > 0 && found.length === 0) {
        await sleep(AGAIN_MS)
        timeline = await timelineOf(connection)
      }
      if (timeline === '') return
      found.push({ host, timeline })
      setTimeout(first.resolve, GRACE_MS)
    }
    const asked = new Map(this.#hosts.map((host) => [host, ask(host)]))
    await Promise.race([Promise.all(asked.values()), first.promise])
    const latest = latestOf(found)
    this.#isThere = latest !== undefined
    if (latest === undefined) return
    // Two names of one server: the one in use may take its time.
    if (latest.timeline === this.#timeline) await asked.get(this.#host)
    const isSame = found.some(
      ({ host, timeline }) => host === this.#host && timeline === latest.timeline,
    )
    this.#timeline = latest.timeline
    if (isSame) return
    this.#host = latest.host
    this.#letGo()
  }

  /** Ends what is in flight on a host that takes no writes any more and would wait long. */
  #letGo(): void {
    for (const client of this.connections) client.connection.stream.destroy()
  }
}

function latestOf(found: readonly Found[]): Found | undefined {
  return found.toSorted((one, other) => (one.timeline < other.timeline ? 1 : -1))[0]
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
    const { rows } = await client.query<{ is_read_only: string }>(ROLE)
    return rows[0]?.is_read_only === 'off' ? await writerTimeline(client) : ''
  } catch {
    return ''
  } finally {
    // One that is frozen would not answer the farewell either.
    client.connection.stream.destroy()
  }
}

async function writerTimeline(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ timeline: string }>(TIMELINE)
    return rows[0]?.timeline ?? NO_TIMELINE
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_THERE.test(error.code ?? '')) return NO_TIMELINE
    throw error
  }
}
