// A small hand-made interface on a real socket, and a raw client that can misbehave, for the tests
// of the dispatcher.
import { connect } from 'node:net'
import { once } from 'node:events'
import {
  createHttpApp,
  mountInterface,
  openGuard,
  plainPresenter,
  type AccessGuard,
  type Handler,
  type HttpOptions,
  type Issue,
  type VerifyBody,
  type WireInterface,
  type WireMedia,
  type WireOperation,
} from '../../runtime/http/index.ts'
import type { Logger } from '../../runtime/host/log.ts'

export const json = (check?: WireMedia['check'], int64 = false): WireMedia => ({
  mediaType: 'application/json',
  kind: 'json',
  int64,
  ...(check === undefined ? {} : { check }),
})

export const media = (mediaType: string, kind: WireMedia['kind']): WireMedia => ({
  mediaType,
  kind,
  int64: false,
})

export const ok = (...all: WireMedia[]): WireOperation['responses'] => [
  { status: '200', media: all, headers: [] },
]

/**
 * Decodes every parameter as text; a query parameter `n` has to be digits and at most 3 of them.
 */
export function echoParameters(names: readonly string[]): WireOperation['parameters'] {
  return (raw, issues) => {
    const query = Object.fromEntries(new URLSearchParams(raw.query))
    const n = query['n']
    if (n !== undefined && !/^\d+$/.test(n))
      issues.push(issue('query', 'n', 'type', 'must be an integer'))
    if (n !== undefined && n.length > 3)
      issues.push(issue('query', 'n', 'maximum', 'must be <= 999'))
    return {
      path: Object.fromEntries(names.map((name, at) => [name, raw.path[at]])),
      query,
      headers: {},
      cookies: {},
    }
  }
}

export const issue = (
  place: Issue['in'],
  pointer: string,
  keyword: string,
  message: string,
): Issue => ({
  in: place,
  pointer,
  keyword,
  message,
})

export function operation(
  method: WireOperation['method'],
  path: string,
  more: Partial<WireOperation> = {},
): WireOperation {
  const names = (path.match(/\{[^{}]+\}/g) ?? []).map((name) => name.slice(1, -1))
  return {
    operationId: `${method} ${path}`,
    method,
    path,
    parameters: echoParameters(names),
    responses: ok(json()),
    security: [],
    ...more,
  }
}

export function wire(
  operations: readonly WireOperation[],
  more: Partial<WireInterface> = {},
): WireInterface {
  return {
    name: 'sample',
    title: 'Sample',
    version: '1',
    mount: '',
    problems: 'plain',
    operations,
    checks: ['token', 'authenticated', 'parameters', 'mediaType', 'body', 'rights', 'constraints'],
    ...more,
  }
}

export interface LogLine {
  readonly level: string
  readonly fields: object
  readonly message: string
}

/** A logger that keeps its lines. */
export function keepingLog(
  lines: LogLine[] = [],
  bound: object = {},
): Logger & { readonly lines: LogLine[] } {
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...bound, ...fields }, message })
  }
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => keepingLog(lines, { ...bound, ...fields }),
  }
}

export interface Running extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly log: ReturnType<typeof keepingLog>
  readonly http: ReturnType<typeof createHttpApp<string>>
}

export type Handlers = Readonly<Record<string, Handler<string> | undefined>>

/** Serves one interface on a free port; ends with `await using`. */
export async function serveWire(
  interfaceWire: WireInterface,
  handlers: Handlers,
  more: Partial<HttpOptions<string>> & {
    readonly guard?: AccessGuard<string>
    readonly verify?: VerifyBody
  } = {},
): Promise<Running> {
  const mount = mountInterface<string, Handlers>({
    wire: interfaceWire,
    handlers,
    guard: more.guard ?? openGuard<string>(),
    presenter: plainPresenter,
    ...(more.verify === undefined ? {} : { verify: more.verify }),
  })
  return serveMounts({ interfaces: [mount], ...more })
}

export async function serveMounts(
  options: Partial<HttpOptions<string>> & Pick<HttpOptions<string>, 'interfaces'>,
): Promise<Running> {
  const log = keepingLog()
  const clock = { nowMicros: () => 0n }
  const http = createHttpApp<string>({ log, clock, responseCheck: 'throw', ...options })
  const { port } = await http.listen(0, '127.0.0.1')
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    log,
    http,
    [Symbol.asyncDispose]: async () => {
      await http.drain(0)
    },
  }
}

export interface RawOptions {
  /** The end of what is expected, where the server leaves the connection open. */
  readonly until?: RegExp
  /** Milliseconds after which the client hangs up in any case. */
  readonly ms?: number
}

/**
 * Sends text or bytes as they are and gives everything that comes back until the server closes or
 * what is expected is there.
 */
export async function raw(
  port: number,
  parts: readonly (string | Uint8Array)[],
  { until, ms = 30_000 }: RawOptions = {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1')
    if (until?.test(received) === true) socket.destroy()
  })
  // The server may close while parts are still on their way.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  const timer = setTimeout(() => socket.destroy(), ms)
  await closed
  clearTimeout(timer)
  return received
}

export const post = (body: RequestInit['body'], type = 'application/json'): RequestInit => ({
  method: 'POST',
  body: body ?? null,
  headers: { 'content-type': type },
  duplex: 'half',
})
