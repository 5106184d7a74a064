// Migration 0010: the id of a line is unique by an index in the order of ids, not of owners. Ids
// begin with their time, so that what a commit adds goes to the end of that index, and not to a
// page for each owner. docs/decisions/0023-a-transfer.md
import { databaseKind, isPostgres } from './database-kind.ts'
import type { Knex } from 'knex'

const IN_ORDER = 'log, id, owner'
const BY_OWNER = 'log, owner, id'

export async function orderLines(knex: Knex): Promise<void> {
  await makeUnique(knex, { now: BY_OWNER, then: IN_ORDER })
}

export async function orderLinesByOwner(knex: Knex): Promise<void> {
  await makeUnique(knex, { now: IN_ORDER, then: BY_OWNER })
}

async function makeUnique(
  knex: Knex,
  { now, then }: { readonly now: string; readonly then: string },
): Promise<void> {
  const statements = isPostgres(knex) ? constraint(now, then) : table(then)
  // Without pages nothing is gained, and one of those databases cannot drop a constraint.
  if (isPostgres(knex) && !(await databaseKind(knex)).hasPages) return
  for (const statement of statements) await knex.raw(statement)
}

function constraint(now: string, then: string): readonly string[] {
  return [
    `alter table logs drop constraint logs_${now.replaceAll(', ', '_')}_key`,
    `alter table logs add unique (${then})`,
  ]
}

/** SQLite changes no constraint of a table that is there. */
function table(then: string): readonly string[] {
  return [
    `create table ordered_logs (line integer not null primary key, log text not null,
      owner text not null, id text not null, body text not null, unique (${then}))`,
    'insert into ordered_logs select line, log, owner, id, body from logs order by line',
    'drop table logs',
    'alter table ordered_logs rename to logs',
    'create index logs_newest on logs (log, owner, line)',
  ]
}
