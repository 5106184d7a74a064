// The JSON types of schemas and of values.

/** All types, in the order in which lists of them are written. */
export const TYPES = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'] as const

/** The types of JSON Schema. */
export type SchemaType = (typeof TYPES)[number]

interface Typed {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly format?: string
}

/** The types that a schema names. */
export function typesOf({ type = [] }: Typed): readonly SchemaType[] {
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
export function isInt64(schema: Typed): boolean {
  const types = typesOf(schema)
  const isNumeric = types.length === 0 || types.includes('integer') || types.includes('number')
  return isNumeric && schema.format === 'int64'
}
