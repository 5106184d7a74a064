// A request collection in the form 2.1 that API clients import: a folder an interface, a folder a
// tag, a request an operation, with the document's own examples. Address and token are variables.
import type { InterfaceIr, MediaIr, OperationIr, ParameterIr } from '../ir.ts'
import { readableJson } from '../json.ts'
import { fields, given, text } from '../values.ts'
import type { Fields } from '../values.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The parts of a collection. */
export interface CollectionOptions {
  readonly title: string
  /** Address of the service, the first value of the variable `baseUrl`. */
  readonly baseUrl: string
}

/** The collection as JSON text; requests stand as in the documents. */
export function printCollection(
  interfaces: readonly InterfaceIr[],
  { title, baseUrl }: CollectionOptions,
): string {
  const collection = {
    info: { name: title, schema: SCHEMA },
    variable: [
      { key: 'baseUrl', value: baseUrl.replace(/\/+$/u, '') },
      { key: 'token', value: '' },
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    item: interfaces.map(folderOf),
  }
  return `${readableJson(collection)}\n`
}

function folderOf(ir: InterfaceIr): Fields {
  const mount = text(fields(ir.extensions['x-interface'])['mount']) ?? ''
  const tags = [...new Set(ir.operations.map(tagOf))]
  const within = (tag: string): readonly Fields[] =>
    ir.operations.filter((one) => tagOf(one) === tag).map((one) => requestOf(one, mount))
  return {
    name: ir.title,
    item:
      tags.length > 1
        ? tags.map((tag) => ({ name: tag, item: within(tag) }))
        : within(tags[0] ?? ''),
  }
}

const tagOf = ({ tags }: OperationIr): string => tags[0] ?? 'other'

function requestOf(operation: OperationIr, mount: string): Fields {
  const { operationId, method, summary, description, parameters, security } = operation
  const media = operation.body?.media[0]
  const headers = parameters.filter((one) => one.in === 'header').map(pairOf)
  const type = media === undefined ? [] : [{ key: 'Content-Type', value: media.mediaType }]
  return {
    name: summary ?? operationId,
    request: {
      method,
      header: [...type, ...headers],
      url: urlOf(operation, mount),
      ...given({ description }),
      ...(media === undefined ? {} : { body: bodyOf(media) }),
      ...(security.length === 0 ? { auth: { type: 'noauth' } } : {}),
    },
    response: [],
  }
}

function urlOf({ path, parameters }: OperationIr, mount: string): Fields {
  const whole = (mount + path).replaceAll(/\{([^{}]+)\}/gu, ':$1')
  const query = parameters.filter((one) => one.in === 'query').map(pairOf)
  const asked = query.filter(({ disabled }) => disabled !== true)
  const search = asked.map(({ key, value }) => `${key}=${value}`).join('&')
  const variable = parameters.filter((one) => one.in === 'path').map(variableOf)
  return {
    raw: `{{baseUrl}}${whole}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: whole.split('/').filter((segment) => segment !== ''),
    ...(query.length === 0 ? {} : { query }),
    ...(variable.length === 0 ? {} : { variable }),
  }
}

interface Pair {
  readonly key: string
  readonly value: string
  readonly description?: string
  readonly disabled?: true
}

/** A parameter's pair; an optional one is switched off. */
function pairOf(parameter: ParameterIr): Pair {
  return { ...variableOf(parameter), ...(parameter.required ? {} : { disabled: true }) }
}

function variableOf({ name, schema, description }: ParameterIr): Pair {
  const example = fields(schema)['example'] ?? fields(schema)['default']
  const value = typeof example === 'object' || example === undefined ? '' : String(example)
  return { key: name, value, ...given({ description }) }
}

function bodyOf({ mediaType, examples }: MediaIr): Fields {
  const [example] = examples
  if (/[/+]json$/u.test(mediaType))
    return {
      mode: 'raw',
      raw: readableJson(example ?? {}),
      options: { raw: { language: 'json' } },
    }
  return /^text\//u.test(mediaType)
    ? { mode: 'raw', raw: typeof example === 'string' ? example : '' }
    : { mode: 'file', file: {} }
}
