// Requests that are pipelined are answered in order, also where one of them is refused before it is a request: the refusal waits for
// the answers that stand before it, or a client would take it for one of those.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export class EarlierAnswers {
  readonly #last = new WeakMap<Duplex, ServerResponse>()
  readonly #refused = new WeakSet<Duplex>()

  /** To be called at every request. */
  expect({ socket }: IncomingMessage, res: ServerResponse): void {
    this.#last.set(socket, res)
  }

  /** Calls once all that was asked for on this connection is answered; a second time for one connection never. */
  before(socket: Duplex, refuse: () => void): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const last = this.#last.get(socket)
    if (last === undefined || last.closed) refuse()
    else last.once('close', refuse)
  }
}
