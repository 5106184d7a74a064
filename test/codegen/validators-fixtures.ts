// Component schemas with one keyword or one combination each, for the comparison with Ajv.
import type { Schema } from '../../codegen/ir.ts'

const text: Schema = { type: 'string' }
const tagged = (value: string): Schema => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: value }, a: { type: 'integer' } },
})
const wrapped = (key: string, inner: Schema): Schema => {
  return { type: 'object', required: [key], properties: { [key]: inner } }
}
const named = <T extends string>(prefix: string, list: readonly T[], make: (one: T) => Schema) => {
  return Object.fromEntries(list.map((one) => [`${prefix}-${one}`, make(one)]))
}
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
const TEXT_FORMATS = [
  'date-time',
  'date',
  'uuid',
  'uri',
  'email',
  'byte',
  'binary',
  'decimal',
  'password',
  'made-up',
]

// TypeScript takes literal members of these names for the inherited methods.
const INHERITED = Object.fromEntries([
  ['toString', text],
  ['valueOf', { type: 'integer' } as const],
])

export const KEYWORD_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...named('type', TYPES, (type) => ({ type })),
  ...named('integer', ['int32', 'int64'], (format) => ({ type: 'integer', format })),
  ...named('number', ['float', 'double', 'int32', 'int64'], (format) => ({
    type: 'number',
    format,
  })),
  ...named('string', TEXT_FORMATS, (format) => ({ type: 'string', format })),
  'no-type-format': { format: 'date' },
  'no-type-int64': { format: 'int64' },
  'type-list': { type: ['string', 'null'], minLength: 2 },
  'type-list-numbers': { type: ['integer', 'string'], minimum: 1, maxLength: 1 },
  nothing: {},
  yes: true,
  no: false,
  'enum-text': { enum: ['a', 'abc', '', '1'] },
  'enum-few': { type: 'string', enum: ['a', 'abc'] },
  'enum-mixed': { enum: [1, 'a', null, { a: 1 }, [1], true, 1e10] },
  'enum-outside-type': { type: 'string', enum: [1, 'a'] },
  'enum-only-outside-type': { type: 'string', enum: [1] },
  'const-object': { const: { b: 2, a: 1 } },
  'const-null': { const: null },
  'const-number': { const: 1 },
  required: { required: ['a', 'constructor'] },
  'required-plain': { type: 'object', required: ['a'] },
  properties: { properties: { a: { type: 'integer' }, b: text, constructor: text } },
  'properties-inherited': { type: 'object', required: ['toString'], properties: INHERITED },
  'property-false': { properties: { a: false } },
  'additional-false': { properties: { a: true }, additionalProperties: false },
  'additional-schema': { type: 'object', additionalProperties: text },
  'additional-many': {
    properties: { a: true, c: true, d: true, e: true, f: true, g: true },
    additionalProperties: { type: 'integer' },
  },
  'pattern-properties': {
    patternProperties: { '^[ab]$': { type: 'integer' }, '-': text },
    additionalProperties: false,
  },
  'property-names': { propertyNames: { maxLength: 1 } },
  'property-names-enum': {
    type: 'object',
    propertyNames: { enum: ['a', 'constructor'] },
    additionalProperties: { type: 'integer' },
  },
  'min-properties': { minProperties: 1 },
  'max-properties': { type: 'object', maxProperties: 1 },
  items: { items: { type: 'integer' } },
  'prefix-items': { prefixItems: [{ type: 'integer' }, text], items: false },
  'prefix-then-items': { type: 'array', prefixItems: [text], items: { minLength: 1 } },
  'min-items': { minItems: 2 },
  'max-items': { type: 'array', maxItems: 1 },
  'unique-items': { uniqueItems: true },
  'min-length-1': { minLength: 1 },
  'min-length-2': { minLength: 2 },
  'max-length-1': { type: 'string', maxLength: 1 },
  pattern: { pattern: '^\\p{L}+$' },
  'pattern-no-u': { type: 'string', pattern: '^[a-z\\/]+$' },
  minimum: { minimum: 1 },
  maximum: { type: 'number', maximum: 7 },
  exclusive: { exclusiveMinimum: 0, exclusiveMaximum: 7 },
  'multiple-of': { multipleOf: 7 },
  'multiple-of-half': { type: 'number', multipleOf: 0.5 },
  'all-of': { allOf: [{ required: ['a'] }, { properties: { a: { type: 'integer' } } }] },
  'all-of-contradiction': { type: 'string', allOf: [{ type: 'integer' }] },
  'any-of-types': { anyOf: [text, { type: 'null' }, { type: 'integer', minimum: 1 }] },
  'any-of-overlap': {
    anyOf: [
      { type: 'string', minLength: 3 },
      { type: 'string', pattern: '^a' },
    ],
  },
  'any-of-with-all': { anyOf: [text, true] },
  'any-of-beside-other-type': { type: 'array', anyOf: [text, { type: 'null' }] },
  'one-of-nullable': { oneOf: [{ $ref: '#/components/schemas/items' }, { type: 'null' }] },
  'one-of-nullable-array': {
    oneOf: [{ $ref: '#/components/schemas/max-items' }, { type: 'null' }],
  },
  'one-of-overlap': { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] },
  'one-of-inline-overlap': {
    oneOf: [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
  },
  'one-of-wrapped': {
    oneOf: [wrapped('a', { type: 'integer' }), wrapped('b', text), wrapped('constructor', true)],
  },
  'one-of-wrapped-strict': {
    oneOf: [
      { ...wrappedObject('a'), additionalProperties: false },
      { ...wrappedObject('b'), minProperties: 1 },
    ],
  },
  'any-of-wrapped': { anyOf: [wrapped('a', { type: 'integer' }), wrapped('b', text)] },
  'one-of-constants': { oneOf: [tagged('x'), tagged('y')] },
  'any-of-constants': { anyOf: [tagged('x'), tagged('y'), { type: 'null' }] },
  'one-of-in-object': {
    type: 'object',
    properties: { a: { oneOf: [text, { type: 'integer' }] } },
    required: ['a'],
  },
  'one-of-with-type': { type: 'object', oneOf: [wrapped('a', text), { type: 'null' }] },
  'one-of-array-in-object': { type: 'object', anyOf: [{ type: 'array' }] },
  discriminated: {
    oneOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }],
    discriminator: { propertyName: 'kind', mapping: { miau: '#/components/schemas/cat' } },
  },
  cat: { type: 'object', required: ['kind'], properties: { kind: text, a: { type: 'integer' } } },
  dog: { type: 'object', required: ['kind'], properties: { kind: text, a: text } },
  not: { not: { type: 'string' } },
  'not-required': { type: 'object', not: { required: ['a'] } },
  'not-everything': { not: {} },
  'ref-with-siblings': { $ref: '#/components/schemas/all-of', maxProperties: 1 },
  tree: {
    type: 'object',
    properties: { a: { $ref: '#/components/schemas/tree' } },
    additionalProperties: { type: 'integer' },
  },
  forest: {
    type: 'array',
    items: {
      anyOf: [{ $ref: '#/components/schemas/tree' }, { $ref: '#/components/schemas/forest' }],
    },
  },
}

function wrappedObject(key: string) {
  return {
    type: 'object',
    required: [key],
    properties: { [key]: { type: ['integer', 'string'] } },
  } as const
}
