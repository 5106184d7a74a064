// Which addresses only this machine can reach. Everything that is safe only in development checks
// this first.
import { isIPv4 } from 'node:net'
import type { Logger } from './log.ts'

/** The address that a server listens on. */
export interface Listen {
  readonly host: string
  readonly port: number
  /** Other names that it is reached by, with a port or without. */
  readonly hosts?: readonly string[]
}

/** A server with its profile. */
export interface Listening {
  readonly profile: 'dev' | 'production'
  readonly listen: Listen
}

/** The name of this machine; those below it are, too (RFC 6761). */
export const LOCALHOST = 'localhost'

/** True for `localhost`, `::1` and 127.x.x.x; false for every other name or address. */
export function isLoopback(address: string): boolean {
  return (
    address === LOCALHOST || address === '::1' || (address.startsWith('127.') && isIPv4(address))
  )
}

/**
 * Throws where `auth`, whose tokens anybody can make, would serve the production profile, or an
 * address that other machines reach although nobody has chosen that.
 */
export function refuseUnsafeAuth(
  auth: string,
  { profile, listen: { host }, log }: Listening & { readonly log: Logger },
  allowNonLoopback: boolean,
): void {
  if (profile === 'production') throw new Error(`${auth} refuses the production profile`)
  if (isLoopback(host)) return
  if (allowNonLoopback)
    return log.warn({ host }, 'anyone who can reach this address can act as any user')
  throw new Error(
    `${auth} serves loopback addresses only, not ${host}; listen on 127.0.0.1, ` +
      'or set allowNonLoopback in its options if every machine that can reach it may act as any user',
  )
}
