// The lending library of library.yaml over node:http: right, or with one planted fault. By hand:
// `node server.ts [--fault NAME] [--port PORT]` prints the address and the header to send.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { bookHandlers } from './books.ts'
import { problem } from './call.ts'
import type { Call, Complaint, Hooks, Reply } from './call.ts'
import { decode } from './decode.ts'
import type { RawRequest } from './decode.ts'
import { operations } from './document.ts'
import type { Operation } from './document.ts'
import { printExact } from './exact-json.ts'
import { findFault } from './faults.ts'
import { openLibrary, othersOf } from './library.ts'
import type { Library } from './library.ts'
import { memberHandlers } from './members.ts'

export interface RunningLibrary {
  readonly url: string
  /** The one bearer token that is right. */
  readonly token: string
  /**
   * Whether the two books, the cover and the two members that were there at the start are as they
   * were.
   */
  isUntouched(): boolean
  close(): Promise<void>
}

interface Serving {
  readonly library: Library
  readonly token: string
  readonly hooks: Hooks
}

/**
 * Starts a library on a free port of 127.0.0.1, `fault` being the name of one in faults.ts. Throws
 * for an unknown name.
 */
export async function startLibrary({
  fault,
  port = 0,
}: { fault?: string; port?: number } = {}): Promise<RunningLibrary> {
  const hooks = fault === undefined ? {} : findFault(fault).hooks()
  const words = [1, 2, 3].map(() => randomBytes(12).toString('base64url'))
  const serving = { library: openLibrary(), token: words.join('.'), hooks }
  const others = othersOf(serving.library)
  const server = createServer((request, response) => {
    serve(serving, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    token: serving.token,
    isUntouched: () => othersOf(serving.library) === others,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/su)
  const raw = {
    segments: path.split('/'),
    query,
    headers: request.headers,
    text: Buffer.concat(chunks).toString(),
  }
  const reply = await answer(serving, request.method ?? '', path, raw)
  const body = 'json' in reply ? printExact(reply.json) : reply.text
  const type =
    body === undefined
      ? {}
      : { 'content-type': 'json' in reply ? 'application/json' : 'text/plain; charset=utf-8' }
  const headers = Object.entries({ ...type, ...reply.headers }).filter(([, value]) => value !== '')
  response
    .writeHead(reply.status, Object.fromEntries(headers))
    .end(request.method === 'HEAD' ? undefined : body)
}

async function answer(
  serving: Serving,
  method: string,
  path: string,
  raw: RawRequest,
): Promise<Reply> {
  const here = operations.filter(({ segments }) => matches(segments, raw.segments))
  const operation = here.find((one) => one.method === method)
  const authorization = raw.headers['authorization']?.toString() ?? ''
  const start: Call = {
    operationId: '',
    method,
    path,
    authorization,
    parameters: {},
    body: undefined,
  }
  const { hooks, library } = serving
  if (operation === undefined) {
    const allow = here.map((one) => one.method).join(', ')
    const unsupported = problem(405, `not ${method} here`, undefined, { allow })
    const rejection = here.length === 0 ? problem(404, 'there is nothing here') : unsupported
    return hooks.after?.(start, rejection, library) ?? rejection
  }
  const { complaints, ...decoded } = decode(operation, raw)
  const call = { ...start, operationId: operation.operationId, ...decoded }
  const reply =
    rejectionOf(serving, operation, call, complaints) ??
    (await hooks.instead?.(call, library)) ??
    act(call, library)
  return hooks.after?.(call, reply, library) ?? reply
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every(
      (part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''),
    )
  )
}

function rejectionOf(
  { hooks, token }: Serving,
  { isOpen }: Operation,
  call: Call,
  complaints: readonly Complaint[],
): Reply | undefined {
  const isRight = /^bearer (.*)$/iu.exec(call.authorization)?.[1] === token
  const isAdmitted = isOpen || isRight || hooks.admits?.(call, token) === true
  if (!isAdmitted)
    return problem(401, 'a token is needed', undefined, { 'www-authenticate': 'Bearer' })
  const first = complaints.find((complaint) => hooks.tolerates?.(call, complaint) !== true)
  return first === undefined
    ? undefined
    : problem(first.status, `${first.place}: ${first.rule}`, first.pointer)
}

function act(call: Call, library: Library): Reply {
  const handler = bookHandlers[call.operationId] ?? memberHandlers[call.operationId]
  return handler?.(call, library) ?? problem(404, 'there is no such operation')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { fault: { type: 'string' }, port: { type: 'string', default: '0' } },
  })
  const { fault, port } = values
  const { url, token } = await startLibrary({
    port: Number(port),
    ...(fault === undefined ? {} : { fault }),
  })
  console.log(`${url}\nAuthorization: Bearer ${token}`)
}
