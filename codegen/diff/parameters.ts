// Compares the parameters of an operation, by place and name.
import type { OperationIr, ParameterIr } from '../ir.ts'
import { extensions, fields } from '../values.ts'
import { note, resolved } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { parameterKey } from './places.ts'
import { REQUEST } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { compareExtensions } from './schema-texts.ts'
import { keyed, match } from './sets.ts'

/** Notes changes of parameters. One that stands elsewhere under the same name has moved. */
export function compareParameters(
  comparison: Comparison,
  spot: Spot,
  before: OperationIr,
  after: OperationIr,
): void {
  const names = newPathNames(before.path, after.path)
  const { pairs, gone, fresh } = match(
    keyed(before.parameters, (one) =>
      keyOf(one.in === 'path' ? { ...one, name: names.get(one.name) ?? one.name } : one),
    ),
    keyed(after.parameters, keyOf),
  )
  for (const [, old, now] of pairs) compareOne(comparison, spot, old, now)
  const moved = new Set<ParameterIr>()
  for (const [, old] of gone) {
    const [now, ...more] = fresh
      .map(([, one]) => one)
      .filter((one) => one.name === old.name && !moved.has(one))
    const isOnly = gone.filter(([, one]) => one.name === old.name).length === 1 && more.length === 0
    if (now === undefined || !isOnly) {
      const detail = {
        name: nameOf(old),
        keys: ['parameters', parameterKey(old)],
        only: 'old',
      } as const
      note(comparison, { ...spot, ways: REQUEST }, 'parameter-removed', detail)
      continue
    }
    moved.add(now)
    compareOne(comparison, spot, old, now)
  }
  for (const [, now] of fresh) if (!moved.has(now)) noteAdded(comparison, spot, now)
}

function noteAdded(comparison: Comparison, spot: Spot, parameter: ParameterIr): void {
  const detail = {
    name: nameOf(parameter),
    keys: ['parameters', parameterKey(parameter)],
    only: 'new',
  } as const
  note(
    comparison,
    { ...spot, ways: REQUEST },
    parameter.required ? 'parameter-added-required' : 'parameter-added-optional',
    detail,
  )
}

/** Names of headers differ in more than case. */
function keyOf(parameter: Pick<ParameterIr, 'in' | 'name'>): string {
  return parameter.in === 'header'
    ? parameterKey({ in: parameter.in, name: parameter.name.toLowerCase() })
    : parameterKey(parameter)
}

function nameOf({ in: place, name }: ParameterIr): string {
  return `the ${place} parameter '${name}'`
}

/** New name by the old one, where only names of path parameters differ between two paths. */
function newPathNames(before: string, after: string): ReadonlyMap<string, string> {
  const namesIn = (path: string): readonly string[] =>
    [...path.matchAll(/\{([^{}]*)\}/gu)].map((found) => found[1] ?? '')
  const plain = (path: string): string => path.replaceAll(/\{[^{}]*\}/gu, '{}')
  if (plain(before) !== plain(after)) return new Map()
  const now = namesIn(after)
  return new Map(namesIn(before).map((name, index) => [name, now[index] ?? name]))
}

function compareOne(
  comparison: Comparison,
  operation: Spot,
  before: ParameterIr,
  after: ParameterIr,
): void {
  const spot: Spot = {
    old: [...operation.old, 'parameters', parameterKey(before)],
    new: [...operation.new, 'parameters', parameterKey(after)],
    subject: `${operation.subject}: ${nameOf(after).replace('the ', '')}`,
    ways: REQUEST,
  }
  compareNames(comparison, spot, before, after)
  if (before.required !== after.required) {
    const isFilled =
      fields(resolved(comparison.after, after.schema).schema)['default'] !== undefined
    const optional = isFilled
      ? 'parameter-became-optional-with-default'
      : 'parameter-became-optional'
    note(comparison, spot, after.required ? 'parameter-became-required' : optional, {
      keys: ['required'],
    })
  }
  compareForm(comparison, spot, before, after)
  if (before.deprecated !== after.deprecated) {
    note(
      comparison,
      spot,
      after.deprecated === true ? 'parameter-deprecated' : 'parameter-undeprecated',
      { keys: ['deprecated'] },
    )
  }
  if (before.description !== after.description) {
    note(comparison, spot, 'parameter-description-changed', {
      before: before.description,
      after: after.description,
      keys: ['description'],
    })
  }
  compareExtensions(
    comparison,
    spot,
    extensions(before.extensions),
    extensions(after.extensions),
    'parameter-extension-changed',
  )
  const below = ({ mediaType }: ParameterIr): readonly string[] =>
    mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema']
  const inside = {
    ...spot,
    old: [...spot.old, ...below(before)],
    new: [...spot.new, ...below(after)],
  }
  compareSchemas(comparison, inside, before.schema, after.schema)
}

function compareNames(
  comparison: Comparison,
  spot: Spot,
  before: ParameterIr,
  after: ParameterIr,
): void {
  if (before.in !== after.in)
    note(comparison, spot, 'parameter-moved', { before: before.in, after: after.in, keys: ['in'] })
  if (before.name === after.name) return
  const rule = after.in === 'header' ? 'header-case-changed' : 'path-parameter-renamed'
  note(comparison, spot, rule, { before: before.name, after: after.name, keys: ['name'] })
}

function compareForm(
  comparison: Comparison,
  spot: Spot,
  before: ParameterIr,
  after: ParameterIr,
): void {
  if (before.in !== after.in) return
  if (before.style !== after.style) {
    note(comparison, spot, 'parameter-style-changed', {
      before: before.style,
      after: after.style,
      keys: ['style'],
    })
  }
  if (before.explode !== after.explode) {
    note(comparison, spot, 'parameter-explode-changed', {
      before: before.explode,
      after: after.explode,
      keys: ['explode'],
    })
  }
  if (before.mediaType !== after.mediaType) {
    note(comparison, spot, 'parameter-media-type-changed', {
      before: before.mediaType,
      after: after.mediaType,
      keys: ['content'],
    })
  }
}
