// Rules for operations, parameters and what goes over HTTP: things that are legal in a document but go wrong on the wire.
import { fields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { bodyOf, deref, mediaOf, typesOf } from './model.ts'
import type { MediaNode, Model, Node, OperationNode } from './model.ts'
import { forDocument, forOperations, forParameters, hit, hitIf } from './rule.ts'
import type { Hit, Rule } from './rule.ts'

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'], query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'], header: ['simple'], cookie: ['form', 'cookie'],
}
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization']
const BODILESS = ['204', '205', '304']

function repeated<T>(list: readonly T[], key: (one: T) => string): readonly (readonly [one: T, first: T])[] {
  const seen = new Map<string, T>()
  return list.flatMap((one): readonly (readonly [T, T])[] => {
    const first = seen.get(key(one))
    if (first === undefined) seen.set(key(one), one)
    return first === undefined ? [] : [[one, first]]
  })
}

function sameIdHits({ operations }: Model): readonly Hit[] {
  const named = operations.flatMap(({ path, value }) => {
    const id = text(value['operationId'])
    return id === undefined ? [] : [{ path, id }]
  })
  return repeated(named, ({ id }) => id.toLowerCase()).filter(([one, first]) => one.id !== first.id)
    .map(([one, first]) => hit(`'${one.id}' and '${first.id}' differ in case only`, ...one.path, 'operationId'))
}

function samePathHits({ document }: Model): readonly Hit[] {
  const templates = Object.keys(fields(document['paths']))
  return repeated(templates, (template) => template.replaceAll(/\{[^{}]*\}/gu, '{}'))
    .map(([one, first]) => hit(`${one} takes the same requests as ${first}: one of them is never reached`, 'paths', one))
}

function successes({ responses }: OperationNode): readonly (Node & { readonly status: string })[] {
  return responses.filter(({ status }) => /^2(?:\d\d|xx)$/iu.test(status))
}

/** JSON answers without a schema; of other media types the type says enough. */
function schemalessHits(operation: OperationNode): readonly Hit[] {
  return successes(operation).flatMap((response) => mediaOf(response)
    .filter(({ mediaType, value }) => /[/+]json\b/iu.test(mediaType) && !('schema' in value))
    .map(({ mediaType }) => hit(`${response.status} says nothing of its ${mediaType}`, 'responses', response.status, 'content', mediaType)))
}

function bodilessHits({ responses, method }: OperationNode): readonly Hit[] {
  return responses.flatMap(({ status, value }) => {
    const isBodiless = BODILESS.includes(status) || method === 'HEAD'
    const reason = method === 'HEAD' ? 'an answer to HEAD' : `an answer with ${status}`
    return hitIf(isBodiless && Object.keys(fields(value['content'])).length > 0, `${reason} has no body`, 'responses', status, 'content')
  })
}

function redirectHits({ responses }: OperationNode): readonly Hit[] {
  return responses.flatMap(({ status, value }) => {
    const names = Object.keys(fields(value['headers'])).map((name) => name.toLowerCase())
    return hitIf(/^30[12378]$/u.test(status) && !names.includes('location'), `${status} leads elsewhere, but declares no header Location`, 'responses', status)
  })
}

function allMedia(operation: OperationNode): readonly MediaNode[] {
  const body = bodyOf(operation)
  return [...body === undefined ? [] : [body], ...operation.responses].flatMap(mediaOf)
}

function mediaTypeHits(operation: OperationNode): readonly Hit[] {
  return allMedia(operation).filter(({ mediaType }) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/u.test(mediaType))
    .map(({ mediaType, path }) => hit(`'${mediaType}' is no media type like application/json`, ...path.slice(operation.path.length)))
}

function formHits(operation: OperationNode, model: Model): readonly Hit[] {
  const body = bodyOf(operation)
  if (body === undefined) return []
  return mediaOf(body).flatMap(({ mediaType, value, path }) => {
    const isForm = mediaType.startsWith('multipart/form-data') || mediaType.startsWith('application/x-www-form-urlencoded')
    const types = typesOf(deref(model, value['schema']))
    return hitIf(isForm && types.length > 0 && !types.includes('object'), `a form has fields: the schema of ${mediaType} must be an object`,
      ...path.slice(operation.path.length))
  })
}

function headerCaseHits({ parameters }: OperationNode): readonly Hit[] {
  const headers = parameters.flatMap(({ value }, index) => (value['in'] === 'header' ? [{ index, name: String(value['name']) }] : []))
  return repeated(headers, ({ name }) => name.toLowerCase()).filter(([one, first]) => one.name !== first.name)
    .map(([one, first]) => hit(`headers '${one.name}' and '${first.name}' are one on the wire`, 'parameters', String(one.index)))
}

function styleHits({ value }: Node, model: Model): readonly Hit[] {
  const style = text(value['style'])
  const place = text(value['in']) ?? ''
  if (style === undefined || !Object.hasOwn(STYLES, place)) return []
  const types = typesOf(deref(model, value['schema']))
  return [
    ...hitIf(!(STYLES[place] ?? []).includes(style), `style '${style}' is not for ${place}: ${(STYLES[place] ?? []).join(', ')}`, 'style'),
    ...hitIf(style === 'deepObject' && types.length > 0 && !types.includes('object'), 'deepObject is for objects', 'style'),
    ...hitIf(style.endsWith('Delimited') && value['explode'] === true, `explode takes the ${style} apart again: this is form`, 'style'),
  ]
}

function nestedHits({ value }: Node, model: Model): readonly Hit[] {
  const schema = deref(model, value['schema'])
  const isNested = (one: unknown): boolean => ['array', 'object'].some((type) => typesOf(deref(model, one)).includes(type))
  const inner = [schema['items'], ...Object.values(fields(schema['properties']))]
  return hitIf(value['style'] !== 'deepObject' && inner.some(isNested), 'lists and objects inside of a list or object have no form in a parameter', 'schema')
}

/** Names of the security schemes that requirements ask for, with the path to each. */
function required(holder: Fields): readonly { readonly name: string; readonly keys: readonly string[] }[] {
  return items(holder['security']).flatMap((group, index) =>
    Object.keys(fields(group)).map((name) => ({ name, keys: ['security', String(index), name] })))
}

function undefinedSchemeHits({ document, operations }: Model): readonly Hit[] {
  const known = fields(fields(document['components'])['securitySchemes'])
  return [{ path: [], value: document }, ...operations].flatMap(({ path, value }) => required(value)
    .filter(({ name }) => !Object.hasOwn(known, name)).map(({ name, keys }) => hit(`there is no security scheme '${name}'`, ...path, ...keys)))
}

function unusedSchemeHits({ document, operations }: Model): readonly Hit[] {
  const used = new Set([document, ...operations.map(({ value }) => value)].flatMap(required).map(({ name }) => name))
  return Object.keys(fields(fields(document['components'])['securitySchemes'])).filter((name) => !used.has(name))
    .map((name) => hit(`nothing asks for security scheme '${name}'`, 'components', 'securitySchemes', name))
}

function readOnlyHits(operation: OperationNode, model: Model): readonly Hit[] {
  const body = bodyOf(operation)
  if (body === undefined) return []
  return mediaOf(body).flatMap(({ value, path }) => {
    const schema = deref(model, value['schema'])
    const names = items(schema['required']).filter((name) => fields(fields(schema['properties'])[String(name)])['readOnly'] === true)
    return hitIf(names.length > 0, `required and read-only: ${names.join(', ')}. Requests leave it out, whatever \`required\` says`,
      ...path.slice(operation.path.length), 'schema')
  })
}

/** Rules for operations and parameters. */
export const OPERATION_RULES: readonly Rule[] = [
  forDocument('operation-id-case', 'warning', 'Names that differ in case only become one file or one word somewhere: on disks, in other languages.', sameIdHits),
  forDocument('path-unreachable', 'error', 'Names of parameters do not tell paths apart: a router takes the first and never reaches the second.', samePathHits),
  forOperations('success-missing', 'warning', 'Without an answer for success a handler has nothing to return and a caller nothing to expect.',
    ({ responses, label }) => hitIf(!responses.some(({ status }) => /^(?:[123](?:\d\d|xx)|default)$/iu.test(status)), `${label} declares no answer for success`)),
  forOperations('success-without-schema', 'warning', 'The type of such a body is `unknown`, and nothing checks it.', schemalessHits),
  forOperations('body-not-allowed', 'error', 'HTTP has no body there: servers drop it or break the connection.', bodilessHits),
  forOperations('redirect-without-location', 'note', 'A caller follows a redirect by its header Location. What is not declared is not typed.', redirectHits),
  forOperations('media-type', 'error', 'No request or answer can ever have this media type.', mediaTypeHits),
  forOperations('form-not-object', 'error', 'Forms are made of named fields.', formHits),
  forOperations('delete-with-body', 'note', 'Many proxies and clients drop the body of a DELETE; HTTP gives it no meaning.',
    (operation) => hitIf(operation.method === 'DELETE' && bodyOf(operation) !== undefined, `${operation.label} takes a body`, 'requestBody')),
  forOperations('header-case', 'error', 'Names of headers have no case: two parameters read the same header.', headerCaseHits),
  forParameters('header-ignored', 'warning', 'OpenAPI ignores header parameters named Accept, Content-Type and Authorization: media types and security say that.',
    ({ value }) => hitIf(value['in'] === 'header' && IGNORED_HEADERS.includes(String(value['name']).toLowerCase()),
      `a parameter '${String(value['name'])}' is ignored`)),
  forParameters('path-parameter-optional', 'warning', 'A path without the parameter is another path: OpenAPI wants `required: true`.',
    ({ value }) => hitIf(value['in'] === 'path' && value['required'] !== true, `path parameter '${String(value['name'])}' must be required`)),
  forParameters('parameter-style', 'error', 'The style says how the value is written; one that does not fit has no meaning.',
    (parameter, _, model) => styleHits(parameter, model)),
  forParameters('parameter-nested', 'warning', 'OpenAPI defines no text for it, so each side does what it likes. Use `content` with application/json.',
    (parameter, _, model) => nestedHits(parameter, model)),
  forParameters('parameter-default-required', 'note', 'A default stands in for what is missing; what is required is never missing.',
    ({ value }, _, model) => hitIf(value['required'] === true && 'default' in deref(model, value['schema']),
      `'${String(value['name'])}' is required: its default is never used`)),
  forDocument('security-undefined', 'error', 'Clients and documentation look the scheme up by its name.', undefinedSchemeHits),
  forDocument('security-unused', 'note', 'A scheme that nothing asks for is a leftover, or a requirement is missing.', unusedSchemeHits),
  forOperations('security-missing', 'note', 'Where other operations ask for credentials, say `security: []` if this one is meant to be open.',
    ({ value, label }, { document, operations }) => hitIf(!('security' in value) && !('security' in document)
      && operations.some((other) => items(other.value['security']).length > 0), `${label} says nothing of security, others do`)),
  forOperations('read-only-required', 'note', '`required` holds for answers only where a property is read-only; split the schema to say it outright.', readOnlyHits),
]
