// Reading a token before anything in it is believed: three parts in the one spelling that base64url
// has for their bytes, two JSON objects without repeated names, and a header that this plugin could
// verify at all. RFC 7515, RFC 8725
import { parseJson } from '../../runtime/index.ts'

/** Longer ones are refused unread. */
export const MAX_TOKEN_LENGTH = 16_384
const MAX_KID_LENGTH = 256
const BASE64URL = /^[A-Za-z0-9_-]*$/
const ACCEPTED_TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt'])

export interface Token {
  readonly text: string
  readonly algorithm: string
  /** The name of the key; undefined where the header has none. */
  readonly kid: string | undefined
  /** Exactly as it stands there; undefined where it is absent. */
  readonly issuer: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

/** The parts of a compact JWS, or why it is none; the reason holds nothing of the token. */
export function readToken(text: string): Token | string {
  const [header, claims] = text.split('.', 4)
  const parts = text.split('.', 4)
  if (parts.length !== 3 || header === undefined || claims === undefined)
    return 'not a token of three parts'
  if (!parts.every(isCanonical)) return 'a part is not base64url in its one spelling'
  const read = readHeader(objectOf(header))
  if (typeof read === 'string') return read
  const members = objectOf(claims)
  if (typeof members === 'string') return `claims: ${members}`
  const issuer = members['iss']
  if (issuer !== undefined && typeof issuer !== 'string') return 'claims: iss is not a text'
  return { text, ...read, issuer, claims: members }
}

function readHeader(
  header: Readonly<Record<string, unknown>> | string,
): Pick<Token, 'algorithm' | 'kid'> | string {
  if (typeof header === 'string') return `header: ${header}`
  const { alg: algorithm, kid, typ = 'JWT', crit, b64 } = header
  if (typeof algorithm !== 'string') return 'header: alg is not a text'
  if (crit !== undefined || b64 !== undefined) return 'header: extensions that nobody here knows'
  if (typeof typ !== 'string' || !ACCEPTED_TYPES.has(typ.toLowerCase()))
    return 'header: another type of token'
  if (kid === undefined) return { algorithm, kid }
  return typeof kid === 'string' && kid.length <= MAX_KID_LENGTH
    ? { algorithm, kid }
    : 'header: kid is not a short text'
}

/**
 * Several spellings would stand for the same bytes; then a token could be changed and stay valid.
 */
function isCanonical(part: string): boolean {
  return BASE64URL.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part
}

function objectOf(part: string): Readonly<Record<string, unknown>> | string {
  const bytes = Buffer.from(part, 'base64url')
  const text = decoded(bytes)
  if (text === undefined) return 'not UTF-8'
  const parsed = parseJson(text, false, bytes)
  if (!parsed.ok) return parsed.pointer === '' ? parsed.message : 'a name is there twice'
  return isObject(parsed.value) ? parsed.value : 'not a JSON object'
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
