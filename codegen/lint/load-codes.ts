// What is said of the codes that loading a document may give, for lists, `--explain` and docs/lint.md.
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of codegen/load. Errors among them stop generation as well. */
export const LOAD_CODES: readonly CodeInfo[] = codes([
  ['unreadable', 'error', 'The file is not there, may not be read, or is no UTF-8.'],
  ['syntax', 'error', 'The file is no YAML 1.2 and no JSON.'],
  ['duplicate-key', 'error', 'Of two equal keys of one object, parsers take the first, the last, or neither.'],
  ['openapi-version', 'error', 'Only OpenAPI 3.0, 3.1 and 3.2 are understood.'],
  ['unresolved-reference', 'error', 'The reference leads to nothing.'],
  ['circular-reference', 'error', 'The reference leads back to itself, never to a value.'],
  ['remote-reference', 'error', 'Remote documents are not fetched: output must not depend on what a server says today.'],
  ['circular-schema', 'error', 'A schema that is defined by itself alone says nothing about any value.'],
  ['not-a-schema', 'error', 'A schema is an object or a boolean.'],
  ['bad-pattern', 'error', 'The pattern is no regular expression of ECMA-262, which OpenAPI prescribes.'],
  ['bad-parameter', 'error', 'A parameter needs a name and a place: path, query, header or cookie.'],
  ['bad-status', 'error', 'A status is like 200, 4XX or default.'],
  ['undeclared-path-parameter', 'error', 'A name in the path has no parameter: nothing says what it may be.'],
  ['unknown-path-parameter', 'error', 'A path parameter that is not in the path can never be read.'],
  ['unknown-keyword', 'warning', 'A keyword that OpenAPI does not have does nothing; often it is misspelled.'],
  ['unsupported-keyword', 'warning', 'The keyword is right, but generated validators do not check it.'],
  ['ignored-keyword', 'warning', 'OpenAPI 3.0 ignores what stands beside a reference.'],
  ['ignored-webhooks', 'note', 'Webhooks are not generated.'],
  ['ignored-callbacks', 'note', 'Callbacks are not generated.'],
  ['renamed-schema', 'note', 'Two files define different schemas of one name; one of them gets another.'],
  ['missing-operation-id', 'note', 'The operation is named after method and path, and renamed when the path changes.'],
  ['duplicate-operation-id', 'note', 'Operation ids name handlers and types: the second gets a made name.'],
  ['body-without-method', 'note', 'A body on GET or HEAD: servers read it, but fetch and many proxies do not send it.'],
])
