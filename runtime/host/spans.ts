// Spans of what a server does: requests, submissions, commits, statements, automations. They are
// made only where a plugin of the configuration gathers them; else nobody has this object, and no
// work knows of it. docs/decisions/0030-watched.md
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** The time of the day, microseconds since 1970, and time as it passes, milliseconds. */
interface Times {
  nowMicros(): bigint
  monotonicMs(): number
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Lower-case hexadecimal ids of 32 and 16 digits. */
export interface SpanId {
  readonly traceId: string
  readonly spanId: string
}

/** One piece of work that has ended. */
export interface FinishedSpan extends SpanId {
  readonly name: string
  /** `server`: a request that somebody made; `client`: one that we made, of a database. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly parentSpanId?: string | undefined
  /** Milliseconds since 1970, with their fractions. */
  readonly startMs: number
  readonly durationMs: number
  readonly attributes: SpanAttributes
  /** The reason why it failed; absent if it did not. */
  readonly error?: string | undefined
  /** Spans of other traces that it was done for, too. */
  readonly links: readonly SpanId[]
}

/** The service of a plugin that gathers spans. Both must be quick and must not throw. */
export interface SpanGatherer {
  /** Whether a trace that begins here is kept. One of a caller is kept as the caller says. */
  isSampled(traceId: string): boolean
  onSpan(span: FinishedSpan): void
}

interface Piece {
  readonly name: string
  readonly kind?: FinishedSpan['kind']
  readonly attributes?: SpanAttributes
}

/** The spans of one server. What belongs to no trace that is kept leaves none. */
export class Spans {
  readonly #clock: Times
  readonly #gatherers: SpanGatherer[] = []
  readonly #current = new AsyncLocalStorage<SpanId | undefined>()
  #traceparent: () => string | undefined = () => undefined

  constructor(clock: Times) {
    this.#clock = clock
  }

  gather(gatherer: SpanGatherer): void {
    this.#gatherers.push(gatherer)
  }

  /** Told where the trace of the work at hand stands, which outlives queues. */
  follow(traceparent: () => string | undefined): void {
    this.#traceparent = traceparent
  }

  /** Whether a trace that begins here is kept. */
  isSampled(traceId: string): boolean {
    return this.#gatherers.some((gatherer) => gatherer.isSampled(traceId))
  }

  /** The parent of a span that begins now; undefined if its trace is not kept. */
  get parent(): SpanId | undefined {
    const current = this.#current.getStore()
    const traceparent = this.#traceparent()
    if (traceparent === undefined || traceparent.slice(3, 35) === current?.traceId) return current
    return sampledIn(traceparent)
  }

  /** The trace of work that no request asked for, kept or not. */
  get traceparent(): string {
    const current = this.#current.getStore()
    if (current !== undefined) return `00-${current.traceId}-${current.spanId}-01`
    return `00-${hex(16)}-${hex(8)}-00`
  }

  /** Runs `work` as a child of the work at hand. */
  run<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    return this.runFor([this.parent], piece, work)
  }

  /** Runs `work` as the beginning of a trace, or within the one of what it is done for. */
  begin<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    const traceId = hex(16)
    if (this.parent !== undefined || !this.isSampled(traceId)) return this.run(piece, work)
    return this.#timed({ traceId, spanId: '' }, [], piece, work)
  }

  /**
   * Runs `work` on behalf of several: a child of the first, and one as long in the trace of each
   * other, which points to it. What `work` starts belongs to the first.
   */
  runFor<T>(
    parents: readonly (SpanId | undefined)[],
    piece: Piece,
    work: () => Promise<T>,
  ): Promise<T> {
    const [first, ...others] = parents.filter((parent) => parent !== undefined)
    return first === undefined
      ? this.#current.run(undefined, work)
      : this.#timed(first, others, piece, work)
  }

  /** The time of the day now, as spans have it. */
  nowMs(): number {
    return Number(this.#clock.nowMicros()) / 1_000
  }

  /** A child of `parent` that began then and ends now. */
  recordChild(
    parent: SpanId,
    { name, kind = 'internal', attributes = {} }: Piece,
    startMs: number,
  ): void {
    const durationMs = this.nowMs() - startMs
    const id = { traceId: parent.traceId, spanId: hex(8), parentSpanId: parent.spanId }
    this.record({ ...id, name, kind, startMs, durationMs, attributes, links: [] })
  }

  /** A span that somebody else has timed. */
  record(span: FinishedSpan): void {
    for (const gatherer of this.#gatherers) gatherer.onSpan(span)
  }

  async #timed<T>(
    parent: SpanId,
    others: readonly SpanId[],
    { name, kind = 'internal', attributes = {} }: Piece,
    work: () => Promise<T>,
  ): Promise<T> {
    const own = { traceId: parent.traceId, spanId: hex(8) }
    const [startMs, began] = [this.nowMs(), this.#clock.monotonicMs()]
    const end = (error?: string): void => {
      const durationMs = this.#clock.monotonicMs() - began
      const common = { name, kind, startMs, durationMs, attributes, error }
      this.record({ ...common, ...own, parentSpanId: orNone(parent.spanId), links: [] })
      for (const { traceId, spanId } of others) {
        const id = { traceId, spanId: hex(8) }
        this.record({ ...common, ...id, parentSpanId: spanId, links: [own] })
      }
    }
    try {
      const result = await this.#current.run(own, work)
      end()
      return result
    } catch (error) {
      end(error instanceof Error ? error.name : 'error')
      throw error
    }
  }
}

/** The span that a `traceparent` names, where its trace is kept. */
export function sampledIn(traceparent: string): SpanId | undefined {
  const isSampled = (Number.parseInt(traceparent.slice(53, 55), 16) & 1) === 1
  return isSampled
    ? { traceId: traceparent.slice(3, 35), spanId: traceparent.slice(36, 52) }
    : undefined
}

function orNone(spanId: string): string | undefined {
  return spanId === '' ? undefined : spanId
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
