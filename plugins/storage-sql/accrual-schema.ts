// Migration 0009: sums of amounts that grow. Their rows follow from contracts by what templates
// say, which no storage knows: the program writes them when it starts. A server of an earlier
// version that still runs would write none: a column that its commits write has another name.
import { byteOrderedText } from './byte-order.ts'
import type { Knex } from 'knex'

/** The schema that has accruals first. */
export const ACCRUALS_SCHEMA = '0009-accruals'

export async function createAccruals(knex: Knex): Promise<void> {
  const isPostgres = knex.client.config.client === 'pg'
  const [text, sum] = [await byteOrderedText(knex), isPostgres ? 'numeric' : 'text']
  await knex.raw(`create table accruals (name ${text} not null, account ${text} not null,
    part ${text} not null, at_position bigint not null, amount ${sum} not null, rate ${sum} not null,
    contract_count bigint not null, primary key (name, account, part, at_position))
    ${isPostgres ? '' : 'without rowid'}`)
  await knex.raw('alter table totals rename column number to contract_count')
}

export async function dropAccruals(knex: Knex): Promise<void> {
  await knex.raw('alter table totals rename column contract_count to number')
  await knex.schema.dropTable('accruals')
}
