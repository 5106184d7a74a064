// Random schemas and edits of them, drawn from a seed: what values say of a change is held against
// what the comparison says of it.
import { isFields } from '../../codegen/values.ts'
import type { Json } from './diff-edits.ts'

type Draw = (below: number) => number
type Holder = { [key: string]: Json }
type Edit = (schema: Holder, draw: Draw) => Json

const NAMES = ['p', 'q', 'r'] as const

function pick<T>(draw: Draw, list: readonly [T, ...(readonly T[])]): T {
  return list[draw(list.length)] ?? list[0]
}

function maybe(draw: Draw, of: number, keywords: () => Holder): Holder {
  return draw(of) === 0 ? keywords() : {}
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Component schemas that drawn ones refer to. */
export const SHARED: Readonly<Record<string, Json>> = {
  Text: { type: 'string', minLength: 1, maxLength: 5 },
  Whole: { type: 'integer', minimum: 0 },
  Named: { type: 'object', required: ['p'], properties: { p: { type: 'string' } } },
  Cat: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'cat' }, p: { type: 'string' } },
  },
  Dog: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'dog' }, q: { type: 'integer' } },
  },
  Tree: {
    type: 'object',
    properties: { p: { type: 'integer' }, next: { $ref: '#/components/schemas/Tree' } },
  },
}

/** A schema as documents have them. */
export function schemaOf(draw: Draw, depth = 0): Holder {
  const deep = depth > 2 ? [] : [objectOf, objectOf, objectOf, arrayOf, unionOf, allOf, orNull]
  const kinds = [textOf, numberOf, enumOf, booleanOf, referenceOf, ...deep]
  return (kinds[draw(kinds.length)] ?? textOf)(draw, depth)
}

function textOf(draw: Draw): Holder {
  return {
    type: 'string',
    ...maybe(draw, 3, () => ({ maxLength: 2 + draw(4) })),
    ...maybe(draw, 3, () => ({ minLength: draw(3) })),
    ...maybe(draw, 5, () => ({ pattern: pick(draw, ['^a', '^[a-z]*$']) })),
    ...maybe(draw, 6, () => ({ format: 'date' })),
  }
}

function numberOf(draw: Draw): Holder {
  return {
    type: pick(draw, ['integer', 'number']),
    ...maybe(draw, 3, () => ({ minimum: draw(3) - 1 })),
    ...maybe(draw, 4, () => ({ maximum: 2 + draw(5) })),
    ...maybe(draw, 6, () => ({ exclusiveMinimum: draw(3) - 1 })),
    ...maybe(draw, 6, () => ({ multipleOf: 1 + draw(3) })),
  }
}

function enumOf(draw: Draw): Holder {
  return draw(4) === 0
    ? { const: pick(draw, ['a', 'b', 1, null]) }
    : { ...(draw(2) === 0 ? { type: 'string' } : {}), enum: ['a', 'b', 'c'].slice(draw(2)) }
}

function booleanOf(draw: Draw): Holder {
  return draw(6) === 0 ? {} : { type: 'boolean' }
}

function referenceOf(draw: Draw): Holder {
  return { $ref: `#/components/schemas/${pick(draw, ['Text', 'Whole', 'Named', 'Cat', 'Tree'])}` }
}

function objectOf(draw: Draw, depth: number): Holder {
  const names = NAMES.filter(() => draw(3) > 0)
  const required = names.filter(() => draw(2) === 0)
  return {
    ...(draw(8) === 0 ? {} : { type: 'object' }),
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(draw, depth + 1)])),
    ...(required.length === 0 ? {} : { required }),
    ...maybe(draw, 3, () => ({
      additionalProperties: pick(draw, [false, true, { type: 'string' }]),
    })),
    ...maybe(draw, 8, () => ({ minProperties: 1 })),
    ...maybe(draw, 8, () => ({ maxProperties: 2 })),
  }
}

function arrayOf(draw: Draw, depth: number): Holder {
  return {
    type: 'array',
    ...maybe(draw, 1, () => ({ items: schemaOf(draw, depth + 1) })),
    ...maybe(draw, 4, () => ({ minItems: draw(2) })),
    ...maybe(draw, 4, () => ({ maxItems: 2 + draw(2) })),
    ...maybe(draw, 6, () => ({ uniqueItems: true })),
    ...maybe(draw, 6, () => ({ prefixItems: [schemaOf(draw, depth + 1)] })),
  }
}

/**
 * Variants that exclude each other: where several fit, a change of one changes what the others
 * mean.
 */
function unionOf(draw: Draw, depth: number): Holder {
  const key = pick(draw, ['oneOf', 'anyOf'])
  if (draw(3) === 0)
    return { [key]: [ref('Cat'), ref('Dog')], ...maybe(draw, 2, () => discriminator()) }
  return {
    [key]: [
      textOf(draw),
      draw(2) === 0 ? { ...objectOf(draw, depth + 2), type: 'object' } : { type: 'boolean' },
    ],
  }
}

function discriminator(): Holder {
  return {
    discriminator: {
      propertyName: 'kind',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    },
  }
}

function allOf(draw: Draw, depth: number): Holder {
  const part = objectOf(draw, depth + 1)
  return {
    allOf: [ref('Named'), { ...part, additionalProperties: true }],
    ...maybe(draw, 2, () => ({ properties: { q: schemaOf(draw, depth + 2) } })),
  }
}

function orNull(draw: Draw, depth: number): Holder {
  const inner = draw(2) === 0 ? textOf(draw) : objectOf(draw, depth + 1)
  return draw(2) === 0
    ? { anyOf: [inner, { type: 'null' }] }
    : { ...inner, type: [inner['type'] ?? 'object', 'null'] }
}

/** Every schema below, itself first. */
function holders(schema: Json): Holder[] {
  if (!isHolder(schema)) return []
  const maps = Object.values(isHolder(schema['properties']) ? schema['properties'] : {})
  const lists = ['oneOf', 'anyOf', 'allOf', 'prefixItems'].flatMap((key) =>
    Array.isArray(schema[key]) ? schema[key] : [],
  )
  return [
    schema,
    ...[...maps, ...lists, schema['items'] ?? null, schema['additionalProperties'] ?? null].flatMap(
      holders,
    ),
  ]
}

function isHolder(value: Json | undefined): value is Holder {
  return isFields(value)
}

const set =
  (key: string, ...values: readonly [Json, ...Json[]]): Edit =>
  (schema, draw) => {
    if ('$ref' in schema && key !== 'description') return schema
    return { ...schema, [key]: pick(draw, values) }
  }
const drop =
  (key: string): Edit =>
  ({ [key]: _gone, ...rest }) =>
    rest

const toggleRequired: Edit = (schema, draw) => {
  const name = pick(draw, NAMES)
  const list = Array.isArray(schema['required']) ? schema['required'] : []
  if (!isHolder(schema['properties'])) return schema
  return {
    ...schema,
    required: list.includes(name) ? list.filter((one) => one !== name) : [...list, name],
  }
}

const changeProperty: Edit = (schema, draw) => {
  if (!isHolder(schema['properties'])) return schema
  const { [pick(draw, NAMES)]: _gone, ...rest } = schema['properties']
  return {
    ...schema,
    properties:
      draw(2) === 0 ? rest : { ...schema['properties'], [pick(draw, NAMES)]: schemaOf(draw, 2) },
  }
}

const changeList =
  (key: string): Edit =>
  (schema, draw) => {
    const list = schema[key]
    if (!Array.isArray(list) || list.length === 0) return schema
    const at = draw(list.length)
    switch (draw(3)) {
      case 0:
        return list.length === 1 ? schema : { ...schema, [key]: list.toSpliced(at, 1) }
      case 1:
        return {
          ...schema,
          [key]: [...list, key === 'enum' ? 'z' : { type: 'array', items: { type: 'integer' } }],
        }
      default:
        return { ...schema, [key]: list.toReversed() }
    }
  }

const swapUnion: Edit = ({ oneOf, anyOf, ...rest }) => {
  if (oneOf === undefined && anyOf === undefined) return rest
  return {
    ...rest,
    ...(oneOf === undefined ? {} : { anyOf: oneOf }),
    ...(anyOf === undefined ? {} : { oneOf: anyOf }),
  }
}

const replace: Edit = (_schema, draw) => schemaOf(draw, 1)

/** Edits that may change which values are valid. */
export const CHANGES: readonly Edit[] = [
  set('type', 'string', 'integer', 'number', 'object', ['string', 'null'], 'array'),
  drop('type'),
  set('minLength', 0, 1, 3),
  drop('minLength'),
  set('maxLength', 2, 4, 9),
  drop('maxLength'),
  set('pattern', '^a', '^[a-z]*$'),
  drop('pattern'),
  set('minimum', -1, 0, 2),
  drop('minimum'),
  set('maximum', 3, 5),
  drop('maximum'),
  set('exclusiveMinimum', 0, 1),
  drop('exclusiveMinimum'),
  set('multipleOf', 2, 4, 3),
  drop('multipleOf'),
  set('enum', ['a'], ['a', 'b', 'z'], ['b', null], [1, 'a']),
  drop('enum'),
  set('const', 'a', 'z', null),
  drop('const'),
  set('format', 'date', 'uuid'),
  drop('format'),
  toggleRequired,
  toggleRequired,
  changeProperty,
  changeProperty,
  set('additionalProperties', false, true, { type: 'string' }, { type: 'integer' }),
  drop('additionalProperties'),
  set('minProperties', 0, 1, 2),
  set('maxProperties', 1, 3),
  drop('maxProperties'),
  set('items', { type: 'string' }, { type: 'integer' }, true, false),
  drop('items'),
  set('minItems', 0, 1, 2),
  set('maxItems', 1, 3),
  drop('maxItems'),
  set('uniqueItems', true, false),
  drop('prefixItems'),
  set('prefixItems', [{ type: 'string' }], [{ type: 'string' }, { type: 'integer' }]),
  changeList('enum'),
  changeList('oneOf'),
  changeList('anyOf'),
  changeList('allOf'),
  drop('allOf'),
  drop('oneOf'),
  drop('anyOf'),
  swapUnion,
  replace,
  set('not', { type: 'integer' }, { const: 'a' }),
  (schema) => ({ anyOf: [schema, { type: 'null' }] }),
  (schema) => ({ anyOf: [schema, { type: 'array', maxItems: 0 }] }),
  drop('discriminator'),
  (schema, draw) => ({ allOf: [schema, schemaOf(draw, 2)] }),
  set('propertyNames', { pattern: '^[pqrk]' }),
  drop('properties'),
  drop('required'),
]

const writtenOut: Edit = (schema) => {
  const name =
    typeof schema['$ref'] === 'string' ? schema['$ref'].slice('#/components/schemas/'.length) : ''
  const { $ref: _ref, ...beside } = schema
  return name === 'Tree' || Object.keys(beside).length > 0 ? schema : (SHARED[name] ?? schema)
}

const reversed =
  (key: string): Edit =>
  (schema) => {
    const list = schema[key]
    return Array.isArray(list) ? { ...schema, [key]: list.toReversed() } : schema
  }

const otherNull: Edit = (schema) => {
  const [type, variants] = [schema['type'], schema['anyOf']]
  if (
    Array.isArray(variants) &&
    variants.length === 2 &&
    isHolder(variants[0]) &&
    isHolder(variants[1]) &&
    variants[1]['type'] === 'null'
  ) {
    const [inner] = variants
    const isPlain =
      typeof inner['type'] === 'string' &&
      !('enum' in inner) &&
      !('const' in inner) &&
      Object.keys(schema).length === 1
    return isPlain ? { ...inner, type: [inner['type'] ?? 'string', 'null'] } : schema
  }
  return Array.isArray(type) &&
    type.length === 2 &&
    type[1] === 'null' &&
    !('enum' in schema) &&
    !('const' in schema)
    ? { oneOf: [{ ...schema, type: type[0] ?? 'string' }, { type: 'null' }] }
    : schema
}

const constant: Edit = (schema) => {
  const { enum: values, const: only, ...rest } = schema
  if (Array.isArray(values) && values.length === 1 && only === undefined)
    return { ...rest, const: values[0] ?? null }
  return 'const' in schema && values === undefined ? { ...rest, enum: [only ?? null] } : schema
}

const intoAllOf: Edit = (schema) => {
  const { properties, required, ...rest } = schema
  return properties === undefined ||
    rest['additionalProperties'] !== undefined ||
    rest['allOf'] !== undefined
    ? schema
    : { ...rest, allOf: [{ properties, ...(required === undefined ? {} : { required }) }] }
}

const outOfAllOf: Edit = ({ allOf: parts, ...rest }) => {
  if (parts === undefined) return rest
  const [part, ...more] = Array.isArray(parts) ? parts : []
  return isHolder(part) && more.length === 0 && Object.keys(rest).length === 0
    ? part
    : { ...rest, allOf: parts }
}

/** A keyword that says nothing. */
function beside(key: string, value: Json): Edit {
  return (schema) => ('$ref' in schema ? schema : { ...schema, [key]: schema[key] ?? value })
}

const exclusive: Edit = (schema) => {
  const { minimum, ...rest } = schema
  const isWhole =
    rest['type'] === 'integer' &&
    typeof minimum === 'number' &&
    rest['exclusiveMinimum'] === undefined
  return isWhole ? { ...rest, exclusiveMinimum: minimum - 1 } : schema
}

/** Edits after which the same values are valid. */
export const REFACTORINGS: readonly Edit[] = [
  writtenOut,
  (schema) => ({ allOf: [schema] }),
  reversed('oneOf'),
  reversed('anyOf'),
  reversed('allOf'),
  reversed('enum'),
  reversed('required'),
  reversed('type'),
  otherNull,
  constant,
  set('title', 'T'),
  set('description', 'other words'),
  (schema) => Object.fromEntries(Object.entries(schema).toReversed()),
  intoAllOf,
  outOfAllOf,
  set('$comment', 'a'),
  set('example', 'a'),
  (schema) =>
    'additionalProperties' in schema || schema['properties'] === undefined
      ? schema
      : { ...schema, additionalProperties: true },
  beside('minLength', 0),
  beside('required', []),
  beside('uniqueItems', false),
  beside('minItems', 0),
  exclusive,
]

/** The schema with one edit somewhere in it. */
export function editedBy(schema: Json, edits: readonly Edit[], draw: Draw): Json {
  const copy = structuredClone(schema)
  const found = holders(copy)
  const target = found[draw(found.length)]
  const edit = edits[draw(edits.length)]
  if (target === undefined || edit === undefined) return copy
  const made = structuredClone(edit(target, draw))
  if (target === copy || !isHolder(made)) return made
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, made)
  return copy
}
