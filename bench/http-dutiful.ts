// The main reference of bench/http.ts: Fastify with the duties of our server, as one would write
// them by hand. A token is verified once, then looked up; so are the user and its rights; the trace
// is W3C's; each request has one line of pino and one observation of a histogram.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { Histogram } from 'prom-client'
import { pooledRandomHex, traceOf, type Trace } from '../runtime/http/trace.ts'
import { PARTY } from './http-sample.ts'

interface Caller {
  readonly id: string
  readonly isAdmin: boolean
  readonly actsAs: ReadonlySet<string>
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: Trace
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    readonly operationId?: string
  }
}

const USERS: ReadonlyMap<string, Caller> = new Map([
  ['alice', { id: 'alice', isAdmin: false, actsAs: new Set([PARTY]) }],
])

/** Adds them to an application before its routes. `dir` has the key of the tokens. */
export function addDuties(app: FastifyInstance, dir: string): void {
  const callerOf = authenticator(Buffer.from(keyOf(dir), 'base64url'))
  const randomHex = pooledRandomHex()
  // As `serve` writes its log: gathered, on standard error.
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4_096 })
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to its answer',
    labelNames: ['operation', 'status'],
    buckets: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000].map((ms) => ms / 1_000),
  })
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent, authorization = '' } = request.headers
    request.trace = traceOf(typeof traceparent === 'string' ? traceparent : undefined, randomHex)
    reply.header('traceparent', request.trace.traceparent)
    request.caller = callerOf(authorization.slice('Bearer '.length))
    if (request.caller === undefined) reply.code(401).send({ error: 'unauthenticated' })
    else done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (mayCall(request)) done()
    else reply.code(403).send({ error: 'forbidden' })
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, trace } = request
    const { operationId = '' } = routeOptions.config
    const { statusCode: status, elapsedTime: ms } = reply
    const line = { method, path: routeOptions.url, operationId, status, ms, traceId: trace.traceId }
    log.info(line, 'request')
    durations.labels(operationId, String(status)).observe(ms / 1_000)
    done()
  })
}

const keyOf = (dir: string): string => readFileSync(join(dir, 'auth-open.key'), 'utf8').trim()

function authenticator(key: Buffer): (token: string) => Caller | undefined {
  const verified = new Map<string, string>()
  return (token) => {
    const known = verified.get(token)
    const user = known ?? userOf(token, key)
    if (known === undefined && user !== undefined) verified.set(token, user)
    return user === undefined ? undefined : USERS.get(user)
  }
}

function userOf(token: string, key: Buffer): string | undefined {
  const [header, claims = '', signature = ''] = token.split('.')
  const expected = createHmac('sha256', key).update(`${header}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const { sub }: { readonly sub?: string } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return sub
}

function mayCall({ routeOptions, caller, params, body }: FastifyRequest): boolean {
  if (caller === undefined) return false
  switch (routeOptions.config.operationId) {
    case 'getUser':
      return caller.isAdmin || Object(params).userid === caller.id
    case 'submitCommand':
      return Object(body).actAs.every((party: string) => caller.actsAs.has(party))
    default:
      return true
  }
}
