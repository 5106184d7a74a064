// Takes a schema's references and `allOf` together into one: values can be made for one list of
// limits, not for several.
import { canonicalJson } from '../json.ts'
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { keywords } from '../keywords/table.ts'
import { sharedTypes, typesOf } from '../keywords/types.ts'
import { keywordValue, stricterLimit } from '../keywords/values.ts'
import { refName } from '../load/refs.ts'
import { once } from '../once.ts'
import type { Fields } from '../values.ts'
import type { UnionKeyword } from './validators-union.ts'
import { given } from '../values.ts'

/** The keywords of a schema object that are no part of another: those of `Merged.keys`. */
export type Keys = Omit<SchemaObject, '$ref' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'const'>

export interface MergedUnion {
  readonly keyword: UnionKeyword
  readonly schema: SchemaObject
}

export interface Merged {
  readonly keys: Keys
  readonly unions: readonly MergedUnion[]
  /** False when rules were left out that a check still has to try. */
  readonly isExact: boolean
  /** True when no value fits. */
  readonly isEmpty: boolean
}

const NOTHING: Merged = { keys: {}, unions: [], isExact: true, isEmpty: true }
const ANYTHING: Merged = { keys: {}, unions: [], isExact: true, isEmpty: false }

/** One schema with the same values, as far as it is exact. */
export function mergedSchema(ir: InterfaceIr, schema: Schema): Merged {
  if (typeof schema === 'boolean') return schema ? ANYTHING : NOTHING
  const { $ref, allOf = [], anyOf, oneOf, not, const: constant, discriminator, ...keys } = schema
  const tag = discriminator === undefined ? {} : { discriminator }
  const own: Merged = {
    keys: 'const' in schema ? { ...keys, enum: [constant] } : keys,
    unions: [
      ...(oneOf === undefined ? [] : [{ keyword: 'oneOf', schema: { oneOf, ...tag } } as const]),
      ...(anyOf === undefined ? [] : [{ keyword: 'anyOf', schema: { anyOf, ...tag } } as const]),
    ],
    isExact: not === undefined,
    isEmpty: false,
  }
  const target = $ref === undefined ? [] : [mergedComponent(ir, refName($ref))]
  return together([own, ...target, ...allOf.map((part) => mergedSchema(ir, part))])
}

/** All of them as one, by halves: each step copies what it joins. */
function together(parts: readonly Merged[]): Merged {
  const [first = ANYTHING, second] = parts
  if (second === undefined) return first
  const half = Math.ceil(parts.length / 2)
  return both(together(parts.slice(0, half)), together(parts.slice(half)))
}

const components = once((_ir: InterfaceIr) => new Map<string, Merged>())

/** A component may be reached in many ways, and is merged once. */
function mergedComponent(ir: InterfaceIr, name: string): Merged {
  const known = components(ir)
  const found = known.get(name) ?? mergedSchema(ir, ir.schemas[name] ?? true)
  known.set(name, found)
  return found
}

/** Keywords by which two schemas say different things that no one schema says. */
const UNMERGED = [
  ...keywords(
    ({ check, stricter, form }) => check !== undefined && stricter === undefined && form !== 'flag',
  ).map(([name]) => name),
  'format',
  'prefixItems',
]

function both(a: Merged, b: Merged): Merged {
  const isTyped = a.keys.type !== undefined && b.keys.type !== undefined
  const types = isTyped ? sharedTypes(typesOf(a.keys), typesOf(b.keys)) : undefined
  const listed = commonValues(a.keys.enum, b.keys.enum)
  const keys: Keys = {
    ...b.keys,
    ...a.keys,
    ...given({ type: types, enum: listed }),
    ...limits(a.keys, b.keys),
    ...objectKeys(a.keys, b.keys),
    ...arrayKeys(a.keys, b.keys),
  }
  const isSame = UNMERGED.every((key) => {
    const [one, other] = [keywordValue(a.keys, key), keywordValue(b.keys, key)]
    return one === undefined || other === undefined || canonicalJson(one) === canonicalJson(other)
  })
  return {
    keys,
    unions: [...new Set([...a.unions, ...b.unions])],
    isExact: a.isExact && b.isExact && isSame,
    isEmpty: a.isEmpty || b.isEmpty || types?.length === 0 || listed?.length === 0,
  }
}

function commonValues(
  a: readonly unknown[] | undefined,
  b: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const known = new Set(b.map((value) => canonicalJson(value)))
  return a.filter((value) => known.has(canonicalJson(value)))
}

const LIMITS = keywords(({ stricter }) => stricter !== undefined)

/** The stricter of the limits that both have. */
function limits(a: Keys, b: Keys): Fields {
  const both = LIMITS.filter(([name]) => name in a && name in b)
  return Object.fromEntries(
    both.map(([name, row]) => [
      name,
      stricterLimit(row, keywordValue(a, name), keywordValue(b, name)),
    ]),
  )
}

/**
 * `additionalProperties` speaks only of names that stand beside it, so each side's holds for the
 * other's own names.
 */
function objectKeys(a: Keys, b: Keys): Keys {
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})])
  const properties = [...names].map((name): readonly [string, Schema] => [
    name,
    all(propertyOf(a, name), propertyOf(b, name)),
  ])
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])]
  const patterns = Object.entries(b.patternProperties ?? {}).map(([pattern, schema]) => {
    return [pattern, all(a.patternProperties?.[pattern], schema)] as const
  })
  const readOnly = a.readOnly === true || b.readOnly === true
  return {
    ...(names.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(a.additionalProperties === undefined && b.additionalProperties === undefined
      ? {}
      : { additionalProperties: all(a.additionalProperties, b.additionalProperties) }),
    ...(patterns.length === 0
      ? {}
      : { patternProperties: { ...a.patternProperties, ...Object.fromEntries(patterns) } }),
    ...(a.propertyNames === undefined && b.propertyNames === undefined
      ? {}
      : { propertyNames: all(a.propertyNames, b.propertyNames) }),
    ...(readOnly ? { readOnly } : {}),
  }
}

function propertyOf(keys: Keys, name: string): Schema | undefined {
  const own = keys.properties
  return own !== undefined && Object.hasOwn(own, name) ? own[name] : keys.additionalProperties
}

function arrayKeys(a: Keys, b: Keys): Keys {
  return {
    ...(a.items === undefined && b.items === undefined ? {} : { items: all(a.items, b.items) }),
    ...(a.uniqueItems === true || b.uniqueItems === true ? { uniqueItems: true } : {}),
  }
}

function isOnlyAll(schema: Schema): schema is { readonly allOf: readonly Schema[] } {
  return typeof schema === 'object' && 'allOf' in schema && Object.keys(schema).length === 1
}

/** The schema of values that fit all of these. */
export function all(...schemas: readonly (Schema | undefined)[]): Schema {
  const distinct = new Map(
    schemas
      .filter((one) => one !== undefined && one !== true)
      .flatMap((one) => (isOnlyAll(one) ? one.allOf : [one]))
      .map((one) => [canonicalJson(one), one]),
  )
  const known = [...distinct.values()].filter((one) => one !== undefined)
  if (known.includes(false)) return false
  return known.length === 0 ? true : known.length === 1 ? (known[0] ?? true) : { allOf: known }
}
