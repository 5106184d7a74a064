// Whom something is counted for that callers share.
import type { Exchange } from './exchange.ts'
import { networkOf } from './network-of.ts'

/** The user; where users have no name or nobody is asked for one, the address. */
export function callerOf<P>({ route: { guard }, principal, arrival }: Exchange<P>): string {
  const name = principal === undefined ? undefined : guard.nameOf?.(principal)
  return name === undefined
    ? `address ${networkOf(arrival.req.socket.remoteAddress ?? '')}`
    : `user ${name}`
}
