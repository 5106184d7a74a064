// Prints arbitraries.gen.ts: a kind of values for each component schema, a request for each operation, for fast-check
// that is handed in. What is printed imports its siblings, and from elsewhere nothing but types.
import type { MediaIr, OperationIr, ParameterIr, ParameterPlace, Schema, SchemaObject } from '../ir.ts'
import { kindOf, ownKind } from './arbitraries-kinds.ts'
import type { KindSheet } from './arbitraries-objects.ts'
import { bodyKind, operationName, validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'
import { literal, propertyKey, quote } from './names.ts'
import { listSign, objectFormOf } from './reader.ts'
import { dereference, isBinary, typesOf } from './schema-facts.ts'
import { ARBITRARY_SUPPORT_FILE } from './support.ts'
import { checkName, liftName } from './validators.ts'
import { factsOf, isDecimalNumber } from './validators-facts.ts'

const COMBINATORS = [
  'again', 'anything', 'bool', 'bytes', 'form', 'integer', 'json', 'jsonText', 'list', 'long', 'map', 'named', 'nil', 'nothing', 'only',
  'operationsOf', 'pick', 'raw', 'real', 'record', 'schemasOf', 'separated', 'text', 'tuple', 'union', 'withExamples',
]

/** Text of arbitraries.gen.ts, without marker. Adds the inline schemas it needs checks of to the context's roots. */
export function printArbitraries(context: EmitContext): string {
  const { ir } = context
  const untyped = untypedNames(context)
  const kinds = Object.entries(ir.schemas).map(([name, schema]) => printKind(context, name, schema, !untyped.has(name))).join('')
  const operations = ir.operations.map((operation) => printOperation(context, operation)).join('')
  const schemas = Object.keys(ir.schemas).map((name) => {
    const identifier = context.typeNames.get(name) ?? name
    return name === identifier ? `    ${name},\n` : `    ${propertyKey(name)}: ${identifier},\n`
  }).join('')
  const body = [
    kinds,
    '/** Values and requests as the document describes them, for the fast-check that is handed in. */\n',
    'export function arbitraries(fc: FastCheck) {\n',
    `  const operations = operationsOf(fc, {\n${operations}  })\n`,
    `  const schemas = schemasOf(fc, {\n${schemas}  })\n`,
    '  return { operations, schemas }\n}\n',
  ].join('')
  return `${imports(body)}\n${body}`
}

function imports(printed: string): string {
  const body = printed.replaceAll(/'(?:[^'\\\n]|\\.)*'/gu, `''`)
  const called = new Set(Array.from(body.matchAll(/(?<![.\w$])([a-zA-Z]+)\(/gu), ([, name]) => name))
  const values = COMBINATORS.filter((name) => called.has(name))
  const checks = [...new Set(body.match(/(?<![\w$])(?:check|lift)_[\w$]+/gu))].sort()
  const types = ['FastCheck', ...body.includes(': Kind<') ? ['Kind'] : []]
  return [
    `import {\n  ${values.join(', ')},\n} from '../${ARBITRARY_SUPPORT_FILE}'\n`,
    `import type { ${types.join(', ')} } from '../${ARBITRARY_SUPPORT_FILE}'\n`,
    ...body.includes('Kind<types.') ? [`import type * as types from './types.gen.ts'\n`] : [],
    ...checks.length === 0 ? [] : [`import {\n${checks.map((name) => `  ${name},\n`).join('')}} from './validators.gen.ts'\n`],
  ].join('')
}

function sheetOf(context: EmitContext, hint: string, current?: string): KindSheet {
  return { context, current, hint, isForm: false, depth: 0, print: kindOf }
}

function printKind(context: EmitContext, name: string, schema: Schema, isTyped: boolean): string {
  const identifier = context.typeNames.get(name) ?? name
  const sheet = sheetOf(context, `${name}_value`, name)
  const code = typeof schema === 'boolean' ? kindOf(sheet, schema) : ownKind(sheet, schema)
  const type = isTyped ? `types.${identifier}` : 'unknown'
  return `const ${identifier}: Kind<${type}> = named(() => ${withExamples(context, name, schema, code)})\n\n`
}

/** Examples of objects and lists; those of texts stand with the text. */
function withExamples(context: EmitContext, name: string, schema: Schema, code: string): string {
  const all = typeof schema === 'object' ? schema.examples ?? [] : []
  const examples = all.filter((one) => typeof one === 'object' && one !== null)
  if (examples.length === 0) return code
  const isLifted = factsOf(context.ir).hasInt64(schema)
  const texts = examples.map(literal).map((example) => (isLifted ? `${liftName(name)}(${example})` : example))
  return `withExamples(${[code, checkName(name), ...texts].join(', ')})`
}

/** Components whose values have a type that no combinator has: decimals as numbers, objects in lists of values. */
function untypedNames({ ir }: EmitContext): ReadonlySet<string> {
  const isUntyped = factsOf(ir).somewhere(isForeign)
  return new Set(Object.entries(ir.schemas).filter(([, schema]) => isUntyped(schema)).map(([name]) => name))
}

function isForeign(schema: SchemaObject): boolean {
  return isDecimalNumber(schema) && !typesOf(schema).includes('string') || listsObjects(schema)
}

/** The type of such lists is wider, or, with a null among values of no stated type, narrower than the values. */
function listsObjects(schema: SchemaObject): boolean {
  const listed = [...'const' in schema ? [schema.const] : [], ...schema.enum ?? []]
  return listed.some((value) => typeof value === 'object' && (value !== null || schema.type === undefined))
}

const PLACES: readonly (readonly [ParameterPlace, string])[] = [
  ['path', 'path'], ['query', 'query'], ['header', 'headers'], ['cookie', 'cookies'],
]

function printOperation(context: EmitContext, operation: OperationIr): string {
  const groups = PLACES.flatMap(([place, name]) => {
    const found = operation.parameters.filter((parameter) => parameter.in === place)
    return found.length === 0 ? [] : [`${name}: ${printParameters(context, operation, found)}`]
  })
  const { body } = operation
  const media = (body?.media ?? []).map((one) => `        ${printMedia(context, operation, one)},\n`).join('')
  const sent = body === undefined ? [] : [`body: { required: ${body.required}, media: [\n${media}      ] }`]
  const members = [...groups, ...sent].map((member) => `      ${member},\n`).join('')
  return `    ${propertyKey(operation.operationId)}: () => (${members === '' ? '{}' : `{\n${members}    }`}),\n`
}

function printParameters(context: EmitContext, operation: OperationIr, parameters: readonly ParameterIr[]): string {
  const group = (isRequired: boolean): string => {
    const members = parameters.filter(({ required }) => required === isRequired)
      .map((parameter) => `${propertyKey(parameter.name)}: ${printParameter(context, operation, parameter)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  const optional = group(false)
  return `[${group(true)}${optional === '{}' ? '' : `, ${optional}`}]`
}

function printParameter(context: EmitContext, operation: OperationIr, parameter: ParameterIr): string {
  const hint = `${operationName(context, operation.operationId)}_${parameter.in}_${parameter.name}`
  const code = kindOf(sheetOf(context, hint), parameter.schema)
  if (parameter.mediaType !== undefined) return `jsonText(${code})`
  const target = dereference(context.ir, parameter.schema)
  const types = typeof target === 'object' ? typesOf(target) : []
  const isJoined = types.includes('array') ? listSign(parameter) !== '' : types.includes('object') && objectFormOf(parameter) === 'joined'
  return isJoined ? `separated(${code})` : code
}

function printMedia(context: EmitContext, operation: OperationIr, media: MediaIr): string {
  const { schema = true, mediaType, examples } = media
  const hint = `${operationName(context, operation.operationId)}_body`
  const sheet = sheetOf(context, hint)
  const type = quote(mediaType)
  switch (bodyKind(mediaType)) {
    case 'json': {
      const { check } = validatorsOf(context, schema, hint)
      const rest = check === undefined ? [] : [check, ...examples.map((example) => literal(example))]
      return `json(${[type, kindOf(sheet, schema), ...rest].join(', ')})`
    }
    case 'form':
    case 'multipart': return `form(${type}, ${formKind(sheet, schema)})`
    case 'text': return `raw(${type}, ${isText(context, schema) ? kindOf(sheet, schema) : 'text()'})`
    default: return `raw(${type}, bytes())`
  }
}

function isText(context: EmitContext, schema: Schema): boolean {
  const target = dereference(context.ir, schema)
  return typeof target === 'object' && target.type === 'string' && !isBinary(context.ir, schema)
}

/** A form's own fields, written out so that binary ones are bytes. */
function formKind(sheet: KindSheet, schema: Schema): string {
  const target = dereference(sheet.context.ir, schema)
  return kindOf({ ...sheet, isForm: true }, target)
}
