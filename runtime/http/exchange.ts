// One request on its way through the dispatcher. Handlers see it as HandlerContext; what costs
// something (the child logger, the abort signal) is made when it is first asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Logger } from '../host/log.ts'
import type { HostCheck } from '../host/own-hosts.ts'
import type { Clock, ResponseRecord } from '../host/plugin.ts'
import type { HandlerContext } from './context.ts'
import type { Identity } from './guard.ts'
import type { JsonLimits } from './json-reader.ts'
import { networkOf } from './network-of.ts'
import type { Presenter } from './problem.ts'
import type { RequestSpans } from './request-span.ts'
import type { Route } from './route.ts'
import type { Trace } from './trace.ts'
import type { AnswerSizes } from './answer-sizes.ts'
import type { Callers } from '../work/callers.ts'
import type { Book, Holding } from '../work/book.ts'
import { SMALL_BYTES, type Limits, type PlaceLimits } from '../work/limits.ts'
import type { Place, Places } from '../work/places.ts'
import type { Scheduler } from '../work/scheduler.ts'
import type { Problem } from './problem.ts'
import type { Issue, WireOperation } from './wire.ts'

/** Limits of requests. */
export interface HttpLimits {
  /** Limits of what callers hold. */
  readonly held: Limits
  /** Time for which a client may read nothing of an answer, milliseconds; 0 is for ever. */
  readonly slowReaderMs: number
  /** Largest request body in bytes where the operation states none. */
  readonly maxBodyBytes: number
  readonly json: JsonLimits
  /** Places of large requests. */
  readonly fair: PlaceLimits
  /** Time from the request's head to the start of its answer, milliseconds. */
  readonly requestTimeoutMs: number
}

/**
 * The treatment of an answer that does not fit the document: nothing, a log line, or `internal`
 * instead.
 */
export type ResponseCheck = 'off' | 'log' | 'throw'

/** The operation and interface of a request, as far as they are known when it ends. */
export interface Ending {
  readonly interfaceName: string
  /** Absent where no operation was found. */
  readonly operation?: WireOperation
  /**
   * Mount prefix and path template, not the path itself, which may name people; empty where no
   * operation has such a path.
   */
  readonly template: string
  /** The path as it was asked for, as much of it as can be told, where no operation has it. */
  readonly askedPath?: string
  readonly presenter: Presenter
}

/** State that all requests of one server share. */
export interface Shared {
  /**
   * Tells what an error thrown by a handler or a guard stands for; undefined is an internal one.
   */
  readonly problemOf: (error: unknown) => Problem | undefined
  readonly log: Logger
  readonly clock: Clock
  readonly limits: HttpLimits
  readonly responseCheck: ResponseCheck
  readonly hostCheck: HostCheck | undefined
  hooks: readonly ((record: ResponseRecord) => void)[]
  readonly book: Book
  readonly sizes: AnswerSizes
  readonly scheduler: Scheduler
  /** Places of large requests. Addresses cost nothing, so who has many delays no user. */
  readonly places: Readonly<Record<'users' | 'addresses', Places>>
  /** Places of large bodies that are decoded: what they need memory for is needed once. */
  readonly decoding: Places
  /** Requests under way of operations that anybody may call. */
  readonly anybodys: Callers
  /** Requests without a complete answer, oldest first. */
  readonly live: Set<Live>
  /** Writers of the request lines, by operation. */
  readonly lineWriters: Map<WireOperation, (finished: Finished) => void>
  /** Ended in this turn of the event loop. */
  readonly finished: Finished[]
  /** Absent where nobody gathers spans. */
  spans: RequestSpans | undefined
  draining: boolean
  /** Draining in order to serve something else, not to end. */
  replacing: boolean
  readonly livenessPath: string | undefined
  /** Paths of probes, which never wait. */
  readonly probePaths: readonly string[]
}

/**
 * Whether a path is that of liveness: while something else is about to be served, the process is
 * alive.
 */
export function isLivenessOf({ replacing, livenessPath }: Shared, path: string): boolean {
  return replacing && path === livenessPath
}

/** A request that has ended, until it is logged. */
export interface Finished {
  readonly ending: Ending
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly traceId: string
  readonly reason: string | undefined
}

/** A request as the watch over time limits and the drain see it. */
export interface Live {
  readonly startedMs: number
  readonly answered: boolean
  /** Its body is not there yet. */
  readonly isArriving: boolean
  expire(): void
  abort(reason: string): void
}

interface MutableInput {
  path: unknown
  query: unknown
  headers: unknown
  cookies: unknown
  body: unknown
  mediaType: string | undefined
}

/** The parts of a request that exist before its route is known. */
export interface Arrival {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Set when middleware may want the answer after `next()`: it then goes through Koa. */
  readonly koa: Context | undefined
  readonly trace: Trace
  readonly startedMs: number
}

const ANONYMOUS = { kind: 'anonymous', reason: 'no phase looked for a token' } as const
const NO_ISSUES: readonly Issue[] = []

export class Exchange<P> implements HandlerContext<P>, Live {
  readonly shared: Shared
  readonly arrival: Arrival
  readonly route: Route<P>
  /** Path segments that stood for parameters, still encoded. */
  readonly captures: readonly string[]
  /** The query text after '?'. */
  readonly query: string
  readonly input: MutableInput = {
    path: undefined,
    query: undefined,
    headers: undefined,
    cookies: undefined,
    body: undefined,
    mediaType: undefined,
  }
  identity: Identity<P> = ANONYMOUS
  principal: P | undefined = undefined
  /** The name of the user; undefined for anybody else. */
  user: string | undefined = undefined
  /** Who shares the thread: addresses cost nothing, so all of them together are one caller. */
  sharer = 'addresses'
  /** Constraint violations, kept for the phase that reports them. */
  kept: readonly Issue[] = NO_ISSUES
  /** True once an answer is on its way: whatever comes later is dropped. */
  answered = false
  /**
   * The holding of the answer, or of a stream's elements, until they are read; none for small ones.
   */
  held: Holding | undefined = undefined
  /** The place of a large request that is under way. */
  place: Place | undefined = undefined
  /** Bytes of the body as it came. */
  bodyBytes = 0
  /** The answer of the time limit; set by whoever serves this exchange. */
  onExpire: ((exchange: Exchange<P>) => void) | undefined = undefined
  private controller: AbortController | undefined = undefined
  private logger: Logger | undefined = undefined

  constructor(
    shared: Shared,
    arrival: Arrival,
    route: Route<P>,
    captures: readonly string[],
    query: string,
  ) {
    this.shared = shared
    this.arrival = arrival
    this.route = route
    this.captures = captures
    this.query = query
  }

  /** Takes over who calls; until then it is nobody. */
  identify(identity: Identity<P>): void {
    this.identity = identity
    if (identity.kind !== 'principal') return
    this.principal = identity.principal
    this.user = this.route.guard.nameOf?.(identity.principal)
    if (this.user !== undefined) this.sharer = `user ${this.user}`
  }

  /** Who shares a limit: the user; where users have no name or nobody is known, the address. */
  get caller(): string {
    return this.user === undefined ? `address ${this.network}` : this.sharer
  }

  get clock(): Clock {
    return this.shared.clock
  }

  get startedMs(): number {
    return this.arrival.startedMs
  }

  get traceId(): string {
    return this.arrival.trace.traceId
  }

  get traceparent(): string {
    return this.arrival.trace.traceparent
  }

  get tracestate(): string | undefined {
    const value = this.arrival.req.headers['tracestate']
    return Array.isArray(value) ? value.join(',') : value
  }

  get network(): string {
    return networkOf(this.arrival.req.socket.remoteAddress ?? '')
  }

  get log(): Logger {
    return (this.logger ??= this.shared.log.child({
      operationId: this.route.operation.operationId,
      traceId: this.traceId,
    }))
  }

  get signal(): AbortSignal {
    return (this.controller ??= this.watchedController()).signal
  }

  hold(bytes: number): Promise<void> | undefined {
    this.held ??= this.shared.book.open(this.caller, 'unread', () =>
      this.arrival.req.socket.destroy(),
    )
    return this.held.wait(bytes <= SMALL_BYTES ? 0 : bytes)
  }

  abort(reason: string): void {
    this.held?.close()
    this.controller?.abort(new Error(reason))
  }

  get isArriving(): boolean {
    return !this.arrival.req.complete
  }

  expire(): void {
    this.onExpire?.(this)
    this.abort('the request took too long')
  }

  private watchedController(): AbortController {
    const controller = new AbortController()
    const { res } = this.arrival
    if (res.closed) controller.abort(new Error('the client is gone'))
    else
      res.once('close', () => {
        if (!res.writableFinished) controller.abort(new Error('the client is gone'))
      })
    return controller
  }
}
