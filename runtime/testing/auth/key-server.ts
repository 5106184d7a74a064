// A server of key sets that behaves as a check wants it to: well, badly, or not at all.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

type Answerer = (request: IncomingMessage, response: ServerResponse) => void

export class KeyServer {
  /** Paths asked for so far. */
  readonly asked: string[] = []
  #answer: Answerer = (_, response) => response.writeHead(404).end()
  readonly #server = createServer((request, response) => {
    this.asked.push(request.url ?? '')
    this.#answer(request, response)
  })
  #port = 0

  /** Listens on loopback; again on the same port after `stop`. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/keys`
  }

  /** Answers from now on with a key set. */
  serve(...keys: readonly object[]): void {
    this.serveText(JSON.stringify({ keys }))
  }

  serveText(text: string, status = 200, type = 'application/json'): void {
    this.answer((_, response) => response.writeHead(status, { 'content-type': type }).end(text))
  }

  answer(answer: Answerer): void {
    this.#answer = answer
  }
}
