// Prints handlers.gen.ts: what each operation's handler gets and may answer. What is not declared
// does not compile.
import type { OperationIr, ParameterIr, ResponseIr } from '../ir.ts'
import {
  bodyType,
  isRange,
  mediaTypeName,
  operationName,
  parameterGroups,
  tellsMediaType,
} from './context.ts'
import type { EmitContext } from './context.ts'
import { operationComment, parameterGroup } from './doc-comment.ts'
import { LINE, unionOf } from '../layout.ts'
import { propertyKey } from '../literals.ts'
import { defaultOf, parameterType } from './reader.ts'
import { replyHeaders } from './response-headers.ts'
import { printAnswers } from './shared-errors.ts'
import { printImports } from './support.ts'

/** Text of handlers.gen.ts, without marker. */
export function printHandlers(context: EmitContext): string {
  const operations = context.ir.operations
  const { entries, shared } = printAnswers(operations, {
    prefix: 'ErrorReplies',
    refer: (name) => name,
    entries: (operation, response) => replyTypes(context, operation, response),
  })
  const bodies = operations
    .map((operation) =>
      printOperation(context, operation, entries.get(operation.operationId) ?? []),
    )
    .concat([...shared].map(([name, replies]) => alias(`type ${name}`, replies)))
    .join('\n')
  const members = operations.map((operation) => {
    const name = operationName(context, operation.operationId)
    const reply = `${name}Reply`
    return (
      `${operationComment(operation, '  ')}  readonly ${propertyKey(operation.operationId)}: ` +
      `(input: ${name}Input, context: Context) => Promise<${reply}> | ${reply}\n`
    )
  })
  return [
    printImports(bodies, ['support.gen.ts']),
    `\n${bodies}\n`,
    `/** A handler for every operation of ${oneLine(context.ir.title)}. */\n`,
    `export interface Handlers<${operations.length > 0 ? 'Context' : '_Context'}> {\n${members.join('')}}\n`,
  ]
    .join('')
    .replace(/^\n+/u, '')
}

/** A documentation comment of one line, or nothing. */
export function comment(text: string | undefined, pad = ''): string {
  return text === undefined || text.trim() === '' ? '' : `${pad}/** ${oneLine(text)} */\n`
}

/** The comment above an operation's types. */
export function routeComment(operation: OperationIr): string {
  return comment(`${operation.method} ${operation.path}`)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll('*/', '* /').trim()
}

function printOperation(
  context: EmitContext,
  operation: OperationIr,
  replies: readonly string[],
): string {
  const name = operationName(context, operation.operationId)
  return `${routeComment(operation)}${inputType(context, operation, name)}${alias(`export type ${name}Reply`, replies)}`
}

/** A type alias of a union; `head` is what stands before the sign. */
export function alias(head: string, types: readonly string[]): string {
  return `${head} =${unionOf(types, head.length + 2)}\n`
}

function inputType(context: EmitContext, operation: OperationIr, name: string): string {
  const groups = parameterGroups(operation).map(([key, found]) =>
    parameterGroup(`readonly ${key}`, found, (one) => member(context, one)),
  )
  const choice = bodyChoice(context, operation)
  if (choice.length > 0)
    return alias(
      `export type ${name}Input`,
      choice.map((body) => inputOf([...groups, ...body])),
    )
  const head = `export interface ${name}Input extends NoParameters`
  const members = [...groups, `readonly body: ${inputBody(context, operation)}`]
  const line = `${head} { ${members.join('; ')} }\n`
  return line.length <= LINE && !line.trimEnd().includes('\n')
    ? line
    : `${head} {\n${members.map((one) => `  ${one}\n`).join('')}}\n`
}

const inputOf = (members: readonly string[]): string => `NoParameters & { ${members.join('; ')} }`

/** Members of the input that say which of several media types came. */
function bodyChoice(context: EmitContext, { body }: OperationIr): readonly (readonly string[])[] {
  if (body === undefined || !tellsMediaType(body.media)) return []
  const forms = body.media.map((media) => [
    `readonly mediaType: ${mediaTypeName(media.mediaType)}`,
    `readonly body: ${bodyType(context, media, 'handler-in')}`,
  ])
  const none = ['readonly mediaType?: undefined', 'readonly body: undefined']
  return body.required ? forms : [...forms, none]
}

/** A parameter with a default is always there once decoded. */
function member(context: EmitContext, parameter: ParameterIr): string {
  const isThere = parameter.required || defaultOf(context, parameter.schema) !== undefined
  const type = parameterType(context, parameter)
  return `readonly ${propertyKey(parameter.name)}${isThere ? `: ${type}` : `?: ${type} | undefined`}`
}

function inputBody(context: EmitContext, operation: OperationIr): string {
  if (operation.body === undefined) return 'undefined'
  const types = [
    ...new Set(operation.body.media.map((media) => bodyType(context, media, 'handler-in'))),
  ]
  return [...types, ...(operation.body.required ? [] : ['undefined'])].join(' | ')
}

function replyTypes(
  context: EmitContext,
  operation: OperationIr,
  response: ResponseIr,
): readonly string[] {
  const status = statusType(operation, response.status)
  const headers = replyHeaders(context, response)
  if (response.media.length === 0) return [`EmptyReplyOf<${status}>${headers}`]
  const isChoice = response.media.length > 1
  return response.media.map((media) => {
    const mediaType = mediaTypeName(media.mediaType)
    const named =
      isChoice || isRange(media.mediaType) ? ` & { readonly mediaType: ${mediaType} }` : ''
    return `ReplyOf<${status}, ${mediaType}, ${bodyType(context, media, 'handler-out')}>${named}${headers}`
  })
}

/** The TypeScript type of a declared status. */
export function statusType(operation: OperationIr, status: string): string {
  if (/^\d{3}$/u.test(status)) return status
  const exact = operation.responses
    .map((response) => response.status)
    .filter((one) => /^\d{3}$/u.test(one))
  if (status !== 'default') {
    const inRange = exact.filter((one) => one.startsWith(status.charAt(0)))
    const range = `StatusRange['${status}']`
    return inRange.length === 0 ? range : `Exclude<${range}, ${inRange.join(' | ')}>`
  }
  const ranges = operation.responses
    .map((response) => response.status)
    .filter((one) => one.endsWith('XX'))
  return `OtherStatus<${[...exact, ...ranges.map((range) => `StatusRange['${range}']`)].join(' | ') || 'never'}>`
}
