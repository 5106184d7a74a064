// The HTTP side of a server: interfaces, extensions and limits in, a listening Koa application out.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Middleware, Next } from 'koa'
import Koa from 'koa'
import type { Logger } from '../host/log.ts'
import type { HostCheck } from '../host/own-hosts.ts'
import type { Clock, ResponseRecord } from '../host/plugin.ts'
import type { Arrival, HttpLimits, Live, ResponseCheck, Shared } from './exchange.ts'
import type { Problem } from './problem.ts'
import type { AddRoutes, MountReport, Registry, RouterMiddleware } from './registry.ts'
import type { InterfaceMount, Route } from './route.ts'
import { AnswerSizes } from './answer-sizes.ts'
import { Exchange, isLivenessOf } from './exchange.ts'
import { asError, chainOf } from './chain.ts'
import { foreignProblem } from './foreign.ts'
import { DEFAULT_JSON_LIMITS, type JsonLimits } from './json-reader.ts'
import { buildRegistry } from './registry.ts'
import type { Match } from './trie.ts'
import { createHttpServer, type HttpServer, type SocketLimits } from './server.ts'
import { finish, sendOptions, sendProblem, serve } from './serve.ts'
import { createStreams, type StreamLimits, type StreamTarget } from './websocket.ts'
import type { RequestSpans } from './request-span.ts'
import { pathOf, queryOf } from './target.ts'
import { pooledRandomHex, traceOf, type RandomHex } from './trace.ts'
import { Book } from '../work/book.ts'
import { Callers } from '../work/callers.ts'
import { LIMITS, PLACES, type Limits, type PlaceLimits } from '../work/limits.ts'
import { Places } from '../work/places.ts'
import { scheduler } from '../work/scheduler.ts'

/** Options of a server. `P` is what a guard knows of a caller. */
export interface HttpOptions<P> {
  readonly interfaces: readonly InterfaceMount<P>[]
  readonly log: Logger
  readonly clock: Clock
  readonly limits?: GivenLimits
  readonly sockets?: Partial<SocketLimits>
  readonly streams?: Partial<StreamLimits>
  /** Tells which requests are refused before anything else looks at them; none where absent. */
  readonly hostCheck?: HostCheck | undefined
  /** `log` when absent. */
  readonly responseCheck?: ResponseCheck
  /** Called once for each finished request; must not throw. */
  readonly onResponse?: readonly ((record: ResponseRecord) => void)[]
  /**
   * Tells what an error thrown by a handler or a guard stands for; internal where it does not know
   * either.
   */
  readonly problemOf?: (error: unknown) => Problem | undefined
  /** The path that is answered also while something else is about to be served: `replace`. */
  readonly livenessPath?: string
  /** Paths of probes, which wait for nobody's requests. */
  readonly probePaths?: readonly string[]
  /** Extensions that add routes of their own; called once, in order. */
  readonly routes?: readonly AddRoutes[]
  /**
   * Koa middleware around everything, generated operations included. With any, answers are written
   * after all of it.
   */
  readonly middleware?: readonly Middleware[]
  /** Absent where nobody gathers spans. */
  readonly spans?: RequestSpans | undefined
  /** The source of trace and span ids. */
  readonly randomHex?: RandomHex
}

type GivenLimits = Partial<Omit<HttpLimits, 'json' | 'fair' | 'held'>> & {
  readonly held?: Partial<Limits>
  readonly json?: Partial<JsonLimits>
  readonly fair?: Partial<PlaceLimits>
}

/** The server with its Koa application and what is mounted. */
export interface HttpApp<P = unknown> extends HttpServer {
  readonly app: Koa
  readonly interfaces: readonly MountReport[]
  /**
   * Serves something else from now on, at the same address. Until `change` has made it, requests
   * are answered 503; before it begins, requests in flight finish for at most `graceMs`, and
   * streams are closed. For a request of an extension, which is in flight itself. Where `change`
   * rejects, this does too, and goes on with 503.
   */
  replace(graceMs: number, change: () => Promise<Served<P>>): Promise<void>
}

/** The interfaces and routes of a server. */
export type Served<P> = Pick<HttpOptions<P>, 'interfaces' | 'onResponse' | 'routes' | 'spans'>

const MIB = 1_024 * 1_024
/** 1 MiB of body, 20 s until an answer starts. */
export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: MIB,
  held: LIMITS,
  requestTimeoutMs: 20_000,
  slowReaderMs: 10_000,
  json: DEFAULT_JSON_LIMITS,
  fair: PLACES,
}

/** Member of Koa's state that the last middleware sets. */
const UNMATCHED = 'http.unmatched'

interface Wiring<P> {
  readonly shared: Shared
  /** Another one once something else is served. */
  registry: Registry<P>
  readonly randomHex: RandomHex
  /** Whether a trace that begins here is kept; absent where nobody gathers spans. */
  readonly isSampled: ((traceId: string) => boolean) | undefined
  /** Middleware around everything may want the answer after `next()`. */
  readonly isObserved: boolean
}

/**
 * Assembles a server out of interfaces. Throws when two operations have the same method and path
 * shape.
 *
 * @example const http = createHttpApp({ interfaces: [mountInterface({ wire, handlers, guard,
 *   presenter })], log, clock }) const { port } = await http.listen(8080, '127.0.0.1') await
 *   http.drain(10_000)
 */
export function createHttpApp<P>(options: HttpOptions<P>): HttpApp<P> {
  const limits = {
    ...DEFAULT_LIMITS,
    ...options.limits,
    held: { ...LIMITS, ...options.limits?.held },
    json: { ...DEFAULT_JSON_LIMITS, ...options.limits?.json },
    fair: { ...PLACES, ...options.limits?.fair },
  }
  const shared = createShared(options, limits)
  const registryOf = ({ interfaces, routes = [] }: Served<P>): Registry<P> =>
    buildRegistry(interfaces, routes, limits.maxBodyBytes, async (context) => {
      await serveMatched(wiring, arrivalOf(wiring, context.req, context.res, context))
    })
  const wiring: Wiring<P> = {
    shared,
    registry: registryOf(options),
    randomHex: options.randomHex ?? pooledRandomHex(),
    isSampled: options.spans && ((traceId) => shared.spans?.isSampled(traceId) === true),
    isObserved: (options.middleware ?? []).length > 0,
  }
  const app = createKoa(
    options,
    (context, next) => dispatch(wiring, context, next),
    (context, next) => wiring.registry.routed(context, next),
  )
  const throughMiddleware = chainOf(app)
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    const foreign = foreignProblem(shared, req)
    if (foreign !== undefined)
      return void refuse(wiring, arrivalOf(wiring, req, res, undefined), foreign)
    const context = app.createContext(req, res)
    if (wiring.isObserved || !serveDirectly(wiring, context)) throughMiddleware(context)
  }
  const streams = createStreams({
    shared,
    limits: options.streams ?? {},
    arrive: (req, res) => arrivalOf(wiring, req, res, undefined),
    find: (req) => streamed(wiring, req),
  })
  const server = createHttpServer(listener, shared, options.sockets ?? {}, streams)
  return {
    app,
    interfaces: wiring.registry.reports,
    ...server,
    replace: async (graceMs, change) => {
      await server.pause(graceMs)
      const served = await change()
      wiring.registry = registryOf(served)
      shared.hooks = served.onResponse ?? []
      shared.spans = served.spans
      shared.draining = false
      shared.replacing = false
    },
  }
}

function createShared<P>(options: HttpOptions<P>, limits: HttpLimits): Shared {
  return {
    log: options.log,
    clock: options.clock,
    limits,
    responseCheck: options.responseCheck ?? 'log',
    hostCheck: options.hostCheck,
    hooks: options.onResponse ?? [],
    problemOf: options.problemOf ?? (() => undefined),
    book: new Book(limits.held),
    sizes: new AnswerSizes(),
    scheduler,
    places: { users: new Places(limits.fair), addresses: new Places(limits.fair) },
    decoding: new Places({ atOnce: 1, waiting: Infinity, shareMs: limits.requestTimeoutMs }),
    anybodys: new Callers(scheduler.nowMs),
    live: new Set(),
    lineWriters: new Map(),
    finished: [],
    spans: options.spans,
    draining: false,
    replacing: false,
    livenessPath: options.livenessPath,
    probePaths: options.probePaths ?? [],
  }
}

function createKoa<P>(options: HttpOptions<P>, own: Middleware, routed: RouterMiddleware): Koa {
  const app = new Koa()
  for (const middleware of options.middleware ?? []) app.use(middleware)
  app
    .use(own)
    .use(routed)
    .use((context) => {
      context.state[UNMATCHED] = true
    })
  app.on('error', (error: unknown) => {
    options.log.error({ err: error }, 'middleware failed')
  })
  return app
}

function refuse<P>(
  { shared, registry }: Wiring<P>,
  arrival: Arrival,
  problem: Problem,
): Promise<void> | undefined {
  return sendProblem(shared, arrival, registry.ending(pathOf(arrival.req)), problem)
}

/**
 * Serves a request whose answer nobody looks at after us: it goes straight to the socket, without
 * the chain of promises and the listeners that Koa has for middleware. False leaves it to Koa.
 * docs/decisions/0014-one-way-in.md
 */
function serveDirectly<P>(wiring: Wiring<P>, context: Context): boolean {
  const asked = findOurs(wiring, context.req)
  if (asked === undefined && !wiring.shared.draining) return false
  try {
    answerOurs(wiring, arrivalOf(wiring, context.req, context.res, undefined), asked)?.catch(
      (error: unknown) => context.onerror(asError(error)),
    )
  } catch (error) {
    context.onerror(asError(error))
  }
  return true
}

/** Behind middleware, and where an extension may have a route. */
function dispatch<P>(wiring: Wiring<P>, context: Context, next: Next): Promise<void> | undefined {
  const asked = findOurs(wiring, context.req)
  const arrival = arrivalOf(wiring, context.req, context.res, context)
  return asked === undefined && !wiring.shared.draining
    ? serveExtension(wiring, arrival, context, next)
    : answerOurs(wiring, arrival, asked)
}

/** The match of a request that is ours to answer; undefined where an extension may be meant. */
function findOurs<P>({ registry }: Wiring<P>, req: IncomingMessage): Match<Route<P>> | undefined {
  const path = pathOf(req)
  if (registry.isWatched(path)) return undefined
  const found = registry.find(req.method ?? 'GET', path)
  return found.kind === 'found' || !registry.hasExtensions ? found : undefined
}

function answerOurs<P>(
  wiring: Wiring<P>,
  arrival: Arrival,
  asked: Match<Route<P>> | undefined,
): Promise<void> | undefined {
  if (wiring.shared.draining && !isLivenessOf(wiring.shared, pathOf(arrival.req)))
    return refuse(wiring, arrival, { kind: 'unavailable', reason: 'the server is draining' })
  return asked?.kind === 'found'
    ? start(wiring, arrival, asked.value, asked.captures)
    : refuseUnmatched(wiring, arrival)
}

function start<P>(
  { shared }: Wiring<P>,
  arrival: Arrival,
  route: Route<P>,
  captures: readonly string[],
): Promise<void> | undefined {
  return serve(new Exchange(shared, arrival, route, captures, queryOf(arrival.req)))
}

async function serveMatched<P>(wiring: Wiring<P>, arrival: Arrival): Promise<void> {
  const found = wiring.registry.find(arrival.req.method ?? 'GET', pathOf(arrival.req))
  if (found.kind === 'found') await start(wiring, arrival, found.value, found.captures)
}

async function serveExtension<P>(
  wiring: Wiring<P>,
  arrival: Arrival,
  context: Context,
  next: Next,
): Promise<void> {
  const { shared } = wiring
  const live: Live = {
    startedMs: arrival.startedMs,
    answered: true,
    isArriving: false,
    expire: nothing,
    abort: nothing,
  }
  shared.live.add(live)
  try {
    await next()
    await finishExtension(wiring, arrival, context)
  } catch (error) {
    if (isExposed(error)) throw error
    shared.log.error({ err: error, traceId: arrival.trace.traceId }, 'an extension failed')
    await sendProblem(shared, arrival, wiring.registry.ending(pathOf(arrival.req)), {
      kind: 'internal',
      error,
    })
  } finally {
    shared.live.delete(live)
  }
}

async function finishExtension<P>(
  wiring: Wiring<P>,
  arrival: Arrival,
  context: Context,
): Promise<void> {
  const { presenter } = wiring.registry.ending(pathOf(arrival.req))
  const ending = { interfaceName: 'extension', template: 'extension', presenter }
  if (context.state[UNMATCHED] === true) await refuseUnmatched(wiring, arrival)
  else if (!isGenerated(wiring, context)) finish(wiring.shared, arrival, ending, context.status)
}

const nothing = (): void => undefined

// A generated operation that router middleware passed on has written its own line already.
function isGenerated<P>({ registry }: Wiring<P>, context: Context): boolean {
  return registry.find(context.method, pathOf(context.req)).kind === 'found'
}

function isExposed(error: unknown): boolean {
  return error instanceof Error && 'expose' in error && error.expose === true
}

async function refuseUnmatched<P>(
  { shared, registry }: Wiring<P>,
  arrival: Arrival,
): Promise<void> {
  const path = pathOf(arrival.req)
  const found = registry.find(arrival.req.method ?? 'GET', path)
  const known = found.kind === 'method' ? found.allow : []
  const allow = allowOf([...known, ...registry.extensionMethods(path)])
  if (allow.length > 0 && arrival.req.method === 'OPTIONS') {
    return sendOptions(shared, arrival, registry.ending(path), allow)
  }
  const problem: Problem =
    allow.length > 0 ? { kind: 'unknown-method', allow } : { kind: 'unknown-path' }
  await sendProblem(shared, arrival, registry.ending(path, arrival.req.headers.accept), problem)
}

function allowOf(methods: readonly string[]): readonly string[] {
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
}

function arrivalOf<P>(
  { shared, randomHex, isSampled }: Wiring<P>,
  req: IncomingMessage,
  res: ServerResponse,
  koa: Context | undefined,
): Arrival {
  const header = req.headers['traceparent']
  const trace = traceOf(typeof header === 'string' ? header : undefined, randomHex, isSampled)
  return { req, res, koa, trace, startedMs: shared.scheduler.nowMs() }
}

/** The operation that a request to upgrade names: the one that is posted to the same path. */
function streamed<P>({ registry }: Wiring<P>, req: IncomingMessage): StreamTarget<P> | undefined {
  const path = pathOf(req)
  const found =
    req.method === 'GET' && !registry.isWatched(path) ? registry.find('POST', path) : undefined
  if (found?.kind !== 'found' || found.value.stream === undefined) return undefined
  return {
    route: found.value,
    stream: found.value.stream,
    captures: found.captures,
    query: queryOf(req),
  }
}
