// What the claims of a token must say. All rules are checked before a signature costs anything.
// docs/authentication.md
import type { Token } from './token.ts'

type Claims = Token['claims']

export interface ClaimRules {
  readonly leewaySeconds: number
  readonly requireExpiry: boolean
  /** One of them must be in `aud`; undefined leaves `aud` unread. */
  readonly audiences: readonly string[] | undefined
  /** All of them must be in `aud`. */
  readonly wholeAudience?: readonly string[]
  /** Must be in the scope; undefined leaves it unread. */
  readonly scope: string | undefined
  /** Seconds that the end may be ahead. */
  readonly maxAheadSeconds?: number
}

/** Claims that keep the rules. */
interface CheckedClaims {
  readonly subject: string
  /**
   * Milliseconds since 1970 at which the token ends, leeway included; Infinity for one without an
   * end.
   */
  readonly untilMs: number
}

/**
 * The subject and the end, or why the claims are refused; the reason holds nothing of the token.
 */
export function checkClaims(
  claims: Claims,
  rules: ClaimRules,
  nowMs: number,
): CheckedClaims | string {
  const problem =
    timeProblem(claims, rules, nowMs) ??
    audienceProblem(claims['aud'], rules) ??
    (rules.scope === undefined || scopesOf(claims).includes(rules.scope)
      ? undefined
      : 'the scope is missing')
  if (problem !== undefined) return problem
  const { sub: subject, exp } = claims
  if (typeof subject !== 'string' || subject === '' || !subject.isWellFormed())
    return 'sub is not a text that could name a user'
  return { subject, untilMs: isTime(exp) ? (exp + rules.leewaySeconds) * 1_000 : Infinity }
}

function timeProblem(
  { exp, nbf, iat }: Claims,
  rules: ClaimRules,
  nowMs: number,
): string | undefined {
  const leewayMs = rules.leewaySeconds * 1_000
  if ([exp, nbf, iat].some((time) => time !== undefined && !isTime(time)))
    return 'exp, nbf or iat is not a time'
  if (exp === undefined && rules.requireExpiry) return 'the token has no end'
  if (isTime(exp) && exp * 1_000 + leewayMs <= nowMs) return 'the token has ended'
  if (isTime(nbf) && nbf * 1_000 - leewayMs > nowMs) return 'the token is not valid yet'
  const latestMs = nowMs + (rules.maxAheadSeconds ?? Infinity) * 1_000 + leewayMs
  return isTime(exp) && exp * 1_000 > latestMs ? 'the token ends too late' : undefined
}

/** Seconds since 1970 that a double holds exactly enough. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

function audienceProblem(
  audience: unknown,
  { audiences, wholeAudience = [] }: ClaimRules,
): string | undefined {
  if (audiences === undefined && wholeAudience.length === 0) return undefined
  const all = typeof audience === 'string' ? [audience] : audience
  if (!isTexts(all)) return 'aud is not a text or a list of texts'
  if (audiences?.some((one) => all.includes(one)) === false) return 'another audience'
  const missing = wholeAudience.find((one) => !all.includes(one))
  return missing === undefined ? undefined : `the audience does not name ${missing}`
}

/** `scp` counts only where `scope` says nothing. */
function scopesOf({ scope, scp }: Claims): readonly string[] {
  const named = typeof scope === 'string' ? words(scope) : []
  if (named.length > 0) return named
  return typeof scp === 'string' ? words(scp) : isTexts(scp) ? scp : []
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
