// Connections that have not asked for anything yet. What the first bytes of one cost cannot be told
// before they are read (a chunk of a body may be one byte long), so where some in a turn of the
// event loop cost much, the others are heard a few a turn. Whoever was heard before is not kept
// waiting.
import type { Socket } from 'node:net'

/** Length of a turn after which newcomers wait for the next one, milliseconds. */
const LONG_MS = 10
/** Newcomers that are heard in a turn, of those that wait. */
const EACH_TURN = 2

export class Newcomers {
  readonly #nowMs: () => number
  readonly #silent = new Set<Socket>()
  /** Not read from, in the order in which they came. */
  readonly #held = new Set<Socket>()
  /** The first request of this turn. */
  #since: number | undefined
  #isHolding = false

  /** @param nowMs time that only rises, milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A connection that was just accepted. */
  add(socket: Socket): void {
    this.#silent.add(socket)
    socket.once('close', () => this.#leave(socket))
    if (this.#held.size === 0) return
    this.#held.add(socket)
    // Node itself begins to read at the end of this step.
    process.nextTick(() => {
      if (this.#held.has(socket)) socket.pause()
    })
  }

  /** Notes a request of the connection. */
  heard(socket: Socket): void {
    if (this.#silent.size === 0) return
    this.#leave(socket)
    if (this.#since === undefined) this.#begin()
    else if (!this.#isHolding && this.#nowMs() - this.#since > LONG_MS) this.#hold()
  }

  destroyAll(): void {
    for (const socket of this.#silent) socket.destroy()
  }

  #leave(socket: Socket): void {
    this.#silent.delete(socket)
    this.#held.delete(socket)
  }

  #begin(): void {
    this.#since = this.#nowMs()
    setImmediate(() => this.#release())
  }

  /** Also keeps those from being read whose bytes have come in this very turn. */
  #hold(): void {
    this.#isHolding = true
    for (const socket of this.#silent) {
      if (this.#held.has(socket)) continue
      this.#held.add(socket)
      socket.pause()
    }
  }

  #release(): void {
    this.#since = undefined
    this.#isHolding = false
    let released = 0
    for (const socket of this.#held) {
      if (released++ === EACH_TURN) return this.#begin()
      this.#held.delete(socket)
      socket.resume()
    }
  }
}
