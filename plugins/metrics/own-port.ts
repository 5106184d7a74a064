// /metrics on a port of its own, so that a network can let in who gathers metrics, and nobody else.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { answerText, hostCheck } from '../../runtime/index.ts'
import type { Finding, PluginContext } from '../../runtime/index.ts'

const PATH = '/metrics'
/** Limits of the port: metrics are gathered a few times a minute. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 }
const MOST_CONNECTIONS = 32
/** Milliseconds within which a service of ours answers; others are somebody else. */
const EXAMINE_MS = 2_000
const EXAMINE_BYTES = 16_777_216

export interface MetricsText {
  /** Content type. */
  readonly type: string
  readonly body: string
}

interface Place {
  readonly host: string
  readonly port: number
}

export interface OwnPort {
  /** `http://host:port/metrics` */
  readonly address: string
  close(): Promise<void>
}

/** Listens; 0 takes a free port. Rejects with one line where it cannot. */
export async function listenApart(
  { host, port }: Place,
  text: () => Promise<MetricsText>,
  { profile, listen, log }: PluginContext,
): Promise<OwnPort> {
  const foreign = hostCheck({ profile, listen })
  const server = createServer(LIMITS, (request, response) => {
    const method = request.method ?? ''
    if (foreign?.(request) !== undefined) return answer(response, 403, 'Forbidden')
    if (request.url?.replace(/\?.*/, '') !== PATH) return answer(response, 404, 'Not Found')
    if (method !== 'GET' && method !== 'HEAD')
      return answer(response.setHeader('Allow', 'GET, HEAD'), 405, 'Method Not Allowed')
    text().then(
      ({ type, body }) => answer(response, 200, body, type),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics cannot be read')
        answer(response, 500, 'Internal Server Error')
      },
    )
  })
  server.maxConnections = MOST_CONNECTIONS
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise.catch((error: unknown) => {
    throw new Error(`cannot listen on ${host} port ${port}: ${reasonOf(error)}`, { cause: error })
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    address: addressOf({ host, port: taken }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Whether the port is free, or has metrics of a service that runs. */
export async function examinePort(place: Place, context: PluginContext): Promise<Finding> {
  const { host, port } = place
  const text = `port ${port} on ${host}`
  try {
    const own = await listenApart(
      place,
      () => Promise.reject(new Error('nothing to tell')),
      context,
    )
    await own.close()
    return { outcome: 'ok', text: `${text} is free` }
  } catch (error) {
    if (await hasMetrics(place)) return { outcome: 'ok', text: `${text} has metrics of a service` }
    return {
      outcome: 'fault',
      text: error instanceof Error ? error.message : String(error),
      advice: 'set extensions.metrics.port and host to a free port of this machine',
    }
  }
}

async function hasMetrics(place: Place): Promise<boolean> {
  try {
    const answer = await fetch(addressOf(place), { signal: AbortSignal.timeout(EXAMINE_MS) })
    return (await answerText(answer, EXAMINE_BYTES)).includes('ledgerwright_build_info')
  } catch {
    return false
  }
}

function addressOf({ host, port }: Place): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${PATH}`
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  })
  // Of a HEAD Node leaves the body out.
  response.end(body)
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'it is in use'
  return error instanceof Error ? error.message : String(error)
}
