// Questions that several emitters ask about a schema.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
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

type FileField = 'one' | 'list' | 'either'

/** Unions may hold themselves. */
const DEEPEST_UNION = 4

/**
 * What a field of a form holds where it holds files: one, a list, or either, as a union of these
 * says; undefined for another field.
 */
export function filesOf(ir: InterfaceIr, schema: Schema, depth = 0): FileField | undefined {
  if (isBinary(ir, schema)) return 'one'
  const target = dereference(ir, schema)
  if (typeof target !== 'object' || depth > DEEPEST_UNION) return undefined
  if (target.type === 'array') return isBinary(ir, target.items ?? true) ? 'list' : undefined
  const variants = (target.oneOf ?? target.anyOf ?? []).map((one) => filesOf(ir, one, depth + 1))
  const [first] = variants
  if (variants.includes(undefined)) return undefined
  return variants.every((one) => one === first) ? first : 'either'
}
