// Turns a resolved schema of OpenAPI 3.0 or 3.1 into the generator's one form: JSON Schema 2020-12,
// sorted, unknown keywords left out.
import type { Schema, SchemaObject, SchemaType } from '../ir.ts'
import { formOf } from '../keywords/forms.ts'
import { keywords, namesWhere } from '../keywords/table.ts'
import { TYPES, typesOf } from '../keywords/types.ts'
import {
  compareText,
  extensions,
  fields,
  isFields,
  items,
  sortDeep,
  sortedEntries,
  text,
  texts,
} from '../values.ts'
import type { Fields } from '../values.ts'
import { given } from '../values.ts'

type Draft = Record<string, unknown>

const KEPT = keywords(({ kept }) => kept === true).map(
  ([name, { form }]) => [name, formOf(form).read] as const,
)
const STRICT = keywords(({ strict }) => strict !== undefined)
const LIST_KEYS = namesWhere({ form: 'schemas', kept: true })
const SINGLE_KEYS = namesWhere({ form: 'schema', kept: true })
const MAP_KEYS = namesWhere({ form: 'schemaMap', kept: true })

/** The IR form of a resolved schema. Anything that is no schema accepts everything. */
export function normaliseSchema(value: unknown): Schema {
  if (typeof value === 'boolean') return value
  if (!isFields(value)) return true
  const draft: Draft = {}
  copyScalars(value, draft)
  moveBounds(value, draft)
  copySubschemas(value, draft)
  copyValues(value, draft)
  Object.assign(draft, extensions(value))
  const sorted = sortDraft(draft)
  return value['nullable'] === true ? allowNull(sorted) : sorted
}

function copyScalars(value: Fields, draft: Draft): void {
  for (const [key, read] of KEPT) {
    const found = read(value[key])
    if (found !== undefined) draft[key] = found
  }
  const type = typeOf(value['type'])
  if (type !== undefined) draft['type'] = type
}

function typeOf(value: unknown): SchemaType | readonly SchemaType[] | undefined {
  if (!Array.isArray(value)) return TYPES.find((type) => type === value)
  const found = TYPES.filter((type) => value.includes(type))
  return found.length === 1 ? found[0] : found
}

/**
 * Moves bounds: in 3.0 an exclusive bound is a flag beside the bound; in 3.1 a bound of its own.
 */
function moveBounds(value: Fields, draft: Draft): void {
  for (const [name, { strict = '' }] of STRICT) {
    if (value[strict] !== true || draft[name] === undefined) continue
    draft[strict] = draft[name]
    delete draft[name]
  }
}

function copySubschemas(value: Fields, draft: Draft): void {
  for (const key of LIST_KEYS) {
    if (items(value[key]).length > 0) draft[key] = items(value[key]).map(normaliseSchema)
  }
  for (const key of SINGLE_KEYS) {
    if (value[key] !== undefined) draft[key] = normaliseSchema(value[key])
  }
  for (const key of MAP_KEYS) {
    if (!isFields(value[key])) continue
    draft[key] = Object.fromEntries(
      sortedEntries(fields(value[key])).map(([name, item]) => [name, normaliseSchema(item)]),
    )
  }
}

function copyValues(value: Fields, draft: Draft): void {
  if (Array.isArray(value['enum'])) draft['enum'] = value['enum']
  if ('const' in value) draft['const'] = sortDeep(value['const'])
  if ('default' in value) draft['default'] = sortDeep(value['default'])
  if (texts(value['required']).length > 0) draft['required'] = texts(value['required'])
  const examples = 'example' in value ? [value['example']] : items(value['examples'])
  if (examples.length > 0) draft['examples'] = examples.map(sortDeep)
  const tag = text(fields(value['discriminator'])['propertyName'])
  // With a default, a tag that the mapping lacks is no mistake: the schemas themselves tell which
  // of them fits.
  if (tag === undefined || 'defaultMapping' in fields(value['discriminator'])) return
  const mapping = sortedEntries(fields(fields(value['discriminator'])['mapping'])).map(
    ([key, target]) => [key, String(target)],
  )
  draft['discriminator'] = {
    propertyName: tag,
    ...(mapping.length > 0 ? { mapping: Object.fromEntries(mapping) } : {}),
  }
}

function sortDraft(draft: Draft): SchemaObject {
  return Object.fromEntries(Object.entries(draft).sort(([a], [b]) => compareText(a, b)))
}

/**
 * The schema or null. Where a plain type stands it gets a second one; composed schemas become an
 * alternative.
 */
function allowNull(schema: SchemaObject): SchemaObject {
  const isComposed = schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf ?? schema.not
  if (schema.type === undefined || isComposed !== undefined) return wrapNullable(schema)
  const types = typesOf(schema)
  if (types.includes('null')) return schema
  const values =
    schema.enum === undefined || schema.enum.includes(null) ? {} : { enum: [...schema.enum, null] }
  return sortDraft({ ...schema, ...values, type: [...types, 'null'] })
}

function wrapNullable(schema: SchemaObject): SchemaObject {
  if (Object.keys(schema).every((key) => key === 'description' || key.startsWith('x-')))
    return schema
  const { description, default: fallback, ...rest } = schema
  return {
    anyOf: [rest, { type: 'null' }],
    ...given({ default: fallback, description }),
  }
}
