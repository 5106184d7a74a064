// Sends requests over kept connections by node:http, which writes odd paths, methods and headers as
// they are; fetch would tidy them up.
import { Agent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import type { WireRequest } from './facts.ts'

export interface Answer {
  readonly status: number
  /** Headers by lower-case name; several of one name joined with commas. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly milliseconds: number
  /** The answer did not end by itself: a stream, of which the body is the beginning. */
  readonly isStream: boolean
}

/** The reason why no answer came. */
export class NoAnswerError extends Error {
  readonly reason: 'refused' | 'closed' | 'timeout'
  readonly milliseconds: number

  constructor(reason: NoAnswerError['reason'], milliseconds: number, message: string) {
    super(message)
    this.name = 'NoAnswerError'
    this.reason = reason
    this.milliseconds = milliseconds
  }
}

export interface Sender {
  /** Rejects with NoAnswerError, or with TypeError where the request cannot be written at all. */
  send(request: WireRequest): Promise<Answer>
  close(): void
}

interface SenderOptions {
  readonly url: URL
  readonly connections: number
  readonly timeoutMs: number
}

const STREAM_MS = 500
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** A sender to one server. */
export function createSender(options: SenderOptions): Sender {
  const isSecure = options.url.protocol === 'https:'
  const agent = new (isSecure ? SecureAgent : Agent)({
    keepAlive: true,
    maxSockets: options.connections,
  })
  const open = isSecure ? httpsRequest : httpRequest
  const attempt = (request: WireRequest, again: boolean): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const { url } = options
      const outgoing = open({
        agent,
        host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
        port: url.port,
        method: request.method,
        path: request.target,
        headers: ['host', url.host, ...headersOf(request)],
        timeout: options.timeoutMs,
      })
      const since = (): number => performance.now() - start
      outgoing.once('response', (incoming) => {
        read(incoming, outgoing, options.timeoutMs, since).then(resolve, reject)
      })
      outgoing.once('timeout', () =>
        outgoing.destroy(
          new NoAnswerError('timeout', since(), `no answer within ${options.timeoutMs} ms`),
        ),
      )
      outgoing.once('error', (error) => {
        // The server may close a kept connection just when it is used again: that says nothing
        // about this request.
        if (again && outgoing.reusedSocket && codeOf(error) === 'ECONNRESET')
          resolve(attempt(request, false))
        else reject(noAnswer(error, since()))
      })
      outgoing.end(request.body)
    })
  return { send: async (request) => attempt(request, true), close: () => agent.destroy() }
}

function headersOf({ headers, body, method }: WireRequest): string[] {
  const length = body?.length ?? (['POST', 'PUT', 'PATCH'].includes(method) ? 0 : undefined)
  return [...headers.flat(), ...(length === undefined ? [] : ['content-length', String(length)])]
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined
}

function noAnswer(error: unknown, milliseconds: number): unknown {
  if (error instanceof NoAnswerError) return error
  const code = codeOf(error)
  const isRejected = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'].includes(
    String(code),
  )
  const text = error instanceof Error ? error.message : String(error)
  return new NoAnswerError(
    isRejected ? 'refused' : 'closed',
    milliseconds,
    isRejected ? text : `no answer came: ${text}`,
  )
}

/** Reads a body to its end; of an event stream, what comes within half a second. */
function read(
  incoming: IncomingMessage,
  outgoing: ClientRequest,
  timeoutMs: number,
  since: () => number,
): Promise<Answer> {
  const milliseconds = since()
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const end = (isStream: boolean): void => {
      clearTimeout(timer)
      resolve({
        status: incoming.statusCode ?? 0,
        headers: headerMap(incoming.rawHeaders),
        body: Buffer.concat(chunks),
        milliseconds,
        isStream,
      })
      if (isStream) outgoing.destroy()
    }
    const isEvents = /^text\/event-stream|^application\/x?-?nd-?json/u.test(
      incoming.headers['content-type'] ?? '',
    )
    const timer = setTimeout(
      () => {
        if (isEvents) return end(true)
        reject(
          new NoAnswerError('timeout', since(), `the answer did not end within ${timeoutMs} ms`),
        )
        outgoing.destroy()
      },
      isEvents ? STREAM_MS : timeoutMs,
    )
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    })
    incoming.once('end', () => end(false))
    incoming.once('error', (error) => {
      clearTimeout(timer)
      reject(new NoAnswerError('closed', since(), `the answer broke off: ${error.message}`))
    })
  })
}

function headerMap(raw: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    const known = map.get(name)
    map.set(name, known === undefined ? (raw[i + 1] ?? '') : `${known}, ${raw[i + 1]}`)
  }
  return map
}
