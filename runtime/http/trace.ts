// W3C trace context, level 1: take the caller's trace on, or start one, and name our own span in
// the answer.
import { randomFillSync } from 'node:crypto'

/** The trace of one request: lower-case hexadecimal ids of 32 and 16 digits. */
export interface Trace {
  readonly traceId: string
  readonly spanId: string
  /** `00-TRACE-SPAN-FLAGS` with our span: for the answer and for calls that a handler makes. */
  readonly traceparent: string
}

/** Gives `bytes` random bytes as lower-case hexadecimal text. */
export type RandomHex = (bytes: number) => string

const POOL_BYTES = 12_288
const VALID = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const ZERO_TRACE = '0'.repeat(32)
const ZERO_SPAN = '0'.repeat(16)

/** A source of random text that asks the operating system once for many ids. */
export function pooledRandomHex(): RandomHex {
  const pool = Buffer.alloc(POOL_BYTES)
  let text = ''
  let at = 0
  return (bytes) => {
    if (at + bytes * 2 > text.length) {
      text = randomFillSync(pool).toString('hex')
      at = 0
    }
    at += bytes * 2
    return text.slice(at - bytes * 2, at)
  }
}

/**
 * The trace that a request belongs to. A malformed or all-zero `traceparent` is ignored, as the
 * recommendation asks.
 *
 * @param header the request's `traceparent`
 * @param random where new ids come from
 * @param isSampled whether a trace that begins here is kept; each is when absent
 */
export function traceOf(
  header: string | undefined,
  random: RandomHex,
  isSampled?: (traceId: string) => boolean,
): Trace {
  const given = header === undefined ? undefined : parse(header)
  if (given === undefined) return newTrace(random(24), isSampled)
  const spanId = random(8)
  return {
    traceId: given.traceId,
    spanId,
    traceparent: `00-${given.traceId}-${spanId}-${given.flags}`,
  }
}

const pooled = pooledRandomHex()

/** A `traceparent` for work that no request asked for. */
export function newTraceparent(): string {
  return newTrace(pooled(24)).traceparent
}

function newTrace(hex: string, isSampled?: (traceId: string) => boolean): Trace {
  const traceId = hex.slice(0, 32)
  const spanId = hex.slice(32)
  const flags = isSampled === undefined || isSampled(traceId) ? '01' : '00'
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

/** The span of the caller that a valid `traceparent` names. */
export function callerSpan(header: string | undefined): string | undefined {
  return header === undefined || parse(header) === undefined ? undefined : header.slice(36, 52)
}

function parse(header: string): { readonly traceId: string; readonly flags: string } | undefined {
  const [, traceId, spanId, flags] = VALID.exec(header) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (traceId === ZERO_TRACE || spanId === ZERO_SPAN) return undefined
  if (header.startsWith('00') && header.length !== 55) return undefined
  return { traceId, flags }
}
