// `required` may name members that another part of a schema declares. Types are printed part by
// part, so each part is given the members that it requires.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { mapInner } from '../keywords/walk.ts'
import { listAt } from '../list-at.ts'
import { factsOf } from './validators-facts.ts'
import type { ObjectShape } from './validators-facts.ts'

/** Facts around a part about the members of its values. Asked for few of the parts. */
interface Around {
  requires(name: string): boolean
  member(name: string): Schema | undefined
}

const NOTHING: Around = { requires: () => false, member: () => undefined }

/**
 * The schema with every required member declared where it is required, as far as any part of the
 * schema declares it.
 */
export function withRequired(ir: InterfaceIr, schema: Schema, around: Around = NOTHING): Schema {
  if (typeof schema === 'boolean') return schema
  const others = neighbours(ir, schema, around)
  return mapInner(declared(ir, schema, around), (one, key, at) => {
    if (key === 'allOf') return withRequired(ir, one, others(Number(at)))
    const isVariant = key === 'anyOf' || key === 'oneOf'
    return withRequired(ir, one, isVariant ? joined(ir, schema, around) : NOTHING)
  })
}

/** Members that other parts require already need no second declaration. */
function declared(ir: InterfaceIr, schema: SchemaObject, around: Around): SchemaObject {
  if (schema.required === undefined) return schema
  const { properties: own = {}, required: _required, ...rest } = schema
  const parts = joined(ir, rest, around)
  const others = restOf(schema, around)
  const added = schema.required
    .filter((name) => !Object.hasOwn(own, name) && !parts.requires(name))
    .flatMap((name) => {
      const property = parts.member(name) ?? others
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

/** The schema of undeclared members: known only of an object that is complete by itself. */
function restOf(schema: SchemaObject, around: Around): Schema | undefined {
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

function joined(ir: InterfaceIr, schema: SchemaObject, around: Around): Around {
  const { shape } = factsOf(ir)
  return {
    requires: (name) => shape(schema).required.has(name) || around.requires(name),
    member: (name) => shape(schema).properties.get(name) ?? around.member(name),
  }
}

/** Facts around each part of `allOf`: the other parts, what is beside them, and `around`. */
function neighbours(
  ir: InterfaceIr,
  schema: SchemaObject,
  around: Around,
): (index: number) => Around {
  const { allOf = [], $ref, ...own } = schema
  const base = $ref === undefined ? around : joined(ir, { $ref }, around)
  let known: Sayings | undefined
  const sayings = (): Sayings => (known ??= sayingsOf(allOf.map(factsOf(ir).shape)))
  return (index) =>
    joined(ir, own, {
      requires: (name) =>
        sayings()
          .requiring.get(name)
          ?.some((part) => part !== index) === true || base.requires(name),
      member: (name) =>
        sayings()
          .declaring.get(name)
          ?.findLast(({ part }) => part !== index)?.member ?? base.member(name),
    })
}

/** Parts by member name, in their order: those that require it, and those that declare it. */
interface Sayings {
  readonly requiring: ReadonlyMap<string, readonly number[]>
  readonly declaring: ReadonlyMap<
    string,
    readonly { readonly part: number; readonly member: Schema }[]
  >
}

function sayingsOf(shapes: readonly ObjectShape[]): Sayings {
  const requiring = new Map<string, number[]>()
  const declaring = new Map<string, { part: number; member: Schema }[]>()
  for (const [part, { required, properties }] of shapes.entries()) {
    for (const name of required) listAt(requiring, name).push(part)
    for (const [name, member] of properties) listAt(declaring, name).push({ part, member })
  }
  return { requiring, declaring }
}
