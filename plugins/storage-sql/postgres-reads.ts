// Reads that are under way at the same time share a connection: what was asked for within a moment
// goes to the server together and comes back together, which spares both sides most of what a short
// read costs them. What stands behind one that takes long is asked for again on another connection.
import pg from 'pg'

/** Reads on one connection. */
const SHARED_BY = 16
/** Milliseconds that reads wait behind one that is not answered. */
const PATIENCE_MS = 25
/** Much more than it costs to send them by themselves. */
const MUCH_BYTES = 16_384

interface Read {
  /** Settles what was asked for, unless it is settled. */
  readonly act: (client: pg.PoolClient) => Promise<void>
  readonly reject: (error: unknown) => void
  /** The lane of the latest request: an error of an earlier lane is not its own. */
  lane: Lane | undefined
}

interface Lane {
  readonly client: Promise<pg.PoolClient>
  /** Reads in flight, in the order in which they are answered. */
  readonly reads: Set<Read>
  timer: NodeJS.Timeout | undefined
  isConnected: boolean
  isBroken: boolean
}

/**
 * What is sent until this turn's work is done leaves together: each message by itself costs as much
 * as a short read.
 */
export function holdBack(client: pg.ClientBase): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Lets what is held back leave where it is so much that the server can go to work on it. */
export function letGoOfMuch(client: pg.ClientBase): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  if (stream.writableLength < MUCH_BYTES) return
  stream.uncork()
  stream.cork()
}

export class SharedReads {
  readonly #pool: pg.Pool
  readonly #leavesConnection: (error: unknown) => boolean
  #open: Lane | undefined

  /** `leavesConnection` tells errors of a statement from those of its connection. */
  constructor(pool: pg.Pool, leavesConnection: (error: unknown) => boolean) {
    this.#pool = pool
    this.#leavesConnection = leavesConnection
  }

  /**
   * `act` is one statement that reads, hence a transaction of its own: the others are none of its
   * business. It may be called twice, on two connections; the first answer counts.
   */
  async run<T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    void this.#start({ act: async (client) => resolve(await act(client)), reject, lane: undefined })
    return promise
  }

  async #start(read: Read): Promise<void> {
    const lane = this.#join(read)
    try {
      const client = await lane.client
      lane.isConnected = true
      holdBack(client)
      await read.act(client)
    } catch (error) {
      if (!this.#leavesConnection(error)) this.#break(lane)
      if (read.lane === lane) read.reject(error)
    } finally {
      this.#leave(lane, read)
    }
  }

  #join(read: Read): Lane {
    if (
      this.#open === undefined ||
      this.#open.reads.size === SHARED_BY ||
      this.#isWantedByOthers(this.#open)
    ) {
      this.#open = {
        client: this.#pool.connect(),
        reads: new Set(),
        timer: undefined,
        isConnected: false,
        isBroken: false,
      }
    }
    this.#open.reads.add(read)
    read.lane = this.#open
    if (this.#open.reads.size > 1) this.#watch(this.#open)
    return this.#open
  }

  /**
   * Reads that follow on each other without an end must not keep the connection from those who wait
   * for one.
   */
  #isWantedByOthers({ isConnected }: Lane): boolean {
    return isConnected && this.#pool.waitingCount > this.#pool.idleCount
  }

  /** Looks after the first read, which the others wait for. */
  #watch(lane: Lane): void {
    if (lane.timer !== undefined) return
    const [first] = lane.reads
    // Answers that are there already come before the look.
    lane.timer = setTimeout(
      () =>
        setImmediate(() => {
          lane.timer = undefined
          const [still, ...behind] = lane.reads
          if (behind.length === 0) return
          if (still === first && lane.isConnected && this.#hasRoom()) this.#moveOn(lane, behind)
          else this.#watch(lane)
        }),
      PATIENCE_MS,
    )
  }

  /** Whether a connection is free; without one, reads are no better off elsewhere. */
  #hasRoom(): boolean {
    return (
      this.#pool.waitingCount === 0 &&
      (this.#pool.idleCount > 0 || this.#pool.totalCount < this.#pool.options.max)
    )
  }

  #moveOn(lane: Lane, behind: readonly Read[]): void {
    this.#close(lane)
    for (const read of behind) if (read.lane === lane) void this.#start(read)
  }

  #break(lane: Lane): void {
    lane.isBroken = true
    this.#close(lane)
  }

  #leave(lane: Lane, read: Read): void {
    lane.reads.delete(read)
    if (lane.reads.size > 0) return
    this.#close(lane)
    clearTimeout(lane.timer)
    // Where there was no connection, whoever wanted it was told.
    lane.client.then(
      (client) => client.release(lane.isBroken),
      () => {},
    )
  }

  #close(lane: Lane): void {
    if (this.#open === lane) this.#open = undefined
  }
}
