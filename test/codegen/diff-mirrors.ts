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
  'access-opened': 'access-restricted',
  'access-restricted': 'access-opened',
  'any-of-became-one-of': 'one-of-became-any-of',
  'body-added-optional': 'body-removed',
  'body-added-required': 'body-removed',
  'body-removed': 'body-added-optional',
  'choice-field-removed': 'choice-field-required',
  'choice-field-required': 'choice-field-removed',
  'deprecated-operation-removed': 'operation-added',
  'one-of-became-any-of': 'any-of-became-one-of',
  'parameter-added-optional': 'parameter-removed',
  'parameter-added-required': 'parameter-removed',
  'parameter-became-optional-with-default': 'parameter-became-required',
  'parameter-removed': 'parameter-added-optional',
  'payload-field-removed': 'payload-field-required',
  'payload-field-required': 'payload-field-removed',
  'property-added-optional': 'property-removed',
  'property-added-required': 'property-removed',
  'property-removed': 'property-added-optional',
  'response-header-added-optional': 'response-header-removed',
  'response-header-added-required': 'response-header-removed',
  'response-header-removed': 'response-header-added-optional',
  'response-second-media-type-added': 'response-media-type-removed',
  'security-optional': 'security-required',
  'security-required': 'security-optional',
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
