// Tokens that a party signs itself, for users who are to be authenticated by their primary party.
// docs/authentication.md
import type { AccessDirectory, Clock, PartyKey } from '../../runtime/index.ts'
import { checkClaims } from './claims.ts'
import type { ClaimRules } from './claims.ts'
import { nowMs } from './key-source.ts'
import type { Token } from './token.ts'
import { refused, signatureProblem } from './verified.ts'
import type { Outcome } from './verified.ts'

const HOUR_SECONDS = 3_600
const PARTY = /^[A-Za-z0-9:\-_ ]{1,185}::1220[0-9a-f]{64}$/

interface PartySettings {
  readonly directory: AccessDirectory
  readonly clock: Clock
  readonly leewaySeconds: number
}

/** True for what could be the id of a party with keys of its own. */
export function isPartyId(issuer: string | undefined): issuer is string {
  return issuer !== undefined && PARTY.test(issuer)
}

/**
 * Checks a token whose issuer is the party. The user is looked up last, so that only the party
 * learns who is there.
 */
export async function verifyParty(
  token: Token,
  party: string,
  settings: PartySettings,
): Promise<Outcome> {
  const { directory, clock, leewaySeconds } = settings
  const rules: ClaimRules = {
    leewaySeconds,
    requireExpiry: true,
    audiences: undefined,
    wholeAudience: directory.audience,
    scope: undefined,
    maxAheadSeconds: HOUR_SECONDS,
  }
  const claims = checkClaims(token.claims, rules, nowMs(clock))
  if (typeof claims === 'string') return refused(claims)
  const key = keyOf(await directory.partyKeys(party), token)
  if (key === undefined) return refused('the party has no such key')
  const problem = await signatureProblem(token, key.publicKey, token.algorithm)
  if (problem !== undefined) return refused(problem)
  const { subject: userId, untilMs } = claims
  const identityProviderId = await providerOf(userId, party, directory)
  if (identityProviderId === undefined)
    return refused('the user is not authenticated by this party')
  const stillGood = async (): Promise<boolean> =>
    (await providerOf(userId, party, directory)) === identityProviderId &&
    keyOf(await directory.partyKeys(party), token) !== undefined
  return { kind: 'verified', user: { userId, identityProviderId }, untilMs, stillGood }
}

function keyOf(keys: readonly PartyKey[], { kid, algorithm }: Token): PartyKey | undefined {
  return keys.find((key) => key.fingerprint === kid && key.algorithm === algorithm)
}

/**
 * The user's provider; undefined unless the user is active, is this party's, and its provider lets
 * anybody in.
 */
async function providerOf(
  userId: string,
  party: string,
  directory: AccessDirectory,
): Promise<string | undefined> {
  const user = await directory.user(userId)
  if (user === undefined || user.isDeactivated) return undefined
  if (!user.primaryPartyAuthentication || user.primaryParty !== party) return undefined
  const { identityProviderId } = user
  if (identityProviderId === '') return ''
  return (await directory.provider(identityProviderId))?.isDeactivated === false
    ? identityProviderId
    : undefined
}
