// What `doctor` is told of a PostgreSQL database: rights, clock, and whether a commit that was
// acknowledged outlives a crash. Reads only.
import type { Clock, Finding } from '../../runtime/index.ts'
import type { PostgresConfig } from './config.ts'
import { connected } from './postgres-maintenance.ts'

/** Milliseconds from which on a deadline is noticeably off. */
const NOTED_SKEW_MS = 1_000
/** A server does not start beyond it where nothing else is configured: ledger.maxClockSkewMs. */
const REFUSED_SKEW_MS = 10_000

interface Seen {
  readonly now_ms: string
  readonly may_create: boolean
  readonly is_read_only: boolean
  /** Null where the database has no such setting, since it always does. */
  readonly fsync: string | null
  readonly synchronous_commit: string | null
}

const QUERY = `select
  (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now_ms,
  coalesce(has_schema_privilege(current_schema(), 'create'),
    has_database_privilege(current_database(), 'create')) as may_create,
  current_setting('transaction_read_only') = 'on' as is_read_only,
  current_setting('fsync', true) as fsync,
  current_setting('synchronous_commit', true) as synchronous_commit`

/** Rejects with one line where the database cannot be reached; `schema` says so too. */
export async function examinePostgres(
  config: PostgresConfig,
  clock: Clock,
): Promise<readonly Finding[]> {
  const { seen, leadMs } = await connected(config, async (client) => {
    const beforeMs = nowMs(clock)
    const { rows } = await client.query<Seen>(QUERY)
    const [row] = rows
    if (row === undefined) throw new Error('the database answers no row')
    return { seen: row, leadMs: (beforeMs + nowMs(clock)) / 2 - Number(row.now_ms) }
  })
  return [rightsOf(seen), durabilityOf(seen), clockOf(leadMs)]
}

function rightsOf({ is_read_only: isReadOnly, may_create: mayCreate }: Seen): Finding {
  if (isReadOnly)
    return {
      outcome: 'fault',
      text: 'the database takes no writes, as a standby does not',
      advice: 'name the primary in storage.url',
    }
  if (mayCreate) return { outcome: 'ok', text: 'its user may make and change tables' }
  return {
    outcome: 'fault',
    text: 'its user may not make tables in this schema',
    advice:
      'grant create on schema … to the user, or let a user who may run "ledgerwright migrate"',
  }
}

function durabilityOf({ fsync, synchronous_commit: synchronous }: Seen): Finding {
  if (fsync !== 'off' && synchronous !== 'off')
    return { outcome: 'ok', text: 'commits are flushed before they are acknowledged' }
  return {
    outcome: 'fault',
    text: `commits may be lost in a crash (fsync ${fsync}, synchronous_commit ${synchronous})`,
    advice: 'turn both on: what was acknowledged has to stay',
  }
}

function clockOf(leadMs: number): Finding {
  const text = `this clock is ${(leadMs / 1_000).toFixed(1)} s ahead of the database's`
  const size = Math.abs(leadMs)
  if (size <= NOTED_SKEW_MS) return { outcome: 'ok', text: "this clock agrees with the database's" }
  return {
    outcome: size > REFUSED_SKEW_MS ? 'fault' : 'warning',
    text,
    advice: 'keep both machines on NTP: beyond ledger.maxClockSkewMs a server does not start',
  }
}

function nowMs(clock: Clock): number {
  return Number(clock.nowMicros() / 1_000n)
}
