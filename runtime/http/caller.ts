// Who shares a limit: the user, or the address of requests without a token.
import type { AccessGuard } from './guard.ts'

/** A request whose caller is known as far as it will be. */
interface Asking<P> {
  readonly route: { readonly guard: AccessGuard<P> }
  readonly network: string
  readonly principal: P | undefined
}

/** The user; where users have no name or nobody is asked for one, the address. */
export function callerOf<P>(asking: Asking<P>): string {
  const name = userOf(asking)
  return name === undefined ? `address ${asking.network}` : `user ${name}`
}

/** The user; addresses cost nothing, so all of them together are one caller. */
export function sharerOf<P>(asking: Asking<P>): string {
  return userOf(asking) === undefined ? 'addresses' : callerOf(asking)
}

/** The name of who is known; undefined for anybody else. */
export function userOf<P>({ route: { guard }, principal }: Asking<P>): string | undefined {
  return principal === undefined ? undefined : guard.nameOf?.(principal)
}
