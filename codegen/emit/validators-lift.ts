// Prints what turns checked JSON into the handler's values: int64 as bigint, other numbers as
// doubles, with defaults. Printed lifts change the value in place and leave alone whatever does not
// fit.
import type { Schema, SchemaObject } from '../ir.ts'
import { regExp } from '../keywords/checks.ts'
import { refName } from '../load/refs.ts'
import { literal, quote } from '../literals.ts'
import { checkName, depthArgument } from './validators-check.ts'
import { isInt64 } from '../keywords/types.ts'
import { defaultOf, mayHoldBigint } from './validators-facts.ts'
import { isOneOf, type Printer } from './validators-place.ts'
import { chunks, identifier, read, when } from './validators-text.ts'
import { planUnion, type UnionKeyword, type UnionPlan } from './validators-union.ts'
import { wrappedBy } from './validators-variants.ts'

/** Name of the lift function of a component or root. */
export function liftName(name: string): string {
  return `lift_${identifier(name)}`
}

/**
 * Statements that lift the variable `v` (declared by `let`, may be assigned); none when nothing
 * changes.
 */
export function liftLines(
  printer: Printer,
  schema: Schema,
  v: string,
  isTop: boolean,
): readonly string[] {
  if (typeof schema === 'boolean' || !printer.facts.hasLift(schema)) return []
  return [
    ...refLift(printer, schema, v, isTop),
    ...(isInt64(schema)
      ? [`${v} = int64(${v})`]
      : mayHoldBigint(schema)
        ? [`${v} = double(${v})`]
        : []),
    ...when(isOneOf(v, ['object']), objectLift(printer, schema, v)),
    ...when(isOneOf(v, ['array']), arrayLift(printer, schema, v)),
    ...(schema.allOf ?? []).flatMap((inner) => printer.lift(inner, v, isTop)),
    ...unionLift(printer, schema, 'anyOf', v, isTop),
    ...unionLift(printer, schema, 'oneOf', v, isTop),
  ]
}

/** The same by a function of its own, as a schema that stands deep in others gets one. */
export function outlinedLift(
  printer: Printer,
  schema: SchemaObject,
  v: string,
  isTop: boolean,
): readonly string[] {
  if (!printer.facts.hasLift(schema)) return []
  return [`${v} = ${printer.outlineLift(schema)}(${v}${depthArgument(printer, schema, isTop)})`]
}

function refLift(
  printer: Printer,
  schema: SchemaObject,
  v: string,
  isTop: boolean,
): readonly string[] {
  if (schema.$ref === undefined) return []
  const target = { $ref: schema.$ref }
  if (!printer.facts.hasLift(target)) return []
  return [`${v} = ${liftName(refName(schema.$ref))}(${v}${depthArgument(printer, target, isTop)})`]
}

function objectLift(printer: Printer, schema: SchemaObject, v: string): readonly string[] {
  const members = chunks(
    Object.entries(schema.properties ?? {}).map(([key, inner]) => {
      return [...defaultLift(printer, inner, v, key), ...propertyLift(printer, inner, v, key)]
    }),
  )
  return [
    ...(members.length > 1
      ? members.map((lines) => printer.part('lift', v, lines))
      : members.flat()),
    ...keyLift(printer, schema, v),
  ]
}

function defaultLift(
  printer: Printer,
  schema: Schema,
  object: string,
  key: string,
): readonly string[] {
  const fallback = defaultOf(printer.facts.ir, schema)
  if (fallback === undefined) return []
  return [`if (${read(object, key)} === undefined) ${write(object, key, literal(fallback))}`]
}

function propertyLift(
  printer: Printer,
  schema: Schema,
  object: string,
  key: string,
): readonly string[] {
  const v = printer.fresh('v')
  const lines = printer.lift(schema, v, false)
  return lines.length === 0
    ? []
    : liftOne(v, read(object, key), lines, (value) => write(object, key, value))
}

function write(object: string, key: string, value: string): string {
  return key === '__proto__'
    ? `put(${object}, ${quote(key)}, ${value})`
    : `${object}[${quote(key)}] = ${value}`
}

// One assignment reads better, and is shorter, than a variable that goes through one.
function liftOne(
  v: string,
  place: string,
  lines: readonly string[],
  assign: (value: string) => string,
): readonly string[] {
  const single = lines.length === 1 ? simple(v, lines[0] ?? '', place) : undefined
  if (single !== undefined) return [`if (${place} !== undefined) ${assign(single)}`]
  return [`let ${v}: unknown = ${place}`, `if (${v} !== undefined) {`, ...lines, assign(v), '}']
}

function simple(v: string, line: string, place: string): string | undefined {
  const head = `${v} = `
  return line.startsWith(head)
    ? line.slice(head.length).replace(`(${v}`, () => `(${place}`)
    : undefined
}

function keyLift(printer: Printer, schema: SchemaObject, object: string): readonly string[] {
  const [k, v] = [printer.fresh('k'), printer.fresh('v')]
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, inner]) => ({
    re: printer.constant('re', regExp(pattern)),
    inner,
  }))
  const matched = patterns.flatMap(({ re, inner }) =>
    when(`${re}.test(${k})`, printer.lift(inner, v, false)),
  )
  const unnamed = [
    ...Object.keys(schema.properties ?? {}).map((name) => `${k} !== ${quote(name)}`),
    ...patterns.map(({ re }) => `!${re}.test(${k})`),
  ].join(' && ')
  const others = when(unnamed, printer.lift(schema.additionalProperties ?? true, v, false))
  if (matched.length + others.length === 0) return []
  return [
    `for (const ${k} of Object.keys(${object})) {`,
    `let ${v}: unknown = ${object}[${k}]`,
    ...matched,
    ...others,
    `${object}[${k}] = ${v}`,
    '}',
  ]
}

function arrayLift(printer: Printer, schema: SchemaObject, array: string): readonly string[] {
  const prefix = (schema.prefixItems ?? []).flatMap((inner, index) => {
    const v = printer.fresh('v')
    const place = `${array}[${index}]`
    const lines = printer.lift(inner, v, false)
    return lines.length === 0 ? [] : liftOne(v, place, lines, (value) => `${place} = ${value}`)
  })
  const [i, v] = [printer.fresh('i'), printer.fresh('v')]
  const lines = printer.lift(schema.items ?? true, v, false)
  if (lines.length === 0) return prefix
  const head = `for (let ${i} = ${schema.prefixItems?.length ?? 0}; ${i} < ${array}.length; ${i}++) {`
  return [
    ...prefix,
    head,
    `let ${v}: unknown = ${array}[${i}]`,
    ...lines,
    `${array}[${i}] = ${v}`,
    '}',
  ]
}

function unionLift(
  printer: Printer,
  schema: SchemaObject,
  keyword: UnionKeyword,
  v: string,
  isTop: boolean,
): readonly string[] {
  const branches = schema[keyword] ?? []
  if (!branches.some((branch) => printer.facts.hasLift(branch))) return []
  return planLift(printer, planUnion(printer.facts, schema, keyword), v, isTop)
}

function planLift(printer: Printer, plan: UnionPlan, v: string, isTop: boolean): readonly string[] {
  const lift = (branch: Schema) => printer.lift(branch, v, isTop)
  const isObject = isOneOf(v, ['object'])
  switch (plan.kind) {
    case 'single':
      return lift(plan.branch)
    case 'types':
      return plan.groups.flatMap((group) => {
        return when(isOneOf(v, group.types), planLift(printer, group.plan, v, isTop))
      })
    case 'external':
      return externalLift(printer, plan.cases, v, isTop)
    case 'tag':
      return when(isObject, tagLift(printer, plan, v, isTop))
    case 'try':
      return tryLift(printer, plan.branches, v, isTop)
  }
}

function tagLift(
  printer: Printer,
  plan: Extract<UnionPlan, { kind: 'tag' }>,
  v: string,
  isTop: boolean,
): readonly string[] {
  const cases = plan.cases.flatMap(({ values, branch }) => {
    const lines = printer.lift(branch, v, isTop)
    return lines.length === 0
      ? []
      : [...values.map((value) => `case ${quote(value)}:`), ...lines, 'break']
  })
  return cases.length === 0 ? [] : [`switch (${read(v, plan.property)}) {`, ...cases, '}']
}

function externalLift(
  printer: Printer,
  cases: readonly { readonly tag: string; readonly branch: Schema }[],
  v: string,
  isTop: boolean,
): readonly string[] {
  const isObject = isOneOf(v, ['object'])
  const wrapped = cases.flatMap(({ tag, branch }) => {
    const property = wrappedBy(branch, tag)
    return property === undefined ? [] : propertyLift(printer, property, v, tag)
  })
  const others = cases
    .filter(({ tag, branch }) => wrappedBy(branch, tag) === undefined)
    .flatMap(({ tag, branch }) => {
      return when(`${isObject} && ${read(v, tag)} !== undefined`, printer.lift(branch, v, isTop))
    })
  return [...when(isObject, wrapped), ...others]
}

function tryLift(
  printer: Printer,
  branches: readonly Schema[],
  v: string,
  isTop: boolean,
): readonly string[] {
  const chain = branches.flatMap((branch, i) => {
    const isRef =
      typeof branch === 'object' && branch.$ref !== undefined && Object.keys(branch).length === 1
    const check = isRef ? checkName(refName(branch.$ref)) : printer.outline(branch)
    const depth = depthArgument(printer, branch, isTop)
    const head = `if (fits(${check}, ${v}${depth === '' ? ', 0' : depth})) {`
    return [i === 0 ? head : `} else ${head}`, ...printer.lift(branch, v, isTop)]
  })
  return [...chain, '}']
}
