// The raw limit of bench/transfer.ts as a process: `node transfer-raw.ts FILE RECORDED BEFORE
// START all|lean` writes into FILE, with prepared statements and nothing else, the rows that
// RECORDED has of updates after offset BEFORE; those after START are counted.
import SqliteDatabase from 'better-sqlite3'
import { printRun, timed } from './transfer-common.ts'
import { GROUP, readRecorded } from './transfer-rows.ts'
import type { Row, Update } from './transfer-rows.ts'

type Connection = SqliteDatabase.Database
type Found = NonNullable<Update['found']>

const [file = '', recorded = '', before = '0', start = '0', kind = 'all'] = process.argv.slice(2)

/** Opens a connection like the plugin. */
function open(path: string): Connection {
  const connection = new SqliteDatabase(path)
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('wal_autocheckpoint = 8000')
  connection.pragma('cache_size = -32768')
  return connection
}

/** Rows that find others: written as they are, those of stakes first where active ones are. */
function finderWriter(connection: Connection): (found: Found) => void {
  const sight = connection.prepare(
    'insert into sightings (party_hash, ledger_offset) values (?, ?)',
  )
  const stake = connection.prepare(
    `insert into stakes (party_hash, template_key, node, sequence, archived_offset)
    values (?, ?, 0, ?, 0)`,
  )
  const end = connection.prepare(
    `update stakes set node = ?, archived_offset = ?
    where party_hash = ? and template_key = ? and node = 0 and sequence = ?`,
  )
  const accrue = connection.prepare(
    `insert into accruals (name, account, part, at_position, amount, rate, contract_count)
    values (?, ?, ?, ?, ?, ?, ?) on conflict (name, account, part, at_position) do update
    set amount = excluded.amount, rate = excluded.rate, contract_count = excluded.contract_count`,
  )
  const drop = connection.prepare(
    'delete from accruals where name = ? and account = ? and part = ? and at_position = ?',
  )
  return ({ sightings, stakes, ended, accruals }) => {
    for (const row of sightings) sight.run(row['party_hash'], row['ledger_offset'])
    for (const row of stakes) stake.run(row['party_hash'], row['template_key'], row['sequence'])
    for (const row of ended) end.run(STAKE_COLUMNS.map((column) => row[column]))
    for (const { name, account, part, at, amount, rate, count } of accruals) {
      if (count === 0n) drop.run(name, account, part, at)
      else accrue.run(name, account, part, at, String(amount), String(rate), count)
    }
  }
}

const STAKE_COLUMNS = ['node', 'archived_offset', 'party_hash', 'template_key', 'sequence']

/** Reads each input, archives it, inserts what is new, one transaction for a group. */
function writer(connection: Connection): (group: readonly Update[]) => void {
  const insert = (table: string, [sample]: readonly Row[]) => {
    const columns = Object.keys(sample ?? {})
    const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
    const prepared = connection.prepare(sample === undefined ? 'select ?' : text)
    return (rows: readonly Row[]): void =>
      rows.forEach((row) => void prepared.run(Object.values(row)))
  }
  const look = connection.prepare(
    'select contract_id, created_offset, archived_offset, synchronizer_id from contracts where contract_id = ?',
  )
  const archive = connection.prepare(
    'update contracts set archived_offset = ? where contract_id = ? and archived_offset = 0',
  )
  const total =
    connection.prepare(`insert into totals (name, account, amount, contract_count) values ('unlocked', ?, ?, ?)
    on conflict (name, account) do update set amount = excluded.amount, contract_count = excluded.contract_count`)
  const charge =
    connection.prepare(`insert into facts (kind, fact_key, body, pruned_with) values ('traffic', ?, ?, 0)
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
  const find = finderWriter(connection)
  return connection.transaction((group: readonly Update[]) => {
    lock.get()
    for (const { update, consumed, created, totals, lines, facts, command, found } of group) {
      for (const id of consumed) look.get(id)
      tables.update([update])
      tables.contract(created.map((row) => ({ ...row, archived_offset: 0 })))
      for (const id of consumed)
        if (archive.run(update['ledger_offset'], id).changes !== 1)
          throw new Error(`${id} was not active`)
      for (const each of totals) total.run(each)
      tables.line(lines)
      tables.fact(facts)
      if (command !== undefined) tables.command([command])
      if (found !== undefined) find(found)
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
const updates = readRecorded(target, source, Number(before), kind === 'lean')
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
