// Public keys of external parties and the signatures made with them. Numbers of formats and specs
// are those of the topology messages; the interface numbers them differently, so everything goes by
// name. docs/ledger-rules.md, "Topology"
import { createPublicKey, ECDH, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { SigningPublicKey } from '../../../generated/ledger/types.gen.ts'
import { fill } from '../../errors/catalogue.ts'
import { hex, multihash, purposes } from './hashing.ts'
import { texts } from './texts.ts'

export const keyFormatNumbers = { DER: 2, RAW: 3, DER_X509_SUBJECT_PUBLIC_KEY_INFO: 4 } as const
export const keySpecNumbers = { EC_CURVE25519: 1, EC_P256: 2, EC_P384: 3, EC_SECP256K1: 4 } as const
type KeyFormat = keyof typeof keyFormatNumbers
export type KeySpec = keyof typeof keySpecNumbers

/**
 * A key that was parsed and fits its spec. `bytes` are as given; `fingerprint` is 68 hex digits.
 */
export interface SigningKey {
  readonly format: KeyFormat
  readonly spec: KeySpec
  readonly bytes: Uint8Array
  readonly fingerprint: string
  readonly publicKey: KeyObject
}

export type SignatureFormat = 'RAW' | 'DER' | 'CONCAT' | 'SYMBOLIC'
export type SignatureAlgorithm = 'ED25519' | 'EC_DSA_SHA_256' | 'EC_DSA_SHA_384'

export interface KeySignature {
  readonly format: SignatureFormat
  readonly algorithm: SignatureAlgorithm
  readonly bytes: Uint8Array
  /** Fingerprint of the key. */
  readonly signedBy: string
}

const ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const ED25519_KEY_LENGTH = 32
const ED25519_SIGNATURE_LENGTH = 64

interface Curve {
  /** Name in node:crypto, JWK name and bytes of a coordinate. */
  readonly named: string
  readonly jwk: string
  readonly size: number
}

const curves: Readonly<Record<Exclude<KeySpec, 'EC_CURVE25519'>, Curve>> = {
  EC_P256: { named: 'prime256v1', jwk: 'P-256', size: 32 },
  EC_P384: { named: 'secp384r1', jwk: 'P-384', size: 48 },
  EC_SECP256K1: { named: 'secp256k1', jwk: 'secp256k1', size: 32 },
}

interface Algorithm {
  readonly digest: string | null
  readonly specs: readonly KeySpec[]
}

const algorithms: Readonly<Record<SignatureAlgorithm, Algorithm>> = {
  ED25519: { digest: null, specs: ['EC_CURVE25519'] },
  EC_DSA_SHA_256: { digest: 'sha256', specs: ['EC_P256', 'EC_SECP256K1'] },
  EC_DSA_SHA_384: { digest: 'sha384', specs: ['EC_P384'] },
}

/** The key of a request (docs/ledger-rules.md, "Topology"), or the text of its problem. */
export function parseSigningPublicKey(key: SigningPublicKey): SigningKey | string {
  const format = nameOf(keyFormatNumbers, key.format.replace('CRYPTO_KEY_FORMAT_', ''))
  if (format === undefined) return texts.keyFormatUnspecified
  const spec = nameOf(keySpecNumbers, key.keySpec.replace('SIGNING_KEY_SPEC_', ''))
  if (spec === undefined) return texts.keySpecUnspecified
  return signingKey(format, spec, Buffer.from(key.keyData, 'base64'))
}

/** The key that the bytes hold in the stated format, or the text of its problem. */
export function signingKey(
  format: KeyFormat,
  spec: KeySpec,
  bytes: Uint8Array,
): SigningKey | string {
  if (bytes.length === 0) return texts.keyEmpty
  const publicKey = format === 'RAW' ? rawKey(spec, bytes) : derKey(bytes)
  if (publicKey === undefined) return fill(texts.keyMalformed, { format })
  if (!fits(publicKey, spec)) return fill(texts.keyOfOtherSpec, { spec })
  return { format, spec, bytes, fingerprint: fingerprint(format, spec, bytes), publicKey }
}

/**
 * Fingerprint of a key: of an Ed25519 key in X.509 form the raw key is hashed, of all others the
 * bytes as given.
 */
export function fingerprint(format: KeyFormat, spec: KeySpec, bytes: Uint8Array): string {
  const stripped = spec === 'EC_CURVE25519' && format === 'DER_X509_SUBJECT_PUBLIC_KEY_INFO'
  return hex(
    multihash(
      purposes.publicKeyFingerprint,
      stripped ? bytes.subarray(ED25519_SPKI_PREFIX.length) : bytes,
    ),
  )
}

/**
 * Why a signature does not prove that the key's owner signed the message, or undefined when it
 * does.
 */
export function signatureProblem(
  key: SigningKey,
  message: Uint8Array,
  signature: KeySignature,
): string | undefined {
  const { format, algorithm } = signature
  const { digest, specs } = algorithms[algorithm]
  if (!specs.includes(key.spec))
    return fill(texts.algorithmOfOtherKey, { algorithm, spec: key.spec })
  if (!formatFits(signature)) return fill(texts.signatureFormat, { format, algorithm })
  const valid = verify(digest, message, { key: key.publicKey, dsaEncoding: 'der' }, signature.bytes)
  return valid ? undefined : fill(texts.signatureInvalid, { key: key.fingerprint })
}

/** RAW is the older name of what CONCAT and DER say exactly. */
function formatFits({ format, algorithm, bytes }: KeySignature): boolean {
  if (algorithm !== 'ED25519') return format === 'DER' || format === 'RAW'
  return (format === 'CONCAT' || format === 'RAW') && bytes.length === ED25519_SIGNATURE_LENGTH
}

/**
 * Bytes that are not exactly the one encoding of the key are refused: otherwise one key had many
 * fingerprints.
 */
function derKey(bytes: Uint8Array): KeyObject | undefined {
  const key = attempt(() =>
    createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' }),
  )
  return key?.export({ format: 'der', type: 'spki' }).equals(bytes) ? key : undefined
}

function rawKey(spec: KeySpec, bytes: Uint8Array): KeyObject | undefined {
  if (spec !== 'EC_CURVE25519') return pointKey(curves[spec], bytes)
  return bytes.length === ED25519_KEY_LENGTH
    ? derKey(Buffer.concat([ED25519_SPKI_PREFIX, bytes]))
    : undefined
}

/** A point of a curve, compressed or not, as a key. */
function pointKey({ named, jwk, size }: Curve, bytes: Uint8Array): KeyObject | undefined {
  return attempt(() => {
    const point = Buffer.from(
      ECDH.convertKey(bytes, named, undefined, 'hex', 'uncompressed').toString(),
      'hex',
    )
    const x = point.subarray(1, 1 + size).toString('base64url')
    const y = point.subarray(1 + size).toString('base64url')
    return createPublicKey({ key: { kty: 'EC', crv: jwk, x, y }, format: 'jwk' })
  })
}

function fits(key: KeyObject, spec: KeySpec): boolean {
  if (spec === 'EC_CURVE25519') return key.asymmetricKeyType === 'ed25519'
  return (
    key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curves[spec].named
  )
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** The name in a table that a text is. */
export function nameOf<T extends string>(
  numbers: Readonly<Record<T, number>>,
  wanted: string,
): T | undefined {
  for (const name in numbers) if (name === wanted) return name
  return undefined
}
