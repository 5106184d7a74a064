// Makes the tables and indexes of an empty database. What speaks PostgreSQL's wire and keeps tables
// otherwise changes a table badly, or not at all, in the transaction that made it: here every table
// is made as it is to be, in one statement, and only then filled.
import { columnList, TABLES } from './tables.ts'
import type { Knex } from 'knex'
import type { Column, ColumnKind, Table } from './tables.ts'

type Types = Readonly<Record<ColumnKind, string>>

const SQLITE: Types = {
  name: 'text',
  text: 'text',
  int: 'bigint',
  small: 'integer',
  line: 'integer',
  flag: 'boolean',
  bytes: 'blob',
  rank: 'text',
  sum: 'text',
}
const POSTGRES: Types = {
  ...SQLITE,
  name: 'text collate "C"',
  line: 'bigint',
  bytes: 'bytea',
  rank: 'numeric(38, 0)',
  sum: 'numeric',
}

/** Table and columns of each index by its name, and the condition where it holds some rows only. */
const INDEXES: Readonly<Record<string, string>> = {
  users_provider: 'users (identity_provider_id, id)',
  user_rights_party: 'user_rights (party)',
  wallets_party: 'wallets (party)',
  user_notes_provider: 'user_notes (identity_provider_id)',
  parties_provider: 'parties (identity_provider_id, party)',
  packages_name: 'packages (name)',
  leases_held: 'leases (holder)',
  contracts_offset: 'contracts (created_offset, sequence)',
  contracts_archived: 'contracts (archived_offset) where archived_offset > 0',
  ...Object.fromEntries([undefined, 'key1', 'key2', 'key3'].flatMap(pagesUnder)),
  logs_newest: 'logs (log, owner, line)',
  facts_pruned_with: 'facts (pruned_with) where pruned_with > 0',
  commands_kept_until: 'commands (kept_until)',
}

/** Pages of active contracts: all, or those under a key, in either order. */
function pagesUnder(key: string | undefined): readonly (readonly [string, string])[] {
  const [prefix, column, condition] =
    key === undefined ? ['', '', ''] : [`${key}_`, `${key}, `, ` and ${key} <> ''`]
  return [['created', 'sequence'] as const, ['rank', 'rank, sequence'] as const].map(
    ([order, by]) => [
      `contracts_${prefix}${order}`,
      `contracts (template_key, ${column}${by}) where archived_offset = 0${condition}`,
    ],
  )
}

/** Makes everything and the rows that it begins with, as a part of the caller's transaction. */
export async function createSchema(knex: Knex): Promise<void> {
  const dialect = await dialectOf(knex)
  for (const statement of schemaOf(dialect)) await knex.raw(statement)
  if (dialect.hasPages) await shapeBodies(knex)
}

/** The statements that make everything in SQLite. */
export function sqliteSchema(): readonly string[] {
  return schemaOf(IN_SQLITE)
}

function schemaOf({ types, suffix }: Dialect): readonly string[] {
  return [
    ...TABLES.flatMap((table) => {
      const { name, initial } = table
      const row =
        initial && `insert into ${name} (${columnList(table)}) values (${initial.join(', ')})`
      return [definitionOf(table, types, suffix), ...(row === undefined ? [] : [row])]
    }),
    ...Object.entries(INDEXES).map(([name, on]) => `create index ${name} on ${on}`),
  ]
}

function definitionOf(
  { name, columns, key, rules, isCompact }: Table,
  types: Types,
  suffix: string,
): string {
  const lines = [
    ...columns.map((column) => columnLine(column, types)),
    `primary key (${key.join(', ')})`,
    ...rules,
  ]
  return `create table ${name} (${lines.join(', ')})${isCompact ? suffix : ''}`
}

function columnLine({ name, kind, isNullable }: Column, types: Types): string {
  return `${name} ${types[kind]}${isNullable ? '' : ' not null'}`
}

interface Dialect {
  readonly types: Types
  /** The end of a compact table's definition. */
  readonly suffix: string
  /** Whether rows are in PostgreSQL's own pages, whose shape can be set. */
  readonly hasPages: boolean
}

const IN_SQLITE: Dialect = { types: SQLITE, suffix: ' without rowid', hasPages: false }

/**
 * SQLite and CockroachDB sort all texts by their bytes, and the latter makes no column with the
 * collation that PostgreSQL and YugabyteDB need for it.
 */
async function dialectOf(knex: Knex): Promise<Dialect> {
  if (knex.client.config.client !== 'pg') return IN_SQLITE
  const version = JSON.stringify(await knex.raw('select version() as version'))
  if (version.includes('CockroachDB'))
    return { types: { ...POSTGRES, name: 'text' }, suffix: '', hasPages: false }
  return { types: POSTGRES, suffix: '', hasPages: !version.includes('-YB-') }
}

/**
 * Bodies of updates are what a commit writes most of. PostgreSQL compresses long ones by an old
 * method that takes longer than all the rest of the insert, and then moves what is still over 2 KB
 * to another table: neither is needed.
 */
const COMPRESSION = [
  'alter table updates alter column body set compression lz4',
  'alter table updates set (toast_tuple_target = 4096)',
]

/** A feature, word or setting that the database does not know. */
const NOT_KNOWN = ['0A000', '42601', '22023']

/**
 * Sets how bodies are kept. A database that keeps rows in another way is not asked: one of them
 * cannot undo what it refuses.
 */
async function shapeBodies(knex: Knex): Promise<void> {
  for (const statement of COMPRESSION) {
    const savepoint = await knex.transaction()
    try {
      await savepoint.raw(statement)
      await savepoint.commit()
    } catch (error) {
      await savepoint.rollback()
      if (!isNotKnown(error)) throw error
    }
  }
}

function isNotKnown(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_KNOWN.some((code) => code === error.code)
}
