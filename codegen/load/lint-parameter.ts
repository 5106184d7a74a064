// Which of the forms that a parameter can be declared in are read, and what becomes of the rest.
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { child, peek, report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/** The styles of each place, the default first. */
export const PARAMETER_STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}
/**
 * OpenAPI: header parameters of these names are ignored, other parts of the document describe them.
 */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])
/** Headers that the connection takes care of, at both ends. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** True for a header that no handler gets as a parameter. */
export function isIgnoredHeader(name: string): boolean {
  const key = name.toLowerCase()
  return IGNORED_HEADERS.has(key) || OF_THE_CONNECTION.has(key)
}

const FORM = 'application/x-www-form-urlencoded'

/**
 * The schema of a parameter for the whole query that is read: a form's. Undefined for other media
 * types.
 */
export function querystringSchema(parameter: Fields): unknown {
  return fields(fields(parameter['content'])[FORM])['schema']
}

/** Reports what of a well-formed parameter is not read as the document has it. */
export function lintParameterForm(
  resolver: Resolver,
  at: Located,
  name: string,
  place: string,
): void {
  const value = fields(at.value)
  if (place === 'header' && isIgnoredHeader(name)) {
    const why = IGNORED_HEADERS.has(name.toLowerCase())
      ? 'use media types and security'
      : 'the connection takes care of it'
    report(resolver, at, 'ignored-header', `the header '${name}' is not a parameter: ${why}`)
  } else if (place === 'querystring' && querystringSchema(value) === undefined) {
    report(
      resolver,
      at,
      'unsupported-parameter',
      `a query as a whole is read as ${FORM} only: this parameter is left out`,
    )
  } else if (isFields(value['content'])) lintContent(resolver, child(at, 'content'))
  else {
    lintStyle(resolver, at, place)
    if (value['allowEmptyValue'] === true) {
      report(
        resolver,
        child(at, 'allowEmptyValue'),
        'ignored-keyword',
        'an empty value is checked against the schema like any other',
      )
    }
  }
  if (place !== 'path' || value['required'] === true) return
  report(resolver, at, 'required-path-parameter', `path parameter '${name}' is always required`)
}

function lintContent(resolver: Resolver, content: Located): void {
  for (const mediaType of Object.keys(fields(content.value))) {
    if (
      /^(?:[^/]+\/(?:[^/;]+\+)?json|text\/plain|application\/x-www-form-urlencoded)\s*(?:;|$)/iu.test(
        mediaType,
      )
    )
      continue
    report(
      resolver,
      child(content, mediaType),
      'opaque-media',
      `${mediaType} is not decoded in a parameter: it is taken as text`,
    )
  }
}

function lintStyle(resolver: Resolver, at: Located, place: string): void {
  const given = child(at, 'style')
  const known = PARAMETER_STYLES[place] ?? []
  if (given.value !== undefined && !known.some((style) => style === given.value)) {
    report(
      resolver,
      given,
      'bad-style',
      `'${String(given.value)}' is not a style for ${place}: it is read as ${known[0] ?? ''}`,
    )
  }
  const style = known.find((one) => one === given.value) ?? known[0] ?? ''
  const schema = peek(resolver, child(at, 'schema'))
  if (schema === undefined || !isFields(schema.value)) return
  if (hasType(schema.value, 'array')) lintItems(resolver, schema)
  else if (hasType(schema.value, 'object')) lintObject(resolver, at, schema, style)
  else if (['deepObject', 'spaceDelimited', 'pipeDelimited'].includes(style)) {
    report(
      resolver,
      given,
      'bad-style',
      `${style} has no meaning for a single value: it is read as form`,
    )
  }
}

function lintItems(resolver: Resolver, schema: Located): void {
  const inner = peek(resolver, child(schema, 'items'))
  if (
    !isFields(inner?.value) ||
    !['array', 'object'].some((type) => hasType(fields(inner.value), type))
  )
    return
  report(
    resolver,
    child(schema, 'items'),
    'nested-parameter',
    'no style nests values: each item is read as JSON',
  )
}

function lintObject(resolver: Resolver, at: Located, schema: Located, style: string): void {
  const value = fields(schema.value)
  for (const name of Object.keys(fields(value['properties']))) {
    const property = peek(resolver, child(schema, 'properties', name))
    if (
      !isFields(property?.value) ||
      !['array', 'object'].some((type) => hasType(fields(property.value), type))
    )
      continue
    report(
      resolver,
      child(schema, 'properties', name),
      'nested-parameter',
      `no style nests values: '${name}' is read as JSON`,
    )
  }
  const isSpread = style === 'form' && fields(at.value)['explode'] !== false
  const extra = value['additionalProperties']
  if (isSpread && (extra === true || isFields(extra))) {
    report(
      resolver,
      at,
      'open-parameter',
      'only named members are read: others look like other parameters',
    )
  }
}

function hasType(schema: Fields, type: string): boolean {
  return text(schema['type']) === type || items(schema['type']).includes(type)
}
