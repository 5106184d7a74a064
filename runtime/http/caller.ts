// Who shares a limit: the user, or the address of requests without a token.
import type { Exchange } from './exchange.ts'

/** The user; where users have no name or nobody is asked for one, the address. */
export function callerOf<P>(exchange: Exchange<P>): string {
  const name = userOf(exchange)
  return name === undefined ? `address ${exchange.network}` : `user ${name}`
}

/** The name of who is known; undefined for anybody else. */
export function userOf<P>({ route: { guard }, principal }: Exchange<P>): string | undefined {
  return principal === undefined ? undefined : guard.nameOf?.(principal)
}
