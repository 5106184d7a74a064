// The JSON types of schemas and of values.
import type { SchemaObject, SchemaType } from './schema.ts'

/** All types, in the order in which lists of them are written. */
export const TYPES: readonly SchemaType[] = [
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
  'null',
]

/** The types that a schema names. */
export function typesOf({ type = [] }: Pick<SchemaObject, 'type'>): readonly SchemaType[] {
  return typeof type === 'string' ? [type] : type
}

/** The narrowest type of a value. */
export function typeOf(value: unknown): SchemaType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'boolean' || type === 'string' || type === 'object') return type
  return type === 'bigint' || Number.isInteger(value) ? 'integer' : 'number'
}

/** The types that both lists admit: a whole number is a number. */
export function sharedTypes(
  a: readonly SchemaType[],
  b: readonly SchemaType[],
): readonly SchemaType[] {
  const narrowed = a.flatMap((type): readonly SchemaType[] => {
    if (b.includes(type)) return [type]
    const [wide, narrow] = ['number', 'integer'] as const
    const isWhole = (type === wide && b.includes(narrow)) || (type === narrow && b.includes(wide))
    return isWhole ? [narrow] : []
  })
  return [...new Set(narrowed)]
}

/** True for a schema object whose own values are int64: whole numbers that become bigint. */
export function isInt64(schema: SchemaObject): boolean {
  const types = typesOf(schema)
  const isNumeric = types.length === 0 || types.includes('integer') || types.includes('number')
  return isNumeric && schema.format === 'int64'
}
