// Prints the keywords for objects: required and properties in straight lines, then one loop for the
// keys that have no name.
import type { Schema, SchemaObject } from '../ir.ts'
import { refName } from '../load/refs.ts'
import type { Facts } from './validators-facts.ts'
import { regExp } from '../keywords/checks.ts'
import { namesWhere } from '../keywords/table.ts'
import { literal, quote } from '../literals.ts'
import {
  bad,
  inside,
  missing,
  type Place,
  type Printer,
  propertyPlace,
  withError,
} from './validators-place.ts'
import { ownRules } from './validators-rules.ts'
import { chunks, belowCode, read, unless, when } from './validators-text.ts'
import { planUnion } from './validators-union.ts'

/** All keywords for a value that is known to be an object. */
export function objectRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  return [
    ...ownRules(printer, schema, place, 'object'),
    ...propertyRules(printer, schema, place),
    ...keyRules(printer, schema, place),
  ]
}

function propertyRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required ?? [])
  const named = new Set(properties.map(([key]) => key))
  const rules = [
    ...properties.map(([key, inner]) =>
      propertyRule(printer, schema, place, key, inner, required.has(key)),
    ),
    ...[...required]
      .filter((key) => !named.has(key))
      .map((key) => {
        const absent = withError(printer, schema, {
          ...propertyPlace(place, key, ''),
          error: undefined,
        })
        return [`if (${read(place.v, key)} === undefined) ${missing(absent)}`]
      }),
  ]
  const parts = chunks(rules)
  return parts.length > 1 && place.pointer.length === 0
    ? parts.map((lines) => printer.part('check', place.v, lines))
    : parts.flat()
}

// A missing property is blamed on its own x-error, else on that of the schema that requires it.
function propertyRule(
  printer: Printer,
  schema: SchemaObject,
  parent: Place,
  key: string,
  inner: Schema,
  isRequired: boolean,
): readonly string[] {
  const place = propertyPlace(parent, key, printer.fresh('v'))
  const lines = printer.check(inner, place)
  const declared = `const ${place.v} = ${read(parent.v, key)}`
  if (!isRequired)
    return lines.length === 0 ? [] : [declared, ...when(`${place.v} !== undefined`, lines)]
  const near = withError(printer, inner, place)
  const absent = withError(
    printer,
    inner,
    withError(printer, schema, { ...place, error: undefined }),
  )
  if (lines.length === 0) return [`if (${read(parent.v, key)} === undefined) ${missing(absent)}`]
  const saysMissing = reportsMissing(printer.facts, inner) && near.error === absent.error
  return saysMissing
    ? [declared, ...lines]
    : [declared, ...unless(`${place.v} === undefined`, missing(absent), lines)]
}

const NEUTRAL_KEYS: ReadonlySet<string> = new Set([
  '$ref',
  'oneOf',
  'anyOf',
  'discriminator',
  ...namesWhere({ role: 'note' }),
])

// True when the check of undefined by itself says, and only says, that a required value is missing.
function reportsMissing(facts: Facts, schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  if (schema.type !== undefined) return true
  const { $ref, oneOf, anyOf } = schema
  if (Object.keys(schema).some((key) => !NEUTRAL_KEYS.has(key))) return false
  if ($ref !== undefined && oneOf === undefined && anyOf === undefined) {
    const target = facts.ir.schemas[refName($ref)] ?? true
    return (
      typeof target === 'object' && target['x-error'] === undefined && reportsMissing(facts, target)
    )
  }
  if ((oneOf === undefined) === (anyOf === undefined)) return false
  return ['tag', 'external'].includes(
    planUnion(facts, schema, oneOf === undefined ? 'anyOf' : 'oneOf').kind,
  )
}

function keyRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  const k = printer.fresh('k')
  const v = printer.fresh('v')
  const value = inside(place, belowCode(place.pointer, k), v)
  const names =
    schema.propertyNames === undefined
      ? []
      : printer.check(schema.propertyNames, { ...value, v: k })
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, inner]) => ({
    re: printer.constant('re', regExp(pattern)),
    inner,
  }))
  const matched = patterns.flatMap(({ re, inner }) =>
    when(`${re}.test(${k})`, printer.check(inner, value)),
  )
  const inner = additional(printer, schema, value)
  const others =
    inner.length === 0
      ? []
      : when(
          isAdditional(
            printer,
            schema,
            patterns.map(({ re }) => re),
            k,
          ),
          inner,
        )
  if (names.length + matched.length + others.length === 0) return []
  return [
    `for (const ${k} of Object.keys(${place.v})) {`,
    ...names,
    ...(matched.length + others.length === 0
      ? []
      : [`const ${v} = ${place.v}[${k}]`, `if (${v} === undefined) continue`]),
    ...matched,
    ...others,
    '}',
  ]
}

function additional(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  if (schema.additionalProperties === undefined) return []
  if (schema.additionalProperties === false)
    return [bad(place, 'additionalProperties', 'is not a known property')]
  return printer.check(schema.additionalProperties, place)
}

function isAdditional(
  printer: Printer,
  schema: SchemaObject,
  patterns: readonly string[],
  k: string,
): string {
  const names = Object.keys(schema.properties ?? {})
  const unnamed =
    names.length > 4
      ? [
          `!${printer.constant('s', `new Set<unknown>([${names.map(literal).join(', ')}])`)}.has(${k})`,
        ]
      : names.map((name) => `${k} !== ${quote(name)}`)
  const tests = [...unnamed, ...patterns.map((re) => `!${re}.test(${k})`)]
  return tests.length === 0 ? '' : tests.join(' && ')
}
