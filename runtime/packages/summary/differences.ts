// What differs between two versions of a package, and whether the newer may follow the older: what
// was there must still be there, and what is new may be left out by those who do not know it.
// docs/ledger-rules.md, "Packages"
import { compareVersions } from './summary.ts'
import type {
  Choice,
  DataType,
  Field,
  Interface,
  LfType,
  Module,
  PackageSummary,
  Template,
} from './summary.ts'
import { TypeComparison } from './upgrade-types.ts'

/**
 * Differences that no upgrade may have, in words: `{name}`, `{before}`, `{after}` are filled in.
 */
export const REFUSED_DIFFERENCES = {
  'language-lowered': 'the language version is lowered from {before} to {after}',
  'module-removed': 'module {name} is removed',
  'template-removed': 'template {name} is removed',
  'data-type-removed': 'data type {name} is removed',
  'choice-removed': 'choice {name} is removed',
  'key-removed': 'the key is removed',
  'key-added': 'the key is added',
  'key-changed': 'the type of the key is changed',
  'implementation-removed': 'interface {name} is no longer implemented',
  'argument-changed': 'the type of the argument is changed',
  'result-changed': 'the type of the result is changed',
  'parameters-changed': 'its parameters are changed',
  'kind-changed': 'it was {before} and is {after}',
  'field-removed': 'field {name} is removed',
  'field-moved': 'field {name} is at another place',
  'field-changed': 'the type of field {name} is changed',
  'field-required': 'the new field {name} is not optional',
  'constructor-removed': 'constructor {name} is removed',
  'constructor-moved': 'constructor {name} is at another place',
  'constructor-changed': 'the type of constructor {name} is changed',
} as const

/** Differences that an upgrade may have. */
export const ALLOWED_DIFFERENCES = {
  'module-added': 'module {name} is new',
  'interface-removed': 'interface {name} is removed',
  'interface-added': 'interface {name} is new',
  'interface-part-removed': '{name} is removed',
  'interface-part-changed': '{name} is changed',
  'interface-part-added': '{name} is new',
  'template-added': 'template {name} is new',
  'data-type-added': 'data type {name} is new',
  'choice-added': 'choice {name} is new',
  'implementation-added': 'interface {name} is implemented now',
  'field-added': 'the optional field {name} is new',
  'constructor-added': 'constructor {name} is new',
} as const

type RefusedRule = keyof typeof REFUSED_DIFFERENCES
export type DifferenceRule = RefusedRule | keyof typeof ALLOWED_DIFFERENCES

/** The definitions that a difference is within, from the module on. */
export type Place = readonly { readonly what: Kind; readonly name: string }[]

type Kind = 'module' | 'template' | 'data type' | 'choice' | 'interface'

/** One difference; `before` and `after` are texts of what changed. */
export interface Difference {
  readonly rule: DifferenceRule
  readonly place: Place
  readonly name?: string
  readonly before?: string
  readonly after?: string
}

/** One that no upgrade may have. */
export type RefusedDifference = Difference & { readonly rule: RefusedRule }

export function isRefused(difference: Difference): difference is RefusedDifference {
  return difference.rule in REFUSED_DIFFERENCES
}

/**
 * Everything that differs, found while it is asked for, in the order of the older package. `known`:
 * packages whose types are followed by name.
 */
export function* differences(
  older: PackageSummary,
  newer: PackageSummary,
  known: readonly PackageSummary[],
): Generator<Difference> {
  const [before, after] = [older.languageVersion, newer.languageVersion]
  if (compareVersions(after, before) < 0)
    yield { rule: 'language-lowered', place: [], before, after }
  const types = TypeComparison.between(older, newer, known)
  yield* eachKept('module', [], older.modules, newer.modules, (one, other, place) =>
    moduleDifferences(one, other, types, place),
  )
}

function* moduleDifferences(
  before: Module,
  after: Module,
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  yield* eachKept('interface', place, interfacesOf(before), interfacesOf(after), (one, other, at) =>
    interfaceDifferences(one.type, other.type, types, at),
  )
  yield* eachKept('template', place, before.templates, after.templates, (one, other, within) =>
    templateDifferences(one, other, types, within),
  )
  yield* eachKept('data type', place, visible(before), visible(after), (one, other, within) =>
    dataTypeDifferences(one, other, types, within),
  )
}

function interfacesOf({ interfaces, interfaceTypes = [] }: Module) {
  const known = byName(interfaceTypes)
  return interfaces.map((name) => ({ name, type: known.get(name) }))
}

function* interfaceDifferences(
  before: Interface | undefined,
  after: Interface | undefined,
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  if (before === undefined || after === undefined) return
  const [old, now] = [partsOf(before), partsOf(after)]
  for (const [name, type] of old) {
    const later = now.get(name)
    if (later === undefined) yield { rule: 'interface-part-removed', place, name }
    else if (!types.same(type, later))
      yield { rule: 'interface-part-changed', place, name, ...texts(type, later) }
  }
  for (const name of now.keys())
    if (!old.has(name)) yield { rule: 'interface-part-added', place, name }
  const { removed, added } = changedReferences(before.requires, after.requires, types)
  for (const name of removed)
    yield { rule: 'interface-part-removed', place, name: `the required interface ${name}` }
  for (const name of added)
    yield { rule: 'interface-part-added', place, name: `the required interface ${name}` }
}

/** Names of the references that are gone and of those that are new. */
function changedReferences(
  before: readonly LfType[],
  after: readonly LfType[],
  types: TypeComparison,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const removed = before.filter((one) => !after.some((other) => types.same(one, other)))
  const added = after.filter((one) => !before.some((other) => types.same(other, one)))
  return { removed: removed.map(({ name }) => name), added: added.map(({ name }) => name) }
}

/** Promises of an interface but for the interfaces that it requires: types by their names. */
function partsOf({ view, methods, choices }: Interface): ReadonlyMap<string, LfType> {
  const parts = new Map([['the view', view]])
  for (const { name, type } of methods) parts.set(`method ${name}`, type)
  for (const { name, consuming, argument, result } of choices)
    parts.set(`choice ${name}`, {
      kind: 'struct',
      name: consuming ? 'consuming' : 'nonconsuming',
      package: '',
      arguments: [argument, result],
    })
  return parts
}

/** Types that no contract can hold do not count, nor do those of exceptions. */
function visible({ dataTypes, exceptions }: Module): DataType[] {
  return dataTypes.filter(({ name, serializable }) => serializable && !exceptions.includes(name))
}

function* templateDifferences(
  before: Template,
  after: Template,
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  if (before.key && after.key) {
    if (!types.same(before.key, after.key))
      yield { rule: 'key-changed', place, ...texts(before.key, after.key) }
  } else if (before.key || after.key)
    yield { rule: before.key ? 'key-removed' : 'key-added', place }
  const { removed, added } = changedReferences(before.interfaces, after.interfaces, types)
  for (const name of removed) yield { rule: 'implementation-removed', place, name }
  for (const name of added) yield { rule: 'implementation-added', place, name }
  yield* eachKept('choice', place, before.choices, after.choices, (one, other, within) =>
    choiceDifferences(one, other, types, within),
  )
}

function* choiceDifferences(
  before: Choice,
  after: Choice,
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  for (const part of ['argument', 'result'] as const)
    if (!types.same(before[part], after[part]))
      yield { rule: `${part}-changed`, place, ...texts(before[part], after[part]) }
}

function* dataTypeDifferences(
  before: DataType,
  after: DataType,
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  const [old, now] = [before.shape, after.shape]
  if (before.parameters.length !== after.parameters.length)
    return yield { rule: 'parameters-changed', place }
  const inside = types.withParameters(before.parameters, after.parameters)
  if (old.kind === 'record' && now.kind === 'record')
    yield* memberDifferences('field', old.fields, now.fields, inside, place)
  else if (old.kind === 'variant' && now.kind === 'variant')
    yield* memberDifferences('constructor', old.cases, now.cases, inside, place)
  else if (old.kind === 'enum' && now.kind === 'enum')
    yield* memberDifferences(
      'constructor',
      old.names.map(named),
      now.names.map(named),
      inside,
      place,
    )
  else if (old.kind !== now.kind)
    yield { rule: 'kind-changed', place, before: old.kind, after: now.kind }
}

type Member = Named & Partial<Pick<Field, 'type'>>

function named(name: string): Member {
  return { name }
}

function* memberDifferences(
  what: 'field' | 'constructor',
  before: readonly Member[],
  after: readonly Member[],
  types: TypeComparison,
  place: Place,
): Generator<Difference> {
  const [old, now] = [byName(before), byName(after)]
  const removed = before.filter(({ name }) => !now.has(name))
  for (const { name } of removed) yield { rule: `${what}-removed`, place, name }
  const moved = before.find(({ name }, index) => after[index]?.name !== name)
  if (moved !== undefined && removed.length === 0)
    yield { rule: `${what}-moved`, place, name: moved.name }
  for (const { name, type } of before) {
    const later = now.get(name)?.type
    if (type !== undefined && later !== undefined && !types.same(type, later))
      yield { rule: `${what}-changed`, place, name, ...texts(type, later) }
  }
  for (const { name, type } of after.filter((one) => !old.has(one.name)))
    if (what === 'constructor') yield { rule: 'constructor-added', place, name }
    else if (type !== undefined)
      yield { rule: types.isOptional(type) ? 'field-added' : 'field-required', place, name }
}

interface Named {
  readonly name: string
}

function byName<T extends Named>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]))
}

/** Definitions that are gone or differ, in the older order; then those that are new. */
function* eachKept<T extends Named>(
  what: Kind,
  place: Place,
  before: readonly T[],
  after: readonly T[],
  within?: (before: T, after: T, place: Place) => Generator<Difference>,
): Generator<Difference> {
  const kind = what === 'data type' ? 'data-type' : what
  const found = new Map(byName(after))
  for (const item of before) {
    const { name } = item
    const now = found.get(name)
    if (now === undefined) yield { rule: `${kind}-removed`, place, name }
    else if (within !== undefined) yield* within(item, now, [...place, { what, name }])
    found.delete(name)
  }
  for (const name of found.keys()) yield { rule: `${kind}-added`, place, name }
}

function texts(before: LfType, after: LfType): Pick<Difference, 'before' | 'after'> {
  return { before: typeText(before), after: typeText(after) }
}

function typeText({ name, arguments: given }: LfType): string {
  const parts = given.map((one) =>
    one.arguments.length === 0 ? typeText(one) : `(${typeText(one)})`,
  )
  return [name, ...parts].join(' ')
}
