// Migration 0007: stakes, by which snapshots find contracts (stakes.ts), and where contracts were
// before they moved. Stakes say nothing that contracts do not say: they are made from them, here
// and after a restore. A server of an earlier version that still runs would write none: a column
// that every commit reads has another name, so that it cannot commit.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { databaseKind, isPostgres } from './database-kind.ts'
import { templateOf } from '../../runtime/index.ts'
import { stakeRows } from './stakes.ts'
import type { Knex } from 'knex'
import type { StakeRow } from './stakes.ts'

/** The schema that has stakes first. */
export const SNAPSHOTS_SCHEMA = '0007-snapshots'

const SCHEMA = `
  create table stakes (party_hash bigint not null, template_hash integer not null, node bigint not null,
    sequence bigint not null, archived_offset bigint not null,
    primary key (party_hash, template_hash, node, sequence)) {compact};
  create table assignments (contract_id {text} not null, ledger_offset bigint not null, synchronizer_id text not null,
    primary key (contract_id, ledger_offset)) {compact};
  create index contracts_offset on contracts (created_offset, sequence);
  drop index contracts_all;
  alter table ledger_end rename column last_line to last_log_line`

/**
 * The column of `ledger_end` with the last line of a log, in a storage to which these changes were
 * applied.
 */
export function logLineColumn(applied: readonly string[]): string {
  return applied.includes(SNAPSHOTS_SCHEMA) ? 'last_log_line' : 'last_line'
}

/** Contracts that are in memory at a time. */
const PAGE = 1_000

export async function createSnapshotTables(knex: Knex): Promise<void> {
  const compact = isPostgres(knex) ? '' : 'without rowid'
  const { byteOrdered } = await databaseKind(knex)
  const schema = SCHEMA.replaceAll('{compact}', compact).replaceAll('{text}', byteOrdered)
  for (const statement of schema.split(';')) await knex.raw(statement)
  await fillStakes(knex)
}

export async function dropSnapshotTables(knex: Knex): Promise<void> {
  await knex.raw('alter table ledger_end rename column last_log_line to last_line')
  await knex.raw('create index contracts_all on contracts (template_hash, sequence)')
  await knex.raw('drop index contracts_offset')
  for (const table of ['stakes', 'assignments']) await knex.schema.dropTable(table)
}

interface HeldContract {
  readonly sequence: bigint | number | string
  readonly template_id: string
  readonly package_name: string
  readonly created_offset: bigint | number | string
  readonly archived_offset: bigint | number | string
  readonly signatories: string
  readonly observers: string
}

/**
 * Writes the stakes of all contracts into an empty table, as a part of the caller's transaction.
 */
export async function fillStakes(knex: Knex): Promise<void> {
  for (let after = '0'; ;) {
    const contracts: readonly HeldContract[] = await knex('contracts')
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(PAGE)
      .select(
        'sequence',
        'template_id',
        'package_name',
        'created_offset',
        'archived_offset',
        'signatories',
        'observers',
      )
    await insert(knex, contracts.flatMap(stakesOf))
    const last = contracts.at(-1)
    if (last === undefined || contracts.length < PAGE) return
    after = String(last.sequence)
    await nextTurn()
  }
}

function stakesOf(row: HeldContract): readonly StakeRow[] {
  return stakeRows({
    sequence: BigInt(row.sequence),
    template: templateOf({ templateId: row.template_id, packageName: row.package_name }),
    createdOffset: BigInt(row.created_offset),
    archivedOffset: BigInt(row.archived_offset),
    signatories: JSON.parse(row.signatories),
    observers: JSON.parse(row.observers),
  })
}

async function insert(knex: Knex, rows: readonly StakeRow[]): Promise<void> {
  if (rows.length === 0) return
  const list = isPostgres(knex) ? 'json_array_elements(?::json)' : 'json_each(?)'
  const columns = [0, 1, 2, 3, 4].map((column) => `cast(value ->> ${column} as bigint)`)
  await knex.raw(`insert into stakes select ${columns.join(', ')} from ${list} as listed`, [
    JSON.stringify(rows.map(texts)),
  ])
}

/** JSON's numbers are too short for a hash. */
function texts(row: StakeRow): readonly string[] {
  return row.map(String)
}
