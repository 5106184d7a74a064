// The rules of whatever reads and changes documents, before rules of lint look at them: how grave a
// finding is, and why it matters.
import type { Finding, Severity } from '../findings.ts'
import type { SourcePlace } from '../ir.ts'
import { rules } from './rule.ts'
import type { Wording } from './rule.ts'

/** A rule for findings: what lists, `--explain` and docs/lint.md say of it. */
export interface FindingRule extends Wording {
  readonly severity: Severity
}

/** Rules of codegen/load. Errors among them stop generation as well. */
export const LOAD_RULES = {
  ...rules({ severity: 'error' } as const, {
    unreadable: 'The file is missing, not readable, not UTF-8, or too large.',
    syntax: 'The file is neither YAML 1.2 nor JSON.',
    'bad-archive': 'The file is not an archive of packages in a language version that is known.',
    'package-name': 'Two archives whose main package has the same name would write the same files.',
    'duplicate-key': 'Parsers take the first value, the last, or neither.',
    'openapi-version': 'Only OpenAPI 3.0 to 3.2 and Swagger 2.0 are supported.',
    'interface-name': 'An interface needs a name that is unique and valid for a folder.',
    'unresolved-reference': 'The target does not exist.',
    'circular-reference': 'The reference leads back to itself.',
    'remote-reference': 'Output must not depend on a server: nothing is fetched.',
    'circular-schema': 'A schema that is defined only by itself describes no value.',
    'not-a-schema': 'A schema is an object or a boolean.',
    'bad-pattern': 'The pattern is not a regular expression of ECMA-262.',
    'bad-path': 'A path begins with a slash, names each parameter once, and has no query.',
    'same-path': 'The paths differ only in names of parameters: the second is never reached.',
    'bad-operation': 'An operation must be an object.',
    'bad-parameter': 'A parameter needs a name, a place, and a schema or one media type.',
    'duplicate-parameter':
      'Only one parameter of this name can be read here. Header names have no case.',
    'bad-status': 'A status is like 200, 4XX or default.',
    'bad-errors':
      '`x-interface.errors` has responses by status, 4XX, 5XX and `default`, but no successes.',
    'undeclared-path-parameter': 'A name in the path is not declared as a parameter.',
    'unknown-path-parameter': 'The path has no such parameter.',
  }),
  ...rules({ severity: 'warning' } as const, {
    'unknown-keyword': 'The keyword has no effect; often it is misspelled.',
    'unsupported-keyword': 'Generated validators do not check this keyword.',
    'unsupported-parameter': 'Generated code cannot read this form: the parameter is left out.',
    'ignored-keyword': 'The keyword has no effect here, such as beside a reference in OpenAPI 3.0.',
    'other-version':
      'A keyword of another version is applied as in that version; other tools ignore it.',
    'other-dialect': 'Schemas are always read as JSON Schema 2020-12.',
    'dynamic-reference': 'A dynamic reference is read as a plain one.',
    'bad-value': 'The value has the wrong type: the keyword is ignored.',
    'enum-empty': 'An enumeration without values admits none, so nothing can be sent here.',
    'default-invalid':
      'A default that its schema does not admit is not filled in: handlers would get what their types exclude.',
    'untyped-schema': 'Values of every other type pass, and the TypeScript type is unknown.',
    'open-alternative': 'An alternative that admits everything makes the others meaningless.',
    'undeclared-required': 'The required property has no type; often a name is misspelled.',
    'opaque-media': 'The body is passed on as bytes or text, unchecked.',
    'open-form': 'Only named fields of a form are decoded and checked.',
    'unknown-encoding': 'The form has no such property.',
    'ignored-encoding': 'This part of an encoding has no effect.',
    'bad-style': 'The style does not apply here: the default style is used.',
    'nested-parameter':
      'OpenAPI defines no style for nested lists and objects: they are read as JSON.',
    'open-parameter': 'Only declared members are read: others look like parameters.',
    'unknown-method': 'No request can have this method here: the operation is left out.',
    'no-responses': 'Without a response, a handler can only fail.',
    'unsendable-status': 'A 1xx status does not end a request.',
    'bodyless-status': 'HTTP has no body with this status: the content is ignored.',
    'unknown-security-scheme': 'Clients and documentation look the scheme up by its name.',
  }),
  ...rules({ severity: 'note' } as const, {
    'swagger-2': 'Swagger 2.0 is converted to OpenAPI 3.0 first.',
    'referred-properties':
      'OpenAPI allows no reference in place of a map of schemas; it is followed.',
    'unchecked-format': 'The format is in types and documentation, but nothing checks it.',
    'ignored-header':
      'OpenAPI ignores header parameters named Accept, Content-Type and Authorization: use media types and security. Headers of the connection, such as Host, are not parameters.',
    'required-path-parameter': 'A path parameter is always required.',
    'ignored-servers': 'Servers of a path or operation are ignored.',
    'server-path':
      'The server’s path is not part of the routes; to add it, set `x-interface.mount`.',
    'ignored-webhooks': 'Webhooks are a separate interface, generated with `webhooks: true`.',
    'ignored-callbacks': 'Callbacks are generated with the webhooks.',
    self: 'References without `$self` are still relative to the file.',
    'base-alternatives':
      'The base lists its extensions: there is a schema with the list, and one without.',
    'base-discriminator':
      'Values of the base are checked against it only. To check extensions, use a oneOf that names them.',
    'default-mapping': 'With a default variant, schemas are tried in turn, not chosen by tag.',
    'read-write-schema': 'There are two schemas: one for requests, one for answers.',
    'renamed-schema': 'Two files have different schemas with one name: one is renamed.',
    'missing-operation-id': 'The name comes from method and path, and changes with them.',
    'duplicate-operation-id': 'The second operation is named after method and path.',
    'unsendable-method': 'TRACE is served, but fetch cannot send it.',
    'body-without-method':
      'Servers read a body on GET or HEAD, but fetch and many proxies do not send it.',
    'ignored-links': 'Links are ignored.',
  }),
}

/** Rules of overlays, vocabularies and plugins, which change a document before it is generated. */
export const CHANGE_RULES = {
  ...rules({ severity: 'error' } as const, {
    'overlay-version': 'Only overlays 1.0 and 1.1 are supported.',
    'overlay-info': 'An overlay needs `info`, with title and version.',
    'overlay-actions': 'An overlay without actions changes nothing.',
    'overlay-action': 'An action needs a `target`, and one of `update`, `remove` and `copy`.',
    'overlay-key': 'The key has no effect; often it is misspelled.',
    'overlay-target': 'A target must be a JSONPath of RFC 9535.',
    'overlay-no-match': 'The document has changed since the overlay was written.',
    'overlay-copy': 'The source of a copy must be exactly one value.',
    'overlay-mismatch': 'Values of different kinds cannot be merged.',
    'vocabulary-words': 'A vocabulary is a list of words and replacements.',
    'vocabulary-key': 'The key has no effect; often it is misspelled.',
    'vocabulary-word': 'A word must be a text in the form for its place.',
    'vocabulary-where': '`where` must be a list of known places.',
    'vocabulary-keep': '`keep` is a list of names.',
    'vocabulary-twice':
      'If one word becomes two, or two become one, names cannot be translated back.',
    'vocabulary-clash': 'Two parts of the document would get one name.',
    'vocabulary-annotation': '`x-vocabulary` has an unknown value.',
    plugin: 'A generator plugin failed, or returned an invalid result.',
  }),
  ...rules({ severity: 'warning' } as const, {
    'overlay-extends': 'The overlay names another document in `extends`.',
    'vocabulary-union': 'Values of indistinct variants may be renamed as the wrong variant.',
    'vocabulary-stream': 'Streams reach handlers as text: names in them are not translated.',
  }),
}

/** Rules of `x-lint-ignore`. */
export const IGNORE_RULES = {
  ...rules({ severity: 'warning' } as const, {
    'lint-ignore-unknown': 'The code is misspelled or gone, and ignores nothing.',
    'lint-ignore-shape': '`x-lint-ignore` is a list of codes, or an object of codes with reasons.',
  }),
  ...rules({ severity: 'note' } as const, {
    'lint-ignore-unused': 'An ignore that nothing needs hides the next finding of its code.',
  }),
}

const ALL = { ...LOAD_RULES, ...CHANGE_RULES, ...IGNORE_RULES }

export type DocumentRule = keyof typeof ALL

/** A finding under a rule, which says how grave it is. */
export function finding(rule: DocumentRule, message: string, at: SourcePlace): Finding {
  return { severity: ALL[rule].severity, rule, message, at }
}
