// The two statements that read a page of a snapshot: of templates that are named, or of all. Each
// pair of party and template has a range of its own under each node of stakes.ts; of each range the
// first rows are taken, so that a page costs what a page holds. SQLite has no lateral joins, but
// takes the rows of a function of the row before. Beside each contract, or beside none, stands up
// to where the ledger is pruned: one statement sees one moment, so that no page misses what was
// deleted.
import { ACTIVE } from './contract-statements.ts'
import { both } from './statements.ts'
import type { Statement } from './statements.ts'

interface Words {
  /** The integers of a list of texts, as rows of `value`. */
  readonly list: string
  /** The first rows of each range, as rows of `sequence`. */
  readonly picked: string
}

/** `first_sequence` is exclusive. */
const RANGE = `select stakes.sequence from stakes where stakes.party_hash = kinds.party_hash
  and stakes.template_key = kinds.template_key and stakes.node = nodes.node
  and stakes.sequence > (select first_sequence from asked) and stakes.sequence <= (select last_sequence from asked)
  and (stakes.archived_offset = 0 or stakes.archived_offset > (select moment from asked))
  order by stakes.sequence limit (select most from asked)`

const SQLITE: Words = {
  list: '(select cast(value as integer) as value from json_each(?))',
  picked: `json_each((select json_group_array(sequence) from (${RANGE}))) as picked`,
}
const POSTGRES: Words = {
  list: '(select cast(item as bigint) as value from unnest(?::text[]) as item)',
  picked: `lateral (select range.sequence as value from (${RANGE}) as range) as picked`,
}

/**
 * Templates that are named, as far as there ever was a contract of the party: asked so that
 * PostgreSQL makes no join of it.
 */
const NAMED = `select party_hash, value from wanted cross join {list} as given where (select min(node) from stakes
  where stakes.party_hash = wanted.party_hash and stakes.template_key = given.value) is not null`

/** Every template of which there ever was a contract of the party, one step of the index each. */
const ALL = `select party_hash, (select min(template_key) from stakes where stakes.party_hash = wanted.party_hash) from wanted
  union all select party_hash, (select min(template_key) from stakes where stakes.party_hash = kinds.party_hash
    and stakes.template_key > kinds.template_key) from kinds where template_key is not null`

export const SNAPSHOTS = {
  /** Values: after, offset, offset, limit, party hashes, nodes, template hashes, offset. */
  named: statement('contractSnapshotOf', NAMED),
  /** The same without template hashes. */
  all: statement('contractSnapshot', ALL),
}

/** Values: party hash, template hash, node of active contracts, limit. */
export const COUNT_STAKES = both(
  'countStakes',
  `select count(*) as number from (select 1 from stakes
    where party_hash = ? and template_key = ? and node = ? limit ?) as found`,
)

/** The same for two parties: the second one's hash comes last but for the limit. */
export const COUNT_SHARED = both(
  'countSharedStakes',
  `select count(*) as number from (select 1 from stakes as one join stakes as other
    on other.template_key = one.template_key and other.node = one.node and other.sequence = one.sequence
    where one.party_hash = ? and one.template_key = ? and one.node = ? and other.party_hash = ? limit ?) as found`,
)

function statement(name: string, kinds: string): Statement {
  return { name, sqlite: written(kinds, SQLITE), postgres: numbered(written(kinds, POSTGRES)) }
}

function written(kinds: string, { list, picked }: Words): string {
  const text = `with recursive asked (first_sequence, last_sequence, moment, most) as (select cast(? as bigint),
      coalesce((select sequence from contracts where created_offset <= ? order by created_offset desc, sequence desc limit 1), 0),
      cast(? as bigint), cast(? as bigint)),
    wanted (party_hash) as (select value from {list} as given),
    nodes (node) as (select value from {list} as given where value <=
      (select case when last_offset > moment then last_offset else 0 end from asked cross join ledger_end)),
    kinds (party_hash, template_key) as (${kinds}),
    page (sequence) as (select distinct picked.value from kinds cross join nodes cross join ${picked}
      where kinds.template_key is not null order by 1 limit (select most from asked))
    select up_to, found.* from pruning left join (select ${ACTIVE.replace(
      /\bsequence\b/,
      'contracts.sequence',
    )
      .replace('contract_id', 'contracts.contract_id')
      .replace(
        'synchronizer_id',
        `coalesce((select assignments.synchronizer_id from assignments
        where assignments.contract_id = contracts.contract_id and assignments.ledger_offset <= ?
        order by assignments.ledger_offset desc limit 1), contracts.synchronizer_id) as synchronizer_id`,
      )}
    from page cross join contracts where contracts.sequence = page.sequence) as found on true order by sequence`
  return text.replaceAll('{list}', list).replaceAll(/\s+/g, ' ')
}

function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${(count += 1)}`)
}
