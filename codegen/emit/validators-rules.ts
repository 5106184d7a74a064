// Prints the keywords for strings, numbers and arrays, for a value whose type has been tested
// already.
import type { SchemaObject } from '../ir.ts'
import type { KeywordType } from '../keywords/keyword.ts'
import { keywords } from '../keywords/table.ts'
import { keywordValue } from '../keywords/values.ts'
import { literal, quote } from '../literals.ts'
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
  readable: [
    'isReadable',
    'Unicode text in form NFC, without control, direction or invisible characters, and without space at its ends',
  ],
  decimal: ['isDecimal', 'a decimal number with at most 28 digits before and 10 after the point'],
}

/** The keywords of a string. */
export function stringRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  const format = STRING_FORMATS[schema.format ?? '']
  return [
    ...ownRules(printer, schema, place, 'string'),
    ...(format === undefined
      ? []
      : fail(`!${format[0]}(${place.v})`, place, 'format', `must be ${format[1]}`)),
  ]
}

const CHECKS = new Map(
  (['string', 'number', 'array', 'object'] as const).map((type) => [
    type,
    keywords(({ of, check }) => of === type && check !== undefined),
  ]),
)

/** The keywords of a type that look at a value by itself, as the table of keywords has them. */
export function ownRules(
  { constant }: Printer,
  schema: SchemaObject,
  place: Place,
  type: KeywordType,
): readonly string[] {
  return (CHECKS.get(type) ?? []).flatMap(([name, { check }]) => {
    const wrong = check?.(keywordValue(schema, name), place.v, constant)
    return wrong === undefined ? [] : fail(wrong.fails, place, name, `must ${wrong.must}`)
  })
}

/** The keywords of a number. */
export function numberRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  // An integer's range is part of its type test already.
  const range =
    declaredTypes(schema)?.includes('integer') === true
      ? null
      : /^int(?:32|64)$/u.exec(schema.format ?? '')
  const [format] = range ?? []
  return [
    ...(format === undefined
      ? []
      : fail(
          `!is${format.replace('i', 'I')}(${place.v})`,
          place,
          'format',
          `must be an ${format}`,
        )),
    ...ownRules(printer, schema, place, 'number'),
  ]
}

/** The keywords of an array. */
export function arrayRules(
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  return [
    ...ownRules(printer, schema, place, 'array'),
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
function fail(
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
