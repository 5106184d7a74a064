// Sends bad requests to a running service and judges the answers: the documented error body, a
// declared 4xx, never a 5xx.
import assert from 'node:assert/strict'
import type { WireOperation } from '../../runtime/http/index.ts'
import { bodyExample, parametersOf } from './examples.ts'
import { call } from './http.ts'
import type { Answer } from './http.ts'
import type { BadRequest, ProperRequest } from './bad-requests.ts'

/** Statuses of the dispatcher itself, which `default` of each operation declares. */
const OF_DISPATCHER = new Set([405, 413, 414, 415, 431])

/** The fault of an answer to a bad request; undefined if there is none. */
export function faultOf(
  answer: Answer,
  operation: WireOperation,
  expected: readonly number[],
): string | undefined {
  const { status, text, json } = answer
  const isRejection = status >= 400 && status < 500
  if (!isRejection) return `${status} ${text.slice(0, 200)}`
  if (expected.length > 0 && !expected.includes(status))
    return `${status} instead of ${expected.join(' or ')}: ${text.slice(0, 200)}`
  const declared = operation.responses.map((response) => response.status)
  if (
    !declared.includes(String(status)) &&
    !(OF_DISPATCHER.has(status) && declared.includes('default'))
  )
    return `${status} is not declared`
  const isDocumented =
    typeof json === 'object' &&
    json !== null &&
    Object.keys(json).join() === 'error' &&
    'error' in json &&
    typeof json.error === 'string' &&
    json.error !== ''
  return isDocumented ? undefined : `${status} with the body ${text.slice(0, 200)}`
}

/** The parameters and body of the document's examples. */
export function exampleRequest(
  operation: WireOperation,
  document: unknown,
): Pick<ProperRequest, 'parameters' | 'body'> {
  const parameters = Object.fromEntries(
    parametersOf(operation, document).map(({ name, example }) => [name, example]),
  )
  return {
    parameters,
    body: operation.body === undefined ? undefined : bodyExample(operation, document),
  }
}

/** Whether anything answers at the operation's path. */
export async function isServed(
  url: string,
  mount: string,
  { method, path }: WireOperation,
): Promise<boolean> {
  const { status, text } = await call(
    url,
    `${method} ${mount}${path.replaceAll(/\{[^{}]+\}/g, 'x')}`,
  )
  return !(
    status === 405 ||
    (status === 404 && text.includes('The requested resource could not be found.'))
  )
}

export interface Asking {
  readonly url: string
  readonly tokens: ReadonlyMap<string, string>
}

export async function sendBad(
  { url, tokens }: Asking,
  { line, raw, headers, as }: BadRequest,
): Promise<Answer> {
  const token = as === '' ? undefined : (tokens.get(as) ?? as)
  return call(url, line, {
    ...(token === undefined ? {} : { token }),
    ...(raw === undefined ? {} : { raw }),
    ...(headers === undefined ? {} : { headers }),
  })
}

/**
 * Sends all requests; fails with every answer that is wrong. `lenient` says which may also succeed.
 */
export async function assertAllRefused(
  asking: Asking,
  operation: WireOperation,
  requests: readonly BadRequest[],
  lenient: (name: string, request: BadRequest) => boolean,
): Promise<number> {
  const problems: string[] = []
  for (const request of requests) {
    const answer = await sendBad(asking, request)
    const isLeft =
      answer.status === 200 && lenient(`${operation.operationId} ${request.name}`, request)
    const problem = isLeft ? undefined : faultOf(answer, operation, request.expected)
    if (problem !== undefined) problems.push(`${request.name}: ${problem}`)
  }
  assert.deepEqual(problems, [], `${operation.method} ${operation.path}`)
  return requests.length
}
