// The guard of a document's own security: finds the credentials of its schemes in a request, asks a
// hook for each who shows them, and decides by the operation's alternatives. Refusals name the
// challenges of the schemes.
import type { Credentials } from '../host/credentials.ts'
import type { AccessGuard, Decision, Identity } from './guard.ts'
import type { WireOperation } from './wire.ts'

/** A security scheme, as generated `schemes` have it. */
export interface SecurityScheme {
  readonly type: string
  /** The scheme of HTTP authentication, in lower case: `basic`. */
  readonly scheme?: string
  /** The place of an API key. */
  readonly in?: string
  readonly name?: string
}

/** The request that a credential came with. */
export interface SecuredRequest {
  readonly operationId: string
  readonly headers: NonNullable<Credentials['headers']>
  readonly remoteAddress: string
}

/** The owner of a credential, and its scopes where its scheme has some. */
export interface Grant<P> {
  readonly principal: P
  readonly scopes?: readonly string[]
}

interface Hooked<P> {
  hook(
    credential: unknown,
    request: SecuredRequest,
  ): Grant<P> | undefined | Promise<Grant<P> | undefined>
}

/** Says who shows a credential. Of a method, so that generated hooks are assignable. */
export type SecurityHook<P> = Hooked<P>['hook']

/** Options of a guard of a document's security besides its hooks. */
export interface SecurityOptions<P> {
  /** Whether a caller who is known may do this with this input; everybody may if absent. */
  readonly authorize?: AccessGuard<P>['authorize']
  /** The caller where several schemes are needed at once; the first of them if absent. */
  readonly combine?: (principals: readonly [P, ...P[]]) => P
}

/** A request's credential for one scheme. */
type Shown<P> =
  { readonly kind: 'absent' | 'unknown' } | { readonly kind: 'granted'; readonly grant: Grant<P> }

/**
 * A guard for `schemes` and `hooks` of a generated `security.gen.ts`. Of the alternatives of an
 * operation the first that is met in full lets in; `{}` lets in everybody else. Who is not known
 * gets 401 with the challenges of the schemes (RFC 9110 §11.6.1), who lacks a scope 403 (RFC 6750
 * §3.1).
 *
 * @example const guard = securityGuard(schemes, { key: ({ key }) => callers.get(key) })
 */
export function securityGuard<P>(
  schemes: Readonly<Record<string, SecurityScheme>>,
  hooks: Readonly<Record<string, SecurityHook<P> | undefined>>,
  options: SecurityOptions<P> = {},
): AccessGuard<P> {
  return {
    authenticate: (credentials, operation) =>
      authenticate(new Check(schemes, hooks, credentials, operation), operation, options),
    authorize: options.authorize ?? ((): Decision => ({ allowed: true })),
    needsPrincipal: ({ security }) => security.length > 0 && security.every(isSome),
  }
}

async function authenticate<P>(
  check: Check<P>,
  { security }: WireOperation,
  { combine }: SecurityOptions<P>,
): Promise<Identity<P>> {
  let lacking: readonly string[] = []
  for (const requirement of security.filter(isSome)) {
    const scopes = Object.values(requirement)
    const shown = await Promise.all(Object.keys(requirement).map((name) => check.shown(name)))
    const grants = shown.flatMap((one) => (one.kind === 'granted' ? [one.grant] : []))
    const [first, ...others] = grants
    if (first === undefined || grants.length < shown.length) continue
    const missing = grants.flatMap((grant, at) => missingScopes(grant, scopes[at] ?? []))
    if (missing.length > 0) {
      if (lacking.length === 0) lacking = missing
      continue
    }
    const all = [first.principal, ...others.map(({ principal }) => principal)] as const
    const principal = others.length > 0 && combine !== undefined ? combine(all) : first.principal
    return { kind: 'principal', principal }
  }
  return security.every(isSome) && lacking.length > 0 ? withoutScopes(lacking) : check.nobody()
}

/** False for `{}`, with which a document lets everybody in. */
function isSome(requirement: object): boolean {
  return Object.keys(requirement).length > 0
}

/** A scheme without scopes names roles at most, which are no business of the credential. */
function missingScopes<P>({ scopes }: Grant<P>, needed: readonly string[]): readonly string[] {
  return scopes === undefined ? [] : needed.filter((scope) => !scopes.includes(scope))
}

function withoutScopes<P>(missing: readonly string[]): Identity<P> {
  return {
    kind: 'refused',
    reason: `without the scopes ${missing.join(' ')}`,
    challenges: [`Bearer error="insufficient_scope", scope="${missing.map(quotable).join(' ')}"`],
  }
}

/** One request: each scheme is looked at once, however many alternatives name it. */
class Check<P> {
  readonly #schemes: Readonly<Record<string, SecurityScheme>>
  readonly #hooks: Readonly<Record<string, SecurityHook<P> | undefined>>
  readonly #credentials: Credentials
  readonly #operation: WireOperation
  readonly #seen = new Map<string, Promise<Shown<P>>>()
  #hasUnknown = false

  constructor(
    schemes: Readonly<Record<string, SecurityScheme>>,
    hooks: Readonly<Record<string, SecurityHook<P> | undefined>>,
    credentials: Credentials,
    operation: WireOperation,
  ) {
    this.#schemes = schemes
    this.#hooks = hooks
    this.#credentials = credentials
    this.#operation = operation
  }

  shown(name: string): Promise<Shown<P>> {
    const known = this.#seen.get(name) ?? this.#look(name)
    this.#seen.set(name, known)
    return known
  }

  /** Nobody is known; the challenges are those of all alternatives. */
  nobody(): Identity<P> {
    const names = this.#operation.security.flatMap((requirement) => Object.keys(requirement))
    const challenges = names.flatMap((name) => {
      const scheme = this.#schemes[name]
      return scheme === undefined ? [] : [challengeOf(scheme, this.#hasUnknown)]
    })
    return {
      kind: 'anonymous',
      reason: this.#hasUnknown ? 'nobody is known by the credentials' : 'no credentials',
      hasToken: this.#hasUnknown,
      challenges: [...new Set(challenges)],
    }
  }

  async #look(name: string): Promise<Shown<P>> {
    const [scheme, hook] = [this.#schemes[name], this.#hooks[name]]
    if (scheme === undefined || hook === undefined) return { kind: 'absent' }
    const credential = credentialOf(this.#credentials, scheme)
    if (credential === undefined) return { kind: 'absent' }
    const { headers = {}, remoteAddress } = this.#credentials
    const { operationId } = this.#operation
    const grant = await hook(credential, { operationId, headers, remoteAddress })
    if (grant !== undefined) return { kind: 'granted', grant }
    this.#hasUnknown = true
    return { kind: 'unknown' }
  }
}

/**
 * The credential that the hook of a scheme gets; undefined where the request has nothing of the
 * kind.
 */
function credentialOf(credentials: Credentials, scheme: SecurityScheme): unknown {
  if (scheme.type === 'apiKey') {
    const key = keyOf(credentials, scheme)
    return key === undefined || key === '' ? undefined : { key }
  }
  if (scheme.type === 'mutualTLS') return { text: '' }
  const name = scheme.type === 'http' ? (scheme.scheme ?? '') : 'bearer'
  const [, given = '', text = ''] = /^(\S+) +(.+)$/.exec(credentials.authorization ?? '') ?? []
  if (given.toLowerCase() !== name) return undefined
  if (name === 'basic') return basicOf(text)
  return name === 'bearer' ? { token: text } : { text }
}

/** RFC 7617: a password may hold colons. */
function basicOf(text: string): { readonly user: string; readonly password: string } | undefined {
  const found = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString())
  return found === null ? undefined : { user: found[1] ?? '', password: found[2] ?? '' }
}

function keyOf(
  { headers = {}, url = '' }: Credentials,
  scheme: SecurityScheme,
): string | undefined {
  const name = scheme.name ?? ''
  if (scheme.in === 'header') return headers[name.toLowerCase()]?.toString()
  if (scheme.in === 'query')
    return new URLSearchParams(url.split('?')[1] ?? '').get(name) ?? undefined
  const pair = (headers.cookie ?? '')
    .split(/; */)
    .find((one) => one.startsWith(`${name}=`) || one.startsWith(`${encodeURIComponent(name)}=`))
  return pair === undefined ? undefined : decoded(pair.slice(pair.indexOf('=') + 1))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 6750 §3, RFC 7617 §2; an API key has no scheme that is registered. */
function challengeOf({ type, scheme, in: place, name }: SecurityScheme, isWrong: boolean): string {
  if (type === 'apiKey') return `ApiKey in="${quotable(place)}", name="${quotable(name)}"`
  if (type === 'mutualTLS') return 'Mutual'
  if (type !== 'http' || scheme === 'bearer')
    return isWrong ? 'Bearer error="invalid_token"' : 'Bearer'
  if (scheme === 'basic') return 'Basic realm="service", charset="UTF-8"'
  return /^[a-z0-9-]+$/.test(scheme ?? '') ? (scheme ?? '') : 'Unknown'
}

/** A document's text within quotes of a header. */
function quotable(text = ''): string {
  return text.replace(/[^ !#-[\]-~]/g, '')
}
