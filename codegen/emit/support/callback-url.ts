// Where a callback is sent: the runtime expressions of OpenAPI, evaluated on the exchange that they
// speak of.
import { ownMember } from './own-member.ts'
import { plainText } from './parameter-texts.ts'

/** The request that a callback belongs to, and the answer that it got. */
export interface CallbackExchange {
  readonly request: {
    readonly url?: string
    readonly method?: string
    readonly path?: object
    readonly query?: object
    readonly headers?: object
    readonly body?: unknown
  }
  readonly response?: {
    readonly status?: number
    readonly headers?: object
    readonly body?: unknown
  }
}

/**
 * The address that an expression such as `{$request.body#/url}/done` stands for; undefined where
 * the exchange has no such value. Whoever sends should hold it against the addresses that it sends
 * to: it is what a caller wrote.
 */
export function callbackUrl(expression: string, exchange: CallbackExchange): string | undefined {
  let isComplete = true
  const url = expression.replaceAll(/\{([^{}]*)\}|^\$\S+$/gu, (whole, inner?: string) => {
    const value = exchanged(inner ?? whole, exchange)
    if (value === undefined || value === null) isComplete = false
    return plainText(value)
  })
  return isComplete ? url : undefined
}

function exchanged(expression: string, { request, response }: CallbackExchange): unknown {
  if (expression === '$url') return request.url
  if (expression === '$method') return request.method
  if (expression === '$statusCode') return response?.status
  const [, side, place = '', rest = ''] =
    /^\$(request|response)\.(header|query|path|body)[.#]?(.*)$/u.exec(expression) ?? []
  const source: object | undefined = side === 'request' ? request : response
  if (place === 'body') return pointed(ownMember(source, 'body'), rest)
  if (place === 'header') return headerOf(ownMember(source, 'headers'), rest)
  return ownMember(ownMember(source, place), rest)
}

function headerOf(headers: unknown, name: string): unknown {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : []
  const key = names.find((one) => one.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : ownMember(headers, key)
}

/** RFC 6901; '' is the whole value. */
function pointed(value: unknown, pointer: string): unknown {
  if (pointer === '') return value
  return pointer
    .split('/')
    .slice(1)
    .reduce((inner: unknown, part) => {
      return ownMember(inner, part.replaceAll('~1', '/').replaceAll('~0', '~'))
    }, value)
}
