// Defaults that do not fit their schema. Handlers would get what their types exclude, so such
// a default is not filled in.
import { canonicalJson } from '../json.ts'
import { fields, isFields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { child, peek, report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

const MOST_DEPTH = 30

/** The schema without its default where that does not fit, with a finding. */
export function withFittingDefault(resolver: Resolver, at: Located): Located {
  const { default: value, ...rest } = fields(at.value)
  if (value === undefined || fits(resolver, at, value, 0)) return at
  const message = 'the default does not fit its schema: it is ignored'
  report(resolver, child(at, 'default'), 'warning', 'default-invalid', message)
  return { ...at, value: rest }
}

/** True where types and listed values, of the schema and its parts, admit the value. */
function fits(resolver: Resolver, at: Located, value: unknown, depth: number): boolean {
  if (at.value === false) return false
  if (!isFields(at.value) || depth > MOST_DEPTH) return true
  const schema = at.value
  if (value === null && schema['nullable'] === true) return true
  const inner = (part: Located, item: unknown): boolean => fits(resolver, part, item, depth + 1)
  const parts = (key: string): readonly Located[] =>
    items(schema[key]).map((_, index) => child(at, key, String(index)))
  const some = (key: string): boolean =>
    parts(key).length === 0 || parts(key).some((part) => inner(part, value))
  const target = text(schema['$ref']) === undefined ? undefined : peek(resolver, at)
  return (
    isOfType(schema['type'], value) &&
    isListed(schema, value) &&
    (target === undefined || inner(target, value)) &&
    parts('allOf').every((part) => inner(part, value)) &&
    some('anyOf') &&
    some('oneOf') &&
    (!isFields(value) || hasMembers(at, value, inner)) &&
    (!Array.isArray(value) || value.every((item) => inner(child(at, 'items'), item)))
  )
}

function isOfType(type: unknown, value: unknown): boolean {
  const types = typeof type === 'string' ? [type] : texts(type)
  return types.length === 0 || types.some((one) => TYPES[one]?.(value) !== false)
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: isNumber,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isFields,
}

function isListed(schema: Fields, value: unknown): boolean {
  const lists = [schema['enum'], 'const' in schema ? [schema['const']] : undefined]
  const said = canonicalJson(value)
  return lists.every((list) => {
    return !Array.isArray(list) || list.some((one) => canonicalJson(one) === said)
  })
}

/** Required members may be filled in by defaults of their own. */
function hasMembers(
  at: Located,
  value: Fields,
  inner: (part: Located, item: unknown) => boolean,
): boolean {
  const { properties, required } = fields(at.value)
  const isThere = (name: string): boolean =>
    Object.hasOwn(value, name) || 'default' in fields(fields(properties)[name])
  return (
    texts(required).every(isThere) &&
    Object.entries(value).every(([name, item]) => {
      return !Object.hasOwn(fields(properties), name) || inner(child(at, 'properties', name), item)
    })
  )
}
