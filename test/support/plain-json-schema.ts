// OpenAPI's dialects as plain JSON Schema, without a line of the generator: what its own reading is
// compared with.

/** Members that are only for reading are not demanded of requests, nor the others of answers. */
export type Way = 'request' | 'reply'

export interface Dialect {
  readonly way: Way
  /** OpenAPI 3.0: nothing counts beside a reference. */
  readonly isOld: boolean
  /** A discriminator may choose among variants that fit alike. */
  readonly isTagged: boolean
  /** Names the document that references without one lead to. */
  readonly base?: string
}

type Fields = Readonly<Record<string, unknown>>

const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
])
const LEFT_OUT = new Set(['$id', '$schema', 'id', 'nullable', 'discriminator', 'example'])

/** A schema as JSON Schema 2020-12 understands it. */
export function jsonSchemaOf(schema: unknown, dialect: Dialect): object | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isFields(schema)) return true
  // Nothing is among no values; Ajv computes no such list.
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) return false
  const { $ref } = schema
  const base = dialect.base ?? ''
  const target = typeof $ref === 'string' && $ref.startsWith('#') ? `${base}${$ref}` : $ref
  if (dialect.isOld && target !== undefined) return { $ref: target }
  const inner = Object.entries(schema)
    .filter(([key]) => !LEFT_OUT.has(key) && !key.startsWith('x-'))
    .map(([key, value]): [string, unknown] => [key, keywordOf(key, value, dialect)])
  const plain = {
    ...Object.fromEntries(inner),
    ...(target === undefined ? {} : { $ref: target }),
    ...demanded(schema, dialect),
    ...bounds(schema),
    ...(dialect.isTagged ? alternatives(inner) : {}),
  }
  if (dialect.isTagged) Reflect.deleteProperty(plain, 'oneOf')
  if (!isPattern(schema['pattern'])) Reflect.deleteProperty(plain, 'pattern')
  // In 3.1 it is no keyword any more: a finding says that it is taken as it is meant.
  return schema['nullable'] === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

/** Every `oneOf` as `anyOf`. */
function alternatives(inner: readonly (readonly [string, unknown])[]): Fields {
  const { oneOf, anyOf, allOf } = Object.fromEntries(inner)
  if (oneOf === undefined) return {}
  return anyOf === undefined
    ? { anyOf: oneOf }
    : { allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: oneOf }] }
}

function keywordOf(key: string, value: unknown, dialect: Dialect): unknown {
  if (LISTS.has(key) && Array.isArray(value)) return value.map((one) => jsonSchemaOf(one, dialect))
  if (SINGLE.has(key)) return jsonSchemaOf(value, dialect)
  if (!MAPS.has(key) || !isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, jsonSchemaOf(one, dialect)]),
  )
}

function demanded({ required, properties }: Fields, { way }: Dialect): Fields {
  const flag = way === 'request' ? 'readOnly' : 'writeOnly'
  if (!Array.isArray(required) || !isFields(properties)) return {}
  const isFree = (name: unknown): boolean => {
    const own = properties[String(name)]
    return isFields(own) && own[flag] === true
  }
  return { required: required.filter((name) => !isFree(name)) }
}

/** Bounds of a schema: in 3.0 an exclusive bound is a flag beside the bound. */
function bounds(schema: Fields): Fields {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  return {
    ...(typeof exclusiveMinimum === 'boolean'
      ? { exclusiveMinimum: exclusiveMinimum ? minimum : undefined }
      : {}),
    ...(typeof exclusiveMaximum === 'boolean'
      ? { exclusiveMaximum: exclusiveMaximum ? maximum : undefined }
      : {}),
  }
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
