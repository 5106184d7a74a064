// Prints client.gen.ts: one method per operation over fetch, answers discriminated on status and
// media type, int64 exact both ways.
import type { MediaIr, OperationIr, ParameterIr, ResponseIr, Schema } from '../ir.ts'
import {
  bodyKind,
  bodyType,
  formSchema,
  isRange,
  itemSchema,
  mediaTypeName,
  operationName,
  parameterGroups,
  validatorsOf,
} from './context.ts'
import type { EmitContext } from './context.ts'
import { printEncodings, printFormDecoder, printTextParts } from './form-fields.ts'
import { alias, comment, routeComment, statusType } from './handlers.ts'
import { LINE, filled, listOf, members } from '../layout.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { formPlan, parameterType } from './reader.ts'
import { answerHeaders, printHeaderPlans } from './response-headers.ts'
import { clientSecurity } from './security.ts'
import { printAnswers } from './shared-errors.ts'
import { operationComment, parameterGroup } from './doc-comment.ts'
import { SENT_TO } from '../load/webhooks.ts'
import { text } from '../values.ts'
import { printImports } from './support.ts'
import { needsLift } from './validators.ts'

/** Text of client.gen.ts, without marker. */
export function printClient(context: EmitContext): string {
  const { operations } = context.ir
  const security = operations.length === 0 ? undefined : clientSecurity(context.ir)
  const types = printAllTypes(context) + (security === undefined ? '' : `\n${security.type}`)
  const tables = (security?.table ?? '') + printTables(context, security !== undefined)
  const body = [
    types,
    `\nexport interface Client {\n${operations.map((operation) => printMember(context, operation)).join('')}}\n\n`,
    tables,
    '\n',
    printCallbackUrls(context.ir),
    comment(
      `A client of ${context.ir.title}. Methods reject with UndeclaredAnswerError where an answer is not declared.`,
    ),
    `export function createClient(${operations.length > 0 ? 'options' : '_options'}: ClientOptions${security === undefined ? '' : ' & { readonly credentials?: Credentials }'}): Client {\n`,
    security === undefined ? '' : '  const secured = { ...options, schemes }\n',
    '  return {\n',
    operations
      .map((operation) =>
        printMethod(context, operation, security === undefined ? 'options' : 'secured'),
      )
      .join(''),
    `  }\n}\n`,
  ].join('')
  return [
    printImports(body, ['support.gen.ts', 'validation.gen.ts']),
    `\nexport type { CallOptions, ClientOptions, OrThrow, RetryOptions } from '../support.gen.ts'\n`,
    `export { AnswerError, orThrow, UndeclaredAnswerError } from '../support.gen.ts'\n\n`,
    body,
  ].join('')
}

function printAllTypes(context: EmitContext): string {
  const { operations } = context.ir
  const { entries, shared } = printAnswers(operations, {
    prefix: 'ErrorAnswers',
    refer: (name) => name,
    entries: (operation, response) => answerTypes(context, operation, response),
  })
  const own = operations.map((operation) =>
    printTypes(context, operation, entries.get(operation.operationId) ?? []),
  )
  return [...own, ...[...shared].map(([name, answers]) => alias(`type ${name}`, answers))].join(
    '\n',
  )
}

function printTables(context: EmitContext, isSecured: boolean): string {
  const { operations } = context.ir
  const { entries, shared } = printAnswers(operations, {
    prefix: 'errors',
    refer: (name) => `...${name}`,
    entries: (operation, response) => [printAnswer(context, operation, response)],
  })
  const lists = [...shared].map(([name, answers]) => {
    return `const ${name}: ClientOperation['responses'] = [\n${answers.map((one) => `  ${one},\n`).join('')}]\n`
  })
  const own = operations.map((operation) =>
    printTable(context, operation, entries.get(operation.operationId) ?? [], isSecured),
  )
  return [...lists, ...own].join('')
}

function printTypes(
  context: EmitContext,
  operation: OperationIr,
  answers: readonly string[],
): string {
  const name = operationName(context, operation.operationId)
  const groups = parameterGroups(operation).map(([key, found]) => printGroup(context, key, found))
  return [
    routeComment(operation),
    requestType(name, groups, requestBody(context, operation)),
    alias(`export type ${name}Answer`, answers),
  ].join('')
}

/** `bodies`: the members of each form that the body may have, none without a body. */
function requestType(
  name: string,
  groups: readonly string[],
  bodies: readonly (readonly string[])[],
): string {
  const head = `export type ${name}Request = `
  const [only = [], ...others] = bodies
  if (others.length === 0) return `${head}${membersOf([...groups, ...only], head.length)}\n`
  const forms = bodies.map((form) => `{ ${form.join('; ')} }`).join(' | ')
  return `${head}${groups.length === 0 ? '' : `${membersOf(groups, head.length)} & `}(${forms})\n`
}

function membersOf(members: readonly string[], used: number): string {
  if (members.length === 0) return '{}'
  const line = `{ ${members.join('; ')} }`
  return used + line.length <= LINE && !line.includes('\n')
    ? line
    : `{\n${members.map((member) => `  ${member}\n`).join('')}}`
}

function printGroup(context: EmitContext, key: string, parameters: readonly ParameterIr[]): string {
  const isRequired = parameters.some((parameter) => parameter.required)
  return parameterGroup(`readonly ${key}${isRequired ? '' : '?'}`, parameters, (one) => {
    return `readonly ${propertyKey(one.name)}${one.required ? '' : '?'}: ${parameterType(context, one)}`
  })
}

/** One media type: the body alone. Several: the body goes with the name of its media type. */
function requestBody(context: EmitContext, operation: OperationIr): readonly (readonly string[])[] {
  if (operation.body === undefined) return []
  const { media, required } = operation.body
  const mark = required ? '' : '?'
  return media.map((one) => {
    const isChoice = media.length > 1 || isRange(one.mediaType)
    const mediaType = isChoice ? [`readonly mediaType${mark}: ${mediaTypeName(one.mediaType)}`] : []
    return [`readonly body${mark}: ${bodyType(context, one, 'client-in')}`, ...mediaType]
  })
}

function answerTypes(
  context: EmitContext,
  operation: OperationIr,
  response: ResponseIr,
): readonly string[] {
  const status = statusType(operation, response.status)
  const headers = answerHeaders(context, response)
  if (response.media.length === 0) return [`EmptyAnswerOf<${status}>${headers}`]
  return response.media.map(
    (media) =>
      `AnswerOf<${status}, ${quote(media.mediaType)}, ${bodyType(context, media, 'client-out')}>${headers}`,
  )
}

function needsInput(operation: OperationIr): boolean {
  return (
    operation.parameters.some((parameter) => parameter.required) ||
    operation.body?.required === true
  )
}

function signature(context: EmitContext, operation: OperationIr, mark: string): string {
  const name = operationName(context, operation.operationId)
  return `(input${needsInput(operation) ? '' : mark}: ${name}Request, call?: CallOptions)`
}

function printMember(context: EmitContext, operation: OperationIr): string {
  const name = operationName(context, operation.operationId)
  return `${operationComment(operation, '  ')}  readonly ${propertyKey(operation.operationId)}: ${signature(context, operation, '?')} => Promise<${name}Answer>\n`
}

function printMethod(context: EmitContext, operation: OperationIr, options: string): string {
  const name = operationName(context, operation.operationId)
  const input = needsInput(operation) ? 'input' : 'input = {}'
  return `    ${propertyKey(operation.operationId)}: (${input}, call) => callOperation<${name}Answer>(${options}, operation${name}, input, call),\n`
}

function printAnswer(context: EmitContext, operation: OperationIr, response: ResponseIr): string {
  const { status } = response
  const hint = `${operationName(context, operation.operationId)}_${status}`
  const media = response.media.map((one) => printMedia(context, one, hint)).join(', ')
  return `{ status: '${status}', media: [${media}]${printHeaderPlans(context, response)} }`
}

function printTable(
  context: EmitContext,
  operation: OperationIr,
  answers: readonly string[],
  isSecured: boolean,
): string {
  const name = operationName(context, operation.operationId)
  const alternatives = operation.security.map((needed) => Object.keys(needed))
  return [
    `const operation${name}: ClientOperation = {\n`,
    `  operationId: ${quote(operation.operationId)}, method: '${operation.method}', path: ${quote(isSent(operation) ? '' : operation.path)},\n`,
    ...filled(
      [
        `parameters: [${operation.parameters.map(printParameter).join(', ')}]`,
        `body: [${(operation.body?.media ?? []).map((media) => `{ mediaType: ${quote(media.mediaType)}, kind: '${bodyKind(media.mediaType)}'${printEncodings(media)} }`).join(', ')}]`,
      ],
      '  ',
    ).map((line) => `${line}\n`),
    isSecured && alternatives.length > 0 ? `  security: ${literal(alternatives)},\n` : '',
    `  responses: ${listOf(answers, '  ', 14)},\n`,
    '}\n',
  ].join('')
}

/** True for a webhook or callback: its receiver's address is all of the path. */
function isSent({ extensions }: OperationIr): boolean {
  return text(extensions[SENT_TO]) !== undefined
}

/** Addresses of callbacks, by operation id; '' if the document has none. */
function printCallbackUrls({ operations }: EmitContext['ir']): string {
  const members = operations.flatMap(({ operationId, extensions }) => {
    const expression = text(extensions[SENT_TO]) ?? ''
    return expression === '' ? [] : [`  ${propertyKey(operationId)}: ${quote(expression)},\n`]
  })
  if (members.length === 0) return ''
  return [
    '/** Where callbacks are sent: expressions for `callbackUrl`. */\n',
    `export const callbackUrls = {\n${members.join('')}} as const\n\n`,
    `export { callbackUrl } from '../support.gen.ts'\n\n`,
  ].join('')
}

function printParameter(parameter: ParameterIr): string {
  const json = parameter.mediaType === undefined ? '' : ', json: true'
  return `{ in: '${parameter.in}', name: ${quote(parameter.name)}, style: '${parameter.style}', explode: ${parameter.explode}${json} }`
}

function printMedia(context: EmitContext, media: MediaIr, hint: string): string {
  const kind = bodyKind(media.mediaType)
  const head = `mediaType: ${quote(media.mediaType)}, kind: '${kind}'`
  if (kind === 'form' || kind === 'multipart')
    return `{ ${[head, ...printFormReader(context, media, hint)].join(', ')} }`
  const schema = liftedSchema(context, media)
  const lift =
    schema !== undefined && needsLift(context.ir, schema)
      ? validatorsOf(context, schema, hint).lift
      : undefined
  return `{ ${head}${lift === undefined ? '' : `, lift: ${lift}`} }`
}

/** How the fields of a form that comes in become values. */
function printFormReader(context: EmitContext, media: MediaIr, hint: string): readonly string[] {
  const plan = media.schema === undefined ? undefined : formPlan(context, media.schema)
  if (plan === undefined || media.schema === undefined) return []
  const { lift } = validatorsOf(context, formSchema(context, media.schema), hint)
  const decoder = printFormDecoder(context, media)
  if (decoder.length > 0) return [...decoder, ...members({ lift })]
  const values = `formValues(value, ${plan})`
  return [
    ...printTextParts(context, media),
    `lift: (value: unknown): unknown => ${lift === undefined ? values : `${lift}(${values})`}`,
  ]
}

/** The schema of what arrives as JSON: the body, or one item of a stream. */
function liftedSchema(context: EmitContext, media: MediaIr): Schema | undefined {
  const kind = bodyKind(media.mediaType)
  if (media.schema === undefined || kind === 'json')
    return kind === 'json' ? media.schema : undefined
  return kind === 'events' || kind === 'json-lines' ? itemSchema(context, media.schema) : undefined
}
