// A second implementation of external party topology, written from the rules alone
// (docs/ledger-rules.md, "Topology") and sharing nothing with the service: bytes are put together
// as hex text, and keys come as hex too. It also plays the outside holder of keys.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export type Spec = 'EC_CURVE25519' | 'EC_P256' | 'EC_P384' | 'EC_SECP256K1'

/** A key pair held outside: `spki` is hex. */
export interface Holder {
  readonly spec: Spec
  readonly spki: string
  readonly fingerprint: string
  readonly privateKey: KeyObject
}

interface Kind {
  readonly number: number
  readonly curve: string
  readonly algorithm:
    | 'SIGNING_ALGORITHM_SPEC_ED25519'
    | 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256'
    | 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384'
  readonly digest: string | null
}

const kinds: Readonly<Record<Spec, Kind>> = {
  EC_CURVE25519: {
    number: 1,
    curve: 'ed25519',
    algorithm: 'SIGNING_ALGORITHM_SPEC_ED25519',
    digest: null,
  },
  EC_P256: {
    number: 2,
    curve: 'P-256',
    algorithm: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
    digest: 'sha256',
  },
  EC_P384: {
    number: 3,
    curve: 'P-384',
    algorithm: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384',
    digest: 'sha384',
  },
  EC_SECP256K1: {
    number: 4,
    curve: 'secp256k1',
    algorithm: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
    digest: 'sha256',
  },
}

export function newHolder(spec: Spec): Holder {
  const pair =
    spec === 'EC_CURVE25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: kinds[spec].curve })
  const spki = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
  return { spec, spki, fingerprint: fingerprintOf(spec, spki), privateKey: pair.privateKey }
}

/** The key as a request carries it. */
export function publicKeyOf({ spec, spki }: Pick<Holder, 'spec' | 'spki'>) {
  return {
    format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
    keyData: Buffer.from(spki, 'hex').toString('base64'),
    keySpec: `SIGNING_KEY_SPEC_${spec}`,
  } as const
}

/** The holder's signature of a hash in hex, as a request carries it. */
export function signatureOf(holder: Holder, hash: string) {
  const { algorithm, digest } = kinds[holder.spec]
  return {
    format: holder.spec === 'EC_CURVE25519' ? 'SIGNATURE_FORMAT_CONCAT' : 'SIGNATURE_FORMAT_DER',
    signature: sign(digest, Buffer.from(hash, 'hex'), holder.privateKey).toString('base64'),
    signedBy: holder.fingerprint,
    signingAlgorithmSpec: algorithm,
  } as const
}

/** Multihash in hex of a purpose and hex content. */
export function hashOf(purpose: number, content: string): string {
  return (
    '1220' +
    createHash('sha256')
      .update(Buffer.from(big32(purpose) + content, 'hex'))
      .digest('hex')
  )
}

export function fingerprintOf(spec: Spec, spki: string): string {
  return hashOf(12, spec === 'EC_CURVE25519' ? spki.slice('302a300506032b6570032100'.length) : spki)
}

export function transactionHashOf(wrapper: string): string {
  return hashOf(11, wrapper)
}

export function multiHashOf(wrappers: readonly string[]): string {
  const hashes = Array.from(new Set(wrappers.map(transactionHashOf))).sort()
  return hashOf(55, big32(hashes.length) + hashes.map((hash) => big32(34) + hash).join(''))
}

export function namespaceOf(owners: readonly string[]): string {
  return hashOf(
    37,
    Array.from(owners)
      .sort()
      .map((owner) => big32(owner.length) + utf8(owner))
      .join(''),
  )
}

export interface KeyShape {
  readonly spec: Spec
  readonly spki: string
  readonly usages?: readonly number[]
  /** RAW is 3, X.509 4; `spki` holds the bytes in either. */
  readonly format?: number
}

/** NAMESPACE, PROOF_OF_OWNERSHIP, PROTOCOL. */
const ALL_USAGES = [1, 5, 4]

export function keyMessage({ spec, spki, usages = ALL_USAGES, format = 4 }: KeyShape): string {
  return (
    varintField(2, format) +
    lengthField(3, spki) +
    lengthField(5, usages.map(varint).join('')) +
    varintField(6, kinds[spec].number)
  )
}

/** SUBMISSION 1, CONFIRMATION 2, OBSERVATION 3. */
export type Hosts = readonly (readonly [uid: string, permission: number])[]

export interface HostingShape {
  readonly party: string
  readonly threshold: number
  readonly hosts: Hosts
  readonly keys?: readonly KeyShape[]
  readonly keyThreshold?: number
  readonly serial?: number
}

export function hostingTransaction({
  party,
  threshold,
  hosts,
  keys,
  keyThreshold = 1,
  serial = 1,
}: HostingShape): string {
  const participants = hosts.map(([uid, permission]) =>
    lengthField(3, textField(1, uid) + varintField(2, permission)),
  )
  const signing = keys?.map((key) => lengthField(1, keyMessage(key))).join('')
  const keyPart =
    signing === undefined ? '' : lengthField(6, signing + varintField(2, keyThreshold))
  return wrap(
    9,
    textField(1, party) + varintField(2, threshold) + participants.join('') + keyPart,
    { serial },
  )
}

/**
 * A delegation that lets the key sign everything, or with `restricted` all but further delegations.
 */
export function delegationTransaction(
  namespace: string,
  key: KeyShape,
  restricted = false,
  envelope: Envelope = {},
): string {
  return wrap(
    1,
    textField(1, namespace) +
      lengthField(2, keyMessage(key)) +
      (restricted ? '' : lengthField(4, '')),
    envelope,
  )
}

export function keyMappingTransaction(
  party: string,
  threshold: number,
  keys: readonly KeyShape[],
  serial = 1,
): string {
  return wrap(
    16,
    textField(1, party) +
      varintField(3, threshold) +
      keys.map((key) => lengthField(4, keyMessage(key))).join(''),
    { serial },
  )
}

export function definitionTransaction(
  namespace: string,
  threshold: number,
  owners: readonly string[],
  serial = 1,
): string {
  return wrap(
    3,
    textField(1, namespace) +
      varintField(2, threshold) +
      owners.map((owner) => textField(3, owner)).join(''),
    { serial },
  )
}

export interface Envelope {
  readonly operation?: number
  readonly serial?: number
  readonly version?: number
}

/**
 * A mapping (its field number and hex content) as operation, serial and mapping in the versioned
 * wrapper, in hex.
 */
export function wrap(
  field: number,
  mapping: string,
  { operation = 1, serial = 1, version = 30 }: Envelope = {},
): string {
  const transaction =
    varintField(1, operation) + varintField(2, serial) + lengthField(3, lengthField(field, mapping))
  return lengthField(1, transaction) + varintField(2, version)
}

export function base64(hexText: string): string {
  return Buffer.from(hexText, 'hex').toString('base64')
}

function varintField(field: number, value: number): string {
  return varint(field * 8) + varint(value)
}

function textField(field: number, text: string): string {
  return lengthField(field, utf8(text))
}

function lengthField(field: number, content: string): string {
  return varint(field * 8 + 2) + varint(content.length / 2) + content
}

function varint(value: number): string {
  let rest = value
  let out = ''
  while (rest > 127) {
    out += byte((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return out + byte(rest)
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

function big32(value: number): string {
  return value.toString(16).padStart(8, '0')
}

function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}
