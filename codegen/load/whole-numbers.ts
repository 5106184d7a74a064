// Int64 and plain numbers about one value: a handler gets bigint for the first and number for the
// second, and no value is both. What is int64 in one part of a schema is int64 in all of them.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { isInt64, typesOf } from '../keywords/types.ts'
import { mapSchemas } from './map-operation.ts'
import { mapSchema } from './map-schema.ts'
import { reachIn } from './reach.ts'
import { refName } from './refs.ts'
import { mapValues } from '../values.ts'

type Schemas = Readonly<Record<string, Schema>>
/** The schema objects that one value has to fit. */
type Place = readonly SchemaObject[]

/** State while the schemas of an interface are changed. */
interface Numbers {
  readonly schemas: Schemas
  /** True where an int64 is reached, over any number of references. */
  readonly reaches: (schema: Schema) => boolean
  /** The count of numbers that have become int64. */
  changed: number
}

/** Steps from members to members, and by reference: in a recursive document they have no end. */
const MAX_STEPS = 8
const INT32: SchemaObject = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

/**
 * The IR in which a plain number is int64 wherever another part of the same schema says so. A
 * reference to a component with such a number gives way to what it refers to.
 */
export function withWholeNumbers(ir: InterfaceIr): InterfaceIr {
  const numbers: Numbers = {
    schemas: ir.schemas,
    reaches: reachIn(ir.schemas).somewhere(isInt64),
    changed: 0,
  }
  const change = (schema: Schema): Schema =>
    mapSchema(schema, (part) =>
      isComposed(part) && numbers.reaches(part)
        ? aligned(numbers, part, placeOf(ir.schemas, [part]), 0)
        : part,
    )
  return {
    ...ir,
    schemas: mapValues(ir.schemas, change),
    operations: ir.operations.map((operation) => mapSchemas(operation, change)),
  }
}

/** True where more than one schema speaks of the same value. */
function isComposed({ $ref, allOf, anyOf, oneOf, ...rest }: SchemaObject): boolean {
  const hasOthers = (anyOf ?? oneOf ?? $ref) !== undefined && Object.keys(rest).length > 0
  return allOf !== undefined || hasOthers
}

/** The schemas with all that they take in by reference and `allOf`. */
function placeOf(schemas: Schemas, given: readonly Schema[]): Place {
  const place = new Set(given.filter((one) => typeof one === 'object'))
  for (const { $ref, allOf = [] } of place) {
    const target = $ref === undefined ? [] : [schemas[refName($ref)] ?? true]
    for (const one of [...target, ...allOf]) if (typeof one === 'object') place.add(one)
  }
  return [...place]
}

/** A schema of the place, with its numbers as the place has them. */
function aligned(
  numbers: Numbers,
  schema: SchemaObject,
  place: Place,
  steps: number,
): SchemaObject {
  if (steps > MAX_STEPS) return schema
  const here = (one: Schema): Schema =>
    typeof one === 'boolean' ? one : aligned(numbers, one, place, steps + 1)
  const below = (one: Schema, step: (part: SchemaObject) => Schema | undefined): Schema => {
    const all = place.flatMap((part) => step(part) ?? [])
    return typeof one === 'object' && all.length > 1 && all.some(numbers.reaches)
      ? aligned(numbers, one, placeOf(numbers.schemas, all), steps + 1)
      : one
  }
  const { properties, items, allOf, anyOf, oneOf, discriminator } = schema
  // A tag chooses its variant by name, so a reference stays one there.
  const variants = (given: readonly Schema[]): readonly Schema[] =>
    discriminator === undefined ? given.map(here) : given
  const members = Object.entries(properties ?? {}).map(([name, one]) => {
    return [name, below(one, (part) => memberOf(part, name))] as const
  })
  return withTarget(numbers, here, {
    ...asInt64(numbers, schema, place),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(items === undefined ? {} : { items: below(items, (part) => part.items) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(here) }),
    ...(anyOf === undefined ? {} : { anyOf: variants(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: variants(oneOf) }),
  })
}

function memberOf({ properties }: SchemaObject, name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The target in place of its reference, if numbers differ there. */
function withTarget(
  numbers: Numbers,
  here: (schema: Schema) => Schema,
  schema: SchemaObject,
): SchemaObject {
  const { $ref, ...rest } = schema
  if ($ref === undefined) return schema
  const before = numbers.changed
  const target = here(numbers.schemas[refName($ref)] ?? true)
  if (numbers.changed === before || typeof target === 'boolean') return schema
  return Object.keys(rest).length === 0
    ? target
    : { ...rest, allOf: [...(rest.allOf ?? []), target] }
}

/** A plain number as int64 where a schema of the place is; the limits of int32 are kept. */
function asInt64(numbers: Numbers, schema: SchemaObject, place: Place): SchemaObject {
  const types = typesOf(schema)
  const isPlain = types.includes('integer') || types.includes('number')
  const isFixed = schema.format === 'int64' || schema.format === 'decimal'
  if (!isPlain || isFixed || !place.some(isInt64)) return schema
  numbers.changed += 1
  const whole = [...new Set(types.map((type) => (type === 'number' ? 'integer' : type)))]
  const [first = 'integer', ...others] = whole
  return {
    ...schema,
    ...(schema.format === 'int32' ? { allOf: [...(schema.allOf ?? []), INT32] } : {}),
    format: 'int64',
    type: others.length === 0 ? first : whole,
  }
}
