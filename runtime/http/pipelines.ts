// Requests that a client sends one behind the other without waiting for answers. A single write
// may hold thousands, so they begin in turns, and others are served in between. Answers go out in
// order: the refusal of what cannot be read waits for those before it, or a client would take it
// for one of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Scheduler } from '../work/scheduler.ts'
import { networkOf } from './network-of.ts'

interface Pipeline {
  /** The last request, and its answer. */
  req: IncomingMessage
  res: ServerResponse
  /** The answer before it, where that was still to come. */
  before: ServerResponse | undefined
  /** Requests that have not begun; nothing more is read until they have. */
  waiting: number
}

export class Pipelines {
  readonly #scheduler: Scheduler
  readonly #pipelines = new WeakMap<Duplex, Pipeline>()
  readonly #refused = new WeakSet<Duplex>()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Begins a request now or in its turn; never where its connection is closed before. */
  begin(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    const { socket } = req
    const pipeline = this.#note(req, res)
    if (pipeline.before === undefined) return begin()
    const address = networkOf(socket.remoteAddress ?? '')
    const turn = this.#scheduler.enter('short', address, socket)
    if (turn === undefined && pipeline.waiting === 0) return begin()
    pipeline.waiting += 1
    socket.pause()
    void Promise.resolve(turn).then(() => {
      pipeline.waiting -= 1
      if (socket.destroyed) return
      if (pipeline.waiting === 0) socket.resume()
      begin()
    })
  }

  /**
   * Calls once all that was asked for before on this connection is answered; a second time for one
   * connection never. `isAnswered` where what cannot be read is the rest of a request that has its
   * answer.
   */
  beforeRefusal(socket: Duplex, refuse: (isAnswered: boolean) => void): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const last = this.#pipelines.get(socket)
    const isOwnBody = last?.req.complete === false
    const awaited = isOwnBody ? last?.before : last?.res
    const end = (): void => refuse(isOwnBody && last?.res.headersSent === true)
    if (awaited === undefined || awaited.closed) end()
    else awaited.once('close', end)
  }

  #note(req: IncomingMessage, res: ServerResponse): Pipeline {
    const known = this.#pipelines.get(req.socket)
    const before = known?.res.closed === false ? known.res : undefined
    if (known !== undefined) return Object.assign(known, { req, res, before })
    const pipeline = { req, res, before, waiting: 0 }
    this.#pipelines.set(req.socket, pipeline)
    return pipeline
  }
}
