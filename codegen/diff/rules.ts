// The table of all rules: how a change reads, what it means for each side, and what the reverse
// change is called.
import { worse } from './level.ts'
import type { Level } from './level.ts'
import {
  OPERATION_RULES,
  PARAMETER_RULES,
  BODY_RULES,
  RESPONSE_RULES,
  DOCUMENT_RULES,
} from './rules-operations.ts'
import { CONTRACT_RULES } from './rules-contracts.ts'
import { PACKAGE_RULES } from './rules-packages.ts'
import { ACCESS_RULES, SECURITY_RULES, VERSION_RULES } from './rules-access.ts'
import { SCHEMA_RULES, SHAPE_RULES, TEXT_RULES, VALUE_RULES } from './rules-schemas.ts'
import type { Rule, Levels } from './rule.ts'

/** Rules under the headings that docs/diff.md has. */
export const RULE_GROUPS = [
  { title: 'Documents', rules: DOCUMENT_RULES },
  { title: 'Operations', rules: OPERATION_RULES },
  { title: 'Parameters', rules: PARAMETER_RULES },
  { title: 'Request bodies', rules: BODY_RULES },
  { title: 'Responses', rules: RESPONSE_RULES },
  { title: 'Security', rules: SECURITY_RULES },
  { title: 'Access (`x-access`)', rules: ACCESS_RULES },
  { title: 'Stability, versions, limits', rules: VERSION_RULES },
  { title: 'Schemas: names and references', rules: SCHEMA_RULES },
  { title: 'Schemas: values', rules: VALUE_RULES },
  { title: 'Schemas: objects, lists, variants', rules: SHAPE_RULES },
  { title: 'Schemas: annotations', rules: TEXT_RULES },
  { title: 'Contracts (`contracts.yaml`)', rules: CONTRACT_RULES },
  { title: 'Packages (archives)', rules: PACKAGE_RULES },
] as const

const ALL = {
  ...DOCUMENT_RULES,
  ...OPERATION_RULES,
  ...PARAMETER_RULES,
  ...BODY_RULES,
  ...RESPONSE_RULES,
  ...SECURITY_RULES,
  ...ACCESS_RULES,
  ...VERSION_RULES,
  ...SCHEMA_RULES,
  ...VALUE_RULES,
  ...SHAPE_RULES,
  ...TEXT_RULES,
  ...CONTRACT_RULES,
  ...PACKAGE_RULES,
}

export type RuleName = keyof typeof ALL

/** Every rule by its code. */
export const RULES: Readonly<Record<RuleName, Rule>> = ALL

/** True for the code of a rule. */
export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(ALL, name)
}

/** Bits of the ways that a value travels. */
export const REQUEST = 1
export const RESPONSE = 2

/**
 * What a rule means for a schema that travels these ways: the worse where it travels both, words
 * only where it travels none.
 */
export function levelsOf(name: RuleName, ways: number): Levels {
  const rule = RULES[name]
  if (rule.kind === 'fixed') return rule.levels
  const levels = [
    ...((ways & REQUEST) === 0 ? [] : [rule.request]),
    ...((ways & RESPONSE) === 0 ? [] : [rule.response]),
  ]
  if (levels.length === 0) return ['editorial', 'editorial']
  const worst = (side: 0 | 1): Level => levels.map((both) => both[side]).reduce(worse)
  return [worst(0), worst(1)]
}
