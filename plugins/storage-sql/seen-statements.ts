// The statements that find updates by who sees them.
import { both } from './statements.ts'
import type { Statement } from './statements.ts'

export const SEEN = {
  offsets: both(
    'seenOffsets',
    `select ledger_offset from sightings where party_hash = ? and ledger_offset > ?
    and ledger_offset <= ? order by ledger_offset limit ?`,
  ),
  /**
   * Bodies of the offsets, which are given twice, up to the last one that still fits, the first in
   * any case.
   */
  bodies: bodies(),
}

function bodies(): Statement {
  const text = `select ledger_offset, update_id, record_time, body from updates
    where ledger_offset in {offsets} and ledger_offset > (select up_to from pruning)
    and ledger_offset <= (select max(ledger_offset) from (
      select ledger_offset, sum(bytes) over (order by ledger_offset) as total,
        row_number() over (order by ledger_offset) as place
      from (select ledger_offset, octet_length(body) as bytes from updates
        where ledger_offset in {offsets} and ledger_offset > (select up_to from pruning)) as page
      ) as measured where total <= ? or place = 1)
    order by ledger_offset`.replaceAll(/\s+/g, ' ')
  let count = 0
  return {
    name: 'seenBodies',
    sqlite: text.replaceAll('{offsets}', '(select cast(value as integer) from json_each(?))'),
    postgres: text
      .replaceAll('in {offsets}', '= any (?::text[]::bigint[])')
      .replaceAll('?', () => `$${(count += 1)}`),
  }
}
