// OpenAPI links: which request of another operation follows from an answer. OpenAPI 3.1 §4.8.20 and
// §4.8.20.4 (runtime expressions)
import type { LinkFact } from './facts.ts'
import { responseFor } from './answer-checks.ts'
import type { Probe, Target } from './probe.ts'

type Values = Record<string, unknown>

interface LinkedRequest {
  readonly path: Values
  readonly query: Values
  readonly headers: Values
}

/**
 * The parameters that an answer's links give to an operation; undefined where none of its links
 * leads there.
 */
export function linkedRequest(probe: Probe, to: Target): LinkedRequest | undefined {
  if (probe.answer === undefined || probe.target.facts !== to.facts) return undefined
  const links = responseFor(probe.target.operation, probe.answer.status)?.links ?? []
  const link = links.find(({ target }) => target === to.operation.operationId)
  return link === undefined ? undefined : placed(probe, to, link)
}

function placed(probe: Probe, { operation }: Target, { parameters }: LinkFact): LinkedRequest {
  const places = { path: {}, query: {}, headers: {} } satisfies Record<string, Values>
  for (const [given, expression] of Object.entries(parameters)) {
    const [, prefix, rest = ''] = /^(path|query|header)\.(.*)$/u.exec(given) ?? []
    const parameter = operation.parameters.find(
      (one) => one.name === given || (one.in === prefix && one.name === rest),
    )
    const value = evaluate(probe, expression)
    if (parameter === undefined || parameter.in === 'cookie' || value === undefined) continue
    Reflect.set(places[parameter.in === 'header' ? 'headers' : parameter.in], parameter.name, value)
  }
  return places
}

/** A runtime expression's value; a constant is itself. */
function evaluate({ request, wire, answer, value }: Probe, expression: unknown): unknown {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression
  const [, side, place, rest = ''] =
    /^\$(request|response)\.(body|header|path|query)[.#]?(.*)$/u.exec(expression) ?? []
  if (expression === '$statusCode') return answer?.status
  if (expression === '$method') return wire.method
  if (place === 'body') return atPointer(side === 'request' ? request.body?.value : value, rest)
  if (side === 'response')
    return place === 'header' ? answer?.headers.get(rest.toLowerCase()) : undefined
  return place === 'path'
    ? request.path[rest]
    : place === 'query'
      ? request.query[rest]
      : request.headers[rest]
}

function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
    }, value)
}
