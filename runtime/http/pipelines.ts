// Requests that a client sends one behind the other without waiting for answers: a single write may
// hold thousands. So many of a connection begin in a turn of the event loop, and others are served
// in between.
import type { Socket } from 'node:net'

/** Of one connection. */
const EACH_TURN = 16

/** Of all connections that have some waiting. */
const ALL_TURN = 64

/** Of one connection that wait; then no more is read of it until all have begun. */
const MAX_WAITING = 256

type Begin = () => void

interface Pipeline {
  readonly socket: Socket
  readonly waiting: Begin[]
  turn: number
  /** In this turn. */
  begun: number
  /** Nothing is read of the connection until some of those that wait have begun. */
  isFull: boolean
}

export class Pipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>()
  /** With some waiting, those first that were served longest ago. */
  readonly #held = new Set<Pipeline>()
  #turn = 0
  #isScheduled = false

  /**
   * Begins a request of the connection now or in a later turn, in order; never where the connection
   * is closed before.
   */
  begin(socket: Socket, begin: Begin): void {
    this.#schedule()
    const pipeline = this.#of(socket)
    if (pipeline.waiting.length === 0 && this.#mayBegin(pipeline)) return begin()
    this.#held.add(pipeline)
    if (pipeline.waiting.push(begin) < MAX_WAITING || pipeline.isFull) return
    pipeline.isFull = true
    socket.pause()
  }

  #of(socket: Socket): Pipeline {
    const known = this.#pipelines.get(socket)
    if (known !== undefined) return known
    const pipeline = { socket, waiting: [], turn: this.#turn, begun: 0, isFull: false }
    this.#pipelines.set(socket, pipeline)
    return pipeline
  }

  /** Takes one of this turn's. */
  #mayBegin(pipeline: Pipeline): boolean {
    if (pipeline.turn !== this.#turn) Object.assign(pipeline, { turn: this.#turn, begun: 0 })
    if (pipeline.begun === EACH_TURN) return false
    pipeline.begun += 1
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    this.#turn += 1
    if (this.#held.size > 0) this.#schedule()
    let left = ALL_TURN
    for (const pipeline of [...this.#held]) {
      if (left <= 0) return
      left -= this.#continue(pipeline)
    }
  }

  /** Begins what may begin now; answers how many. */
  #continue(pipeline: Pipeline): number {
    const { socket, waiting } = pipeline
    this.#held.delete(pipeline)
    if (socket.destroyed) return 0
    const begun = waiting.splice(0, EACH_TURN)
    if (waiting.length > 0) this.#held.add(pipeline)
    if (pipeline.isFull && waiting.length === 0) {
      pipeline.isFull = false
      socket.resume()
    }
    Object.assign(pipeline, { turn: this.#turn, begun: begun.length })
    for (const begin of begun) begin()
    return begun.length
  }
}
