// What printed clients run on: sends a request by fetch.
import { readAnswer } from './client-answer.ts'
import { shownCredentials } from './client-security.ts'
import type { ClientSecurity } from './client-security.ts'
import { encodeRequest } from './client-request.ts'
import { fetchRetried } from './client-retry.ts'
import type { CallOptions, ClientInput, ClientOperation, ClientOptions } from './client-types.ts'

/**
 * Calls an operation. Resolves to the declared answer of the status that came. Rejects with
 * UndeclaredAnswerError for any other answer and with fetch's own errors when none came.
 */
export function callOperation<Answer>(
  options: ClientOptions & Partial<ClientSecurity>,
  operation: ClientOperation,
  input: ClientInput,
  call?: CallOptions,
): Promise<Answer>
export async function callOperation(
  options: ClientOptions & Partial<ClientSecurity>,
  operation: ClientOperation,
  input: ClientInput,
  call: CallOptions = {},
): Promise<unknown> {
  const token = typeof options.token === 'function' ? await options.token() : options.token
  const { schemes, credentials } = options
  const shown =
    schemes === undefined || operation.security === undefined
      ? undefined
      : await shownCredentials({ schemes, credentials }, operation.security, token)
  const { url, headers, body } = encodeRequest({ ...options, token, shown }, operation, input, call)
  const sent = options.sign === undefined ? body : await writtenBytes(body, headers)
  if (options.sign !== undefined && sent instanceof Uint8Array) {
    const { operationId, method } = operation
    const signature = await options.sign({ operationId, method, url, headers, body: sent })
    for (const [name, value] of Object.entries(signature)) headers.set(name, value)
  }
  const init: RequestInit & { duplex?: 'half' } = {
    method: operation.method,
    headers,
    redirect: 'manual',
  }
  if (body !== undefined && sent !== undefined) init.body = sent
  if (sent instanceof ReadableStream) init.duplex = 'half'
  if (call.signal !== undefined) init.signal = call.signal
  const send = options.fetch ?? fetch
  const answer = await (options.retry === undefined
    ? send(url, init)
    : fetchRetried(send, url, init, options.retry))
  return readAnswer(operation, answer)
}

/** All bytes of a body; a multipart one gets its boundary with them. */
async function writtenBytes(
  body: RequestInit['body'],
  headers: Headers,
): Promise<Uint8Array<ArrayBuffer>> {
  const written = new Response(body ?? null)
  const contentType = written.headers.get('content-type')
  if (contentType !== null && !headers.has('content-type')) headers.set('content-type', contentType)
  return new Uint8Array(await written.arrayBuffer())
}
