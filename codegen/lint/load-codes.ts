// The reasons for the codes of loading a document, for lists, `--explain` and
// docs/lint.md.
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of codegen/load. Errors among them stop generation as well. */
export const LOAD_CODES: readonly CodeInfo[] = codes([
  [
    'unreadable',
    'error',
    'The file does not exist, cannot be read, is not UTF-8, or is too large for the memory.',
  ],
  ['syntax', 'error', 'The file is neither YAML 1.2 nor JSON.'],
  [
    'duplicate-key',
    'error',
    'If an object has a key twice, parsers take the first, the last, or neither.',
  ],
  ['openapi-version', 'error', 'Only OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are supported.'],
  ['swagger-2', 'note', 'Swagger 2.0 is converted to OpenAPI 3.0 before it is read.'],
  [
    'interface-name',
    'error',
    'Two interfaces with one name would share a folder, and some names are not valid for a folder.',
  ],
  ['unresolved-reference', 'error', 'The target of the reference does not exist.'],
  ['circular-reference', 'error', 'The reference leads back to itself, never to a value.'],
  [
    'remote-reference',
    'error',
    'Remote documents are not fetched, because output must not depend on a server.',
  ],
  ['circular-schema', 'error', 'A schema that is defined only by itself describes no value.'],
  ['not-a-schema', 'error', 'A schema is an object or a boolean.'],
  [
    'referred-properties',
    'note',
    'A reference stands for a map of schemas, which OpenAPI does not allow. The properties are read from there.',
  ],
  [
    'bad-pattern',
    'error',
    'The pattern is not a regular expression of ECMA-262, which OpenAPI requires.',
  ],
  [
    'bad-path',
    'error',
    'A path begins with a slash, names each parameter once in braces, and has no query.',
  ],
  [
    'same-path',
    'error',
    'The paths differ only in names of parameters: a router never reaches the second operation.',
  ],
  ['bad-operation', 'error', 'An operation must be an object.'],
  [
    'bad-parameter',
    'error',
    'A parameter needs a name, a place, and either a schema or one media type.',
  ],
  [
    'duplicate-parameter',
    'error',
    'If a name is declared twice in one place, only one parameter can be read. Names of headers have no case.',
  ],
  ['bad-status', 'error', 'A status is like 200, 4XX or default.'],
  [
    'bad-errors',
    'error',
    '`x-interface.errors` has responses by status, 4XX, 5XX and `default`; each operation declares its own success.',
  ],
  [
    'undeclared-path-parameter',
    'error',
    'A name in the path is not declared as a parameter, so its values are unknown.',
  ],
  [
    'unknown-path-parameter',
    'error',
    'A path parameter that is not in the path can never be read.',
  ],
  [
    'unknown-keyword',
    'warning',
    'OpenAPI has no such keyword, so it has no effect; often it is misspelled.',
  ],
  [
    'unsupported-keyword',
    'warning',
    'The keyword is valid, but generated validators do not check it.',
  ],
  [
    'unsupported-parameter',
    'warning',
    'The parameter has a form that generated code cannot read: it is left out.',
  ],
  [
    'ignored-keyword',
    'warning',
    'This keyword has no effect here, for example beside a reference in OpenAPI 3.0.',
  ],
  [
    'other-version',
    'warning',
    'The keyword belongs to another version of OpenAPI. It is applied as in that version; other tools ignore it.',
  ],
  [
    'other-dialect',
    'warning',
    'Schemas are read as JSON Schema 2020-12, whatever dialect the document names.',
  ],
  [
    'dynamic-reference',
    'warning',
    'A dynamic reference is read as a plain one: it always leads to the same schema.',
  ],
  ['bad-value', 'warning', 'The value of the keyword has the wrong type: the keyword is ignored.'],
  [
    'empty-enum',
    'warning',
    'An enumeration without values admits none, so nothing can be sent here.',
  ],
  [
    'bad-default',
    'warning',
    'A default that its schema does not admit is not filled in: handlers would get what their types exclude.',
  ],
  [
    'untyped-schema',
    'warning',
    'A rule without a type lets values of every other type pass, and the TypeScript type is unknown.',
  ],
  [
    'open-alternative',
    'warning',
    'An alternative that admits everything makes the others meaningless.',
  ],
  [
    'undeclared-required',
    'warning',
    'A required property is not declared, so it has no type: often one of the names is misspelled.',
  ],
  [
    'opaque-media',
    'warning',
    'A body of this media type is passed on as bytes or text; its schema is not checked.',
  ],
  ['open-form', 'warning', 'Only named fields of a form are decoded and checked.'],
  ['unknown-encoding', 'warning', 'The encoding names a property that the form does not have.'],
  ['ignored-encoding', 'warning', 'This part of an encoding has no effect.'],
  [
    'bad-style',
    'warning',
    'The style does not apply here, so the value is read in the default style.',
  ],
  [
    'nested-parameter',
    'warning',
    'OpenAPI defines no style for nested lists and objects: they are read as JSON.',
  ],
  [
    'open-parameter',
    'warning',
    'Undeclared members look like other parameters: only declared members are read.',
  ],
  ['unknown-method', 'warning', 'No request can have this method here: the operation is left out.'],
  ['no-responses', 'warning', 'The operation declares no response, so a handler can only fail.'],
  [
    'unsendable-status',
    'warning',
    'A 1xx status does not end a request, so it cannot be the answer.',
  ],
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
    'OpenAPI ignores header parameters named Accept, Content-Type and Authorization: use media types and security. Of headers such as Host and Content-Length the connection takes care.',
  ],
  [
    'required-path-parameter',
    'note',
    'A path parameter is always required, because a path without it is another path.',
  ],
  [
    'ignored-servers',
    'note',
    'Servers of a path or operation are ignored: routes are the same everywhere.',
  ],
  [
    'server-path',
    'note',
    'The path of a server’s address is not part of the routes; to add it, set `x-interface.mount`.',
  ],
  [
    'ignored-webhooks',
    'note',
    'Webhooks are a separate interface, generated with `webhooks: true`.',
  ],
  ['ignored-callbacks', 'note', 'Callbacks are generated with the webhooks.'],
  [
    'self',
    'note',
    '`$self` names the document; references without it are still relative to the file.',
  ],
  [
    'base-alternatives',
    'note',
    'The base lists schemas that extend it, so there are two schemas: one with the list, and one without it.',
  ],
  [
    'base-discriminator',
    'note',
    'A value of the base schema is checked against the base only, whatever its tag. To check the extensions, use a oneOf that names them.',
  ],
  [
    'default-mapping',
    'note',
    'With a default variant the schemas are tried in turn, not chosen by their tag.',
  ],
  [
    'read-write-schema',
    'note',
    'The schema has read-only or write-only properties, so there are two: one for requests, one for answers.',
  ],
  [
    'renamed-schema',
    'note',
    'Two files define different schemas with one name; one of them is renamed.',
  ],
  [
    'missing-operation-id',
    'note',
    'The operation is named after method and path, and renamed when the path changes.',
  ],
  [
    'duplicate-operation-id',
    'note',
    'Operation ids are the names of handlers and types: the second operation is named after method and path.',
  ],
  [
    'unsendable-method',
    'note',
    'TRACE is served, but fetch cannot send it: the client’s method fails.',
  ],
  [
    'body-without-method',
    'note',
    'A body on GET or HEAD: servers read it, but fetch and many proxies do not send it.',
  ],
])

/**
 * Codes of overlays, vocabularies and plugins: what happens to a document before it is generated
 * from.
 */
export const CHANGE_CODES: readonly CodeInfo[] = codes([
  ['overlay-version', 'error', 'Only overlays of version 1.0 and 1.1 are supported.'],
  ['overlay-info', 'error', 'An overlay needs `info`, with title and version.'],
  ['overlay-actions', 'error', 'An overlay without actions changes nothing.'],
  [
    'overlay-action',
    'error',
    'An action needs a `target`, and one of `update`, `remove` and `copy`.',
  ],
  [
    'overlay-key',
    'error',
    'Overlays have no such key, so it has no effect; often it is misspelled.',
  ],
  ['overlay-target', 'error', 'A target must be a JSONPath of RFC 9535.'],
  ['overlay-no-match', 'error', 'The document has changed since the overlay was written.'],
  ['overlay-copy', 'error', 'The source of a copy action must be exactly one value.'],
  ['overlay-mismatch', 'error', 'A value of one kind cannot be merged with one of another.'],
  ['overlay-extends', 'warning', 'The overlay names another document in `extends`.'],
  ['vocabulary-words', 'error', 'A vocabulary is a list of words and their replacements.'],
  [
    'vocabulary-key',
    'error',
    'Vocabularies have no such key, so it has no effect; often it is misspelled.',
  ],
  ['vocabulary-word', 'error', 'A word must be a text in the form for its place.'],
  ['vocabulary-where', 'error', '`where` must be a list of known places.'],
  ['vocabulary-keep', 'error', '`keep` is a list of names.'],
  [
    'vocabulary-twice',
    'error',
    'If one word becomes two, or two become one, names cannot be translated back.',
  ],
  ['vocabulary-clash', 'error', 'Two parts of the document would get the same name.'],
  ['vocabulary-annotation', 'error', 'The value of `x-vocabulary` is not one of the known ones.'],
  [
    'vocabulary-union',
    'warning',
    'Values of indistinct variants may be renamed as the wrong variant.',
  ],
  [
    'vocabulary-stream',
    'warning',
    'Handlers get streams as text: names in them are not translated.',
  ],
  [
    'plugin',
    'error',
    'A generator plugin failed, or returned something other than a document, IR, file or finding.',
  ],
])
