// Rules for single schemas: constraints that cannot hold, do not apply, or say less than their
// author thought.
import { fields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { canonicalJson } from '../json.ts'
import { keywords } from '../keywords/table.ts'
import { isLimit } from '../keywords/values.ts'
import { deref, typesOf } from './model.ts'
import type { Model } from './model.ts'
import { forSchemas, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

const RANGES = keywords(({ upper }) => upper !== undefined)
const TYPES = ['string', 'number', 'array', 'object'] as const
/** Keywords that bind values of these types only. */
const KEYWORDS_OF = new Map<string, readonly string[]>(
  TYPES.map((type) => [type, keywords(({ of }) => of === type).map(([name]) => name)]),
)
const TEXT = ['string']
const NUMBER = ['integer', 'number', 'string']
/** Formats that OpenAPI, JSON Schema or our generator know, with the types that they are for. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  int32: ['integer', 'number'],
  int64: ['integer', 'number', 'string'],
  float: ['number'],
  double: ['number'],
  decimal: NUMBER,
  ...Object.fromEntries(
    [
      'byte',
      'binary',
      'date',
      'date-time',
      'time',
      'duration',
      'password',
      'email',
      'idn-email',
      'hostname',
      'idn-hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uri-reference',
      'iri',
      'iri-reference',
      'uri-template',
      'url',
      'uuid',
      'readable',
      'json-pointer',
      'relative-json-pointer',
      'regex',
    ].map((format) => [format, TEXT]),
  ),
}

function rangeHits(schema: Fields): readonly Hit[] {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum } = schema
  const strict: readonly (readonly [string, unknown, unknown])[] = [
    ['exclusiveMaximum', exclusiveMinimum, exclusiveMaximum],
    ['exclusiveMinimum', exclusiveMinimum, maximum],
    ['exclusiveMaximum', minimum, exclusiveMaximum],
  ]
  const flagged = exclusiveMinimum === true || exclusiveMaximum === true
  return [
    ...RANGES.flatMap(([low, { upper: high = '' }]) => {
      const [from, to] = [schema[low], schema[high]]
      return hitIf(
        isLimit(from) &&
          isLimit(to) &&
          (from > to || (flagged && high === 'maximum' && from === to)),
        `${low} ${String(from)} is above ${high} ${String(to)}: no value satisfies both`,
        low,
      )
    }),
    ...strict.flatMap(([key, from, to]) =>
      hitIf(
        isLimit(from) && isLimit(to) && from >= to,
        'no value lies between the exclusive bounds',
        key,
      ),
    ),
  ]
}

function unboundKeywordHits(schema: Fields): readonly Hit[] {
  const types = typesOf(schema).map((type) => (type === 'integer' ? 'number' : type))
  if (types.length === 0) return []
  const foreign = [...KEYWORDS_OF]
    .filter(([type]) => !types.includes(type))
    .flatMap(([, keys]) => keys)
  const isDecimal = schema['format'] === 'decimal' || schema['format'] === 'int64'
  return foreign
    .filter(
      (key) => key in schema && !(isDecimal && KEYWORDS_OF.get('number')?.includes(key) === true),
    )
    .map((key) => hit(`'${key}' says nothing of a value of type ${types.join(' or ')}`, key))
}

function formatTypeHits(schema: Fields): readonly Hit[] {
  const format = text(schema['format']) ?? ''
  const types = typesOf(schema)
  if (!Object.hasOwn(FORMATS, format) || types.length === 0) return []
  const fitting = FORMATS[format] ?? []
  return hitIf(
    !types.some((type) => fitting.includes(type)),
    `format '${format}' is for ${fitting.join(' or ')}, not for ${types.join(' or ')}`,
    'format',
  )
}

function isBounded(schema: Fields): boolean {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => key in schema)
  return (
    has('enum', 'const') ||
    (has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum'))
  )
}

function closedRequiredHits(schema: Fields): readonly Hit[] {
  if (schema['additionalProperties'] !== false || 'patternProperties' in schema) return []
  const properties = fields(schema['properties'])
  return items(schema['required']).flatMap((name, index) =>
    hitIf(
      typeof name === 'string' && !Object.hasOwn(properties, name),
      `'${String(name)}' is required, but not admitted: no object satisfies this`,
      'required',
      String(index),
    ),
  )
}

function repeatedRequiredHits(schema: Fields): readonly Hit[] {
  const names = texts(schema['required'])
  return names.flatMap((name, index) =>
    hitIf(names.indexOf(name) < index, `'${name}' is required twice`, 'required', String(index)),
  )
}

function unusedDefaultHits(schema: Fields, model: Model): readonly Hit[] {
  const properties = fields(schema['properties'])
  return texts(schema['required'])
    .filter((name) => 'default' in deref(model, properties[name]))
    .map((name) => hit(`'${name}' is required: its default is never used`, 'properties', name))
}

function jsonTypes(value: unknown): readonly string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (isLimit(value))
    return typeof value === 'bigint' || Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}

function isOfType(schema: Fields, value: unknown): boolean {
  const given = Array.isArray(schema['type']) ? items(schema['type']) : [schema['type']]
  if (schema['type'] === undefined) return true
  return (
    given.some((type) => jsonTypes(value).some((one) => one === type)) ||
    (value === null && schema['nullable'] === true)
  )
}

function caseHits(schema: Fields): readonly Hit[] {
  const names = Object.keys(fields(schema['properties']))
  return names.flatMap((name, index) => {
    const other = names.slice(0, index).find((one) => one.toLowerCase() === name.toLowerCase())
    return hitIf(
      other !== undefined,
      `properties '${name}' and '${other ?? ''}' differ in case only`,
      'properties',
      name,
    )
  })
}

/** A schema that a binary string in JSON would come from: JSON has no bytes. */
function binaryHits(schema: Fields): readonly Hit[] {
  return Object.entries(fields(schema['properties'])).flatMap(([name, property]) => {
    const encoding = text(fields(property)['contentEncoding'])
    return hitIf(
      encoding !== undefined &&
        !/^(?:base64|base64url|base32|base16|quoted-printable|7bit|8bit|binary)$/iu.test(encoding),
      `contentEncoding '${encoding ?? ''}' is not known`,
      'properties',
      name,
      'contentEncoding',
    )
  })
}

/** Rules for single schemas. */
export const SCHEMA_RULES = {
  'range-impossible': forSchemas('error', 'No value can ever be valid.', rangeHits),
  'keyword-not-for-type': forSchemas(
    'warning',
    'It belongs to another type, so it is never checked.',
    unboundKeywordHits,
  ),
  'format-not-for-type': forSchemas(
    'warning',
    'It belongs to another type, so it is never checked.',
    formatTypeHits,
  ),
  'integer-without-format': forSchemas(
    'note',
    'JavaScript numbers are exact only up to 2^53: write int32, int64 or bounds.',
    (schema) =>
      hitIf(
        typesOf(schema).includes('integer') && !('format' in schema) && !isBounded(schema),
        'an integer of unknown size',
        'type',
      ),
  ),
  'int64-unbounded': forSchemas(
    'note',
    'Other languages may read 64 bits as a float and round. A bound shows whether that matters.',
    (schema) =>
      hitIf(
        schema['format'] === 'int64' && typesOf(schema).includes('integer') && !isBounded(schema),
        'a 64-bit integer without both bounds',
        'format',
      ),
  ),
  'array-without-items': forSchemas(
    'warning',
    'The items are of type `unknown`, and nothing checks them.',
    (schema) =>
      hitIf(
        typesOf(schema).includes('array') && !('items' in schema) && !('prefixItems' in schema),
        'an array of anything: say what its `items` are',
        'type',
      ),
  ),
  'pattern-unanchored': forSchemas(
    'note',
    'Without ^ and $, a pattern matches anywhere in the text.',
    (schema) =>
      hitIf(
        /^(?!\^)|(?<!\$)$/u.test(text(schema['pattern']) ?? '^$'),
        `'${text(schema['pattern']) ?? ''}' matches inside of longer texts as well`,
        'pattern',
      ),
  ),
  'pattern-slow': forSchemas(
    'warning',
    'A short text can keep the match, and so a server, busy for minutes.',
    (schema, { patternCost }) => {
      const cost = patternCost(text(schema['pattern']) ?? '')
      return cost === undefined ? [] : [hit(cost, 'pattern')]
    },
  ),
  'required-impossible': forSchemas('error', 'No value can ever be valid.', closedRequiredHits),
  'required-repeated': forSchemas(
    'warning',
    'The name is listed twice; probably another one was meant.',
    repeatedRequiredHits,
  ),
  'default-required': forSchemas(
    'note',
    'A default is never used for a required value.',
    unusedDefaultHits,
  ),
  'const-not-of-type': forSchemas('error', 'No value can ever be valid.', (schema) =>
    hitIf(
      'const' in schema && !isOfType(schema, schema['const']),
      `${canonicalJson(schema['const'])} is not of type ${JSON.stringify(schema['type'])}`,
      'const',
    ),
  ),
  'read-write-only': forSchemas('error', 'A property that is both is never present.', (schema) =>
    hitIf(
      schema['readOnly'] === true && schema['writeOnly'] === true,
      'both readOnly and writeOnly',
      'readOnly',
    ),
  ),
  'property-case': forSchemas('note', 'Some languages and databases ignore case.', caseHits),
  'content-encoding': forSchemas('warning', 'Only known encodings are decoded.', binaryHits),
}
