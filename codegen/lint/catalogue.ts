// Every code that lint may give, in one list: ours, those of loading, those of the engine, those
// about ignores.
import { ENGINE_CODES, ENGINE_PREFIX } from './engine-codes.ts'
import { CHANGE_CODES, LOAD_CODES } from './load-codes.ts'
import { codes } from './rule.ts'
import type { CodeInfo, Rule } from './rule.ts'
import { ACCESS_RULES } from './rules-access.ts'
import { EXTENSION_RULES } from './rules-extensions.ts'
import { LIFECYCLE_RULES } from './rules-lifecycle.ts'
import { OPERATION_RULES } from './rules-operations.ts'
import { SCHEMA_RULES } from './rules-schemas.ts'
import { UNION_RULES } from './rules-unions.ts'

const IGNORE_CODES = codes([
  [
    'lint-ignore-unused',
    'note',
    'An ignore that nothing needs hides the next finding of its code.',
  ],
  ['lint-ignore-unknown', 'warning', 'The code is misspelled or gone, and ignores nothing.'],
  [
    'lint-ignore-shape',
    'warning',
    '`x-lint-ignore` is a list of codes, or an object of codes with reasons.',
  ],
])

/** Our own rules. */
export const RULES: readonly Rule[] = [
  ...ACCESS_RULES,
  ...LIFECYCLE_RULES,
  ...EXTENSION_RULES,
  ...OPERATION_RULES,
  ...SCHEMA_RULES,
  ...UNION_RULES,
]

/** Codes by where they come from, with a title each: the order of docs/lint.md. */
export const GROUPS: readonly { readonly title: string; readonly codes: readonly CodeInfo[] }[] = [
  { title: 'Loading', codes: LOAD_CODES },
  { title: 'Overlays, vocabularies and plugins', codes: CHANGE_CODES },
  { title: 'Access', codes: ACCESS_RULES },
  { title: 'Stability and versions', codes: LIFECYCLE_RULES },
  { title: 'Other extensions', codes: EXTENSION_RULES },
  { title: 'Operations and parameters', codes: OPERATION_RULES },
  { title: 'Schemas', codes: SCHEMA_RULES },
  { title: 'Composition', codes: UNION_RULES },
  { title: 'Ignores', codes: IGNORE_CODES },
  { title: 'The engine', codes: ENGINE_CODES },
]

/** What is known of a code; undefined when nothing is. */
export function codeInfo(code: string): CodeInfo | undefined {
  return GROUPS.flatMap((group) => group.codes).find((one) => one.code === code)
}

/** True for codes that lint alone gives: what they find does not stop generation. */
export function isOurs(code: string): boolean {
  return code.startsWith(ENGINE_PREFIX) || RULES.some((rule) => rule.code === code)
}
