// Migration 0009: sums of amounts that grow, and who sees which update. Rows of the sums follow
// from contracts by what templates say, which no storage knows: the program writes them when it
// starts. Of updates that are there already nobody knows who sees them. A server of an earlier
// version that still runs would write neither: a column that its commits write has another name.
import { databaseKind, isPostgres } from './database-kind.ts'
import type { Knex } from 'knex'

/** The schema that has accruals first. */
export const ACCRUALS_SCHEMA = '0009-accruals'

export async function createAccruals(knex: Knex): Promise<void> {
  const [sum, compact] = isPostgres(knex) ? ['numeric', ''] : ['text', 'without rowid']
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.raw(`create table accruals (name ${text} not null, account ${text} not null,
    part ${text} not null, at_position bigint not null, amount ${sum} not null, rate ${sum} not null,
    contract_count bigint not null, primary key (name, account, part, at_position)) ${compact}`)
  await knex.raw('alter table totals rename column number to contract_count')
  await knex.raw(`create table sightings (party_hash bigint not null, ledger_offset bigint not null,
    primary key (party_hash, ledger_offset)) ${compact}`)
  await knex.raw(`alter table updates add column seen_by text not null default ''`)
  await knex.raw('alter table ledger_end add column seen_after bigint not null default 0')
  await knex.raw('update ledger_end set seen_after = last_offset')
}

export async function dropAccruals(knex: Knex): Promise<void> {
  await knex.raw('alter table totals rename column contract_count to number')
  await knex.schema.dropTable('accruals')
  await knex.schema.dropTable('sightings')
  await knex.raw('alter table updates drop column seen_by')
  await knex.raw('alter table ledger_end drop column seen_after')
}
