// `required` may name members that another part of a schema declares. Types are printed part by
// part, so each part is given the members that it requires.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { namesWhere } from '../keywords/table.ts'
import { listAt } from '../list-at.ts'
import { factsOf } from './validators-facts.ts'
import type { ObjectShape } from './validators-facts.ts'

const SINGLES = namesWhere({ form: 'schema', typed: true })
const MAPS = namesWhere({ form: 'schemaMap', typed: true })

/** What stands around a part says of the members of its values. Asked for few of the parts. */
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
  const inner = (one: Schema): Schema => withRequired(ir, one)
  const own = declared(ir, schema, around)
  const changed: Record<string, unknown> = { ...own }
  if (schema.allOf !== undefined) {
    const others = neighbours(ir, schema, around)
    changed['allOf'] = schema.allOf.map((part, index) => withRequired(ir, part, others(index)))
  }
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (schema[key] !== undefined)
      changed[key] = schema[key].map((part) => withRequired(ir, part, joined(ir, schema, around)))
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

/** What a member is that nobody declares: known only of an object that stands for itself. */
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

/** What stands around each part of `allOf`: the other parts, what is beside them, and `around`. */
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

/** By name, in the order of the parts: which of them require a member, and which declare it. */
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
