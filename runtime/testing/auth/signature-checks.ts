// Attacks on the signature: none, another algorithm, another key, another token's. RFC 8725 §2.1,
// §3.1
import assert from 'node:assert/strict'
import { constants } from 'node:crypto'
import { attack } from './check.ts'
import type { Check } from './check.ts'
import {
  ecKey,
  es256,
  hs256,
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
  rsaSigner,
  unsigned,
} from './tokens.ts'

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants

export const signatureChecks: readonly Check[] = [
  {
    name: 'a good token names its user, again and again, and with its audience among a thousand',
    run: async (kit) => {
      const token = kit.token()
      for (const _ of [1, 2, 3]) await kit.accepts(token)
      const { aud } = kit.claims()
      await kit.accepts(
        kit.token({ aud: [...Array.from({ length: 1_000 }, (_, at) => `a${at}`), aud] }),
      )
      await kit.accepts(kit.token({ sub: 'bob' }), { userId: 'bob' })
    },
  },
  attack('the algorithm none, without a signature', (kit) =>
    kit.token({}, { alg: 'none' }, unsigned),
  ),
  attack('the algorithm none in other letters', (kit) =>
    ['None', 'NONE', 'nOnE', 'none '].map((alg) => kit.token({}, { alg }, unsigned)),
  ),
  attack('the algorithm none, with the signature of a good token', (kit) => {
    const signature = kit.token().split('.')[2] ?? ''
    return kit.token({}, { alg: 'none' }, () => signature)
  }),
  attack('no algorithm at all', (kit) =>
    [undefined, null, '', 7, ['RS256']].map((alg) => kit.token({}, { alg })),
  ),
  attack('HS256 with the public key as the secret', (kit) => {
    const pem = kit.mainKey.publicKey.export({ format: 'pem', type: 'spki' })
    const der = kit.mainKey.publicKey.export({ format: 'der', type: 'spki' })
    return [pem, String(pem).trim(), der].map((secret) =>
      kit.token({}, { alg: 'HS256' }, hs256(secret)),
    )
  }),
  attack('HS256 with the members of the public key as the secret', (kit) => {
    const jwk = jwkOf(kit.mainKey)
    const modulus = String(jwk['n'])
    const secrets = [modulus, Buffer.from(modulus, 'base64url'), JSON.stringify(jwk)]
    return secrets.map((secret) => kit.token({}, { alg: 'HS256' }, hs256(secret)))
  }),
  attack('HS256 with an empty secret', (kit) => kit.token({}, { alg: 'HS256' }, hs256(''))),
  attack('RS384 and RS512 by the right key', (kit) =>
    [384, 512].map((bits) =>
      kit.token({}, { alg: `RS${bits}` }, rsaSigner(kit.mainKey, `sha${bits}`, RSA_PKCS1_PADDING)),
    ),
  ),
  attack('PS256 by the right key, under both names', (kit) =>
    ['PS256', 'RS256'].map((alg) =>
      kit.token({}, { alg }, rsaSigner(kit.mainKey, 'sha256', RSA_PKCS1_PSS_PADDING)),
    ),
  ),
  {
    name: 'ES256 by an elliptic key that is in the set: only RS256 is asked for',
    run: async (kit) => {
      const elliptic = ecKey('elliptic')
      kit.keyServer.serve(jwkOf(kit.mainKey), jwkOf(elliptic))
      await kit.accepts(kit.token())
      await kit.refuses(kit.token({}, { alg: 'ES256', kid: elliptic.kid }, es256(elliptic)))
      await kit.refuses(kit.token({}, { alg: 'RS256', kid: elliptic.kid }, es256(elliptic)))
    },
  },
  attack('a strange key under the name of the right one', (kit) =>
    kit.token({}, {}, rs256(rsaKey('attacker'))),
  ),
  attack('a key that the token brings along', (kit) => {
    const attacker = rsaKey('attacker')
    const jwk = attacker.publicKey.export({ format: 'jwk' })
    return [{}, { kid: attacker.kid }, { kid: undefined }].map((header) =>
      kit.token({}, { jwk, ...header }, rs256(attacker)),
    )
  }),
  attack('a certificate that the token brings along', (kit) => {
    const attacker = rsaKey('attacker')
    const der = attacker.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    return kit.token({}, { x5c: [der], kid: undefined }, rs256(attacker))
  }),
  {
    name: 'an address of keys that the token names: never asked',
    run: async (kit) => {
      await kit.accepts(kit.token())
      const attacker = rsaKey('attacker')
      const elsewhere = kit.keyServer.url.replace('/keys', '/attacker')
      for (const header of [
        { jku: elsewhere },
        { x5u: elsewhere },
        { jku: elsewhere, kid: elsewhere },
      ]) {
        await kit.refuses(kit.token({}, header, rs256(attacker)))
      }
      assert.ok(!kit.keyServer.asked.includes('/attacker'))
    },
  },
  attack('the signature stripped', (kit) => {
    const [header, claims] = kit.token().split('.')
    return [`${header}.${claims}.`, `${header}.${claims}`]
  }),
  attack('the signature of another token', (kit) => {
    const [header, claims] = kit.token({ sub: 'admin' }).split('.')
    return `${header}.${claims}.${kit.token().split('.')[2]}`
  }),
  attack('other claims under a good signature', (kit) => {
    const [header, , signature] = kit.token().split('.')
    const claims = Buffer.from(JSON.stringify(kit.claims({ sub: 'admin' }))).toString('base64url')
    return `${header}.${claims}.${signature}`
  }),
  attack('another header under a good signature', (kit) => {
    const [, claims, signature] = kit.token().split('.')
    const header = Buffer.from(
      JSON.stringify({ alg: 'RS256', kid: kit.mainKey.kid, typ: 'JWT' }),
    ).toString('base64url')
    return `${header}.${claims}.${signature}`
  }),
  attack('a signature cut short, made longer, or all zeros', (kit) => {
    const token = kit.token()
    const at = token.lastIndexOf('.') + 1
    const zeros = Buffer.alloc(256).toString('base64url')
    return [
      token.slice(0, -1),
      token.slice(0, -20),
      `${token}AA`,
      `${token}A`,
      token.slice(0, at) + zeros,
      `${token.slice(0, at)}AA`,
    ]
  }),
  attack('another spelling of the same signature', (kit) => otherSpellings(kit.token())),
  attack('an encrypted token', (kit) => {
    const header = Buffer.from(
      JSON.stringify({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: kit.mainKey.kid }),
    ).toString('base64url')
    return `${header}.AAAA.AAAA.AAAA.AAAA`
  }),
  attack('a good token within a token', (kit) => {
    const attacker = rsaKey('attacker')
    return makeToken(
      { alg: 'RS256', cty: 'JWT', kid: kit.mainKey.kid },
      kit.token(),
      rs256(attacker),
    )
  }),
]

/** The bits of the last letter that stand for nothing, set in every other way; and padding. */
function otherSpellings(token: string): readonly string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const [head, last] = [token.slice(0, -1), letters.indexOf(token.slice(-1))]
  const others = [...letters].filter((_, at) => at !== last && at >> 4 === last >> 4)
  return [
    ...others.map((letter) => head + letter),
    `${token}=`,
    `${token}==`,
    token.replaceAll('-', '+').replaceAll('_', '/'),
  ].filter((other) => other !== token)
}
