// Leases in SQL. The database's clock decides, so clocks of servers may differ. A lease that nobody
// holds has ended at 0, a wish that nobody has likewise.
import { storable } from '../../runtime/index.ts'
import { flagOf, textOf } from './database.ts'
import { both } from './statements.ts'
import type { Database } from './database.ts'
import type { LeaseStore } from '../../runtime/index.ts'

/**
 * Twice the longest lease, milliseconds: who asked earlier and waited for the row sees it end
 * later. A lease that ends after that was taken by a clock that was ahead.
 */
const MOST_AHEAD = 1_200_000
const AHEAD = `leases.ends_at - excluded.wish_ends_at > ${MOST_AHEAD}`
const OWN = `leases.holder = excluded.holder or leases.ends_at <= excluded.wish_ends_at or ${AHEAD}`
const OTHERS_WISH =
  'leases.wisher <> excluded.holder and leases.wish_ends_at > excluded.wish_ends_at'

/**
 * `take` proposes the asker's row with a wish that ends now: that is where the update learns what
 * now is. It proposes none where another holds the lease and no wish is to be noted: such a
 * statement only reads, and costs the database no flush.
 */
export const LEASES = {
  take: both(
    'takeLease',
    `insert into leases (name, holder, ends_at, wisher, wish_ends_at)
    select name, holder, instant + term, '', instant from (select cast(? as text) as name, cast(? as text) as holder,
      cast(? as bigint) as term, {now} as instant) as asked
    where not exists (select 1 from leases as known where known.name = asked.name and known.holder <> asked.holder
      and known.ends_at > instant and known.ends_at <= instant + ${MOST_AHEAD} and known.wish_ends_at > instant
      and (known.wisher <> asked.holder or known.wish_ends_at > instant + term / 2))
    on conflict (name) do update set
      holder = case when ${OWN} then excluded.holder else leases.holder end,
      ends_at = case when ${OWN} then excluded.ends_at else leases.ends_at end,
      wisher = case when ${OTHERS_WISH} then leases.wisher when ${OWN} then '' else excluded.holder end,
      wish_ends_at = case when ${OTHERS_WISH} then leases.wish_ends_at when ${OWN} then 0 else excluded.ends_at end
    returning holder, wish_ends_at > {now} as wanted`,
  ),
  prolong: both(
    'prolongLeases',
    'update leases set ends_at = {now} + ? where name in {texts} and holder = ? and ends_at > {now} returning name',
  ),
  wanted: both(
    'wantedLeases',
    'select name from leases where holder = ? and ends_at > {now} and wish_ends_at > {now}',
  ),
  pass: both(
    'passLease',
    `update leases set holder = case when wish_ends_at > {now} then wisher else '' end,
    ends_at = case when wish_ends_at > {now} then {now} + ? else 0 end, wisher = '', wish_ends_at = 0
    where name = ? and holder = ? and ends_at > {now} returning name`,
  ),
}

export function leaseStore(database: Database): LeaseStore {
  return {
    take: async (name, holder, forMs) => {
      storable(name, holder)
      const [row] = await database.once(LEASES.take, name, holder, forMs)
      if (row === undefined || textOf(row, 'holder') !== holder) return 'taken'
      return flagOf(row, 'wanted') ? 'wanted' : 'held'
    },
    prolong: async (names, holder, forMs) => {
      storable(holder, ...names)
      const rows = await database.once(LEASES.prolong, forMs, names, holder)
      return rows.map((row) => textOf(row, 'name'))
    },
    wanted: async (holder) => {
      storable(holder)
      return (await database.once(LEASES.wanted, holder)).map((row) => textOf(row, 'name'))
    },
    pass: async (name, holder, forMs) => {
      storable(name, holder)
      await database.once(LEASES.pass, forMs, name, holder)
    },
  }
}
