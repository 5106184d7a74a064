// Defaults that do not fit their schema. Handlers would get what their types exclude, so such
// a default is not filled in.
import { canonicalJson } from '../json.ts'
import { fields, isFields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { child, peek, report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/** Schemas that one default is checked against: beyond that it counts as fitting. */
const MOST_STEPS = 1_000

/** The schema without its default where that does not fit, with a finding. */
export function withFittingDefault(resolver: Resolver, at: Located): Located {
  const { default: value, ...rest } = fields(at.value)
  if (value === undefined || new Fitting(resolver).fits(at, value)) return at
  const message = 'the default does not fit its schema: it is ignored'
  report(resolver, child(at, 'default'), 'default-invalid', message)
  return { ...at, value: rest }
}

class Fitting {
  readonly #resolver: Resolver
  #steps = 0

  constructor(resolver: Resolver) {
    this.#resolver = resolver
  }

  /** True where types, listed values and members, of the schema and its parts, admit the value. */
  fits(at: Located, value: unknown): boolean {
    this.#steps += 1
    if (at.value === false) return false
    if (!isFields(at.value) || this.#steps > MOST_STEPS) return true
    const schema = at.value
    if (value === null && schema['nullable'] === true) return true
    // What stands beside a reference does not count in every version.
    if (text(schema['$ref']) !== undefined) return this.#fitsTarget(at, value)
    const parts = (key: string): readonly Located[] =>
      items(schema[key]).map((_, index) => child(at, key, String(index)))
    const some = (key: string): boolean =>
      parts(key).length === 0 || parts(key).some((part) => this.fits(part, value))
    return (
      isOfType(schema['type'], value) &&
      isListed(schema, value) &&
      parts('allOf').every((part) => this.fits(part, value)) &&
      some('anyOf') &&
      some('oneOf') &&
      (!isFields(value) || this.#hasMembers(at, value)) &&
      (!Array.isArray(value) || this.#hasItems(at, parts('prefixItems'), value))
    )
  }

  #fitsTarget(at: Located, value: unknown): boolean {
    const target = peek(this.#resolver, at)
    return target === undefined || this.fits(target, value)
  }

  #hasItems(at: Located, first: readonly Located[], value: readonly unknown[]): boolean {
    return value.every((item, index) => this.fits(first[index] ?? child(at, 'items'), item))
  }

  #hasMembers(at: Located, value: Fields): boolean {
    const { properties, required } = fields(at.value)
    const declared = fields(properties)
    return (
      texts(required).every((name) => Object.hasOwn(value, name) || mayBeAbsent(declared[name])) &&
      Object.entries(value).every(([name, item]) => {
        return !Object.hasOwn(declared, name) || this.fits(child(at, 'properties', name), item)
      })
    )
  }
}

/** It goes one way only, or a default may fill it in, be it one that stands further away. */
function mayBeAbsent(property: unknown): boolean {
  if (!isFields(property)) return true
  return (
    ['default', '$ref', 'allOf'].some((key) => key in property) ||
    property['readOnly'] === true ||
    property['writeOnly'] === true
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
