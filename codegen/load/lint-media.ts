// Which media types are decoded, and what of their schemas and encodings is not heeded.
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { LOSS } from './faults.ts'
import { child, peek, report, reportFault } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

const essenceOf = (mediaType: string): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
const isJson = (essence: string): boolean => /^[^/]+\/(?:[^/]+\+)?json$/u.test(essence)
const isForm = (essence: string): boolean =>
  essence === 'application/x-www-form-urlencoded' || essence === 'multipart/form-data'

/** True for media types that are one item after another. */
export function isSequence(mediaType: string): boolean {
  const essence = essenceOf(mediaType)
  return (
    essence === 'text/event-stream' ||
    /^application\/(?:x-)?(?:nd-?json|jsonl|json-lines|jsonlines|json-seq)$/u.test(essence)
  )
}

/** Reports what of a body's declaration is not heeded. */
export function lintMedia(resolver: Resolver, at: Located, mediaType: string): void {
  const essence = essenceOf(mediaType)
  if (fields(at.value)['itemSchema'] !== undefined && !isSequence(mediaType)) {
    report(
      resolver,
      child(at, 'itemSchema'),
      'ignored-keyword',
      `${mediaType} is not a sequence: its itemSchema is ignored`,
    )
  }
  for (const key of ['prefixEncoding', 'itemEncoding']) {
    if (key in fields(at.value))
      report(resolver, child(at, key), 'ignored-keyword', `'${key}' is ignored`)
  }
  if (isForm(essence)) lintEncodings(resolver, at, essence)
  else lintOpaque(resolver, at, mediaType, essence)
}

/** Reports a response header that is none of its own. */
export function lintHeader(resolver: Resolver, at: Located, name: string): void {
  if (name.toLowerCase() !== 'content-type') return
  report(resolver, at, 'ignored-header', `the header '${name}' is ignored: use media types`)
}

/** The headers of an answer, each once: of names that differ in case alone the first counts. */
export function distinctHeaders(resolver: Resolver, at: Located): Located {
  const seen = new Set<string>()
  const kept = Object.entries(fields(at.value)).filter(([name]) => {
    const key = name.toLowerCase()
    const isTwice = seen.has(key)
    seen.add(key)
    if (isTwice) {
      const message = `the header '${name}' is declared twice: names of headers have no case`
      reportFault(resolver, child(at, name), 'duplicate-parameter', message, LOSS.header)
    }
    return !isTwice
  })
  return { ...at, value: Object.fromEntries(kept) }
}

/** A schema that says more than text or bytes, where text or bytes are what a handler gets. */
function lintOpaque(resolver: Resolver, at: Located, mediaType: string, essence: string): void {
  const key = 'schema' in fields(at.value) ? 'schema' : 'itemSchema'
  const schema = key in fields(at.value) ? peek(resolver, child(at, key)) : undefined
  if (isJson(essence) || isSequence(mediaType)) return
  if (schema === undefined || !isFields(schema.value) || isPlain(schema.value)) return
  const form = essence.startsWith('text/') ? 'text' : 'bytes'
  report(
    resolver,
    child(at, key),
    'opaque-media',
    `${mediaType} is passed on as ${form}: its schema is not checked`,
  )
}

const BYTE_KEYS: ReadonlySet<string> = new Set([
  'format',
  'contentMediaType',
  'contentEncoding',
  'description',
  'title',
  'example',
  'examples',
])

/** True for a schema of texts or bytes. */
function isPlain(schema: Fields): boolean {
  const types = [schema['type'], ...items(schema['type'])].filter(
    (type) => typeof type === 'string',
  )
  if (types.length > 0) return types.every((type) => type === 'string')
  const values = 'const' in schema ? [schema['const']] : items(schema['enum'])
  return values.length > 0
    ? values.every((value) => typeof value === 'string')
    : Object.keys(schema).every((key) => BYTE_KEYS.has(key))
}

function lintEncodings(resolver: Resolver, at: Located, essence: string): void {
  const encoding = child(at, 'encoding')
  const schema = peek(resolver, child(at, 'schema'))
  const described = fields(schema?.value)
  if (isFields(schema?.value) && !['properties', 'allOf'].some((key) => key in described)) {
    report(
      resolver,
      child(at, 'schema'),
      'open-form',
      'no field is named: fields come as texts and files, unchecked',
    )
  }
  for (const name of Object.keys(fields(encoding.value))) {
    const one = child(encoding, name)
    if (
      isFields(described['properties']) &&
      described['allOf'] === undefined &&
      !Object.hasOwn(described['properties'], name)
    ) {
      report(resolver, one, 'unknown-encoding', `the schema has no property '${name}'`)
    }
    for (const key of Object.keys(fields(one.value)))
      lintEncoding(resolver, child(one, key), key, essence.startsWith('multipart/'))
  }
}

/** Styles are for forms, content types for both; headers of parts are not handed on. */
function lintEncoding(resolver: Resolver, at: Located, key: string, isMultipart: boolean): void {
  const known = isMultipart ? ['contentType'] : ['style', 'explode', 'allowReserved']
  if (known.includes(key) || key.startsWith('x-')) return
  const types = (text(at.value) ?? '').split(',').map(essenceOf)
  if (key === 'contentType' && types.every((type) => isJson(type) || type === 'text/plain')) return
  report(resolver, at, 'ignored-encoding', `'${key}' of an encoding is not heeded`)
}
