// Keys of issuers and of external parties, the server of the issuers' key sets, and the tokens of
// whoever asks.
import { createPublicKey, generateKeyPair } from 'node:crypto'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import {
  eddsa,
  jwkOf,
  makeToken,
  rs256,
  secondsFromNow,
} from '../../../runtime/testing/auth/tokens.ts'
import type { KeyPair } from '../../../runtime/testing/auth/tokens.ts'
import { newHolder } from '../../support/topology-reference.ts'
import type { Holder } from '../../support/topology-reference.ts'
import type { By } from '../model/rules.ts'

/**
 * The default provider's, those of the providers, one that providers change to, and one that nobody
 * serves.
 */
export const ISSUER_KEYS = ['home', 'one', 'two', 'three', 'spare', 'stranger'] as const
/** The default provider's of each node: the others issue under the same name as the first. */
const HOME_KEYS = ['home', 'home-2', 'home-3'] as const
/** Keys of external parties. */
export const PARTY_KEYS = ['k1', 'k2', 'k3'] as const

const LIFETIME_SECONDS = 3_000

export interface Keys {
  /** The address of the key set with an issuer's key. */
  urlOf(key: string): string
  holderOf(key: string): Holder
  /** Undefined for who has none. */
  tokenOf(by: By, audience: readonly string[]): string | undefined
  close(): Promise<void>
}

/** Name of the key of a node's default provider. Up to three nodes have one. */
export function homeKeyOf(index: number): string {
  const key = HOME_KEYS[index]
  if (key === undefined) throw new RangeError(`there are no keys for ${index + 1} nodes`)
  return key
}

/** Makes all of them, for that many nodes. */
export async function openKeys(nodes: number): Promise<Keys> {
  const kids = [...ISSUER_KEYS, ...HOME_KEYS.slice(1, nodes)]
  const issuers = new Map((await Promise.all(kids.map(newKey))).map((pair) => [pair.kid, pair]))
  const holders = new Map(
    PARTY_KEYS.map((name): [string, Holder] => [name, newHolder('EC_CURVE25519')]),
  )
  const server = createServer(({ url = '' }, response) => {
    const pair = issuers.get(url.slice(1))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: pair === undefined ? [] : [jwkOf(pair)] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const tokens = new Map<string, string>()
  const holderOf = (key: string): Holder => found(holders, key)
  const makeIt = (by: Exclude<By, { kind: 'nobody' }>, audience: readonly string[]): string =>
    by.kind === 'party'
      ? partyToken(by, holderOf(by.key), audience)
      : issuedToken(by, found(issuers, by.key))
  return {
    urlOf: (key) => `http://127.0.0.1:${port}/${key}`,
    holderOf,
    tokenOf: (by, audience) => {
      if (by.kind === 'nobody') return undefined
      // A party's key signs for one node, an issuer for whoever asks it.
      const name = JSON.stringify(by.kind === 'party' ? [by, audience] : by)
      const token = tokens.get(name) ?? makeIt(by, audience)
      tokens.set(name, token)
      return token
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function found<T>(map: ReadonlyMap<string, T>, name: string): T {
  const value = map.get(name)
  if (value === undefined) throw new RangeError(`there is no key ${name}`)
  return value
}

async function newKey(kid: string): Promise<KeyPair> {
  return { kid, ...(await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })) }
}

function issuedToken(
  { issuer, sub, audience }: Extract<By, { kind: 'issued' }>,
  pair: KeyPair,
): string {
  const claims = {
    iss: issuer,
    sub,
    exp: secondsFromNow(LIFETIME_SECONDS),
    ...(audience === '' ? {} : { aud: audience }),
  }
  return makeToken({ alg: 'RS256', kid: pair.kid }, claims, rs256(pair))
}

function partyToken(
  { party, sub }: Extract<By, { kind: 'party' }>,
  { privateKey, fingerprint }: Holder,
  audience: readonly string[],
): string {
  const claims = { iss: party, sub, aud: audience, exp: secondsFromNow(LIFETIME_SECONDS) }
  const pair = { kid: fingerprint, privateKey, publicKey: createPublicKey(privateKey) }
  return makeToken({ alg: 'EdDSA', kid: fingerprint }, claims, eddsa(pair))
}
