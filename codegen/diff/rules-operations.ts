// Rules for documents, operations, parameters, bodies and responses.
import { A, B, E, N, fixed } from './rule.ts'
import type { Rule } from './rule.ts'

export const DOCUMENT_RULES = {
  'interface-added': fixed('the interface is new', 'interface-removed', A, A),
  'interface-removed': fixed('the interface is gone', 'interface-added', B, B),
  'title-changed': fixed('the title is {after}, was {before}', 'title-changed', E, E),
  'version-changed': fixed('the version is {after}, was {before}', 'version-changed', E, E),
  'openapi-version-changed': fixed(
    'the document is OpenAPI {after}, was {before}',
    'openapi-version-changed',
    E,
    E,
  ),
  'mount-changed': fixed('the path prefix is {after}, was {before}', 'mount-changed', B, N),
  'interface-renamed': fixed(
    'the interface is called {after}, was {before}',
    'interface-renamed',
    E,
    B,
  ),
  'checks-changed': fixed('the order of checks is {after}, was {before}', 'checks-changed', B, N),
  'problems-changed': fixed(
    'the form of error bodies is {after}, was {before}',
    'problems-changed',
    B,
    N,
  ),
  'server-path-removed': fixed('no server has the path {name} any more', 'server-path-added', B, N),
  'server-path-added': fixed('a server has the path {name}', 'server-path-removed', A, N),
  'servers-changed': fixed('the servers are others', 'servers-changed', A, N),
  'unchecked-keyword-changed': fixed(
    '{name} is {after}, was {before}: generated code does not check it',
    'unchecked-keyword-changed',
    A,
    A,
  ),
  'document-extension-changed': fixed(
    '{name} is {after}, was {before}',
    'document-extension-changed',
    E,
    E,
  ),
} satisfies Record<string, Rule>

export const OPERATION_RULES = {
  'operation-added': fixed('{after} is new', 'operation-removed', A, A),
  'operation-removed': fixed('{before} is gone', 'operation-added', B, B),
  'deprecated-operation-removed': fixed(
    '{before}, deprecated before, is gone',
    'operation-added',
    B,
    B,
  ),
  'operation-path-changed': fixed(
    'the path is {after}, was {before}',
    'operation-path-changed',
    B,
    N,
  ),
  'operation-method-changed': fixed(
    'the method is {after}, was {before}',
    'operation-method-changed',
    B,
    N,
  ),
  'operation-renamed': fixed(
    'the operation is called {after}, was {before} (x-renamed-from)',
    'operation-renamed',
    E,
    B,
  ),
  'operation-id-changed': fixed(
    'the operationId is {after}, was {before}',
    'operation-id-changed',
    E,
    B,
  ),
  'operation-deprecated': fixed('the operation is deprecated', 'operation-undeprecated', A, N),
  'operation-undeprecated': fixed(
    'the operation is no longer deprecated',
    'operation-deprecated',
    A,
    N,
  ),
  'operation-summary-changed': fixed(
    'the summary is {after}, was {before}',
    'operation-summary-changed',
    E,
    E,
  ),
  'operation-description-changed': fixed(
    'the description is {after}, was {before}',
    'operation-description-changed',
    E,
    E,
  ),
  'operation-tags-changed': fixed(
    'the tags are {after}, were {before}',
    'operation-tags-changed',
    E,
    E,
  ),
  'operation-extension-changed': fixed(
    '{name} is {after}, was {before}',
    'operation-extension-changed',
    E,
    E,
  ),
  'operation-rewritten': fixed(
    'the operation is written in another way',
    'operation-rewritten',
    E,
    E,
  ),
} satisfies Record<string, Rule>

export const PARAMETER_RULES = {
  'parameter-added-optional': fixed('{name} is new and optional', 'parameter-removed', A, A),
  'parameter-added-required': fixed('{name} is new and required', 'parameter-removed', B, A),
  'parameter-removed': fixed('{name} is gone', 'parameter-added-optional', B, B),
  'parameter-moved': fixed('the parameter is in {after}, was in {before}', 'parameter-moved', B, B),
  'path-parameter-renamed': fixed(
    'the parameter is called {after}, was {before}',
    'path-parameter-renamed',
    E,
    B,
  ),
  'parameter-became-required': fixed(
    'the parameter is required now',
    'parameter-became-optional',
    B,
    A,
  ),
  'parameter-became-optional': fixed(
    'the parameter is no longer required',
    'parameter-became-required',
    A,
    B,
  ),
  'parameter-became-optional-with-default': fixed(
    'the parameter is no longer required and has a default',
    'parameter-became-required',
    A,
    A,
  ),
  'parameter-style-changed': fixed(
    'style is {after}, was {before}',
    'parameter-style-changed',
    B,
    N,
  ),
  'parameter-explode-changed': fixed(
    'explode is {after}, was {before}',
    'parameter-explode-changed',
    B,
    N,
  ),
  'parameter-media-type-changed': fixed(
    'the media type is {after}, was {before}',
    'parameter-media-type-changed',
    B,
    N,
  ),
  'parameter-deprecated': fixed('the parameter is deprecated', 'parameter-undeprecated', A, N),
  'parameter-undeprecated': fixed(
    'the parameter is no longer deprecated',
    'parameter-deprecated',
    A,
    N,
  ),
  'parameter-description-changed': fixed(
    'the description is {after}, was {before}',
    'parameter-description-changed',
    E,
    E,
  ),
  'parameter-extension-changed': fixed(
    '{name} is {after}, was {before}',
    'parameter-extension-changed',
    E,
    E,
  ),
  'header-case-changed': fixed(
    'the header is written {after}, was {before}',
    'header-case-changed',
    E,
    B,
  ),
} satisfies Record<string, Rule>

export const BODY_RULES = {
  'body-added-optional': fixed('there is an optional body', 'body-removed', A, A),
  'body-added-required': fixed('there is a body and it is required', 'body-removed', B, A),
  'body-removed': fixed('there is no body any more', 'body-added-optional', B, B),
  'body-became-required': fixed('the body is required now', 'body-became-optional', B, N),
  'body-became-optional': fixed('the body is no longer required', 'body-became-required', A, B),
  'body-media-type-added': fixed('the body may be {name}', 'body-media-type-removed', A, B),
  'body-media-type-removed': fixed(
    'the body may no longer be {name}',
    'body-media-type-added',
    B,
    B,
  ),
  'body-encoding-changed': fixed(
    'the encoding is {after}, was {before}',
    'body-encoding-changed',
    B,
    N,
  ),
  'body-examples-changed': fixed('the examples are others', 'body-examples-changed', E, E),
} satisfies Record<string, Rule>

export const RESPONSE_RULES = {
  'response-status-added': fixed('status {name} is new', 'response-status-removed', B, A),
  'response-status-removed': fixed('status {name} is gone', 'response-status-added', B, B),
  'response-error-status-added': fixed(
    'the error status {name} is new',
    'response-error-status-removed',
    B,
    A,
  ),
  'response-error-status-removed': fixed(
    'the error status {name} is gone',
    'response-error-status-added',
    A,
    B,
  ),
  'response-status-specified': fixed(
    'status {name} has a response of its own, was covered by {before}',
    'response-status-generalised',
    A,
    A,
  ),
  'response-status-generalised': fixed(
    'status {name} is covered by {after}, had a response of its own',
    'response-status-specified',
    A,
    A,
  ),
  'response-body-added': fixed('the response has a body: {name}', 'response-body-removed', A, B),
  'response-body-removed': fixed(
    'the response has no body any more, was {name}',
    'response-body-added',
    B,
    B,
  ),
  'response-media-type-added': fixed(
    'the response may be {name}',
    'response-media-type-removed',
    A,
    A,
  ),
  'response-second-media-type-added': fixed(
    'the response may be {name} too: a reply must say which',
    'response-media-type-removed',
    A,
    B,
  ),
  'response-media-type-removed': fixed(
    'the response is no longer {name}',
    'response-media-type-added',
    B,
    B,
  ),
  'response-header-added-optional': fixed(
    'the optional header {name} is new',
    'response-header-removed',
    A,
    A,
  ),
  'response-header-added-required': fixed(
    'the header {name} is new and always there',
    'response-header-removed',
    A,
    B,
  ),
  'response-header-removed': fixed(
    'the header {name} is gone',
    'response-header-added-optional',
    B,
    B,
  ),
  'response-header-became-required': fixed(
    'the header is always there now',
    'response-header-became-optional',
    A,
    B,
  ),
  'response-header-became-optional': fixed(
    'the header may be absent',
    'response-header-became-required',
    B,
    A,
  ),
  'response-encoding-changed': fixed(
    'the encoding is {after}, was {before}',
    'response-encoding-changed',
    B,
    N,
  ),
  'response-description-changed': fixed(
    'the description is {after}, was {before}',
    'response-description-changed',
    E,
    E,
  ),
  'response-examples-changed': fixed('the examples are others', 'response-examples-changed', E, E),
} satisfies Record<string, Rule>
