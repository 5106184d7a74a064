// Which kinds of values bear the type of their schema in arbitraries.gen.ts.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { once } from '../once.ts'
import { typesOf } from '../keywords/types.ts'
import { factsOf, isDecimalNumber } from './validators-facts.ts'

const untypedIn = once((ir: InterfaceIr) => factsOf(ir).somewhere(isForeign))

/**
 * True for schemas whose values have a type that no combinator has: decimals as numbers, objects in
 * lists of values.
 */
export function isUntyped(ir: InterfaceIr, schema: Schema): boolean {
  return untypedIn(ir)(schema)
}

function isForeign(schema: SchemaObject): boolean {
  return (isDecimalNumber(schema) && !typesOf(schema).includes('string')) || listsObjects(schema)
}

/**
 * The type of such lists is wider, or, with a null among values of no stated type, narrower than
 * the values.
 */
function listsObjects(schema: SchemaObject): boolean {
  const listed = [...('const' in schema ? [schema.const] : []), ...(schema.enum ?? [])]
  return listed.some(
    (value) => typeof value === 'object' && (value !== null || schema.type === undefined),
  )
}
