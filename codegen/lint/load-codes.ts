// The reasons for the codes of loading a document, for lists, `--explain` and
// docs/lint.md.
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of codegen/load. Errors among them stop generation as well. */
export const LOAD_CODES: readonly CodeInfo[] = codes([
  ['unreadable', 'error', 'The file is missing, not readable, not UTF-8, or too large.'],
  ['syntax', 'error', 'The file is neither YAML 1.2 nor JSON.'],
  ['duplicate-key', 'error', 'Parsers take the first value, the last, or neither.'],
  ['openapi-version', 'error', 'Only OpenAPI 3.0 to 3.2 and Swagger 2.0 are supported.'],
  ['swagger-2', 'note', 'Swagger 2.0 is converted to OpenAPI 3.0 first.'],
  ['interface-name', 'error', 'An interface needs a name that is unique and valid for a folder.'],
  ['unresolved-reference', 'error', 'The target does not exist.'],
  ['circular-reference', 'error', 'The reference leads back to itself.'],
  ['remote-reference', 'error', 'Output must not depend on a server: nothing is fetched.'],
  ['circular-schema', 'error', 'A schema that is defined only by itself describes no value.'],
  ['not-a-schema', 'error', 'A schema is an object or a boolean.'],
  [
    'referred-properties',
    'note',
    'OpenAPI allows no reference in place of a map of schemas; it is followed.',
  ],
  ['bad-pattern', 'error', 'The pattern is not a regular expression of ECMA-262.'],
  ['bad-path', 'error', 'A path begins with a slash, names each parameter once, and has no query.'],
  [
    'same-path',
    'error',
    'The paths differ only in names of parameters: the second is never reached.',
  ],
  ['bad-operation', 'error', 'An operation must be an object.'],
  ['bad-parameter', 'error', 'A parameter needs a name, a place, and a schema or one media type.'],
  [
    'duplicate-parameter',
    'error',
    'Only one parameter of this name can be read here. Header names have no case.',
  ],
  ['bad-status', 'error', 'A status is like 200, 4XX or default.'],
  [
    'bad-errors',
    'error',
    '`x-interface.errors` has responses by status, 4XX, 5XX and `default`, but no successes.',
  ],
  ['undeclared-path-parameter', 'error', 'A name in the path is not declared as a parameter.'],
  ['unknown-path-parameter', 'error', 'The path has no such parameter.'],
  ['unknown-keyword', 'warning', 'The keyword has no effect; often it is misspelled.'],
  ['unsupported-keyword', 'warning', 'Generated validators do not check this keyword.'],
  [
    'unsupported-parameter',
    'warning',
    'Generated code cannot read this form: the parameter is left out.',
  ],
  [
    'ignored-keyword',
    'warning',
    'The keyword has no effect here, such as beside a reference in OpenAPI 3.0.',
  ],
  [
    'other-version',
    'warning',
    'A keyword of another version is applied as in that version; other tools ignore it.',
  ],
  ['other-dialect', 'warning', 'Schemas are always read as JSON Schema 2020-12.'],
  ['dynamic-reference', 'warning', 'A dynamic reference is read as a plain one.'],
  ['bad-value', 'warning', 'The value has the wrong type: the keyword is ignored.'],
  [
    'enum-empty',
    'warning',
    'An enumeration without values admits none, so nothing can be sent here.',
  ],
  [
    'default-invalid',
    'warning',
    'A default that its schema does not admit is not filled in: handlers would get what their types exclude.',
  ],
  [
    'untyped-schema',
    'warning',
    'Values of every other type pass, and the TypeScript type is unknown.',
  ],
  [
    'open-alternative',
    'warning',
    'An alternative that admits everything makes the others meaningless.',
  ],
  [
    'undeclared-required',
    'warning',
    'The required property has no type; often a name is misspelled.',
  ],
  ['opaque-media', 'warning', 'The body is passed on as bytes or text, unchecked.'],
  ['open-form', 'warning', 'Only named fields of a form are decoded and checked.'],
  ['unknown-encoding', 'warning', 'The form has no such property.'],
  ['ignored-encoding', 'warning', 'This part of an encoding has no effect.'],
  ['bad-style', 'warning', 'The style does not apply here: the default style is used.'],
  [
    'nested-parameter',
    'warning',
    'OpenAPI defines no style for nested lists and objects: they are read as JSON.',
  ],
  ['open-parameter', 'warning', 'Only declared members are read: others look like parameters.'],
  ['unknown-method', 'warning', 'No request can have this method here: the operation is left out.'],
  ['no-responses', 'warning', 'Without a response, a handler can only fail.'],
  ['unsendable-status', 'warning', 'A 1xx status does not end a request.'],
  ['bodyless-status', 'warning', 'HTTP has no body with this status: the content is ignored.'],
  [
    'unknown-security-scheme',
    'warning',
    'Clients and documentation look the scheme up by its name.',
  ],
  ['unchecked-format', 'note', 'The format is in types and documentation, but nothing checks it.'],
  [
    'ignored-header',
    'note',
    'OpenAPI ignores header parameters named Accept, Content-Type and Authorization: use media types and security. Headers of the connection, such as Host, are not parameters.',
  ],
  ['required-path-parameter', 'note', 'A path parameter is always required.'],
  ['ignored-servers', 'note', 'Servers of a path or operation are ignored.'],
  [
    'server-path',
    'note',
    'The server’s path is not part of the routes; to add it, set `x-interface.mount`.',
  ],
  [
    'ignored-webhooks',
    'note',
    'Webhooks are a separate interface, generated with `webhooks: true`.',
  ],
  ['ignored-callbacks', 'note', 'Callbacks are generated with the webhooks.'],
  ['self', 'note', 'References without `$self` are still relative to the file.'],
  [
    'base-alternatives',
    'note',
    'The base lists its extensions: there is a schema with the list, and one without.',
  ],
  [
    'base-discriminator',
    'note',
    'Values of the base are checked against it only. To check extensions, use a oneOf that names them.',
  ],
  [
    'default-mapping',
    'note',
    'With a default variant, schemas are tried in turn, not chosen by tag.',
  ],
  ['read-write-schema', 'note', 'There are two schemas: one for requests, one for answers.'],
  ['renamed-schema', 'note', 'Two files have different schemas with one name: one is renamed.'],
  ['missing-operation-id', 'note', 'The name comes from method and path, and changes with them.'],
  ['duplicate-operation-id', 'note', 'The second operation is named after method and path.'],
  ['unsendable-method', 'note', 'TRACE is served, but fetch cannot send it.'],
  [
    'body-without-method',
    'note',
    'Servers read a body on GET or HEAD, but fetch and many proxies do not send it.',
  ],
])

/**
 * Codes of overlays, vocabularies and plugins: what happens to a document before it is generated
 * from.
 */
export const CHANGE_CODES: readonly CodeInfo[] = codes([
  ['overlay-version', 'error', 'Only overlays 1.0 and 1.1 are supported.'],
  ['overlay-info', 'error', 'An overlay needs `info`, with title and version.'],
  ['overlay-actions', 'error', 'An overlay without actions changes nothing.'],
  [
    'overlay-action',
    'error',
    'An action needs a `target`, and one of `update`, `remove` and `copy`.',
  ],
  ['overlay-key', 'error', 'The key has no effect; often it is misspelled.'],
  ['overlay-target', 'error', 'A target must be a JSONPath of RFC 9535.'],
  ['overlay-no-match', 'error', 'The document has changed since the overlay was written.'],
  ['overlay-copy', 'error', 'The source of a copy must be exactly one value.'],
  ['overlay-mismatch', 'error', 'Values of different kinds cannot be merged.'],
  ['overlay-extends', 'warning', 'The overlay names another document in `extends`.'],
  ['vocabulary-words', 'error', 'A vocabulary is a list of words and replacements.'],
  ['vocabulary-key', 'error', 'The key has no effect; often it is misspelled.'],
  ['vocabulary-word', 'error', 'A word must be a text in the form for its place.'],
  ['vocabulary-where', 'error', '`where` must be a list of known places.'],
  ['vocabulary-keep', 'error', '`keep` is a list of names.'],
  [
    'vocabulary-twice',
    'error',
    'If one word becomes two, or two become one, names cannot be translated back.',
  ],
  ['vocabulary-clash', 'error', 'Two parts of the document would get one name.'],
  ['vocabulary-annotation', 'error', '`x-vocabulary` has an unknown value.'],
  [
    'vocabulary-union',
    'warning',
    'Values of indistinct variants may be renamed as the wrong variant.',
  ],
  [
    'vocabulary-stream',
    'warning',
    'Streams reach handlers as text: names in them are not translated.',
  ],
  ['plugin', 'error', 'A generator plugin failed, or returned an invalid result.'],
])
