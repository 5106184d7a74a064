// The schemas that stand right inside of a schema, as the table of keywords has them: the one walk
// of loaders and emitters.
import type { Schema, SchemaObject } from './schema.ts'
import { namesWhere } from './table.ts'
import { mapValues } from '../values.ts'

const LISTS = namesWhere({ form: 'schemas', kept: true })
const SINGLES = namesWhere({ form: 'schema', kept: true })
const MAPS = namesWhere({ form: 'schemaMap', kept: true })

type InnerKeyword = (typeof LISTS)[number] | (typeof SINGLES)[number] | (typeof MAPS)[number]

/** A schema's place in another: under a keyword, in a list by its index, in a map by its name. */
type Step = readonly [keyword: InnerKeyword, at?: string | number]

/** Schemas right inside of one, with their places. */
export function innerSchemas(schema: SchemaObject): readonly (readonly [Schema, ...Step])[] {
  const found: (readonly [Schema, ...Step])[] = []
  for (const key of LISTS)
    for (const [index, one] of (schema[key] ?? []).entries()) found.push([one, key, index])
  for (const key of SINGLES) if (schema[key] !== undefined) found.push([schema[key], key])
  for (const key of MAPS)
    for (const [name, one] of Object.entries(schema[key] ?? {})) found.push([one, key, name])
  return found
}

/** A copy of the schema with those right inside of it changed. */
export function mapInner(
  schema: SchemaObject,
  change: (one: Schema, ...step: Step) => unknown,
): Readonly<Record<string, unknown>> {
  const changed: Record<string, unknown> = { ...schema }
  for (const key of LISTS)
    if (schema[key] !== undefined)
      changed[key] = schema[key].map((one, index) => change(one, key, index))
  for (const key of SINGLES) if (schema[key] !== undefined) changed[key] = change(schema[key], key)
  for (const key of MAPS)
    if (schema[key] !== undefined)
      changed[key] = mapValues(schema[key], (one, name) => change(one, key, name))
  return changed
}
