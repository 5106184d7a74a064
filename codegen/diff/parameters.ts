// Compares the parameters of an operation, by place and name.
import type { OperationIr, ParameterIr } from '../ir.ts'
import { extensions, fields } from '../values.ts'
import { compareFlag, compareMembers, note, resolved } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { parameterKey } from './places.ts'
import { REQUEST } from './rules.ts'
import type { RuleName } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { compareExtensions } from './schema-texts.ts'
import { keyed, match } from './sets.ts'

/** Notes changes of parameters. One that stands elsewhere under the same name has moved. */
export function compareParameters(spot: Spot, before: OperationIr, after: OperationIr): void {
  const names = newPathNames(before.path, after.path)
  const { pairs, gone, fresh } = match(
    keyed(before.parameters, (one) =>
      keyOf(one.in === 'path' ? { ...one, name: names.get(one.name) ?? one.name } : one),
    ),
    keyed(after.parameters, keyOf),
  )
  for (const [, old, now] of pairs) compareOne(spot, old, now)
  const moved = new Set<ParameterIr>()
  for (const [, old] of gone) {
    const [now, ...more] = fresh
      .map(([, one]) => one)
      .filter((one) => one.name === old.name && !moved.has(one))
    const isOnly = gone.filter(([, one]) => one.name === old.name).length === 1 && more.length === 0
    if (now === undefined || !isOnly) {
      notePresence(spot, old, 'parameter-removed', 'old')
      continue
    }
    moved.add(now)
    compareOne(spot, old, now)
  }
  for (const [, now] of fresh) {
    const rule = now.required ? 'parameter-added-required' : 'parameter-added-optional'
    if (!moved.has(now)) notePresence(spot, now, rule, 'new')
  }
}

function notePresence(
  spot: Spot,
  parameter: ParameterIr,
  rule: RuleName,
  only: 'old' | 'new',
): void {
  const keys = ['parameters', parameterKey(parameter)]
  note({ ...spot, ways: REQUEST }, rule, { name: nameOf(parameter), keys, only })
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

function compareOne(operation: Spot, before: ParameterIr, after: ParameterIr): void {
  const spot: Spot = {
    ...operation,
    old: [...operation.old, 'parameters', parameterKey(before)],
    new: [...operation.new, 'parameters', parameterKey(after)],
    subject: `${operation.subject}: ${nameOf(after).replace('the ', '')}`,
    ways: REQUEST,
  }
  compareMembers(spot, before, after, [
    ['in', 'parameter-moved'],
    ['name', after.in === 'header' ? 'header-case-changed' : 'path-parameter-renamed'],
  ])
  const { schema } = resolved(spot.in.after, after.schema)
  const isFilled = fields(schema)['default'] !== undefined
  compareFlag(
    spot,
    before.required,
    after.required,
    [
      'parameter-became-required',
      isFilled ? 'parameter-became-optional-with-default' : 'parameter-became-optional',
    ],
    ['required'],
  )
  if (before.in === after.in) compareMembers(spot, before, after, FORM)
  compareFlag(spot, before.deprecated, after.deprecated, DEPRECATED, ['deprecated'])
  compareMembers(spot, before, after, [['description', 'parameter-description-changed']])
  compareExtensions(
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
  compareSchemas(inside, before.schema, after.schema)
}

const DEPRECATED = ['parameter-deprecated', 'parameter-undeprecated'] as const
const FORM = [
  ['style', 'parameter-style-changed'],
  ['explode', 'parameter-explode-changed'],
  ['mediaType', 'parameter-media-type-changed', ['content']],
] as const
