// `required` may name members that another part of a schema declares. Types are printed part by
// part, so each part is given the members that it requires.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { factsOf } from './validators-facts.ts'
import type { ObjectShape } from './validators-facts.ts'
import { namesWhere } from '../keywords/table.ts'

const SINGLES = namesWhere({ form: 'schema', typed: true })
const MAPS = namesWhere({ form: 'schemaMap', typed: true })

const NOTHING: ObjectShape = { required: new Set(), properties: new Map() }

/**
 * The schema with every required member declared where it is required, as far as any part of the
 * schema declares it.
 */
export function withRequired(
  ir: InterfaceIr,
  schema: Schema,
  around: ObjectShape = NOTHING,
): Schema {
  if (typeof schema === 'boolean') return schema
  const inner = (one: Schema): Schema => withRequired(ir, one)
  const own = declared(ir, schema, around)
  const changed: Record<string, unknown> = { ...own }
  if (schema.allOf !== undefined) {
    const parts = schema.allOf
    changed['allOf'] = parts.map((part, index) => {
      return withRequired(
        ir,
        part,
        joined(ir, [{ ...schema, allOf: parts.toSpliced(index, 1) }], around),
      )
    })
  }
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (schema[key] !== undefined)
      changed[key] = schema[key].map((part) => withRequired(ir, part, joined(ir, [schema], around)))
  }
  if (schema.prefixItems !== undefined) changed['prefixItems'] = schema.prefixItems.map(inner)
  for (const key of SINGLES) if (schema[key] !== undefined) changed[key] = inner(schema[key])
  for (const key of MAPS) {
    const members = own[key]
    if (members !== undefined)
      changed[key] = Object.fromEntries(
        Object.entries(members).map(([name, one]) => [name, inner(one)]),
      )
  }
  return changed
}

/** Members that other parts require already need no second declaration. */
function declared(ir: InterfaceIr, schema: SchemaObject, around: ObjectShape): SchemaObject {
  if (schema.required === undefined) return schema
  const { properties: own = {}, required: _required, ...rest } = schema
  const parts = joined(ir, [{ ...rest }], around)
  const others = restOf(schema, around)
  const added = schema.required
    .filter((name) => !Object.hasOwn(own, name) && !parts.required.has(name))
    .flatMap((name) => {
      const property = parts.properties.get(name) ?? others
      return property === undefined ? [] : [[name, property] as const]
    })
  if (added.length === 0) return schema
  return {
    ...schema,
    properties: Object.fromEntries(
      [...Object.entries(own), ...added].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}

/** What a member is that nobody declares: known only of an object that stands for itself. */
function restOf(schema: SchemaObject, around: ObjectShape): Schema | undefined {
  const isWhole =
    around === NOTHING &&
    schema.properties !== undefined &&
    schema.patternProperties === undefined &&
    schema.$ref === undefined &&
    schema.allOf === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined
  if (!isWhole) return undefined
  return schema.additionalProperties === undefined || schema.additionalProperties === false
    ? {}
    : schema.additionalProperties
}

function joined(ir: InterfaceIr, schemas: readonly Schema[], around: ObjectShape): ObjectShape {
  const shapes = [around, ...schemas.map((schema) => factsOf(ir).shape(schema))]
  return {
    required: new Set(shapes.flatMap((shape) => [...shape.required])),
    properties: new Map(shapes.flatMap((shape) => [...shape.properties])),
  }
}
