// Keys and tokens of the auth suite, made with node:crypto alone: a suite that used the library of
// the plugins it checks would share its mistakes.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export interface KeyPair {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export type Fields = Readonly<Record<string, unknown>>
/** The signature behind the second dot, for the bytes before it. */
export type Signer = (signed: string) => string

const made = new Map<string, KeyPair>()

/**
 * The RSA key of this name, the same one for the whole process: making one takes a tenth of a
 * second.
 */
export function rsaKey(kid: string, bits = 2_048): KeyPair {
  return remembered(kid, () => generateKeyPairSync('rsa', { modulusLength: bits }))
}

/** The P-256 key of this name. */
export function ecKey(kid: string): KeyPair {
  return remembered(kid, () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }))
}

/** The Ed25519 key of this name. */
export function edKey(kid: string): KeyPair {
  return remembered(kid, () => generateKeyPairSync('ed25519'))
}

function remembered(kid: string, make: () => Omit<KeyPair, 'kid'>): KeyPair {
  const pair = made.get(kid) ?? { kid, ...make() }
  made.set(kid, pair)
  return pair
}

/** The public key as a member of a key set. */
export function jwkOf({ kid, publicKey }: KeyPair, more: Fields = {}): Fields {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', ...more }
}

export function rs256({ privateKey }: KeyPair): Signer {
  return (signed) => sign('sha256', Buffer.from(signed), privateKey).toString('base64url')
}

/** RS384, RS512 and others of RSA by their digest and padding. */
export function rsaSigner({ privateKey }: KeyPair, digest: string, padding: number): Signer {
  return (signed) =>
    sign(digest, Buffer.from(signed), { key: privateKey, padding }).toString('base64url')
}

export function es256({ privateKey }: KeyPair): Signer {
  return (signed) =>
    sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
      'base64url',
    )
}

export function eddsa({ privateKey }: KeyPair): Signer {
  return (signed) => sign(null, Buffer.from(signed), privateKey).toString('base64url')
}

export function hs256(secret: string | Uint8Array): Signer {
  return (signed) => createHmac('sha256', secret).update(signed).digest('base64url')
}

export const unsigned: Signer = () => ''

/** A token; header and claims may be given as text, to say what no object can. */
export function makeToken(
  header: Fields | string,
  claims: Fields | string,
  signer: Signer,
): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${signer(signed)}`
}

export function encode(value: Fields | string): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  )
}

/** Seconds since 1970, `ahead` from now. */
export function secondsFromNow(ahead: number): number {
  return Math.floor(Date.now() / 1_000) + ahead
}
