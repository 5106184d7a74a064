// A private PostgreSQL of Debian's postgresql-15 for benchmarks, flushing to disk as by default,
// with pgbench beside it. It refuses to run as root, so under root it becomes the user postgres,
// whom the package makes.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../test/support/free-port.ts'
import { cleanEnvironment, cpuMillisecondsOfChildren } from './measure.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const START_TRIES = 200
const START_PAUSE_MS = 50

export interface BenchPostgres {
  /**
   * The URL of a fresh database; a copy of `template` where one is named. Nobody may be connected
   * to that one.
   */
  createDatabase(name: string, template?: string): Promise<string>
  dropDatabase(name: string): Promise<void>
  /** Microseconds that every flush waits more than the disk does, from now on. */
  delayFlushes(micros: number): Promise<void>
  /**
   * Empties what was written so far to the files, so that no measurement pays for the one before
   * it.
   */
  checkpoint(): Promise<void>
  url(database: string): string
  /** CPU time of all its sessions that have ended, milliseconds. */
  sessionCpu(): number
  stop(): Promise<void>
}

/** The reason why there can be no such server here; undefined if there can. */
export function whyNoPostgres(): string | undefined {
  const missing = ['postgres', 'initdb', 'pgbench'].filter(
    (program) => !existsSync(join(BIN, program)),
  )
  if (missing.length > 0) return `${missing.join(', ')} of postgresql-15 not found in ${BIN}`
  if (!isRoot()) return undefined
  return idOf('-u') === undefined
    ? 'root runs no PostgreSQL, and there is no user postgres'
    : undefined
}

/** Makes and starts a server in a folder of its own, which `stop` removes. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  for (const each of [folder, data])
    chownSync(each, idOf('-u') ?? process.getuid?.() ?? 0, idOf('-g') ?? process.getgid?.() ?? 0)
  const [program = '', ...args] = asPostgres('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  execFileSync(program, args, { stdio: 'ignore', cwd: folder })
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    max_wal_size: '4GB',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [serve = '', ...rest] = asPostgres('postgres', ['-D', data, ...options])
  const server = spawn(serve, rest, { stdio: 'ignore', cwd: folder, env: cleanEnvironment() })
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`
  const admin = (...statements: readonly string[]) =>
    withClient(url('postgres'), async (client) => {
      for (const statement of statements) await client.query(statement)
    })
  await untilReady(url('postgres'))
  return {
    url,
    sessionCpu: () => cpuMillisecondsOfChildren(server.pid ?? 0),
    createDatabase: async (name, template = 'template1') => {
      await admin(`create database ${name} template ${template} strategy file_copy`)
      return url(name)
    },
    dropDatabase: (name) => admin(`drop database if exists ${name} with (force)`),
    // Without siblings asked for, it waits before every flush, that of a single session too.
    delayFlushes: (micros) =>
      admin(
        'alter system set commit_siblings = 0',
        `alter system set commit_delay = ${micros}`,
        'select pg_reload_conf()',
      ),
    checkpoint: () => admin('checkpoint'),
    stop: async () => {
      const ended = once(server, 'close')
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Its standard output; rejects where it fails. It is Debian's too, and runs as the caller. */
export async function pgbench(args: readonly string[]): Promise<string> {
  const child = spawn(join(BIN, 'pgbench'), args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: cleanEnvironment(),
  })
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`pgbench ${args.join(' ')} failed`)
  return said.join('')
}

export async function withClient<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function idOf(flag: '-u' | '-g'): number | undefined {
  if (!isRoot()) return undefined
  try {
    return Number(
      execFileSync('id', [flag, 'postgres'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  } catch {
    return undefined
  }
}

function asPostgres(program: string, args: readonly string[]): readonly string[] {
  const become = isRoot()
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    : []
  return [...become, join(BIN, program), ...args]
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await withClient(url, async () => undefined)
    } catch (error) {
      if (tries === START_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS))
    }
  }
}
