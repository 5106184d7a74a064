// How much a server and its store hold, and how much they may: what is alive and what was done
// explain it, and nothing else grows.
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import type { StorePlace } from '../support/store-file.ts'
import type { HeldMemory } from '../support/memory-probe.ts'

/** Rows, by table; `live` are contracts that are active. */
export type Rows = ReadonlyMap<string, number>

export interface Sample extends HeldMemory {
  readonly rows: Rows
}

const COUNTED: Readonly<Record<string, string>> = {
  live: 'contracts where archived_offset = 0',
  contracts: 'contracts',
  updates: 'updates',
  totals: 'totals',
  logs: 'logs',
  facts: 'facts',
  commands: 'commands',
  leases: 'leases',
  users: 'users',
  parties: 'parties',
}
const MB = 1_048_576
/** The cache of contracts is full then. runtime/engine/contract-cache.ts */
const CACHED = 20_000
const BYTES_CACHED = 4_096
const BYTES_LIVE = 1_024
const SLACK_BYTES = 24 * MB

/** Rows of an update: those of a payment are below, with room for rounds. */
const PER_UPDATE: Readonly<Record<string, number>> = {
  contracts: 10,
  logs: 6,
  facts: 4,
  commands: 1,
}
/** Rows of a party: balances, leases. */
const PER_PARTY: Readonly<Record<string, number>> = { totals: 4, leases: 2 }
/** Rows that exist from the beginning, and totals of rounds. */
const ROWS_AT_START = 500

export async function rowsOf(place: StorePlace): Promise<Rows> {
  const query = `select ${Object.entries(COUNTED)
    .map(([name, from]) => `(select count(*) from ${from}) as ${name}`)
    .join(', ')}`
  return new Map(
    Object.entries(
      'file' in place ? readSqlite(place.file, query) : await readPostgres(place.url, query),
    ).map(([name, count]) => [name, Number(count)]),
  )
}

function readSqlite(file: string, query: string): object {
  const connection = new SqliteDatabase(file, { readonly: true })
  try {
    return connection.prepare<unknown[], object>(query).get() ?? {}
  } finally {
    connection.close()
  }
}

async function readPostgres(url: string, query: string): Promise<object> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<object>(query)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}

/** One line for each that is more than what is alive and what was done explain. */
export function growthProblems(first: Sample, last: Sample): readonly string[] {
  const count = (sample: Sample, name: string): number => sample.rows.get(name) ?? 0
  const [updates, parties] = [count(last, 'updates'), count(last, 'parties')]
  const limits: readonly (readonly [string, number])[] = [
    ...Object.entries(PER_UPDATE).map(
      ([name, each]) => [name, ROWS_AT_START + each * updates] as const,
    ),
    ...Object.entries(PER_PARTY).map(
      ([name, each]) => [name, ROWS_AT_START + each * parties] as const,
    ),
  ]
  const cached = Math.min(CACHED, count(last, 'contracts') - count(first, 'contracts'))
  const heap =
    first.heapUsed +
    SLACK_BYTES +
    cached * BYTES_CACHED +
    Math.max(0, count(last, 'live') - count(first, 'live')) * BYTES_LIVE
  return [
    ...limits
      .filter(([name, most]) => count(last, name) > most)
      .map(
        ([name, most]) =>
          `${count(last, name)} rows of ${name}, ${most} are explained by ${updates} updates and ${parties} parties`,
      ),
    ...(last.heapUsed > heap
      ? [
          `the heap went from ${inMb(first.heapUsed)} to ${inMb(last.heapUsed)} MB, ${inMb(heap)} are explained`,
        ]
      : []),
  ]
}

/** A server's memory, for people. The resident part beyond the heap's pages is not JavaScript's. */
export function memoryText({ heapUsed, heapTotal, external, rss }: HeldMemory): string {
  const [used, total, others, resident] = [heapUsed, heapTotal, external, rss].map(inMb)
  return `heap ${used} of ${total} MB, external ${others} MB, resident ${resident} MB`
}

export function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1)
}
