// An exchange from its first phase to its last byte: phases, handler, answer, log line, hooks.
// Nothing here throws.
import type { Arrival, Ending, Exchange, Finished, Shared } from './exchange.ts'
import { admit } from './admission.ts'
import { PHASES } from './phases.ts'
import type { Logger } from '../host/log.ts'
import type { Outcome, Problem } from './problem.ts'
import type { WireReply } from './wire.ts'
import { Readable } from 'node:stream'
import { ProblemError } from './body.ts'
import { replyIssues, type ReplyPlan } from './reply-plan.ts'
import { encodeProblem, encodeReply, lengthOf, send, type Outgoing } from './send.ts'
import { gather } from './json-slices.ts'
import { recordRequest } from './request-span.ts'
import { holdAnswer, reserveAnswer } from './answers.ts'

type Pending = Promise<void> | undefined

/**
 * Serves a matched request; resolves, or returns, when the answer is complete. Never throws or
 * rejects. Only what is truly asynchronous becomes a promise: an `await` more costs every request.
 */
export function serve<P>(exchange: Exchange<P>): Pending {
  const { live, scheduler } = exchange.shared
  scheduler.requests.served()
  exchange.onExpire = expire
  live.add(exchange)
  const pending = guarded(exchange, () => advance(exchange, 0))
  if (pending !== undefined)
    return pending.then(() => {
      live.delete(exchange)
      exchange.place?.done()
    })
  live.delete(exchange)
  return undefined
}

/** Does a part of the exchange, which counts as its caller's. */
function guarded<P>(exchange: Exchange<P>, step: () => Pending): Pending {
  const { shares, nowMs } = exchange.shared.scheduler
  const beganMs = nowMs()
  try {
    return step()
  } catch (error) {
    return caught(exchange, error)
  } finally {
    shares.charge(exchange.sharer, nowMs() - beganMs)
  }
}

const caught = <P>(exchange: Exchange<P>, error: unknown): Pending =>
  fail(exchange, problemOf(exchange.shared, error))

/** Runs the phases from `first` on, then the handler. */
function advance<P>(exchange: Exchange<P>, first: number): Pending {
  const { phases } = exchange.route
  for (let at = first; at < phases.length; at++) {
    const phase = phases[at]
    const outcome = phase === undefined ? undefined : PHASES[phase](exchange)
    if (outcome instanceof Promise)
      return whenDone(exchange, outcome, (ended) => afterPhase(exchange, ended, at))
    if (outcome !== undefined) return end(exchange, outcome)
    if (exchange.answered) return undefined
  }
  const outcome = admit(exchange)
  return outcome instanceof Promise
    ? whenDone(exchange, outcome, (admitted) => handle(exchange, admitted))
    : handle(exchange, outcome)
}

function handle<P>(exchange: Exchange<P>, refused: Outcome): Pending {
  if (refused !== undefined) return end(exchange, refused)
  const problem = reserveAnswer(exchange)
  if (problem !== undefined) return fail(exchange, problem)
  const { handler } = exchange.route
  const reply = exchange.shared.scheduler.as(exchange.caller, () =>
    handler(exchange.input, exchange),
  )
  return reply instanceof Promise
    ? whenDone(exchange, reply, (given) => answer(exchange, given))
    : answer(exchange, reply)
}

function whenDone<P, T>(
  exchange: Exchange<P>,
  promise: Promise<T>,
  next: (value: T) => Pending,
): Pending {
  return promise.then(
    (value) => guarded(exchange, () => next(value)),
    (error: unknown) => caught(exchange, error),
  )
}

function afterPhase<P>(exchange: Exchange<P>, outcome: Outcome, at: number): Pending {
  if (outcome !== undefined) return end(exchange, outcome)
  return exchange.answered ? undefined : advance(exchange, at + 1)
}

function expire<P>(exchange: Exchange<P>): void {
  void fail(exchange, lateProblem(exchange), withoutKoa(exchange.arrival))
}

function lateProblem<P>({ shared, isArriving }: Exchange<P>): Problem {
  if (shared.draining && isArriving)
    return { kind: 'unavailable', reason: 'the server is draining' }
  const limitMs = shared.limits.requestTimeoutMs
  return { kind: isArriving ? 'slow-body' : 'timeout', limitMs }
}

function problemOf(shared: Shared, error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  return shared.problemOf(error) ?? { kind: 'internal', error }
}

function end<P>(exchange: Exchange<P>, outcome: NonNullable<Outcome>): Pending {
  if (outcome.kind !== 'cut') return fail(exchange, outcome)
  if (exchange.answered) return undefined
  exchange.answered = true
  finish(exchange.shared, exchange.arrival, exchange.route, 400)
  cut(exchange.arrival)
  return undefined
}

function answer<P>(exchange: Exchange<P>, reply: WireReply): Pending {
  if (exchange.answered) return drop(reply)
  const { shared, route } = exchange
  const plan = route.plans.of(reply.status, reply.mediaType)
  if (shared.responseCheck !== 'off') checkReply(exchange, plan, reply)
  const outgoing = encodeReply(exchange, plan, reply)
  if (outgoing.slices === undefined) return write(exchange, outgoing, lengthOf(outgoing.body))
  return whenDone(
    exchange,
    gather(outgoing.slices, () => shared.scheduler.enter('long', exchange.caller)),
    ({ body, bytes }) => write(exchange, { ...outgoing, body }, bytes),
  )
}

/** @param bytes what the answer holds until it is read */
function write<P>(exchange: Exchange<P>, outgoing: Outgoing, bytes: number): Pending {
  if (exchange.answered) return undefined
  const { shared, route, arrival } = exchange
  const { status } = outgoing
  holdAnswer(exchange, bytes)
  const sent = send(arrival, outgoing)
  exchange.answered = true
  if (sent === undefined) finish(shared, arrival, route, status)
  return sent?.then(
    () => {
      finish(shared, arrival, route, status)
    },
    (error: unknown) => {
      broken(exchange, status, error)
    },
  )
}

function checkReply<P>(exchange: Exchange<P>, plan: ReplyPlan, reply: WireReply): void {
  const issues = replyIssues(plan, reply)
  if (issues.length === 0) return
  if (exchange.shared.responseCheck === 'throw') {
    throw new Error(`the answer does not fit: ${JSON.stringify(issues)}`)
  }
  exchange.log.error({ issues, status: reply.status }, 'the answer violates the document')
}

// The time limit has answered already.
function drop(reply: WireReply): undefined {
  if (reply.body instanceof Readable) reply.body.destroy()
}

// The head is out: all that is left is to cut the connection, so that the client does not take the
// part for the whole.
function broken<P>(exchange: Exchange<P>, status: number, error: unknown): void {
  const { arrival, shared, route } = exchange
  if (!isClientGone(error)) exchange.log.error({ err: error }, 'the answer broke off')
  cut(arrival)
  exchange.abort('the answer broke off')
  finish(shared, arrival, route, status)
}

// A response that waits behind others has no socket yet: destroying that alone would leave the
// connection hanging.
function cut({ req }: Arrival): void {
  req.socket.destroy()
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function fail<P>(exchange: Exchange<P>, problem: Problem, arrival = exchange.arrival): Pending {
  if (problem.kind === 'internal') exchange.log.error({ err: problem.error }, 'the request failed')
  if (exchange.answered) return undefined
  exchange.answered = true
  return sendProblem(exchange.shared, arrival, exchange.route, problem)
}

// Koa would answer only when the handler is through, which is what the time limit does not wait
// for.
function withoutKoa(arrival: Arrival): Arrival {
  if (arrival.koa !== undefined) arrival.koa.respond = false
  return { ...arrival, koa: undefined }
}

/** Answers a problem in the form of the interface that it belongs to. */
export function sendProblem(
  shared: Shared,
  arrival: Arrival,
  ending: Ending,
  problem: Problem,
): Promise<void> | undefined {
  const { operation } = ending
  const { traceId } = arrival.trace
  const context = operation === undefined ? { traceId } : { operation, traceId }
  const outgoing = encodeProblem(arrival, ending.presenter, problem, context, shared)
  const sent =
    arrival.res.headersSent || arrival.res.destroyed
      ? undefined
      : sendOrCut(shared, arrival, outgoing)
  finish(
    shared,
    arrival,
    ending,
    outgoing.status,
    'reason' in problem ? problem.reason : problem.kind,
  )
  return sent
}

/** Answers OPTIONS with the methods of a path. */
export function sendOptions(
  shared: Shared,
  arrival: Arrival,
  ending: Ending,
  allow: readonly string[],
): Promise<void> | undefined {
  const headers = ['traceparent', arrival.trace.traceparent, 'Allow', allow.join(', ')]
  const sent = send(arrival, { status: 204, headers, body: undefined, close: shared.draining })
  finish(shared, arrival, ending, 204)
  return sent
}

// A presenter may have given a header that cannot be sent; there is nothing left to answer with
// then.
function sendOrCut(
  shared: Shared,
  arrival: Arrival,
  outgoing: Outgoing,
): Promise<void> | undefined {
  try {
    return send(arrival, outgoing)
  } catch (error) {
    shared.log.error({ err: error, traceId: arrival.trace.traceId }, 'the error could not be sent')
    cut(arrival)
    return undefined
  }
}

/**
 * Notes an ended request: one log line and one call of every hook, at the end of this turn of the
 * event loop.
 */
export function finish(
  shared: Shared,
  arrival: Arrival,
  ending: Ending,
  status: number,
  reason?: string,
): void {
  const durationMs = shared.scheduler.nowMs() - arrival.startedMs
  const { traceId } = arrival.trace
  const method = arrival.req.method ?? ''
  if (shared.spans !== undefined)
    recordRequest(shared.spans, arrival, { ...ending, method, status, durationMs, reason })
  if (shared.finished.push({ ending, method, status, durationMs, traceId, reason }) > 1) return
  setImmediate(() => {
    for (const one of shared.finished.splice(0)) report(shared, one)
  })
}

// Lines written in a row cost a third of lines written one by one between answers: the code stays
// in the cache.
function report(shared: Shared, finished: Finished): void {
  const { ending, method, status, durationMs } = finished
  lineWriter(shared, ending, method)(finished)
  const operationId = ending.operation?.operationId ?? ''
  for (const hook of shared.hooks) {
    hook({ interfaceName: ending.interfaceName, operationId, method, status, durationMs })
  }
}

type LineWriter = (finished: Finished) => void

function lineWriter(shared: Shared, ending: Ending, method: string): LineWriter {
  const { operation } = ending
  if (method !== operation?.method) return newLineWriter(shared.log, ending, method)
  const known = shared.lineWriters.get(operation)
  if (known !== undefined) return known
  const writer = newLineWriter(shared.log, ending, method)
  shared.lineWriters.set(operation, writer)
  return writer
}

// What is the same for all requests of an operation is given to the logger once, which keeps it as
// text.
function newLineWriter(log: Logger, ending: Ending, method: string): LineWriter {
  const { template, askedPath, operation } = ending
  const fixed = { method, path: askedPath ?? template, operationId: operation?.operationId ?? '' }
  const write = log.lineWriter?.(fixed, 'request')
  if (typeof write === 'function')
    return (finished) => {
      write(lineMembers(finished))
    }
  const bound = log.child(fixed)
  return ({ status, durationMs, traceId, reason }) => {
    const line = { status, ms: hundredths(durationMs), traceId }
    bound.info(reason === undefined ? line : { ...line, reason }, 'request')
  }
}

function lineMembers({ status, durationMs, traceId, reason }: Finished): string {
  const members = `,"status":${status},"ms":${hundredths(durationMs)},"traceId":"${traceId}"`
  return reason === undefined ? members : `${members},"reason":${JSON.stringify(reason)}`
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100
