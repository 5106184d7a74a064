// Three PostgreSQL nodes under Patroni, and etcd, as containers on a network of their own. Nothing
// is pulled: the image has to be there already. docs/replicated-database.md
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const IMAGE = 'patroni:local'
const [PREFIX, SUBNET] = ['lw-replicated', '172.31.77']
const PASSWORD = 'test'
const START_MS = 180_000
/** Milliseconds after which a node that follows nobody is started again. */
const HELP_MS = 60_000
/** A node that takes longer is passed over. */
const CONNECT_MS = 2_000
/** The data folder of a node's PostgreSQL. */
export const DATA_DIR = '/var/lib/postgresql/node/data'

/** Settings that docs/replicated-database.md recommends, and careless ones. */
export type Settings = 'strong' | 'weak'

export interface ClusterNode {
  readonly name: string
  readonly address: string
}

const exec = promisify(execFile)

export async function docker(...args: readonly string[]): Promise<string> {
  return (await exec('docker', [...args])).stdout.trim()
}

export class Cluster {
  readonly network: string
  readonly nodes: readonly ClusterNode[]
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
    this.network = `${PREFIX}-net`
    this.nodes = [1, 2, 3].map((number) => ({
      name: `${PREFIX}-${number}`,
      address: `${SUBNET}.${10 + number}`,
    }))
  }

  /** The `storage` section of the service's configuration. */
  get section(): object {
    const host = this.nodes.map(({ address }) => address).join(',')
    return { use: 'postgres', host, database: 'postgres', user: 'postgres', password: PASSWORD }
  }

  async start(): Promise<void> {
    await this.stop()
    await docker('network', 'create', '--subnet', `${SUBNET}.0/24`, this.network)
    await this.#run({ name: `${PREFIX}-etcd`, address: `${SUBNET}.10` }, etcdCommand())
    for (const node of this.nodes) await this.#run(node, patroniCommand(node, this.#settings))
    await this.settled()
  }

  async stop(): Promise<void> {
    for (const { name } of [...this.nodes, { name: `${PREFIX}-etcd` }])
      await docker('rm', '-f', '-v', name).catch(() => '')
    await docker('network', 'rm', this.network).catch(() => '')
  }

  /** Waits until one node takes writes and the others follow it, one in step if that is wanted. */
  async settled(): Promise<void> {
    if (await this.#together(HELP_MS)) return
    await this.#restartLost()
    if (!(await this.#together(START_MS)))
      throw new Error('the nodes of the database did not come together')
  }

  /** False where it takes longer than `limitMs`. */
  async #together(limitMs: number): Promise<boolean> {
    for (const end = performance.now() + limitMs; performance.now() < end; await sleep(500)) {
      const states = await this.#replicas()
      const isSync = states.some((row) => row['sync_state'] === 'sync')
      if (states.length === 2 && (isSync || this.#settings === 'weak')) return true
    }
    return false
  }

  /** Nodes that follow the primary; none while there is none. */
  async #replicas(): ReturnType<typeof query> {
    const primary = await this.primary()
    if (primary === undefined) return []
    const text = `select application_name, sync_state from pg_stat_replication where state = $1`
    return query(primary, text, ['streaming']).catch(() => [])
  }

  /** Patroni may hang in the recovery of a node; an operator would start that node again. */
  async #restartLost(): Promise<void> {
    const primary = await this.primary()
    if (primary === undefined) return
    const following = (await this.#replicas()).map((row) => row['application_name'])
    for (const { name } of this.nodes) {
      if (name === primary.name || following.includes(name)) continue
      console.log(`${name} does not follow after ${HELP_MS / 1_000} s: it is started again`)
      await docker('restart', '--time', '1', name)
    }
  }

  /** The one that says that it takes writes. */
  async primary(): Promise<ClusterNode | undefined> {
    const found = await Promise.all(
      this.nodes.map(async (node) => {
        const [row] = await query(node, 'select pg_is_in_recovery() as standby').catch(() => [])
        return row?.['standby'] === false ? [node] : []
      }),
    )
    return found.flat()[0]
  }

  async #run({ name, address }: ClusterNode, command: string): Promise<void> {
    await docker(
      ...['run', '-d', '--name', name, '--hostname', name, '--network', this.network],
      ...['--ip', address, '--shm-size', '128m', IMAGE, 'sh', '-c', command],
    )
  }
}

export async function query(
  { address }: ClusterNode,
  text: string,
  values: readonly unknown[] = [],
  connectMs = CONNECT_MS,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({
    host: address,
    user: 'postgres',
    password: PASSWORD,
    database: 'postgres',
    connectionTimeoutMillis: connectMs,
    query_timeout: 5 * connectMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text, [...values])).rows
  } finally {
    client.connection.stream.destroy()
  }
}

function etcdCommand(): string {
  const url = `http://${SUBNET}.10`
  return `exec etcd --data-dir /tmp/etcd --enable-v2 --listen-client-urls http://0.0.0.0:2379 \
    --advertise-client-urls ${url}:2379 --unsafe-no-fsync`
}

function patroniCommand(node: ClusterNode, settings: Settings): string {
  const config = JSON.stringify(patroniConfig(node, settings))
  return `install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/node
printf '%s' '${config}' > /etc/patroni.yml
export HOME=/var/lib/postgresql/node PATH=$PATH:/usr/lib/postgresql/15/bin
exec setpriv --reuid=postgres --regid=postgres --clear-groups patroni /etc/patroni.yml`
}

/** YAML takes JSON. */
function patroniConfig({ name, address }: ClusterNode, settings: Settings): object {
  const isStrong = settings === 'strong'
  const user = { username: 'postgres', password: PASSWORD }
  return {
    scope: 'ledger',
    name,
    restapi: { listen: '0.0.0.0:8008', connect_address: `${address}:8008` },
    // Patroni before 3.0.3, with version 3 of etcd's interface, lets a primary that wakes up take
    // the lock from its successor, and then discards what that one has committed.
    [isStrong ? 'etcd' : 'etcd3']: { hosts: `${SUBNET}.10:2379` },
    bootstrap: {
      dcs: {
        // At least loop_wait and twice retry_timeout.
        ttl: 10,
        // A replica looks for its new primary this often, and strict mode waits for it.
        loop_wait: 1,
        retry_timeout: 3,
        master_start_timeout: 0,
        // A replica that is further behind is not promoted.
        maximum_lag_on_failover: isStrong ? 1_048_576 : 1_073_741_824,
        synchronous_mode: isStrong,
        synchronous_mode_strict: isStrong,
        postgresql: {
          use_pg_rewind: true,
          // A new primary makes its slots seconds after it could take writes, and turns replicas
          // away until then: strict synchronous mode waits for one of them.
          use_slots: false,
          parameters: {
            // What a replica that was away needs, as nothing else keeps it.
            wal_keep_size: '1GB',
            synchronous_commit: 'on',
            max_connections: 100,
            shared_buffers: '64MB',
            // A replica that is turned away by a new primary comes back at once, not after 5 s.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: '0.0.0.0:5432',
      connect_address: `${address}:5432`,
      data_dir: DATA_DIR,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: '/var/lib/postgresql/node/pgpass',
      authentication: { superuser: user, replication: user, rewind: user },
      pg_hba: [
        'local all all trust',
        'host all all all scram-sha-256',
        'host replication all all scram-sha-256',
      ],
    },
    watchdog: { mode: 'off' },
  }
}
