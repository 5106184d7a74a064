// The two questions of the dispatcher: who is calling, and whether they may. The guard defines the
// words of `x-access`.
import type { Credentials } from '../host/credentials.ts'
import type { WireInput, WireOperation } from './wire.ts'

/**
 * The answer of authentication. `anonymous` covers both "no token" and "a token nobody recognises",
 * which `hasToken` tells apart.
 */
export type Identity<P> =
  | {
      readonly kind: 'anonymous'
      readonly reason: string
      readonly hasToken?: boolean
      /** Challenges of `WWW-Authenticate` where a principal is needed; a bearer token if absent. */
      readonly challenges?: readonly string[]
    }
  | { readonly kind: 'principal'; readonly principal: P }
  | {
      readonly kind: 'refused'
      readonly reason: string
      readonly detail?: unknown
      readonly challenges?: readonly string[]
    }

/** Whether a caller may call an operation with this input. */
export type Decision =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly cause: 'unauthenticated' | 'forbidden'
      readonly reason: string
    }
  /**
   * A service-level refusal that the rights phase found; the presenter of the interface knows
   * `detail`.
   */
  | {
      readonly allowed: false
      readonly cause: 'refused'
      readonly reason: string
      readonly detail: unknown
    }

/** Says who calls, and whether they may. `P` is what it knows of a caller. */
export interface AccessGuard<P> {
  /** `operation` is asked for because some let in who is refused elsewhere. */
  authenticate(
    credentials: Credentials,
    operation: WireOperation,
  ): Promise<Identity<P>> | Identity<P>
  authorize(
    operation: WireOperation,
    identity: Identity<P>,
    input: WireInput,
  ): Promise<Decision> | Decision
  /** True when the operation cannot be called without a principal. */
  needsPrincipal(operation: WireOperation): boolean
  /** The name by which a caller is counted; all count by address where this is absent. */
  nameOf?(principal: P): string
}
