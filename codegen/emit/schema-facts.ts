// Questions that several emitters ask about a schema.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { refName } from '../load/refs.ts'

const MAX_DEPTH = 32

/**
 * The schema that a chain of references ends in; the keywords beside a reference are not merged.
 */
export function dereference(ir: InterfaceIr, schema: Schema): Schema {
  let current = schema
  for (
    let hops = 0;
    hops < MAX_DEPTH && typeof current === 'object' && current.$ref !== undefined;
    hops += 1
  ) {
    current = ir.schemas[refName(current.$ref)] ?? true
  }
  return current
}

/** The types a schema names. */
export function typesOf(schema: SchemaObject): readonly SchemaType[] {
  if (schema.type === undefined) return []
  return typeof schema.type === 'string' ? [schema.type] : schema.type
}

/** True when the schema is a bare reference to a component schema. */
export function isBareReference(
  schema: Schema,
): schema is SchemaObject & { readonly $ref: string } {
  return (
    typeof schema === 'object' &&
    schema.$ref !== undefined &&
    Object.keys(schema).every((key) => key === '$ref' || key === 'description')
  )
}

/** True for a schema of binary content, which a body carries as bytes. */
export function isBinary(ir: InterfaceIr, schema: Schema): boolean {
  const target = dereference(ir, schema)
  return (
    typeof target === 'object' &&
    (target.format === 'binary' ||
      (target.contentMediaType !== undefined && target.type === undefined))
  )
}
