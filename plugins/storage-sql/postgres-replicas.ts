// Copies of a database that follow it, for reads that may be a little old. How old follows from
// what a copy has: with the last update of a moment it has all that there was then. No clock and no
// function of the database is asked. docs/decisions/0042-read-replicas.md
import { REPLICA_PROBLEMS } from '../../runtime/index.ts'
import type { Logger, ReadReplica, ReplicaProblem, Store } from '../../runtime/index.ts'
import type { PostgresConfig } from './config.ts'
import { describePostgres } from './postgres-address.ts'
import { messageOf, openReplica } from './postgres-database.ts'
import { sqlStore } from './store.ts'

const EVERY_MS = 1_000
/** Milliseconds after which a reader goes to the database instead of waiting for an answer. */
const SILENCE_MS = 5_000

export interface ReplicaOptions {
  readonly urls: readonly string[]
  readonly maxAgeMs: number
}

interface Replicas {
  readonly replicas: readonly ReadReplica[]
  stop(): Promise<void>
}

/** Follows each from now on; one that is not there is looked for again every second. */
export function followReplicas(
  source: Store,
  { urls, maxAgeMs }: ReplicaOptions,
  { schema, poolSize }: Pick<PostgresConfig, 'schema' | 'poolSize'>,
  log: Logger,
): Replicas {
  const replicas = urls.map((connection) => {
    const config = { dialect: 'postgres', connection, schema, poolSize } as const
    const store = sqlStore(openReplica({ ...config, silenceMs: SILENCE_MS }))
    return new Replica({ source, store, maxAgeMs, location: describePostgres(config), log })
  })
  return {
    replicas,
    stop: async () => void (await Promise.all(replicas.map((replica) => replica.stop()))),
  }
}

/** The ledger's end at a moment. */
interface Moment {
  readonly atMs: number
  readonly offset: bigint
  /** Id of the last update. */
  readonly last: string | undefined
}

interface ReplicaInput {
  readonly source: Store
  readonly store: Store
  readonly maxAgeMs: number
  readonly location: string
  readonly log: Logger
}

class Replica implements ReadReplica {
  readonly store: Store
  readonly location: string
  readonly #input: ReplicaInput
  /** Moments of the source, oldest first. */
  #moments: readonly Moment[] = []
  /** The last moment that it has all of. */
  #freshAtMs: number | undefined
  #problem: ReplicaProblem = 'unreachable'
  #missing: bigint | undefined
  #wasUsable = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void>
  #isOver = false

  constructor(input: ReplicaInput) {
    this.store = input.store
    this.location = input.location
    this.#input = input
    this.#looking = this.#look()
  }

  get missing(): bigint | undefined {
    return this.#missing
  }

  ageMs(): number | undefined {
    if (this.#freshAtMs === undefined) return undefined
    const ageMs = performance.now() - this.#freshAtMs
    return ageMs > this.#input.maxAgeMs ? undefined : ageMs
  }

  problem(): ReplicaProblem | undefined {
    return this.ageMs() === undefined ? this.#problem : undefined
  }

  async stop(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.store.close()
  }

  async #look(): Promise<void> {
    let reason: string | undefined
    try {
      const moment = await this.#reached()
      const isForked = moment === 'another-history'
      this.#problem = isForked ? moment : 'behind'
      this.#freshAtMs = isForked ? undefined : moment?.atMs
    } catch (error) {
      reason = messageOf(error)
      this.#problem = 'unreachable'
      this.#freshAtMs = undefined
    }
    this.#tell(reason ?? REPLICA_PROBLEMS[this.#problem])
    if (this.#isOver) return
    this.#timer = setTimeout(() => (this.#looking = this.#look()), EVERY_MS).unref()
  }

  /** The last moment that it has all of; undefined where that is too long ago. */
  async #reached(): Promise<Moment | 'another-history' | undefined> {
    const { source, store, maxAgeMs } = this.#input
    const atMs = performance.now()
    const { end, last } = await source.contracts.history(0n)
    const young = this.#moments.filter((moment) => atMs - moment.atMs <= maxAgeMs)
    this.#moments = [...young, { atMs, offset: end.offset, last }]
    const { offset: reached } = await store.contracts.ledgerEnd()
    // One that is asked later may have more.
    this.#missing = reached < end.offset ? end.offset - reached : 0n
    const moment = this.#moments.findLast(({ offset }) => offset <= reached)
    if (moment === undefined) return undefined
    const { seen } = await store.contracts.history(moment.offset)
    return seen === moment.last ? moment : 'another-history'
  }

  #tell(problem: string): void {
    const isUsable = this.ageMs() !== undefined
    if (isUsable === this.#wasUsable) return
    this.#wasUsable = isUsable
    const { log, location: replica } = this.#input
    if (isUsable) log.info({ replica }, 'reading from a replica')
    else log.warn({ replica, problem }, 'no longer reading from a replica')
  }
}
