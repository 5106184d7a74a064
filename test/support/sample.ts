// One value that a schema accepts, as handlers and clients see it (int64 as bigint). Plain on
// purpose: enough to call every operation of a document once with something that is valid; random
// values are the arbitraries' business.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../../codegen/index.ts'
import fc from 'fast-check'

/** Depth beyond which only required members are filled in, so that recursive schemas end. */
const FULL_DEPTH = 3
/** Larger than a double can hold, so that any detour over a double shows. */
const BIG = 9_007_199_254_740_993n

/** A value of the schema. Throws where the plain way finds none. */
export function sample(ir: InterfaceIr, schema: Schema, depth = 0): unknown {
  if (typeof schema === 'boolean') return 'anything'
  if (schema.$ref !== undefined)
    return sample(ir, ir.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? true, depth + 1)
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const parts = [...(schema.allOf ?? []), ...variant(schema)].map((part) => sample(ir, part, depth))
  const own = hasOwnShape(schema) || parts.length === 0 ? [ofType(ir, schema, depth)] : []
  return [...parts, ...own].reduce(merge)
}

/**
 * The last variant: where variants overlap, the ones before it often match its values too. A
 * discriminator adds its tag.
 */
function variant(schema: SchemaObject): readonly Schema[] {
  const chosen = (schema.oneOf ?? schema.anyOf)?.findLast((part) => part !== true)
  if (chosen === undefined) return []
  return schema.discriminator === undefined ? [chosen] : [chosen, tag(schema, chosen)]
}

function tag({ discriminator }: SchemaObject, chosen: Schema): Schema {
  const ref = typeof chosen === 'boolean' ? '' : (chosen.$ref ?? '')
  const named = Object.entries(discriminator?.mapping ?? {}).find(
    ([, target]) => target === ref,
  )?.[0]
  const name = discriminator?.propertyName ?? ''
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { const: named ?? ref.split('/').at(-1) } },
  }
}

function hasOwnShape(schema: SchemaObject): boolean {
  return (
    schema.properties !== undefined ||
    schema.items !== undefined ||
    (schema.oneOf ?? schema.anyOf ?? schema.allOf) === undefined
  )
}

function merge(left: unknown, right: unknown): unknown {
  return isObject(left) && isObject(right) ? { ...left, ...right } : right
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOf(schema: SchemaObject): SchemaType {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const inferred =
    schema.properties !== undefined || schema.additionalProperties !== undefined
      ? 'object'
      : 'string'
  // Decimals that may come as numbers arrive as text either way.
  if (schema.format === 'decimal' && types.includes('string')) return 'string'
  return types.find((type) => type !== 'null') ?? types[0] ?? inferred
}

function ofType(ir: InterfaceIr, schema: SchemaObject, depth: number): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(ir, schema, depth)
    case 'array':
      return arrayOf(ir, schema, depth)
    case 'integer':
      return schema.format === 'int64' ? within64(schema) : Number(bounded(schema, 7n))
    case 'number':
      return isBounded(schema) ? Number(bounded(schema, 1n)) : 2.5
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

function objectOf(ir: InterfaceIr, schema: SchemaObject, depth: number): unknown {
  const required = new Set(schema.required ?? [])
  const members = Object.entries(schema.properties ?? {})
    .filter(
      ([name, property]) => required.has(name) || depth < FULL_DEPTH || hasDefault(ir, property),
    )
    .map(([name, property]): [string, unknown] => [name, sample(ir, property, depth + 1)])
  const extra = schema.additionalProperties
  const open = typeof extra === 'object' && members.length === 0 && depth < FULL_DEPTH
  return Object.fromEntries(open ? [['some key', sample(ir, extra, depth + 1)]] : members)
}

function hasDefault(ir: InterfaceIr, schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  if (schema.$ref !== undefined)
    return hasDefault(ir, ir.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? true)
  return 'default' in schema
}

function arrayOf(ir: InterfaceIr, schema: SchemaObject, depth: number): unknown {
  if (schema.prefixItems !== undefined)
    return schema.prefixItems.map((item) => sample(ir, item, depth + 1))
  const count = Math.max(schema.minItems ?? 0, depth < FULL_DEPTH ? 1 : 0)
  return Array.from({ length: count }, () => sample(ir, schema.items ?? true, depth + 1))
}

function isBounded({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: SchemaObject): boolean {
  return [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].some(
    (bound) => bound !== undefined,
  )
}

function bounded(schema: SchemaObject, wish: bigint): bigint {
  const least =
    BigInt(schema.minimum ?? schema.exclusiveMinimum ?? wish) +
    (schema.exclusiveMinimum === undefined ? 0n : 1n)
  const most = schema.maximum === undefined ? wish : BigInt(schema.maximum)
  return least > wish ? least : most < wish ? most : wish
}

function within64(schema: SchemaObject): bigint {
  return bounded(schema, BIG)
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.123456Z',
  date: '2026-01-31',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uri: 'https://example.org/a?b=c',
  email: 'a@example.org',
  byte: 'AQID',
  decimal: '12.5000000000',
}

function textOf(schema: SchemaObject): string {
  if (schema.pattern !== undefined) return matching(schema)
  if (schema.contentEncoding === 'base64') return 'AQID'
  const known = TEXTS[schema.format ?? '']
  return (
    known ?? 'täxt/ %41+&='.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 255)
  )
}

function matching({ pattern = '', minLength = 0, maxLength = 255 }: SchemaObject): string {
  const texts = fc
    .stringMatching(new RegExp(pattern, 'u'), { maxLength })
    .filter((text) => text.length >= Math.max(1, minLength))
  return fc.sample(texts, { numRuns: 1, seed: 7 })[0] ?? ''
}
