// Prints how a text becomes a value: the reader of a schema, and the plan of a parameter or form
// field.
import type { ParameterIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { formObject, typeOf, validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { typesOf } from '../keywords/types.ts'
import { dereference, filesOf } from './schema-facts.ts'
import { members } from '../layout.ts'

const READERS: Readonly<Record<Exclude<SchemaType, 'integer'>, string>> = {
  null: 'readNull',
  boolean: 'readBoolean',
  number: 'readNumber',
  string: 'readText',
  array: 'readJson',
  object: 'readJson',
}
/** Most particular first: a text that reads as a number is one where a number is allowed at all. */
const ORDER = [
  'readNull',
  'readBoolean',
  'readInt64',
  'readInt32',
  'readInteger',
  'readNumber',
  'readJson',
  'readText',
]
const WHAT: Readonly<Record<string, string>> = {
  readNull: 'null',
  readBoolean: 'true or false',
  readInt64: 'an int64',
  readInt32: 'an int32',
  readInteger: 'an integer',
  readNumber: 'a number',
  readJson: 'JSON',
  readText: 'text',
}

/** Unions within each other that are looked into. */
const MAX_DEPTH = 8

/** Names of the readers that may read a schema's values, in the order to try. */
function readersOf(context: EmitContext, schema: Schema, depth = 0): readonly string[] {
  const target = dereference(context.ir, schema)
  if (typeof target === 'boolean' || depth > MAX_DEPTH) return ['readText']
  const own = [...ownReaders(target)]
  for (const part of [...(target.oneOf ?? []), ...(target.anyOf ?? []), ...(target.allOf ?? [])]) {
    own.push(...readersOf(context, part, depth + 1))
  }
  const found = ORDER.filter((reader) => own.includes(reader))
  return found.length > 0 ? found : ['readText']
}

function ownReaders(schema: SchemaObject): readonly string[] {
  const types = typesOf(schema)
  if (types.length > 0)
    return types.map((type) => (type === 'integer' ? integerReader(schema.format) : READERS[type]))
  const values = 'const' in schema ? [schema.const] : (schema.enum ?? [])
  return values.map((value) =>
    typeof value === 'number'
      ? 'readNumber'
      : typeof value === 'boolean'
        ? 'readBoolean'
        : 'readText',
  )
}

function integerReader(format: string | undefined): string {
  return format === 'int64' ? 'readInt64' : format === 'int32' ? 'readInt32' : 'readInteger'
}

/** The expression of a schema's reader, with what it expects. */
function readerOf(
  context: EmitContext,
  schema: Schema,
): { readonly code: string; readonly what: string } {
  const readers = readersOf(context, schema)
  const what = readers.map((reader) => WHAT[reader] ?? 'text').join(' or ')
  return {
    code: readers.length === 1 ? (readers[0] ?? 'readText') : `readFirst(${readers.join(', ')})`,
    what,
  }
}

/** The object literal of a parameter's plan. `hint` names its validator where it needs one. */
export function parameterPlan(context: EmitContext, parameter: ParameterIr, hint: string): string {
  const shape = shapeOf(context, parameter)
  const { check, lift } = hasConstraints(context, parameter)
    ? validatorsOf(context, parameter.schema, hint)
    : {}
  const fallback = defaultOf(context, parameter.schema)
  const error = parameter.extensions['x-error']
  const plan = [
    `in: '${parameter.in}'`,
    `name: ${quote(parameter.name)}`,
    `required: ${parameter.required}`,
    ...shape,
    ...members({ check, lift, fallback }),
    ...(error === undefined ? [] : [`error: ${literal(error)}`]),
  ]
  return `{ ${plan.join(', ')} }`
}

/** The plan of a text that is read and neither checked nor lifted. */
export function textPlan(context: EmitContext, parameter: ParameterIr): string {
  const head = [`in: '${parameter.in}'`, `name: ${quote(parameter.name)}`, 'required: false']
  return `{ ${[...head, ...shapeOf(context, parameter)].join(', ')} }`
}

/** The literal of a schema's default, an int64 as bigint; undefined when there is none. */
export function defaultOf(context: EmitContext, schema: Schema): string | undefined {
  const own =
    typeof schema === 'object' && schema.default !== undefined
      ? schema
      : dereference(context.ir, schema)
  if (typeof own !== 'object' || own.default === undefined) return undefined
  const isInt64 = readersOf(context, own)[0] === 'readInt64'
  return isInt64 && typeof own.default === 'number' ? `${own.default}n` : literal(own.default)
}

function shapeOf(context: EmitContext, parameter: ParameterIr): readonly string[] {
  const target = dereference(context.ir, parameter.schema)
  if (parameter.mediaType !== undefined) return [`what: 'JSON'`, 'read: readJson']
  const types = typeof target === 'object' ? typesOf(target) : []
  const union = unionOf(context, parameter.schema)
  const { lists, objects, alone, isOpen } = union
  if (types.includes('array') || (lists.length > 0 && !isOpen && objects.length === 0)) {
    const { code, what } = readerOf(context, itemsOf(lists))
    const sign = `list: ${quote(listSign(parameter))}`
    return [`what: ${quote(what)}`, `read: ${code}`, sign, ...printAlone(alone)]
  }
  if (typeof target === 'object' && types.includes('object')) {
    return [
      `what: 'an object'`,
      'read: readText',
      `object: ${objectForm(context, parameter, target)}`,
    ]
  }
  const isDeep = parameter.style === 'deepObject' && objects.length > 0
  const isText = isDeep && union.texts.length > 0
  const { code, what } = readerOf(context, isText ? { anyOf: union.texts } : parameter.schema)
  const isRepeated = lists.length > 0 && listSign(parameter) === ''
  return [
    `what: ${quote(what)}`,
    `read: ${code}`,
    ...(isDeep ? [`object: ${objectForm(context, parameter, mergedObject(objects), true)}`] : []),
    ...(isRepeated ? [`items: ${readerOf(context, itemsOf(lists)).code}`] : []),
  ]
}

/** Sign between the items of a list in one text; '' where each has a text of its own. */
export function listSign(parameter: ParameterIr): string {
  const isSpread = parameter.explode && (parameter.in === 'query' || parameter.in === 'cookie')
  if (isSpread) return ''
  if (parameter.style === 'spaceDelimited') return ' '
  if (parameter.style === 'pipeDelimited') return '|'
  if (parameter.explode && parameter.style === 'label') return '.'
  return parameter.explode && parameter.style === 'matrix' ? `;${parameter.name}=` : ','
}

/** True for an object of which each member stands by itself. */
export function isExplodedObject(context: EmitContext, parameter: ParameterIr): boolean {
  const target = dereference(context.ir, parameter.schema)
  return (
    parameter.explode &&
    typeof target === 'object' &&
    typesOf(target).includes('object') &&
    !typesOf(target).includes('array')
  )
}

function objectForm(
  context: EmitContext,
  parameter: ParameterIr,
  schema: SchemaObject,
  orText = false,
): string {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => `${propertyKey(name)}: ${readerOf(context, property).code}`,
  )
  const extra = schema.additionalProperties ?? (schema.properties === undefined ? true : false)
  const rest = extra === false ? 'undefined' : readerOf(context, extra).code
  const members = properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`
  return `{ form: '${objectFormOf(parameter)}', sign: '${pairSign(parameter)}', pairs: ${parameter.explode}, properties: ${members}, rest: ${rest}${orText ? ', orText: true' : ''} }`
}

/** One object with the members of several variants, which are read alike. */
function mergedObject(objects: readonly SchemaObject[]): SchemaObject {
  const names = new Set(objects.flatMap((one) => Object.keys(one.properties ?? {})))
  const properties = [...names].map((name): [string, Schema] => [
    name,
    { anyOf: objects.flatMap((one) => one.properties?.[name] ?? []) },
  ])
  const extras = objects.map(
    (one) => one.additionalProperties ?? (one.properties === undefined ? true : false),
  )
  return {
    properties: Object.fromEntries(properties),
    additionalProperties: extras.find((one) => one !== false) ?? false,
  }
}

/** How the members of an object parameter travel. */
export function objectFormOf({ style, explode }: ParameterIr): 'deep' | 'spread' | 'joined' {
  if (style === 'deepObject') return 'deep'
  return style === 'form' && explode ? 'spread' : 'joined'
}

function pairSign({ style, explode }: ParameterIr): string {
  if (!explode) return ','
  return style === 'label' ? '.' : style === 'matrix' ? ';' : ','
}

/** False where reading alone already settles validity: a plain scalar without further rules. */
function hasConstraints(context: EmitContext, parameter: ParameterIr): boolean {
  const target = dereference(context.ir, parameter.schema)
  if (typeof target !== 'object') return target === false
  const plain = new Set(['type', 'description', 'default', 'examples', 'deprecated', 'x-error'])
  const hasFormat =
    target.format !== undefined && !['int32', 'int64', 'double', 'float'].includes(target.format)
  if (hasFormat || parameter.mediaType !== undefined) return true
  const isScalar =
    typeof target.type === 'string' && target.type !== 'array' && target.type !== 'object'
  return !isScalar || Object.keys(target).some((key) => !plain.has(key) && key !== 'format')
}

/** The plan of a form's fields; undefined when the schema names none. */
export function formPlan(context: EmitContext, schema: Schema): string | undefined {
  const target = formObject(context, schema)
  if (target?.properties === undefined) return undefined
  const fields = Object.entries(target.properties).map(
    ([name, property]) => `${propertyKey(name)}: ${formField(context, property)}`,
  )
  return `{ ${fields.join(', ')} }`
}

function formField(context: EmitContext, schema: Schema): string {
  const files = filesOf(context.ir, schema)
  if (files !== undefined) return `{ list: ${files === 'list'} }`
  const { lists, objects, alone, isOpen } = unionOf(context, schema)
  if (lists.length === 0) return `{ list: false, read: ${readerOf(context, schema).code} }`
  const items = readerOf(context, itemsOf(lists)).code
  return isOpen || objects.length > 0
    ? `{ list: false, read: ${readerOf(context, schema).code}, items: ${items} }`
    : `{ ${['list: true', ...printAlone(alone), `read: ${items}`].join(', ')} }`
}

/** The variants of a schema by what their values are. */
interface Union {
  readonly lists: readonly SchemaObject[]
  readonly objects: readonly SchemaObject[]
  /** The others: they go as one text. */
  readonly texts: readonly SchemaObject[]
  /** Single values beside them that the schema lists, null among them. */
  readonly alone: readonly unknown[]
  /** There are single values that it does not list. */
  readonly isOpen: boolean
}

function unionOf(context: EmitContext, schema: Schema): Union {
  const all = variantsOf(context, schema)
  const lists = all.filter((one) => typesOf(one).includes('array'))
  const objects = all.filter((one) => typesOf(one).includes('object') || isObjectLike(one))
  const listed = all
    .filter((one) => !objects.includes(one))
    .map((one) => (lists.includes(one) ? withoutList(one) : listedValues(one)))
  const isOpen = listed.includes(undefined)
  const texts = all.filter((one) => !lists.includes(one) && !objects.includes(one))
  return { lists, objects, texts, alone: listed.flatMap((values) => values ?? []), isOpen }
}

function isObjectLike(schema: SchemaObject): boolean {
  return schema.type === undefined && schema.properties !== undefined
}

function withoutList(schema: SchemaObject): readonly unknown[] | undefined {
  const rest = typesOf(schema).filter((type) => type !== 'array')
  return rest.length === 0 ? [] : listedValues({ type: rest })
}

/** All values that fit; undefined where the schema does not list them. */
function listedValues(schema: SchemaObject): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  const types = typesOf(schema)
  return types.length > 0 && types.every((type) => type === 'null') ? [null] : undefined
}

function itemsOf(lists: readonly SchemaObject[]): Schema {
  return { anyOf: lists.map((one) => one.items ?? true) }
}

function printAlone(values: readonly unknown[]): readonly string[] {
  return values.length === 0 ? [] : [`alone: [${values.map(literal).join(', ')}]`]
}

/** The schemas of which a value fits one: the parts of unions, or the schema itself. */
function variantsOf(context: EmitContext, schema: Schema, depth = 0): readonly SchemaObject[] {
  const target = dereference(context.ir, schema)
  if (typeof target === 'boolean') return [{}]
  const parts = [...(target.oneOf ?? []), ...(target.anyOf ?? []), ...(target.allOf ?? [])]
  return parts.length === 0 || typesOf(target).length > 0 || depth > MAX_DEPTH
    ? [target]
    : parts.flatMap((part) => variantsOf(context, part, depth + 1))
}

/** The TypeScript type of a decoded parameter. */
export function parameterType(context: EmitContext, parameter: ParameterIr): string {
  const type = typeOf(context, parameter.schema)
  return type === 'unknown' && parameter.mediaType === undefined ? 'string' : type
}
