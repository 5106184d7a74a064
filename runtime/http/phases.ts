// The phases between route and handler, each a function from an exchange to a problem or nothing.
// Their order is the document's.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Credentials } from '../host/credentials.ts'
import type { Decision, Identity } from './guard.ts'
import type { Exchange } from './exchange.ts'
import type { Outcome, Problem } from './problem.ts'
import type { CheckPhase, Issue, RawParameters } from './wire.ts'
import { body, mediaType } from './body-phase.ts'
import { decodeSegment } from './trie.ts'
import { invalid, sift } from './violations.ts'

type Phase = <P>(exchange: Exchange<P>) => Promise<Outcome> | Outcome

/** The function of each phase. */
export const PHASES: Readonly<Record<CheckPhase, Phase>> = {
  parameters,
  token,
  authenticated,
  mediaType,
  body,
  constraints,
  rights,
}

const NO_VALUES: readonly string[] = []

function parameters<P>(exchange: Exchange<P>): Outcome {
  const { route, captures, arrival } = exchange
  const issues: Issue[] = []
  const path = captures.length === 0 ? NO_VALUES : decodePath(route.names, captures, issues)
  if (issues.length > 0) return invalid('parameters', issues)
  const raw = new Raw(path, exchange.query, arrival.req.headers)
  const decoded = route.operation.parameters(raw, issues)
  if (isParameters(decoded)) {
    exchange.input.path = decoded.path
    exchange.input.query = decoded.query
    exchange.input.headers = decoded.headers
    exchange.input.cookies = decoded.cookies
  }
  return issues.length === 0 ? undefined : sift(exchange, 'parameters', issues)
}

class Raw implements RawParameters {
  readonly path: readonly string[]
  readonly query: string
  readonly #headers: IncomingHttpHeaders

  constructor(path: readonly string[], query: string, headers: IncomingHttpHeaders) {
    this.path = path
    this.query = query
    this.#headers = headers
  }

  header(name: string): string | undefined {
    return single(this.#headers[name.toLowerCase()])
  }
}

function decodePath(
  names: readonly string[],
  captures: readonly string[],
  issues: Issue[],
): readonly string[] {
  return captures.map((segment, at) => {
    const value = decodeSegment(segment)
    if (value !== undefined) return value
    const pointer = names[at] ?? ''
    issues.push({
      in: 'path',
      pointer,
      keyword: 'syntax',
      message: 'malformed percent escape',
      value: segment,
    })
    return segment
  })
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

interface Parameters {
  readonly path?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly cookies?: unknown
}

function isParameters(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null
}

function token<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { guard, operation } = exchange.route
  const identity = guard.authenticate(credentialsOf(exchange.arrival.req), operation)
  return identity instanceof Promise
    ? identity.then((known) => accept(exchange, known))
    : accept(exchange, identity)
}

/** The credentials that a request brings. */
export function credentialsOf({ headers, socket, url = '' }: IncomingMessage): Credentials {
  return {
    authorization: headers.authorization,
    webSocketProtocol: single(headers['sec-websocket-protocol']),
    remoteAddress: socket.remoteAddress ?? '',
    headers,
    url,
  }
}

function accept<P>(exchange: Exchange<P>, identity: Identity<P>): Outcome {
  exchange.identify(identity)
  if (identity.kind !== 'refused') return undefined
  const { reason, detail, challenges } = identity
  return { kind: 'token-refused', reason, detail, challenges }
}

function authenticated<P>(exchange: Exchange<P>): Outcome {
  const { identity, route } = exchange
  if (identity.kind !== 'anonymous' || !route.guard.needsPrincipal(route.operation))
    return undefined
  return unauthenticated(identity, identity.reason)
}

function unauthenticated(identity: Identity<unknown>, reason: string): Problem {
  return {
    kind: 'unauthenticated',
    reason,
    hasToken: identity.kind === 'anonymous' && identity.hasToken === true,
    challenges: identity.kind === 'anonymous' ? identity.challenges : undefined,
  }
}

function rights<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { route, identity, input } = exchange
  const refused = route.lateAuthentication ? authenticated(exchange) : undefined
  if (refused !== undefined) return refused
  const decision = route.guard.authorize(route.operation, identity, input)
  return decision instanceof Promise
    ? decision.then((made) => rejection(made, identity))
    : rejection(decision, identity)
}

function rejection(decision: Decision, identity: Identity<unknown>): Outcome {
  if (decision.allowed) return undefined
  if (decision.cause === 'refused')
    return { kind: 'token-refused', reason: decision.reason, detail: decision.detail }
  return decision.cause === 'forbidden'
    ? { kind: 'forbidden', reason: decision.reason }
    : unauthenticated(identity, decision.reason)
}

function constraints<P>(exchange: Exchange<P>): Outcome {
  return exchange.kept.length === 0 ? undefined : invalid('constraints', exchange.kept)
}
