// What a schema says that no type or check follows from: values of the wrong kind, keywords of
// another version, rules without a type. Each is a finding where it stands, so that nothing becomes
// `unknown` in silence.
import { formOf } from '../keywords/forms.ts'
import { keyword, keywords, namesWhere } from '../keywords/table.ts'
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { child, peek, report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'
import { openapiVersion } from './source.ts'

const STRICT = keywords(({ strict }) => strict !== undefined)
const LATER_THAN_30 = namesWhere({ later: true })
/** Keywords that say which type a value has, by themselves or through their parts. */
const TYPING = keywords(({ role }) => ['type', 'values', 'composition'].includes(role)).map(
  ([name]) => name,
)
const RULES = keywords(({ role, form }) => role === 'rule' || (role === 'older' && form === 'flag'))
/** Keywords in which a part without a type says more of its parent's type. */
const PARTS: ReadonlySet<string | undefined> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'contains',
])
const NUMBER_FORMATS: ReadonlySet<string> = new Set([
  'int32',
  'int64',
  'float',
  'double',
  'decimal',
])
const TEXT_FORMATS: ReadonlySet<string> = new Set([
  'byte',
  'date',
  'date-time',
  'decimal',
  'email',
  'uri',
  'uuid',
  'password',
  'readable',
  'binary',
])

/**
 * Conditions, which are not checked as a whole: what stands in them needs no findings of its own.
 */
const CONDITIONS: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'contains',
  'dependentSchemas',
])
/** Their keys are names, not keywords. */
const NAMED: ReadonlySet<string | undefined> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
])

/** Reports what is wrong or without effect in one schema object, its parts not included. */
export function lintSchema(resolver: Resolver, at: Located, value: Fields): void {
  if (at.path.some((key, index) => CONDITIONS.has(key) && !NAMED.has(at.path[index - 1]))) return
  for (const key of Object.keys(value)) lintValue(resolver, child(at, key), key)
  lintVersion(resolver, at, value)
  lintFormat(resolver, at, value)
  lintUntyped(resolver, at, value)
  lintAlternatives(resolver, at, value)
  lintValues(resolver, at, value)
  lintRequired(resolver, at, value)
}

/**
 * A name without a schema: whether another part of a composed schema declares it is not known here.
 */
function lintRequired(resolver: Resolver, at: Located, value: Fields): void {
  const isWhole =
    isFields(value['properties']) &&
    !PARTS.has(at.path.at(-2)) &&
    !['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', 'patternProperties'].some(
      (key) => key in value,
    )
  const declared = isWhole ? propertiesOf(resolver, child(at, 'properties')) : {}
  for (const [index, name] of (isWhole ? items(value['required']) : []).entries()) {
    if (typeof name !== 'string' || Object.hasOwn(declared, name)) continue
    report(
      resolver,
      child(at, 'required', String(index)),
      'undeclared-required',
      `'${name}' is required and not declared: it has no type`,
    )
  }
}

/** Properties, with those of a reference among them. */
function propertiesOf(resolver: Resolver, at: Located): Fields {
  const own = fields(at.value)
  return text(own['$ref']) === undefined ? own : { ...fields(peek(resolver, at)?.value), ...own }
}

function lintValue(resolver: Resolver, at: Located, key: string): void {
  const row = keyword(key)
  if (row === undefined) return
  const { wanted, fits } = formOf(row.form)
  if (wanted === undefined || fits(at.value)) return
  report(resolver, at, 'bad-value', `'${key}' must be ${wanted}: it is ignored`)
}

function lintVersion(resolver: Resolver, at: Located, value: Fields): void {
  if (
    !/^(?:$|https:\/\/json-schema\.org\/draft\/2020-12\/|https:\/\/spec\.openapis\.org\/oas\/)/u.test(
      text(value['$schema']) ?? '',
    )
  ) {
    report(
      resolver,
      child(at, '$schema'),
      'other-dialect',
      'schemas are read as JSON Schema 2020-12',
    )
  }
  const is30 = openapiVersion(resolver.root.data).startsWith('3.0')
  const say = (key: string, message: string): void => {
    report(resolver, child(at, key), 'other-version', message)
  }
  if (is30) {
    for (const key of LATER_THAN_30)
      if (key in value) say(key, `'${key}' is of OpenAPI 3.1: it is taken as there`)
    if (Array.isArray(value['type']))
      say('type', 'a list of types is of OpenAPI 3.1: it is taken as there')
    return
  }
  if (value['nullable'] === true)
    say('nullable', "'nullable' is of OpenAPI 3.0: it is taken as there")
  for (const [, { strict: key = '' }] of STRICT) {
    if (typeof value[key] === 'boolean')
      say(key, `'${key}' as a flag is of OpenAPI 3.0: it is taken as there`)
  }
}

function lintFormat(resolver: Resolver, at: Located, value: Fields): void {
  const format = text(value['format'])
  if (format === undefined) return
  const types = [value['type'], ...items(value['type'])]
  const isNumeric = types.includes('integer') || types.includes('number')
  const isChecked =
    (types.includes('string') && TEXT_FORMATS.has(format)) ||
    (isNumeric && NUMBER_FORMATS.has(format)) ||
    (value['type'] === undefined && (TEXT_FORMATS.has(format) || NUMBER_FORMATS.has(format)))
  if (!isChecked)
    report(
      resolver,
      child(at, 'format'),
      'unchecked-format',
      `the format '${format}' is not checked${isNumeric ? ' for numbers' : ''}`,
    )
}

function lintUntyped(resolver: Resolver, at: Located, value: Fields): void {
  if (TYPING.some((key) => key in value) || PARTS.has(at.path.at(-1)) || PARTS.has(at.path.at(-2)))
    return
  const rule = RULES.find(([name]) => name in value)?.[0]
  if (rule === undefined) return
  report(
    resolver,
    child(at, rule),
    'untyped-schema',
    `'${rule}' without a type: values of other types pass, and the type is unknown`,
  )
}

/** No value is one of none. */
function lintValues(resolver: Resolver, at: Located, value: Fields): void {
  if (!Array.isArray(value['enum']) || value['enum'].length > 0) return
  report(resolver, child(at, 'enum'), 'enum-empty', 'no value is listed: none passes here')
}

function lintAlternatives(resolver: Resolver, at: Located, value: Fields): void {
  for (const key of ['anyOf', 'oneOf']) {
    for (const [index, part] of items(value[key]).entries()) {
      if (part !== true && !(isFields(part) && Object.keys(part).length === 0)) continue
      report(
        resolver,
        child(at, key, String(index)),
        'open-alternative',
        'an alternative that admits everything makes the others meaningless',
      )
    }
  }
}
