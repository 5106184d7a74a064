// A key set as it is used: public keys that verify one algorithm each, by name. What cannot be used
// safely is left out: other kinds, other uses, weak keys, names that stand for two keys. RFC 7517,
// RFC 8725 §3.1, §3.5
import type { JsonWebKey, KeyObject } from 'node:crypto'
import { createHash, createPublicKey } from 'node:crypto'
import { parseJson } from '../../runtime/index.ts'

const MAX_KEYS = 100
const MIN_RSA_BITS = 2_048
const MAX_RSA_BITS = 8_192

type Algorithm = 'RS256' | 'ES256' | 'EdDSA'

export interface VerificationKey {
  readonly kid: string | undefined
  readonly algorithm: Algorithm
  readonly publicKey: KeyObject
  /** Tells keys apart, whatever they are called. */
  readonly thumbprint: string
}

export type KeySet = readonly VerificationKey[]

/** The usable keys of a JSON text, or why it is no key set. */
export function readKeySet(text: string): KeySet | string {
  const parsed = parseJson(text, false)
  if (!parsed.ok) return parsed.message
  const keys = isObject(parsed.value) ? parsed.value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) return `not a set of up to ${MAX_KEYS} keys`
  const usable = keys.flatMap((key: unknown) => readJwk(key))
  return usable.filter(
    ({ kid }) => kid === undefined || usable.filter((other) => other.kid === kid).length === 1,
  )
}

/** The one key of a public key or certificate in PEM; throws where that is none, or is too weak. */
export function readPem(pem: string): KeySet {
  const publicKey = createPublicKey(pem)
  const algorithm = algorithmOf(publicKey)
  if (algorithm === undefined)
    throw new Error('the key is not one of RSA with 2048 to 8192 bits, P-256 and Ed25519')
  return [keyOf(undefined, algorithm, publicKey)]
}

/**
 * The key that a token names, or why there is none. A token that names none means the only key
 * there is; several would have to be tried.
 */
export function selectKey(
  set: KeySet,
  kid: string | undefined,
  algorithm: string,
): VerificationKey | string {
  const named =
    kid === undefined
      ? set
      : set.filter((key) => key.kid === kid || (key.kid === undefined && set.length === 1))
  const [key, ...others] = named.filter((one) => one.algorithm === algorithm)
  if (key === undefined) return 'no key of this name and algorithm'
  return others.length === 0 ? key : 'the token names no key, and there are several'
}

function readJwk(jwk: unknown): VerificationKey[] {
  if (!isObject(jwk)) return []
  const { kid, use, alg, key_ops: operations } = jwk
  if (kid !== undefined && typeof kid !== 'string') return []
  if (use !== undefined && use !== 'sig') return []
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return []
  const publicKey = publicKeyOf(jwk)
  const algorithm = publicKey && algorithmOf(publicKey)
  if (publicKey === undefined || algorithm === undefined || !fits(alg, algorithm)) return []
  return [keyOf(kid, algorithm, publicKey)]
}

/** The key of the public members alone, whatever else the key set gives away. */
function publicKeyOf({
  kty,
  crv,
  n,
  e,
  x,
  y,
}: Readonly<Record<string, unknown>>): KeyObject | undefined {
  const members = Object.entries({ kty, crv, n, e, x, y }).filter(
    ([, value]) => typeof value === 'string',
  )
  const key: JsonWebKey = Object.fromEntries(members)
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return undefined
  }
}

function algorithmOf({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): Algorithm | undefined {
  if (type === 'ed25519') return 'EdDSA'
  if (type === 'ec') return details?.namedCurve === 'prime256v1' ? 'ES256' : undefined
  const bits = details?.modulusLength ?? 0
  return type === 'rsa' && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS ? 'RS256' : undefined
}

/** One algorithm a key: one that says that it is for another is not used. */
function fits(stated: unknown, algorithm: Algorithm): boolean {
  return (
    stated === undefined || stated === algorithm || (stated === 'Ed25519' && algorithm === 'EdDSA')
  )
}

function keyOf(
  kid: string | undefined,
  algorithm: Algorithm,
  publicKey: KeyObject,
): VerificationKey {
  const thumbprint = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
  return { kid, algorithm, publicKey, thumbprint }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
