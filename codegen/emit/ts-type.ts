// Prints an IR schema as a TypeScript type: for schemas that stand inline in operations, where no
// component type exists to name, and for those that the foreign generator cannot print.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { isFields } from '../values.ts'
import { literal, propertyKey } from '../literals.ts'
import { docComment } from './doc-comment.ts'
import { typesOf } from '../keywords/types.ts'
import { factsOf } from './validators-facts.ts'
import { discriminatedCases } from './validators-union.ts'
import type { UnionKeyword } from './validators-union.ts'

/** How component schemas are called where the type is printed: `types.User`. */
type TypeNamer = (schemaName: string) => string

/** Facts for printing one type. */
interface TypeSheet {
  readonly ir: InterfaceIr
  readonly nameOf: TypeNamer
  /** Members have comments. */
  readonly isDocumented: boolean
}

/**
 * The type of a schema's values as handlers see them: int64 is bigint, a decimal is text, texts are
 * texts whatever their format.
 */
export function tsType(ir: InterfaceIr, schema: Schema, nameOf: TypeNamer): string {
  return typeOf({ ir, nameOf, isDocumented: false }, schema)
}

/**
 * The same as the right side of a type alias: the members of an object each in a line, and wherever
 * members have something to tell people, below it.
 */
export function tsAlias(ir: InterfaceIr, schema: Schema, nameOf: TypeNamer): string {
  const sheet = { ir, nameOf, isDocumented: true }
  const isPlain =
    typeof schema === 'object' &&
    schema.type === 'object' &&
    schema.allOf === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    schema.enum === undefined &&
    !('const' in schema) &&
    schema.$ref === undefined
  return isPlain ? inLines(sheet, schema) : typeOf(sheet, schema)
}

function typeOf(sheet: TypeSheet, schema: Schema): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const parts = [...ownType(sheet, schema), ...composedTypes(sheet, schema)]
  return parts.length === 0
    ? 'unknown'
    : parts.length === 1
      ? (parts[0] ?? 'unknown')
      : parts.map(wrap).join(' & ')
}

/** An object type with each member in a line, below its comment. */
function inLines(sheet: TypeSheet, schema: SchemaObject): string {
  const comments = Object.values(schema.properties ?? {}).map(memberComment)
  const lines = objectMembers(sheet, schema).map((member, index) => {
    return `${comments[index] ?? ''}    ${member.replaceAll('\n', '\n    ')};\n`
  })
  return `{\n${lines.join('')}}`
}

function memberComment(schema: Schema): string {
  const { description, deprecated } = typeof schema === 'boolean' ? {} : schema
  return docComment([description, deprecated === true ? '@deprecated' : undefined], '    ')
}

function wrap(type: string): string {
  return /[|&]/u.test(type) ? `(${type})` : type
}

function composedTypes(sheet: TypeSheet, schema: SchemaObject): readonly string[] {
  const all = (schema.allOf ?? [])
    .map((part) => typeOf(sheet, part))
    .filter((type) => type !== 'unknown')
  const one = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const types = [...new Set(variantTypes(sheet, schema, keyword))]
    if (types.length === 0) return []
    return types.includes('unknown')
      ? []
      : [types.map((type) => (type.includes('&') ? `(${type})` : type)).join(' | ')]
  })
  return [...all, ...one]
}

/** Variants as the discriminator narrows them: with the tags that choose them. */
function variantTypes(
  sheet: TypeSheet,
  schema: SchemaObject,
  keyword: UnionKeyword,
): readonly string[] {
  const { discriminator, [keyword]: variants = [] } = schema
  const cases =
    discriminator === undefined ? [] : discriminatedCases(factsOf(sheet.ir), schema, keyword)
  const tagsOf = new Map(cases.map(({ branch, values }) => [branch, values]))
  return variants.map((variant) => {
    const type = typeOf(sheet, variant)
    const tags =
      typeof variant === 'object' && variant.$ref !== undefined ? tagsOf.get(variant) : undefined
    if (discriminator === undefined || tags === undefined) return type
    const tag = tags.map((one) => literal(one)).join(' | ')
    return `{ ${propertyKey(discriminator.propertyName)}: ${tag} } & ${type}`
  })
}

function ownType(sheet: TypeSheet, schema: SchemaObject): readonly string[] {
  if (schema.$ref !== undefined) return [sheet.nameOf(refName(schema.$ref))]
  if ('const' in schema) return [literalType(schema, schema.const)]
  if (schema.enum !== undefined)
    return [schema.enum.map((value) => literalType(schema, value)).join(' | ') || 'never']
  const types = typesOf(schema)
  if (isComposedOnly(schema)) return []
  if (types.length > 0)
    return [[...new Set(types.map((type) => plainType(sheet, schema, type)))].join(' | ')]
  const hasMembers = schema.properties !== undefined || schema.patternProperties !== undefined
  if (hasMembers || isMapOnly(schema)) return [objectType(sheet, schema)]
  if (schema.items !== undefined || schema.prefixItems !== undefined)
    return [arrayType(sheet, schema)]
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

function plainType(sheet: TypeSheet, schema: SchemaObject, type: SchemaType): string {
  switch (type) {
    case 'integer':
      return schema.format === 'int64' ? 'bigint' : 'number'
    case 'number':
      return schema.format === 'decimal' ? 'string' : type
    case 'array':
      return arrayType(sheet, schema)
    case 'object':
      return objectType(sheet, schema)
    default:
      return type
  }
}

function arrayType(sheet: TypeSheet, schema: SchemaObject): string {
  if (schema.prefixItems !== undefined) {
    const first = schema.prefixItems.map((item, index) => {
      const type = typeOf(sheet, item)
      return index < (schema.minItems ?? 0) ? type : `${wrap(type)}?`
    })
    const rest = schema.items === false ? [] : [`...Array<${typeOf(sheet, schema.items ?? true)}>`]
    return `[${[...first, ...rest].join(', ')}]`
  }
  return `Array<${typeOf(sheet, schema.items ?? true)}>`
}

function objectType(sheet: TypeSheet, schema: SchemaObject): string {
  const isTold = sheet.isDocumented && Object.values(schema.properties ?? {}).some(memberComment)
  return isTold ? inLines(sheet, schema) : `{ ${objectMembers(sheet, schema).join('; ')} }`
}

/** Named members, then an index signature for the others: never none. */
function objectMembers(sheet: TypeSheet, schema: SchemaObject): readonly string[] {
  const required = new Set(schema.required ?? [])
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = required.has(name) ? '' : '?'
    return `${propertyKey(name)}${optional}: ${typeOf(sheet, property)}`
  })
  const patterns = Object.values(schema.patternProperties ?? {})
  const extra = schema.additionalProperties
  const isClosed =
    extra === false || (extra === undefined && (patterns.length > 0 || members.length > 0))
  const others = isClosed ? patterns : [...patterns, extra ?? true]
  if (members.length === 0)
    return [`[key: string]: ${others.length === 0 ? 'never' : unionOf(sheet, others)}`]
  return others.length === 0
    ? members
    : [...members, `[key: string]: ${indexType(sheet, schema, others)}`]
}

function unionOf(sheet: TypeSheet, schemas: readonly Schema[]): string {
  const types = [...new Set(schemas.map((one) => typeOf(sheet, one)))]
  return types.includes('unknown') ? 'unknown' : types.join(' | ')
}

/** An index signature has to cover the named members too. */
function indexType(sheet: TypeSheet, schema: SchemaObject, others: readonly Schema[]): string {
  const union = unionOf(sheet, [...others, ...Object.values(schema.properties ?? {})])
  return union === 'unknown' ? union : `${union} | undefined`
}
