// Which keys the objects of OpenAPI 3.0, 3.1 and 3.2 have, and which of a schema's hold schemas.
import { keywords, namesWhere } from '../keywords/table.ts'

/** Their value is an object of schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set(namesWhere({ form: 'schemaMap' }))

/** Their value is a list of schemas. */
export const SCHEMA_LISTS: ReadonlySet<string> = new Set(namesWhere({ form: 'schemas' }))

/** Their value is a schema. */
export const SCHEMA_SINGLES: ReadonlySet<string> = new Set(namesWhere({ form: 'schema' }))

/** Known to the standard but not enforced by what we generate. */
export const SCHEMA_UNSUPPORTED: ReadonlySet<string> = new Set(namesWhere({ role: 'unchecked' }))

/** Names of places: references are resolved by them, and copies of schemas do without. */
export const SCHEMA_NAMES: ReadonlySet<string> = new Set(namesWhere({ role: 'place' }))

/** Every keyword of a schema that either version knows. */
export const SCHEMA_KEYS: ReadonlySet<string> = new Set(keywords().map(([name]) => name))

export const ROOT_KEYS: ReadonlySet<string> = new Set([
  'openapi',
  '$self',
  'info',
  'jsonSchemaDialect',
  'servers',
  'paths',
  'webhooks',
  'components',
  'security',
  'tags',
  'externalDocs',
])

export const PATH_ITEM_KEYS: ReadonlySet<string> = new Set([
  '$ref',
  'summary',
  'description',
  'servers',
  'parameters',
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
  'additionalOperations',
])

/** Methods in the order in which operations of one path come out. */
export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const

export const OPERATION_KEYS: ReadonlySet<string> = new Set([
  'tags',
  'summary',
  'description',
  'externalDocs',
  'operationId',
  'parameters',
  'requestBody',
  'responses',
  'callbacks',
  'deprecated',
  'security',
  'servers',
])

export const PARAMETER_KEYS: ReadonlySet<string> = new Set([
  'name',
  'in',
  'description',
  'required',
  'deprecated',
  'allowEmptyValue',
  'style',
  'explode',
  'allowReserved',
  'schema',
  'example',
  'examples',
  'content',
])

export const RESPONSE_KEYS: ReadonlySet<string> = new Set([
  'summary',
  'description',
  'headers',
  'content',
  'links',
])

export const MEDIA_KEYS: ReadonlySet<string> = new Set([
  'schema',
  'itemSchema',
  'example',
  'examples',
  'encoding',
  'prefixEncoding',
  'itemEncoding',
])
