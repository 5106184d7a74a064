// A discriminator on a schema that others extend by allOf names their tags: here each of them gets
// its own as a rule, so that what is checked is what the types say.
import type { Schema, SchemaObject } from '../ir.ts'
import { compareText } from '../values.ts'
import { refName } from './refs.ts'

type Schemas = Readonly<Record<string, Schema>>

/**
 * The components with tags put into the schemas that extend a base with a discriminator; the same
 * object where there is none.
 */
export function tagExtensions(schemas: Schemas): Schemas {
  const bases = Object.entries(schemas).filter(([, schema]) => isBase(schema))
  if (bases.length === 0) return schemas
  const children = childrenOf(schemas)
  const tagged = new Map<string, Schema>(Object.entries(schemas))
  for (const [base, schema] of bases) {
    if (typeof schema === 'boolean' || schema.discriminator === undefined) continue
    const { discriminator, ...rest } = schema
    tagged.set(base, rest)
    for (const name of descendants(base, children)) {
      const tags = [name, ...descendants(name, children)].flatMap((one) =>
        tagsOf(one, discriminator.mapping ?? {}),
      )
      tagged.set(name, withTag(tagged.get(name) ?? true, discriminator.propertyName, tags))
    }
  }
  return Object.fromEntries(tagged)
}

/**
 * Gives the components that extend one by allOf, at any depth: without a mapping their names are
 * tags.
 */
export function extensionsOf(schemas: Schemas): (name: string) => readonly string[] {
  const children = childrenOf(schemas)
  return (name) => descendants(name, children)
}

function isBase(schema: Schema): boolean {
  return (
    typeof schema === 'object' &&
    schema.discriminator !== undefined &&
    schema.oneOf === undefined &&
    schema.anyOf === undefined
  )
}

function childrenOf(schemas: Schemas): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (typeof schema === 'boolean') continue
    for (const part of schema.allOf ?? []) {
      if (typeof part === 'boolean' || part.$ref === undefined) continue
      const base = refName(part.$ref)
      children.set(base, [...(children.get(base) ?? []), name])
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

/** The tags that a mapping gives to a schema, or its name. */
function tagsOf(name: string, mapping: Readonly<Record<string, string>>): readonly string[] {
  const tags = Object.entries(mapping)
    .filter(([, ref]) => refName(ref) === name)
    .map(([tag]) => tag)
  return tags.length > 0 ? tags : [name]
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
