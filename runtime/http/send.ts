// Answers on their way out: straight to the socket with one head and one end, or through Koa where
// middleware wants. Framing headers belong to this file alone.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Arrival, Exchange, Shared } from './exchange.ts'
import {
  headersOf,
  type Presented,
  type PresentContext,
  type Presenter,
  type Problem,
} from './problem.ts'
import { headerText, type ReplyPlan } from './reply-plan.ts'
import type { WireReply } from './wire.ts'
import { announcesBody, hasLongRest, stopReading } from './body.ts'
import { eventLines, jsonLines } from './events.ts'
import { stringifyJson } from './json.ts'
import { essenceOf, isAsyncIterable, isXml, RECORD_SEPARATOR } from './media.ts'
import { largeJson } from './json-slices.ts'

/** An answer as bytes: what is left to do is to write it. */
export interface Outgoing {
  readonly status: number
  /** Name and value in turn. */
  readonly headers: string[]
  readonly body: string | Uint8Array | Readable | undefined
  /** The text of a large value, to be made a slice at a time; there is no body then. */
  readonly slices?: Iterator<string> | undefined
  /** True when the connection must not be used again. */
  readonly close: boolean
}

/** Whether a problem ends the connection, too. */
function isEnding(problem: Problem): boolean {
  return 'what' in problem
    ? problem.what === 'bodies'
    : ['foreign', 'unavailable', 'slow-body'].includes(problem.kind)
}

const FRAMING = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
])
const LINGER_MS = 1_000

/**
 * A handler's answer as bytes. Throws where the value cannot be written: a cycle, a bigint where
 * none is declared.
 */
export function encodeReply<P>(exchange: Exchange<P>, plan: ReplyPlan, reply: WireReply): Outgoing {
  if (!Number.isInteger(reply.status) || reply.status < 200 || reply.status > 599) {
    throw new RangeError(`a handler answered with status ${reply.status}`)
  }
  const slices = plan.kind === 'json' ? largeJson(reply.body, plan.int64) : undefined
  const form = slices === undefined ? formOf(plan, reply.body) : undefined
  const body = slices === undefined ? (form?.body ?? encodeBody(plan, reply.body)) : undefined
  const headers = ['traceparent', exchange.traceparent, ...exchange.route.headers]
  if (reply.body !== undefined) headers.push('Content-Type', form?.contentType ?? plan.contentType)
  if (reply.headers !== undefined) addHeaders(headers, reply.headers, plan)
  return {
    status: reply.status,
    headers,
    body,
    slices,
    close: exchange.shared.draining || hasLongRest(exchange.arrival.req),
  }
}

interface WrittenForm {
  readonly contentType: string
  readonly body: Outgoing['body']
}

/** A form's fields on the wire; undefined for all that is no form, or its bytes already. */
function formOf({ media, contentType }: ReplyPlan, body: unknown): WrittenForm | undefined {
  if (media?.encode === undefined || typeof body !== 'object' || body === null) return undefined
  if (body instanceof Uint8Array || isAsyncIterable(body)) return undefined
  const written = media.encode(body)
  if (typeof written === 'string') return { contentType, body: written }
  const { headers, body: parts } = new Response(written)
  // The boundary between parts is the writer's.
  return {
    contentType: headers.get('content-type') ?? contentType,
    body: parts === null ? undefined : Readable.from(parts),
  }
}

function addHeaders(
  headers: string[],
  given: NonNullable<WireReply['headers']>,
  plan?: ReplyPlan,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !FRAMING.has(name.toLowerCase()))
      headers.push(name, headerText(plan, name, value))
  }
}

function encodeBody(plan: ReplyPlan, body: unknown): Outgoing['body'] {
  if (body === undefined) return undefined
  if (plan.kind === 'json') return stringifyJson(body, plan.int64)
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable)
    return body
  if (isAsyncIterable(body)) return streamOf(plan, body)
  return plan.kind === 'text' ? String(body) : stringifyJson(body, true)
}

function streamOf(plan: ReplyPlan, items: AsyncIterable<unknown>): Readable {
  if (plan.kind === 'events') return Readable.from(eventLines(items))
  if (plan.kind !== 'json-lines') return Readable.from(items)
  const isSequence = essenceOf(plan.contentType) === 'application/json-seq'
  return Readable.from(jsonLines(items, isSequence ? RECORD_SEPARATOR : ''))
}

/**
 * A problem as bytes, in the interface's own form; a presenter that throws is answered by a bare
 * 500.
 */
export function encodeProblem(
  arrival: Arrival,
  presenter: Presenter,
  problem: Problem,
  context: PresentContext,
  shared: Shared,
): Outgoing {
  const presented = present(presenter, problem, context, shared)
  const isText = presented.mediaType.startsWith('text/')
  const { body: value } = presented
  const isWritten = isText || (typeof value === 'string' && isXml(presented.mediaType))
  const written = isWritten ? String(value) : stringifyJson(value, true)
  const body = value === undefined ? undefined : written
  const mediaType =
    isText && !presented.mediaType.includes(';')
      ? `${presented.mediaType}; charset=utf-8`
      : presented.mediaType
  const headers = [
    'traceparent',
    arrival.trace.traceparent,
    ...(body === undefined ? [] : ['Content-Type', mediaType]),
  ]
  if (problem.kind === 'unknown-method') headers.push('Allow', problem.allow.join(', '))
  addHeaders(headers, { ...headersOf(problem, presented.status), ...presented.headers })
  const close = shared.draining || isEnding(problem) || hasLongRest(arrival.req)
  return { status: presented.status, headers, body, close }
}

function present(
  presenter: Presenter,
  problem: Problem,
  context: PresentContext,
  { log }: Shared,
): Presented {
  try {
    return presenter.present(problem, context)
  } catch (error) {
    log.error({ err: error, traceId: context.traceId }, 'the presenter failed')
    return { status: 500, mediaType: 'text/plain', body: 'An unexpected error occurred.' }
  }
}

/**
 * Writes an answer; resolves when a streamed body has ended. Throws, before anything is sent, on an
 * invalid header.
 */
export function send(arrival: Arrival, outgoing: Outgoing): Promise<void> | undefined {
  return arrival.koa === undefined
    ? sendDirect(arrival, outgoing)
    : sendThroughKoa(arrival.koa, outgoing)
}

function sendDirect(arrival: Arrival, outgoing: Outgoing): Promise<void> | undefined {
  const { res, req } = arrival
  const { status, headers, body } = outgoing
  if (outgoing.close) headers.push('Connection', 'close')
  if (body instanceof Readable) return sendStream(arrival, outgoing, body)
  const empty = status === 204 || status === 304
  const length = lengthOf(body)
  if (!empty) headers.push('Content-Length', String(length))
  res.writeHead(status, headers)
  if (!empty && body !== undefined && outgoing.close && hasLongRest(arrival.req))
    return linger(arrival, body)
  if (empty || body === undefined) res.end()
  // As many bytes as characters: plain ASCII, which the socket takes without transcoding as
  // Latin-1.
  else if (body.length === length) res.end(body, 'latin1')
  else res.end(body)
  if (!req.complete && !req.readableFlowing && announcesBody(req)) req.resume()
  return undefined
}

/** Bytes of a body that is there; 0 for a stream. */
export function lengthOf(body: Outgoing['body']): number {
  if (body === undefined || body instanceof Readable) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

// Closing while the client still sends would reset the connection and could take the answer with
// it: the answer goes out, and the connection ends a moment later. The rest of the request is not
// read meanwhile: it stays with the system, and the client has to wait.
function linger({ req, res }: Arrival, body: string | Uint8Array): undefined {
  const { socket } = req
  stopReading(req)
  // The head of an answer without a body goes out with nothing else.
  res.flushHeaders()
  res.write(body)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

async function sendStream(
  { req, res }: Arrival,
  outgoing: Outgoing,
  body: Readable,
): Promise<void> {
  res.writeHead(outgoing.status, outgoing.headers)
  if (req.method === 'HEAD') {
    body.destroy()
    res.end()
    return
  }
  res.flushHeaders()
  await pipeline(body, res)
}

function sendThroughKoa(
  ctx: NonNullable<Arrival['koa']>,
  outgoing: Outgoing,
): Promise<void> | undefined {
  const { status, headers, body } = outgoing
  const { res } = ctx
  ctx.status = status
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]]
    // Middleware before us may have given some already.
    if (res.headersSent || res.hasHeader(name)) ctx.append(name, value)
    else res.setHeader(name, value)
  }
  if (outgoing.close) ctx.set('Connection', 'close')
  if (body === undefined) {
    ctx.body = null
    ctx.length = 0
    ctx.status = status
  } else ctx.body = body instanceof Uint8Array ? Buffer.from(body) : body
  return undefined
}
