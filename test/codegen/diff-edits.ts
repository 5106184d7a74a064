// Random edits of documents, drawn from a seed: what a comparison must not miss.
import { isFields } from '../../codegen/values.ts'

/** JSON of a document, changed in place. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Numbers in [0, below) from a seed (mulberry32). */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Holder = { [key: string]: Json }

/** Every schema of a document, operations and responses too, with what it is. */
function parts(
  value: Json,
  path: readonly string[] = [],
): (readonly [kind: string, holder: Holder])[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => parts(item, [...path, String(index)]))
  if (!isHolder(value)) return []
  const own: (readonly [string, Holder])[] =
    kindOf(value, path) === '' ? [] : [[kindOf(value, path), value]]
  const below = Object.entries(value).filter(
    ([key]) =>
      !['example', 'examples', 'default', 'enum', 'const', 'x-access', 'mapping'].includes(key),
  )
  return [...own, ...below.flatMap(([key, item]) => parts(item, [...path, key]))]
}

function isHolder(value: Json | undefined): value is Holder {
  return isFields(value)
}

const SCHEMA_AT =
  /\/(?:schema|items|additionalProperties|not|(?:properties|schemas)\/[^/]+|(?:oneOf|anyOf|allOf)\/\d+)$/u

function kindOf(value: Holder, path: readonly string[]): string {
  const at = `/${path.join('/')}`
  if ('responses' in value && 'operationId' in value) return 'operation'
  if ('in' in value && 'schema' in value && /parameters\/\d+$/u.test(at)) return 'parameter'
  if (/\/responses\/[^/]+$/u.test(at) && 'description' in value) return 'response'
  if (at.endsWith('/requestBody')) return 'body'
  return SCHEMA_AT.test(at) && !at.includes('/encoding/') ? 'schema' : ''
}

type Draw = (below: number) => number
type Edit = (holder: Holder, draw: Draw) => void

const toggle =
  (key: string, ...values: readonly Json[]): Edit =>
  (holder, draw) => {
    const others = values.filter((value) => JSON.stringify(value) !== JSON.stringify(holder[key]))
    const chosen = draw(others.length + 1)
    if (chosen === others.length && key in holder) delete holder[key]
    else holder[key] = others[chosen % others.length] ?? null
  }

function dropFrom(key: string): Edit {
  return (holder, draw) => {
    const inside = holder[key]
    if (!isHolder(inside)) return
    const keys = Object.keys(inside)
    const gone = keys[draw(keys.length)]
    if (gone !== undefined) delete inside[gone]
  }
}

function reverse(key: string): Edit {
  return (holder) => {
    const list = holder[key]
    if (Array.isArray(list)) holder[key] = list.toReversed()
  }
}

const addProperty: Edit = (holder, draw) => {
  const properties = holder['properties']
  if (!isHolder(properties)) return
  properties[`added${draw(3)}`] =
    draw(2) === 0 ? { type: 'string', readOnly: true } : { $ref: '#/components/schemas/Problem' }
}

const requireSome: Edit = (holder, draw) => {
  const properties = holder['properties']
  if (!isHolder(properties)) return
  const kept = Object.keys(properties).filter(() => draw(2) === 0)
  if (kept.length === 0) delete holder['required']
  else holder['required'] = kept
}

const wrapNull: Edit = (holder) => {
  const inner = { ...holder }
  for (const key of Object.keys(holder)) delete holder[key]
  holder['anyOf'] = [inner, { type: 'null' }]
}

const pointElsewhere: Edit = (holder, draw) => {
  if ('$ref' in holder)
    holder['$ref'] = `#/components/schemas/${['Big', 'Problem', 'Dog', 'Cat'][draw(4)] ?? 'Big'}`
}

const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  schema: [
    toggle('type', 'string', 'integer', 'number', ['string', 'null'], 'object'),
    toggle('format', 'int64', 'date', 'int32'),
    toggle('enum', ['a'], ['a', 'b'], ['b', 'a']),
    toggle('const', 'a', 1),
    toggle('minimum', 0, 5),
    toggle('exclusiveMaximum', 9, 10),
    toggle('maximum', 8),
    toggle('maxLength', 3, 9),
    toggle('minItems', 1, 2),
    toggle('pattern', '^a', '^b'),
    toggle('multipleOf', 2, 4, 3),
    toggle('additionalProperties', false, true, { type: 'string' }),
    toggle('description', 'one', 'two'),
    toggle('default', 'a', 'b'),
    toggle('deprecated', true),
    toggle('readOnly', true),
    toggle('writeOnly', true),
    toggle('x-error', { code: 'A' }, { code: 'B' }),
    toggle('x-other', 1),
    toggle('uniqueItems', true),
    toggle('examples', ['a']),
    toggle('title', 'T'),
    toggle('not', { const: 'z' }),
    toggle('propertyNames', { pattern: '^a' }),
    toggle('items', { type: 'string' }, { type: 'boolean' }),
    toggle('contentEncoding', 'base64'),
    dropFrom('properties'),
    addProperty,
    requireSome,
    wrapNull,
    pointElsewhere,
    reverse('oneOf'),
    reverse('required'),
  ],
  operation: [
    toggle('summary', 'one', 'two'),
    toggle('tags', ['a'], ['b', 'a'], ['a', 'b']),
    toggle('deprecated', true),
    toggle(
      'x-access',
      { token: 'none' },
      { token: 'required', anyOf: ['admin'] },
      { token: 'required', allOf: [{ self: 'path.a' }] },
    ),
    toggle('x-stability', 'stable', 'experimental', 'deprecated'),
    toggle('x-versions', { introduced: '1' }, { removed: '2' }, { removed: '3' }),
    toggle('x-max-body-bytes', 10, 20),
    toggle('security', [], [{ bearer: [] }], [{ bearer: [], key: ['a'] }], [{ key: [] }, {}]),
    toggle('operationId', 'renamed'),
    toggle('x-team', 'here'),
    dropFrom('responses'),
    reverse('parameters'),
  ],
  parameter: [
    toggle('required', true),
    toggle('style', 'form', 'pipeDelimited'),
    toggle('explode', true, false),
    toggle('description', 'one'),
    toggle('deprecated', true),
    toggle('x-other', 1),
  ],
  response: [
    toggle('description', 'one', 'two'),
    toggle('headers', { 'X-New': { schema: {} } }, { 'X-New': { schema: {}, required: true } }),
    dropFrom('content'),
  ],
  body: [toggle('required', true), dropFrom('content')],
}

/** A document with an edit somewhere, now and then three. */
export function edited(source: Json, draw: Draw): Json {
  const document = structuredClone(source)
  for (let count = draw(4) === 0 ? 3 : 1; count > 0; count -= 1) {
    const found = parts(document)
    const [kind, holder] = found[draw(found.length)] ?? ['', {}]
    const edits = EDITS[kind] ?? []
    edits[draw(Math.max(1, edits.length))]?.(holder, draw)
  }
  return document
}
