// Puts two schemas that must both fit into one, keyword by keyword, where one schema can say it.
import type { Schema, SchemaObject } from '../ir.ts'
import { keyword } from '../keywords/table.ts'
import { sharedTypes, typesOf } from '../keywords/types.ts'
import { keywordValue, stricterLimit } from '../keywords/values.ts'
import { compareText } from '../values.ts'
import { same } from './sets.ts'

type Draft = Record<string, unknown>
type Both = (a: SchemaObject, b: SchemaObject) => unknown

/** Ways to join keywords that are no limits, if both schemas have them. */
const TOGETHER: Readonly<Record<string, Both>> = {
  type: (a, b) => {
    const [first, ...more] = sharedTypes(typesOf(a), typesOf(b))
    return first === undefined || more.length === 0 ? first : [first, ...more]
  },
  required: ({ required: a = [] }, { required: b = [] }) =>
    [...new Set([...a, ...b])].sort(compareText),
  properties: ({ properties: a = {} }, { properties: b = {} }) => {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(compareText)
    return Object.fromEntries(names.map((name) => [name, bothOf(own(a, name), own(b, name))]))
  },
  items: ({ items: a = true }, { items: b = true }) => bothOf(a, b),
  enum: ({ enum: a = [] }, { enum: b = [] }) =>
    a.filter((value) => b.some((other) => same(value, other))),
}

/** The value that says both; undefined if one schema cannot. */
function together(key: string, a: SchemaObject, b: SchemaObject): unknown {
  const row = keyword(key)
  return row?.stricter === undefined
    ? TOGETHER[key]?.(a, b)
    : stricterLimit(row, keywordValue(a, key), keywordValue(b, key))
}

/** One schema that says what both say; undefined where one cannot. Of words, those of `a` stay. */
export function intersection(a: SchemaObject, b: SchemaObject): SchemaObject | undefined {
  if (!isSameScope(a, b)) return undefined
  const whole: Draft = { ...b, ...a }
  for (const [key, other] of Object.entries(b)) {
    if (
      !Object.hasOwn(a, key) ||
      keyword(key)?.role === 'note' ||
      key.startsWith('x-') ||
      same(whole[key], other)
    )
      continue
    const value = together(key, a, b)
    if (value === undefined) return undefined
    whole[key] = value
  }
  return whole
}

/**
 * Items and other properties mean those that the same schema does not name; two unions are one
 * after the other.
 */
function isSameScope(a: SchemaObject, b: SchemaObject): boolean {
  const isNamed = (one: SchemaObject, other: SchemaObject): boolean =>
    isFree(one.additionalProperties ?? true) ||
    (Object.keys(other.properties ?? {}).every((name) =>
      Object.hasOwn(one.properties ?? {}, name),
    ) &&
      same(one.patternProperties, other.patternProperties))
  const isListed = (one: SchemaObject, other: SchemaObject): boolean =>
    one.items === undefined ||
    (other.items === undefined && other.prefixItems === undefined) ||
    same(one.prefixItems, other.prefixItems)
  if (
    (a.oneOf !== undefined && b.anyOf !== undefined) ||
    (a.anyOf !== undefined && b.oneOf !== undefined)
  )
    return false
  return isNamed(a, b) && isNamed(b, a) && isListed(a, b) && isListed(b, a)
}

/** True for a schema that says nothing. */
export function isFree(schema: Schema): boolean {
  return schema === true || (typeof schema === 'object' && Object.keys(schema).length === 0)
}

function own(properties: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function bothOf(a: Schema | undefined, b: Schema | undefined): Schema {
  if (a === undefined || b === undefined) return a ?? b ?? true
  if (same(a, b) || b === true) return a
  return a === true ? b : { allOf: [a, b] }
}
