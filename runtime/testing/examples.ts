// The public entry `ledgerwright/examples`: answers what nobody has written yet, from the document's examples, else drawn from the
// printed reply arbitraries. docs/examples.md
import type { Arbitrary, default as fastCheck } from 'fast-check'
import { NotWritten } from '../http/index.ts'
import type { Handler, WireInterface, WireReply } from '../http/index.ts'

/** fast-check, as its default import or namespace. */
export type FastCheck = typeof fastCheck

/** What printed arbitraries know of an operation's answers. */
export interface ReplySource {
  readonly replies: Arbitrary<WireReply> | undefined
  readonly errors: Arbitrary<WireReply> | undefined
  readonly example: WireReply | undefined
}

export interface ExampleOptions<H> {
  /** The route table: `wire` of routes.gen.ts. */
  readonly wire: WireInterface
  /** `arbitraries` of arbitraries.gen.ts. */
  readonly arbitraries: (fastCheck: FastCheck) => { readonly operations: Readonly<Record<string, ReplySource>> }
  /** Absent: as in production, there are no examples. */
  readonly fastCheck: FastCheck | undefined
  /** What is written already; it stays in front, and only what it lacks or calls not written is answered by examples. */
  readonly handlers?: H
  /** What is drawn follows from it; 1 if absent. */
  readonly seed?: number
  /** Another answer at each call, over all declared successes, in place of the same one each time. */
  readonly random?: boolean
  /** No examples: what is not written answers 501. */
  readonly production?: boolean
}

/** The header that marks an answer as an example. */
export const EXAMPLE_HEADER = 'x-example-answer'

/**
 * A handler for every operation of an interface: those that are written, and example answers for the others.
 * Each example bears the header `x-example-answer: true`.
 *
 * @example
 * const all = exampleHandlers({ wire, arbitraries, fastCheck: fc, handlers, production: process.env.NODE_ENV === 'production' })
 * const mount = mountInterface({ wire, handlers: all, guard: openGuard(), presenter: plainPresenter })
 */
export function exampleHandlers<P, H extends { readonly [K in keyof H]: Handler<P> | undefined } = Record<never, never>>(
  options: ExampleOptions<H>,
): Readonly<Record<string, Handler<P>>> {
  const answerOf = answers(options)
  const written = new Map<string, Handler<P> | undefined>()
  for (const name in options.handlers) written.set(name, options.handlers[name])
  return Object.fromEntries(options.wire.operations.map(({ operationId }): [string, Handler<P>] => {
    const example = answerOf(operationId)
    const own = written.get(operationId)
    return [operationId, own === undefined ? example : withFallback(own, example)]
  }))
}

type Answer = () => WireReply

/** The example of each operation. */
function answers<H>(options: ExampleOptions<H>): (operationId: string) => Answer {
  const { arbitraries, fastCheck, seed = 1, random, production } = options
  if (production === true || fastCheck === undefined) return (operationId) => () => { throw new NotWritten(operationId) }
  const { operations } = arbitraries(fastCheck)
  return (operationId) => {
    const source = operations[operationId]
    if (source === undefined) throw new Error(`the arbitraries have no operation ${operationId}: generate them again`)
    const make = random === true ? drawing(fastCheck, source, seedOf(seed, operationId)) : fixed(fastCheck, source, seedOf(seed, operationId))
    return () => marked(make())
  }
}

function marked(reply: WireReply): WireReply {
  return { ...reply, headers: { ...reply.headers, [EXAMPLE_HEADER]: 'true' } }
}

/** What an operation answers that no document describes. */
const NOTHING: WireReply = { status: 204 }

/** The document's example, else one draw; looked for at the first call. */
function fixed(fc: FastCheck, source: ReplySource, seed: number): Answer {
  let made: WireReply | undefined
  return () => (made ??= source.example ?? drawing(fc, source, seed)())
}

const BATCH = 16

/** Another draw each time. Several are drawn at once: to begin costs more than to go on. */
function drawing(fc: FastCheck, { replies, errors }: ReplySource, seed: number): Answer {
  let drawn: readonly WireReply[] = []
  let calls = 0
  return () => {
    const arbitrary = replies ?? errors
    if (arbitrary === undefined) return NOTHING
    const place = calls % BATCH
    if (place === 0) drawn = fc.sample(arbitrary, { numRuns: BATCH, seed: seed + calls })
    calls += 1
    return drawn[place] ?? NOTHING
  }
}

function withFallback<P>(own: Handler<P>, example: Answer): Handler<P> {
  return async (input, context) => {
    try {
      return await own(input, context)
    } catch (error) {
      if (error instanceof NotWritten) return example()
      throw error
    }
  }
}

/** Operations do not depend on each other's draws. */
function seedOf(seed: number, operationId: string): number {
  let hash = seed | 0
  for (let i = 0; i < operationId.length; i++) hash = Math.imul(hash ^ operationId.charCodeAt(i), 0x01000193)
  return hash
}
