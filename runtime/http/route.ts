// An operation as the dispatcher runs it: all that can be decided once is decided here, before the
// first request.
import type { IncomingHttpHeaders } from 'node:http'
import type { Handler, StreamHandler } from './context.ts'
import type { AccessGuard } from './guard.ts'
import type { Presenter } from './problem.ts'
import type { CheckPhase, WireDeprecation, WireInterface, WireOperation } from './wire.ts'
import { ReplyPlans } from './reply-plan.ts'
import { parameterNames } from './trie.ts'

/** An interface with everything that is needed to serve it. Handlers are found by operation id. */
export interface InterfaceMount<P> {
  readonly wire: WireInterface
  readonly handlers: Readonly<Record<string, Handler<P> | undefined>>
  readonly guard: AccessGuard<P>
  readonly presenter: Presenter
  /**
   * Whether the bytes of a body are from whom they should be, for receivers of signed webhooks.
   * What is not is 401. Asked of every operation, before its body is decoded; a body that is read
   * as a stream is refused.
   */
  readonly verify?: VerifyBody
  /** Prefixes besides its own under which the interface answers, for clients that look there. */
  readonly alsoAt?: readonly string[]
  /** Operations, by id, that can also be asked for as a stream, by GET on their path. */
  readonly streams?: Readonly<Record<string, StreamHandler<P> | undefined>>
  /** The subprotocol that the server answers, of those that a client of a stream offers. */
  readonly webSocketSubprotocol?: string
  /**
   * Whether a stream of a caller whom nobody knows is opened, and then ends with the refusal as its
   * one element, unread.
   */
  readonly refusesInStream?: boolean
}

/** A request whose signature is to be checked. */
export interface SignedBody {
  readonly operationId: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** False where the signature is missing or wrong. */
export type VerifyBody = (request: SignedBody) => boolean | Promise<boolean>

/** An operation over a websocket. */
export interface StreamRoute<P> {
  readonly handler: StreamHandler<P>
  readonly subprotocol: string | undefined
  /** Phases before the connection is upgraded. */
  readonly handshake: readonly CheckPhase[]
  /** Phases after the first message, which is the body; the token may be older than that. */
  readonly request: readonly CheckPhase[]
}

export interface Route<P> {
  readonly interfaceName: string
  readonly operation: WireOperation
  /** Mount prefix and template: `/api/scan/v0/domains/{domain_id}`. */
  readonly template: string
  readonly names: readonly string[]
  readonly handler: Handler<P>
  readonly guard: AccessGuard<P>
  readonly presenter: Presenter
  readonly phases: readonly CheckPhase[]
  /** True when the rights phase has to refuse the anonymous itself. */
  readonly lateAuthentication: boolean
  readonly maxBodyBytes: number
  readonly plans: ReplyPlans
  /** Headers of every answer, name and value in turn. */
  readonly headers: readonly string[]
  readonly stream: StreamRoute<P> | undefined
  readonly verify: VerifyBody | undefined
}

/**
 * Types a mount: a generated handler interface, complete or in part, becomes the record that the
 * dispatcher reads. Members that are not functions do not compile.
 */
export function mountInterface<P, H extends { readonly [K in keyof H]: Handler<P> | undefined }>(
  mount: Omit<InterfaceMount<P>, 'handlers'> & { readonly handlers: H },
): InterfaceMount<P> {
  const handlers: Record<string, Handler<P> | undefined> = {}
  for (const name in mount.handlers) handlers[name] = mount.handlers[name]
  return { ...mount, handlers }
}

/** An operation's settings of the host: its prefix, and how large bodies are by default. */
interface Hosting {
  readonly prefix: string
  readonly maxBodyBytes: number
}

/** Compiles one operation. */
export function compileRoute<P>(
  mount: InterfaceMount<P>,
  operation: WireOperation,
  handler: Handler<P>,
  { prefix, maxBodyBytes }: Hosting,
): Route<P> {
  const { wire, guard, presenter } = mount
  return {
    interfaceName: wire.name,
    operation,
    handler,
    guard,
    presenter,
    template: prefix + operation.path,
    names: parameterNames(prefix + operation.path),
    phases: neededChecks(wire.checks, operation, mount.verify !== undefined),
    lateAuthentication: !wire.checks.includes('authenticated'),
    maxBodyBytes: operation.maxBodyBytes ?? maxBodyBytes,
    plans: new ReplyPlans(operation),
    headers: operation.deprecation === undefined ? [] : deprecationHeaders(operation.deprecation),
    stream: streamRoute(mount, operation),
    verify: mount.verify,
  }
}

function streamRoute<P>(
  mount: InterfaceMount<P>,
  { operationId }: WireOperation,
): StreamRoute<P> | undefined {
  const handler = mount.streams?.[operationId]
  if (handler === undefined) return undefined
  const among = (...names: readonly CheckPhase[]): readonly CheckPhase[] =>
    mount.wire.checks.filter((phase) => names.includes(phase))
  return {
    handler,
    subprotocol: mount.webSocketSubprotocol,
    handshake: among(
      'parameters',
      'token',
      ...(mount.refusesInStream === true ? [] : ['authenticated' as const]),
    ),
    request: among('token', 'authenticated', 'rights', 'constraints'),
  }
}

// A document may leave phases out of its order; decoding and reporting cannot be left out.
function neededChecks(
  checks: readonly CheckPhase[],
  operation: WireOperation,
  isSigned: boolean,
): readonly CheckPhase[] {
  const always = (['parameters', 'body', 'constraints'] as const).filter(
    (phase) => !checks.includes(phase),
  )
  return [...checks, ...always].filter(
    (phase) =>
      operation.body !== undefined || (phase === 'body' ? isSigned : phase !== 'mediaType'),
  )
}

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a successor link, as far as the document knows
 * them.
 */
function deprecationHeaders(deprecation: WireDeprecation): readonly string[] {
  const since = dateOf(deprecation.since)
  const sunset = dateOf(deprecation.sunset)
  const successor = /(?:https?:\/)?\/[^\s<>"]*/.exec(deprecation.successor ?? '')?.[0]
  return [
    'Deprecation',
    // A date is required, and one in the past says it: the earliest where none is known.
    `@${Math.floor((since?.getTime() ?? 0) / 1_000)}`,
    ...(sunset === undefined ? [] : ['Sunset', sunset.toUTCString()]),
    ...(successor === undefined ? [] : ['Link', `<${successor}>; rel="successor-version"`]),
  ]
}

// Versions such as '3.5.0' stand in the same member; only a calendar date is a date.
function dateOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
