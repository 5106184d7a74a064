// Which keywords of OpenAPI 3.0, 3.1 and 3.2 are known, and which of a schema's hold schemas again.

/** Their value is an object of schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])

/** Their value is a list of schemas. */
export const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])

/** Their value is a schema. */
export const SCHEMA_SINGLES: ReadonlySet<string> = new Set([
  'additionalProperties',
  'items',
  'not',
  'propertyNames',
  'contains',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
])

/** Known to the standard but not enforced by what we generate. */
export const SCHEMA_UNSUPPORTED: ReadonlySet<string> = new Set([
  'contains',
  'minContains',
  'maxContains',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  'dependentSchemas',
  'dependentRequired',
])

/**
 * Names of places and notes to readers: references are resolved by them, and copies of schemas do
 * without.
 */
export const SCHEMA_NAMES: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicAnchor',
  '$id',
  '$schema',
  '$vocabulary',
])

const SCHEMA_PLAIN = [
  '$ref',
  '$dynamicRef',
  '$comment',
  'type',
  'format',
  'enum',
  'const',
  'required',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'discriminator',
  'contentEncoding',
  'contentMediaType',
  'default',
  'title',
  'description',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'nullable',
  'externalDocs',
  'xml',
]

/** Every keyword of a schema that either version knows. */
export const SCHEMA_KEYS: ReadonlySet<string> = new Set([
  ...SCHEMA_PLAIN,
  ...SCHEMA_MAPS,
  ...SCHEMA_LISTS,
  ...SCHEMA_SINGLES,
  ...SCHEMA_UNSUPPORTED,
  ...SCHEMA_NAMES,
])

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

/** In the order in which operations of one path come out. */
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
