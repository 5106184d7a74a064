// What a handler is and what it gets beside its input.
import type { Logger } from '../host/log.ts'
import type { Clock } from '../host/plugin.ts'
import type { Identity } from './guard.ts'
import type { WireInput, WireReply } from './wire.ts'

/** `P` is the guard's principal. */
export interface HandlerContext<P> {
  readonly identity: Identity<P>
  /** The caller, or undefined when nobody is known. */
  readonly principal: P | undefined
  /** Carries `operationId` and `traceId`. */
  readonly log: Logger
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** Our span, for calls to other services. */
  readonly traceparent: string
  readonly tracestate: string | undefined
  /** The address of the connection; of version 6 its first 64 bits. */
  readonly network: string
  /** Aborts when the request took too long, the client is gone or the server stops. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /**
   * Counts so many bytes, in place of those before, as read ahead for the caller until they are
   * taken. Where others of the caller's are in the way, it counts nothing and resolves once there
   * is room: what was read must be let go of and read again. Absent where nobody counts.
   */
  hold?(bytes: number): Promise<void> | undefined
}

/**
 * A stream's elements as they come, each JSON; or the JSON that refuses it. Throwing a StreamError
 * ends a stream with its last word.
 */
export type StreamReply = { readonly items: AsyncIterable<unknown> } | { readonly error: unknown }

/** Ends a stream with an element that says why. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** JSON. */
  readonly element: unknown

  constructor(message: string, element: unknown) {
    super(message)
    this.element = element
  }
}

interface Streaming<P> {
  stream(input: WireInput, context: HandlerContext<P>): Promise<StreamReply>
}

/** Serves one operation as a stream. Of a method, as `Handler` is. */
export type StreamHandler<P> = Streaming<P>['stream']

interface Answering<P> {
  answer(input: WireInput, context: HandlerContext<P>): Promise<WireReply> | WireReply
}

/**
 * Answers one operation. Taken from a method, so that a generated handler with a narrower input is
 * assignable: the dispatcher only ever calls it with what the decoder of the same operation made.
 */
export type Handler<P> = Answering<P>['answer']
