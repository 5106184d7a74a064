// The rules of the maintained engine that run, with our severity and reason.
import type { FindingRule } from '../rules/document-rules.ts'
import { rules } from '../rules/rule.ts'

/** Codes of the engine's findings begin with this. */
export const ENGINE_PREFIX = 'oas/'

/** The engine's rules that run, under their own names. */
export const ENGINE_RULES: Readonly<Record<string, FindingRule>> = {
  ...rules({ severity: 'error' } as const, {
    struct: 'A field is missing, misplaced or of another type.',
    'no-server-variables-empty-enum': 'The server variable has no possible value.',
    'no-undefined-server-variable': 'The server’s variable is not defined.',
  }),
  ...rules({ severity: 'warning' } as const, {
    'no-unused-components': 'The component is a leftover, or a reference was forgotten.',
    'no-invalid-media-type-examples': 'People copy examples, and an invalid one misleads them.',
    'no-invalid-schema-examples': 'People copy examples, and an invalid one misleads them.',
    'no-invalid-parameter-examples': 'People copy examples, and an invalid one misleads them.',
    'no-example-value-and-externalValue': 'Of `value` and `externalValue`, one is ignored.',
    'no-duplicated-enum-values': 'The value is listed twice; probably another one was meant.',
    'no-enum-type-mismatch': 'The value is not of the schema’s type: it can never be sent.',
    'no-duplicated-tag-names': 'The tag has two descriptions; tools show one of them.',
    'no-mixed-number-range-constraints': 'Of two bounds on the same side, one is superfluous.',
    'no-required-schema-properties-undefined':
      'The required property has no type; often a name is misspelled.',
    'nullable-type-sibling': 'In OpenAPI 3.0, `nullable` has no effect without `type`.',
    'no-server-trailing-slash': 'Clients append the path, so there are two slashes.',
    'no-path-trailing-slash':
      'Some routers and proxies treat `/a` and `/a/` as the same, others as two paths.',
    'security-scopes-defined': 'Clients cannot request an undefined scope.',
    'spec-components-invalid-map-name':
      'A name with other characters than letters, digits, dot, dash and underscore cannot be referenced.',
    'spec-no-invalid-encoding-combinations': 'Some encoding fields exclude each other.',
    'spec-querystring-parameters':
      'A parameter `in: querystring` is the whole query: no other is allowed.',
    'spec-no-invalid-tag-parents': 'The parent is missing, or is the tag itself.',
    'spec-discriminator-defaultMapping': 'The default variant must be one of the variants.',
  }),
  ...rules({ severity: 'note' } as const, {
    'no-illogical-composition-keywords':
      'There is only one schema; often a second one was forgotten.',
    'no-ambiguous-paths': 'Which operation answers depends on the order of routes.',
    'operation-4xx-response': 'Clients do not handle undeclared errors.',
  }),
}

/** The engine broke on a document, which need not be wrong. */
export const ENGINE_FAILED: FindingRule = {
  severity: 'warning',
  says: 'The engine failed: its rules were not checked, but all others were.',
}

/** Rules of the engine's findings, for `--explain` and documentation. */
export const ENGINE_CODES: Readonly<Record<string, FindingRule>> = Object.fromEntries(
  Object.entries({ ...ENGINE_RULES, failed: ENGINE_FAILED }).map(([code, rule]) => [
    ENGINE_PREFIX + code,
    rule,
  ]),
)
