// The rows of a ledger for who checks them, out of one snapshot of either database: the same
// columns that a backup has. What only this storage knows of (packages in pieces, columns beside a
// record, references) is checked here.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { written } from './backup-values.ts'
import { templateKey } from './template-key.ts'
import { stakeProblems } from './stake-check.ts'
import { partOf } from './contract-rows.ts'
import { templateOf } from '../../runtime/index.ts'
import { SAVED_TABLES, tableNamed } from './tables.ts'
import type {
  Accrual,
  AccrualKey,
  ContractState,
  LedgerEnd,
  LedgerInspection,
  Total,
  TotalKey,
  Unreadable,
  UpdateRecord,
} from '../../runtime/index.ts'
import type { Table } from './tables.ts'
import type { Snapshot } from './backup-writer.ts'
import type { StakeHolder } from './stakes.ts'

/** The operations that differ between the two databases. */
export interface Inspectable extends Snapshot {
  /** Findings of the database's own means, a line each. */
  check(): Promise<readonly string[]>
  /** The one column of a statement, as texts. */
  column(sql: string): Promise<readonly string[]>
  /** A statement that answers a text for each table: its name, a space, its bytes. */
  readonly tableBytes: string
  /**
   * The reason why an error says that the data is damaged, in one line; undefined for every other
   * error.
   */
  damageIn(error: unknown): string | undefined
}

/** A row by column; numbers as texts. Throws a TypeError for a column that is null or no text. */
type Reading = (column: string) => string

/** Rows that are read before others, such as Ctrl-C, have their turn. */
const TURN_ROWS = 500
/** Findings of one kind that are told. */
const MOST_FOUND = 100

/** Columns whose text is JSON, '' where a topology is none. */
const JSON_COLUMNS = ['annotations', 'topology', 'summary', 'body']
/** Tables that are read for what they say, not column by column. */
const READ_ELSEWHERE = [
  'ledger_end',
  'pruning',
  'updates',
  'contracts',
  'totals',
  'accruals',
  'package_pieces',
]

/** The inspection of a storage whose schema is up to date. */
export function inspectionOf(snapshot: Inspectable): LedgerInspection {
  return {
    faults: () => faultsOf(snapshot),
    end: () => endOf(snapshot),
    updates: () =>
      list(snapshot, 'updates', (of): UpdateRecord => ({
        offset: BigInt(of('ledger_offset')),
        updateId: of('update_id'),
        recordTime: BigInt(of('record_time')),
        body: of('body'),
      })),
    contracts: () => list(snapshot, 'contracts', contractState),
    totals: () =>
      list(snapshot, 'totals', (of): TotalKey & Total => ({
        name: of('name'),
        account: of('account'),
        amount: BigInt(of('amount')),
        count: BigInt(of('contract_count')),
      })),
    accruals: () =>
      list(snapshot, 'accruals', (of): AccrualKey & Accrual => ({
        name: of('name'),
        account: of('account'),
        part: partOf(of('part')),
        at: BigInt(of('at_position')),
        amount: BigInt(of('amount')),
        rate: BigInt(of('rate')),
        count: BigInt(of('contract_count')),
      })),
  }
}

/** The parts of a contract that its stakes are made of. */
function stakeholdersIn(of: Reading): Omit<StakeHolder, 'sequence'> {
  return {
    template: templateOf({ templateId: of('template_id'), packageName: of('package_name') }),
    createdOffset: BigInt(of('created_offset')),
    archivedOffset: BigInt(of('archived_offset')),
    signatories: textsIn(of('signatories'), 'signatories'),
    observers: textsIn(of('observers'), 'observers'),
  }
}

function contractState(of: Reading): ContractState {
  const { createdOffset, archivedOffset, signatories, observers } = stakeholdersIn(of)
  return {
    contract: {
      contractId: of('contract_id'),
      templateId: of('template_id'),
      packageName: of('package_name'),
      payload: of('payload'),
      signatories,
      observers,
      createdAt: BigInt(of('created_at')),
      key1: of('key1'),
      key2: of('key2'),
      key3: of('key3'),
      rank: BigInt(of('rank')),
    },
    createdOffset,
    archivedOffset,
    synchronizerId: of('synchronizer_id'),
  }
}

function textsIn(json: string, column: string): readonly string[] {
  const value: unknown = JSON.parse(json)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new TypeError(`${column} is not a list of texts`)
}

/** The rows of a table, each as `read` makes it. What it throws is the row's fault. */
async function* list<T>(
  snapshot: Inspectable,
  name: string,
  read: (of: Reading) => T,
): AsyncGenerator<T | Unreadable> {
  const table = tableNamed(name)
  const readRow = rowReader(table, read)
  let rows = 0
  try {
    for await (const some of snapshot.rows(table)) {
      for (const row of some) {
        yield readRow(row)
        rows += 1
        if (rows % TURN_ROWS === 0) await nextTurn()
      }
    }
  } catch (error) {
    const damage = snapshot.damageIn(error)
    if (damage === undefined) throw error
    yield {
      unreadable: `table ${name}: it cannot be read after ${rows} rows: ${damage}`,
      isCut: true,
    }
  }
}

function rowReader<T>(
  table: Table,
  read: (of: Reading) => T,
): (row: readonly unknown[]) => T | Unreadable {
  const places = new Map(
    table.columns.map((column, place) => [column.name, { kind: column.kind, place }]),
  )
  const valueIn = (row: readonly unknown[], column: string): string => {
    const { kind, place } = places.get(column) ?? fail(column)
    const value = written(kind, row[place])
    return typeof value === 'string' ? value : fail(column)
  }
  return (row) => {
    try {
      return read((column) => valueIn(row, column))
    } catch (error) {
      return {
        unreadable: `table ${table.name}: row ${keyOf(table, row)}: ${error instanceof Error ? error.message : String(error)}`,
      }
    }
  }
}

function fail(column: string): never {
  throw new TypeError(`column ${column} is empty`)
}

/** The values of its primary key. */
function keyOf({ key, columns }: Table, row: readonly unknown[]): string {
  return key
    .map((name) => String(row[columns.findIndex((column) => column.name === name)]))
    .join(', ')
}

async function endOf(
  snapshot: Inspectable,
): Promise<(LedgerEnd & { readonly prunedUpTo: bigint }) | Unreadable> {
  const end = await onlyRow(
    list(snapshot, 'ledger_end', (of): LedgerEnd => ({
      offset: BigInt(of('last_offset')),
      recordTime: BigInt(of('record_time')),
    })),
  )
  const pruning = await onlyRow(
    list(snapshot, 'pruning', (of) => ({ prunedUpTo: BigInt(of('up_to')) })),
  )
  if (end === undefined || pruning === undefined)
    return { unreadable: 'there is not one ledger end' }
  return { ...end, ...pruning }
}

async function onlyRow<T extends object>(
  rows: AsyncIterable<T | Unreadable>,
): Promise<T | undefined> {
  const [row, ...others] = await Array.fromAsync(rows)
  return row === undefined || others.length > 0 || 'unreadable' in row ? undefined : row
}

/** Each part by itself, so that what stops one stops no other. */
async function* faultsOf(snapshot: Inspectable): AsyncGenerator<string> {
  const others = SAVED_TABLES.filter(({ name }) => !READ_ELSEWHERE.includes(name))
  const parts: readonly (() => AsyncIterable<string>)[] = [
    () => ownProblems(snapshot),
    ...others.map((table) => () => columnProblems(snapshot, table)),
    () => packageProblems(snapshot),
    () => indexProblems(snapshot),
    () => snapshotProblems(snapshot),
    ...Object.entries(REFERENCES).map(
      ([what, sql]) =>
        () =>
          referenceProblems(snapshot, what, sql),
    ),
  ]
  for (const part of parts) {
    try {
      yield* part()
    } catch (error) {
      const damage = snapshot.damageIn(error)
      if (damage === undefined) throw error
      yield `storage: it cannot be checked to its end: ${damage}`
    }
  }
}

async function* ownProblems(snapshot: Inspectable): AsyncGenerator<string> {
  for (const fault of await snapshot.check()) yield `storage: ${fault}`
}

/**
 * References to something that is not there; references that the schema itself holds are the
 * database's to check.
 */
const REFERENCES: Readonly<Record<string, string>> = {
  'command KEY: it names an update that is not there': `select command_key from commands
    where ledger_offset > (select up_to from pruning) and not exists (select 1 from updates
      where updates.update_id = commands.update_id and updates.ledger_offset = commands.ledger_offset)`,
  'contract KEY: it is after the ledger end':
    'select contract_id from contracts where sequence > (select max(last_sequence) from ledger_end)',
  'log line KEY: it is after the ledger end':
    'select line from logs where line > (select max(last_log_line) from ledger_end)',
}

async function* referenceProblems(
  snapshot: Inspectable,
  what: string,
  sql: string,
): AsyncGenerator<string> {
  for (const key of await snapshot.column(`${sql} limit ${MOST_FOUND}`))
    yield what.replace('KEY', key)
}

async function* columnProblems(snapshot: Inspectable, table: Table): AsyncGenerator<string> {
  const columns = table.columns.filter(({ kind, isNullable }) => kind !== 'flag' && !isNullable)
  const rows = list(snapshot, table.name, (of) => {
    for (const { name } of columns) {
      const text = of(name)
      if (JSON_COLUMNS.includes(name) && text !== '') JSON.parse(text)
    }
    return {}
  })
  for await (const row of rows) if ('unreadable' in row) yield row.unreadable
}

/** The index of contracts goes by a hash of the template, which nothing else in a row says. */
async function* indexProblems(snapshot: Inspectable): AsyncGenerator<string> {
  const rows = await snapshot.column(
    `select distinct template_key || ' ' || package_name || ' ' || template_id from contracts`,
  )
  for (const row of rows) {
    const [key = '', packageName = '', templateId = ''] = row.split(' ')
    if (Number(key) !== templateKey(templateOf({ templateId, packageName })))
      yield `template ${templateId}: some of its contracts are not found by it`
  }
}

/**
 * What was active when is found by rows of its own, and contracts that moved were somewhere before.
 */
async function* snapshotProblems(snapshot: Inspectable): AsyncGenerator<string> {
  const contracts = list(snapshot, 'contracts', (of) => ({
    ...stakeholdersIn(of),
    sequence: BigInt(of('sequence')),
  }))
  yield* stakeProblems(contracts, snapshot.column)
  yield* referenceProblems(
    snapshot,
    'contract KEY: it moved, but is not there',
    `select distinct contract_id from assignments
    where not exists (select 1 from contracts where contracts.contract_id = assignments.contract_id)`,
  )
  yield* referenceProblems(
    snapshot,
    'contract KEY: it is on another synchronizer than it moved to',
    `select contract_id from contracts
    where contract_id in (select contract_id from assignments) and synchronizer_id <> (select synchronizer_id from assignments
      where assignments.contract_id = contracts.contract_id order by ledger_offset desc limit 1)`,
  )
}

/** Pieces without a package are what a killed upload left. */
async function* packageProblems(snapshot: Inspectable): AsyncGenerator<string> {
  const hashes = new Map<
    string,
    { readonly hash: ReturnType<typeof createHash>; size: number; pieces: number }
  >()
  const pieces = list(snapshot, 'package_pieces', (of) => ({
    id: of('package_id'),
    number: Number(of('number')),
    bytes: Buffer.from(of('bytes'), 'base64'),
  }))
  const missing = new Set<string>()
  for await (const piece of pieces) {
    if ('unreadable' in piece) {
      yield piece.unreadable
      continue
    }
    const sum = hashes.get(piece.id) ?? { hash: createHash('sha256'), size: 0, pieces: 0 }
    if (piece.number !== sum.pieces) missing.add(piece.id)
    sum.hash.update(piece.bytes)
    hashes.set(
      piece.id,
      Object.assign(sum, { size: sum.size + piece.bytes.length, pieces: sum.pieces + 1 }),
    )
  }
  const packages = list(snapshot, 'packages', (of) => ({
    id: of('package_id'),
    size: Number(of('size')),
  }))
  for await (const one of packages) {
    if ('unreadable' in one) continue
    const sum = hashes.get(one.id)
    const isWhole =
      sum !== undefined &&
      !missing.has(one.id) &&
      sum.size === one.size &&
      sum.hash.digest('hex') === one.id
    if (!isWhole) yield `package ${one.id}: its payload is not the one that its id vouches for`
  }
}
