// Whether a request may go to its handler: each in its caller's turn, small and large ones apart.
import type { Exchange } from './exchange.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Outcome } from './problem.ts'
import { callerOf, userOf } from './caller.ts'

/** What is smaller waits for no large one; bytes of a body. */
const LARGE_BYTES = 16_384
/** To take over a byte costs so many times what it costs to write one. */
const WRITTEN = 16
const RETRY_SECONDS = 1
/** Of one operation that anybody may call; more of them may hold much together. */
const FEW = 8

/**
 * Undefined where the handler may begin; else resolves in the caller's turn. A problem where too
 * much of the caller waits already.
 */
export function admit<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const { shared, route, bodyBytes } = exchange
  const size = bodyBytes + shared.sizes.expected(route.operation) / WRITTEN
  if (size <= LARGE_BYTES && !isCrowded(exchange)) return small(exchange)
  const caller = callerOf(exchange)
  const { users, addresses } = shared.queues
  const queue = userOf(exchange) === undefined ? addresses : users
  const turn = queue.enter(caller, size)
  if (turn === undefined) {
    const text = `Too many large requests of the ${caller} are waiting; try again in ${RETRY_SECONDS} s`
    return { kind: 'over-quota', text, retrySeconds: RETRY_SECONDS }
  }
  return begun(exchange, turn)
}

/** Of users each has a turn; addresses cost nothing, so all of them together have one. */
function small<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const {
    shared,
    route,
    arrival: { res },
  } = exchange
  if (shared.probePaths.includes(route.template)) return undefined
  const caller = callerOf(exchange)
  const group = userOf(exchange) === undefined ? '' : caller
  const turn = shared.starts.enter(group, caller)
  res.once('close', () => shared.starts.leave(group))
  return turn?.then(() => cutIfGone(exchange))
}

/** Nobody waits for it any more. */
function cutIfGone<P>({ answered, arrival: { res } }: Exchange<P>): Outcome {
  return answered || res.destroyed ? { kind: 'cut' } : undefined
}

/** Of what asks for pages without a token, whose size shows only when one was made. */
function isCrowded<P>({ shared: { crowds }, route, arrival: { res } }: Exchange<P>): boolean {
  const { guard, operation } = route
  if (operation.body === undefined || guard.needsPrincipal(operation)) return false
  const count = crowds.join(operation)
  res.once('close', () => crowds.leave(operation))
  return count > FEW
}

async function begun<P>(
  exchange: Exchange<P>,
  turn: NonNullable<ReturnType<FairQueue['enter']>>,
): Promise<Outcome> {
  const place = await turn
  const { res } = exchange.arrival
  const gone = cutIfGone(exchange)
  if (gone !== undefined) {
    place.leave()
    return gone
  }
  exchange.place = place
  res.once('close', () => place.leave())
  return undefined
}
