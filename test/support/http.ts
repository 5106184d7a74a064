// One HTTP call as a test reads it: status, content type, text, and the parsed JSON where it is
// JSON.
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
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : undefined
  return { status: response.status, type, headers: response.headers, text, json }
}
