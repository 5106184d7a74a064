// What the foreign type generator is asked for: the component schemas, with nothing that does not
// shape a type, and an empty place wherever it would print something wrong. By the hash of it one
// knows whether it has to be asked again.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { canonicalJson, sha256 } from '../json.ts'
import { namesWhere } from '../keywords/table.ts'
import { mapInner } from '../keywords/walk.ts'
import { mapSchema, renameRefs } from '../load/map-schema.ts'
import { once } from '../once.ts'
import { compareText, given } from '../values.ts'
import type { Fields } from '../values.ts'
import { schemaTypeNames } from './names.ts'
import { withRequired } from './required.ts'
import { tsAlias } from './ts-type.ts'
import { factsOf } from './validators-facts.ts'
import { parts } from '../load/reach.ts'
import { discriminatedCases } from './validators-union.ts'

/**
 * Keywords that shape a type. Everything else (bounds, examples, extensions) stays away from the
 * foreign generator.
 */
const TYPE_KEYWORDS: ReadonlySet<string> = new Set(namesWhere({ typed: true }))

export interface TypeRequest {
  /** Names of the types, sorted. */
  readonly names: readonly string[]
  /** A document of nothing but schemas, each under the name that its type shall have. */
  readonly document: Fields
  /** The types that are printed here, as text, by name. */
  readonly own: ReadonlyMap<string, string>
  /** The hash of all this: equal requests have equal types. */
  readonly hash: string
}

/** The request of an interface. */
export const typeRequest = once((ir: InterfaceIr) => makeRequest(ir))

/** The request of an interface with every type printed here. */
export function ownTypes(ir: InterfaceIr): TypeRequest {
  return makeRequest(ir, () => true)
}

function makeRequest(ir: InterfaceIr, isOurs = isPrintedHere): TypeRequest {
  const names = schemaTypeNames(ir)
  const isLarge = names.size > MOST_SCHEMAS
  const typeName = (name: string): string => names.get(name) ?? name
  const own = new Map<string, string>()
  const schemas: [string, unknown][] = []
  for (const [name, asType] of [...names].sort(([, a], [, b]) => compareText(a, b))) {
    const schema = ir.schemas[name] ?? true
    const isOwn = isLarge || isOurs(ir, schema)
    if (isOwn) own.set(asType, tsAlias(ir, withRequired(ir, schema), typeName))
    const asked = isOwn
      ? emptyPlace(schema)
      : mapSchema(withRequired(ir, schema), (part) => withTags(ir, part))
    schemas.push([asType, typeSchema(asked, names)])
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Types', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  }
  const hash = sha256(canonicalJson([document, [...own]]))
  return { names: schemas.map(([name]) => name), document, own, hash }
}

/** An empty place for a type that is printed here, with what it tells people. */
function emptyPlace(schema: Schema): Schema {
  const { description, deprecated } = typeof schema === 'boolean' ? {} : schema
  return {
    type: 'string',
    ...given({ description, deprecated }),
  }
}

/** The discriminator with the tags that checks go by, or without it where they do not. */
function withTags(ir: InterfaceIr, schema: SchemaObject): SchemaObject {
  const { discriminator, ...rest } = schema
  if (discriminator === undefined) return schema
  const facts = factsOf(ir)
  const cases = (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    schema[keyword] === undefined ? [] : discriminatedCases(facts, schema, keyword),
  )
  const mapping = cases.flatMap(({ values, branch }) => {
    const ref = typeof branch === 'object' ? branch.$ref : undefined
    return ref === undefined ? [] : values.map((tag) => [tag, ref] as const)
  })
  if (mapping.length === 0) return rest
  return { ...rest, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } }
}

/** A union by tags with variants that have no name, such as null, which it loses. */
function hasOddVariant({ discriminator, oneOf = [], anyOf = [] }: SchemaObject): boolean {
  return (
    discriminator !== undefined &&
    [...oneOf, ...anyOf].some((one) => typeof one === 'boolean' || one.$ref === undefined)
  )
}

/** The foreign generator goes every way through references that are taken together. */
const MOST_WAYS = 100

/** More literals in a union are more than its stack bears. */
const MOST_LITERALS = 5000

/** Its time grows with the squares of these: variants of a union, and schemas of a document. */
const MOST_VARIANTS = 500
const MOST_SCHEMAS = 5000

/** True for what the foreign generator loses, gets wrong or does not end with. */
function isPrintedHere(ir: InterfaceIr, schema: Schema): boolean {
  return (
    schema === false ||
    factsOf(ir).ways(schema) > MOST_WAYS ||
    parts(schema).some(
      (part) =>
        (part.enum?.length ?? 0) > MOST_LITERALS ||
        (part.oneOf ?? part.anyOf ?? []).length > MOST_VARIANTS ||
        isOddTuple(part) ||
        hasOddLiteral(part) ||
        hasOddMember(part) ||
        hasOddVariant(part) ||
        [
          part.prefixItems === undefined ? part.items : undefined,
          ...(part.anyOf ?? []),
          ...(part.oneOf ?? []),
          ...(part.allOf ?? []),
        ].some((one) => typeof one === 'boolean'),
    )
  )
}

/** A tuple that may be shorter or longer. */
function isOddTuple({ prefixItems, items, minItems = 0 }: SchemaObject): boolean {
  return prefixItems !== undefined && (items !== false || minItems < prefixItems.length)
}

/**
 * Objects and lists as literals, int64 ones, which are bigint here, and null in an enumeration
 * without a type.
 */
function hasOddLiteral(schema: SchemaObject): boolean {
  const values = 'const' in schema ? [schema.const] : (schema.enum ?? [])
  const isOdd = (value: unknown): boolean =>
    typeof value === 'bigint' || (typeof value === 'object' && value !== null)
  const isUntypedNull = schema.type === undefined && schema.enum?.includes(null) === true
  return values.some(isOdd) || (values.length > 0 && schema.format === 'int64') || isUntypedNull
}

function hasOddMember(schema: SchemaObject): boolean {
  const { properties = {}, patternProperties } = schema
  return (
    Object.hasOwn(properties, '__proto__') ||
    Object.values(properties).some((one) => typeof one === 'boolean') ||
    (patternProperties !== undefined &&
      (Object.keys(properties).length > 0 || schema.additionalProperties !== false))
  )
}

function typeSchema(schema: Schema, names: ReadonlyMap<string, string>): object {
  if (typeof schema === 'boolean') return {}
  const renamed = mapInner(renameRefs(schema, names), (one, key) =>
    typeof one === 'boolean' && (key === 'items' || key === 'additionalProperties')
      ? one
      : typeSchema(one, names),
  )
  return Object.fromEntries(Object.entries(renamed).filter(([key]) => TYPE_KEYWORDS.has(key)))
}
