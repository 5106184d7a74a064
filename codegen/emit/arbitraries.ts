// Prints arbitraries.gen.ts: a kind of values for each component schema, a request for each
// operation, for fast-check that is handed in. What is printed imports its siblings, and from
// elsewhere nothing but types.
import type { OperationIr, Schema } from '../ir.ts'
import { kindOf, ownKind } from './arbitraries-kinds.ts'
import { extendedKind } from './arbitraries-extended.ts'
import { mediaKind, printParameters, sheetOf } from './arbitraries-parts.ts'
import { printReplies, shortList } from './arbitraries-replies.ts'
import { printExamples } from './arbitraries-shared.ts'
import { isUntyped } from './arbitraries-types.ts'
import { kindName, operationName, parameterGroups } from './context.ts'
import type { EmitContext } from './context.ts'
import { filled } from '../layout.ts'
import { literal, propertyKey } from '../literals.ts'
import { printImports } from './support.ts'
import { checkName, liftName } from './validators.ts'
import { factsOf } from './validators-facts.ts'

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
  return `${printImports(body, ['arbitrary.gen.ts'])}\n${body}`
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

function printOperation(
  context: EmitContext,
  operation: OperationIr,
  replies: readonly string[],
): string {
  const groups = parameterGroups(operation).map(
    ([name, found]) => `${name}: ${printParameters(context, operation, found)}`,
  )
  const { body } = operation
  const hint = `${operationName(context, operation.operationId)}_body`
  const media = (body?.media ?? []).map((one) => mediaKind(context, one, hint))
  const sent =
    body === undefined ? [] : [`body: { required: ${body.required}, media: ${shortList(media)} }`]
  const members = [...groups, ...sent, ...replies].map((member) => `      ${member},\n`).join('')
  return `    ${propertyKey(operation.operationId)}: () => (${members === '' ? '{}' : `{\n${members}    }`}),\n`
}
