// Who asks: puts a token where the document's security schemes want it, and makes the requests that
// must not get in.
import type { InterfaceFacts, OperationFacts, Requirement, WireRequest } from './facts.ts'

/** A request's proof in place of the right token. */
export type Impostor =
  | 'nothing'
  | 'a wrong token'
  | 'the wrong scheme'
  | 'a token with another end'
  | 'a token with another beginning'
  | 'half a token'

type Pair = readonly [string, string]

interface Proof {
  readonly headers: readonly Pair[]
  readonly query: readonly Pair[]
  readonly cookies: readonly Pair[]
}

const NONE: Proof = { headers: [], query: [], cookies: [] }
const CHANGED = 4
const WRONG_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.d3Jvbmc'

/** True where the document lets nobody in without showing who it is. */
export function demandsAuthority({ security }: OperationFacts): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0)
}

/**
 * The request with the token, where the operation or, without any security in it, the document can
 * use one.
 */
export function withToken(
  facts: InterfaceFacts,
  operation: OperationFacts,
  request: WireRequest,
  token: string | undefined,
): WireRequest {
  if (token === undefined) return request
  if (operation.security.length === 0) {
    return Object.keys(facts.securitySchemes).length > 0 ? request : add(request, bearer(token))
  }
  return add(
    request,
    bestProof(facts, operation, (scheme) => proofOf(scheme, token)),
  )
}

/**
 * The request as somebody sends it who must not get in; undefined where the schemes leave no such
 * way.
 */
export function asImpostor(
  facts: InterfaceFacts,
  operation: OperationFacts,
  request: WireRequest,
  impostor: Impostor,
  token: string | undefined,
): WireRequest | undefined {
  if (impostor === 'nothing') return request
  if (impostor !== 'the wrong scheme') {
    const wrong = wrongToken(impostor, token)
    return wrong === undefined
      ? undefined
      : add(
          request,
          bestProof(facts, operation, (scheme) => proofOf(scheme, wrong)),
        )
  }
  const usesHeader = bestProof(facts, operation, (scheme) => proofOf(scheme, 'x')).headers.some(
    ([name]) => name === 'authorization',
  )
  return usesHeader
    ? add(request, { ...NONE, headers: [['authorization', `Negotiate ${WRONG_TOKEN}`]] })
    : undefined
}

/** More than the last letter differs: that of base64 may hold bits that do not count. */
function wrongToken(impostor: Impostor, token: string | undefined): string | undefined {
  if (impostor === 'a wrong token') return WRONG_TOKEN
  if (token === undefined || token.length < 2 * CHANGED) return undefined
  const other = (text: string): string =>
    text.replaceAll(/[A-Za-z0-9]/gu, (letter) => (letter === 'A' ? 'B' : 'A'))
  if (impostor === 'half a token') return token.slice(0, token.length / 2)
  return impostor === 'a token with another end'
    ? token.slice(0, -CHANGED) + other(token.slice(-CHANGED))
    : other(token.slice(0, CHANGED)) + token.slice(CHANGED)
}

/** The requirement with the fewest schemes, tokens in the Authorization header before others. */
function bestProof(
  facts: InterfaceFacts,
  { security }: OperationFacts,
  proof: (scheme: unknown) => Proof | undefined,
): Proof {
  const proofs = security.flatMap((requirement: Requirement) => {
    const parts = Object.keys(requirement).map((name) => proof(facts.securitySchemes[name]))
    const known = parts.filter((part) => part !== undefined)
    const whole = merged(known)
    return known.length < parts.length || known.length === 0 || isTorn(whole) ? [] : [whole]
  })
  const weight = ({ headers, query, cookies }: Proof): number => {
    return (
      headers.length +
      query.length +
      cookies.length -
      (headers.some(([name]) => name === 'authorization') ? 0.5 : 0)
    )
  }
  return proofs.sort((a, b) => weight(a) - weight(b))[0] ?? NONE
}

/**
 * True where every way in demands two schemes of one header, such as Basic and Bearer: a request
 * has one `Authorization`.
 */
export function isUnshowable(
  { security }: Pick<OperationFacts, 'security'>,
  schemes: InterfaceFacts['securitySchemes'],
): boolean {
  return (
    security.length > 0 &&
    security.every((requirement) => {
      const proofs = Object.keys(requirement).map((name) => proofOf(schemes[name], ''))
      return isTorn(merged(proofs.filter((proof) => proof !== undefined)))
    })
  )
}

/**
 * True where every way in demands what no request can show, such as a client certificate: the run
 * is refused then, whether that is declared or not.
 */
export function isShutOut(
  { security }: Pick<OperationFacts, 'security'>,
  schemes: InterfaceFacts['securitySchemes'],
): boolean {
  return (
    security.length > 0 &&
    security.every((needed) =>
      Object.keys(needed).some((name) => proofOf(schemes[name], '') === undefined),
    )
  )
}

/** True for a proof that has one header twice. */
function isTorn({ headers }: Proof): boolean {
  return new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length
}

function merged(proofs: readonly Proof[]): Proof {
  return {
    headers: proofs.flatMap(({ headers }) => headers),
    query: proofs.flatMap(({ query }) => query),
    cookies: proofs.flatMap(({ cookies }) => cookies),
  }
}

function bearer(token: string): Proof {
  return { ...NONE, headers: [['authorization', `Bearer ${token}`]] }
}

/** A token in one scheme; for basic it is `user:password`. */
function proofOf(scheme: unknown, token: string): Proof | undefined {
  const member = (key: string): string =>
    String(typeof scheme === 'object' && scheme !== null ? Reflect.get(scheme, key) : '')
  switch (member('type')) {
    case 'http':
      return member('scheme').toLowerCase() === 'basic'
        ? {
            ...NONE,
            headers: [
              [
                'authorization',
                `Basic ${Buffer.from(token.includes(':') ? token : `${token}:`).toString('base64')}`,
              ],
            ],
          }
        : bearer(token)
    case 'oauth2':
    case 'openIdConnect':
      return bearer(token)
    case 'apiKey': {
      const pair = [member('name'), token] as const
      const place = member('in')
      if (place === 'header') return { ...NONE, headers: [pair] }
      return place === 'query' ? { ...NONE, query: [pair] } : { ...NONE, cookies: [pair] }
    }
    default:
      return undefined
  }
}

function add(request: WireRequest, { headers, query, cookies }: Proof): WireRequest {
  const text = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const sign = request.target.includes('?') ? '&' : '?'
  const target = text === '' ? request.target : `${request.target}${sign}${text}`
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const kept = request.headers.filter(([name]) => !names.has(name.toLowerCase()))
  return withCookies({ ...request, target, headers: [...kept, ...headers] }, cookies)
}

function withCookies(request: WireRequest, cookies: readonly Pair[]): WireRequest {
  if (cookies.length === 0) return request
  const own = request.headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .map(([, value]) => value)
  const text = [...own, ...cookies.map(([name, value]) => `${name}=${value}`)].join('; ')
  return {
    ...request,
    headers: [
      ...request.headers.filter(([name]) => name.toLowerCase() !== 'cookie'),
      ['cookie', text],
    ],
  }
}
