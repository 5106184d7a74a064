// Which rule the way back of a change falls under, by the names of rules.
import type { RuleName } from '../../codegen/diff/rules.ts'

/** Endings of rules that mirror each other. A rule with none of them mirrors itself. */
const ENDINGS = [
  ['added', 'removed'],
  ['declared', 'dropped'],
  ['became-required', 'became-optional'],
  ['tightened', 'loosened'],
  ['narrowed', 'widened'],
  ['restricted', 'freed'],
  ['closed', 'opened'],
  ['allowed', 'forbidden'],
  ['deprecated', 'undeprecated'],
  ['specified', 'generalised'],
  ['decreased', 'increased'],
  ['announced', 'withdrawn'],
  ['sooner', 'later'],
  ['lowered', 'raised'],
] as const

const OTHERS: Readonly<Partial<Record<RuleName, RuleName>>> = {
  'access-restricted': 'access-opened',
  'access-opened': 'access-restricted',
  'any-of-became-one-of': 'one-of-became-any-of',
  'one-of-became-any-of': 'any-of-became-one-of',
  'body-added-optional': 'body-removed',
  'body-added-required': 'body-removed',
  'body-removed': 'body-added-optional',
  'deprecated-operation-removed': 'operation-added',
  'parameter-added-optional': 'parameter-removed',
  'parameter-added-required': 'parameter-removed',
  'parameter-became-optional-with-default': 'parameter-became-required',
  'parameter-removed': 'parameter-added-optional',
  'property-added-optional': 'property-removed',
  'property-added-required': 'property-removed',
  'property-removed': 'property-added-optional',
  'response-header-added-optional': 'response-header-removed',
  'response-header-added-required': 'response-header-removed',
  'response-header-removed': 'response-header-added-optional',
  'response-second-media-type-added': 'response-media-type-removed',
  'unused-schema-removed': 'schema-added',
}

/** The rule of the reverse of a change. */
export function mirrorOf(rule: RuleName): string {
  const found = ENDINGS.flatMap(([one, other]) => [
    { ending: `-${one}`, mirror: `-${other}` },
    { ending: `-${other}`, mirror: `-${one}` },
  ]).find(({ ending }) => rule.endsWith(ending))
  const byEnding = found === undefined ? rule : rule.slice(0, -found.ending.length) + found.mirror
  return OTHERS[rule] ?? byEnding
}
