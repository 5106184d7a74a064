// The statements that delete what is pruned, a batch each. SQLite's process waits for one batch: a
// few milliseconds.
import { both } from './statements.ts'
import type { BulkStatement } from './statements.ts'

const UPDATES = 500
/** Each with its stakes, which are some four rows. */
const CONTRACTS = 100
const OTHERS = 500
/**
 * What goes with an update is a row for each party that saw it, of some twenty bytes in `seen_by`;
 * with a contract, one for each stakeholder, whose id is longer. A batch ends where there are some
 * three thousand.
 */
const [SEEN_BYTES, STAKEHOLDER_BYTES] = [65_536, 262_144]

const PRUNED = '(select up_to from pruning)'

export const PRUNE = {
  updates: both(
    'pruneUpdates',
    `delete from updates where ledger_offset in (select ledger_offset from (
      select ledger_offset, sum(bytes) over (order by ledger_offset) - bytes as before
      from (select ledger_offset, octet_length(seen_by) as bytes from updates
        where ledger_offset <= ${PRUNED} order by ledger_offset limit ${UPDATES}) as page) as measured
      where before < ${SEEN_BYTES})
    returning ledger_offset, seen_by`,
  ),
  /**
   * The newest contract and the newest line stay: a start compares them with the ledger's end.
   */
  contracts: both(
    'pruneContracts',
    `delete from contracts where sequence in (select sequence from (
      select sequence, sum(bytes) over (order by archived_offset, sequence) - bytes as before
      from (select sequence, archived_offset, octet_length(signatories) + octet_length(observers) as bytes
        from contracts where archived_offset > 0 and archived_offset <= ${PRUNED}
        and sequence < (select last_sequence from ledger_end)
        order by archived_offset limit ${CONTRACTS}) as page) as measured
      where before < ${STAKEHOLDER_BYTES})
    returning sequence, contract_id, template_id, package_name, created_offset, archived_offset,
      signatories, observers`,
  ),
  /** Offsets rise with lines, so that the first that stays is the last that is looked at. */
  logs: both(
    'pruneLogs',
    `delete from logs where line in (select line from (
      select line, ledger_offset from logs where line > 0 order by line limit ${OTHERS}) as oldest
      where ledger_offset <= ${PRUNED} and line < (select last_log_line from ledger_end))
    returning line`,
  ),
  facts: both(
    'pruneFacts',
    `delete from facts where (kind, fact_key) in (select kind, fact_key from facts
      where pruned_with > 0 and pruned_with <= ${PRUNED} limit ${OTHERS})
    and pruned_with > 0 and pruned_with <= ${PRUNED}
    returning fact_key`,
  ),
}

export const PRUNE_BULK = {
  dropSightings: {
    name: 'dropSightings',
    types: ['bigint', 'bigint'],
    sqlite: 'delete from sightings where party_hash = ? and ledger_offset = ?',
    postgres: `delete from sightings using unnest($1::bigint[], $2::bigint[]) as gone (party, moment)
      where party_hash = gone.party and ledger_offset = gone.moment`,
  },
  dropStakes: {
    name: 'dropStakes',
    types: ['bigint', 'int4', 'bigint', 'bigint'],
    sqlite: `delete from stakes
      where party_hash = ? and template_key = ? and node = ? and sequence = ?`,
    postgres: `delete from stakes using unnest($1::bigint[], $2::int4[], $3::bigint[], $4::bigint[])
      as gone (party, template, place, number) where party_hash = gone.party
      and template_key = gone.template and stakes.node = gone.place and sequence = gone.number`,
  },
  dropAssignments: {
    name: 'dropAssignments',
    types: ['text'],
    sqlite: 'delete from assignments where contract_id = ?',
    postgres: 'delete from assignments where contract_id = any ($1::text[])',
  },
} satisfies Readonly<Record<string, BulkStatement>>
