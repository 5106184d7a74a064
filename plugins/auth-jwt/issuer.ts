// Tokens of issuers: those of the configuration and the ledger's identity providers.
// docs/authentication.md
import type { AccessDirectory, Clock, Lookup } from '../../runtime/index.ts'
import { checkClaims } from './claims.ts'
import type { ClaimRules } from './claims.ts'
import { nowMs } from './key-source.ts'
import type { KeySource } from './key-source.ts'
import type { Token } from './token.ts'
import { andThen, refused, signatureProblem } from './verified.ts'
import type { Outcome } from './verified.ts'

export interface Issuer {
  readonly identityProviderId: string
  readonly algorithms: readonly string[]
  readonly rules: ClaimRules
  readonly keys: KeySource
  /** Whether nothing of the above has changed since. */
  isCurrent(): Lookup<boolean>
}

/** Checks a token of this issuer: what costs least comes first. */
export async function verifyIssued(token: Token, issuer: Issuer, clock: Clock): Promise<Outcome> {
  if (!issuer.algorithms.includes(token.algorithm))
    return refused('an algorithm that its issuer does not use')
  const claims = checkClaims(token.claims, issuer.rules, nowMs(clock))
  if (typeof claims === 'string') return refused(claims)
  const key = await issuer.keys.find(token.kid, token.algorithm)
  if (typeof key === 'string') return refused(key)
  const problem = await signatureProblem(token, key.publicKey, key.algorithm)
  if (problem !== undefined) return refused(problem)
  return {
    kind: 'verified',
    user: { userId: claims.subject, identityProviderId: issuer.identityProviderId },
    untilMs: claims.untilMs,
    stillGood: () => issuer.keys.holds(key) && issuer.isCurrent(),
  }
}

/** The checks of tokens of all identity providers. */
interface ProviderSettings {
  readonly directory: AccessDirectory
  readonly rules: ClaimRules
  keysOf(jwksUrl: string): KeySource
}

/**
 * The provider as it is stored now; undefined where there is none with this issuer, a reason where
 * it is deactivated.
 */
export function providerIssuer(
  name: string,
  settings: ProviderSettings,
): Lookup<Issuer | string | undefined> {
  const { directory, rules, keysOf } = settings
  return andThen(directory.providerOf(name), (provider) => {
    if (provider === undefined) return undefined
    if (provider.isDeactivated) return 'its identity provider is deactivated'
    const { id, jwksUrl, audience } = provider
    return {
      identityProviderId: id,
      algorithms: ['RS256'],
      rules: { ...rules, audiences: audience === '' ? undefined : [audience] },
      keys: keysOf(jwksUrl),
      isCurrent: () =>
        andThen(
          directory.providerOf(name),
          (now) =>
            now === provider ||
            (now !== undefined &&
              !now.isDeactivated &&
              now.id === id &&
              now.jwksUrl === jwksUrl &&
              now.audience === audience),
        ),
    }
  })
}
