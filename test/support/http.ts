// One HTTP call as a test reads it: status, content type, text, and the parsed JSON where it is
// JSON.
import { request as httpRequest } from 'node:http'
import { text as textOf } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly text: string
  /** Undefined when the answer is not JSON. */
  readonly json: unknown
}

export interface CallOptions {
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

export async function call(
  url: string,
  request: string,
  { token, body, raw, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const init = {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  }
  const isUnusual = method === 'GET' && payload !== undefined
  const response = await (isUnusual ? getWithBody : fetch)(url + path, init)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : undefined
  return { status: response.status, type, headers: response.headers, text, json }
}

interface WithBody {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Fetches with a body of GET, which fetch refuses to send. */
function getWithBody(url: string, { body = '', ...init }: WithBody): Promise<Response> {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { ...init, headers: { ...init.headers, ...length } })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      const headers = new Headers()
      for (const [name, value] of Object.entries(incoming.headers))
        if (value !== undefined) headers.set(name, String(value))
      textOf(incoming)
        .then((text) => resolve(new Response(text, { status: incoming.statusCode ?? 0, headers })))
        .catch(reject)
    })
    outgoing.end(body)
  })
}
