// Reads that are under way at the same time share a connection: what was asked for within a moment goes to the server
// together and comes back together, which spares both sides most of what a short read costs them.
import pg from 'pg'

/** Reads on one connection. What comes behind a long one waits for it, so they are few; the next get another. */
const SHARED_BY = 16

interface Lane {
  readonly client: Promise<pg.PoolClient>
  underWay: number
  isConnected: boolean
  isBroken: boolean
}

/** What is sent until this turn's work is done leaves together: each message by itself costs as much as a short read. */
export function holdBack(client: pg.ClientBase): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
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

  /** Each `act` is one statement, hence a transaction of its own: the others are none of its business. */
  async run<T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const lane = this.#join()
    try {
      const client = await lane.client
      lane.isConnected = true
      holdBack(client)
      return await act(client)
    } catch (error) {
      if (!this.#leavesConnection(error)) this.#break(lane)
      throw error
    } finally {
      this.#leave(lane)
    }
  }

  #join(): Lane {
    if (this.#open === undefined || this.#open.underWay === SHARED_BY || this.#isWantedByOthers(this.#open)) {
      this.#open = { client: this.#pool.connect(), underWay: 0, isConnected: false, isBroken: false }
    }
    this.#open.underWay += 1
    return this.#open
  }

  /** Reads that follow on each other without an end must not keep the connection from those who wait for one. */
  #isWantedByOthers({ isConnected }: Lane): boolean {
    return isConnected && this.#pool.waitingCount > this.#pool.idleCount
  }

  #break(lane: Lane): void {
    lane.isBroken = true
    this.#close(lane)
  }

  #leave(lane: Lane): void {
    lane.underWay -= 1
    if (lane.underWay > 0) return
    this.#close(lane)
    // Where there was no connection, whoever wanted it was told.
    lane.client.then((client) => client.release(lane.isBroken), () => {})
  }

  #close(lane: Lane): void {
    if (this.#open === lane) this.#open = undefined
  }
}
