// What the validator emitters ask about schemas: which types a value may have, which components a
// schema reaches, whether its values change when decoded. Everything is worked out once an
// interface.
import type { InterfaceIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { isInt64, typeOf, typesOf as typesIn } from '../keywords/types.ts'
import { selfDefined } from '../load/circles.ts'
import { directRefs, reachIn } from '../load/reach.ts'
import { refName } from '../load/refs.ts'
import { once } from '../once.ts'
import { dereference } from './schema-facts.ts'

/** JSON types as values have them; `integer` counts as number. */
export type ValueType = Exclude<SchemaType, 'integer'>

/** Types of a value of which nothing is known. */
export const ALL_TYPES: readonly ValueType[] = [
  'null',
  'boolean',
  'number',
  'string',
  'array',
  'object',
]

/**
 * Properties and required names of an object schema with its `$ref`s and `allOf`s taken together.
 */
export interface ObjectShape {
  readonly required: ReadonlySet<string>
  readonly properties: ReadonlyMap<string, Schema>
}

export interface Facts {
  readonly ir: InterfaceIr
  /**
   * A test for schemas: whether one of them, or one that it reaches by `$ref` over any number of
   * steps, has a part that passes.
   */
  somewhere(test: (part: SchemaObject) => boolean): (schema: Schema) => boolean
  /** True when the two components reach each other: their values may nest without bound. */
  isCircle(name: string, other: string): boolean
  /**
   * True when a check of the schema may descend without bound, so that the depth must be handed on.
   */
  isDeep(schema: Schema): boolean
  /** A superset of the types that valid values have. */
  types(schema: Schema): ReadonlySet<ValueType>
  shape(schema: Schema): ObjectShape
  /** Number of ways in which a value's rules are reached through `$ref` and `allOf`. */
  ways(schema: Schema): number
  hasInt64(schema: Schema): boolean
  hasDefault(schema: Schema): boolean
  /**
   * Names of the properties anywhere in the schema that are decimal numbers: their text is what
   * they say.
   */
  decimalNumbers(schema: Schema): readonly string[]
  /**
   * True when a lift function has something to do: int64, a default, or a number that may arrive as
   * bigint.
   */
  hasLift(schema: Schema): boolean
}

/**
 * The facts of an interface; the same object for the same `ir`. Throws when a component is defined
 * by itself alone.
 */
export const factsOf = once(makeFacts)

function makeFacts(ir: InterfaceIr): Facts {
  const [loop] = selfDefined(ir.schemas)
  if (loop !== undefined) throw new Error(`schema ${loop} of ${ir.name} is defined by itself alone`)
  const { graph, gather, somewhere } = reachIn(ir.schemas)
  const depths = graph.fold<boolean>(
    (members, below) =>
      below.includes(true) || graph.isCircle(graph.groupOf(members[0] ?? '') ?? -1),
  )
  const hasInt64 = somewhere(isInt64)
  const hasDefault = somewhere(hasOwnDefault)
  const hasNumber = somewhere(mayHoldBigint)
  const decimals = gather((part) =>
    Object.entries(part.properties ?? {})
      .filter(([, property]) => isDecimalNumber(dereference(ir, property)))
      .map(([name]) => name),
  )
  return {
    ir,
    somewhere,
    hasInt64,
    hasDefault,
    decimalNumbers: (schema) => [...decimals(schema)].sort(),
    isCircle: (name, other) => {
      const group = graph.groupOf(name)
      return group !== undefined && group === graph.groupOf(other) && graph.isCircle(group)
    },
    isDeep: (schema) =>
      [...directRefs(schema)].some((name) => depths[graph.groupOf(name) ?? -1] === true),
    types: remembered(ALL, (schema, inner) => typesOf(ir, schema, inner)),
    shape: remembered(NO_SHAPE, (schema, inner) => shapeOf(ir, schema, inner)),
    ways: remembered(1, (schema, inner) => sameRules(ir, schema).map(inner).reduce(add, 1)),
    hasLift: (schema) => hasInt64(schema) || hasDefault(schema) || hasNumber(schema),
  }
}

/** The types a schema declares, as a list; undefined when it declares none. */
export function declaredTypes(schema: SchemaObject): readonly SchemaType[] | undefined {
  return schema.type && typesIn(schema)
}

/** True for a number that is a decimal: a double would round it, so handlers get its text. */
export function isDecimalNumber(schema: Schema): boolean {
  return (
    typeof schema === 'object' &&
    schema.format === 'decimal' &&
    declaredTypes(schema)?.includes('number') === true
  )
}

/** True for a number without int64 whose long literals arrive as bigint and must become doubles. */
export function mayHoldBigint(schema: SchemaObject): boolean {
  const types = declaredTypes(schema) ?? []
  if (schema.format === 'int64' || schema.format === 'int32') return false
  return types.includes('number') || types.includes('integer')
}

/**
 * The default that fills in for a missing property of this schema, seen through `$ref` and a single
 * `allOf`.
 */
export function defaultOf(ir: InterfaceIr, schema: Schema, depth = 0): unknown {
  if (typeof schema === 'boolean' || depth > SHAPE_DEPTH) return undefined
  if (schema.default !== undefined) return schema.default
  const inner = schema.$ref === undefined ? schema.allOf?.[0] : ir.schemas[refName(schema.$ref)]
  return inner === undefined || (schema.allOf?.length ?? 1) > 1
    ? undefined
    : defaultOf(ir, inner, depth + 1)
}

const SHAPE_DEPTH = 50

function hasOwnDefault(schema: SchemaObject): boolean {
  return schema.default !== undefined
}

const ALL: ReadonlySet<ValueType> = new Set(ALL_TYPES)
const NO_SHAPE: ObjectShape = { required: new Set(), properties: new Map() }

/**
 * What `find` says of schemas, worked out once for each: a schema may be reached in more ways than
 * can be gone. Deeper than any document is, it is `otherwise`.
 */
function remembered<T>(
  otherwise: T,
  find: (schema: Schema, inner: (schema: Schema) => T) => T,
): (schema: Schema) => T {
  const known = new WeakMap<SchemaObject, T>()
  let depth = 0
  const ask = (schema: Schema): T => {
    const found = typeof schema === 'boolean' ? find(schema, ask) : known.get(schema)
    if (found !== undefined || depth > SHAPE_DEPTH) return found ?? otherwise
    depth += 1
    const made = find(schema, ask)
    depth -= 1
    if (typeof schema === 'object') known.set(schema, made)
    return made
  }
  return ask
}

function typesOf(
  ir: InterfaceIr,
  schema: Schema,
  inner: (schema: Schema) => ReadonlySet<ValueType>,
): ReadonlySet<ValueType> {
  if (typeof schema === 'boolean') return schema ? ALL : new Set()
  const union = (list: readonly Schema[]) => new Set(list.flatMap((one) => [...inner(one)]))
  const target = schema.$ref === undefined ? undefined : ir.schemas[refName(schema.$ref)]
  const limits = [
    declaredTypes(schema)?.map(valueType),
    schema.enum?.map(typeOfValue),
    schema.const === undefined ? undefined : [typeOfValue(schema.const)],
    target === undefined ? undefined : inner(target),
    schema.oneOf === undefined ? undefined : union(schema.oneOf),
    schema.anyOf === undefined ? undefined : union(schema.anyOf),
    ...(schema.allOf ?? []).map(inner),
  ]
    .filter((limit) => limit !== undefined)
    .map((limit) => new Set(limit))
  return new Set(ALL_TYPES.filter((type) => limits.every((limit) => limit.has(type))))
}

/** The type as values have it. */
export function valueType(type: SchemaType): ValueType {
  return type === 'integer' ? 'number' : type
}

/** The JSON type of a literal in a document. */
export function typeOfValue(value: unknown): ValueType {
  return valueType(typeOf(value))
}

/** The schemas whose rules hold for the values of this one too. */
function sameRules(ir: InterfaceIr, schema: Schema): readonly Schema[] {
  if (typeof schema === 'boolean') return []
  const target = schema.$ref === undefined ? undefined : ir.schemas[refName(schema.$ref)]
  return [...(target === undefined ? [] : [target]), ...(schema.allOf ?? [])]
}

function add(a: number, b: number): number {
  return a + b
}

function shapeOf(
  ir: InterfaceIr,
  schema: Schema,
  inner: (schema: Schema) => ObjectShape,
): ObjectShape {
  if (typeof schema === 'boolean') return NO_SHAPE
  const bases = sameRules(ir, schema).map(inner)
  return {
    required: new Set([...bases.flatMap((base) => [...base.required]), ...(schema.required ?? [])]),
    properties: new Map([
      ...bases.flatMap((base) => [...base.properties]),
      ...Object.entries(schema.properties ?? {}),
    ]),
  }
}
