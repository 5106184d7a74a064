// Tokens signed with a shared secret, for tests and trials: whoever can check one can make one.
// Development only, and loopback unless a person has chosen otherwise.
import { SignJWT } from 'jose'
import type { PluginContext } from '../../runtime/index.ts'
import { refuseUnsafeAuth } from '../../runtime/index.ts'
import { checkClaims } from './claims.ts'
import type { ClaimRules } from './claims.ts'
import { nowMs } from './key-source.ts'
import type { Options } from './options.ts'
import type { Token } from './token.ts'
import { refused, signatureProblem } from './verified.ts'
import type { Outcome } from './verified.ts'

const ISSUED_SECONDS = 86_400
/** Length of a secret that cannot be guessed: as many bits as the hash has. */
const STRONG_LENGTH = 32

export interface SharedSecret {
  readonly algorithm: 'HS256'
  verify(token: Token): Promise<Outcome>
  /** A token of the user that ends after a day. */
  issue(userId: string): Promise<string>
}

/** Throws where such tokens would let in others than developers. */
export function sharedSecret(
  { secret, allowNonLoopback }: NonNullable<Options['unsafeHmac']>,
  rules: ClaimRules,
  host: PluginContext,
): SharedSecret {
  refuseUnsafeAuth('unsafeHmac', host, allowNonLoopback)
  const { clock, log } = host
  if (secret.length < STRONG_LENGTH)
    log.warn(
      {},
      `the secret of unsafeHmac has fewer than ${STRONG_LENGTH} characters: for tests only`,
    )
  const key = Buffer.from(secret, 'utf8')
  return {
    algorithm: 'HS256',
    verify: async (token) => {
      // Another plugin may have signed it: nothing in such a token says whose it is.
      const problem = await signatureProblem(token, key, 'HS256')
      if (problem !== undefined) return { kind: 'not-mine', reason: problem }
      const claims = checkClaims(token.claims, rules, nowMs(clock))
      if (typeof claims === 'string') return refused(claims)
      const { subject: userId, untilMs } = claims
      return {
        kind: 'verified',
        user: { userId, identityProviderId: '' },
        untilMs,
        stillGood: () => true,
      }
    },
    issue: async (userId) => {
      const now = Math.floor(nowMs(clock) / 1_000)
      const scope = rules.scope === undefined ? {} : { scope: rules.scope }
      const claims = { sub: userId, iat: now, exp: now + ISSUED_SECONDS, ...scope }
      return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
    },
  }
}
