// The rules of the maintained engine that run, with our severity and reason, and those that do not
// run, with the reason.
import type { Severity } from '../findings.ts'
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of the engine's findings begin with this. */
export const ENGINE_PREFIX = 'oas/'

const TABLE: readonly (readonly [rule: string, severity: Severity, why: string])[] = [
  ['struct', 'error', 'A field is missing, misplaced or of another type.'],
  ['no-unused-components', 'warning', 'The component is a leftover, or a reference was forgotten.'],
  [
    'no-invalid-media-type-examples',
    'warning',
    'People copy examples, and an invalid one misleads them.',
  ],
  [
    'no-invalid-schema-examples',
    'warning',
    'People copy examples, and an invalid one misleads them.',
  ],
  [
    'no-invalid-parameter-examples',
    'warning',
    'People copy examples, and an invalid one misleads them.',
  ],
  [
    'no-example-value-and-externalValue',
    'warning',
    'Of `value` and `externalValue`, one is ignored.',
  ],
  [
    'no-duplicated-enum-values',
    'warning',
    'The value is listed twice; probably another one was meant.',
  ],
  [
    'no-enum-type-mismatch',
    'warning',
    'The value is not of the schema’s type: it can never be sent.',
  ],
  ['no-duplicated-tag-names', 'warning', 'The tag has two descriptions; tools show one of them.'],
  [
    'no-illogical-composition-keywords',
    'note',
    'There is only one schema; often a second one was forgotten.',
  ],
  [
    'no-mixed-number-range-constraints',
    'warning',
    'Of two bounds on the same side, one is superfluous.',
  ],
  [
    'no-required-schema-properties-undefined',
    'warning',
    'The required property has no type; often a name is misspelled.',
  ],
  ['nullable-type-sibling', 'warning', 'In OpenAPI 3.0, `nullable` has no effect without `type`.'],
  ['no-server-trailing-slash', 'warning', 'Clients append the path, so there are two slashes.'],
  ['no-server-variables-empty-enum', 'error', 'The server variable has no possible value.'],
  ['no-undefined-server-variable', 'error', 'The server’s variable is not defined.'],
  [
    'no-path-trailing-slash',
    'warning',
    'Some routers and proxies treat `/a` and `/a/` as the same, others as two paths.',
  ],
  ['no-ambiguous-paths', 'note', 'Which operation answers depends on the order of routes.'],
  ['operation-4xx-response', 'note', 'Clients do not handle undeclared errors.'],
  ['security-scopes-defined', 'warning', 'Clients cannot request an undefined scope.'],
  [
    'spec-components-invalid-map-name',
    'warning',
    'A name with other characters than letters, digits, dot, dash and underscore cannot be referenced.',
  ],
  ['spec-no-invalid-encoding-combinations', 'warning', 'Some encoding fields exclude each other.'],
  [
    'spec-querystring-parameters',
    'warning',
    'A parameter `in: querystring` is the whole query: no other is allowed.',
  ],
  ['spec-no-invalid-tag-parents', 'warning', 'The parent is missing, or is the tag itself.'],
  [
    'spec-discriminator-defaultMapping',
    'warning',
    'The default variant must be one of the variants.',
  ],
]

/** The engine's rules that run, under their own names. */
export const ENGINE_RULES: readonly CodeInfo[] = codes(TABLE)

/** The engine broke on a document, which need not be wrong. */
export const ENGINE_FAILED: CodeInfo = {
  code: `${ENGINE_PREFIX}failed`,
  severity: 'warning',
  why: 'The engine failed: its rules were not checked, but all others were.',
}

/** What --explain and documentation know of the engine's findings. */
export const ENGINE_CODES: readonly CodeInfo[] = [
  ...ENGINE_RULES.map((one) => ({ ...one, code: ENGINE_PREFIX + one.code })),
  ENGINE_FAILED,
]
