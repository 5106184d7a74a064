// The statements of contracts and their commit. Those in BULK write many rows: SQLite runs them
// once a row, PostgreSQL once with a list for each column.
import { both, UPDATE_ID } from './statements.ts'
import type { ActiveQuery, KeyName } from '../../runtime/index.ts'
import { columnList, tableNamed, WIRE } from './tables.ts'
import type { BulkStatement, Statement } from './statements.ts'
import type { WireType } from './tables.ts'

const STATE = 'contract_id, created_offset, archived_offset, synchronizer_id'
const RECORD =
  'template_id, package_name, payload, signatories, observers, created_at, key1, key2, key3, rank'
/** Columns that a page of contracts answers. */
export const ACTIVE = `sequence, contract_id, synchronizer_id, created_offset, ${RECORD}`
const UPDATE = 'ledger_offset, update_id, record_time, body'
const COMMAND = 'command_key, update_id, ledger_offset, kept_until'
const FACTS = 'select kind, fact_key, body from facts'
const ACCRUALS =
  'select part, at_position, amount, rate, contract_count from accruals where name = ? and account = ?'
const FORGET_BATCH = 1_000
const NOT_PRUNED = 'ledger_offset > (select up_to from pruning)'

export const CONTRACTS = {
  /**
   * The clock is read outside: in the locking query it would be read before the lock is waited for.
   */
  lockLedgerEnd: both(
    'lockLedgerEnd',
    `select locked.*, {micros} as now, (${UPDATE_ID}) as seen from (select last_offset, record_time,
    last_sequence, last_log_line from ledger_end for update) as locked`,
  ),
  moveLedgerEnd: exactlyOne(
    'moveLedgerEnd',
    `update ledger_end set last_offset = ?, record_time = ?, last_sequence = ?,
    last_log_line = ? where last_offset = ? and last_sequence = ? and last_log_line = ? returning id`,
  ),
  /** States of contracts, with what their stakes are made of. */
  states: both(
    'contractStates',
    `select ${STATE}, sequence, template_id, package_name, signatories, observers from contracts where contract_id in {texts}`,
  ),
  byIds: both(
    'contractsByIds',
    `select ${STATE}, ${RECORD} from contracts where contract_id in {texts}`,
  ),

  total: both('total', 'select amount, contract_count from totals where name = ? and account = ?'),
  accruals: both(
    'accruals',
    `${ACCRUALS} and part = 'all' and at_position = 0
    union all ${ACCRUALS} and part = 'since' and at_position > ?
    union all ${ACCRUALS} and part = 'until' and at_position <= ?`,
  ),
  log: both(
    'log',
    'select id, body from logs where log = ? and owner = ? order by line desc limit ?',
  ),
  logAfter: both(
    'logAfter',
    `select id, body from logs where log = ? and owner = ?
    and line < (select line from logs where log = ? and owner = ? and id = ?) order by line desc limit ?`,
  ),
  fact: both('fact', `${FACTS} where kind = ? and fact_key = ?`),
  facts: both('facts', `${FACTS} where kind = ? and fact_key > ? order by fact_key limit ?`),
  factsOfKey: both('factsOfKey', `${FACTS} where fact_key = ? and kind in {texts}`),
  factsAmong: both('factsAmong', `${FACTS} where kind = ? and fact_key in {texts}`),
  command: both('command', `select ${COMMAND} from commands where command_key = ?`),
  commandsAmong: both(
    'commandsAmong',
    `select ${COMMAND} from commands where command_key in {texts}`,
  ),
  forgetCommands: both(
    'forgetCommands',
    `delete from commands where command_key in
    (select command_key from commands where kept_until < ? limit ${FORGET_BATCH}) returning command_key`,
  ),
  forgetFacts: both(
    'forgetFacts',
    `delete from facts where (kind, fact_key) in
    (select kind, fact_key from facts where kind >= ? and kind < ? limit ${FORGET_BATCH}) returning fact_key`,
  ),

  isWritten: both('isUpdateWritten', 'select 1 as one from updates where update_id = ?'),
  updatesAfter: both(
    'updatesAfter',
    `select ${UPDATE} from updates where ledger_offset > ? and ${NOT_PRUNED} order by ledger_offset limit ?`,
  ),
  /**
   * Up to the last one whose body still fits, the first in any case. Sizes are read without the
   * bodies.
   */
  updatesWithin: both(
    'updatesWithin',
    `select ${UPDATE} from updates where ledger_offset > ? and ${NOT_PRUNED}
    and ledger_offset <= (select max(ledger_offset) from (
      select ledger_offset, sum(bytes) over (order by ledger_offset) as total, row_number() over (order by ledger_offset) as place
      from (select ledger_offset, octet_length(body) as bytes from updates
        where ledger_offset > ? and ${NOT_PRUNED} order by ledger_offset limit ?) as page) as measured
      where total <= ? or place = 1)
    order by ledger_offset limit ?`,
  ),
  updateAt: both(
    'updateAt',
    `select ledger_offset, update_id, record_time from updates
    where record_time <= ? and ${NOT_PRUNED} order by record_time desc limit 1`,
  ),
}

export const BULK = {
  insertUpdates: insert('updates'),
  insertSightings: insert('sightings'),
  insertContracts: insert('contracts'),
  insertStakes: insert('stakes'),
  endStakes: endStakes(),
  /** The place of a contract before it moves for the first time. */
  keepOrigins: keepOrigins(),
  insertAssignments: insert('assignments', replacing(['synchronizer_id'])),
  archiveContracts: updateContracts(
    'archiveContracts',
    'archived_offset',
    'bigint',
    ' and archived_offset + 0 = 0',
  ),
  assignContracts: updateContracts('assignContracts', 'synchronizer_id', 'text', ''),
  addTotals: insert('totals', addingUp('totals', ['amount'])),
  addAccruals: insert('accruals', addingUp('accruals', ['amount', 'rate'])),
  dropAccruals: dropAccruals(),
  insertLines: insert('logs'),
  putFacts: insert('facts', replacing(['body', 'pruned_with'])),
  putCommands: insert('commands', replacing(['update_id', 'ledger_offset', 'kept_until'])),
}

/** `+rank` keeps the planner from an index by rank, which would have to be sorted. */
const ORDERS: Readonly<
  Record<ActiveQuery['order'], { readonly index: string; readonly text: string }>
> = {
  created: { index: 'created', text: 'and sequence > ? and +rank <= ? order by sequence limit ?' },
  'created-desc': {
    index: 'created',
    text: 'and sequence < ? and +rank <= ? order by sequence desc limit ?',
  },
  rank: {
    index: 'rank',
    text: 'and (rank, sequence) > (?, ?) and rank <= ? order by rank, sequence limit ?',
  },
  'rank-desc': {
    index: 'rank',
    text: 'and (rank, sequence) < (?, ?) order by rank desc, sequence desc limit ?',
  },
}

const activeStatements = new Map(
  ([undefined, 'key1', 'key2', 'key3'] as const).flatMap((key) =>
    (['created', 'created-desc', 'rank', 'rank-desc'] as const).map(
      (order) => [`${key} ${order}`, active(key, order)] as const,
    ),
  ),
)

/** The page of active contracts in an order, under a key or of all. */
export function activeStatement(key: KeyName | undefined, order: ActiveQuery['order']): Statement {
  const statement = activeStatements.get(`${key} ${order}`)
  if (statement === undefined) throw new TypeError(`No such query: ${key} ${order}`)
  return statement
}

const keyStatements = statementsByKey((key) =>
  both(
    `${key}_values`,
    `select ${key} from contracts {by contracts_${key}_created}
  where archived_offset = 0 and template_key = ? and {template} = ? and ${key} > ? and ${key} <> '' order by ${key} limit ?`,
  ),
)

const countStatements = statementsByKey((key) =>
  both(
    `${key}_count`,
    `select count(*) as number from
  (select 1 from contracts {by contracts_${key}_created} where archived_offset = 0 and template_key = ? and {template} = ?
    and ${key} = ? and ${key} <> '' limit ?) as found`,
  ),
)

/** Values of a key, one for each contract, in their order. */
export function keyStatement(key: KeyName): Statement {
  return keyStatements[key]
}

/** Number of contracts that have a value of a key. */
export function countStatement(key: KeyName): Statement {
  return countStatements[key]
}

function statementsByKey(make: (key: KeyName) => Statement): Readonly<Record<KeyName, Statement>> {
  return { key1: make('key1'), key2: make('key2'), key3: make('key3') }
}

function active(key: KeyName | undefined, order: ActiveQuery['order']): Statement {
  const { index, text } = ORDERS[order]
  const prefix = key === undefined ? '' : `${key}_`
  const byKey = key === undefined ? '' : `and ${key} = ? and ${key} <> ''`
  return both(
    `active_${prefix}${order}`,
    `select ${ACTIVE} from contracts {by contracts_${prefix}${index}}
    where archived_offset = 0 and template_key = ? and {template} = ? ${byKey} ${text}`,
  )
}

/**
 * Must touch one row. PostgreSQL itself refuses any other number, by a division by zero: the commit
 * is on its way already and fails with it. SQLite answers the rows before anything is committed.
 */
function exactlyOne(name: string, text: string): Statement {
  const { sqlite, postgres } = both(name, text)
  return {
    name,
    sqlite,
    postgres: `with moved as (${postgres}) select 1 / cast(count(*) = 1 as integer) as one from moved`,
  }
}

type Texts = Omit<Statement, 'name'>

/** Rows with all columns of a table; `conflict` sets columns of the row that is there already. */
function insert(name: string, conflict?: Texts): BulkStatement {
  const table = tableNamed(name)
  const types = table.columns.map(({ kind }) => WIRE[kind])
  const into = `insert into ${name} (${columnList(table)})`
  const lists = types.map(
    (type, index) => `$${index + 1}::${type === 'numeric' ? 'text[]::numeric' : type}[]`,
  )
  const resolved = (set: string | undefined): string =>
    set === undefined ? '' : ` on conflict (${table.key.join(', ')}) do update set ${set}`
  return {
    name: `insert_${name}`,
    types,
    sqlite: `${into} values (${types.map(() => '?').join(', ')})${resolved(conflict?.sqlite)}`,
    postgres: `${into} select * from unnest(${lists.join(', ')})${resolved(conflict?.postgres)}`,
  }
}

function replacing(columns: readonly string[]): Texts {
  const text = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return { sqlite: text, postgres: text }
}

/**
 * Moves stakes from active to another node. Its values: that node, the offset of the archive, then
 * where the row is: party, template, sequence. With a plain 0 for the node PostgreSQL plans to read
 * all active rows, which looks cheap while the table is empty.
 */
function endStakes(): BulkStatement {
  return {
    name: 'endStakes',
    types: ['bigint', 'bigint', 'bigint', 'int4', 'bigint'],
    sqlite: `update stakes set node = ?, archived_offset = ?
      where party_hash = ? and template_key = ? and node = 0 and sequence = ?`,
    postgres: `update stakes set node = ended.last_node, archived_offset = ended.moment
      from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int4[], $5::bigint[])
      as ended (last_node, moment, party, template, number) where party_hash = ended.party
      and template_key = ended.template and stakes.node = ended.number - ended.number and sequence = ended.number`,
  }
}

/** Counts, and sums in columns of any length, of the row that is there and the one that comes. */
function addingUp(table: string, columns: readonly string[]): Texts {
  const set = (sum: (there: string, more: string) => string): string =>
    [
      `contract_count = ${table}.contract_count + excluded.contract_count`,
      ...columns.map((each) => `${each} = ${sum(`${table}.${each}`, `excluded.${each}`)}`),
    ].join(', ')
  return {
    sqlite: set((there, more) => `add_exactly(${there}, ${more})`),
    postgres: set((there, more) => `${there} + ${more}`),
  }
}

/** Drops the named rows that no contract is in any more. */
function dropAccruals(): BulkStatement {
  return {
    name: 'dropAccruals',
    types: ['text', 'text', 'text', 'bigint'],
    sqlite: `delete from accruals where name = ? and account = ? and part = ? and at_position = ?
      and contract_count = 0`,
    postgres: `delete from accruals using unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
      as named (of, whose, half, place) where name = named.of and account = named.whose
      and part = named.half and at_position = named.place and contract_count = 0`,
  }
}

/** Keeps the first place of contracts, under offset 0. */
function keepOrigins(): BulkStatement {
  const origin =
    'insert into assignments (contract_id, ledger_offset, synchronizer_id) select contract_id, 0, synchronizer_id from contracts'
  return {
    name: 'keepOrigins',
    types: ['text'],
    sqlite: `${origin} where contract_id = ? on conflict (contract_id, ledger_offset) do nothing`,
    postgres: `${origin} where contract_id = any ($1::text[]) on conflict (contract_id, ledger_offset) do nothing`,
  }
}

/**
 * Sets one column of each contract that is named, if the condition holds for it. An index must not
 * answer that: there are ones of active contracts, and reading all of them looks cheap while there
 * are none.
 */
function updateContracts(
  name: string,
  column: string,
  type: WireType,
  condition: string,
): BulkStatement {
  return {
    name,
    types: [type, 'text'],
    sqlite: `update contracts set ${column} = ? where contract_id = ?${condition}`,
    postgres: `update contracts set ${column} = named.value
      from unnest($1::${type}[], $2::text[]) as named (value, id) where contract_id = named.id${condition}`,
  }
}
