// Builds the request of an operation from its table.
import { declaredMedia, isRecords } from './client-answer.ts'
import type { ShownCredentials } from './client-security.ts'
import type {
  CallOptions,
  ClientInput,
  ClientMedia,
  ClientOperation,
  ClientOptions,
} from './client-types.ts'
import { stringifyExact } from './exact-json.ts'
import { ownMember } from './own-member.ts'
import { joined, namedTexts, plainText } from './parameter-texts.ts'
import type { ClientParameter } from './parameter-texts.ts'
import { formText, multipartForm } from './form-texts.ts'

/** A request as it goes over the wire, for whoever sends it by other means than fetch. */
export interface EncodedRequest {
  readonly url: string
  readonly headers: Headers
  readonly body: NonNullable<RequestInit['body']> | undefined
}

interface EncodeOptions extends Omit<ClientOptions, 'token'> {
  readonly token?: string | undefined
  /** Credentials in place of the token. */
  readonly shown?: ShownCredentials | undefined
}

/**
 * What an operation's input is on the wire. Throws where a value cannot be written: half a
 * surrogate pair, a line break in a header.
 */
export function encodeRequest(
  options: EncodeOptions,
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
  return { url: requestUrl(options, operation, input), headers, body }
}

function bodyMedia(
  { body }: ClientOperation,
  mediaType: string | undefined,
): ClientMedia | undefined {
  return (mediaType === undefined ? undefined : declaredMedia(body, mediaType)) ?? body[0]
}

/** A range is no type of content: then the caller's word counts, or what a file says of itself. */
function contentTypeOf(media: ClientMedia, { body, mediaType }: ClientInput): string {
  if (!media.mediaType.includes('*')) return media.mediaType
  const own = body instanceof Blob ? body.type : ''
  return mediaType ?? (own === '' ? 'application/octet-stream' : own)
}

function requestHeaders(
  { headers: own, token, shown }: EncodeOptions,
  call: CallOptions,
  operation: ClientOperation,
  input: ClientInput,
): Headers {
  const headers = new Headers({ ...own, ...call.headers })
  for (const [name, value] of shown?.headers ?? []) headers.set(name, value)
  if (shown === undefined && token !== undefined && token !== '')
    headers.set('authorization', `Bearer ${token}`)
  const cookies = [...(shown?.cookies ?? [])]
  for (const parameter of operation.parameters) {
    if (parameter.in === 'header') {
      const value = ownMember(input.headers, parameter.name)
      if (value !== undefined) headers.set(parameter.name, joined(parameter, value, plainText))
    }
    if (parameter.in === 'cookie')
      cookies.push(...namedTexts(parameter, ownMember(input.cookies, parameter.name)))
  }
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  return headers
}

function requestUrl(
  { baseUrl, shown }: EncodeOptions,
  operation: ClientOperation,
  input: ClientInput,
): string {
  const byName = new Map(
    operation.parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]),
  )
  const path = operation.path.replaceAll(
    /\{([^{}]+)\}|[^\u0021-\u007e]+/gu,
    (literal, name?: string) => {
      if (name === undefined) return encodeURIComponent(literal)
      const parameter = byName.get(name)
      return parameter === undefined ? '' : pathText(parameter, ownMember(input.path, name))
    },
  )
  const query = operation.parameters
    .filter((one) => one.in === 'query')
    .flatMap((parameter) => namedTexts(parameter, ownMember(input.query, parameter.name)))
    .concat(shown?.query ?? [])
  const base = operation.path === '' ? baseUrl : baseUrl.replace(/\/$/u, '')
  return (
    base + path + (query.length > 0 ? `${base.includes('?') ? '&' : '?'}${query.join('&')}` : '')
  )
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

function encodeBody(media: ClientMedia, value: unknown): NonNullable<RequestInit['body']> {
  if (value instanceof ReadableStream || value instanceof Blob || value instanceof Uint8Array)
    return new Response(bytesOf(value)).body ?? ''
  switch (media.kind) {
    case 'form':
      return formText(value, media.fields)
    case 'multipart':
      return multipartForm(value, media.fields)
    case 'json':
      return stringifyExact(value)
    case 'events':
      return isItems(value) ? textStream(value, eventText) : String(value)
    case 'json-lines': {
      const prefix = isRecords(media.mediaType) ? '\u001e' : ''
      const line = (item: unknown): string => `${prefix}${stringifyExact(item)}\n`
      return isItems(value) ? textStream(value, line) : String(value)
    }
    default:
      return String(value)
  }
}

function isItems(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Each item is asked for when what came before it is on its way. */
function textStream(
  items: AsyncIterable<unknown>,
  text: (item: unknown) => string,
): ReadableStream<Uint8Array> {
  const iterator = items[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(text(value)))
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}

/** An event as the HTML standard writes it; a line break in a name would start another field. */
function eventText(event: unknown): string {
  const { data, ...fields }: { readonly data?: unknown } = Object(event)
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  const text = typeof data === 'string' ? data : stringifyExact(data)
  const lines = [
    ...named.map(([name, value]) => `${name}: ${String(value).replaceAll(/[\r\n]/gu, ' ')}`),
    ...text.split(/\r\n|\r|\n/u).map((line) => `data: ${line}`),
  ]
  return `${lines.join('\n')}\n\n`
}

function bytesOf(value: ReadableStream | Blob | Uint8Array): ReadableStream | Blob {
  return value instanceof Uint8Array ? new Blob([new Uint8Array(value)]) : value
}
