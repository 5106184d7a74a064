// All tables, once for the schema, the statements that write many rows, backups and checks: what a
// later version adds to a table is written here. Tables come in the order in which they can be
// filled.

/**
 * The way in which a column's values are kept. A `name` sorts by its bytes; `rank` and `sum` are
 * numbers of up to 38 digits and beyond, which SQLite keeps as texts, a rank padded; a `line` is
 * SQLite's own number of the row.
 */
export type ColumnKind =
  'name' | 'text' | 'int' | 'small' | 'line' | 'flag' | 'bytes' | 'rank' | 'sum'

/** Types as PostgreSQL takes values; not `integer`, which has eight bytes in CockroachDB. */
export type WireType = 'bigint' | 'int4' | 'text' | 'numeric' | 'boolean' | 'bytea'

export const WIRE: Readonly<Record<ColumnKind, WireType>> = {
  name: 'text',
  text: 'text',
  int: 'bigint',
  small: 'int4',
  line: 'bigint',
  flag: 'boolean',
  bytes: 'bytea',
  rank: 'numeric',
  sum: 'numeric',
}

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** Constraints, and what else of its definition is SQL. */
  readonly rules: readonly string[]
  /** The row that an empty database has, as SQL; writers of a single row lock it. */
  readonly initial?: readonly string[]
  /** Kept in the order of its key in SQLite: rows are short, and found by nothing else. */
  readonly isCompact: boolean
  /**
   * Whether backups leave it out: a lease means something to servers that run, stakes are made from
   * contracts.
   */
  readonly isLeftOut: boolean
}

interface Options {
  readonly rules?: readonly string[]
  readonly initial?: readonly string[]
  readonly isCompact?: boolean
  readonly isLeftOut?: boolean
}

const OF_USER = 'foreign key (user_id) references users (id) on delete cascade'
const OF_PROVIDER = 'foreign key (identity_provider_id) references identity_providers (id)'

/** The default identity provider has no issuer that would be unique. */
export const TABLES: readonly Table[] = [
  table(
    'identity_providers',
    'id name, is_deactivated flag, issuer text, issuer_digest text?, jwks_url text, audience text',
    'id',
    { rules: ['unique (issuer_digest)'], initial: [`''`, 'false', `''`, 'null', `''`, `''`] },
  ),
  table(
    'users',
    'id name, primary_party text, is_deactivated flag, primary_party_authentication flag, ' +
      'identity_provider_id name, resource_version int, annotations text',
    'id',
    { rules: [OF_PROVIDER] },
  ),
  table('user_rights', 'user_id name, kind name, party name', 'user_id, kind, party', {
    rules: [OF_USER],
  }),
  table('wallets', 'user_id name, party name', 'user_id', { rules: [OF_USER] }),
  table(
    'user_notes',
    'user_id name, identity_provider_id name, name name, note text',
    'user_id, identity_provider_id, name',
    {
      rules: [
        OF_USER,
        'foreign key (identity_provider_id) references identity_providers (id) on delete cascade',
      ],
    },
  ),
  table(
    'parties',
    'party name, is_local flag, identity_provider_id name, resource_version int, annotations text, topology text',
    'party',
    { rules: [OF_PROVIDER] },
  ),
  table(
    'packages',
    'package_id name, name name, version text, size int, summary text, vetted flag',
    'package_id',
  ),
  // No reference to the package: its pieces are written before it.
  table('package_pieces', 'package_id name, number small, bytes bytes', 'package_id, number'),
  table('vetting', 'id small, version int', 'id', { initial: ['1', '0'] }),
  table('pruning', 'id small, up_to int', 'id', { initial: ['1', '0'] }),
  table(
    'ledger_end',
    'id small, last_offset int, record_time int, last_sequence int, last_log_line int',
    'id',
    { initial: ['1', '0', '0', '0', '0'] },
  ),
  table('leases', 'name name, holder name, ends_at int, wisher name, wish_ends_at int', 'name', {
    isLeftOut: true,
  }),
  table(
    'updates',
    'ledger_offset line, update_id name, record_time int, body text, seen_by text',
    'ledger_offset',
    { rules: ['unique (update_id)', 'unique (record_time)'] },
  ),
  table('sightings', 'party_hash int, ledger_offset int', 'party_hash, ledger_offset', {
    isCompact: true,
  }),
  // The commit, which holds the ledger's end, numbers contracts. A number is no row id in SQLite,
  // which does not compare (rank, row id) with an index.
  table(
    'contracts',
    'sequence int, contract_id name, template_key small, key1 name, key2 name, key3 name, rank rank, ' +
      'created_offset int, archived_offset int, synchronizer_id text, created_at int, template_id name, ' +
      'package_name text, signatories text, observers text, payload text',
    'sequence',
    { rules: ['unique (contract_id)'] },
  ),
  table(
    'stakes',
    'party_hash int, template_key small, node int, sequence int, archived_offset int',
    'party_hash, template_key, node, sequence',
    { isCompact: true, isLeftOut: true },
  ),
  table(
    'assignments',
    'contract_id name, ledger_offset int, synchronizer_id text',
    'contract_id, ledger_offset',
    { isCompact: true },
  ),
  table('totals', 'name name, account name, amount sum, contract_count int', 'name, account', {
    isCompact: true,
  }),
  table(
    'accruals',
    'name name, account name, part name, at_position int, amount sum, rate sum, contract_count int',
    'name, account, part, at_position',
    { isCompact: true },
  ),
  // Ids begin with their time: what a commit adds goes to the end of the index, and not to a page
  // for each owner. docs/decisions/0023-a-transfer.md
  table('logs', 'line line, log name, owner name, id name, body text, ledger_offset int', 'line', {
    rules: ['unique (log, id, owner)'],
  }),
  table('facts', 'kind name, fact_key name, body text, pruned_with int', 'kind, fact_key'),
  table(
    'commands',
    'command_key name, update_id text, ledger_offset int, kept_until int',
    'command_key',
    { isCompact: true },
  ),
]

/** Tables whose rows a backup has. */
export const SAVED_TABLES: readonly Table[] = TABLES.filter(({ isLeftOut }) => !isLeftOut)

/** A table by its name. */
export function tableNamed(name: string): Table {
  const found = TABLES.find((one) => one.name === name)
  if (found === undefined) throw new TypeError(`There is no table ${name}`)
  return found
}

/** The names of a table's columns, with commas. */
export function columnList({ columns }: Table): string {
  return columns.map(({ name }) => name).join(', ')
}

/** `columns` as `name kind`, with commas; a question mark where it may be null. */
function table(name: string, columns: string, key: string, options: Options = {}): Table {
  const { rules = [], isCompact = false, isLeftOut = false, initial } = options
  return {
    name,
    columns: columns.split(', ').map(columnOf),
    key: key.split(', '),
    rules,
    isCompact,
    isLeftOut,
    ...(initial === undefined ? {} : { initial }),
  }
}

function columnOf(text: string): Column {
  const [, name = '', word, mark] = /^(\w+) (\w+)(\??)$/.exec(text) ?? []
  if (!isKind(word)) throw new TypeError(`Column ${text} is of no kind`)
  return { name, kind: word, isNullable: mark === '?' }
}

function isKind(word = ''): word is ColumnKind {
  return Object.hasOwn(WIRE, word)
}
