// The listening side: sockets, their limits, the watch over slow requests, and the drain.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createDoor, type AddressInfo, type Server as Door } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as passed } from 'node:timers/promises'
import type { Shared } from './exchange.ts'
import { Newcomers } from './newcomers.ts'
import { Pipelines } from './pipelines.ts'

/** Limits of connections; times are in milliseconds. */
export interface SocketLimits {
  /** Time from the first byte of a request to the end of its head. */
  readonly headersTimeoutMs: number
  /** Time for which an idle connection is kept. */
  readonly keepAliveTimeoutMs: number
  readonly maxHeaderBytes: number
}

export interface HttpServer {
  /**
   * Starts to listen; port 0 takes a free one. Called again, it listens at another address, too.
   * Rejects with the system's error, such as EADDRINUSE.
   */
  listen(port: number, host: string): Promise<AddressInfo>
  /**
   * Stops to accept, lets requests in flight finish for at most `graceMs`, then closes every
   * socket. Resolves to the number of requests that were cut off.
   */
  drain(graceMs: number): Promise<number>
  /**
   * Keeps on accepting, but closes streams and lets requests in flight finish, all but the one that
   * asks for it, for at most `graceMs`; those that are left are told to end.
   */
  pause(graceMs: number): Promise<void>
}

type Listener = (req: IncomingMessage, res: ServerResponse) => void

const DEFAULT_SOCKETS: SocketLimits = {
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16_384,
}
/**
 * Added to the request's own limit, so that the documented answer comes before the socket is
 * closed.
 */
const BACKSTOP_MS = 5_000
const DRAIN_STEP_MS = 20
const WATCH_STEPS = 10

/** Bytes of a body that nobody reads yet; the system may hold more. */
const READ_AHEAD_BYTES = 4_096
const HOST = 'host'
const AUTHORIZATION = 'authorization'

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Serves requests to speak another protocol. */
export interface Upgrades {
  /** False leaves the request to the listener. */
  wants(req: IncomingMessage): boolean
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Says goodbye to what was upgraded. */
  close(): void
  /** Closes what is left of it. */
  cut(): void
}

/** Makes the server of a listener; nothing is opened before `listen`. */
export function createHttpServer(
  listener: Listener,
  shared: Shared,
  given: Partial<SocketLimits>,
  upgrades: Upgrades,
): HttpServer {
  const limits = { ...DEFAULT_SOCKETS, ...given }
  const newcomers = new Newcomers(shared.scheduler.nowMs)
  const pipelines = new Pipelines(shared.scheduler)
  const refuseLater = (error: Rejection, socket: Duplex): void => {
    if (isGone(error, socket)) socket.destroy()
    else
      pipelines.beforeRefusal(socket, (isAnswered) =>
        isAnswered ? socket.end() : refuseSocket(error, socket),
      )
  }
  const onRequest: Listener = (req, res) => {
    newcomers.heard(req.socket)
    pipelines.begin(req, res, () => {
      if (isAmbiguous(req)) refuse(res)
      else listener(req, res)
    })
  }
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      requestTimeout: Math.max(
        shared.limits.requestTimeoutMs + BACKSTOP_MS,
        limits.headersTimeoutMs,
      ),
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, BACKSTOP_MS),
      highWaterMark: READ_AHEAD_BYTES,
      // Requests without a body need no stream; a Node that does not know this yet ignores it.
      optimizeEmptyRequests: true,
      shouldUpgradeCallback: (req) => upgrades.wants(req),
    },
    onRequest,
  )
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    newcomers.heard(req.socket)
    if (isAmbiguous(req)) refuseLater(new Error('ambiguous'), socket)
    else upgrades.upgrade(req, socket, head)
  })
  server.on('checkContinue', onRequest)
  server.on('clientError', refuseLater)
  server.on('connection', (socket: Socket) => newcomers.add(socket))
  const doors: Door[] = []
  return {
    listen: async (port, host) => {
      if (!server.listening) return listen(server, shared, port, host)
      const door = newDoor(server)
      const address = await opened(door, port, host)
      doors.push(door)
      return address
    },
    drain: (graceMs) => {
      upgrades.close()
      return drain({ server, doors }, shared, newcomers, graceMs, upgrades)
    },
    pause: async (graceMs) => {
      shared.draining = true
      shared.replacing = true
      upgrades.close()
      await quiet(shared, graceMs)
      upgrades.cut()
      for (const live of shared.live) live.abort('the server changes what it serves')
    },
  }
}

async function listen(
  server: Server,
  shared: Shared,
  port: number,
  host: string,
): Promise<AddressInfo> {
  const address = await opened(server, port, host)
  watch(server, shared)
  return address
}

/** One more address of a server. */
function newDoor(server: Server): Door {
  return createDoor({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  )
}

function opened(server: Door, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address)
      else reject(new Error('the server has no port'))
    })
  })
}

// One timer for all requests: they share one limit, so the set is in the order in which they
// expire.
function watch(server: Server, shared: Shared): void {
  const { requestTimeoutMs } = shared.limits
  const timer = setInterval(
    () => {
      const latest = shared.scheduler.nowMs() - requestTimeoutMs
      for (const live of shared.live) {
        if (live.startedMs > latest) break
        if (!live.answered) live.expire()
      }
    },
    Math.max(1, Math.min(requestTimeoutMs / WATCH_STEPS, 1_000)),
  ).unref()
  server.once('close', () => {
    clearInterval(timer)
  })
}

/**
 * True for what two readers may understand in two ways: HTTP of a version that is not 1, which
 * Node's parser lets through, and a header that is listed twice where only one may (RFC 9112 §3.2;
 * Node takes the first).
 */
function isAmbiguous({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true
  let hosts = 0
  let proofs = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts++
    else if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) proofs++
  }
  return hosts > 1 || proofs > 1
}

function refuse(res: ServerResponse): void {
  const text = 'Bad Request'
  res
    .writeHead(400, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': text.length,
      Connection: 'close',
    })
    .end(text)
}

type Rejection = Error & { readonly code?: string }

function isGone({ code }: Rejection, { writable }: Duplex): boolean {
  return !writable || code === 'ECONNRESET'
}

function refuseSocket(error: Rejection, socket: Duplex): void {
  if (isGone(error, socket)) {
    socket.destroy()
    return
  }
  const line = REFUSALS[error.code ?? ''] ?? '400 Bad Request'
  const text = line.slice(4)
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n` +
      `Connection: close\r\n\r\n${text}`,
  )
}

/** A server, and the other addresses that it listens at. */
interface Listening {
  readonly server: Server
  readonly doors: readonly Door[]
}

async function drain(
  { server, doors }: Listening,
  shared: Shared,
  newcomers: Newcomers,
  graceMs: number,
  upgrades: Upgrades,
): Promise<number> {
  if (!server.listening) return 0
  shared.draining = true
  shared.replacing = false
  const closed = Promise.all([server, ...doors].map(closing))
  newcomers.destroyAll()
  const idle = setInterval(() => {
    server.closeIdleConnections()
  }, DRAIN_STEP_MS)
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, graceMs)
  await Promise.race([closed, over])
  clearInterval(idle)
  clearTimeout(timer)
  upgrades.cut()
  return cutOff(server, shared, closed)
}

function closing(server: Door): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}

/**
 * Resolves once no request but one is in flight, or after so long. Those whose body is not there
 * yet are refused: whoever sends slowly would keep everybody waiting.
 */
async function quiet({ live, scheduler: { nowMs } }: Shared, graceMs: number): Promise<void> {
  const untilMs = nowMs() + graceMs
  for (const each of live) if (each.isArriving) each.expire()
  const count = (): number => [...live].filter(({ isArriving }) => !isArriving).length
  while (count() > 1 && nowMs() < untilMs) await passed(DRAIN_STEP_MS)
}

async function cutOff(server: Server, shared: Shared, closed: Promise<unknown>): Promise<number> {
  const cut = shared.live.size
  for (const live of shared.live) live.abort('the server stops')
  server.closeAllConnections()
  await closed
  return cut
}
