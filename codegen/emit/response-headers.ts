// Prints the headers of answers: their types for handlers and clients, and how their values become
// text and text becomes values.
import type { HeaderIr, OperationIr, ParameterIr, ResponseIr } from '../ir.ts'
import { operationName } from './context.ts'
import type { EmitContext } from './context.ts'
import { propertyKey, quote } from '../literals.ts'
import { parameterPlan, parameterType, textPlan } from './reader.ts'

/** A response header as the parameter that it would be in a request. */
export function headerParameter(header: HeaderIr): ParameterIr {
  return { ...header, in: 'header', style: 'simple', extensions: {} }
}

/** The entry of a header in the route table: plain text needs nothing but its name. */
export function printHeader(
  context: EmitContext,
  operation: OperationIr,
  response: ResponseIr,
  header: HeaderIr,
): string {
  const parameter = headerParameter(header)
  const base = operationName(context, operation.operationId)
  const plan = parameterPlan(context, parameter, `${base}_${response.status}_${header.name}`)
  const isPlain = plan === plainPlan(parameter)
  return isPlain
    ? `{ name: ${quote(header.name)}, required: ${header.required} }`
    : `typedHeader(${plan})`
}

function plainPlan({ name, required }: ParameterIr): string {
  return `{ in: 'header', name: ${quote(name)}, required: ${required}, what: 'text', read: readText }`
}

/**
 * The headers that a handler must give, and those that it may and that are more than text; any
 * other header is free anyway.
 */
export function replyHeaders(context: EmitContext, { headers }: ResponseIr): string {
  const members = headers.flatMap((header) => {
    const type = parameterType(context, headerParameter(header))
    if (!header.required && type === 'string') return []
    return [`readonly ${propertyKey(header.name)}${header.required ? '' : '?'}: ${type}`]
  })
  if (members.length === 0) return ''
  const mark = headers.some(({ required }) => required) ? '' : '?'
  return ` & { readonly headers${mark}: { ${members.join('; ')} } }`
}

/**
 * The declared headers of an answer as a client gets them; each may be missing, since proxies and
 * browsers hide some.
 */
export function answerHeaders(context: EmitContext, { headers }: ResponseIr): string {
  const members = headers.map((header) => {
    const type = parameterType(context, headerParameter(header))
    return `readonly ${propertyKey(header.name)}?: ${type} | undefined`
  })
  return members.length === 0 ? '' : ` & { readonly typedHeaders: { ${members.join('; ')} } }`
}

/** How a client reads the declared headers of a response; '' where there are none. */
export function printHeaderPlans(context: EmitContext, { headers }: ResponseIr): string {
  const plans = headers.map((header) => textPlan(context, headerParameter(header)))
  return plans.length === 0 ? '' : `, headers: [${plans.join(', ')}]`
}
