// A discriminator on a schema that others extend by allOf names their tags: here each of them gets
// its own as a rule, so that what is checked is what the types say.
import type { Schema, SchemaObject } from '../ir.ts'
import { compareText, texts } from '../values.ts'
import { mapSchema } from './map-schema.ts'
import { listAt } from '../list-at.ts'
import { refName } from './refs.ts'

type Schemas = Readonly<Record<string, Schema>>

/**
 * The components with tags put into the schemas that extend a base with a discriminator; the same
 * object where there is none. A child that lists its tags itself keeps them.
 */
export function tagExtensions(schemas: Schemas): Schemas {
  const bases = Object.entries(schemas).flatMap(([name, schema]) => {
    const discriminator = ownDiscriminator(schema)
    return discriminator === undefined ? [] : [[name, discriminator] as const]
  })
  if (bases.length === 0) return schemas
  const children = childrenOf(schemas)
  const mapped = unionMappings(schemas)
  const tagged = new Map<string, Schema>(Object.entries(schemas))
  for (const [base, { propertyName, mapping = mapped.get(propertyName) ?? {} }] of bases) {
    tagged.set(base, withoutDiscriminator(tagged.get(base) ?? true))
    const mappedTags = Map.groupBy(Object.keys(mapping), (tag) => refName(mapping[tag] ?? ''))
    const tagsIn = (name: string): readonly string[] => {
      const own = listedTags(schemas, schemas[name], propertyName)
      return own.length > 0 ? own : (mappedTags.get(name) ?? [name])
    }
    for (const name of descendants(base, children)) {
      if (listedTags(schemas, schemas[name], propertyName).length > 0) continue
      const tags = [name, ...descendants(name, children)].flatMap(tagsIn)
      tagged.set(name, withTag(tagged.get(name) ?? true, propertyName, [...new Set(tags)]))
    }
  }
  return Object.fromEntries(tagged)
}

/** The discriminator of a base, which may stand in a part of its `allOf`. */
function ownDiscriminator(schema: Schema): SchemaObject['discriminator'] {
  if (typeof schema === 'boolean' || schema.oneOf !== undefined || schema.anyOf !== undefined)
    return undefined
  if (schema.discriminator !== undefined) return schema.discriminator
  return (schema.allOf ?? []).map(ownDiscriminator).find((one) => one !== undefined)
}

function withoutDiscriminator(schema: Schema): Schema {
  if (ownDiscriminator(schema) === undefined || typeof schema === 'boolean') return schema
  const { discriminator: _discriminator, ...rest } = schema
  return rest.allOf === undefined ? rest : { ...rest, allOf: rest.allOf.map(withoutDiscriminator) }
}

/** Mappings of the unions, by property: a base without one has the tags by which they choose. */
function unionMappings(schemas: Schemas): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = new Map<string, Readonly<Record<string, string>>>()
  for (const schema of Object.values(schemas)) {
    mapSchema(schema, (part) => {
      const { propertyName, mapping } = part.discriminator ?? {}
      const isUnion = part.oneOf !== undefined || part.anyOf !== undefined
      if (isUnion && propertyName !== undefined && mapping !== undefined)
        found.set(propertyName, { ...mapping, ...found.get(propertyName) })
      return part
    })
  }
  return found
}

/** The texts that a schema itself, not its bases, lists for a property. */
function listedTags(
  schemas: Schemas,
  schema: Schema | undefined,
  property: string,
): readonly string[] {
  if (schema === undefined || typeof schema === 'boolean') return []
  const own = listedIn(schemas, schema.properties?.[property])
  if (own.length > 0) return own
  const inline = (schema.allOf ?? []).filter(
    (part) => typeof part === 'object' && part.$ref === undefined,
  )
  return inline.flatMap((part) => listedTags(schemas, part, property))
}

function listedIn(schemas: Schemas, schema: Schema | undefined): readonly string[] {
  if (schema === undefined || typeof schema === 'boolean') return []
  const target = schema.$ref === undefined ? schema : schemas[refName(schema.$ref)]
  if (target === undefined || typeof target === 'boolean') return []
  return texts('const' in target ? [target.const] : (target.enum ?? []))
}

/**
 * Gives the components that extend one by allOf, at any depth: without a mapping their names are
 * tags.
 */
export function extensionsOf(schemas: Schemas): (name: string) => readonly string[] {
  const children = childrenOf(schemas)
  return (name) => descendants(name, children)
}

function childrenOf(schemas: Schemas): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (typeof schema === 'boolean') continue
    for (const part of schema.allOf ?? []) {
      if (typeof part === 'boolean' || part.$ref === undefined) continue
      listAt(children, refName(part.$ref)).push(name)
    }
  }
  return children
}

function descendants(
  name: string,
  children: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const found = new Set(children.get(name))
  for (const one of found) for (const next of children.get(one) ?? []) found.add(next)
  found.delete(name)
  return [...found].sort(compareText)
}

function withTag(schema: Schema, property: string, tags: readonly string[]): Schema {
  if (typeof schema === 'boolean') return schema
  const [only] = tags
  const value: SchemaObject =
    tags.length === 1 ? { const: only, type: 'string' } : { enum: tags, type: 'string' }
  const rule: SchemaObject = {
    properties: { [property]: value },
    required: [property],
    type: 'object',
  }
  return { ...schema, allOf: [...(schema.allOf ?? []), rule] }
}
