// The phases between route and handler, each a function from an exchange to a problem or nothing. Their order is the
// document's.
import type { IncomingMessage } from 'node:http'
import type { Credentials, Decision, Identity } from './guard.ts'
import type { Exchange } from './exchange.ts'
import type { Problem } from './problem.ts'
import type { CheckPhase, Issue, RawParameters, WireBody, WireMedia } from './wire.ts'
import {
  announcesBody, decodeBody, readBody, streamBody, welcome, declaresTooMuch, type DecodedBody, type ReadBody,
} from './body.ts'
import { essenceOf, isUtf8Charset, matchMedia } from './media.ts'
import { decodeSegment } from './trie.ts'
import { DECODE_KEYWORDS } from './wire.ts'

/** A problem ends the request; `cut` means that nobody may be left to answer. */
export type Outcome = Problem | { readonly kind: 'cut' } | undefined

export type Phase = <P>(exchange: Exchange<P>) => Promise<Outcome> | Outcome

/** The function of each phase. */
export const PHASES: Readonly<Record<CheckPhase, Phase>> = {
  parameters, token, authenticated, mediaType, body, constraints, rights,
}

const NO_VALUES: readonly string[] = []

function parameters<P>(exchange: Exchange<P>): Outcome {
  const { route, captures, arrival } = exchange
  const issues: Issue[] = []
  const path = captures.length === 0 ? NO_VALUES : decodePath(route.names, captures, issues)
  if (issues.length > 0) return invalid('parameters', issues)
  const { headers } = arrival.req
  const raw: RawParameters = { path, query: exchange.query, header: (name) => single(headers[name.toLowerCase()]) }
  const decoded = route.operation.parameters(raw, issues)
  if (isParameters(decoded)) {
    exchange.input.path = decoded.path
    exchange.input.query = decoded.query
    exchange.input.headers = decoded.headers
    exchange.input.cookies = decoded.cookies
  }
  return issues.length === 0 ? undefined : sift(exchange, 'parameters', issues)
}

function decodePath(names: readonly string[], captures: readonly string[], issues: Issue[]): readonly string[] {
  return captures.map((segment, at) => {
    const value = decodeSegment(segment)
    if (value !== undefined) return value
    const pointer = names[at] ?? ''
    issues.push({ in: 'path', pointer, keyword: 'syntax', message: 'malformed percent escape', value: segment })
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

/** Issues that say "not decodable" answer now; the rest waits for the constraints phase. */
function sift<P>(exchange: Exchange<P>, phase: CheckPhase, issues: readonly Issue[]): Outcome {
  const undecodable = issues.filter((issue) => DECODE_KEYWORDS.has(issue.keyword))
  if (undecodable.length > 0) return invalid(phase, undecodable)
  exchange.kept = [...exchange.kept, ...issues]
  return undefined
}

const invalid = (phase: CheckPhase, issues: readonly Issue[]): Problem => ({ kind: 'invalid', phase, issues })

function token<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { guard, operation } = exchange.route
  const identity = guard.authenticate(credentialsOf(exchange.arrival.req), operation)
  return identity instanceof Promise ? identity.then((known) => accept(exchange, known)) : accept(exchange, identity)
}

/** What a request brings to prove who sends it. */
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
  exchange.identity = identity
  if (identity.kind !== 'refused') return undefined
  return { kind: 'token-refused', reason: identity.reason, detail: identity.detail }
}

function authenticated<P>(exchange: Exchange<P>): Outcome {
  const { identity, route } = exchange
  if (identity.kind !== 'anonymous' || !route.guard.needsPrincipal(route.operation)) return undefined
  return { kind: 'unauthenticated', reason: identity.reason }
}

function rights<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { route, identity, input } = exchange
  const refused = route.lateAuthentication ? authenticated(exchange) : undefined
  if (refused !== undefined) return refused
  const decision = route.guard.authorize(route.operation, identity, input)
  return decision instanceof Promise ? decision.then(refusal) : refusal(decision)
}

function refusal(decision: Decision): Outcome {
  if (decision.allowed) return undefined
  if (decision.cause !== 'refused') return { kind: decision.cause, reason: decision.reason }
  return { kind: 'token-refused', reason: decision.reason, detail: decision.detail }
}

function constraints<P>(exchange: Exchange<P>): Outcome {
  return exchange.kept.length === 0 ? undefined : invalid('constraints', exchange.kept)
}

function mediaType<P>(exchange: Exchange<P>): Outcome {
  const declared = exchange.route.operation.body
  const { req } = exchange.arrival
  if (declared === undefined || !announcesBody(req)) return undefined
  const given = req.headers['content-type']
  if (given === undefined) return undefined
  const media = matchMedia(declared.media, essenceOf(given))
  const fits = media !== undefined && (media.kind !== 'json' || isUtf8Charset(given))
  return fits ? undefined : unsupported(given, declared)
}

function unsupported(got: string, declared: WireBody): Problem {
  return { kind: 'media-type', got, accepted: declared.media.map((one) => one.mediaType) }
}

function body<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { operation, maxBodyBytes } = exchange.route
  const { req, res } = exchange.arrival
  const declared = operation.body
  const encoding = req.headers['content-encoding']
  if (declared === undefined) return undefined
  if (encoding !== undefined && encoding !== 'identity') return unsupported(`content encoding ${encoding}`, declared)
  const media = matchMedia(declared.media, essenceOf(req.headers['content-type'])) ?? declared.media[0]
  if (media === undefined) return undefined
  if (declaresTooMuch(req, maxBodyBytes)) return { kind: 'body-too-large', limitBytes: maxBodyBytes }
  welcome(req, res)
  if (isStream(media)) return streamed(exchange, media, declared.required)
  const read = readBody(req, res, maxBodyBytes)
  return read instanceof Promise
    ? read.then((done) => afterRead(exchange, media, declared, done))
    : afterRead(exchange, media, declared, read)
}

function isStream(media: WireMedia): boolean {
  return media.kind === 'binary' || media.kind === 'events' || media.kind === 'json-lines'
}

function streamed<P>(exchange: Exchange<P>, media: WireMedia, required: boolean): Outcome {
  const { req } = exchange.arrival
  // No bytes are a body too, where one is required and its media type says that it is there: an empty file, a stream without items.
  const isEmpty = required && req.headers['content-type'] !== undefined
  if (!announcesBody(req) && !isEmpty) return missing(exchange, required)
  exchange.input.body = streamBody(req, exchange.route.maxBodyBytes, media.kind !== 'binary')
  return undefined
}

function missing<P>(exchange: Exchange<P>, required: boolean): Outcome {
  const issue: Issue = { in: 'body', pointer: '', keyword: 'required', message: 'a body is required' }
  return required ? sift(exchange, 'body', [issue]) : undefined
}

function afterRead<P>(
  exchange: Exchange<P>, media: WireMedia, declared: WireBody, read: ReadBody,
): Promise<Outcome> | Outcome {
  if (read.kind === 'cut') return read
  if (read.kind === 'too-large') return { kind: 'body-too-large', limitBytes: exchange.route.maxBodyBytes }
  const contentType = exchange.arrival.req.headers['content-type']
  const isEmptyText = media.kind === 'text' && contentType !== undefined
  if (read.bytes.length === 0 && !isEmptyText) return missing(exchange, declared.required)
  const decoded = decodeBody(read.bytes, media, contentType)
  return decoded instanceof Promise
    ? decoded.then((done) => checkBody(exchange, media, done))
    : checkBody(exchange, media, decoded)
}

/** Takes a decoded body over into the exchange, checked and lifted. */
export function checkBody<P>(exchange: Exchange<P>, media: WireMedia, decoded: DecodedBody): Outcome {
  if (!decoded.ok) return invalid('body', decoded.issues)
  const issues: Issue[] = []
  exchange.input.body = decoded.value
  media.check?.(decoded.value, issues)
  if (issues.length > 0) return sift(exchange, 'body', issues)
  if (media.lift !== undefined) exchange.input.body = media.lift(decoded.value)
  return undefined
}
