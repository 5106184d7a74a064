// Requests that are pipelined are answered in order, also where one of them is refused because it
// cannot be read: the refusal waits for the answers that stand before it, or a client would take it
// for one of those.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface Expected {
  req: IncomingMessage
  res: ServerResponse
  /** The answer before it, where that was still to come. */
  before: ServerResponse | undefined
}

export class EarlierAnswers {
  readonly #last = new WeakMap<Duplex, Expected>()
  readonly #refused = new WeakSet<Duplex>()

  /** To be called at every request. */
  expect(req: IncomingMessage, res: ServerResponse): void {
    const last = this.#last.get(req.socket)
    if (last === undefined) {
      this.#last.set(req.socket, { req, res, before: undefined })
      return
    }
    last.before = last.res.closed ? undefined : last.res
    last.req = req
    last.res = res
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
