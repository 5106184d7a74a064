// The guard of projects without access rules: it identifies nobody and admits everybody.
import type { AccessGuard } from './guard.ts'

const ANYBODY = { kind: 'anonymous', reason: 'this server asks nobody who they are' } as const
const ALLOWED = { allowed: true } as const

/** A guard that allows every operation to everybody. */
export function openGuard<P = never>(): AccessGuard<P> {
  return { authenticate: () => ANYBODY, authorize: () => ALLOWED, needsPrincipal: () => false }
}
