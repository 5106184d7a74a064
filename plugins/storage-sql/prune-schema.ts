// Migration 0013: what is pruned with an update is found by its offset. Lines that are there
// already are pruned with the update that was the last one then, facts not at all.
import type { Knex } from 'knex'

/** The schema that prunes more than updates first. */
export const PRUNING_SCHEMA = '0013-pruning'

export async function findPruned(knex: Knex): Promise<void> {
  const [end] = await knex('ledger_end').pluck('last_offset')
  await knex.raw(
    `alter table logs add column ledger_offset bigint not null default ${BigInt(end ?? 0)}`,
  )
  await knex.raw('alter table facts add column pruned_with bigint not null default 0')
  await knex.raw('create index facts_pruned_with on facts (pruned_with) where pruned_with > 0')
  await knex.raw(
    'create index contracts_archived on contracts (archived_offset) where archived_offset > 0',
  )
}

export async function forgetPruned(knex: Knex): Promise<void> {
  await knex.raw('drop index contracts_archived')
  await knex.raw('drop index facts_pruned_with')
  await knex.raw('alter table facts drop column pruned_with')
  await knex.raw('alter table logs drop column ledger_offset')
}
