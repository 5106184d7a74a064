// The rows that servers share, kept by pg-boss in a schema of its own: one job a task, queued or
// active, which the policy `exclusive` holds to one. An active job is a turn: whoever fetched it
// runs the task. Jobs are deleted and made anew instead of completed, so an id is one server's turn
// and nobody else's, the table stays as small as the number of tasks, and none of pg-boss's own
// background passes (expiry, cron, statistics) is needed.
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { JobWithMetadata } from 'pg-boss'
import { z } from 'zod'
import type { Logger } from '../../runtime/index.ts'

const QUEUE = 'turns'
/**
 * A statement that takes longer counts as failed: a connection that was cut without a word answers
 * nothing.
 */
const STATEMENT_MS = 5_000
/** pg-boss's longest; turns are ended by who watches them (turn-keeper.ts). */
const DAY_SECONDS = 86_400

export interface QueueOptions {
  readonly connection: pg.ConnectionConfig
  readonly schema: string
  readonly backend: 'postgres' | 'cockroachdb' | 'yugabytedb'
  readonly log: Logger
}

/** A row. `key` is a task's name behind `task/`, or a server's behind `wish/`. */
export interface TurnRow {
  readonly id: string
  readonly key: string
  readonly state: 'free' | 'held' | 'ended'
  /** Last sign of its holder, by the database's clock; only compared with itself. */
  readonly heardMs: number
  /** The interval of the task, of who made the row. */
  readonly everyMs: number
}

export interface NewTurn {
  readonly key: string
  readonly everyMs: number
  /** Nobody takes it before. */
  readonly inMs: number
}

const rowData = z.object({ everyMs: z.number() })

/** All of the database that the scheduler uses; every method is one statement. */
export class TurnQueue {
  readonly #pool: pg.Pool
  readonly #boss: PgBoss

  constructor({ connection, schema, backend, log }: QueueOptions) {
    this.#pool = new pg.Pool({
      ...connection,
      max: 2,
      application_name: 'ledgerwright-scheduler',
      keepAlive: true,
      connectionTimeoutMillis: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
    })
    this.#pool.on('error', (error) =>
      log.debug({ err: error }, 'an idle connection of the scheduler ended'),
    )
    const db = { executeSql: (text: string, values?: unknown[]) => this.#pool.query(text, values) }
    this.#boss = new PgBoss({ db, schema, backend, supervise: false, schedule: false })
    this.#boss.on('error', (error) => log.debug({ err: error }, 'the job library failed'))
  }

  /** Makes or migrates the schema, under pg-boss's lock: servers may start at once. */
  async open(): Promise<void> {
    await this.#boss.start()
    await this.#boss.createQueue(QUEUE, {
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: DAY_SECONDS,
    })
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
    await this.#pool.end()
  }

  async rows(): Promise<readonly TurnRow[]> {
    return (await this.#boss.findJobs(QUEUE)).map(rowOf)
  }

  /** Lets the others hear of the holder of these. */
  async touch(ids: readonly string[]): Promise<void> {
    await this.#boss.touch(QUEUE, [...ids])
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#boss.deleteJob(QUEUE, [...ids])
  }

  /** Adds turns; an existing one of that key stays. */
  async add(turns: readonly NewTurn[]): Promise<void> {
    await this.#boss.insert(
      QUEUE,
      turns.map(({ key, everyMs, inMs }) => ({
        singletonKey: key,
        group: { id: key },
        data: { everyMs },
        startAfter: inMs / 1_000,
      })),
    )
  }

  /** Takes up to `limit` free turns whose time has come, of any key except these. */
  async take(
    limit: number,
    except: readonly string[],
  ): Promise<readonly { readonly id: string; readonly key: string }[]> {
    const jobs = await this.#boss.fetch(QUEUE, { batchSize: limit, ignoreGroups: [...except] })
    return jobs.map(({ id, groupId }) => ({ id, key: groupId ?? '' }))
  }
}

function rowOf({ id, singletonKey, state, heartbeatOn, data }: JobWithMetadata<unknown>): TurnRow {
  const read = rowData.safeParse(data)
  return {
    id,
    key: singletonKey ?? '',
    state:
      state === 'created' || state === 'retry' ? 'free' : state === 'active' ? 'held' : 'ended',
    heardMs: heartbeatOn?.getTime() ?? 0,
    everyMs: read.success ? read.data.everyMs : 0,
  }
}
