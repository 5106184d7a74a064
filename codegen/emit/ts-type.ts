// Prints an IR schema as a TypeScript type: for schemas that stand inline in operations, where no
// component type exists to name, and for those that the foreign generator cannot print.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { isFields } from '../values.ts'
import { literal, propertyKey } from '../literals.ts'
import { docComment } from './doc-comment.ts'
import { typesOf } from './schema-facts.ts'
import { factsOf } from './validators-facts.ts'
import { discriminatedCases } from './validators-union.ts'
import type { UnionKeyword } from './validators-union.ts'

/** How component schemas are called where the type is printed: `types.User`. */
type TypeNamer = (schemaName: string) => string

/**
 * The type of a schema's values as handlers see them: int64 is bigint, a decimal is text, texts are
 * texts whatever their format.
 */
export function tsType(ir: InterfaceIr, schema: Schema, nameOf: TypeNamer): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const parts = [...ownType(ir, schema, nameOf), ...composedTypes(ir, schema, nameOf)]
  return parts.length === 0
    ? 'unknown'
    : parts.length === 1
      ? (parts[0] ?? 'unknown')
      : parts.map(wrap).join(' & ')
}

/** The same as the right side of a type alias: the members of an object each in a line. */
export function tsAlias(ir: InterfaceIr, schema: Schema, nameOf: TypeNamer): string {
  const isPlain =
    typeof schema === 'object' &&
    schema.type === 'object' &&
    schema.allOf === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    schema.enum === undefined &&
    !('const' in schema) &&
    schema.$ref === undefined
  if (!isPlain) return tsType(ir, schema, nameOf)
  const comments = Object.values(schema.properties ?? {}).map(memberComment)
  return `{\n${objectMembers(ir, schema, nameOf)
    .map((member, index) => `${comments[index] ?? ''}    ${member};\n`)
    .join('')}}`
}

function memberComment(schema: Schema): string {
  const { description, deprecated } = typeof schema === 'boolean' ? {} : schema
  return docComment([description, deprecated === true ? '@deprecated' : undefined], '    ')
}

function wrap(type: string): string {
  return /[|&]/u.test(type) ? `(${type})` : type
}

function composedTypes(
  ir: InterfaceIr,
  schema: SchemaObject,
  nameOf: TypeNamer,
): readonly string[] {
  const all = (schema.allOf ?? [])
    .map((part) => tsType(ir, part, nameOf))
    .filter((type) => type !== 'unknown')
  const one = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const types = [...new Set(variantTypes(ir, schema, keyword, nameOf))]
    if (types.length === 0) return []
    return types.includes('unknown')
      ? []
      : [types.map((type) => (type.includes('&') ? `(${type})` : type)).join(' | ')]
  })
  return [...all, ...one]
}

/** Variants as the discriminator narrows them: with the tags that choose them. */
function variantTypes(
  ir: InterfaceIr,
  schema: SchemaObject,
  keyword: UnionKeyword,
  nameOf: TypeNamer,
): readonly string[] {
  const { discriminator, [keyword]: variants = [] } = schema
  const cases = discriminator === undefined ? [] : discriminatedCases(factsOf(ir), schema, keyword)
  const tagsOf = new Map(cases.map(({ branch, values }) => [branch, values]))
  return variants.map((variant) => {
    const type = tsType(ir, variant, nameOf)
    const tags =
      typeof variant === 'object' && variant.$ref !== undefined ? tagsOf.get(variant) : undefined
    if (discriminator === undefined || tags === undefined) return type
    const tag = tags.map((one) => literal(one)).join(' | ')
    return `{ ${propertyKey(discriminator.propertyName)}: ${tag} } & ${type}`
  })
}

function ownType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): readonly string[] {
  if (schema.$ref !== undefined) return [nameOf(refName(schema.$ref))]
  if ('const' in schema) return [literalType(schema, schema.const)]
  if (schema.enum !== undefined)
    return [schema.enum.map((value) => literalType(schema, value)).join(' | ') || 'never']
  const types = typesOf(schema)
  if (isComposedOnly(schema)) return []
  if (types.length > 0)
    return [[...new Set(types.map((type) => plainType(ir, schema, type, nameOf)))].join(' | ')]
  const hasMembers = schema.properties !== undefined || schema.patternProperties !== undefined
  if (hasMembers || isMapOnly(schema)) return [objectType(ir, schema, nameOf)]
  if (schema.items !== undefined || schema.prefixItems !== undefined)
    return [arrayType(ir, schema, nameOf)]
  return []
}

/** `type: object` beside `allOf` or `oneOf` says nothing that its parts do not say. */
function isComposedOnly(schema: SchemaObject): boolean {
  const isComposed =
    schema.allOf !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined
  return (
    isComposed &&
    schema.properties === undefined &&
    schema.patternProperties === undefined &&
    schema.items === undefined &&
    schema.additionalProperties === undefined
  )
}

function isMapOnly(schema: SchemaObject): boolean {
  return (
    schema.additionalProperties !== undefined &&
    schema.oneOf === undefined &&
    schema.anyOf === undefined &&
    schema.allOf === undefined
  )
}

function literalType(schema: SchemaObject, value: unknown): string {
  if (schema.format === 'int64' && typeof value === 'number') return `${value}n`
  if (Array.isArray(value)) return `[${value.map((item) => literalType({}, item)).join(', ')}]`
  if (!isFields(value)) return literal(value)
  const members = Object.entries(value).map(
    ([name, item]) => `${propertyKey(name)}: ${literalType({}, item)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

function plainType(
  ir: InterfaceIr,
  schema: SchemaObject,
  type: SchemaType,
  nameOf: TypeNamer,
): string {
  switch (type) {
    case 'integer':
      return schema.format === 'int64' ? 'bigint' : 'number'
    case 'number':
      return schema.format === 'decimal' ? 'string' : type
    case 'array':
      return arrayType(ir, schema, nameOf)
    case 'object':
      return objectType(ir, schema, nameOf)
    default:
      return type
  }
}

function arrayType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): string {
  if (schema.prefixItems !== undefined) {
    const first = schema.prefixItems.map((item, index) => {
      const type = tsType(ir, item, nameOf)
      return index < (schema.minItems ?? 0) ? type : `${wrap(type)}?`
    })
    const rest =
      schema.items === false ? [] : [`...Array<${tsType(ir, schema.items ?? true, nameOf)}>`]
    return `[${[...first, ...rest].join(', ')}]`
  }
  return `Array<${tsType(ir, schema.items ?? true, nameOf)}>`
}

function objectType(ir: InterfaceIr, schema: SchemaObject, nameOf: TypeNamer): string {
  return `{ ${objectMembers(ir, schema, nameOf).join('; ')} }`
}

/** Named members, then an index signature for the others: never none. */
function objectMembers(
  ir: InterfaceIr,
  schema: SchemaObject,
  nameOf: TypeNamer,
): readonly string[] {
  const required = new Set(schema.required ?? [])
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = required.has(name) ? '' : '?'
    return `${propertyKey(name)}${optional}: ${tsType(ir, property, nameOf)}`
  })
  const patterns = Object.values(schema.patternProperties ?? {})
  const extra = schema.additionalProperties
  const isClosed =
    extra === false || (extra === undefined && (patterns.length > 0 || members.length > 0))
  const others = isClosed ? patterns : [...patterns, extra ?? true]
  if (members.length === 0)
    return [`[key: string]: ${others.length === 0 ? 'never' : unionOf(ir, others, nameOf)}`]
  return others.length === 0
    ? members
    : [...members, `[key: string]: ${indexType(ir, schema, others, nameOf)}`]
}

function unionOf(ir: InterfaceIr, schemas: readonly Schema[], nameOf: TypeNamer): string {
  const types = [...new Set(schemas.map((one) => tsType(ir, one, nameOf)))]
  return types.includes('unknown') ? 'unknown' : types.join(' | ')
}

/** An index signature has to cover the named members too. */
function indexType(
  ir: InterfaceIr,
  schema: SchemaObject,
  others: readonly Schema[],
  nameOf: TypeNamer,
): string {
  const union = unionOf(ir, [...others, ...Object.values(schema.properties ?? {})], nameOf)
  return union === 'unknown' ? union : `${union} | undefined`
}
