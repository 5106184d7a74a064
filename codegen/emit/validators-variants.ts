// Prints oneOf and anyOf as the dispatch that was planned for them.
import type { Schema, SchemaObject } from '../ir.ts'
import { literal, quote } from '../literals.ts'
import type { ValueType } from './validators-facts.ts'
import {
  bad,
  call,
  isNoneOf,
  isOneOf,
  type Place,
  type Printer,
  propertyPlace,
  want,
} from './validators-place.ts'
import { read, unless, when } from './validators-text.ts'
import {
  planUnion,
  type TagCase,
  type TypeGroup,
  type UnionKeyword,
  type UnionPlan,
} from './validators-union.ts'

/** Statements of `schema[keyword]`; none when there is none. */
export function unionRules(
  keyword: UnionKeyword,
  printer: Printer,
  schema: SchemaObject,
  place: Place,
): readonly string[] {
  if (schema[keyword] === undefined) return []
  return planRules(printer, planUnion(printer.facts, schema, keyword), keyword, place)
}

function planRules(
  printer: Printer,
  plan: UnionPlan,
  keyword: UnionKeyword,
  place: Place,
): readonly string[] {
  switch (plan.kind) {
    case 'single':
      return printer.check(plan.branch, place)
    case 'types':
      return typeRules(printer, plan.groups, keyword, place)
    case 'tag':
      return ofObject(place, (object) => tagRules(printer, plan, object))
    case 'external':
      return ofObject(place, (object) => externalRules(printer, plan.cases, keyword, object))
    case 'try':
      return (keyword === 'oneOf' ? countRules : firstRules)(printer, plan.branches, place)
  }
}

function ofObject(place: Place, lines: (object: Place) => readonly string[]): readonly string[] {
  const object = { ...place, known: new Set<ValueType>(['object']) }
  if (!place.known.has('object')) return [want(['object'], place)]
  if (place.known.size === 1) return lines(object)
  return unless(isNoneOf(place.v, ['object']), want(['object'], place), lines(object))
}

// Groups without rules of their own (null in most documents) only lift the type test off the
// others.
function typeRules(
  printer: Printer,
  groups: readonly TypeGroup[],
  keyword: UnionKeyword,
  place: Place,
): readonly string[] {
  const linesOf = ({ plan, types }: TypeGroup) =>
    groupRules(printer, plan, keyword, { ...place, known: new Set(types) })
  const reachable = groups
    .map((group) => ({ ...group, types: group.types.filter((type) => place.known.has(type)) }))
    .filter((group) => group.types.length > 0)
    .map((group) => ({ ...group, lines: linesOf(group) }))
  // The keywords beside the union exclude all that it admits.
  if (reachable.length === 0)
    return [
      want(
        groups.flatMap((group) => group.types),
        place,
      ),
    ]
  const types = reachable.flatMap((group) => group.types)
  const full = reachable.filter((group) => group.lines.length > 0)
  const free = reachable.filter((group) => group.lines.length === 0).flatMap((group) => group.types)
  const isClosed = [...place.known].every((type) => types.includes(type))
  const [first] = full
  if (first === undefined)
    return isClosed ? [] : [`if (${isNoneOf(place.v, types)}) ${want(types, place)}`]
  if (full.length === 1 && free.length > 0 && printer.unions.depth < MOST_TWICE) {
    const known = new Set([...place.known].filter((type) => !free.includes(type)))
    return when(
      isNoneOf(place.v, free),
      groupRules(printer, first.plan, keyword, { ...place, known }),
    )
  }
  return chain(place, full, free, want(types, place))
}

/** Lines that are printed twice inside of lines that are printed twice are soon too many. */
const MOST_TWICE = 3

function groupRules(
  printer: Printer,
  plan: UnionPlan,
  keyword: UnionKeyword,
  place: Place,
): readonly string[] {
  printer.unions.depth += 1
  const lines = planRules(printer, plan, keyword, place)
  printer.unions.depth -= 1
  return lines
}

function chain(
  place: Place,
  groups: readonly { readonly types: readonly string[]; readonly lines: readonly string[] }[],
  free: readonly string[],
  otherwise: string,
): readonly string[] {
  const heads = groups.map(({ types, lines }, i) => {
    return [`${i === 0 ? '' : '} else '}if (${isOneOf(place.v, types)}) {`, ...lines]
  })
  const last = free.length === 0 ? '} else {' : `} else if (${isNoneOf(place.v, free)}) {`
  return [...heads.flat(), last, otherwise, '}']
}

function tagRules(
  printer: Printer,
  plan: { readonly property: string; readonly keyword: string; readonly cases: readonly TagCase[] },
  place: Place,
): readonly string[] {
  const t = printer.fresh('t')
  const cases = plan.cases.flatMap(({ values, branch }) => {
    return [
      ...values.map((value) => `case ${quote(value)}:`),
      ...printer.check(branch, place),
      'break',
    ]
  })
  const all = literal(plan.cases.flatMap(({ values }) => values))
  const fallback = call('pick', propertyPlace(place, plan.property, t), quote(plan.keyword), all, t)
  return [
    `const ${t} = ${read(place.v, plan.property)}`,
    `switch (${t}) {`,
    ...cases,
    'default:',
    fallback,
    '}',
  ]
}

// Exactly as oneOf and anyOf count, but findings of the only variant whose tag is present stay.
function externalRules(
  printer: Printer,
  cases: readonly { readonly tag: string; readonly branch: Schema }[],
  keyword: UnionKeyword,
  place: Place,
): readonly string[] {
  const [n, t, m] = [printer.fresh('n'), printer.fresh('t'), printer.fresh('m')]
  const variants = cases.flatMap(({ tag, branch }) => variant(printer, tag, branch, [t, m], place))
  const tags = cases.map(({ tag }) => tag).join(', ')
  const none = `must have one of ${tags}`
  const isRight = keyword === 'oneOf' ? `${m} === 1` : `${m} > 0`
  return [
    `const ${n} = e.length`,
    `let ${t} = 0`,
    `let ${m} = 0`,
    ...variants,
    `if (${isRight}) e.length = ${n}`,
    `else if (${t} !== 1) {`,
    `e.length = ${n}`,
    bad(place, keyword, keyword === 'oneOf' ? `${none} and no other` : none),
    '}',
  ]
}

function variant(
  printer: Printer,
  tag: string,
  branch: Schema,
  [t, m]: readonly [string, string],
  place: Place,
): readonly string[] {
  const property = wrappedBy(branch, tag)
  const v = printer.fresh('v')
  const lines =
    property === undefined
      ? printer.check(branch, place)
      : printer.check(property, propertyPlace(place, tag, v))
  const [only] = lines
  const n = printer.fresh('n')
  const counted =
    lines.length === 0
      ? [`${m}++`]
      : lines.length === 1 && only?.startsWith('at(') === true
        ? [`${m} += ${only}`]
        : [`const ${n} = e.length`, ...lines, `if (e.length === ${n}) ${m}++`]
  const value = read(place.v, tag)
  if (property === undefined) return when(`${value} !== undefined`, [`${t}++`, ...counted])
  return [`const ${v} = ${value}`, ...when(`${v} !== undefined`, [`${t}++`, ...counted])]
}

/**
 * The schema of the property `tag` when the branch says nothing else than that this property wraps
 * it.
 */
export function wrappedBy(branch: Schema, tag: string): Schema | undefined {
  const plain = ['type', 'properties', 'required', 'description', 'examples']
  if (typeof branch === 'boolean' || Object.keys(branch).some((key) => !plain.includes(key)))
    return undefined
  const properties = branch.properties ?? {}
  return Object.keys(properties).length === 1 && Object.hasOwn(properties, tag)
    ? properties[tag]
    : undefined
}

function countRules(
  printer: Printer,
  branches: readonly Schema[],
  place: Place,
): readonly string[] {
  const [n, m] = [printer.fresh('n'), printer.fresh('m')]
  const checks = branches.map((branch) => printer.check(branch, place))
  const variants = checks.flatMap((lines) => {
    if (lines.length === 0) return [`${m}++`]
    return ['{', ...lines, '}', `if (e.length === ${n}) ${m}++`, `else e.length = ${n}`]
  })
  const message = `must fit exactly one of ${branches.length} variants`
  return [
    ...(checks.some((lines) => lines.length > 0) ? [`const ${n} = e.length`] : []),
    `let ${m} = 0`,
    ...variants,
    `if (${m} !== 1) ${bad(place, 'oneOf', message)}`,
  ]
}

function firstRules(
  printer: Printer,
  branches: readonly Schema[],
  place: Place,
): readonly string[] {
  const all = branches.map((branch) => printer.check(branch, place))
  if (all.some((lines) => lines.length === 0)) return []
  const [n, label] = [printer.fresh('n'), printer.fresh('any')]
  const variants = all.flatMap((lines) => [
    ...lines,
    `if (e.length === ${n}) break ${label}`,
    `e.length = ${n}`,
  ])
  const message = `must fit one of ${branches.length} variants`
  return [`const ${n} = e.length`, `${label}: {`, ...variants, bad(place, 'anyOf', message), '}']
}
