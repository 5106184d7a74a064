// What is said of the codes that loading a document may give, for lists, `--explain` and
// docs/lint.md.
import { codes } from './rule.ts'
import type { CodeInfo } from './rule.ts'

/** Codes of codegen/load. Errors among them stop generation as well. */
export const LOAD_CODES: readonly CodeInfo[] = codes([
  ['unreadable', 'error', 'The file is not there, may not be read, or is no UTF-8.'],
  ['syntax', 'error', 'The file is no YAML 1.2 and no JSON.'],
  [
    'duplicate-key',
    'error',
    'Of two equal keys of one object, parsers take the first, the last, or neither.',
  ],
  ['openapi-version', 'error', 'Only OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are understood.'],
  ['swagger-2', 'note', 'Swagger 2.0 is converted to OpenAPI 3.0 before it is read.'],
  [
    'interface-name',
    'error',
    'Two interfaces of one name would be the same folder, and some names are none of a folder.',
  ],
  ['unresolved-reference', 'error', 'The reference leads to nothing.'],
  ['circular-reference', 'error', 'The reference leads back to itself, never to a value.'],
  [
    'remote-reference',
    'error',
    'Remote documents are not fetched: output must not depend on what a server says today.',
  ],
  [
    'circular-schema',
    'error',
    'A schema that is defined by itself alone says nothing about any value.',
  ],
  ['not-a-schema', 'error', 'A schema is an object or a boolean.'],
  [
    'bad-pattern',
    'error',
    'The pattern is no regular expression of ECMA-262, which OpenAPI prescribes.',
  ],
  [
    'bad-path',
    'error',
    'A path begins with a slash, names each parameter once in braces, and has no query.',
  ],
  [
    'same-path',
    'error',
    'Names of parameters do not tell operations of one method apart: a router never reaches the second.',
  ],
  ['bad-operation', 'error', 'An operation is an object.'],
  [
    'bad-parameter',
    'error',
    'A parameter needs a name, a place, and either a schema or one media type.',
  ],
  [
    'duplicate-parameter',
    'error',
    'Of two parameters of one name at one place only one can be read. Names of headers have no case.',
  ],
  ['bad-status', 'error', 'A status is like 200, 4XX or default.'],
  [
    'bad-errors',
    'error',
    '`x-interface.errors` are responses by status, 4XX, 5XX and `default`: success is each operation’s own.',
  ],
  [
    'undeclared-path-parameter',
    'error',
    'A name in the path has no parameter: nothing says what it may be.',
  ],
  [
    'unknown-path-parameter',
    'error',
    'A path parameter that is not in the path can never be read.',
  ],
  [
    'unknown-keyword',
    'warning',
    'A keyword that OpenAPI does not have does nothing; often it is misspelled.',
  ],
  [
    'unsupported-keyword',
    'warning',
    'The keyword is right, but generated validators do not check it.',
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
    'A keyword of another version of OpenAPI: we take it as it is meant there, other tools do not.',
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
  ['bad-value', 'warning', 'The keyword’s value is of a kind that means nothing: it is ignored.'],
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
    'What is required and not declared has no type: often one of the names is misspelled.',
  ],
  [
    'opaque-media',
    'warning',
    'A body of this media type is handed on as bytes or text: its schema is not checked.',
  ],
  ['open-form', 'warning', 'Only named fields of a form are decoded and checked.'],
  ['unknown-encoding', 'warning', 'The encoding is for a property that the form does not have.'],
  ['ignored-encoding', 'warning', 'That part of an encoding is not heeded.'],
  [
    'bad-style',
    'warning',
    'The style has no meaning there, so the value is read in the default style.',
  ],
  [
    'nested-parameter',
    'warning',
    'OpenAPI defines no text for lists and objects inside of others: they are read as JSON.',
  ],
  [
    'open-parameter',
    'warning',
    'Further members cannot be told from other parameters: only named ones are read.',
  ],
  ['unknown-method', 'warning', 'No request can have this method here: the operation is left out.'],
  ['no-responses', 'warning', 'Without any answer a handler can only fail.'],
  [
    'unsendable-status',
    'warning',
    'A status that does not end a request cannot be sent as its answer.',
  ],
  ['bodyless-status', 'warning', 'HTTP has no body with this status: the content is ignored.'],
  [
    'unknown-security-scheme',
    'warning',
    'Clients and documentation look the scheme up by its name.',
  ],
  [
    'unchecked-format',
    'note',
    'The format is carried to types and documentation, but nothing checks it.',
  ],
  [
    'ignored-header',
    'note',
    'OpenAPI ignores header parameters named Accept, Content-Type and Authorization: media types and security say that.',
  ],
  [
    'required-path-parameter',
    'note',
    'A path without its parameter is another path: it is required, whatever the document says.',
  ],
  [
    'ignored-servers',
    'note',
    'Servers of a path or operation are ignored: routes are the same everywhere.',
  ],
  [
    'server-path',
    'note',
    'The path of a server’s address is no part of the routes: `x-interface.mount` would put it there.',
  ],
  ['ignored-webhooks', 'note', 'Webhooks are generated as an interface of their own, when asked.'],
  ['ignored-callbacks', 'note', 'Callbacks are generated with the webhooks.'],
  [
    'self',
    'note',
    '`$self` names the document; references without it are still relative to the file.',
  ],
  [
    'base-alternatives',
    'note',
    'A base that lists its children, and that they extend, is read twice: as the list, and without it.',
  ],
  [
    'base-discriminator',
    'note',
    'A value of the base schema is checked as such, whatever its tag: a oneOf that names those that extend it says which.',
  ],
  [
    'default-mapping',
    'note',
    'With a default variant the schemas are tried in turn, not chosen by their tag.',
  ],
  [
    'read-write-schema',
    'note',
    'Properties that are read-only or write-only make the schema two: one for requests, one for answers.',
  ],
  [
    'renamed-schema',
    'note',
    'Two files define different schemas of one name; one of them gets another.',
  ],
  [
    'missing-operation-id',
    'note',
    'The operation is named after method and path, and renamed when the path changes.',
  ],
  [
    'duplicate-operation-id',
    'note',
    'Operation ids name handlers and types: the second gets a made name.',
  ],
  [
    'unsendable-method',
    'note',
    'TRACE is served, but fetch sends no such request: the client’s method fails.',
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
  ['overlay-version', 'error', 'Overlays are of version 1.0 or 1.1.'],
  ['overlay-info', 'error', 'An overlay says in `info` what it is, as its standard demands.'],
  ['overlay-actions', 'error', 'An overlay without actions changes nothing.'],
  [
    'overlay-action',
    'error',
    'An action says where, by `target`, and what: `update`, `remove` or `copy`.',
  ],
  ['overlay-key', 'error', 'A key that overlays do not have does nothing; often it is misspelled.'],
  ['overlay-target', 'error', 'A target is a JSONPath of RFC 9535.'],
  ['overlay-no-match', 'error', 'The document is no longer what the overlay was written for.'],
  ['overlay-copy', 'error', 'A copy action copies one value.'],
  ['overlay-mismatch', 'error', 'A value of one kind cannot be merged with one of another.'],
  ['overlay-extends', 'warning', 'The overlay says that it is made for another document.'],
  ['vocabulary-words', 'error', 'A vocabulary is a list of words with what they become.'],
  [
    'vocabulary-key',
    'error',
    'A key that vocabularies do not have does nothing; often it is misspelled.',
  ],
  ['vocabulary-word', 'error', 'A word is a text of the form that its place needs.'],
  ['vocabulary-where', 'error', 'Words are renamed at known places only.'],
  ['vocabulary-keep', 'error', '`keep` is a list of names.'],
  [
    'vocabulary-twice',
    'error',
    'A word that becomes two, or two that become one, cannot be turned back.',
  ],
  [
    'vocabulary-clash',
    'error',
    'Two things of the document would have one name under the vocabulary.',
  ],
  [
    'vocabulary-annotation',
    'error',
    'The extension that says how payloads are renamed has a form of its own.',
  ],
  [
    'vocabulary-union',
    'warning',
    'Variants that cannot be told apart may be renamed as the wrong one.',
  ],
  [
    'vocabulary-stream',
    'warning',
    'Handlers get streams as text: names in them are not translated.',
  ],
  [
    'plugin',
    'error',
    'A plugin of the configuration failed, or gave something that is no document, IR, file or finding.',
  ],
])
