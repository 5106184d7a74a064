// Prints the check of one schema at one place: type first, and only for a value of the right type
// every other keyword.
import type { Schema, SchemaObject } from '../ir.ts'
import type { PrintCheck } from '../keywords/keyword.ts'
import type { NamesWhere } from '../keywords/table.ts'
import { isInt64 } from '../keywords/types.ts'
import { refName } from '../load/refs.ts'
import { declaredTypes, typeOfValue, type ValueType, valueType } from './validators-facts.ts'
import { objectRules } from './validators-object.ts'
import {
  bad,
  isNoneOf,
  isOneOf,
  type Place,
  type Printer,
  testedTypes,
  want,
  withError,
} from './validators-place.ts'
import { arrayRules, numberRules, stringRules, valueRules } from './validators-rules.ts'
import { identifier, pointerText, unless, when } from './validators-text.ts'
import { unionRules } from './validators-variants.ts'

/** Statements that append the violations of `schema` at `place`; none when all values fit. */
export function checkLines(printer: Printer, schema: Schema, outer: Place): readonly string[] {
  if (schema === true) return []
  if (schema === false) return [bad(outer, 'not', 'must not be there')]
  const place = withError(printer, schema, outer)
  const types = declaredTypes(schema)?.map(valueType)
  const known = new Set(
    [...place.known].filter((type) => types === undefined || types.includes(type)),
  )
  const tested = testedTypes(schema, place.known)
  const fail = want(tested ?? [], place)
  if (known.size === 0) return [fail]
  const rest = rules(printer, schema, { ...place, known })
  return tested === undefined ? rest : unless(isNoneOf(place.v, tested), fail, rest)
}

/** Name of the check function of a component or root. */
export function checkName(name: string): string {
  return `check_${identifier(name)}`
}

/**
 * The depth argument for a call that checks `schema`: empty when its values cannot nest without
 * bound.
 */
export function depthArgument(printer: Printer, schema: Schema, isTop: boolean): string {
  return printer.facts.isDeep(schema) ? (isTop ? ', d' : ', d + 1') : ''
}

function rules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  return [...new Set(Object.values(PRINTERS))].flatMap((print) => print(printer, schema, place))
}

/** Keywords of values that have no check in the table of keywords. */
type BuiltKeyword = Exclude<
  NamesWhere<{ kept: true; role: 'type' | 'values' | 'composition' | 'rule' }>,
  NamesWhere<{ check: PrintCheck }>
>

/**
 * What prints the check of each, in the order of the printed lines. A row that is added to the
 * table with neither a check nor a printer does not compile.
 */
const PRINTERS: Readonly<
  Record<BuiltKeyword, (printer: Printer, schema: SchemaObject, place: Place) => readonly string[]>
> = {
  $ref: refRule,
  type: typedRules,
  format: typedRules,
  properties: typedRules,
  patternProperties: typedRules,
  additionalProperties: typedRules,
  propertyNames: typedRules,
  required: typedRules,
  items: typedRules,
  prefixItems: typedRules,
  enum: constantRules,
  const: constantRules,
  allOf: allOfRules,
  anyOf: (...at) => unionRules('anyOf', ...at),
  oneOf: (...at) => unionRules('oneOf', ...at),
  not: notRule,
}

/** More parts than this are checked in functions of their own: the compiler bears so many lines. */
const MOST_PARTS = 100

function allOfRules(
  printer: Printer,
  { allOf = [] }: SchemaObject,
  place: Place,
): readonly string[] {
  if (allOf.length <= MOST_PARTS) return allOf.flatMap((inner) => printer.check(inner, place))
  return Array.from({ length: Math.ceil(allOf.length / MOST_PARTS) }, (_, index) => ({
    allOf: allOf.slice(index * MOST_PARTS, (index + 1) * MOST_PARTS),
  })).flatMap((some) => outlinedLines(printer, some, place))
}

function refRule(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  if (schema.$ref === undefined) return []
  const depth = depthArgument(printer, { $ref: schema.$ref }, place.top)
  return callLines(`${checkName(refName(schema.$ref))}(${place.v}, e${depth})`, place)
}

/** The same by a function of its own: what stands this deep in others is printed apart. */
export function outlinedLines(printer: Printer, schema: Schema, outer: Place): readonly string[] {
  const place = withError(printer, schema, outer)
  const depth = depthArgument(printer, schema, place.top)
  return callLines(`${printer.outline(schema)}(${place.v}, e${depth})`, place)
}

function callLines(called: string, place: Place): readonly string[] {
  if (place.pointer.length === 0 && place.error === undefined) return [called]
  const error = place.error === undefined ? '' : `, ${place.error}`
  return [`at(e, e.length, ${called}, ${pointerText(place.pointer)}${error})`]
}

function typedRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  const only = (type: ValueType): Place => ({ ...place, known: new Set([type]) })
  const groups: readonly (readonly [ValueType, () => readonly string[]])[] = [
    ['string', () => stringRules(printer, schema, only('string'))],
    ['number', () => numberRules(printer, schema, only('number'))],
    ['array', () => arrayRules(printer, schema, only('array'))],
    ['object', () => objectRules(printer, schema, only('object'))],
  ]
  return groups
    .filter(([type]) => place.known.has(type))
    .flatMap(([type, lines]) => {
      return when(place.known.size === 1 ? '' : isOneOf(place.v, [type]), lines())
    })
}

function constantRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  const lists = [
    ['enum', schema.enum],
    ['const', schema.const === undefined ? undefined : [schema.const]],
  ] as const
  return lists.flatMap(([keyword, all]) => {
    if (all === undefined) return []
    const values = all.filter((value) => place.known.has(typeOfValue(value)))
    return valueRules(printer, keyword, values, isInt64(schema) || values.some(isLong), place)
  })
}

function isLong(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !(Math.abs(value) < 1e15))
}

function notRule(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  if (schema.not === undefined) return []
  const n = printer.fresh('n')
  const lines = printer.check(schema.not, place)
  const otherwise = bad(place, 'not', 'must not fit')
  return [
    `const ${n} = e.length`,
    ...lines,
    `if (e.length > ${n}) e.length = ${n}`,
    `else ${otherwise}`,
  ]
}
