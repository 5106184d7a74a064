// One server of bench/http.ts as a process: `node http-server.ts VARIANT` prints its port and answers until killed.
import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import { pino, destination } from 'pino'
import { Histogram } from 'prom-client'
import type { ResponseRecord } from '../runtime/host/plugin.ts'
import {
  createHttpApp, mountInterface, plainPresenter, type AccessGuard, type Handler, type HttpOptions,
} from '../runtime/http/index.ts'
import {
  ACCEPTED_SCHEMA, COMMAND_SCHEMA, OTHER_PATHS, PARAMETERS_SCHEMA, SAMPLE, USER, USER_SCHEMA,
} from './http-sample.ts'

const accepted = (commandId: unknown): object => ({ updateId: String(commandId), offset: '1234' })

/** What a verified token costs from the second time on: a hash and a look-up. */
function warmGuard(): AccessGuard<string> {
  const known = new Map<string, { readonly kind: 'principal'; readonly principal: string }>()
  const allowed = { allowed: true } as const
  return {
    authenticate: ({ authorization }) => {
      if (authorization === undefined) return { kind: 'anonymous', reason: 'no token' }
      const key = hash('sha256', authorization)
      const identity = known.get(key) ?? { kind: 'principal', principal: 'alice' } as const
      known.set(key, identity)
      return identity
    },
    authorize: (_operation, identity) => (
      identity.kind === 'principal' ? allowed : { allowed: false, cause: 'unauthenticated', reason: 'no token' }
    ),
    needsPrincipal: () => true,
  }
}

/** A histogram as the metrics plugin keeps it: its children are looked up by operation and status. */
function metricsHook(): (record: ResponseRecord) => void {
  const histogram = new Histogram({ name: 'http_seconds', help: 'duration', labelNames: ['operation', 'status'] })
  const children = new Map<string, ReturnType<typeof histogram.labels>>()
  return ({ operationId, status, durationMs }) => {
    const key = `${operationId} ${status}`
    const child = children.get(key) ?? histogram.labels(operationId, String(status))
    children.set(key, child)
    child.observe(durationMs / 1_000)
  }
}

async function serveGenerated(more: Partial<HttpOptions<string>>): Promise<number> {
  const other: Handler<string> = () => ({ status: 200, body: {} })
  const handlers: Record<string, Handler<string>> = Object.fromEntries(
    OTHER_PATHS.map((path) => [`GET ${path}`, other]),
  )
  handlers['GET /v2/users/{user-id}'] = async () => ({ status: 200, body: { ...USER } })
  handlers['POST /v2/users/{user-id}/commands'] = async ({ body }) => ({
    status: 200, body: accepted(typeof body === 'object' && body !== null && 'commandId' in body ? body.commandId : ''),
  })
  const mount = mountInterface<string, typeof handlers>({
    wire: SAMPLE, handlers, guard: warmGuard(), presenter: plainPresenter,
  })
  const log = pino({ base: null }, destination({ dest: '/dev/null', minLength: 4_096, sync: true }))
  const http = createHttpApp<string>({
    interfaces: [mount], log, clock: { nowMicros: () => 0n }, onResponse: [metricsHook()], ...more,
  })
  return (await http.listen(0, '127.0.0.1')).port
}

function readJson(req: IncomingMessage): Promise<{ readonly commandId?: unknown }> {
  return new Promise((resolve, reject) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', (chunk: string) => { text += chunk })
    req.on('end', () => { resolve(JSON.parse(text)) })
    req.on('error', reject)
  })
}

/** The reference: a handler by hand, no router, no validation, no log. */
function serveKoa(): Promise<number> {
  const app = new Koa()
  app.use(async (context) => {
    context.body = context.method === 'POST' ? accepted((await readJson(context.req)).commandId) : { ...USER }
  })
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => { resolve(portOf(server.address())) })
  })
}

async function serveFastify(): Promise<number> {
  const { default: fastify } = await import('fastify')
  const app = fastify()
  const properties = { user_id: PARAMETERS_SCHEMA.properties['user-id'] }
  const params = { type: 'object', required: ['user_id'], properties } as const
  app.get('/v2/users/:user_id', { schema: { params, response: { 200: USER_SCHEMA } } }, async () => ({ ...USER }))
  app.post<{ Body: { readonly commandId: string } }>('/v2/users/:user_id/commands', {
    schema: { params, body: COMMAND_SCHEMA, response: { 200: ACCEPTED_SCHEMA } },
  }, async (request) => accepted(request.body.commandId))
  for (const path of OTHER_PATHS) app.get(path.replaceAll(/\{(\w+)-?(\w*)\}/g, ':$1_$2'), async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return portOf(app.server.address())
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

const VARIANTS: Readonly<Record<string, () => Promise<number>>> = {
  generated: () => serveGenerated({}),
  'generated, responses unchecked': () => serveGenerated({ responseCheck: 'off' }),
  'generated, through koa': () => serveGenerated({ middleware: [(_context, next) => next()] }),
  koa: serveKoa,
  fastify: serveFastify,
}

const start = VARIANTS[process.argv[2] ?? '']
if (start === undefined) throw new Error(`variants: ${Object.keys(VARIANTS).join(', ')}`)
console.log(await start())
