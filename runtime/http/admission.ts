// Whether a request may go to its handler: each in its caller's turn, small and large ones apart.
// docs/decisions/0052-one-scheduler.md
import { MANY, SMALL_BYTES } from '../work/limits.ts'
import type { Place } from '../work/places.ts'
import type { Exchange } from './exchange.ts'
import type { Outcome } from './problem.ts'

/** Cost of a byte that is taken over, in bytes that are written. */
const WRITTEN = 16
const RETRY_SECONDS = 1

/**
 * Undefined where the handler may begin; else resolves in the caller's turn. A problem where too
 * much of the caller waits already.
 */
export function admit<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  // What counts below ends with the answer, and this one has ended already.
  const gone = cutIfGone(exchange)
  if (gone !== undefined) return gone
  const { shared, route, bodyBytes } = exchange
  const size = bodyBytes + shared.sizes.expected(route.operation) / WRITTEN
  if (size <= SMALL_BYTES && !isCrowded(exchange)) return small(exchange)
  const caller = exchange.caller
  const { users, addresses } = shared.places
  const queue = exchange.user === undefined ? addresses : users
  const turn = queue.enter(caller, size)
  if (turn === undefined) {
    const text = `Too many large requests of the ${caller} are waiting; try again in ${RETRY_SECONDS} s`
    return { kind: 'over-quota', text, retrySeconds: RETRY_SECONDS }
  }
  return begun(exchange, turn)
}

/**
 * Admits a small request: who has many under way while others are served begins one every few
 * turns. Addresses cost nothing, so all of them together are one caller.
 */
function small<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const {
    shared: { scheduler, probePaths },
    route,
    arrival: { res },
  } = exchange
  if (probePaths.includes(route.template)) return undefined
  const { requests, shares } = scheduler
  const name = exchange.sharer
  requests.served(name)
  shares.served(name)
  const underWay = requests.enter(name)
  res.once('close', () => {
    shares.served(name)
    // Those that are answered at once count until the others of this turn have come.
    setImmediate(() => requests.leave(name))
  })
  const isApart = underWay > MANY.requests || shares.isHeld(name)
  const turn = isApart ? scheduler.enter('request', name, exchange.caller) : undefined
  return turn?.then(() => cutIfGone(exchange))
}

/** Nobody waits for it any more. */
function cutIfGone<P>({ answered, arrival: { res } }: Exchange<P>): Outcome {
  return answered || res.destroyed ? { kind: 'cut' } : undefined
}

/** Whether many ask for the operation's pages without a token: their size shows only once made. */
function isCrowded<P>({ shared: { anybodys }, route, arrival: { res } }: Exchange<P>): boolean {
  const { guard, operation } = route
  if (operation.body === undefined || guard.needsPrincipal(operation)) return false
  const count = anybodys.enter(operation.operationId)
  res.once('close', () => anybodys.leave(operation.operationId))
  return count > MANY.anybodys
}

async function begun<P>(exchange: Exchange<P>, turn: Promise<Place>): Promise<Outcome> {
  const place = await turn
  const {
    arrival: { res },
    shared: { scheduler },
  } = exchange
  const gone = cutIfGone(exchange)
  if (gone !== undefined) {
    place.leave()
    return gone
  }
  exchange.place = place
  res.once('close', () => place.leave())
  const name = exchange.sharer
  if (!scheduler.shares.isHeld(name)) return undefined
  await scheduler.enter('request', name, exchange.caller)
  return cutIfGone(exchange)
}
