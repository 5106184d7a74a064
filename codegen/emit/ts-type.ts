// Prints an IR schema as a TypeScript type: for schemas that stand inline in operations, where no component type exists to name.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { literal, propertyKey } from './names.ts'
import { typesOf } from './schema-facts.ts'

/** How component schemas are called where the type is printed: `types.User`. */
export type TypeNamer = (schemaName: string) => string

/** The type of a schema's values as handlers see them: int64 is bigint, a decimal is text, texts are texts whatever their format. */
export function tsType(ir: InterfaceIr, schema: Schema, nameOf: TypeNamer): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const parts = [...ownType(ir, schema, nameOf), ...composedTypes(ir, schema, nameOf)]
  return parts.length === 0 ? 'unknown' : parts.length === 1 ? parts[0] ?? 'unknown' : parts.map(wrap).join(' & ')
}

function wrap(type: string): string {
  return /[|&]/u.test(type) ? `(${type})` : type
}

function composedTypes(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): readonly string[] {
  const all = (schema.allOf ?? []).map((part) => tsType(ir, part, nameOf)).filter((type) => type !== 'unknown')
  const one = [schema.oneOf, schema.anyOf].flatMap((parts) => {
    if (parts === undefined) return []
    const types = [...new Set(parts.map((part) => tsType(ir, part, nameOf)))]
    return types.includes('unknown') ? [] : [types.map((type) => (type.includes('&') ? `(${type})` : type)).join(' | ')]
  })
  return [...all, ...one]
}

function ownType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): readonly string[] {
  if (schema.$ref !== undefined) return [nameOf(refName(schema.$ref))]
  if ('const' in schema) return [literalType(schema, schema.const)]
  if (schema.enum !== undefined) return [schema.enum.map((value) => literalType(schema, value)).join(' | ') || 'never']
  const types = typesOf(schema)
  if (isComposedOnly(schema)) return []
  if (types.length > 0) return [[...new Set(types.map((type) => plainType(ir, schema, type, nameOf)))].join(' | ')]
  if (schema.properties !== undefined || isMapOnly(schema)) return [objectType(ir, schema, nameOf)]
  if (schema.items !== undefined || schema.prefixItems !== undefined) return [arrayType(ir, schema, nameOf)]
  return []
}

/** `type: object` beside `allOf` or `oneOf` says nothing that its parts do not say. */
function isComposedOnly(schema: SchemaObject): boolean {
  const isComposed = schema.allOf !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined
  return isComposed && schema.properties === undefined
    && schema.items === undefined && schema.additionalProperties === undefined
}

function isMapOnly(schema: SchemaObject): boolean {
  return schema.additionalProperties !== undefined && schema.oneOf === undefined
    && schema.anyOf === undefined && schema.allOf === undefined
}

function literalType(schema: SchemaObject, value: unknown): string {
  if (schema.format === 'int64' && typeof value === 'number') return `${value}n`
  return typeof value === 'object' && value !== null ? 'unknown' : literal(value)
}

function plainType(ir: InterfaceIr, schema: SchemaObject, type: SchemaType, nameOf: TypeNamer): string {
  switch (type) {
    case 'integer': return schema.format === 'int64' ? 'bigint' : 'number'
    case 'number': return schema.format === 'decimal' ? 'string' : type
    case 'array': return arrayType(ir, schema, nameOf)
    case 'object': return objectType(ir, schema, nameOf)
    default: return type
  }
}

function arrayType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): string {
  if (schema.prefixItems !== undefined) {
    const first = schema.prefixItems.map((item) => tsType(ir, item, nameOf))
    const rest = schema.items === false ? [] : [`...${tsType(ir, schema.items ?? true, nameOf)}[]`]
    return `[${[...first, ...rest].join(', ')}]`
  }
  return `Array<${tsType(ir, schema.items ?? true, nameOf)}>`
}

function objectType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): string {
  const required = new Set(schema.required ?? [])
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = required.has(name) ? '' : '?'
    return `${propertyKey(name)}${optional}: ${tsType(ir, property, nameOf)}`
  })
  const extra = schema.additionalProperties
  if (members.length === 0) return `{ [key: string]: ${extra === false ? 'never' : tsType(ir, extra ?? true, nameOf)} }`
  if (extra !== undefined && extra !== false) members.push(`[key: string]: ${indexType(ir, schema, extra, nameOf)}`)
  return `{ ${members.join('; ')} }`
}

/** An index signature has to cover the named members too. */
function indexType(ir: InterfaceIr, schema: SchemaObject, extra: Schema, nameOf: TypeNamer): string {
  const named = Object.values(schema.properties ?? {}).map((property) => tsType(ir, property, nameOf))
  const types = [...new Set([tsType(ir, extra, nameOf), ...named])]
  return types.includes('unknown') ? 'unknown' : [...types, 'undefined'].join(' | ')
}
