// Reads the ledger's tables past the store, so that an audit shares no code with what it judges.
// Damages them only where that is asked for.
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { member } from '../../runtime/host/member.ts'

/** A SQLite file, or a PostgreSQL database. */
export type StorePlace = { readonly file: string } | { readonly url: string }

/** The place where a service with this `storage` section and data folder keeps its data. */
export function placeOf(section: object, dataDir: string): StorePlace {
  const url = member(section, 'url')
  return typeof url === 'string' ? { url } : { file: join(dataDir, 'ledgerwright.sqlite') }
}

export interface UpdateRow {
  readonly ledger_offset: number
  readonly update_id: string
  /** Microseconds. */
  readonly record_time: string
  readonly body: string
}

export interface ContractRow {
  readonly contract_id: string
  readonly template_id: string
  readonly created_offset: number
  /** 0 while it is active. */
  readonly archived_offset: number
  readonly payload: string
}

/** Everything that a ledger has on its disk; whole numbers that may be large are texts. */
export interface StoreRows {
  readonly end: { readonly last_offset: number; readonly record_time: string }
  readonly updates: readonly UpdateRow[]
  readonly contracts: readonly ContractRow[]
  readonly totals: readonly {
    readonly name: string
    readonly account: string
    readonly amount: string
    readonly number: number
  }[]
  readonly logs: readonly { readonly owner: string; readonly id: string; readonly body: string }[]
  readonly facts: readonly {
    readonly kind: string
    readonly fact_key: string
    readonly body: string
  }[]
  readonly commands: readonly {
    readonly command_key: string
    readonly update_id: string
    readonly ledger_offset: number
  }[]
}

const QUERIES: Readonly<Record<keyof StoreRows, string>> = {
  end: 'select cast(last_offset as integer) last_offset, cast(record_time as text) record_time from ledger_end',
  updates: `select cast(ledger_offset as integer) ledger_offset, update_id, cast(record_time as text) record_time, body
    from updates order by 1`,
  contracts: `select contract_id, template_id, cast(created_offset as integer) created_offset,
    cast(archived_offset as integer) archived_offset, payload from contracts order by sequence`,
  totals:
    'select name, account, cast(amount as text) amount, cast(contract_count as integer) number from totals',
  logs: "select owner, id, body from logs where log = 'history' order by line",
  facts: 'select kind, fact_key, body from facts',
  commands:
    'select command_key, update_id, cast(ledger_offset as integer) ledger_offset from commands',
}

/** All tables as of one moment, also while a service writes. */
export async function readStore(place: StorePlace): Promise<StoreRows> {
  return 'file' in place ? readSqlite(place.file) : readPostgres(place.url)
}

/** Runs a statement past the store, as nobody should. */
export async function damageStore(place: StorePlace, sql: string): Promise<void> {
  if ('file' in place) {
    const connection = new SqliteDatabase(place.file)
    connection.exec(sql)
    connection.close()
    return
  }
  const client = new pg.Client(place.url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

function readSqlite(file: string): StoreRows {
  const connection = new SqliteDatabase(file, { readonly: true })
  try {
    const read = (query: string): never[] => connection.prepare<unknown[], never>(query).all()
    return connection.transaction(() =>
      rowsOf(Object.entries(QUERIES).map(([table, query]) => [table, read(query)])),
    )()
  } finally {
    connection.close()
  }
}

async function readPostgres(url: string): Promise<StoreRows> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: [string, never[]][] = []
    for (const [table, query] of Object.entries(QUERIES))
      tables.push([table, (await client.query<never>(query)).rows])
    return rowsOf(tables)
  } finally {
    await client.end()
  }
}

function rowsOf(tables: readonly (readonly [string, never[]])[]): StoreRows {
  const rows = new Map(tables)
  const of = (table: keyof StoreRows): never[] => rows.get(table) ?? []
  const [end] = of('end')
  if (end === undefined) throw new Error('the store has no ledger end')
  return {
    end,
    updates: of('updates'),
    contracts: of('contracts'),
    totals: of('totals'),
    logs: of('logs'),
    facts: of('facts'),
    commands: of('commands'),
  }
}
