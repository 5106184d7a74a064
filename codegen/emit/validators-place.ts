// Where a value is checked in the function being printed, and the statements that report a
// violation there.
import type { Schema, SchemaObject } from '../ir.ts'
import { literal, quote } from '../literals.ts'
import { ALL_TYPES, declaredTypes, type Facts, type ValueType } from './validators-facts.ts'
import { below, type Pointer, pointerText } from './validators-text.ts'

export interface Place {
  /** The variable (a const or parameter) that holds the value. */
  readonly v: string
  readonly pointer: Pointer
  /** Name of the constant with the nearest `x-error`. */
  readonly error: string | undefined
  /** Types that the value can still have, as surrounding code has tested. */
  readonly known: ReadonlySet<ValueType>
  /** True at the function's own value; false inside it, where the depth rises. */
  readonly top: boolean
}

/** The target of printing: one printer a file. */
export interface Printer {
  readonly facts: Facts
  /** Statements that append the violations of `schema` at `place`; none when all values fit. */
  check(schema: Schema, place: Place): readonly string[]
  /** A variable name that the file has not got yet. */
  fresh(stem: string): string
  /** The name of a module constant with this initialiser. */
  constant(stem: string, expression: string): string
  /** Statements that lift the variable `v`; none when nothing changes. */
  lift(schema: Schema, v: string, isTop: boolean): readonly string[]
  /** The name of a check function for a schema that no component is. */
  outline(schema: Schema): string
  /** The name of a lift function for such a schema. */
  outlineLift(schema: Schema): string
  /** Unions whose lines are being printed inside each other. */
  readonly unions: { depth: number }
  /** The call of a function of its own with these lines, which read the object `v`. */
  part(way: 'check' | 'lift', v: string, lines: readonly string[]): string
}

/** The place of a function's parameter. */
export function topPlace(v: string): Place {
  return { v, pointer: [], error: undefined, known: new Set(ALL_TYPES), top: true }
}

/** The place of the property `key` of the value at `place`, held by the variable `v`. */
export function propertyPlace(place: Place, key: string, v: string): Place {
  return inside(place, below(place.pointer, key), v)
}

/** A place within the value at `place`. */
export function inside(place: Place, pointer: Pointer, v: string): Place {
  return { ...place, v, pointer, known: new Set(ALL_TYPES), top: false }
}

/** The place with the schema's own `x-error`, when it has one. */
export function withError(printer: Printer, schema: Schema, place: Place): Place {
  const error = typeof schema === 'boolean' ? undefined : schema['x-error']
  return error === undefined ? place : { ...place, error: printer.constant('x', literal(error)) }
}

/**
 * A statement of a helper that takes problems, pointer, further arguments, and the error when there
 * is one.
 */
export function call(helper: string, place: Place, ...rest: readonly string[]): string {
  const error = place.error === undefined ? [] : [place.error]
  return `${helper}(${['e', pointerText(place.pointer), ...rest, ...error].join(', ')})`
}

/** The statement that appends a violation at `place`. */
export function bad(place: Place, keyword: string, message: string): string {
  return call('bad', place, quote(keyword), quote(message), place.v)
}

/** The statement for a missing property. */
export function missing(place: Place): string {
  return call('want', place, "''", 'undefined')
}

/** The statement for a value of a wrong type. */
export function want(types: readonly string[], place: Place): string {
  const isRange = (type: string): boolean => /^int(?:32|64)$/u.test(type)
  const all = [...types.filter(isRange), ...types.filter((type) => !isRange(type))]
  return call(types.some(isRange) ? 'wantInt' : 'want', place, quote(all.join(' or ')), place.v)
}

/**
 * The types to test for, with `int32` and `int64` for integers of these formats; undefined when any
 * will do.
 */
export function testedTypes(
  schema: SchemaObject,
  known: ReadonlySet<ValueType>,
): readonly string[] | undefined {
  const types = declaredTypes(schema)
  if (types === undefined) return undefined
  const range = schema.format === 'int32' || schema.format === 'int64' ? schema.format : 'integer'
  const tested = types.map((type) => (type === 'integer' ? range : type))
  const plain = types.filter((type) => type !== 'integer')
  return [...known].every((type) => plain.some((one) => one === type)) ? undefined : tested
}

/** The expression that is true when `v` has none of the types. */
export function isNoneOf(v: string, types: readonly string[]): string {
  return types.map((type) => TESTS[type]?.[1](v) ?? '').join(' && ')
}

/** The expression that is true when `v` has one of the types. */
export function isOneOf(v: string, types: readonly string[]): string {
  return types.map((type) => TESTS[type]?.[0](v) ?? '').join(' || ')
}

function compared(
  left: (v: string) => string,
  right: string,
): readonly [(v: string) => string, (v: string) => string] {
  return [(v) => `${left(v)} === ${right}`, (v) => `${left(v)} !== ${right}`]
}

function predicate(name: string): readonly [(v: string) => string, (v: string) => string] {
  return [(v) => `${name}(${v})`, (v) => `!${name}(${v})`]
}

const TESTS: Readonly<Record<string, readonly [(v: string) => string, (v: string) => string]>> = {
  null: compared((v) => v, 'null'),
  boolean: compared((v) => `typeof ${v}`, "'boolean'"),
  string: compared((v) => `typeof ${v}`, "'string'"),
  number: predicate('isNumber'),
  integer: predicate('isInteger'),
  int32: predicate('isInt32'),
  int64: predicate('isInt64'),
  array: predicate('Array.isArray'),
  object: predicate('isObject'),
}
