// Brings schemas into one form before they are compared, so that other spelling is no change: null
// stands apart however it is written, one part of an allOf is no composition, and limits that limit
// nothing are left out.
import type { Schema, SchemaObject, SchemaType } from '../ir.ts'
import { keywords, namesWhere } from '../keywords/table.ts'
import { typesOf } from '../keywords/types.ts'
import { keywordValue } from '../keywords/values.ts'
import { isFields } from '../values.ts'
import { intersection } from './schema-merge.ts'
import { same } from './sets.ts'

export interface Core {
  readonly schema: SchemaObject
  /** Null is allowed beside what the core says. */
  readonly orNull: boolean
  /** Keys between the schema and its core. */
  readonly keys: readonly string[]
}

export const UNIONS = ['oneOf', 'anyOf'] as const
const LIMITS = keywords(({ check }) => check !== undefined)

/** Keywords that say nothing of which values are valid. */
const WORDS: ReadonlySet<string> = new Set(namesWhere({ role: 'note' }))

/** True for a keyword that says nothing of which values are valid. */
export function isWords(key: string): boolean {
  return WORDS.has(key) || key.startsWith('x-')
}

/** A schema without its null. */
export function coreOf(schema: SchemaObject): Core {
  const { schema: whole, keys } = unwrapped(plain(schema))
  const values = valuesOf(whole)
  const types = Array.isArray(whole.type) ? whole.type : []
  const isListed = values?.includes(null) ?? true
  if (
    (types.length > 1 && types.includes('null')) ||
    (whole.type === undefined && values !== undefined && values.length > 1 && isListed)
  ) {
    return { schema: withoutNull(whole, types), orNull: isListed, keys }
  }
  return nullVariant(whole, keys) ?? { schema: whole, orNull: false, keys }
}

function withoutNull(
  { type: _type, ...schema }: SchemaObject,
  types: readonly SchemaType[],
): SchemaObject {
  const [first, ...more] = types.filter((type) => type !== 'null')
  return {
    ...schema,
    ...(schema.enum === undefined ? {} : { enum: schema.enum.filter((value) => value !== null) }),
    ...(first === undefined ? {} : { type: more.length > 0 ? [first, ...more] : first }),
  }
}

/**
 * Null among the variants: the one that is left is the core where nothing but words stands beside.
 */
function nullVariant(schema: SchemaObject, keys: readonly string[]): Core | undefined {
  for (const key of UNIONS) {
    const { [key]: variants = [], ...beside } = schema
    const rest = variants.filter((variant) => !isNull(variant))
    if (rest.length === variants.length || rest.length === 0) continue
    const [only] = rest
    if (rest.length > 1 || !isFields(only) || !Object.keys(beside).every(isWords))
      return { schema, orNull: true, keys }
    const below = unwrapped(plain({ ...only, ...beside }))
    return {
      schema: below.schema,
      orNull: true,
      keys: [...keys, key, String(variants.indexOf(only)), ...below.keys],
    }
  }
  return undefined
}

/** True for a schema that null alone fits. */
export function isNull(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  const { schema: whole } = unwrapped(schema)
  const { type = 'null', enum: _values, const: _only, ...beside } = whole
  const values = valuesOf(whole) ?? (whole.type === undefined ? [] : [null])
  return (
    type === 'null' &&
    same(values, [null]) &&
    Object.keys(beside).every((key) => isWords(key) || key.startsWith('min'))
  )
}

/** The values that a schema lists; undefined where it lists none. */
export function valuesOf(schema: SchemaObject): readonly unknown[] | undefined {
  if (!('const' in schema)) return schema.enum
  const { const: only, enum: values } = schema
  return values === undefined || values.some((value) => same(value, only)) ? [only] : []
}

/** An allOf of one part says what the part says. */
export function unwrapped(schema: SchemaObject): Pick<Core, 'schema' | 'keys'> {
  const { allOf: [part, ...more] = [], ...beside } = schema
  if (more.length > 0 || !isFields(part)) return { schema, keys: [] }
  const whole = intersection(beside, part)
  if (whole === undefined) return { schema, keys: [] }
  const { schema: inner, keys } = unwrapped(plain(whole))
  return { schema: inner, keys: Object.keys(beside).every(isWords) ? ['allOf', '0', ...keys] : [] }
}

/** A schema without limits that limit nothing; the bounds of whole numbers in one form. */
function plain(schema: SchemaObject): SchemaObject {
  const { type } = schema
  const types = typesOf(schema)
  const isOther = (of?: SchemaType): boolean =>
    types.length > 0 && !types.some((one) => one === of || (one === 'integer' && of === 'number'))
  const isIdle = ([name, { of, idle }]: (typeof LIMITS)[number]): boolean =>
    isOther(of) || (idle !== undefined && keywordValue(schema, name) === idle)
  const idle = new Set<string>(LIMITS.filter(isIdle).map(([name]) => name))
  if (type === 'integer' && schema.multipleOf === 1) idle.add('multipleOf')
  const limits: SchemaObject =
    idle.size === 0
      ? schema
      : Object.fromEntries(Object.entries(schema).filter(([key]) => !idle.has(key)))
  return type === 'integer' ? wholeBounds(limits) : limits
}

function wholeBounds(schema: SchemaObject): SchemaObject {
  const [low, high] = [nextTo(schema.exclusiveMinimum, 1), nextTo(schema.exclusiveMaximum, -1)]
  const { exclusiveMinimum, exclusiveMaximum, minimum = low, maximum = high, ...rest } = schema
  return {
    ...rest,
    ...(low === undefined && exclusiveMinimum !== undefined ? { exclusiveMinimum } : {}),
    ...(high === undefined && exclusiveMaximum !== undefined ? { exclusiveMaximum } : {}),
    ...(minimum === undefined
      ? {}
      : { minimum: low !== undefined && low > minimum ? low : minimum }),
    ...(maximum === undefined
      ? {}
      : { maximum: high !== undefined && high < maximum ? high : maximum }),
  }
}

/** The whole number next to a bound that is one. */
function nextTo(bound: number | bigint | undefined, step: 1 | -1): number | bigint | undefined {
  if (typeof bound === 'bigint') return bound + BigInt(step)
  return bound !== undefined && Number.isSafeInteger(bound) ? bound + step : undefined
}
