// Which rules of the maintained engine run, how much they weigh here, and which do not run, with
// the reason.
import type { Severity } from '../findings.ts'
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of the engine's findings begin with this. */
export const ENGINE_PREFIX = 'oas/'

const TABLE: readonly (readonly [rule: string, severity: Severity, why: string])[] = [
  [
    'struct',
    'error',
    'The document breaks the structure that its version of OpenAPI prescribes: a field is missing, misplaced or of another type.',
  ],
  [
    'no-unused-components',
    'warning',
    'A component that nothing refers to is a leftover, or a reference was forgotten.',
  ],
  [
    'no-invalid-media-type-examples',
    'warning',
    'People copy examples of requests and answers; one that its schema refuses misleads them.',
  ],
  [
    'no-invalid-schema-examples',
    'warning',
    'An example that the schema itself refuses shows that one of the two is wrong.',
  ],
  [
    'no-invalid-parameter-examples',
    'warning',
    'An example that the parameter itself refuses shows that one of the two is wrong.',
  ],
  [
    'no-example-value-and-externalValue',
    'warning',
    'Of `value` and `externalValue` one is ignored.',
  ],
  [
    'no-duplicated-enum-values',
    'warning',
    'A value that stands twice was probably meant to be another one.',
  ],
  [
    'no-enum-type-mismatch',
    'warning',
    'A value of another type than the schema’s can never be sent.',
  ],
  ['no-duplicated-tag-names', 'warning', 'Which description of the tag counts is anybody’s guess.'],
  [
    'no-illogical-composition-keywords',
    'note',
    'A composition of one schema is that schema; often a second one was forgotten.',
  ],
  [
    'no-mixed-number-range-constraints',
    'warning',
    'Of an inclusive and an exclusive bound on the same side one is superfluous, and readers take the wrong one.',
  ],
  [
    'no-required-schema-properties-undefined',
    'warning',
    'A required name that is not declared is often misspelled; its value is of type `unknown`.',
  ],
  [
    'nullable-type-sibling',
    'warning',
    'In OpenAPI 3.0 `nullable` does nothing without `type` beside it.',
  ],
  [
    'no-server-trailing-slash',
    'warning',
    'Clients put the path behind the address: with a slash at its end there are two.',
  ],
  [
    'no-server-variables-empty-enum',
    'error',
    'A server variable that may have no value makes no address.',
  ],
  [
    'no-undefined-server-variable',
    'error',
    'A variable in a server’s address without definition cannot be filled in.',
  ],
  [
    'no-path-trailing-slash',
    'warning',
    'Routers and proxies take `/a` and `/a/` for the same or for two paths, as they like.',
  ],
  [
    'no-ambiguous-paths',
    'note',
    'Two templates take the same requests: which operation answers depends on the order of routes.',
  ],
  [
    'operation-4xx-response',
    'note',
    'Nearly every operation can refuse a request. What is not declared, clients do not handle.',
  ],
  [
    'security-scopes-defined',
    'warning',
    'A scope that its scheme does not define cannot be asked for.',
  ],
  [
    'spec-components-invalid-map-name',
    'warning',
    'Names of components are limited to letters, digits, dot, dash and underscore: others cannot be referred to.',
  ],
  [
    'spec-no-invalid-encoding-combinations',
    'warning',
    'Of the ways of saying how parts are encoded, some exclude each other.',
  ],
  [
    'spec-querystring-parameters',
    'warning',
    'A parameter `in: querystring` is the whole query: no other query parameter is allowed.',
  ],
  [
    'spec-no-invalid-tag-parents',
    'warning',
    'A tag whose parent is missing, or is itself, has no place in the tree of tags.',
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
  why: 'The engine gave up on the document: what its rules would say is not known. Loading and our own rules have looked at it.',
}

/** What --explain and documentation know of the engine's findings. */
export const ENGINE_CODES: readonly CodeInfo[] = [
  ...ENGINE_RULES.map((one) => ({ ...one, code: ENGINE_PREFIX + one.code })),
  ENGINE_FAILED,
]
