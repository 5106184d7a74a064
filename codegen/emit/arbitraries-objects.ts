// Prints object schemas as records and maps.
import type { Schema } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { all } from './arbitraries-merge.ts'
import type { Keys } from './arbitraries-merge.ts'
import { compiled } from '../keywords/checks.ts'
import { limitsOf } from './arbitraries-scalars.ts'
import { literal, propertyKey } from '../literals.ts'
import { validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'

/** Facts for printing one component or one part of an operation. */
export interface KindSheet {
  readonly context: EmitContext
  /** Name of the component being printed; undefined in operations. */
  readonly current: string | undefined
  /** Names a check that the kind needs and no component has. */
  readonly hint: string
  /** Binary texts are bytes: parts of a multipart body. */
  readonly isForm: boolean
  readonly depth: number
  /** The expression of a schema inside. */
  readonly print: (sheet: KindSheet, schema: Schema) => string
}

/** The kind of an object schema; `isLoose` when it admits other types too. */
export function objectKind(sheet: KindSheet, keys: Keys, isLoose: boolean): string {
  const patterns = Object.entries(keys.patternProperties ?? {})
  const properties = propertiesOf(keys, patterns)
  const required = new Set(keys.required ?? [])
  const members = (isRequired: boolean): readonly string[] =>
    properties
      .filter(([name]) => required.has(name) === isRequired)
      .map(([name, schema]) => `${propertyKey(name)}: ${sheet.print(sheet, schema)}`)
  const [needed, optional] = [members(true), members(false)]
  const options = optionsOf(sheet, keys, properties, patterns, isLoose)
  if (properties.length === 0) return mapKind(sheet, keys, patterns, options)
  if (optional.length === 0 && options.length === 0) return `record(${group(needed)})`
  return `record(${[group(needed), group(optional), ...(options.length === 0 ? [] : [group(options)])].join(', ')})`
}

function group(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

type Patterns = readonly (readonly [string, Schema])[]

/**
 * Declared members and those that are only required, each with the rules of the patterns that its
 * name matches.
 */
function propertiesOf(keys: Keys, patterns: Patterns): Patterns {
  const declared = keys.properties ?? {}
  const names = [...new Set([...Object.keys(declared), ...(keys.required ?? [])])]
  return names.map((name) => {
    const matching = patterns
      .filter(([pattern]) => compiled(pattern).test(name))
      .map(([, schema]) => schema)
    const own = Object.hasOwn(declared, name)
      ? declared[name]
      : matching.length > 0
        ? true
        : keys.additionalProperties
    return [name, matching.length === 0 ? (own ?? true) : all(own, ...matching)]
  })
}

function optionsOf(
  sheet: KindSheet,
  keys: Keys,
  properties: Patterns,
  patterns: Patterns,
  isLoose: boolean,
): readonly string[] {
  const { additionalProperties: extra } = keys
  const isMap = properties.length === 0
  return [
    ...(extra === undefined || extra === true || (isMap && extra !== false)
      ? []
      : [`extra: ${extra === false ? 'false' : sheet.print(sheet, extra)}`]),
    ...(keys.propertyNames === undefined ? [] : [`names: ${namesKind(sheet, keys.propertyNames)}`]),
    ...(patterns.length === 0
      ? []
      : [`patterns: ${literal(patterns.map(([pattern]) => pattern))}`]),
    ...sizeOf(keys),
    ...oneWayOf(sheet, keys, properties),
    ...(isLoose ? ['loose: true'] : []),
  ]
}

function sizeOf(keys: Keys): readonly string[] {
  return limitsOf(keys, 'object').map(([name, value]) => `${name}: ${literal(value)}`)
}

type OneWay = 'readOnly' | 'writeOnly'

function oneWayOf(sheet: KindSheet, keys: Keys, properties: Patterns): readonly string[] {
  const optional = properties.filter(([name]) => !keys.required?.includes(name))
  return (['readOnly', 'writeOnly'] as const).flatMap((flag) => {
    const names = optional
      .filter(([, schema]) => isOneWay(sheet, schema, flag))
      .map(([name]) => name)
    return names.length === 0 ? [] : [`${flag}: ${literal(names)}`]
  })
}

/** Code of an object's members beside those of its base. */
export function addedCode(sheet: KindSheet, keys: Keys): string {
  const required = new Set(keys.required ?? [])
  const properties = Object.entries(keys.properties ?? {})
  const members = (isRequired: boolean): string =>
    group(
      properties
        .filter(([name]) => required.has(name) === isRequired)
        .map(([name, schema]) => `${propertyKey(name)}: ${sheet.print(sheet, schema)}`),
    )
  const needs = [...required].filter((name) => !Object.hasOwn(keys.properties ?? {}, name))
  return group([
    `required: ${members(true)}`,
    `optional: ${members(false)}`,
    ...oneWayOf(sheet, keys, properties),
    ...(needs.length === 0 ? [] : [`needs: ${literal(needs)}`]),
  ])
}

function isOneWay(sheet: KindSheet, schema: Schema, flag: OneWay): boolean {
  if (typeof schema === 'boolean') return false
  const target =
    schema.$ref === undefined ? [] : [sheet.context.ir.schemas[refName(schema.$ref)] ?? true]
  return (
    schema[flag] === true ||
    [...target, ...(schema.allOf ?? [])].some((part) => isOneWay(sheet, part, flag))
  )
}

function namesKind(sheet: KindSheet, schema: Schema): string {
  return sheet.print(sheet, all({ type: 'string' }, schema))
}

function mapKind(
  sheet: KindSheet,
  keys: Keys,
  patterns: Patterns,
  options: readonly string[],
): string {
  const [pattern] = patterns
  if (pattern !== undefined && keys.propertyNames === undefined)
    return patternKind(sheet, keys, patterns)
  if (keys.additionalProperties === false) return `record({}, {}, ${group(options)})`
  const isOpen = keys.additionalProperties === undefined || keys.additionalProperties === true
  if (isOpen && keys.properties !== undefined && options.length === 0) return 'record({})'
  const extra = isOpen ? 'anything()' : sheet.print(sheet, keys.additionalProperties ?? true)
  return `map(${[extra, ...(options.length === 0 ? [] : [group(options)])].join(', ')})`
}

/**
 * Members whose names match the first pattern; names may match others too, which only a check
 * tells.
 */
function patternKind(sheet: KindSheet, keys: Keys, patterns: Patterns): string {
  const [name, schema] = patterns[0] ?? ['', true]
  const size = sizeOf(keys)
  const code = `map(${sheet.print(sheet, schema)}, ${group([`names: text({ pattern: ${literal(name)} })`, ...(keys.additionalProperties === false ? [] : ['open: true']), ...size])})`
  const { check } = patterns.length < 2 ? {} : validatorsOf(sheet.context, keys, sheet.hint)
  return check === undefined ? code : `only(${code}, ${check})`
}
