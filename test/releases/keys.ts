// The keys of a release's data: those of external parties, and the one by which an identity
// provider signs tokens. They are test data and stand in the open, so that every later version can
// act as these parties and users.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
import { jwkOf, makeToken, rs256 } from '../../runtime/testing/auth/tokens.ts'
import type { KeyPair } from '../../runtime/testing/auth/tokens.ts'
import { fingerprintOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'

const CURVE = 'EC_CURVE25519'

/** A new private key of a party as it is kept. */
export function newPartyKey(): string {
  return kept(generateKeyPairSync('ed25519').privateKey)
}

/** The signer for a party with a kept key. */
export function holderOf(key: string): Holder {
  const privateKey = privateKeyOf(key)
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex')
  return { spec: CURVE, spki, fingerprint: fingerprintOf(CURVE, spki), privateKey }
}

/** A new private key of an identity provider as it is kept. */
export function newIssuerKey(): string {
  return kept(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey)
}

/** PKCS 8 in hex. */
function kept(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('hex')
}

function privateKeyOf(key: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(key, 'hex'), format: 'der', type: 'pkcs8' })
}

/** The kept key of an identity provider, for as long as a test or a script takes. */
export interface Issuer {
  /** Address of its key set. */
  readonly jwksUrl: string
  tokenOf(user: string): string
  stop(): Promise<void>
}

const TOKEN_SECONDS = 3_600

/** Serves the key set and signs tokens by it, as the issuer that tokens name. */
export async function startIssuer(issuer: string, key: string): Promise<Issuer> {
  const privateKey = privateKeyOf(key)
  const pair: KeyPair = { kid: 'release', privateKey, publicKey: createPublicKey(privateKey) }
  const server = new KeyServer()
  server.serve(jwkOf(pair))
  await server.start()
  return {
    jwksUrl: server.url,
    tokenOf: (sub) => {
      const claims = { iss: issuer, sub, exp: Math.floor(Date.now() / 1_000) + TOKEN_SECONDS }
      return makeToken({ alg: 'RS256', kid: pair.kid }, claims, rs256(pair))
    },
    stop: () => server.stop(),
  }
}
