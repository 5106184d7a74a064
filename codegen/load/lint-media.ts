// Which media types are decoded, and what of their schemas and encodings is not heeded.
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { child, peek, report } from './resolver.ts'
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
export function lintMedia(
  resolver: Resolver,
  at: Located,
  mediaType: string,
  use: 'request' | 'response',
): void {
  const essence = essenceOf(mediaType)
  if (fields(at.value)['itemSchema'] !== undefined && !isSequence(mediaType)) {
    report(
      resolver,
      child(at, 'itemSchema'),
      'warning',
      'ignored-keyword',
      `${mediaType} is no sequence: its itemSchema is ignored`,
    )
  }
  for (const key of ['prefixEncoding', 'itemEncoding']) {
    if (key in fields(at.value))
      report(resolver, child(at, key), 'warning', 'ignored-keyword', `'${key}' is ignored`)
  }
  if (isForm(essence) && use === 'request') lintEncodings(resolver, at)
  else lintOpaque(resolver, at, mediaType, essence, use)
}

/** Values of response headers are a handler's to write. */
export function lintHeader(resolver: Resolver, at: Located, name: string): void {
  if (name.toLowerCase() === 'content-type') {
    report(
      resolver,
      at,
      'note',
      'ignored-header',
      `the header '${name}' is no header of its own: media types say it`,
    )
    return
  }
  const schema = peek(resolver, child(at, 'schema'))
  const type = fields(schema?.value)['type']
  if (!('content' in fields(at.value)) && type !== 'array' && type !== 'object') return
  report(
    resolver,
    at,
    'note',
    'text-header',
    `handlers give the value of '${name}' as text: nothing joins its parts`,
  )
}

/** A schema that says more than text or bytes, where text or bytes are what a handler gets. */
function lintOpaque(
  resolver: Resolver,
  at: Located,
  mediaType: string,
  essence: string,
  use: 'request' | 'response',
): void {
  const key = 'schema' in fields(at.value) ? 'schema' : 'itemSchema'
  const schema = key in fields(at.value) ? peek(resolver, child(at, key)) : undefined
  if (isJson(essence) || schema === undefined || !isFields(schema.value)) return
  if (isSequence(mediaType)) {
    if (use === 'request')
      report(
        resolver,
        child(at, key),
        'note',
        'text-stream',
        'a stream that comes in is handed on as text: its items are not checked',
      )
    return
  }
  if (isPlain(schema.value)) return
  const form = essence.startsWith('text/') ? 'text' : 'bytes'
  report(
    resolver,
    child(at, key),
    'warning',
    'opaque-media',
    `${mediaType} is handed on as ${form}: its schema is not checked`,
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

function lintEncodings(resolver: Resolver, at: Located): void {
  const encoding = child(at, 'encoding')
  const schema = peek(resolver, child(at, 'schema'))
  const described = fields(schema?.value)
  if (isFields(schema?.value) && !['properties', 'allOf'].some((key) => key in described)) {
    report(
      resolver,
      child(at, 'schema'),
      'warning',
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
      report(resolver, one, 'warning', 'unknown-encoding', `the schema has no property '${name}'`)
    }
    for (const key of Object.keys(fields(one.value))) lintEncoding(resolver, child(one, key), key)
  }
}

/** Fields come repeated or as JSON; parts with whatever type they have. */
function lintEncoding(resolver: Resolver, at: Located, key: string): void {
  const { value } = at
  if (key === 'allowReserved' || key.startsWith('x-')) return
  if ((key === 'style' && value === 'form') || (key === 'explode' && value === true)) return
  const isDecoded = (essence: string): boolean => isJson(essence) || essence === 'text/plain'
  if (key === 'contentType' && (text(value) ?? '').split(',').map(essenceOf).every(isDecoded))
    return
  report(resolver, at, 'warning', 'ignored-encoding', `'${key}' of an encoding is not heeded`)
}
