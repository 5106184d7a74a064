// A client of HTTP/1.1 that pipelines over kept connections and writes whatever it is told to,
// right or wrong: no library does both.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { NoAnswerError } from '../../runtime/testing/conform.ts'
import type { Answer } from '../../runtime/testing/conform/sender.ts'
import type { Wire } from './mutate-wire.ts'
import { AnswerReader } from './reading.ts'
import type { Arrived } from './reading.ts'

export interface ClientOptions {
  readonly port: number
  /** Kept connections, and requests on each that wait for their answers. */
  readonly connections: number
  readonly depth: number
  readonly timeoutMs: number
  /**
   * After which a request that promises more than it sends is ended; when absent the server's limit
   * ends it.
   */
  readonly unfinishedMs?: number
}

interface Waiting {
  readonly wire: Wire
  readonly bytes: Buffer
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: NoAnswerError) => void
  readonly startedMs: number
}

const WATCH_MS = 1_000

/** The bytes of a request. A length is added where nothing else says how long the body is. */
export function bytesOf({ method, target, headers, body }: Wire): Buffer {
  const names = new Set(headers.map(([name]) => name))
  const own = [
    ...(names.has('host') ? [] : [['host', '127.0.0.1'] as const]),
    ...headers,
    ...(names.has('content-length') ||
    names.has('transfer-encoding') ||
    (body === undefined && !['POST', 'PUT', 'PATCH'].includes(method))
      ? []
      : [['content-length', String(body?.length ?? 0)] as const]),
  ]
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${own.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  )
  return body === undefined ? head : Buffer.concat([head, body])
}

/** Whether the server has to wait for more. */
function isUnfinished({ headers, body }: Wire): boolean {
  const names = new Map(headers)
  if (names.get('transfer-encoding') === 'chunked')
    return body?.subarray(-5).toString('latin1') !== '0\r\n\r\n'
  return Number(names.get('content-length') ?? 0) > (body?.length ?? 0)
}

export class Client {
  readonly #options: ClientOptions
  readonly #kept: Connection[]
  readonly #queue: Waiting[] = []
  readonly #single = new Set<Connection>()
  readonly #watch: NodeJS.Timeout

  constructor(options: ClientOptions) {
    this.#options = options
    this.#kept = Array.from({ length: options.connections }, () => this.#connection(true))
    this.#watch = setInterval(
      () => [...this.#kept, ...this.#single].forEach((one) => one.expire(options.timeoutMs)),
      WATCH_MS,
    )
  }

  /** On a kept connection, behind others. Rejects with NoAnswerError. */
  send(wire: Wire): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({
        wire,
        bytes: bytesOf(wire),
        resolve,
        reject,
        startedMs: performance.now(),
      })
      this.#feed()
    })
  }

  /**
   * On a connection of its own that ends with the answer, for what may break the framing. Rejects
   * with NoAnswerError.
   */
  sendAlone(wire: Wire): Promise<Answer> {
    const connection = this.#connection(false)
    this.#single.add(connection)
    const answered = new Promise<Answer>((resolve, reject) => {
      connection.write({
        wire,
        bytes: bytesOf(wire),
        resolve,
        reject,
        startedMs: performance.now(),
      })
    })
    const { unfinishedMs } = this.#options
    const timer =
      unfinishedMs === undefined || !isUnfinished(wire)
        ? undefined
        : setTimeout(() => connection.hangUp(), unfinishedMs)
    return answered.finally(() => {
      clearTimeout(timer)
      this.#single.delete(connection)
      connection.end()
    })
  }

  close(): void {
    clearInterval(this.#watch)
    for (const connection of [...this.#kept, ...this.#single]) connection.end()
  }

  #connection(isKept: boolean): Connection {
    const again = (requests: readonly Waiting[]): void => {
      this.#queue.unshift(...requests)
      queueMicrotask(() => this.#feed())
    }
    return new Connection(
      this.#options.port,
      isKept ? again : () => undefined,
      isKept ? () => this.#feed() : () => undefined,
    )
  }

  #feed(): void {
    while (this.#queue.length > 0) {
      const free = this.#kept.reduce((best, one) => (one.load < best.load ? one : best))
      if (free.load >= this.#options.depth) return
      const next = this.#queue.shift()
      if (next !== undefined) free.write(next)
    }
  }
}

/** A connection that is opened when something is to be sent, and again after it was closed. */
class Connection {
  readonly #port: number
  readonly #again: (requests: readonly Waiting[]) => void
  readonly #onFree: () => void
  #socket: Socket | undefined
  #waiting: Waiting[] = []
  /** An answer has said that it is the last one. */
  #isEnding = false

  constructor(port: number, again: (requests: readonly Waiting[]) => void, onFree: () => void) {
    this.#port = port
    this.#again = again
    this.#onFree = onFree
  }

  get load(): number {
    return this.#isEnding ? Number.POSITIVE_INFINITY : this.#waiting.length
  }

  write(request: Waiting): void {
    this.#socket ??= this.#open()
    this.#waiting.push(request)
    this.#socket.write(request.bytes)
  }

  expire(limitMs: number): void {
    const [first] = this.#waiting
    if (first === undefined || performance.now() - first.startedMs < limitMs) return
    this.#waiting.shift()
    first.reject(new NoAnswerError('timeout', limitMs, `no answer within ${limitMs} ms`))
    this.#socket?.destroy()
  }

  end(): void {
    this.#socket?.destroy()
  }

  /** Nothing more is sent; what is still to come is read. */
  hangUp(): void {
    this.#socket?.end()
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    const reader = new AnswerReader(
      () => this.#waiting[0]?.wire.method === 'HEAD',
      (answer) => this.#take(answer),
    )
    this.#isEnding = false
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.take(chunk)
      } catch (error) {
        this.#waiting
          .shift()
          ?.reject(
            new NoAnswerError('closed', 0, error instanceof Error ? error.message : String(error)),
          )
        socket.destroy()
      }
    })
    socket.on('end', () => reader.end())
    // Whatever goes wrong, the connection closes.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#closed())
    return socket
  }

  #take(answer: Arrived): void {
    const request = this.#waiting.shift()
    // Bytes behind a broken request may be answered, too.
    if (request === undefined) return
    this.#isEnding = /close/i.test(answer.headers.get('connection') ?? '')
    request.resolve({
      ...answer,
      milliseconds: performance.now() - request.startedMs,
      isStream: false,
    })
    if (!this.#isEnding) this.#onFree()
  }

  /**
   * What was sent behind the last answer was not read, and is sent again; a connection that closes
   * without a word owes the first one.
   */
  #closed(): void {
    this.#socket = undefined
    const left = this.#waiting
    this.#waiting = []
    const owed = this.#isEnding ? undefined : left.shift()
    this.#isEnding = false
    owed?.reject(
      new NoAnswerError(
        'closed',
        performance.now() - owed.startedMs,
        'the connection was closed without an answer',
      ),
    )
    this.#again(left)
  }
}
