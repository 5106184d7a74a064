// An exchange from its first phase to its last byte: phases, handler, answer, log line, hooks. Nothing here throws.
import type { Arrival, Ending, Exchange, Finished, Shared } from './exchange.ts'
import type { Outcome } from './phases.ts'
import type { Logger } from '../host/log.ts'
import type { Problem } from './problem.ts'
import type { WireReply } from './wire.ts'
import { Readable } from 'node:stream'
import { ProblemError } from './body.ts'
import { replyIssues } from './reply-plan.ts'
import { encodeProblem, encodeReply, send, type Outgoing } from './send.ts'

/** Serves a matched request. Resolves when the answer is complete; never rejects. */
export async function serve<P>(exchange: Exchange<P>): Promise<void> {
  const { shared, route } = exchange
  exchange.onExpire = () => { void fail(exchange, { kind: 'timeout', limitMs: shared.limits.requestTimeoutMs }) }
  shared.live.add(exchange)
  try {
    for (const phase of route.phases) {
      const outcome = phase(exchange)
      const ended = outcome instanceof Promise ? await outcome : outcome
      if (ended !== undefined) return await end(exchange, ended)
      if (exchange.answered) return
    }
    const reply = route.handler(exchange.input, exchange)
    await answer(exchange, reply instanceof Promise ? await reply : reply)
  } catch (error) {
    await fail(exchange, problemOf(shared, error))
  } finally {
    shared.live.delete(exchange)
  }
}

function problemOf(shared: Shared, error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  return shared.problemOf(error) ?? { kind: 'internal', error }
}

function end<P>(exchange: Exchange<P>, outcome: NonNullable<Outcome>): Promise<void> | undefined {
  if (outcome.kind !== 'cut') return fail(exchange, outcome)
  exchange.answered = true
  finish(exchange.shared, exchange.arrival, exchange.route, 400)
  exchange.arrival.res.destroy()
  return undefined
}

function answer<P>(exchange: Exchange<P>, reply: WireReply): Promise<void> | undefined {
  if (exchange.answered) return drop(reply)
  const { shared, route, arrival } = exchange
  const plan = route.plans.of(reply.status, reply.mediaType)
  const issues = shared.responseCheck === 'off' ? [] : replyIssues(plan, reply)
  if (issues.length > 0) {
    if (shared.responseCheck === 'throw') throw new Error(`the answer does not fit: ${JSON.stringify(issues)}`)
    exchange.log.error({ issues, status: reply.status }, 'the answer does not fit the document')
  }
  const sent = send(arrival, encodeReply(exchange, plan, reply))
  exchange.answered = true
  if (sent === undefined) finish(shared, arrival, route, reply.status)
  return sent?.then(
    () => { finish(shared, arrival, route, reply.status) },
    (error: unknown) => { broken(exchange, reply.status, error) },
  )
}

// The time limit has answered already.
function drop(reply: WireReply): undefined {
  if (reply.body instanceof Readable) reply.body.destroy()
}

// The head is out: all that is left is to cut the connection, so that the client does not take the part for the whole.
function broken<P>(exchange: Exchange<P>, status: number, error: unknown): void {
  const { arrival, shared, route } = exchange
  if (!isClientGone(error)) exchange.log.error({ err: error }, 'the answer broke off')
  arrival.res.destroy()
  exchange.abort('the answer broke off')
  finish(shared, arrival, route, status)
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function fail<P>(exchange: Exchange<P>, problem: Problem): Promise<void> | undefined {
  if (problem.kind === 'internal') exchange.log.error({ err: problem.error }, 'the request failed')
  if (exchange.answered) return undefined
  exchange.answered = true
  const { shared, arrival, route } = exchange
  return sendProblem(shared, problem.kind === 'timeout' ? withoutKoa(arrival) : arrival, route, problem)
}

// Koa would answer only when the handler is through, which is what the time limit does not wait for.
function withoutKoa(arrival: Arrival): Arrival {
  if (arrival.koa !== undefined) arrival.koa.respond = false
  return { ...arrival, koa: undefined }
}

/** Answers a problem in the form of the interface that it belongs to. */
export function sendProblem(
  shared: Shared, arrival: Arrival, ending: Ending, problem: Problem,
): Promise<void> | undefined {
  const { operation } = ending
  const { traceId } = arrival.trace
  const context = operation === undefined ? { traceId } : { operation, traceId }
  const outgoing = encodeProblem(arrival, ending.presenter, problem, context, shared.draining)
  const sent = arrival.res.headersSent || arrival.res.destroyed ? undefined : sendOrCut(arrival, outgoing)
  finish(shared, arrival, ending, outgoing.status, 'reason' in problem ? problem.reason : problem.kind)
  return sent
}

/** Answers OPTIONS with the methods of a path. */
export function sendOptions(
  shared: Shared, arrival: Arrival, ending: Ending, allow: readonly string[],
): Promise<void> | undefined {
  const headers = ['traceparent', arrival.trace.traceparent, 'Allow', allow.join(', ')]
  const sent = send(arrival, { status: 204, headers, body: undefined, close: shared.draining })
  finish(shared, arrival, ending, 204)
  return sent
}

// A presenter may have given a header that cannot be sent; there is nothing left to answer with then.
function sendOrCut(arrival: Arrival, outgoing: Outgoing): Promise<void> | undefined {
  try {
    return send(arrival, outgoing)
  } catch {
    arrival.res.destroy()
    return undefined
  }
}

/** Notes an ended request: one log line and one call of every hook, at the end of this turn of the event loop. */
export function finish(shared: Shared, arrival: Arrival, ending: Ending, status: number, reason?: string): void {
  const durationMs = performance.now() - arrival.startedMs
  const { traceId } = arrival.trace
  const method = arrival.req.method ?? ''
  if (shared.finished.push({ ending, method, status, durationMs, traceId, reason }) > 1) return
  setImmediate(() => {
    for (const one of shared.finished.splice(0)) report(shared, one)
  })
}

// Lines written in a row cost a third of lines written one by one between answers: the code stays in the cache.
function report(shared: Shared, { ending, method, status, durationMs, traceId, reason }: Finished): void {
  const line = { status, ms: Math.round(durationMs * 100) / 100, traceId }
  lineLog(shared, ending, method).info(reason === undefined ? line : { ...line, reason }, 'request')
  const operationId = ending.operation?.operationId ?? ''
  for (const hook of shared.hooks) {
    hook({ interfaceName: ending.interfaceName, operationId, method, status, durationMs })
  }
}

// What is the same for all requests of a route is given to the logger once: pino keeps it as text.
function lineLog(shared: Shared, ending: Ending, method: string): Logger {
  const { template, operation } = ending
  if (method !== operation?.method) {
    return shared.log.child({ method, path: template, operationId: operation?.operationId ?? '' })
  }
  const known = shared.lineLogs.get(operation)
  if (known !== undefined) return known
  const log = shared.log.child({ method, path: template, operationId: operation.operationId })
  shared.lineLogs.set(operation, log)
  return log
}
