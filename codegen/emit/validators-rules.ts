// Prints the keywords for strings, numbers and arrays, for a value whose type has been tested
// already.
import type { SchemaObject } from '../ir.ts'
import { literal, quote } from './names.ts'
import { declaredTypes } from './validators-facts.ts'
import { bad, call, inside, type Place, type Printer } from './validators-place.ts'
import { belowCode, when } from './validators-text.ts'

const STRING_FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  'date-time': ['isDateTime', 'an RFC 3339 date-time with offset and at most nine fraction digits'],
  date: ['isDate', 'an RFC 3339 date'],
  uuid: ['isUuid', 'a UUID'],
  uri: ['isUri', 'an absolute URI'],
  email: ['isEmail', 'an e-mail address'],
  byte: ['isByte', 'base64 text'],
  decimal: ['isDecimal', 'a decimal number with at most 28 digits before and 10 after the point'],
}

/** minLength, maxLength, pattern, format and contentEncoding of a string. */
export function stringRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  const { minLength, maxLength, pattern } = schema
  const format = STRING_FORMATS[schema.format ?? '']
  const { v } = place
  return [
    ...(minLength === undefined || minLength <= 0
      ? []
      : fail(
          shorter(v, minLength),
          place,
          'minLength',
          `must have at least ${count(minLength, 'character')}`,
        )),
    ...(maxLength === undefined
      ? []
      : fail(
          `${v}.length > ${maxLength} && length(${v}) > ${maxLength}`,
          place,
          'maxLength',
          `must have at most ${count(maxLength, 'character')}`,
        )),
    ...(pattern === undefined
      ? []
      : fail(
          `!${printer.constant('re', regExp(pattern))}.test(${v})`,
          place,
          'pattern',
          `must match ${pattern}`,
        )),
    ...(format === undefined
      ? []
      : fail(`!${format[0]}(${v})`, place, 'format', `must be ${format[1]}`)),
    ...(schema.contentEncoding !== 'base64'
      ? []
      : fail(`!isByte(${v})`, place, 'contentEncoding', 'must be base64 text')),
  ]
}

/**
 * The expression of a pattern, with the `u` flag when it compiles so. Throws when it does not
 * compile at all.
 */
export function regExp(pattern: string): string {
  try {
    new RegExp(pattern, 'u')
    return `new RegExp(${quote(pattern)}, 'u')`
  } catch {
    new RegExp(pattern)
    return `new RegExp(${quote(pattern)})`
  }
}

/** Ranges, multipleOf and numeric formats of a number. */
export function numberRules(schema: SchemaObject, place: Place): readonly string[] {
  const { multipleOf } = schema
  const { v } = place
  // An integer's range is part of its type test already.
  const range =
    declaredTypes(schema)?.includes('integer') === true
      ? null
      : /^int(?:32|64)$/u.exec(schema.format ?? '')
  return [
    ...(range === null
      ? []
      : fail(`!is${range[0].replace('i', 'I')}(${v})`, place, 'format', `must be an ${range[0]}`)),
    ...bound(schema.minimum, '<', place, 'minimum', 'at least'),
    ...bound(schema.maximum, '>', place, 'maximum', 'at most'),
    ...bound(schema.exclusiveMinimum, '<=', place, 'exclusiveMinimum', 'more than'),
    ...bound(schema.exclusiveMaximum, '>=', place, 'exclusiveMaximum', 'less than'),
    ...(multipleOf === undefined
      ? []
      : fail(
          `!isMultiple(${v}, ${multipleOf})`,
          place,
          'multipleOf',
          `must be a multiple of ${multipleOf}`,
        )),
  ]
}

/** Item counts, uniqueItems, prefixItems and items of an array. */
export function arrayRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  const { minItems, maxItems } = schema
  const { v } = place
  return [
    ...(minItems === undefined || minItems <= 0
      ? []
      : fail(
          `${v}.length < ${minItems}`,
          place,
          'minItems',
          `must have at least ${count(minItems, 'item')}`,
        )),
    ...(maxItems === undefined
      ? []
      : fail(
          `${v}.length > ${maxItems}`,
          place,
          'maxItems',
          `must have at most ${count(maxItems, 'item')}`,
        )),
    ...(schema.uniqueItems !== true
      ? []
      : fail(`firstDuplicate(${v}) >= 0`, place, 'uniqueItems', 'must not have equal items')),
    ...prefixRules(printer, schema, place),
    ...itemRules(printer, schema, place),
  ]
}

function prefixRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  return (schema.prefixItems ?? []).flatMap((item, index) => {
    const v = printer.fresh('v')
    const lines = printer.check(item, inside(place, belowCode(place.pointer, String(index)), v))
    return lines.length === 0
      ? []
      : [
          `if (${place.v}.length > ${index}) {`,
          `const ${v}: unknown = ${place.v}[${index}]`,
          ...lines,
          '}',
        ]
  })
}

function itemRules(printer: Printer, schema: SchemaObject, place: Place): readonly string[] {
  if (schema.items === undefined) return []
  const v = printer.fresh('v')
  const i = printer.fresh('i')
  const lines = printer.check(schema.items, inside(place, belowCode(place.pointer, i), v))
  if (lines.length === 0) return []
  const start = schema.prefixItems?.length ?? 0
  const head = `for (let ${i} = ${start}; ${i} < ${place.v}.length; ${i}++) {`
  return [head, `const ${v}: unknown = ${place.v}[${i}]`, ...lines, '}']
}

/** `if (condition) bad(…)`. */
export function fail(
  condition: string,
  place: Place,
  keyword: string,
  message: string,
): readonly string[] {
  return when(condition, [bad(place, keyword, message)])
}

/** enum and const, without the values that the type test has excluded. */
export function valueRules(
  printer: Printer,
  keyword: string,
  values: readonly unknown[],
  isLoose: boolean,
  place: Place,
): readonly string[] {
  const { v } = place
  const isPlain = values.every((value) => typeof value !== 'object' || value === null)
  if (isPlain && !isLoose && values.length > 3) {
    const set = printer.constant('s', `new Set<unknown>([${values.map(literal).join(', ')}])`)
    return [`if (!${set}.has(${v})) ${call('pick', place, quote(keyword), set, v)}`]
  }
  const tests = values.map((value) =>
    isLoose || (typeof value === 'object' && value !== null)
      ? `!same(${v}, ${literal(value)})`
      : `${v} !== ${literal(value)}`,
  )
  const pick = call('pick', place, quote(keyword), `[${values.map(literal).join(', ')}]`, v)
  return [`if (${tests.length === 0 ? 'true' : tests.join(' && ')}) ${pick}`]
}

function shorter(v: string, minLength: number): string {
  return minLength === 1 ? `${v}.length < 1` : `length(${v}) < ${minLength}`
}

function bound(
  limit: number | bigint | undefined,
  operator: string,
  place: Place,
  keyword: string,
  words: string,
): readonly string[] {
  if (limit === undefined) return []
  return fail(
    `${place.v} ${operator} ${literal(limit)}`,
    place,
    keyword,
    `must be ${words} ${limit}`,
  )
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
