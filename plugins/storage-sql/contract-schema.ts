// Migration 0003: contracts, what is projected from them, and updates that carry their record time.
// Written as SQL, because knex has no words for a table without row ids.
import { databaseKind, isPostgres } from './database-kind.ts'
import type { Knex } from 'knex'

/**
 * Braces name what the two databases call differently. A contract is indexed under a hash of its
 * template's id, four bytes for a hundred; queries compare the id too. Numbers are given by the
 * commit, which holds the ledger end: no sequences. Those of contracts are no row ids in SQLite,
 * which does not compare (rank, row id) with an index.
 */
const SCHEMA = `
  drop table updates;
  create table updates (ledger_offset {rowid} not null primary key, update_id {text} not null unique,
    record_time bigint not null unique, body text not null);
  alter table ledger_end add column record_time bigint not null default 0;
  alter table ledger_end add column last_sequence bigint not null default 0;
  alter table ledger_end add column last_line bigint not null default 0;

  create table contracts (sequence bigint not null primary key, contract_id {text} not null unique,
    template_hash integer not null, key1 {text} not null, key2 {text} not null, key3 {text} not null,
    rank {rank} not null, created_offset bigint not null, archived_offset bigint not null,
    synchronizer_id text not null, created_at bigint not null, template_id {text} not null, package_name text not null,
    signatories text not null, observers text not null, payload text not null);
  create index contracts_all on contracts (template_hash, sequence);
  create index contracts_created on contracts (template_hash, sequence) where archived_offset = 0;
  create index contracts_rank on contracts (template_hash, rank, sequence) where archived_offset = 0;
  create index contracts_key1_created on contracts (template_hash, key1, sequence)
    where archived_offset = 0 and key1 <> '';
  create index contracts_key1_rank on contracts (template_hash, key1, rank, sequence)
    where archived_offset = 0 and key1 <> '';
  create index contracts_key2_created on contracts (template_hash, key2, sequence)
    where archived_offset = 0 and key2 <> '';
  create index contracts_key2_rank on contracts (template_hash, key2, rank, sequence)
    where archived_offset = 0 and key2 <> '';
  create index contracts_key3_created on contracts (template_hash, key3, sequence)
    where archived_offset = 0 and key3 <> '';
  create index contracts_key3_rank on contracts (template_hash, key3, rank, sequence)
    where archived_offset = 0 and key3 <> '';

  create table totals (name {text} not null, account {text} not null, amount {sum} not null, number bigint not null,
    primary key (name, account)) {compact};
  create table logs (line {rowid} not null primary key, log {text} not null, owner {text} not null, id {text} not null,
    body text not null, unique (log, owner, id));
  create index logs_newest on logs (log, owner, line);
  create table facts (kind {text} not null, fact_key {text} not null, body text not null,
    primary key (kind, fact_key));
  create table commands (command_key {text} not null primary key, update_id text not null,
    ledger_offset bigint not null, kept_until bigint not null) {compact};
  create index commands_kept_until on commands (kept_until)`

const TABLES = ['contracts', 'totals', 'logs', 'facts', 'commands']

/**
 * Amounts have up to 38 digits, sums more: SQLite has no such number, so ranks are padded texts
 * there.
 */
const SQLITE = { rowid: 'integer', rank: 'text', sum: 'text', compact: 'without rowid' }
const POSTGRES = { rowid: 'bigint', rank: 'numeric(38, 0)', sum: 'numeric', compact: '' }

/** No program wrote updates before this schema, so their table is made anew. */
export async function createContractTables(knex: Knex): Promise<void> {
  const { byteOrdered } = await databaseKind(knex)
  const words = new Map(Object.entries(isPostgres(knex) ? POSTGRES : SQLITE))
  words.set('text', byteOrdered)
  const schema = SCHEMA.replaceAll(/\{(\w+)\}/g, (_braced, name: string) => words.get(name) ?? '')
  for (const statement of schema.split(';')) await knex.raw(statement)
}

export async function dropContractTables(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.dropTable(table)
  for (const column of ['record_time', 'last_sequence', 'last_line']) {
    await knex.schema.alterTable('ledger_end', (table) => table.dropColumn(column))
  }
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
 * Migration 0005. A database that keeps rows in another way is not asked: one of them cannot undo
 * what it refuses.
 */
export async function shapeBodies(knex: Knex): Promise<void> {
  const { hasPages } = await databaseKind(knex)
  if (!hasPages) return
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
