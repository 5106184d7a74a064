// Tokens of the ledger's identity providers and of parties: only as long as the directory says so.
// docs/authentication.md
import { createHash } from 'node:crypto'
import type { PartyKey } from '../../host/plugin.ts'
import type { IdentityProviderRecord, UserRecord } from '../../store/store.ts'
import type { Check, Kit } from './check.ts'
import {
  ecKey,
  eddsa,
  edKey,
  es256,
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
  secondsFromNow,
} from './tokens.ts'
import type { Fields, KeyPair, Signer } from './tokens.ts'

const PROVIDER = 'https://provider.example/'
const OF_PROVIDER = { identityProviderId: 'idp' }

export const providerChecks: readonly Check[] = [
  provider('a token of an identity provider names a user of that provider', async (kit) => {
    await kit.accepts(ofProvider(kit), OF_PROVIDER)
    await kit.accepts(ofProvider(kit, { aud: undefined }), OF_PROVIDER)
    await kit.accepts(kit.token())
  }),
  provider(
    'a deactivated identity provider lets nobody in, at once, and lets in again',
    async (kit) => {
      const token = ofProvider(kit)
      await kit.accepts(token, OF_PROVIDER)
      change(kit, { isDeactivated: true })
      await kit.refuses(token)
      await kit.refuses(ofProvider(kit, { jti: 'fresh' }))
      change(kit, { isDeactivated: false })
      await kit.accepts(token, OF_PROVIDER)
    },
  ),
  provider('a deleted identity provider lets nobody in', async (kit) => {
    const token = ofProvider(kit)
    await kit.accepts(token, OF_PROVIDER)
    kit.directory.providers.clear()
    await kit.refuses(token)
  }),
  provider('an audience that a provider gets counts for tokens that were accepted', async (kit) => {
    const [token, fitting] = [
      ofProvider(kit, { aud: undefined }),
      ofProvider(kit, { aud: ['x', 'https://mine.example/'] }),
    ]
    await kit.accepts(token, OF_PROVIDER)
    change(kit, { audience: 'https://mine.example/' })
    await kit.refuses(token)
    await kit.accepts(fitting, OF_PROVIDER)
    await kit.refuses(ofProvider(kit, { aud: 'https://MINE.example/' }))
  }),
  provider(
    'an issuer that a provider changes counts for tokens that were accepted',
    async (kit) => {
      const token = ofProvider(kit)
      await kit.accepts(token, OF_PROVIDER)
      change(kit, { issuer: 'https://moved.example/' })
      await kit.refuses(token)
      await kit.accepts(ofProvider(kit, { iss: 'https://moved.example/' }), OF_PROVIDER)
    },
  ),
  provider(
    'an address of keys that a provider changes counts for tokens that were accepted',
    async (kit) => {
      const token = ofProvider(kit)
      await kit.accepts(token, OF_PROVIDER)
      change(kit, { jwksUrl: kit.keyServer.url.replace('/keys', '/other') })
      kit.keyServer.serve(jwkOf(rsaKey('second')))
      await kit.refuses(token)
    },
  ),
  provider('providers use RS256 only, whatever their keys could do', async (kit) => {
    const [elliptic, edwards] = [ecKey('elliptic'), edKey('edwards')]
    kit.keyServer.serve(jwkOf(kit.mainKey), jwkOf(elliptic), jwkOf(edwards))
    await kit.accepts(ofProvider(kit), OF_PROVIDER)
    await kit.refuses(
      kit.token({ iss: PROVIDER }, { alg: 'ES256', kid: elliptic.kid }, es256(elliptic)),
    )
    await kit.refuses(
      kit.token({ iss: PROVIDER }, { alg: 'EdDSA', kid: edwards.kid }, eddsa(edwards)),
    )
  }),
  provider('a key of one provider signs for no other', async (kit) => {
    const own = rsaKey('second')
    const other = {
      id: 'other',
      issuer: 'https://other.example/',
      jwksUrl: `${kit.keyServer.url}/other`,
    }
    kit.directory.providers.set('other', { ...record(kit), ...other })
    kit.keyServer.answer(({ url }, response) =>
      response
        .writeHead(200)
        .end(JSON.stringify({ keys: [jwkOf(url === '/keys' ? kit.mainKey : own)] })),
    )
    await kit.accepts(ofProvider(kit), OF_PROVIDER)
    await kit.accepts(kit.token({ iss: 'https://other.example/' }, { kid: own.kid }, rs256(own)), {
      identityProviderId: 'other',
    })
    await kit.refuses(ofProvider(kit, { iss: 'https://other.example/' }))
    await kit.refuses(kit.token({ iss: PROVIDER }, { kid: own.kid }, rs256(own)))
  }),
]

interface PartyTokens {
  readonly party: string
  readonly key: KeyPair
  readonly fingerprint: string
  /** A good token of ann, changed. */
  token(change?: Fields, header?: Fields, signer?: Signer): string
}

export const partyTokenChecks: readonly Check[] = [
  party(
    'a token that the primary party signed names its user, with both kinds of keys',
    async (kit, { token }) => {
      await kit.accepts(token(), { userId: 'ann' })
      await kit.accepts(token({ aud: ['x', ...kit.directory.audience.toReversed()] }), {
        userId: 'ann',
      })
      const elliptic = addParty(kit, ecKey('party-elliptic'), 'ES256')
      await kit.accepts(elliptic.token(), { userId: 'ann' })
    },
  ),
  party('a user who is not authenticated by a party', async (kit, { token }) => {
    const early = token()
    await kit.accepts(early, { userId: 'ann' })
    changeUser(kit, { primaryPartyAuthentication: false })
    await kit.refuses(early)
    await kit.refuses(token({ jti: 'fresh' }))
  }),
  party('a user who was deactivated or deleted', async (kit, { token }) => {
    const early = token()
    await kit.accepts(early, { userId: 'ann' })
    changeUser(kit, { isDeactivated: true })
    await kit.refuses(early)
    kit.directory.users.clear()
    await kit.refuses(early)
    await kit.refuses(token({ jti: 'fresh' }))
  }),
  party('a user of another primary party', async (kit, { token, party: own }) => {
    await kit.accepts(token(), { userId: 'ann' })
    changeUser(kit, { primaryParty: own.replace('ann', 'bob') })
    await kit.refuses(token({ jti: 'fresh' }))
    await kit.refuses(token({ sub: 'bob' }))
  }),
  party('a user of a deactivated identity provider', async (kit, { token }) => {
    kit.directory.providers.set('idp', record(kit))
    changeUser(kit, OF_PROVIDER)
    await kit.accepts(token(), { userId: 'ann', ...OF_PROVIDER })
    change(kit, { isDeactivated: true })
    await kit.refuses(token({ jti: 'fresh' }))
  }),
  party('a key that the party no longer has', async (kit, { token, party: own }) => {
    const early = token()
    await kit.accepts(early, { userId: 'ann' })
    kit.directory.parties.set(own, [])
    await kit.refuses(early)
    await kit.refuses(token({ jti: 'fresh' }))
  }),
  party(
    'a signature by another party, under its own name or this one',
    async (kit, { token, fingerprint }) => {
      await kit.accepts(token(), { userId: 'ann' })
      const other = edKey('party-other')
      await kit.refuses(token({}, {}, eddsa(other)))
      await kit.refuses(token({}, { kid: fingerprintOf(other) }, eddsa(other)))
      await kit.refuses(
        token({ iss: `ann::${fingerprintOf(other)}` }, { kid: fingerprintOf(other) }, eddsa(other)),
      )
      await kit.refuses(token({}, { kid: fingerprint.toUpperCase() }))
      await kit.refuses(token({}, { kid: undefined }))
    },
  ),
  party('another algorithm than that of the key', async (kit, { token, key }) => {
    await kit.accepts(token(), { userId: 'ann' })
    await kit.refuses(token({}, { alg: 'ES256' }))
    await kit.refuses(token({}, { alg: 'Ed25519' }))
    await kit.refuses(token({}, { alg: 'none' }, () => ''))
    await kit.refuses(token({}, { alg: 'HS256' }, () => eddsa(key)('x')))
    await kit.refuses(token({}, { alg: 'RS256' }, rs256(kit.mainKey)))
  }),
  party('an audience without this node or without its ledger', async (kit, { token }) => {
    await kit.accepts(token(), { userId: 'ann' })
    const [node = '', ledger = ''] = kit.directory.audience
    const others = [
      undefined,
      '',
      [],
      node,
      [node],
      [ledger],
      [node, ledger.slice(0, -1)],
      [node, `${ledger}0`],
      [node, ledger.toUpperCase()],
      [node.split('::')[0], ledger.split('::')[0]],
    ]
    for (const aud of others) await kit.refuses(token({ aud }))
  }),
  party('an end that is more than an hour away, or none', async (kit, { token }) => {
    const others = [
      undefined,
      secondsFromNow(3_700),
      secondsFromNow(86_400),
      secondsFromNow(-1),
      'soon',
    ]
    for (const exp of others) await kit.refuses(token({ exp }))
    await kit.accepts(token({ exp: secondsFromNow(3_590) }), { userId: 'ann' })
  }),
  party('names that no party and no user could have', async (kit, { token }) => {
    await kit.accepts(token(), { userId: 'ann' })
    for (const iss of ['ann', '::', 'ann::', 'ann::x', '\0::1220', `\ud800::1220${'0'.repeat(64)}`])
      await kit.refuses(token({ iss }))
    for (const sub of ['\0', 'an n', '\ud800', '../ann', 'x'.repeat(129), ''])
      await kit.refuses(token({ sub }))
  }),
]

function provider(name: string, run: (kit: Kit) => Promise<void>): Check {
  return {
    name,
    needs: 'providers',
    run: async (kit) => {
      kit.directory.providers.set('idp', record(kit))
      await run(kit)
    },
  }
}

function record(kit: Kit): IdentityProviderRecord {
  return {
    id: 'idp',
    issuer: PROVIDER,
    jwksUrl: kit.keyServer.url,
    audience: '',
    isDeactivated: false,
  }
}

function change({ directory }: Kit, to: Partial<IdentityProviderRecord>): void {
  for (const [id, known] of directory.providers) directory.providers.set(id, { ...known, ...to })
}

function ofProvider(kit: Kit, claims: Fields = {}): string {
  return kit.token({ iss: PROVIDER, ...claims })
}

function party(name: string, run: (kit: Kit, party: PartyTokens) => Promise<void>): Check {
  return {
    name: `tokens of parties: ${name}`,
    needs: 'partyTokens',
    run: (kit) => run(kit, addParty(kit, edKey('party'), 'EdDSA')),
  }
}

/** A party with one key, and ann, whom it authenticates. */
function addParty(
  { directory }: Kit,
  key: KeyPair,
  algorithm: NonNullable<PartyKey['algorithm']>,
): PartyTokens {
  const fingerprint = fingerprintOf(key)
  const own = `ann::${fingerprint}`
  directory.parties.set(own, [{ fingerprint, algorithm, publicKey: key.publicKey }])
  directory.users.set('ann', {
    id: 'ann',
    primaryParty: own,
    primaryPartyAuthentication: true,
    isDeactivated: false,
    identityProviderId: '',
    resourceVersion: 0n,
    annotations: {},
  })
  const usual = algorithm === 'EdDSA' ? eddsa(key) : es256(key)
  const claims = { iss: own, sub: 'ann', aud: directory.audience }
  return {
    party: own,
    key,
    fingerprint,
    token: (changed = {}, header = {}, signer = usual) =>
      makeToken(
        { alg: algorithm, kid: fingerprint, typ: 'JWT', ...header },
        { ...claims, exp: secondsFromNow(600), ...changed },
        signer,
      ),
  }
}

function changeUser({ directory }: Kit, to: Partial<UserRecord>): void {
  for (const [id, user] of directory.users) directory.users.set(id, { ...user, ...to })
}

/** Shaped as the fingerprints of the ledger are. */
function fingerprintOf({ publicKey }: KeyPair): string {
  return `1220${createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')}`
}
