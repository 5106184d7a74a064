// What printed clients run on: builds a request from a table, sends it by fetch, reads the answer
// by status and media type.
import { parseExact, stringifyExact } from './exact-json.ts'
import type { BodyKind, ServerSentEvent } from './wire.ts'

/** Options of a client. */
export interface ClientOptions {
  /**
   * Address of the service, with the mount path if it has one: `http://127.0.0.1:8080/api/scan`.
   */
  readonly baseUrl: string
  /** Bearer token, or what yields one for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that the document does not declare. The body is kept as text. */
export class UndeclaredAnswerError extends Error {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(operationId: string, status: number, headers: Headers, text: string) {
    super(
      `${operationId}: the answer ${status} with ${headers.get('content-type') ?? 'no content type'} is not declared`,
    )
    this.name = 'UndeclaredAnswerError'
    this.status = status
    this.headers = headers
    this.text = text
  }
}

export interface ClientParameter {
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly name: string
  readonly style:
    'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  /** The value goes as JSON text. */
  readonly json?: true
}

export interface ClientMedia {
  readonly mediaType: string
  readonly kind: BodyKind
  readonly lift?: (value: unknown) => unknown
}

export interface ClientOperation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly ClientParameter[]
  readonly body: readonly ClientMedia[]
  readonly responses: readonly { readonly status: string; readonly media: readonly ClientMedia[] }[]
}

/** The parts of a request by place; members are named as in the document. */
export interface ClientInput {
  readonly path?: object
  readonly query?: object
  readonly headers?: object
  readonly cookies?: object
  readonly body?: unknown
  /** Which of several declared media types the body has; the first when absent. */
  readonly mediaType?: string
}

/**
 * Calls an operation. Resolves to the declared answer of the status that came. Rejects with
 * UndeclaredAnswerError for any other answer and with fetch's own errors when none came.
 */
export function callOperation<Answer>(
  options: ClientOptions,
  operation: ClientOperation,
  input: ClientInput,
  call?: CallOptions,
): Promise<Answer>
export async function callOperation(
  options: ClientOptions,
  operation: ClientOperation,
  input: ClientInput,
  call: CallOptions = {},
): Promise<unknown> {
  const token = typeof options.token === 'function' ? await options.token() : options.token
  const { url, headers, body } = encodeRequest({ ...options, token }, operation, input, call)
  const init: RequestInit & { duplex?: 'half' } = {
    method: operation.method,
    headers,
    redirect: 'manual',
  }
  if (body !== undefined) init.body = body
  if (body instanceof ReadableStream) init.duplex = 'half'
  if (call.signal !== undefined) init.signal = call.signal
  const answer = await (options.fetch ?? fetch)(url, init)
  return readAnswer(operation, answer)
}

/** A request as it goes over the wire, for whoever sends it by other means than fetch. */
export interface EncodedRequest {
  readonly url: string
  readonly headers: Headers
  readonly body: NonNullable<RequestInit['body']> | undefined
}

/**
 * What an operation's input is on the wire. Throws where a value cannot be written: half a
 * surrogate pair, a line break in a header.
 */
export function encodeRequest(
  options: Omit<ClientOptions, 'token'> & { readonly token?: string | undefined },
  operation: ClientOperation,
  input: ClientInput,
  call: CallOptions = {},
): EncodedRequest {
  const media = bodyMedia(operation, input.mediaType)
  const headers = requestHeaders(options, call, operation, input)
  const body =
    media === undefined || input.body === undefined ? undefined : encodeBody(media, input.body)
  if (media !== undefined && body !== undefined && media.kind !== 'multipart')
    headers.set('content-type', contentTypeOf(media, input))
  return { url: requestUrl(options.baseUrl, operation, input), headers, body }
}

function bodyMedia(
  { body }: ClientOperation,
  mediaType: string | undefined,
): ClientMedia | undefined {
  const essence = mediaType?.split(';')[0]?.trim().toLowerCase()
  return (
    body.find((one) => one.mediaType === mediaType) ??
    body.find((one) => essence !== undefined && accepts(one.mediaType, essence)) ??
    body[0]
  )
}

/** A range is no type of content: then the caller's word counts, or what a file says of itself. */
function contentTypeOf(media: ClientMedia, { body, mediaType }: ClientInput): string {
  if (!media.mediaType.includes('*')) return media.mediaType
  const own = body instanceof Blob ? body.type : ''
  return mediaType ?? (own === '' ? 'application/octet-stream' : own)
}

function requestHeaders(
  { headers: own, token }: Parameters<typeof encodeRequest>[0],
  call: CallOptions,
  operation: ClientOperation,
  input: ClientInput,
): Headers {
  const headers = new Headers({ ...own, ...call.headers })
  if (token !== undefined && token !== '') headers.set('authorization', `Bearer ${token}`)
  const cookies: string[] = []
  for (const parameter of operation.parameters) {
    if (parameter.in === 'header') {
      const value = valueOf(input.headers, parameter.name)
      if (value !== undefined) headers.set(parameter.name, joined(parameter, value, plainText))
    }
    if (parameter.in === 'cookie')
      cookies.push(...namedTexts(parameter, valueOf(input.cookies, parameter.name)))
  }
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  return headers
}

function requestUrl(baseUrl: string, operation: ClientOperation, input: ClientInput): string {
  const byName = new Map(
    operation.parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]),
  )
  const path = operation.path.replaceAll(
    /\{([^{}]+)\}|[^\u0021-\u007e]+/gu,
    (literal, name?: string) => {
      if (name === undefined) return encodeURIComponent(literal)
      const parameter = byName.get(name)
      return parameter === undefined ? '' : pathText(parameter, valueOf(input.path, name))
    },
  )
  const query = operation.parameters
    .filter((one) => one.in === 'query')
    .flatMap((parameter) => namedTexts(parameter, valueOf(input.query, parameter.name)))
  return baseUrl.replace(/\/$/u, '') + path + (query.length > 0 ? `?${query.join('&')}` : '')
}

function valueOf(group: object | undefined, name: string): unknown {
  return group !== undefined && Object.hasOwn(group, name) ? Reflect.get(group, name) : undefined
}

function pathText(parameter: ClientParameter, value: unknown): string {
  if (parameter.style === 'label')
    return `.${joined(parameter, value, encodeURIComponent, parameter.explode ? '.' : ',')}`
  if (parameter.style !== 'matrix') return joined(parameter, value, encodeURIComponent)
  if (parameter.explode && Array.isArray(value))
    return value.map((item) => `;${parameter.name}=${encodeURIComponent(plainText(item))}`).join('')
  const isSpread = parameter.explode && typeof value === 'object' && value !== null
  return isSpread
    ? `;${joined(parameter, value, encodeURIComponent, ';')}`
    : `;${parameter.name}=${joined(parameter, value, encodeURIComponent)}`
}

/** `name=text` members of a query or cookie parameter. */
function namedTexts(parameter: ClientParameter, value: unknown): readonly string[] {
  if (value === undefined) return []
  const name = encodeURIComponent(parameter.name)
  if (parameter.json === true || typeof value !== 'object' || value === null)
    return [`${name}=${joined(parameter, value, encodeURIComponent)}`]
  if (Array.isArray(value)) {
    if (parameter.explode)
      return value.map((item) => `${name}=${encodeURIComponent(plainText(item))}`)
    const sign =
      parameter.style === 'spaceDelimited' ? '%20' : parameter.style === 'pipeDelimited' ? '|' : ','
    return [`${name}=${value.map((item) => encodeURIComponent(plainText(item))).join(sign)}`]
  }
  if (parameter.style === 'deepObject')
    return members(value).map(([key, text]) => `${name}%5B${key}%5D=${text}`)
  return parameter.explode
    ? members(value).map(([key, text]) => `${key}=${text}`)
    : [`${name}=${joined(parameter, value, encodeURIComponent)}`]
}

function members(value: object): readonly (readonly [string, string])[] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [encodeURIComponent(key), encodeURIComponent(plainText(item))])
}

function joined(
  parameter: ClientParameter,
  value: unknown,
  encode: (text: string) => string,
  sign = ',',
): string {
  if (parameter.json === true) return encode(stringifyExact(value))
  if (Array.isArray(value)) return value.map((item) => encode(plainText(item))).join(sign)
  if (typeof value !== 'object' || value === null) return encode(plainText(value))
  const pair = parameter.explode ? '=' : ','
  return Object.entries(value)
    .map(([key, item]) => `${encode(key)}${pair}${encode(plainText(item))}`)
    .join(sign)
}

function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyExact(value) : String(value)
}

function encodeBody(media: ClientMedia, value: unknown): NonNullable<RequestInit['body']> {
  if (value instanceof ReadableStream || value instanceof Blob || value instanceof Uint8Array)
    return new Response(bytesOf(value)).body ?? ''
  switch (media.kind) {
    case 'form':
      return formText(value)
    case 'multipart':
      return multipartForm(value)
    case 'json':
      return stringifyExact(value)
    default:
      return String(value)
  }
}

function bytesOf(value: ReadableStream | Blob | Uint8Array): ReadableStream | Blob {
  return value instanceof Uint8Array ? new Blob([new Uint8Array(value)]) : value
}

function formText(value: unknown): string {
  const form = new URLSearchParams()
  for (const [name, item] of formEntries(value)) form.append(name, plainText(item))
  return form.toString()
}

function multipartForm(value: unknown): FormData {
  const form = new FormData()
  for (const [name, item] of formEntries(value)) {
    if (item instanceof Blob) form.append(name, item)
    else form.append(name, plainText(item))
  }
  return form
}

function formEntries(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return []
  const given: readonly (readonly [string, unknown])[] = Object.entries(value)
  return given
    .filter(([, item]) => item !== undefined)
    .flatMap(([name, item]) =>
      Array.isArray(item)
        ? item.map((one: unknown) => [name, one] as const)
        : [[name, item] as const],
    )
}

async function readAnswer(operation: ClientOperation, answer: Response): Promise<unknown> {
  const response =
    operation.responses.find((one) => one.status === String(answer.status)) ??
    operation.responses.find((one) => one.status === `${Math.floor(answer.status / 100)}XX`) ??
    operation.responses.find((one) => one.status === 'default')
  const contentType =
    (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const media =
    contentType === ''
      ? response?.media[0]
      : response?.media.find((one) => accepts(one.mediaType, contentType))
  const isUndeclared = response === undefined || (response.media.length > 0 && media === undefined)
  if (isUndeclared)
    throw new UndeclaredAnswerError(
      operation.operationId,
      answer.status,
      answer.headers,
      await answer.text(),
    )
  const { status, headers } = answer
  if (media === undefined) {
    await answer.body?.cancel()
    return { status, headers }
  }
  return { status, mediaType: media.mediaType, headers, body: await readBody(media, answer) }
}

function accepts(declared: string, contentType: string): boolean {
  const bare = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  return (
    bare === contentType ||
    bare === '*/*' ||
    (bare.endsWith('/*') && contentType.startsWith(bare.slice(0, -1)))
  )
}

async function readBody(media: ClientMedia, answer: Response): Promise<unknown> {
  const stream =
    answer.body ??
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.close()
      },
    })
  switch (media.kind) {
    case 'binary':
      return stream
    case 'events':
      return readEvents(media, stream)
    case 'json-lines':
      return readLines(media, stream)
    case 'json':
      return lifted(media, parseExact(await answer.text()))
    default:
      return answer.text()
  }
}

function lifted(media: ClientMedia, value: unknown): unknown {
  return media.lift === undefined ? value : media.lift(value)
}

async function* readLines(
  media: ClientMedia,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<unknown> {
  for await (const line of textLines(stream)) {
    if (line.trim() !== '') yield lifted(media, parseExact(line))
  }
}

async function* readEvents(
  media: ClientMedia,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent<unknown>> {
  let event: { event?: string; id?: string; retry?: number } = {}
  let data: string[] = []
  for await (const line of textLines(stream)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '')
    if (field === 'data') data.push(value)
    else if (field === 'event' || field === 'id') event[field] = value
    else if (field === 'retry' && /^\d+$/u.test(value)) event.retry = Number(value)
    if (line !== '') continue
    if (data.length > 0) yield { ...event, data: eventData(media, data.join('\n')) }
    event = {}
    data = []
  }
}

/**
 * Data of an event is JSON where the document's schema says more than text, which shows as a lift;
 * else JSON when it parses.
 */
function eventData(media: ClientMedia, text: string): unknown {
  try {
    return lifted(media, parseExact(text))
  } catch {
    return text
  }
}

async function* textLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split(/\r\n|\n|\r(?!$)/u)
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest.replace(/\r$/u, '')
  } finally {
    await reader.cancel()
  }
}
