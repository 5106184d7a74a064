// Rewriting of IR schemas from the inside out.
import type { Schema, SchemaObject } from '../ir.ts'
import { mapInner } from '../keywords/walk.ts'
import { refName, schemaRef } from './refs.ts'

/** A copy in which every schema object below, then the schema itself, has gone through `change`. */
export function mapSchema(schema: Schema, change: (schema: SchemaObject) => SchemaObject): Schema {
  if (typeof schema === 'boolean') return schema
  return change(mapInner(schema, (one) => mapSchema(one, change)))
}

/** The schema with its reference and the targets of its mapping renamed. */
export function renameRefs(schema: SchemaObject, names: ReadonlyMap<string, string>): SchemaObject {
  const renamed = (ref: string): string => {
    const name = names.get(refName(ref))
    return name === undefined ? ref : schemaRef(name)
  }
  const { $ref, discriminator } = schema
  const mapping = Object.entries(discriminator?.mapping ?? {}).map(([tag, ref]) => [
    tag,
    renamed(ref),
  ])
  return {
    ...schema,
    ...($ref === undefined ? {} : { $ref: renamed($ref) }),
    ...(discriminator?.mapping === undefined
      ? {}
      : { discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } }),
  }
}

/** Names of the components that a schema refers to by itself. */
export function directRefs(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  mapSchema(schema, (one) => {
    if (one.$ref !== undefined) names.add(refName(one.$ref))
    return one
  })
  return names
}

/** Names of the components that schemas refer to, by any number of steps. */
export function reachedFrom(
  schemas: Readonly<Record<string, Schema>>,
  start: readonly Schema[],
): ReadonlySet<string> {
  const reached = new Set(start.flatMap((schema) => [...directRefs(schema)]))
  for (const name of reached)
    for (const next of directRefs(schemas[name] ?? true)) reached.add(next)
  return reached
}
