// What the raw writer of bench/transfer.ts writes: the rows that a run of the engine left, by
// update. All of it is read before the clock runs.
import type SqliteDatabase from 'better-sqlite3'
import { partOf } from '../plugins/storage-sql/contract-rows.ts'
import { coin } from '../runtime/contracts/index.ts'
import { accrualsOf, lessAccrual } from '../runtime/engine/accruals.ts'
import type { AccrualRow } from '../runtime/engine/accruals.ts'

export type Row = Readonly<Record<string, string | number | bigint>>
type Connection = SqliteDatabase.Database

/** Updates that are written in one transaction. */
export const GROUP = 32

/** Everything that one update leaves, in the order in which it is written. */
export interface Update {
  readonly update: Row
  readonly consumed: readonly string[]
  readonly created: readonly Row[]
  /** Balances afterwards. */
  readonly totals: readonly (readonly [account: string, amount: string, count: number])[]
  readonly lines: readonly Row[]
  readonly facts: readonly Row[]
  readonly command: Row | undefined
  /** Undefined where the reference has lean rows: those by which the ledger could be read again. */
  readonly found: Found | undefined
}

/** Rows that are there to find others, and sums of fees. */
interface Found {
  readonly sightings: readonly Row[]
  /** Stakes of the created contracts. */
  readonly stakes: readonly Row[]
  /** Stakes of the archived contracts, with their ends. */
  readonly ended: readonly Row[]
  /** Sums after the last update of its group; nothing with the others. */
  readonly accruals: readonly AccrualRow[]
}

/** Recorded rows, in order; if `isLean`, without those that only find others. */
export function readRecorded(
  target: Connection,
  source: Connection,
  after: number,
  isLean: boolean,
): readonly Update[] {
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
  const find = isLean ? undefined : finder(target, source, after)
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
      found: find?.({ offset, come, gone, isLast: isLastOfGroup(index, updates.length) }),
    }
  })
}

function isLastOfGroup(index: number, count: number): boolean {
  return index % GROUP === GROUP - 1 || index === count - 1
}

interface Change {
  readonly offset: Row[string] | undefined
  readonly come: readonly Row[]
  readonly gone: readonly Row[]
  readonly isLast: boolean
}

function finder(target: Connection, source: Connection, after: number): (change: Change) => Found {
  // Hashes of parties fill 64 bits.
  const rows = (sql: string, ...values: readonly unknown[]): Row[] =>
    source
      .prepare<unknown[], Row>(sql)
      .safeIntegers()
      .all(...values)
  const sightings = Map.groupBy(
    rows('select * from sightings where ledger_offset > ?', after),
    (row) => Number(row['ledger_offset']),
  )
  const stakes = Map.groupBy(rows('select * from stakes'), (row) => Number(row['sequence']))
  const stakesOf = (contracts: readonly Row[]): Row[] =>
    contracts.flatMap((row) => stakes.get(Number(row['sequence'])) ?? [])
  const fees = new Fees(target)
  return ({ offset, come, gone, isLast }) => {
    fees.change(gone, come)
    return {
      sightings: sightings.get(Number(offset)) ?? [],
      stakes: stakesOf(come),
      ended: stakesOf(gone),
      accruals: isLast ? fees.changed() : [],
    }
  }
}

/** The running sums of holding fees. */
class Fees {
  readonly #sums = new Map<string, AccrualRow>()
  readonly #changed = new Set<string>()

  constructor(target: Connection) {
    for (const row of target.prepare<[], Row>('select * from accruals').all()) {
      this.#add({
        name: String(row['name']),
        account: String(row['account']),
        part: partOf(String(row['part'])),
        at: BigInt(row['at_position'] ?? 0),
        amount: BigInt(row['amount'] ?? 0),
        rate: BigInt(row['rate'] ?? 0),
        count: BigInt(row['contract_count'] ?? 0),
      })
    }
    this.#changed.clear()
  }

  change(gone: readonly Row[], come: readonly Row[]): void {
    for (const row of gone.filter(isCoin).flatMap(growing)) this.#add(lessAccrual(row))
    for (const row of come.filter(isCoin).flatMap(growing)) this.#add(row)
  }

  /** Rows that changed since it was last asked. */
  changed(): readonly AccrualRow[] {
    const changed = [...this.#changed].flatMap((id) => this.#sums.get(id) ?? [])
    this.#changed.clear()
    return changed
  }

  #add(row: AccrualRow): void {
    const id = [row.name, row.account, row.part, row.at].join(' ')
    const { amount = 0n, rate = 0n, count = 0n } = this.#sums.get(id) ?? {}
    this.#changed.add(id)
    this.#sums.set(id, {
      ...row,
      amount: amount + row.amount,
      rate: rate + row.rate,
      count: count + row.count,
    })
  }
}

function growing(row: Row): readonly AccrualRow[] {
  const payload = coin.read(JSON.parse(String(row['payload'])), coin.type.id)
  return (coin.rules.accruals?.(payload) ?? []).flatMap(accrualsOf)
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
  return row['template_id'] === coin.type.id
}
