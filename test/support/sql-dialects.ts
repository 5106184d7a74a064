// What databases that speak PostgreSQL's wire document as unsupported, as far as a program like
// ours could send it: cockroachlabs.com/docs (postgresql-compatibility, known-limitations,
// online-schema-changes, rollback-transaction, functions-and-operators) and docs.yugabyte.com
// (postgresql-compatibility, transactional-ddl), read in November 2026. Where either refuses
// something, neither is sent it.

export interface SqlDialect {
  readonly name: string
  /** The answer of `version()`. */
  readonly version: string
  readonly refuses: readonly Rule[]
}

interface Rule {
  readonly what: string
  readonly found: RegExp
}

const BOTH: readonly Rule[] = [
  { what: 'an advisory lock', found: /\bpg_(try_)?advisory/ },
  { what: 'a notification', found: /^\s*(un)?(listen|notify)\b|\bpg_notify\b/ },
  { what: 'a lock of a table', found: /^\s*lock\b/ },
  { what: 'a constraint that is deferred', found: /\bdeferrable\b|^\s*set constraints\b/ },
  { what: 'a constraint of exclusion', found: /\bexclude\s+using\b/ },
  { what: 'a trigger or a function', found: /\bcreate\s.*\b(trigger|function|procedure)\b/ },
  { what: 'a sequence', found: /\bcreate sequence\b|\bnextval\b|\bgenerated\b.*\bidentity\b/ },
  { what: 'a temporary table', found: /\bcreate\s+(temp|temporary|unlogged)\b/ },
  { what: 'inheritance of tables', found: /\binherits\b/ },
  { what: 'a change of the type of a column', found: /\balter column \w+ (set data )?type\b/ },
  { what: 'a method of compression', found: /\bset compression\b|\btoast_tuple_target\b/ },
  { what: 'an expression that a conflict is told by', found: /\bon conflict \((?![\w", ]+\))/ },
  {
    what: 'an index that is neither a tree nor inverted',
    found: /\busing (gist|brin|hash|spgist)\b/,
  },
  { what: 'XML', found: /\bxml\w*\s*\(/ },
]

const COCKROACH: readonly Rule[] = [
  { what: 'a column with a collation of PostgreSQL', found: /\bcollate\b/ },
  // Eight bytes there, and a binary list of four is refused.
  { what: 'a list of integers of no stated size', found: /::int(eger)?\[\]/ },
  { what: 'a table that was there, changed in a transaction', found: /^\s*alter table\b/ },
]

export const DIALECTS: readonly SqlDialect[] = [
  {
    name: 'CockroachDB',
    version: 'CockroachDB CCL v24.3.0 (x86_64-pc-linux-gnu, built 2024/11/18, go1.22.8)',
    refuses: [...BOTH, ...COCKROACH],
  },
  {
    name: 'YugabyteDB',
    version: 'PostgreSQL 11.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang, 64-bit',
    refuses: BOTH,
  },
]

/** Functions of CockroachDB's list, and of PostgreSQL 11, which YugabyteDB follows. */
const FUNCTIONS = [
  ...['any', 'cast', 'coalesce', 'extract', 'count', 'max', 'min', 'sum', 'row_number'],
  ...[
    'clock_timestamp',
    'unnest',
    'octet_length',
    'json_to_recordset',
    'json_array_elements',
    'substr',
    'strpos',
  ],
  ...['version', 'current_schema', 'current_database', 'current_setting', 'to_regclass'],
  ...['has_schema_privilege', 'has_database_privilege'],
]
/** Words before a bracket that are neither a function nor a name. */
const WORDS = [
  ...['and', 'as', 'by', 'conflict', 'exists', 'from', 'in', 'join', 'key', 'lateral', 'limit'],
  ...['not', 'on', 'or', 'over', 'select', 'then', 'union', 'unique', 'values', 'when', 'where'],
  ...['numeric', 'varchar', 'all', 'else'],
]
/** A name that a list of columns follows: of a table, an index's table, or a list of rows. */
const NAMED = /\b(?:into|table|references|as|on)\s+\w+\s*\(|\b\w+\s*\([\w, ]+\)\s+as\s+\(/g

/** Parts of a statement that the database refuses; none if it accepts it. */
export function refusals({ refuses }: SqlDialect, sql: string): readonly string[] {
  const text = sql
    .toLowerCase()
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll('"', '')
  return [
    ...refuses.filter(({ found }) => found.test(text)).map(({ what }) => what),
    ...changedTwice(text),
    ...functionsIn(text)
      .filter((name) => !FUNCTIONS.includes(name))
      .map((name) => `the function ${name}`),
  ]
}

function functionsIn(text: string): readonly string[] {
  const calls = text.replaceAll(/\s+/g, ' ').replaceAll(NAMED, ', (')
  return Array.from(calls.matchAll(/\b([a-z_]\w*) ?\(/g), ([, name = '']) => name).filter(
    (name) => !WORDS.includes(name),
  )
}

/** One table, by two parts of a statement. */
function changedTwice(text: string): readonly string[] {
  const changes = /\b(?:insert into|(?<!for |do )update|delete from)\s+(\w+)/g
  const tables = Array.from(text.matchAll(changes), ([, table = '']) => table)
  return tables
    .filter((table, index) => tables.indexOf(table) < index)
    .map((table) => `two changes of ${table}`)
}
