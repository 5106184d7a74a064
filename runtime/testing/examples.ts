// The public entry `ledgerwright/examples`: answers what nobody has written yet, from the
// document's examples, else drawn from the printed reply arbitraries. docs/examples.md
import { NotWritten } from '../http/index.ts'
import type { Handler, WireInterface, WireReply } from '../http/index.ts'

/** Answers of an operation that printed arbitraries know. */
export interface ReplySource {
  /** The document's own, if it has one. */
  readonly example: WireReply | undefined
  /** A sample of declared answers, the same for the same seed. */
  sampleReplies(count: number, seed: number): readonly WireReply[]
}

/** Options of example answers. `H` is the type of the handlers. */
export interface ExampleOptions<H> {
  /** The route table: `wire` of routes.gen.ts. */
  readonly wire: WireInterface
  /**
   * What `arbitraries(fc)` of arbitraries.gen.ts has made. Absent: there are no examples, as in
   * production.
   */
  readonly arbitraries?: { readonly operations: Readonly<Record<string, ReplySource>> }
  /**
   * What is written already; it stays in front, and only what it lacks or calls not written is
   * answered by examples.
   */
  readonly handlers?: H
  /** The seed of everything that is drawn; 1 if absent. */
  readonly seed?: number
  /**
   * Another answer at each call, over all declared successes, in place of the same one each time.
   */
  readonly random?: boolean
  /** No examples: what is not written answers 501. */
  readonly production?: boolean
}

/** The header that marks an answer as an example. */
export const EXAMPLE_HEADER = 'x-example-answer'

/**
 * A handler for every operation of an interface: those that are written, and example answers for
 * the others. Each example bears the header `x-example-answer: true`.
 *
 * @example const all = exampleHandlers({ wire, arbitraries: arbitraries(fc), handlers }) const
 *   mount = mountInterface({ wire, handlers: all, guard: openGuard(), presenter: plainPresenter })
 */
export function exampleHandlers<
  P,
  H extends { readonly [K in keyof H]: Handler<P> | undefined } = Record<never, never>,
>(options: ExampleOptions<H>): Readonly<Record<string, Handler<P>>> {
  const answerOf = answers(options)
  const written = new Map<string, Handler<P> | undefined>()
  for (const name in options.handlers) written.set(name, options.handlers[name])
  return Object.fromEntries(
    options.wire.operations.map(({ operationId }): [string, Handler<P>] => {
      const example = answerOf(operationId)
      const own = written.get(operationId)
      return [operationId, own === undefined ? example : withFallback(own, example)]
    }),
  )
}

type Answer = () => WireReply

/** The example of each operation. */
function answers<H>({
  arbitraries,
  seed = 1,
  random,
  production,
}: ExampleOptions<H>): (operationId: string) => Answer {
  if (production === true || arbitraries === undefined)
    return (operationId) => () => {
      throw new NotWritten(operationId)
    }
  return (operationId) => {
    const source = arbitraries.operations[operationId]
    if (source === undefined)
      throw new Error(`the arbitraries have no operation ${operationId}: generate them again`)
    const make = (random === true ? drawing : fixed)(source, seedOf(seed, operationId))
    return () => marked(make())
  }
}

function marked(reply: WireReply): WireReply {
  return { ...reply, headers: { ...reply.headers, [EXAMPLE_HEADER]: 'true' } }
}

/** The answer of an operation that no document describes. */
const NOTHING: WireReply = { status: 204 }

/** The document's example, else one draw; looked for at the first call. */
function fixed(source: ReplySource, seed: number): Answer {
  let made: WireReply | undefined
  return () => (made ??= source.example ?? source.sampleReplies(1, seed)[0] ?? NOTHING)
}

const BATCH = 16

/** Another draw each time. Several are drawn at once: to begin costs more than to go on. */
function drawing(source: ReplySource, seed: number): Answer {
  let drawn: readonly WireReply[] = []
  let calls = 0
  return () => {
    const place = calls % BATCH
    if (place === 0) drawn = source.sampleReplies(BATCH, seed + calls)
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
  for (let i = 0; i < operationId.length; i++)
    hash = Math.imul(hash ^ operationId.charCodeAt(i), 0x01000193)
  return hash
}
