// Development tokens: JWTs signed with HS256 by a key of this data folder, so that clients handle
// them as they will handle those of production. Whoever can read the folder can be anybody; that is
// why production refuses this plugin.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuthAnswer } from '../../runtime/index.ts'

const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'auth-open' })).toString(
  'base64url',
)
const OURS = `${HEADER}.`
const MAX_TOKEN_LENGTH = 4096

/** Signs a token that names `userId` and never ends. */
export function signToken(userId: string, key: Buffer): string {
  const signed = `${OURS}${Buffer.from(JSON.stringify({ sub: userId })).toString('base64url')}`
  return `${signed}.${signature(signed, key)}`
}

/** Reads a token: somebody else's is "not mine", ours with a wrong signature is refused. */
export function readToken(token: string, key: Buffer): AuthAnswer {
  if (!token.startsWith(OURS)) return { kind: 'not-mine' }
  const end = token.lastIndexOf('.')
  const signed = token.slice(0, end)
  if (token.length > MAX_TOKEN_LENGTH || !sameText(token.slice(end + 1), signature(signed, key))) {
    return {
      kind: 'refused',
      reason: 'the development token was not signed with the key of this data folder',
    }
  }
  const userId = subjectOf(signed.slice(OURS.length))
  if (userId === undefined)
    return { kind: 'refused', reason: 'the development token names no user' }
  return { kind: 'user', user: { userId, identityProviderId: '' } }
}

function signature(signed: string, key: Buffer): string {
  return createHmac('sha256', key).update(signed).digest('base64url')
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function subjectOf(encoded: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    const subject =
      typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined
    return typeof subject === 'string' && subject !== '' ? subject : undefined
  } catch {
    return undefined
  }
}
