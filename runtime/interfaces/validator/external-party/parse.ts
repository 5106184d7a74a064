// Values of requests that their document cannot check: keys, signatures and bytes, as external
// parties hand them in. docs/external-parties.md
import { signingKey } from '../../../participant/topology/signing-key.ts'
import type { SigningKey } from '../../../participant/topology/signing-key.ts'
import { badRequest } from '../../../economy/errors.ts'
import type { PlainError } from '../../../economy/errors.ts'

const KEY = /^[0-9a-f]{64}$/i
const SIGNATURE = /^[0-9a-f]{128}$/i
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** A raw Ed25519 public key in hexadecimal. */
export function readPublicKey(text: string): SigningKey | PlainError {
  if (!KEY.test(text))
    return badRequest('public_key must be the 32 bytes of an Ed25519 key in hexadecimal')
  const key = signingKey('RAW', 'EC_CURVE25519', Buffer.from(text, 'hex'))
  return typeof key === 'string' ? badRequest(`public_key: ${key}`) : key
}

/** An Ed25519 signature in hexadecimal, r and then s. */
export function readSignature(field: string, text: string): Uint8Array | PlainError {
  return SIGNATURE.test(text)
    ? Buffer.from(text, 'hex')
    : badRequest(`${field} must be the 64 bytes of an Ed25519 signature in hexadecimal`)
}

/** The bytes of a base64 text with padding. */
export function readBase64(field: string, text: string): Uint8Array | PlainError {
  return text !== '' && BASE64.test(text)
    ? Buffer.from(text, 'base64')
    : badRequest(`${field} is not base64`)
}
