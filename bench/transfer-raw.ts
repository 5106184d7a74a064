// The raw limit of bench/transfer.ts as a process: `node transfer-raw.ts FILE RECORDED BEFORE
// START` writes into FILE, with prepared statements and nothing else, the rows that RECORDED has of
// updates after offset BEFORE; those after START are counted.
import SqliteDatabase from 'better-sqlite3'
import { Coin } from '../generated/contracts.gen.ts'
import { printRun, timed } from './transfer-common.ts'

type Row = Readonly<Record<string, string | number>>
type Connection = SqliteDatabase.Database

const GROUP = 32
const [file = '', recorded = '', before = '0', start = '0'] = process.argv.slice(2)

/** Everything that one update leaves, in the order in which it is written. */
interface Update {
  readonly update: Row
  readonly consumed: readonly string[]
  readonly created: readonly Row[]
  /** What the balances are afterwards. */
  readonly totals: readonly (readonly [account: string, amount: string, count: number])[]
  readonly lines: readonly Row[]
  readonly facts: readonly Row[]
  readonly command: Row | undefined
}

/** All of it is read before the clock runs. */
function readRecorded(target: Connection, source: Connection, after: number): readonly Update[] {
  const rows = (sql: string, ...values: readonly unknown[]): Row[] =>
    source.prepare<unknown[], Row>(sql).all(...values)
  const updates = rows(
    'select * from updates where ledger_offset > ? order by ledger_offset',
    after,
  )
  const contracts = rows(
    'select * from contracts where created_offset > ? or archived_offset > ? order by sequence',
    after,
    after,
  )
  const created = Map.groupBy(contracts, (row) => row['created_offset'])
  const archived = Map.groupBy(contracts, (row) => row['archived_offset'])
  const commands = new Map(
    rows('select * from commands where ledger_offset > ?', after).map((row) => [
      row['ledger_offset'],
      row,
    ]),
  )
  const lines = rows(
    'select * from logs where line > ? order by line',
    highest(target, 'logs', 'line'),
  )
  const facts = rows(
    "select * from facts where rowid > ? and kind <> 'traffic' order by rowid",
    highest(target, 'facts', 'rowid'),
  )
  const balances = new Balances(target)
  return updates.map((update, index) => {
    const offset = update['ledger_offset']
    const gone = archived.get(offset) ?? []
    const come = created.get(offset) ?? []
    return {
      update,
      created: come,
      command: commands.get(Number(offset)),
      consumed: gone.map((row) => String(row['contract_id'])),
      totals: balances.after(gone, come),
      lines: share(lines, index, updates.length),
      facts: share(facts, index, updates.length),
    }
  })
}

/** Lines and facts do not say of which update they are: each gets as many as the others. */
function share(all: readonly Row[], index: number, parts: number): readonly Row[] {
  return all.slice(
    Math.floor((all.length * index) / parts),
    Math.floor((all.length * (index + 1)) / parts),
  )
}

function highest(connection: Connection, table: string, column: string): number {
  return (
    connection
      .prepare<[], number>(`select coalesce(max(${column}), 0) from ${table}`)
      .pluck()
      .get() ?? 0
  )
}

/** The running balances of coins. */
class Balances {
  readonly #target: Connection
  readonly #known = new Map<string, { amount: bigint; count: number }>()

  constructor(target: Connection) {
    this.#target = target
  }

  after(gone: readonly Row[], come: readonly Row[]): Update['totals'] {
    for (const row of gone) this.#add(row, -1)
    for (const row of come) this.#add(row, 1)
    const touched = new Set([...gone, ...come].filter(isCoin).map((row) => String(row['key1'])))
    return [...touched].map((account) => {
      const { amount, count } = this.#of(account)
      return [account, String(amount), count] as const
    })
  }

  #add(row: Row, sign: 1 | -1): void {
    if (!isCoin(row)) return
    const balance = this.#of(String(row['key1']))
    balance.amount += BigInt(String(row['rank'])) * BigInt(sign)
    balance.count += sign
  }

  #of(account: string): { amount: bigint; count: number } {
    const known = this.#known.get(account)
    if (known !== undefined) return known
    const stored = this.#target
      .prepare<[string], Row>(
        "select amount, contract_count from totals where name = 'unlocked' and account = ?",
      )
      .get(account)
    const balance = {
      amount: BigInt(stored?.['amount'] ?? 0),
      count: Number(stored?.['contract_count'] ?? 0),
    }
    this.#known.set(account, balance)
    return balance
  }
}

function isCoin(row: Row): boolean {
  return row['template_id'] === Coin.id
}

/** As the plugin opens it. */
function open(path: string): Connection {
  const connection = new SqliteDatabase(path)
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('wal_autocheckpoint = 8000')
  connection.pragma('cache_size = -32768')
  return connection
}

/** Reads each input, archives it, inserts what is new, one transaction for a group. */
function writer(connection: Connection): (group: readonly Update[]) => void {
  const insert = (table: string, [sample]: readonly Row[]) => {
    const columns = Object.keys(sample ?? {})
    const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
    const prepared = connection.prepare(sample === undefined ? 'select ?' : text)
    return (rows: readonly Row[]): void =>
      rows.forEach((row) => void prepared.run(Object.values(row)))
  }
  const find = connection.prepare(
    'select contract_id, created_offset, archived_offset, synchronizer_id from contracts where contract_id = ?',
  )
  const archive = connection.prepare(
    'update contracts set archived_offset = ? where contract_id = ? and archived_offset = 0',
  )
  const total =
    connection.prepare(`insert into totals (name, account, amount, contract_count) values ('unlocked', ?, ?, ?)
    on conflict (name, account) do update set amount = excluded.amount, contract_count = excluded.contract_count`)
  const charge =
    connection.prepare(`insert into facts (kind, fact_key, body) values ('traffic', ?, ?)
    on conflict (kind, fact_key) do update set body = excluded.body`)
  const lock = connection.prepare(
    'select last_offset, record_time, last_sequence, last_log_line from ledger_end',
  )
  const moveEnd = connection.prepare(
    'update ledger_end set last_offset = ?, record_time = ?, last_sequence = ?, last_log_line = last_log_line + ?',
  )
  const tables = {
    update: insert(
      'updates',
      updates.map(({ update }) => update),
    ),
    contract: insert(
      'contracts',
      updates.flatMap(({ created }) => created),
    ),
    line: insert(
      'logs',
      updates.flatMap(({ lines }) => lines),
    ),
    fact: insert(
      'facts',
      updates.flatMap(({ facts }) => facts),
    ),
    command: insert(
      'commands',
      updates.flatMap(({ command }) => (command === undefined ? [] : [command])),
    ),
  }
  return connection.transaction((group: readonly Update[]) => {
    lock.get()
    for (const { update, consumed, created, totals, lines, facts, command } of group) {
      for (const id of consumed) find.get(id)
      tables.update([update])
      tables.contract(created.map((row) => ({ ...row, archived_offset: 0 })))
      for (const id of consumed)
        if (archive.run(update['ledger_offset'], id).changes !== 1)
          throw new Error(`${id} was not active`)
      for (const each of totals) total.run(each)
      tables.line(lines)
      tables.fact(facts)
      if (command !== undefined) tables.command([command])
    }
    charge.run(traffic['fact_key'], traffic['body'])
    const { update, created } = group.at(-1) ?? {}
    moveEnd.run(
      update?.['ledger_offset'],
      update?.['record_time'],
      created?.at(-1)?.['sequence'],
      group.flatMap(({ lines }) => lines).length,
    )
  }).immediate
}

const target = open(file)
const source = new SqliteDatabase(recorded, { readonly: true })
const updates = readRecorded(target, source, Number(before))
const traffic =
  source.prepare<[], Row>("select fact_key, body from facts where kind = 'traffic'").get() ?? {}
source.close()
const write = writer(target)
const writeAll = (some: readonly Update[]): void => {
  for (let from = 0; from < some.length; from += GROUP) write(some.slice(from, from + GROUP))
}
const counted = updates.filter(({ update }) => Number(update['ledger_offset']) > Number(start))
writeAll(updates.slice(0, updates.length - counted.length))
const run = await timed(() => writeAll(counted))
target.close()
printRun({ ...run, before: Number(before), start: Number(start), count: counted.length })
