// Rules for documents, operations, parameters, bodies and responses.
import { rules } from '../rules/rule.ts'
import { A, B, E, N, fixed } from './rule.ts'

export const DOCUMENT_RULES = {
  ...rules(fixed(A, A), {
    'interface-added': 'the interface is new',
    'unchecked-keyword-changed':
      '{name} is {after}, was {before}: generated code does not check it',
  }),
  ...rules(fixed(B, B), {
    'interface-removed': 'the interface is gone',
  }),
  ...rules(fixed(E, E), {
    'title-changed': 'the title is {after}, was {before}',
    'version-changed': 'the version is {after}, was {before}',
    'openapi-version-changed': 'the document is OpenAPI {after}, was {before}',
    'document-extension-changed': '{name} is {after}, was {before}',
  }),
  ...rules(fixed(B, N), {
    'mount-changed': 'the path prefix is {after}, was {before}',
    'checks-changed': 'the order of checks is {after}, was {before}',
    'problems-changed': 'the form of error bodies is {after}, was {before}',
    'server-path-removed': 'no server has the path {name} any more',
  }),
  ...rules(fixed(E, B), {
    'interface-renamed': 'the interface is called {after}, was {before}',
  }),
  ...rules(fixed(A, N), {
    'server-path-added': 'a server has the path {name}',
    'servers-changed': 'the servers are others',
  }),
}

export const OPERATION_RULES = {
  ...rules(fixed(A, A), {
    'operation-added': '{after} is new',
  }),
  ...rules(fixed(B, B), {
    'operation-removed': '{before} is gone',
    'deprecated-operation-removed': '{before}, deprecated before, is gone',
  }),
  ...rules(fixed(B, N), {
    'operation-path-changed': 'the path is {after}, was {before}',
    'operation-method-changed': 'the method is {after}, was {before}',
  }),
  ...rules(fixed(E, B), {
    'operation-renamed': 'the operation is called {after}, was {before} (x-renamed-from)',
    'operation-id-changed': 'the operationId is {after}, was {before}',
  }),
  ...rules(fixed(A, N), {
    'operation-deprecated': 'the operation is deprecated',
    'operation-undeprecated': 'the operation is no longer deprecated',
  }),
  ...rules(fixed(E, E), {
    'operation-summary-changed': 'the summary is {after}, was {before}',
    'operation-description-changed': 'the description is {after}, was {before}',
    'operation-tags-changed': 'the tags are {after}, were {before}',
    'operation-extension-changed': '{name} is {after}, was {before}',
    'operation-rewritten': 'the operation is written in another way',
  }),
}

export const PARAMETER_RULES = {
  ...rules(fixed(A, A), {
    'parameter-added-optional': '{name} is new and optional',
    'parameter-became-optional-with-default':
      'the parameter is no longer required and has a default',
  }),
  ...rules(fixed(B, A), {
    'parameter-added-required': '{name} is new and required',
    'parameter-became-required': 'the parameter is required now',
  }),
  ...rules(fixed(B, B), {
    'parameter-removed': '{name} is gone',
    'parameter-moved': 'the parameter is in {after}, was in {before}',
  }),
  ...rules(fixed(E, B), {
    'path-parameter-renamed': 'the parameter is called {after}, was {before}',
    'header-case-changed': 'the header is written {after}, was {before}',
  }),
  ...rules(fixed(A, B), {
    'parameter-became-optional': 'the parameter is no longer required',
  }),
  ...rules(fixed(B, N), {
    'parameter-style-changed': 'style is {after}, was {before}',
    'parameter-explode-changed': 'explode is {after}, was {before}',
    'parameter-media-type-changed': 'the media type is {after}, was {before}',
  }),
  ...rules(fixed(A, N), {
    'parameter-deprecated': 'the parameter is deprecated',
    'parameter-undeprecated': 'the parameter is no longer deprecated',
  }),
  ...rules(fixed(E, E), {
    'parameter-description-changed': 'the description is {after}, was {before}',
    'parameter-extension-changed': '{name} is {after}, was {before}',
  }),
}

export const BODY_RULES = {
  ...rules(fixed(A, A), {
    'body-added-optional': 'there is an optional body',
  }),
  ...rules(fixed(B, A), {
    'body-added-required': 'there is a body and it is required',
  }),
  ...rules(fixed(B, B), {
    'body-removed': 'there is no body any more',
    'body-media-type-removed': 'the body may no longer be {name}',
  }),
  ...rules(fixed(B, N), {
    'body-became-required': 'the body is required now',
    'body-encoding-changed': 'the encoding is {after}, was {before}',
  }),
  ...rules(fixed(A, B), {
    'body-became-optional': 'the body is no longer required',
    'body-media-type-added': 'the body may be {name}',
  }),
  ...rules(fixed(E, E), {
    'body-examples-changed': 'the examples are others',
  }),
}

export const RESPONSE_RULES = {
  ...rules(fixed(B, A), {
    'response-status-added': 'status {name} is new',
    'response-error-status-added': 'the error status {name} is new',
    'response-header-became-optional': 'the header may be absent',
  }),
  ...rules(fixed(B, B), {
    'response-status-removed': 'status {name} is gone',
    'response-body-removed': 'the response has no body any more, was {name}',
    'response-media-type-removed': 'the response is no longer {name}',
    'response-header-removed': 'the header {name} is gone',
  }),
  ...rules(fixed(A, B), {
    'response-error-status-removed': 'the error status {name} is gone',
    'response-body-added': 'the response has a body: {name}',
    'response-second-media-type-added': 'the response may be {name} too: a reply must say which',
    'response-header-added-required': 'the header {name} is new and always there',
    'response-header-became-required': 'the header is always there now',
  }),
  ...rules(fixed(A, A), {
    'response-status-specified': 'status {name} has a response of its own, was covered by {before}',
    'response-status-generalised': 'status {name} is covered by {after}, had a response of its own',
    'response-media-type-added': 'the response may be {name}',
    'response-header-added-optional': 'the optional header {name} is new',
  }),
  ...rules(fixed(B, N), {
    'response-encoding-changed': 'the encoding is {after}, was {before}',
  }),
  ...rules(fixed(E, E), {
    'response-description-changed': 'the description is {after}, was {before}',
    'response-examples-changed': 'the examples are others',
  }),
}
