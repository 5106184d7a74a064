// The outcome of looking at a token, and the check of its signature that all kinds of tokens share.
import type { KeyObject } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import type { AuthAnswer, AuthenticatedUser, Lookup } from '../../runtime/index.ts'
import type { Token } from './token.ts'

/** A token whose signature was checked. */
export interface Verified {
  readonly kind: 'verified'
  readonly user: AuthenticatedUser
  /** Milliseconds since 1970 at which it ends. */
  readonly untilMs: number
  /**
   * Whether all but the time is still as it was when the signature was checked: provider, key,
   * user.
   */
  stillGood(): Lookup<boolean>
}

export type Outcome = Verified | Exclude<AuthAnswer, { readonly kind: 'user' }>

/**
 * A token of ours that is bad. The reason is for the log and holds nothing that the caller could
 * have written there.
 */
export function refused(reason: string): Outcome {
  return { kind: 'refused', reason }
}

/** Undefined when the token was signed with the key by this algorithm. */
export async function signatureProblem(
  token: Token,
  key: KeyObject | Uint8Array,
  algorithm: string,
): Promise<string | undefined> {
  try {
    await compactVerify(token.text, key, { algorithms: [algorithm] })
    return undefined
  } catch (error) {
    return error instanceof errors.JWSSignatureVerificationFailed
      ? 'the signature is wrong'
      : 'the signature cannot be checked'
  }
}

/** Goes on with an answer at once where it is at hand. */
export function andThen<T, R>(lookup: Lookup<T>, go: (value: T) => Lookup<R>): Lookup<R> {
  return lookup instanceof Promise ? lookup.then(go) : go(lookup)
}
