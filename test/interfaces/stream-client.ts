// A client of streams, as tests read it: elements in the order in which they came, how it ended, or
// how it was refused.
import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface StreamClient {
  readonly socket: WebSocket
  /** All that came so far. */
  readonly elements: readonly unknown[]
  /** Arrival times, milliseconds of performance.now(). */
  readonly times: readonly number[]
  /** Resolves when there are so many, or when the stream has ended. */
  until(count: number): Promise<void>
  /** Close code. */
  readonly ended: Promise<number>
  close(): Promise<void>
}

export interface Rejected {
  readonly status: number
  readonly body: string
}

export interface StreamOptions {
  readonly token?: string
  /** Offered besides, or in place of, the header. */
  readonly protocols?: readonly string[]
  readonly headers?: Record<string, string>
}

/** Opens a stream and sends its request; `raw` as it is. */
export async function openStream(
  url: string,
  path: string,
  request: unknown,
  { token, protocols = [], headers = {} }: StreamOptions = {},
): Promise<StreamClient | Rejected> {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(url.replace('http', 'ws') + path, [...protocols], {
    headers: { ...authorization, ...headers },
  })
  const elements: unknown[] = []
  const times: number[] = []
  const waiters = new Set<() => void>()
  const wake = (): void => waiters.forEach((waiter) => waiter())
  socket.on('message', (data: Buffer) => {
    elements.push(JSON.parse(data.toString()))
    times.push(performance.now())
    wake()
  })
  const opened = await Promise.race([
    once(socket, 'open').then(() => undefined),
    rejectionOf(socket),
  ])
  if (opened !== undefined) return opened
  const ended = once(socket, 'close').then(([code]) => {
    wake()
    return Number(code)
  })
  if (request !== undefined)
    socket.send(typeof request === 'string' ? request : JSON.stringify(request))
  return {
    socket,
    elements,
    times,
    ended,
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (elements.length < count && socket.readyState !== WebSocket.CLOSED) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      }),
    close: async () => {
      socket.close()
      await ended
    },
  }
}

function rejectionOf(socket: WebSocket): Promise<Rejected> {
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
      )
    })
    socket.once('error', reject)
  })
}
