// Requests that are pipelined are answered in order, also where one of them is refused because it
// cannot be read: the refusal waits for the answers that stand before it, or a client would take it
// for one of those.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface Expected {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The answer before it, where that was still to come. */
  readonly before: ServerResponse | undefined
}

export class EarlierAnswers {
  readonly #last = new WeakMap<Duplex, Expected>()
  readonly #refused = new WeakSet<Duplex>()

  /** To be called at every request. */
  expect(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req
    const before = this.#last.get(socket)?.res
    this.#last.set(socket, { req, res, before: before?.closed === false ? before : undefined })
  }

  /**
   * Calls once all that was asked for before on this connection is answered; a second time for one
   * connection never. `isAnswered` where what cannot be read is the rest of a request that has its
   * answer.
   */
  before(socket: Duplex, refuse: (isAnswered: boolean) => void): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const last = this.#last.get(socket)
    const isOwnBody = last?.req.complete === false
    const awaited = isOwnBody ? last?.before : last?.res
    const end = (): void => refuse(isOwnBody && last?.res.headersSent === true)
    if (awaited === undefined || awaited.closed) end()
    else awaited.once('close', end)
  }
}
