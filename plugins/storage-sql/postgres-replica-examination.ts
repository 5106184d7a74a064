// What `doctor` is told of the replicas of a PostgreSQL database: whether each answers, follows and
// is of the same history. Reads only. docs/replicated-database.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding, History, Store } from '../../runtime/index.ts'
import type { PostgresConfig } from './config.ts'
import { describePostgres } from './postgres-address.ts'
import { messageOf, openReplica } from './postgres-database.ts'
import { Primary } from './postgres-primary.ts'
import { sqlStore } from './store.ts'

/** Milliseconds in which a replica gets what the database had when it was asked. */
const FOLLOW_MS = 2_000
const EVERY_MS = 100
/** The whole examination is given up after ten seconds. */
const SILENCE_MS = 4_000

type Place = Pick<PostgresConfig, 'schema'>

/** One finding for each of `urls`; none of a database that has no tables yet. */
export async function examineReplicas(
  config: PostgresConfig,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const primary = new Primary(config)
  await primary.find()
  return withStore({ ...config, connection: primary.connection }, async (source) => {
    // What else may be wrong with it is told before.
    const history = await source.contracts.history(0n).catch(() => undefined)
    if (history === undefined) return []
    const { end, last } = history
    return Promise.all(
      urls.map((connection) => examined({ source, end, last }, connection, config)),
    )
  })
}

interface Source extends Pick<History, 'end' | 'last'> {
  readonly source: Store
}

async function examined(source: Source, connection: string, { schema }: Place): Promise<Finding> {
  const config: PostgresConfig = { dialect: 'postgres', connection, schema, poolSize: 1 }
  const name = `replica ${describePostgres(config)}`
  try {
    return await withStore(config, (replica) => followed(source, replica, name))
  } catch (error) {
    return {
      outcome: 'warning',
      text: `${name} does not answer: ${messageOf(error)}`,
      advice: 'the database answers in its place; see that it runs and that its url is right',
    }
  }
}

async function followed(source: Source, replica: Store, name: string): Promise<Finding> {
  const reached = await reachedBy(replica, source.end.offset)
  const seen = await sameUpdate(source, replica, reached.offset)
  if (!seen)
    return {
      outcome: 'fault',
      text: `${name} has another history than the database`,
      advice: 'it is never read from: make it a replica of this database, or take it off the list',
    }
  if (reached.offset >= source.end.offset)
    return { outcome: 'ok', text: `${name} has every update of ${FOLLOW_MS / 1_000} s ago` }
  return {
    outcome: 'warning',
    text: `${name} lacks ${source.end.offset - reached.offset} updates${ageOf(reached, source.end)}`,
    advice: 'see whether it replicates; beyond replicas.maxAgeMs the database answers in its place',
  }
}

function ageOf({ offset, recordTime }: History['end'], latest: History['end']): string {
  if (offset === 0n) return ' and has none'
  return `; its last is ${(Number(latest.recordTime - recordTime) / 1_000_000).toFixed(1)} s older`
}

/** The replica's end, once it has the offset or has had its time. */
async function reachedBy(replica: Store, offset: bigint): Promise<History['end']> {
  for (const endMs = performance.now() + FOLLOW_MS; ; await sleep(EVERY_MS)) {
    const end = await replica.contracts.ledgerEnd()
    if (end.offset >= offset || performance.now() > endMs) return end
  }
}

/** Whether both have the same update at the last offset that both have. */
async function sameUpdate(
  { source, end, last }: Source,
  replica: Store,
  reached: bigint,
): Promise<boolean> {
  if (reached >= end.offset) return (await replica.contracts.history(end.offset)).seen === last
  const [own, other] = await Promise.all([
    source.contracts.history(reached),
    replica.contracts.history(reached),
  ])
  return own.seen === other.seen
}

async function withStore<T>(config: PostgresConfig, use: (store: Store) => Promise<T>): Promise<T> {
  const store = sqlStore(openReplica({ ...config, silenceMs: SILENCE_MS }))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
