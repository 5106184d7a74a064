// The way from a server to its database, which a test can close.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

export class DatabaseWay {
  readonly url: string
  readonly #target: URL
  readonly #port: number
  #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(target: URL, server: Server, port: number) {
    this.#target = target
    this.#server = server
    this.#port = port
    this.url = Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href
  }

  /** A way to the database of `url`, open. */
  static async to(url: string): Promise<DatabaseWay> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const way = new DatabaseWay(new URL(url), server, address.port)
    server.on('connection', (socket) => way.#join(socket))
    return way
  }

  /** Closes like a stopped database: connections break, new ones are refused. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }

  /** Opens like a database that was started again. */
  async open(): Promise<void> {
    this.#server = createServer((socket) => this.#join(socket)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  #join(socket: Socket): void {
    const onward = connect(Number(this.#target.port || 5_432), this.#target.hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (data) => to.write(data)).on('error', () => {})
      from.on('close', () => (this.#sockets.delete(from), to.destroy()))
    }
  }
}
