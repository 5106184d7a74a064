// The rules of the maintained engine that run, with our severity and reason, and those that do not
// run, with the reason.
import type { Severity } from '../findings.ts'
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of the engine's findings begin with this. */
export const ENGINE_PREFIX = 'oas/'

const TABLE: readonly (readonly [rule: string, severity: Severity, why: string])[] = [
  [
    'struct',
    'error',
    'The document violates the structure of its OpenAPI version: a field is missing, misplaced or of another type.',
  ],
  [
    'no-unused-components',
    'warning',
    'Nothing refers to the component: it is a leftover, or a reference was forgotten.',
  ],
  [
    'no-invalid-media-type-examples',
    'warning',
    'People copy examples of requests and answers, and an invalid one misleads them.',
  ],
  [
    'no-invalid-schema-examples',
    'warning',
    'The example does not match the schema, so one of the two is wrong.',
  ],
  [
    'no-invalid-parameter-examples',
    'warning',
    'The example does not match the parameter, so one of the two is wrong.',
  ],
  [
    'no-example-value-and-externalValue',
    'warning',
    'An example with both `value` and `externalValue`: one of them is ignored.',
  ],
  [
    'no-duplicated-enum-values',
    'warning',
    'The value is listed twice; probably another one was meant.',
  ],
  [
    'no-enum-type-mismatch',
    'warning',
    'The value is not of the schema’s type, so it can never be sent.',
  ],
  ['no-duplicated-tag-names', 'warning', 'The tag has two descriptions; tools show one of them.'],
  [
    'no-illogical-composition-keywords',
    'note',
    'The composition has only one schema; often a second one was forgotten.',
  ],
  [
    'no-mixed-number-range-constraints',
    'warning',
    'Of an inclusive and an exclusive bound on the same side, one is superfluous and misleads readers.',
  ],
  [
    'no-required-schema-properties-undefined',
    'warning',
    'A required name that is not declared is often misspelled; its value is of type `unknown`.',
  ],
  ['nullable-type-sibling', 'warning', 'In OpenAPI 3.0, `nullable` has no effect without `type`.'],
  [
    'no-server-trailing-slash',
    'warning',
    'Clients append the path to the address: with a slash at its end, there are two.',
  ],
  [
    'no-server-variables-empty-enum',
    'error',
    'The server variable has no possible value, so there is no address.',
  ],
  ['no-undefined-server-variable', 'error', 'The variable in the server’s address is not defined.'],
  [
    'no-path-trailing-slash',
    'warning',
    'Some routers and proxies treat `/a` and `/a/` as the same path, others as two.',
  ],
  [
    'no-ambiguous-paths',
    'note',
    'Two path templates match the same requests: which operation answers depends on the order of routes.',
  ],
  [
    'operation-4xx-response',
    'note',
    'Almost every operation can reject a request, and clients do not handle undeclared errors.',
  ],
  [
    'security-scopes-defined',
    'warning',
    'The scheme does not define the scope, so clients cannot request it.',
  ],
  [
    'spec-components-invalid-map-name',
    'warning',
    'Names of components can have only letters, digits, dot, dash and underscore; others cannot be referenced.',
  ],
  ['spec-no-invalid-encoding-combinations', 'warning', 'Some encoding fields exclude each other.'],
  [
    'spec-querystring-parameters',
    'warning',
    'A parameter `in: querystring` is the whole query: no other query parameter is allowed.',
  ],
  [
    'spec-no-invalid-tag-parents',
    'warning',
    'The parent of the tag is missing, or is the tag itself.',
  ],
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
  why: 'The engine failed on this document, so its rules were not checked. Loading and our own rules were.',
}

/** What --explain and documentation know of the engine's findings. */
export const ENGINE_CODES: readonly CodeInfo[] = [
  ...ENGINE_RULES.map((one) => ({ ...one, code: ENGINE_PREFIX + one.code })),
  ENGINE_FAILED,
]
