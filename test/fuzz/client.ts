// Requests that node:http does not write: as bytes, right or wrong, on a connection of their own,
// whose answer node:http reads all the same.
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { NoAnswerError } from '../../runtime/testing/conform.ts'
import type { Answer } from '../../runtime/testing/conform/sender.ts'
import type { Wire } from './mutate-wire.ts'

export interface Patience {
  readonly timeoutMs: number
  /**
   * After which a request that promises more than it sends is ended; when absent the server's limit
   * ends it.
   */
  readonly unfinishedMs?: number | undefined
}

/** Rejects with NoAnswerError. */
export async function sendBytes(
  port: number,
  wire: Wire,
  { timeoutMs, unfinishedMs }: Patience,
): Promise<Answer> {
  const started = performance.now()
  const since = (): number => performance.now() - started
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const write = socket.write.bind(socket)
  // The head that node:http writes gives way to these bytes.
  const bytes = [bytesOf(wire)]
  Object.assign(socket, { write: () => bytes.splice(0).every((each) => write(each)) })
  const timer =
    unfinishedMs !== undefined && isUnfinished(wire)
      ? setTimeout(() => socket.end(), unfinishedMs)
      : undefined
  const answered = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => ({
    status: incoming.statusCode ?? 0,
    headers: new Map(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    milliseconds: since(),
    isStream: false,
  })
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const method = wire.method === 'HEAD' ? 'HEAD' : 'GET'
      request({ createConnection: () => socket, method, timeout: timeoutMs })
        .once('response', (incoming) => {
          resolve(buffer(incoming).then((body) => answered(incoming, body)))
        })
        .once('upgrade', (incoming) => resolve(answered(incoming, Buffer.alloc(0))))
        .once('timeout', () => reject(new Error(`no answer within ${timeoutMs} ms`)))
        .once('error', reject)
        .end()
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new NoAnswerError('closed', since(), `no answer came: ${message}`)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The bytes of a request. A length is added where nothing else says how long the body is. */
function bytesOf({ method, target, headers, body }: Wire): Buffer {
  const names = new Set(headers.map(([name]) => name))
  const isSized =
    names.has('content-length') ||
    names.has('transfer-encoding') ||
    (body === undefined && !['POST', 'PUT', 'PATCH'].includes(method))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(names.has('host') ? [] : ['host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isSized ? [] : [`content-length: ${body?.length ?? 0}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return Buffer.concat([head, body ?? Buffer.alloc(0)])
}

/** Whether the server has to wait for more. */
function isUnfinished({ headers, body }: Wire): boolean {
  const names = new Map(headers)
  if (names.get('transfer-encoding') === 'chunked')
    return body?.subarray(-5).toString('latin1') !== '0\r\n\r\n'
  return Number(names.get('content-length') ?? 0) > (body?.length ?? 0)
}
