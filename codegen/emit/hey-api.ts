// The one place that knows @hey-api/openapi-ts: component schemas in, text of types.gen.ts out. Its
// plugin interface is unstable, its `clean` deletes foreign files and its operation types lose
// media types and headers, so it gets schemas only, in a folder of its own.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { namesWhere } from '../keywords/table.ts'
import { LINE } from '../layout.ts'
import { mapSchema } from '../load/map-schema.ts'
import { refName, schemaRef } from '../load/refs.ts'
import { compareText, fields, isFields } from '../values.ts'
import type { Fields } from '../values.ts'
import { schemaTypeNames } from './names.ts'
import { withRequired } from './required.ts'
import { hasMixedNumbers } from './schema-facts.ts'
import { tsAlias } from './ts-type.ts'
import { factsOf, parts } from './validators-facts.ts'
import { discriminatedCases } from './validators-union.ts'

/**
 * Keywords that shape a type. Everything else (bounds, examples, extensions) stays away from the
 * foreign generator.
 */
const TYPE_KEYWORDS: ReadonlySet<string> = new Set(namesWhere({ typed: true }))

/**
 * Generates the types of all component schemas. Throws when the foreign generator fails or leaves
 * out a schema.
 */
export async function emitTypes(ir: InterfaceIr): Promise<string> {
  const names = schemaTypeNames(ir)
  if (names.size === 0) return 'export {}\n'
  const folder = await mkdtemp(join(tmpdir(), 'ledgerwright-types-'))
  try {
    await runHeyApi(typeDocument(ir, names), folder)
    const types = putOwn(ir, names, tidy(await readFile(join(folder, 'types.gen.ts'), 'utf8')))
    const missing = [...names.values()].filter((name) => !types.includes(`export type ${name} =`))
    if (missing.length > 0)
      throw new Error(`@hey-api/openapi-ts emitted no type for: ${missing.join(', ')}`)
    return types
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * `emitTypes` that remembers for each interface what it was asked last: few changes of a document
 * change a type.
 */
export function rememberedTypes(): typeof emitTypes {
  const last = new Map<string, { readonly asked: string; readonly types: string }>()
  return async (ir) => {
    const names = schemaTypeNames(ir)
    const asked = canonicalJson([typeDocument(ir, names), ownAliases(ir, names)])
    const known = last.get(ir.name)
    if (known?.asked === asked) return known.types
    const types = await emitTypes(ir)
    last.set(ir.name, { asked, types })
    return types
  }
}

async function runHeyApi(input: Record<string, unknown>, path: string): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({
    input,
    output: { path, clean: false, entryFile: false, postProcess: [] },
    parser: { transforms: { readWrite: { enabled: false } } },
    plugins: [
      {
        name: '@hey-api/typescript',
        definitions: { case: 'preserve', name: '{{name}}' },
        $resolvers: {
          number: (context) =>
            context.schema.format === 'int64'
              ? context.$.type('bigint')
              : context.schema.format === 'decimal'
                ? context.$.type('string')
                : undefined,
          string: (context) =>
            context.schema.format === 'binary' ? context.$.type('string') : undefined,
        },
      },
    ],
    logs: { level: 'silent', file: false },
  })
}

/** A document of nothing but schemas, each under the name that its type shall have. */
function typeDocument(
  ir: InterfaceIr,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const schemas = [...names]
    .sort(([, a], [, b]) => compareText(a, b))
    .map(([name, typeName]) => [
      typeName,
      typeSchema(foreignSchema(ir, ir.schemas[name] ?? true), names),
    ])
  return {
    openapi: '3.1.0',
    info: { title: 'Types', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  }
}

/**
 * What the foreign generator gets of a component: where it would print something wrong, an empty
 * place to put our own type in.
 */
function foreignSchema(ir: InterfaceIr, schema: Schema): Schema {
  if (!isPrintedHere(ir, schema) || typeof schema === 'boolean')
    return mapSchema(withRequired(ir, schema), (part) => withTags(ir, part))
  const { description, deprecated } = schema
  return {
    type: 'string',
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
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

/** True for what the foreign generator loses, gets wrong or does not end with. */
function isPrintedHere(ir: InterfaceIr, schema: Schema): boolean {
  return (
    schema === false ||
    factsOf(ir).ways(schema) > MOST_WAYS ||
    parts(schema).some(
      (part) =>
        isOddTuple(part) ||
        hasOddLiteral(part) ||
        hasOddMember(part) ||
        hasOddVariant(part) ||
        hasMixedNumbers(ir, part) ||
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

/** The types that are printed here, as text, by type name. */
function ownAliases(
  ir: InterfaceIr,
  names: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  return [...names].flatMap(([name, typeName]): readonly (readonly [string, string])[] => {
    const schema = ir.schemas[name] ?? true
    return isPrintedHere(ir, schema)
      ? [[typeName, tsAlias(ir, withRequired(ir, schema), (one) => names.get(one) ?? one)]]
      : []
  })
}

function putOwn(ir: InterfaceIr, names: ReadonlyMap<string, string>, types: string): string {
  return ownAliases(ir, names).reduce((text, [typeName, alias]) => {
    return text.replace(
      `export type ${typeName} = string;`,
      () => `export type ${typeName} = ${alias};`,
    )
  }, types)
}

function typeSchema(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isFields(schema)) return {}
  const kept = Object.entries(schema).filter(([key]) => TYPE_KEYWORDS.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, typeKeyword(key, value, names)]))
}

function typeKeyword(key: string, value: unknown, names: ReadonlyMap<string, string>): unknown {
  switch (key) {
    case '$ref':
      return renamed(String(value), names)
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(fields(value)).map(([name, item]) => [name, typeSchema(item, names)]),
      )
    case 'items':
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : typeSchema(value, names)
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map((item) => typeSchema(item, names)) : value
    case 'discriminator':
      return renamedMapping(fields(value), names)
    default:
      return structuredClone(value)
  }
}

function renamedMapping(discriminator: Fields, names: ReadonlyMap<string, string>): unknown {
  const mapping = Object.entries(fields(discriminator['mapping'])).map(([tag, ref]) => [
    tag,
    renamed(String(ref), names),
  ])
  return {
    propertyName: discriminator['propertyName'],
    ...(mapping.length > 0 ? { mapping: Object.fromEntries(mapping) } : {}),
  }
}

function renamed(ref: string, names: ReadonlyMap<string, string>): string {
  return schemaRef(names.get(refName(ref)) ?? refName(ref))
}

/** Takes off the foreign header and the client options, which no client of ours has. */
function tidy(types: string): string {
  return (
    types
      .replaceAll('\r\n', '\n')
      .replace(/^\/\/ This file is auto-generated[^\n]*\n+/u, '')
      // A decimal that may come as number or as text is text either way.
      .replaceAll(': string | string;', ': string;')
      .replace(/export type ClientOptions = \{\n[\s\S]*?\n\};\n+/u, '')
      .replaceAll(/^( *)\/\*\*\n\1 \* (.+)\n\1 \*\/$/gmu, (long, pad: string, words: string) => {
        const line = `${pad}/** ${words} */`
        return line.length <= LINE ? line : long
      })
  )
}
