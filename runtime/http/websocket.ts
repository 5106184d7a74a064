// Operations as streams: GET on the path upgrades to a websocket, the first message is the
// request's body, then elements follow until there are no more, the caller may no longer see them,
// or somebody hangs up. Knows nothing of what is streamed.
import { ServerResponse, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { takeBody } from './body-phase.ts'
import { StreamError } from './context.ts'
import { foreignProblem } from './foreign.ts'
import { Exchange, type Arrival, type Shared } from './exchange.ts'
import { stringifyJson } from './json.ts'
import { credentialsOf, PHASES } from './phases.ts'
import { fullProblem, type Outcome, type Problem } from './problem.ts'
import type { CheckPhase } from './wire.ts'
import type { Route, StreamRoute } from './route.ts'
import { finish, sendProblem } from './serve.ts'
import type { Upgrades } from './server.ts'
import { sendNext, type Outlet } from './stream-send.ts'

/** Limits of streams. */
export interface StreamLimits {
  /** Time from the upgrade to the request, milliseconds. */
  readonly firstMessageMs: number
  /** Interval at which a caller's token and rights are looked at again, milliseconds. */
  readonly recheckMs: number
  /** Interval of pings, milliseconds: a client that does not answer one before the next is gone. */
  readonly pingMs: number
}

/** The target of an upgrade. */
export interface StreamTarget<P> {
  readonly route: Route<P>
  readonly stream: StreamRoute<P>
  readonly captures: readonly string[]
  readonly query: string
}

interface StreamOptions<P> {
  readonly shared: Shared
  readonly limits: Partial<StreamLimits>
  arrive(req: IncomingMessage, res: ServerResponse): Arrival
  find(req: IncomingMessage): StreamTarget<P> | undefined
}

/**
 * Bytes of a stream's first message: as many unfinished ones as there may be streams must fit into
 * memory.
 */
const MAX_REQUEST_BYTES = 262_144

const DEFAULT_LIMITS: StreamLimits = {
  firstMessageMs: 10_000,
  recheckMs: 2_500,
  pingMs: 30_000,
}
const CLOSE_GRACE_MS = 1_000
const CLOSE = { normal: 1_000, goingAway: 1_001, refused: 1_008, failed: 1_011 } as const

/** A websocket whose exchange goes on. */
interface Conversation<P> extends Outlet<P> {
  readonly stream: StreamRoute<P>
  readonly limits: StreamLimits
}

/** The upgrades of a server. */
export function createStreams<P>({
  shared,
  limits: given,
  arrive,
  find,
}: StreamOptions<P>): Upgrades {
  const limits = { ...DEFAULT_LIMITS, ...given }
  /** Websockets by connection; none as long as it is not upgraded. */
  const open = new Map<Duplex, WebSocket | undefined>()
  const upgrade = async (req: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> => {
    const target = find(req)
    if (target === undefined) return void raw.destroy()
    const { route, stream, captures, query } = target
    const exchange = new Exchange(
      shared,
      arrive(req, new ServerResponse(req)),
      route,
      captures,
      query,
    )
    open.set(raw, undefined)
    raw.once('close', () => open.delete(raw))
    const problem = (await rejection(exchange, stream)) ?? enter(exchange, raw)
    if (problem !== undefined) return refuse(exchange, raw, problem)
    serverOf(stream.subprotocol, Math.min(route.maxBodyBytes, MAX_REQUEST_BYTES)).handleUpgrade(
      req,
      raw,
      head,
      (socket) => {
        open.set(raw, socket)
        const talk = () => converse({ exchange, stream, socket, limits })
        void shared.scheduler.as(exchange.caller, talk)
      },
    )
  }
  return {
    wants: (req) => /^websocket$/i.test(req.headers.upgrade ?? '') && find(req) !== undefined,
    upgrade: (req, raw, head) => {
      raw.on('error', () => raw.destroy())
      upgrade(req, raw, head).catch((error: unknown) => {
        shared.log.error({ err: error }, 'a websocket upgrade failed')
        raw.destroy()
      })
    },
    close: () => {
      for (const [raw, socket] of open) {
        if (socket === undefined) raw.destroy()
        else socket.close(CLOSE.goingAway)
      }
    },
    cut: () => {
      for (const raw of open.keys()) raw.destroy()
    },
  }
}

/**
 * Settings of the protocol. Whoever says goodbye first: a connection that is not closed then is
 * cut. Types of the library do not know `closeTimeout` yet.
 */
const PROTOCOL = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  closeTimeout: CLOSE_GRACE_MS,
} as const

function serverOf(subprotocol: string | undefined, maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    ...PROTOCOL,
    maxPayload,
    handleProtocols: (offered) =>
      subprotocol !== undefined && offered.has(subprotocol) ? subprotocol : false,
  })
}

async function rejection<P>(
  exchange: Exchange<P>,
  { handshake }: StreamRoute<P>,
): Promise<Problem | undefined> {
  const foreign = foreignProblem(exchange.shared, exchange.arrival.req)
  if (foreign !== undefined) return foreign
  if (exchange.shared.draining) return { kind: 'unavailable', reason: 'the server is draining' }
  return problemOf(exchange, handshake)
}

/** Takes a place for the caller until the connection is closed. */
function enter<P>(exchange: Exchange<P>, raw: Duplex): Problem | undefined {
  const { book } = exchange.shared
  const place = book.take(exchange.caller, 'streams', 1)
  if (typeof place === 'string') return fullProblem(book, 'streams', place)
  if (raw.closed) place.close()
  else raw.once('close', () => place.close())
  return undefined
}

/** The first problem of the phases, if there is one. */
async function problemOf<P>(
  exchange: Exchange<P>,
  phases: readonly CheckPhase[],
): Promise<Problem | undefined> {
  for (const phase of phases) {
    const outcome: Outcome = await PHASES[phase](exchange)
    if (outcome !== undefined)
      return outcome.kind === 'cut' ? { kind: 'internal', error: new Error('cut') } : outcome
  }
  return undefined
}

/** An ordinary answer in place of an upgrade. */
function refuse<P>({ arrival, shared, route }: Exchange<P>, raw: Duplex, problem: Problem): void {
  if (!(raw instanceof Socket)) return void raw.destroy()
  arrival.res.shouldKeepAlive = false
  arrival.res.assignSocket(raw)
  arrival.res.once('finish', () => raw.end())
  void sendProblem(shared, arrival, route, problem)
}

/** Holds the conversation, from the first message to the end. Never rejects. */
async function converse<P>(conversation: Conversation<P>): Promise<void> {
  const { exchange, socket } = conversation
  socket.on('error', (error) => {
    exchange.log.debug({ err: error }, 'a stream failed')
    // Who broke the protocol is not heard any more, so no goodbye would come.
    terminateSoon(socket)
  })
  socket.once('close', () => exchange.abort('the client is gone'))
  const stopPinging = keepAlive(conversation)
  try {
    // Who is nobody gets no time and no memory for a request.
    const problem = await problemOf(exchange, ['authenticated'])
    if (problem !== undefined) return end(conversation, problem)
    const message = await firstMessage(conversation)
    if (message !== undefined) await serve(conversation, message)
  } catch (error) {
    endWithError(conversation, error)
  } finally {
    stopPinging()
    exchange.held?.close()
    socket.close(CLOSE.normal)
    finish(exchange.shared, exchange.arrival, exchange.route, 101)
  }
}

function firstMessage<P>({ socket, limits }: Conversation<P>): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const done = (message: Buffer | undefined): void => {
      clearTimeout(timer)
      resolve(message)
    }
    const timer = setTimeout(() => {
      socket.close(CLOSE.refused)
      done(undefined)
    }, limits.firstMessageMs)
    socket.once('message', (data) => done(bytesOf(data)))
    socket.once('close', () => done(undefined))
  })
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}

async function serve<P>(conversation: Conversation<P>, message: Buffer): Promise<void> {
  const { exchange, stream, socket } = conversation
  const problem =
    (await readRequest(exchange, message)) ?? (await problemOf(exchange, stream.request))
  if (problem !== undefined) return end(conversation, problem)
  if (socket.readyState !== socket.OPEN) return
  // Asked for now, so that a client that leaves meanwhile is heard.
  const { signal } = exchange
  const stopWatching = watchRights(conversation)
  try {
    const reply = await stream.handler(exchange.input, exchange)
    if ('error' in reply) return endWith(socket, reply.error, CLOSE.refused)
    const elements = reply.items[Symbol.asyncIterator]()
    try {
      while (!signal.aborted && (await sendNext(conversation, elements)));
    } finally {
      await elements.return?.()
    }
  } finally {
    stopWatching()
  }
}

async function readRequest<P>(
  exchange: Exchange<P>,
  message: Buffer,
): Promise<Problem | undefined> {
  const media = exchange.route.operation.body?.media[0]
  if (media === undefined) return undefined
  const outcome = await takeBody(exchange, media, message, media.mediaType)
  return outcome?.kind === 'cut' ? undefined : outcome
}

/** Looks again, as long as the stream goes on, whether its caller may see it. */
function watchRights<P>(conversation: Conversation<P>): () => void {
  const {
    exchange: {
      route: { guard, operation },
    },
    limits,
  } = conversation
  if (!guard.needsPrincipal(operation)) return () => undefined
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    recheck(conversation)
      .then(
        (problem) => {
          if (problem !== undefined) end(conversation, problem)
        },
        // What cannot be found out now will be at the next turn.
        () => undefined,
      )
      .finally(() => {
        isLooking = false
      })
  }, limits.recheckMs).unref()
  return () => clearInterval(timer)
}

async function recheck<P>({ exchange }: Conversation<P>): Promise<Problem | undefined> {
  const {
    route: { guard, operation },
    arrival,
    input,
  } = exchange
  const identity = await guard.authenticate(credentialsOf(arrival.req), operation)
  if (identity.kind === 'anonymous')
    return { kind: 'stream-ended', cause: 'token', reason: identity.reason }
  if (identity.kind === 'refused')
    return { kind: 'stream-ended', cause: 'rights', reason: identity.reason }
  const decision = await guard.authorize(operation, identity, input)
  return decision.allowed
    ? undefined
    : { kind: 'stream-ended', cause: 'rights', reason: decision.reason }
}

/** Sends the problem as the last element. */
function end<P>({ exchange, socket }: Conversation<P>, problem: Problem): void {
  const {
    route: { presenter, operation },
    traceId,
    shared,
  } = exchange
  if (problem.kind === 'internal') exchange.log.error({ err: problem.error }, 'the stream failed')
  else if ('reason' in problem)
    shared.log.info(
      { operationId: operation.operationId, traceId, reason: problem.reason },
      'stream rejected',
    )
  const { body } = presenter.present(problem, { operation, traceId, isStream: true })
  endWith(socket, body, problem.kind === 'internal' ? CLOSE.failed : CLOSE.refused)
  exchange.abort('the stream has ended')
}

function endWithError<P>(conversation: Conversation<P>, error: unknown): void {
  if (error instanceof StreamError)
    return endWith(conversation.socket, error.element, CLOSE.refused)
  end(conversation, conversation.exchange.shared.problemOf(error) ?? { kind: 'internal', error })
}

function endWith(socket: WebSocket, element: unknown, code: number): void {
  if (socket.readyState !== socket.OPEN) return
  socket.send(stringifyJson(element, true))
  socket.close(code)
}

function terminateSoon(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

function keepAlive<P>({ socket, limits }: Conversation<P>): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, limits.pingMs).unref()
  return () => clearInterval(timer)
}
