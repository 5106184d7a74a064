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
