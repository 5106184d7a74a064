// The table of JSON Schema's keywords as OpenAPI 3.0 to 3.2 have them: the one place that lists
// them. A keyword that is added here is loaded, linted, checked, compared and documented.
import type { Keyword } from './keyword.ts'
import { LIMITS } from './limits.ts'

const unchecked = { role: 'unchecked' } as const
const place = { role: 'place', form: 'places' } as const
const note = { role: 'note' } as const

export const KEYWORDS = {
  $ref: {
    role: 'composition',
    form: 'text',
    kept: true,
    typed: true,
  },
  $dynamicRef: {
    role: 'composition',
    form: 'any',
    later: true,
  },
  type: {
    role: 'type',
    form: 'type',
    kept: true,
    typed: true,
  },
  enum: { role: 'values', form: 'values', kept: true, typed: true },
  const: {
    role: 'values',
    form: 'any',
    kept: true,
    typed: true,
    later: true,
  },
  format: {
    role: 'rule',
    form: 'text',
    kept: true,
    typed: true,
  },
  ...LIMITS,
  properties: {
    role: 'type',
    of: 'object',
    form: 'schemaMap',
    kept: true,
    typed: true,
  },
  patternProperties: {
    role: 'type',
    of: 'object',
    form: 'schemaMap',
    kept: true,
    typed: true,
    later: true,
  },
  additionalProperties: {
    role: 'type',
    of: 'object',
    form: 'schema',
    kept: true,
    typed: true,
  },
  propertyNames: {
    role: 'rule',
    of: 'object',
    form: 'schema',
    kept: true,
    later: true,
  },
  required: {
    role: 'rule',
    of: 'object',
    form: 'names',
    kept: true,
    typed: true,
  },
  items: {
    role: 'type',
    of: 'array',
    form: 'schema',
    kept: true,
    typed: true,
  },
  prefixItems: {
    role: 'type',
    of: 'array',
    form: 'schemas',
    kept: true,
    typed: true,
    later: true,
  },
  allOf: {
    role: 'composition',
    form: 'schemas',
    kept: true,
    typed: true,
  },
  anyOf: {
    role: 'composition',
    form: 'schemas',
    kept: true,
    typed: true,
  },
  oneOf: {
    role: 'composition',
    form: 'schemas',
    kept: true,
    typed: true,
  },
  not: { role: 'rule', form: 'schema', kept: true },
  discriminator: {
    role: 'hint',
    of: 'object',
    form: 'object',
    kept: true,
    typed: true,
  },
  contentMediaType: {
    role: 'hint',
    of: 'string',
    form: 'text',
    kept: true,
    later: true,
    change: { as: 'value', code: 'content-media-type', noun: 'contentMediaType' },
  },
  nullable: { role: 'older', form: 'flag' },
  example: { role: 'older', form: 'any' },
  default: { role: 'note', form: 'any', kept: true },
  examples: { ...note, form: 'examples', kept: true, later: true },
  description: { ...note, form: 'text', kept: true, typed: true },
  deprecated: { ...note, form: 'flag', kept: true, typed: true },
  readOnly: { role: 'note', form: 'flag', kept: true },
  writeOnly: { role: 'note', form: 'flag', kept: true },
  title: { ...note, form: 'any' },
  $comment: { ...note, form: 'any' },
  externalDocs: { ...note, form: 'any' },
  xml: { ...note, form: 'any' },
  $defs: { ...place, form: 'schemaMap', later: true },
  definitions: { ...place, form: 'schemaMap' },
  $anchor: { ...place, later: true },
  $dynamicAnchor: place,
  $id: { ...place, later: true },
  $schema: place,
  $vocabulary: place,
  contains: { ...unchecked, of: 'array', form: 'schema' },
  minContains: { ...unchecked, form: 'any' },
  maxContains: { ...unchecked, form: 'any' },
  if: { ...unchecked, form: 'schema' },
  then: { ...unchecked, form: 'schema' },
  else: { ...unchecked, form: 'schema' },
  unevaluatedItems: { ...unchecked, form: 'schema' },
  unevaluatedProperties: { ...unchecked, form: 'schema' },
  contentSchema: { ...unchecked, form: 'schema' },
  dependentSchemas: { ...unchecked, form: 'schemaMap' },
  dependentRequired: { ...unchecked, form: 'any' },
} as const satisfies Readonly<Record<string, Keyword>>

type Table = typeof KEYWORDS

export type KeywordName = keyof Table

/** Names of the keywords whose rows have what `P` says. */
export type NamesWhere<P> = {
  [K in KeywordName]: Table[K] extends Readonly<P> ? K : never
}[KeywordName]

const ROWS: readonly (readonly [string, Keyword])[] = Object.entries(KEYWORDS)

/** The row of a keyword; undefined where there is none. */
export function keyword(name: string): Keyword | undefined {
  return Object.hasOwn(KEYWORDS, name) ? BY_NAME.get(name) : undefined
}

const BY_NAME: ReadonlyMap<string, Keyword> = new Map(ROWS)

/** Rows that pass, with their names, in the table's order. */
export function keywords(
  passes: (row: Keyword) => boolean = () => true,
): readonly (readonly [string, Keyword])[] {
  return ROWS.filter(([, row]) => passes(row))
}

/** Names of the rows that have what `wanted` says, in the table's order. */
export function namesWhere<const P extends Partial<Keyword>>(wanted: P): readonly NamesWhere<P>[]
export function namesWhere(wanted: Partial<Keyword>): readonly string[] {
  const pairs = Object.entries(wanted)
  return keywords((row) => {
    const has = new Map<string, unknown>(Object.entries(row))
    return pairs.every(([key, value]) => has.get(key) === value)
  }).map(([name]) => name)
}
