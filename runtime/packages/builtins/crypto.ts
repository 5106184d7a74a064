// Hashes and signatures over texts; bytes are texts of lower-case hexadecimal digits.
import { createHash, createPublicKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { malformed } from '../values/failure.ts'
import { text } from './arguments.ts'
import { keccak256 } from './keccak.ts'
import { isOnCurve, parseSignature, verifies } from './secp256k1.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'
import type { Point } from './secp256k1.ts'

const HEX = /^(?:[0-9a-f]{2})*$/
/** Steps that checks of a signature and of a key are worth. */
const SIGNATURE_STEPS = 1_500_000
const KEY_STEPS = 5_000
/** Steps that a block of a hash is worth, and its bytes. */
const BLOCK_STEPS = 20
const BLOCK_BYTES = 64
/** Steps that a byte of Keccak-256 is worth, which is our code. */
const KECCAK_STEPS = 30

export const cryptoFunctions = {
  SHA256_TEXT: (meter: Meter, value: Value) => sha256(meter, Buffer.from(text(value))),
  SHA256_HEX: (meter: Meter, value: Value) => sha256(meter, bytesOf(value, 'hex string')),
  KECCAK256_TEXT: (meter: Meter, value: Value) => {
    const bytes = bytesOf(value, 'hex string')
    meter.work(KECCAK_STEPS * (bytes.length + 136))
    return keccak256(bytes).toString('hex')
  },
  TEXT_TO_HEX: (meter: Meter, value: Value) => {
    spend(meter, text(value).length)
    return Buffer.from(text(value)).toString('hex')
  },
  HEX_TO_TEXT: (meter: Meter, value: Value) => {
    spend(meter, text(value).length)
    return bytesOf(value, 'hex string argument').toString()
  },
  SECP256K1_BOOL: (meter: Meter, signature: Value, message: Value, key: Value) =>
    verified(meter, signature, sha256(meter, bytesOf(message, 'message hex string')), key),
  SECP256K1_WITH_ECDSA_BOOL: verified,
  SECP256K1_VALIDATE_KEY: (meter: Meter, key: Value) => {
    meter.work(KEY_STEPS)
    return isOnCurve(pointOf(key))
  },
}

function verified(meter: Meter, signature: Value, digest: Value, key: Value): boolean {
  meter.work(SIGNATURE_STEPS)
  const signed = parseSignature(bytesOf(signature, 'signature hex string'))
  const hash = bytesOf(digest, 'message hex string')
  const point = pointOf(key)
  if (signed === undefined) throw malformed('the signature is not in DER format')
  return verifies(signed, hash, point)
}

function sha256(meter: Meter, bytes: Buffer): string {
  spend(meter, bytes.length)
  return createHash('sha256').update(bytes).digest('hex')
}

function spend(meter: Meter, bytes: number): void {
  meter.work(BLOCK_STEPS * (1 + Math.ceil(bytes / BLOCK_BYTES)))
  meter.allocate(Math.ceil(bytes / 8))
}

function bytesOf(value: Value, what: string): Buffer {
  const given = text(value)
  if (!HEX.test(given)) throw malformed(`can not parse ${what}`)
  return Buffer.from(given, 'hex')
}

/** The point that a key in X.509 format is. */
function pointOf(key: Value): Point {
  const bytes = bytesOf(key, 'DER encoded public key hex string')
  const { kty, crv, x, y } = jwkOf(bytes)
  if (kty !== 'EC' || crv !== 'secp256k1' || x === undefined || y === undefined)
    throw malformed('the public key is none of secp256k1')
  return { x: numberOf(x), y: numberOf(y) }
}

function jwkOf(bytes: Buffer): JsonWebKey {
  try {
    return createPublicKey({ key: bytes, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  } catch {
    throw malformed('the public key is not in X.509 format')
  }
}

function numberOf(base64url: string): bigint {
  return BigInt(`0x${Buffer.from(base64url, 'base64url').toString('hex')}`)
}
