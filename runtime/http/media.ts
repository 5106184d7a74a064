// Media types: the essence of a Content-Type header, and which declared media type it falls under.
import type { WireMedia } from './wire.ts'

/** Begins every record of `application/json-seq`, RFC 7464 §2.2. */
export const RECORD_SEPARATOR = '\u001e'

/** `application/json` of `Application/JSON; charset=utf-8`; '' for an absent header. */
export function essenceOf(header: string | undefined): string {
  if (header === undefined) return ''
  const end = header.indexOf(';')
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
}

/** The media type of a body: the declared one, or what the header says where that is a range. */
export function namedMedia({ mediaType }: WireMedia, header: string | undefined): string {
  if (!mediaType.includes('*')) return mediaType
  return essenceOf(header) || 'application/octet-stream'
}

/** False when a charset is named that is not UTF-8. */
export function isUtf8Charset(header: string | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(header ?? '')?.[1]
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)
}

interface Declared {
  readonly mediaType: string
}

/**
 * The declared media type that fits best: an exact one before `type/*` before everything; undefined
 * when none fits.
 */
export function matchMedia<M extends Declared>(
  media: readonly M[],
  contentType: string | undefined,
): M | undefined {
  const essence = essenceOf(contentType)
  const exact = media.filter((one) => essenceOf(one.mediaType) === essence)
  if (exact.length > 0) return exact.length === 1 ? exact[0] : byParameters(exact, contentType)
  const range = `${essence.slice(0, essence.indexOf('/'))}/*`
  return (
    media.find((one) => essenceOf(one.mediaType) === range) ??
    media.find((one) => essenceOf(one.mediaType) === '*/*')
  )
}

/** The media type, of those that differ in parameters alone, that shares most of them. */
function byParameters<M extends Declared>(
  media: readonly M[],
  contentType: string | undefined,
): M | undefined {
  const given = new Set(parametersOf(contentType ?? ''))
  const fitting = media
    .map((one) => ({ one, parameters: parametersOf(one.mediaType) }))
    .filter(({ parameters }) => parameters.every((parameter) => given.has(parameter)))
    .sort((a, b) => b.parameters.length - a.parameters.length)
  return fitting[0]?.one ?? media[0]
}

function parametersOf(contentType: string): readonly string[] {
  return contentType
    .toLowerCase()
    .split(';')
    .slice(1)
    .map((parameter) => parameter.replaceAll(/[\s"]/g, ''))
}

/** True for the body of an answer that is made while it is sent. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** True for `application/xml` and its kin; `text/xml` is text. RFC 7303 §4.2 */
export function isXml(mediaType: string): boolean {
  return /^application\/(?:[^;]+\+)?xml\s*(?:;|$)/iu.test(mediaType)
}
