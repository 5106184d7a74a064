// Prints how a text becomes a value: the reader of a schema, and the plan of a parameter or form
// field.
import type { ParameterIr, Schema, SchemaObject, SchemaType } from '../ir.ts'
import { formObject, typeOf, validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { dereference, filesOf, typesOf } from './schema-facts.ts'

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
/** Names of what plans of texts are printed with. */
export const TEXT_READERS = [...ORDER, 'readFirst'].sort()
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

/** Names of the readers that may read a schema's values, in the order to try. */
function readersOf(context: EmitContext, schema: Schema, depth = 0): readonly string[] {
  const target = dereference(context.ir, schema)
  if (typeof target === 'boolean' || depth > 8) return ['readText']
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
  const members = [
    `in: '${parameter.in}'`,
    `name: ${quote(parameter.name)}`,
    `required: ${parameter.required}`,
    ...shape,
    ...(check === undefined ? [] : [`check: ${check}`]),
    ...(lift === undefined ? [] : [`lift: ${lift}`]),
    ...(fallback === undefined ? [] : [`fallback: ${fallback}`]),
    ...(error === undefined ? [] : [`error: ${literal(error)}`]),
  ]
  return `{ ${members.join(', ')} }`
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
  if (typeof target === 'object' && types.includes('array')) {
    const { code, what } = readerOf(context, target.items ?? true)
    return [`what: ${quote(what)}`, `read: ${code}`, `list: ${quote(listSign(parameter))}`]
  }
  if (typeof target === 'object' && types.includes('object')) {
    return [
      `what: 'an object'`,
      'read: readText',
      `object: ${objectForm(context, parameter, target)}`,
    ]
  }
  const { code, what } = readerOf(context, parameter.schema)
  return [`what: ${quote(what)}`, `read: ${code}`]
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

function objectForm(context: EmitContext, parameter: ParameterIr, schema: SchemaObject): string {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => `${propertyKey(name)}: ${readerOf(context, property).code}`,
  )
  const extra = schema.additionalProperties ?? (schema.properties === undefined ? true : false)
  const rest = extra === false ? 'undefined' : readerOf(context, extra).code
  const members = properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`
  return `{ form: '${objectFormOf(parameter)}', sign: '${pairSign(parameter)}', pairs: ${parameter.explode}, properties: ${members}, rest: ${rest} }`
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
  const target = dereference(context.ir, schema)
  const isList = typeof target === 'object' && typesOf(target).includes('array')
  if (!isList) return `{ list: false, read: ${readerOf(context, schema).code} }`
  return `{ list: true, read: ${readerOf(context, target.items ?? true).code} }`
}

/** The TypeScript type of a decoded parameter. */
export function parameterType(context: EmitContext, parameter: ParameterIr): string {
  const type = typeOf(context, parameter.schema)
  return type === 'unknown' && parameter.mediaType === undefined ? 'string' : type
}
