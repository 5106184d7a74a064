// Every rule that findings may be under, in one list: ours, those of loading, those of the engine,
// those about ignores.
import { CHANGE_RULES, IGNORE_RULES, LOAD_RULES } from '../rules/document-rules.ts'
import type { FindingRule } from '../rules/document-rules.ts'
import { ENGINE_CODES, ENGINE_PREFIX } from './engine-codes.ts'
import type { Rule } from './rule.ts'
import { ACCESS_RULES } from './rules-access.ts'
import { EXTENSION_RULES } from './rules-extensions.ts'
import { LIFECYCLE_RULES } from './rules-lifecycle.ts'
import { OPERATION_RULES } from './rules-operations.ts'
import { SCHEMA_RULES } from './rules-schemas.ts'
import { UNION_RULES } from './rules-unions.ts'

type Rules<R> = Readonly<Record<string, R>>

/** Our own rules, by code. */
export const RULES: Rules<Rule> = {
  ...ACCESS_RULES,
  ...LIFECYCLE_RULES,
  ...EXTENSION_RULES,
  ...OPERATION_RULES,
  ...SCHEMA_RULES,
  ...UNION_RULES,
}

/** Rules by where they come from, with a title each: the order of docs/lint.md. */
export const GROUPS: readonly { readonly title: string; readonly rules: Rules<FindingRule> }[] = [
  { title: 'Loading', rules: LOAD_RULES },
  { title: 'Overlays, vocabularies and plugins', rules: CHANGE_RULES },
  { title: 'Access', rules: ACCESS_RULES },
  { title: 'Stability and versions', rules: LIFECYCLE_RULES },
  { title: 'Other extensions', rules: EXTENSION_RULES },
  { title: 'Operations and parameters', rules: OPERATION_RULES },
  { title: 'Schemas', rules: SCHEMA_RULES },
  { title: 'Composition', rules: UNION_RULES },
  { title: 'Ignores', rules: IGNORE_RULES },
  { title: 'The engine', rules: ENGINE_CODES },
]

const BY_CODE = new Map(GROUPS.flatMap(({ rules }) => Object.entries(rules)))

/** The rule of a code; undefined for a code of a plugin, or of nobody. */
export function ruleOf(code: string): FindingRule | undefined {
  return BY_CODE.get(code)
}

/** True for codes that lint alone gives: what they find does not stop generation. */
export function isOurs(code: string): boolean {
  return code.startsWith(ENGINE_PREFIX) || Object.hasOwn(RULES, code)
}
