// Prints arbitraries.gen.ts: a kind of values for each component schema, a request for each
// operation, for fast-check that is handed in. What is printed imports its siblings, and from
// elsewhere nothing but types.
import type { MediaIr, OperationIr, ParameterPlace, Schema } from '../ir.ts'
import { kindOf, ownKind } from './arbitraries-kinds.ts'
import { extendedKind } from './arbitraries-extended.ts'
import { formKind, isText, printParameters, sheetOf } from './arbitraries-parts.ts'
import { printReplies, shortList } from './arbitraries-replies.ts'
import { exampleCode, printExamples } from './arbitraries-shared.ts'
import { isUntyped } from './arbitraries-types.ts'
import { bodyKind, itemSchema, kindName, operationName, validatorsOf } from './context.ts'
import type { EmitContext } from './context.ts'
import { filled, importOf } from '../layout.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { ARBITRARY_SUPPORT_FILE } from './support.ts'
import { checkName, liftName } from './validators.ts'
import { usedNames } from './uses.ts'
import { factsOf } from './validators-facts.ts'

const COMBINATORS = [
  'again',
  'anything',
  'bool',
  'bytes',
  'events',
  'extended',
  'form',
  'integer',
  'json',
  'jsonText',
  'lines',
  'list',
  'long',
  'map',
  'named',
  'nil',
  'nothing',
  'only',
  'operationsOf',
  'pick',
  'raw',
  'real',
  'record',
  'reply',
  'schemasOf',
  'separated',
  'text',
  'tuple',
  'union',
  'withExamples',
]

/**
 * Text of arbitraries.gen.ts, without marker. Adds the inline schemas it needs checks of to the
 * context's roots.
 */
export function printArbitraries(context: EmitContext): string {
  const { ir } = context
  const kinds = Object.entries(ir.schemas)
    .map(([name, schema]) => printKind(context, name, schema, !isUntyped(ir, schema)))
    .join('')
  const replies = printReplies(context)
  const operations = ir.operations
    .map((operation) => {
      return printOperation(context, operation, replies.members.get(operation.operationId) ?? [])
    })
    .join('')
  const schemas = filled(
    Object.keys(ir.schemas).map((name) => {
      const identifier = kindName(context, name)
      return name === identifier ? name : `${propertyKey(name)}: ${identifier}`
    }),
    '    ',
  )
    .map((line) => `${line}\n`)
    .join('')
  const body = [
    kinds,
    ...context.kinds.declarations,
    printExamples(context.kinds),
    kinds === '' ? '' : '\n',
    replies.constants,
    '/** Values, requests and replies as the document describes them, for the fast-check that is handed in. */\n',
    'export function arbitraries(fc: FastCheck) {\n',
    `  const operations = operationsOf(fc, {\n${operations}  })\n`,
    `  const schemas = schemasOf(fc, {\n${schemas}  })\n`,
    '  return { operations, schemas }\n}\n',
  ].join('')
  return `${imports(body)}\n${body}`
}

function imports(body: string): string {
  const words = usedNames(body)
  const values = COMBINATORS.filter((name) => words.has(name))
  const checks = [...words].filter((word) => /^(?:check|lift)_/u.test(word)).sort()
  const types = ['FastCheck', ...(words.has('Kind') ? ['Kind'] : [])]
  return [
    importOf('import', values, `../${ARBITRARY_SUPPORT_FILE}`),
    importOf('import type', types, `../${ARBITRARY_SUPPORT_FILE}`),
    ...(words.has('types') ? [`import type * as types from './types.gen.ts'\n`] : []),
    importOf('import', checks, './validators.gen.ts'),
  ].join('')
}

function printKind(context: EmitContext, name: string, schema: Schema, isTyped: boolean): string {
  const identifier = kindName(context, name)
  const type = isTyped ? `types.${context.typeNames.get(name) ?? name}` : 'unknown'
  const sheet = sheetOf(context, `${name}_value`, name)
  const code =
    extendedKind(sheet, name) ??
    (typeof schema === 'boolean' ? kindOf(sheet, schema) : ownKind(sheet, schema))
  return `const ${identifier}: Kind<${type}> = named(() => ${withExamples(context, name, schema, code)})\n`
}

/** Examples of objects and lists; those of texts stand with the text. */
function withExamples(context: EmitContext, name: string, schema: Schema, code: string): string {
  const all = typeof schema === 'object' ? (schema.examples ?? []) : []
  const examples = all.filter((one) => typeof one === 'object' && one !== null)
  if (examples.length === 0) return code
  const isLifted = factsOf(context.ir).hasInt64(schema)
  const texts = examples
    .map(literal)
    .map((example) => (isLifted ? `${liftName(name)}(${example})` : example))
  return `withExamples(${[code, checkName(name), ...texts].join(', ')})`
}

const PLACES: readonly (readonly [ParameterPlace, string])[] = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
]

function printOperation(
  context: EmitContext,
  operation: OperationIr,
  replies: readonly string[],
): string {
  const groups = PLACES.flatMap(([place, name]) => {
    const found = operation.parameters.filter((parameter) => parameter.in === place)
    return found.length === 0 ? [] : [`${name}: ${printParameters(context, operation, found)}`]
  })
  const { body } = operation
  const media = (body?.media ?? []).map((one) => printMedia(context, operation, one))
  const sent =
    body === undefined ? [] : [`body: { required: ${body.required}, media: ${shortList(media)} }`]
  const members = [...groups, ...sent, ...replies].map((member) => `      ${member},\n`).join('')
  return `    ${propertyKey(operation.operationId)}: () => (${members === '' ? '{}' : `{\n${members}    }`}),\n`
}

function printMedia(context: EmitContext, operation: OperationIr, media: MediaIr): string {
  const { schema = true, mediaType, examples } = media
  const hint = `${operationName(context, operation.operationId)}_body`
  const sheet = sheetOf(context, hint)
  const type = quote(mediaType)
  switch (bodyKind(mediaType)) {
    case 'json': {
      const { check } = validatorsOf(context, schema, hint)
      const rest =
        check === undefined
          ? []
          : [check, ...examples.map((example) => exampleCode(context.kinds, example))]
      return `json(${[type, kindOf(sheet, schema), ...rest].join(', ')})`
    }
    case 'form':
    case 'multipart':
      return `form(${type}, ${formKind(sheet, media)})`
    case 'events':
      return `events(${type}, ${kindOf(sheet, itemSchema(context, schema))})`
    case 'json-lines':
      return `lines(${type}, ${kindOf(sheet, itemSchema(context, schema))})`
    case 'text':
      return `raw(${type}, ${isText(context, schema) ? kindOf(sheet, schema) : 'text()'})`
    default:
      return `raw(${type}, bytes())`
  }
}
