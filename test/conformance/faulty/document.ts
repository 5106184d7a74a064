// Reads library.yaml into a table of operations with Ajv validators. Written apart from codegen, so
// that the two can disagree.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { parse } from 'yaml'
import { isFields } from './exact-json.ts'
import type { Fields } from './exact-json.ts'

/** Says what is wrong with a value; an empty list is fine. */
export type Check = (value: unknown) => readonly ErrorObject[]

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly isRequired: boolean
  /** The type of the value, of the items where it is a list. */
  readonly type: unknown
  readonly isList: boolean
  readonly check: Check
}

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly segments: readonly string[]
  readonly isOpen: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Check | undefined
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
const loaded: unknown = parse(readFileSync(new URL('library.yaml', import.meta.url), 'utf8'))
const root: Fields = isFields(loaded) ? loaded : {}
const ajv = startAjv()

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries(fields(root['paths'])).flatMap(
  ([path, item]) => {
    return METHODS.filter((method) => isFields(fields(item)[method])).map((method) =>
      readOperation(path, method, fields(item)),
    )
  },
)

function startAjv(): Ajv2020 {
  const made = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, logger: false })
  addFormatsModule.default(made, ['date', 'uuid'])
  made.addFormat('int64', { type: 'number', validate: Number.isInteger })
  made.addFormat('email', /^[^\s@]+@[^\s@]+$/u)
  made.addFormat('uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu)
  made.addFormat('date-time', { type: 'string', validate: isDateTime })
  return made.addSchema(root, 'library')
}

/** RFC 3339, with the offset's colon. */
function isDateTime(text: string): boolean {
  const withColon = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/iu.test(text)
  const known = addFormatsModule.default.get('date-time')
  return (
    withColon &&
    isFields(known) &&
    typeof known['validate'] === 'function' &&
    known['validate'](text) === true
  )
}

/** `value` as an object, empty where it is none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** `value` with its `$ref`, if any, followed. */
function follow(value: unknown): Fields {
  const ref = fields(value)['$ref']
  if (typeof ref !== 'string') return fields(value)
  return follow(
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((found, name) => fields(found)[name], root),
  )
}

/** A check against `schema`, a schema of this document. */
function checkOf(schema: unknown): Check {
  const validate = ajv.compile(absolute(schema))
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

function absolute(schema: unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields(schema)).map(([key, value]) => {
      if (key === '$ref') return [key, `library${String(value)}`]
      return [key, key === 'items' ? absolute(value) : value]
    }),
  )
}

function readOperation(path: string, method: string, item: Fields): Operation {
  const operation = fields(item[method])
  const own = [item['parameters'], operation['parameters']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const media = fields(fields(fields(operation['requestBody'])['content'])['application/json'])
  return {
    operationId: String(operation['operationId']),
    method: method.toUpperCase(),
    segments: path.split('/'),
    isOpen: Array.isArray(operation['security']) && operation['security'].length === 0,
    parameters: own.map(follow).map(readParameter),
    body: media['schema'] === undefined ? undefined : checkOf(media['schema']),
  }
}

function readParameter(parameter: Fields): Parameter {
  const schema = follow(parameter['schema'])
  const place = (['path', 'query', 'header', 'cookie'] as const).find(
    (one) => one === parameter['in'],
  )
  const isList = schema['type'] === 'array'
  return {
    name: String(parameter['name']),
    in: place ?? 'query',
    isRequired: parameter['required'] === true,
    type: isList ? follow(schema['items'])['type'] : schema['type'],
    isList,
    check: checkOf(parameter['schema']),
  }
}
