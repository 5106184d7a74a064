// Tokens over HTTP, against the real service: identity providers that its own operations make and
// change, users, parties, two servers on the same data, and tokens changed at random. MUTATIONS
// sets how many of these.
import assert from 'node:assert/strict'
import { createHash, randomInt, sign } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import authOpen from '../../plugins/auth-open/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import type { PluginContext } from '../../runtime/index.ts'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
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
} from '../../runtime/testing/auth/tokens.ts'
import type { Fields, KeyPair, Signer } from '../../runtime/testing/auth/tokens.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const HOME = 'https://home.example'
const PROVIDER = 'https://provider.example/'
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 1_000)
const home = rsaKey('home')
const provided = rsaKey('provided')
const keyServer = new KeyServer()

/** Everything that a refusal of a token may say, besides the ids of the request. */
const SILENT = {
  code: 'NA',
  cause: 'A security-sensitive error has been received',
  context: {},
  errorCategory: -1,
  grpcCodeValue: 16,
}

function token(claims: Fields = {}, key: KeyPair = home, header: Fields = {}): string {
  const usual = { iss: HOME, sub: 'participant_admin', aud: 'us', exp: secondsFromNow(900) }
  return makeToken({ alg: 'RS256', kid: key.kid, ...header }, { ...usual, ...claims }, rs256(key))
}

const ofProvider = (claims: Fields = {}): string =>
  token({ iss: PROVIDER, sub: 'pat', ...claims }, provided)

describe('a service with the auth plugin jwt', { concurrency: false }, () => {
  let service: Service
  let log = ''
  const bad: string[] = []
  const ask = (request: string, body?: unknown, as = token()): Promise<Answer> =>
    call(service.url, request, { token: as, body })
  const whoAmI = async (as: string, url = service.url): Promise<number> =>
    (await call(url, 'GET /v2/authenticated-user', { token: as })).status
  const changeProvider = async (fields: object, paths: readonly string[]): Promise<void> => {
    const body = {
      identityProviderConfig: { identityProviderId: 'idp', issuer: '', jwksUrl: '', ...fields },
      updateMask: { paths, unknownFields: { fields: {} } },
    }
    const answer = await ask('PATCH /v2/idps/idp', body)
    assert.equal(answer.status, 200, answer.text)
  }
  const changeUser = async (
    id: string,
    fields: object,
    paths: readonly string[],
  ): Promise<void> => {
    const answer = await ask(`PATCH /v2/users/${id}`, {
      user: { id, ...fields },
      updateMask: { paths, unknownFields: { fields: {} } },
    })
    assert.equal(answer.status, 200, answer.text)
  }

  before(async () => {
    await keyServer.start()
    keyServer.answer(({ url }, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [jwkOf(url === '/keys' ? home : provided)] }))
    })
    service = await startService({ config: { auth: [authSection()] } })
    service.process.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  })
  after(async () => {
    await service.stop()
    await keyServer.stop()
  })

  test('the administrator of the configured issuer makes a provider, whose users then come in', async () => {
    assert.equal(await whoAmI(token()), 200)
    assert.equal(await whoAmI(ofProvider()), 401)
    const config = {
      identityProviderId: 'idp',
      issuer: PROVIDER,
      jwksUrl: keyServer.url.replace('/keys', '/provider'),
    }
    assert.equal((await ask('POST /v2/idps', { identityProviderConfig: config })).status, 200)
    assert.equal(await whoAmI(ofProvider()), 403, 'the token is good, its user is nobody')
    assert.equal(
      (await ask('POST /v2/users', { user: { id: 'pat', identityProviderId: 'idp' } })).status,
      200,
    )
    assert.equal(await whoAmI(ofProvider()), 200)
    assert.equal(
      await whoAmI(ofProvider({ sub: 'participant_admin' })),
      403,
      'a user of another provider',
    )
    assert.equal(await whoAmI(token({ sub: 'pat' })), 403)
    const invalid = await call(service.url, 'GET /v2/authenticated-user', {
      token: token({ sub: 'no user id' }),
    })
    assert.deepEqual([invalid.status, /INVALID_TOKEN/.test(invalid.text)], [400, true])
  })

  test('a token in Sec-WebSocket-Protocol counts as well, that in Authorization before it', async () => {
    const header = (text: string): Record<string, string> => ({
      'sec-websocket-protocol': `jwt.token.${text},ledger.ws.auth`,
    })
    const request = 'GET /v2/authenticated-user'
    assert.equal((await call(service.url, request, { headers: header(token()) })).status, 200)
    assert.equal((await call(service.url, request, { headers: header('x.y.z') })).status, 401)
    assert.equal(
      (await call(service.url, request, { headers: header(token()), token: 'x.y.z' })).status,
      401,
    )
    assert.equal((await call(service.url, `${request}?access_token=${token()}`)).status, 401)
  })

  test('a provider that is changed is another one at once', async () => {
    const kept = ofProvider()
    assert.equal(await whoAmI(kept), 200)
    await changeProvider({ isDeactivated: true }, ['isDeactivated'])
    assert.equal(await whoAmI(kept), 401)
    assert.equal(await whoAmI(ofProvider({ jti: 'fresh' })), 401)
    await changeProvider({ isDeactivated: false }, ['isDeactivated'])
    assert.equal(await whoAmI(kept), 200)
    await changeProvider({ audience: 'theirs' }, ['audience'])
    assert.equal(await whoAmI(kept), 401)
    assert.equal(await whoAmI(ofProvider({ aud: ['x', 'theirs'] })), 200)
    await changeProvider({ audience: '' }, ['audience'])
    assert.equal(await whoAmI(kept), 200)
  })

  test('no provider gets an issuer of the configuration, which would never be asked for its users', async () => {
    const taken = (answer: Answer): void => {
      const { code, resources } = Object(answer.json)
      assert.deepEqual(
        [answer.status, code, resources],
        [409, 'IDP_CONFIG_ISSUER_ALREADY_EXISTS', [['IDENTITY_PROVIDER_CONFIG', HOME]]],
        answer.text,
      )
    }
    const before = (await ask('GET /v2/idps')).text
    const config = {
      identityProviderId: 'shadow',
      issuer: HOME,
      jwksUrl: 'https://shadow.example/keys',
    }
    taken(await ask('POST /v2/idps', { identityProviderConfig: config }))
    const id = await ask('POST /v2/idps', {
      identityProviderConfig: { ...config, identityProviderId: 'idp' },
    })
    assert.deepEqual(
      [id.status, Object(id.json).code],
      [409, 'IDP_CONFIG_ALREADY_EXISTS'],
      'the id comes first, as ever',
    )
    const body = {
      identityProviderConfig: { ...config, identityProviderId: 'idp' },
      updateMask: { paths: ['issuer'] },
    }
    taken(await ask('PATCH /v2/idps/idp', body))
    assert.equal((await ask('GET /v2/idps')).text, before)
  })

  test('a provider whose issuer the configuration gets later is named in the log, and can be changed', async () => {
    const auth = [authSection([{ issuer: PROVIDER, jwks: { keys: [jwkOf(provided)] } }])]
    const second = await startService({ config: { auth }, dataDir: service.dataDir })
    let said = ''
    second.process.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    try {
      const patch = async (paths: readonly string[], fields: object): Promise<number> =>
        (
          await call(second.url, 'PATCH /v2/idps/idp', {
            token: token(),
            body: {
              identityProviderConfig: {
                identityProviderId: 'idp',
                issuer: PROVIDER,
                jwksUrl: '',
                ...fields,
              },
              updateMask: { paths },
            },
          })
        ).status
      assert.equal(await patch(['isDeactivated', 'issuer'], { isDeactivated: true }), 200)
      assert.equal(await patch(['isDeactivated'], { isDeactivated: false }), 200)
      assert.equal(await patch(['issuer'], { issuer: 'https://other.example/' }), 200)
      assert.equal(await patch(['issuer'], {}), 409)
    } finally {
      await second.stop()
    }
    await changeProvider({ issuer: PROVIDER }, ['issuer'])
    assert.match(
      said,
      new RegExp(
        `"provider":"idp","issuer":"${PROVIDER}","msg":"the configuration has the same issuer as this identity provider`,
      ),
    )
  })

  test('no refusal tells why', async () => {
    bad.push(
      'x',
      token({ exp: 1 }),
      token({ iss: 'https://nobody.example' }),
      token({}, rsaKey('attacker')),
      token({}, home, { alg: 'none' }),
      token({ aud: 'them' }),
      ofProvider({ exp: undefined }).slice(0, -9),
      makeToken({ alg: 'none' }, { sub: 'participant_admin' }, () => ''),
    )
    const answers = await Promise.all(bad.map((text) => ask('GET /v2/users', undefined, text)))
    for (const { status, json } of answers) {
      assert.equal(status, 401)
      const { traceId: _, correlationId: __, ...said } = Object(json)
      assert.deepEqual(said, SILENT)
    }
  })

  for (const [kind, algorithm, signer] of [
    ['ed25519', 'EdDSA', eddsa],
    ['p256', 'ES256', es256],
  ] as const) {
    test(`a user is authenticated by its primary party's ${kind} key`, async () => {
      const key = kind === 'ed25519' ? edKey('outside') : ecKey('outside-ec')
      const user = `ext-${kind}`
      const party = await onboard(key, kind, user)
      const { participantId } = Object((await ask('GET /v2/parties/participant-id')).json)
      const aud = [participantId, await synchronizerId()]
      const kid = party.slice(party.lastIndexOf(':') + 1)
      const own = (claims: Fields = {}, header: Fields = {}, by: Signer = signer(key)): string =>
        makeToken(
          { alg: algorithm, kid, ...header },
          { iss: party, sub: user, aud, exp: secondsFromNow(600), ...claims },
          by,
        )
      assert.equal(await whoAmI(own()), 401, 'the user does not ask for it yet')
      await changeUser(user, { primaryParty: party, primaryPartyAuthentication: true }, [
        'primaryParty',
        'primaryPartyAuthentication',
      ])
      assert.equal(await whoAmI(own()), 200)
      const other = kind === 'ed25519' ? edKey('stranger') : ecKey('stranger-ec')
      for (const wrong of [
        own({ sub: 'participant_admin' }),
        own({ sub: '\0' }),
        own({ sub: 'a b' }),
        own({ aud: 'other' }),
        own({ aud: [participantId] }),
        own({ aud: ['participant', aud[1]] }),
        own({ aud: [participantId, `global-domain::1220${'ab'.repeat(32)}`] }),
        own({ exp: secondsFromNow(7_200) }),
        own({}, {}, signer(other)),
      ]) {
        assert.equal(await whoAmI(wrong), 401)
      }
      await changeUser(user, { primaryPartyAuthentication: false }, ['primaryPartyAuthentication'])
      assert.equal(await whoAmI(own()), 401)
    })
  }

  test(`${MUTATIONS} tokens changed at random: 401 each, no 5xx`, async () => {
    const good = token({ sub: 'participant_admin' })
    const statuses = new Map<number, number>()
    const one = async (): Promise<void> => {
      const { status } = await ask('GET /v2/users', undefined, mutated(good))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    for (let done = 0; done < MUTATIONS; done += 50)
      await Promise.all(Array.from({ length: 50 }, one))
    assert.deepEqual([...statuses.keys()], [401], JSON.stringify([...statuses]))
    assert.equal(await whoAmI(good), 200)
  })

  test('the log says why, without the tokens', async () => {
    assert.equal(await service.stop(), 0)
    for (const reason of [
      'the token has ended',
      'nobody here knows the issuer',
      'no key of this name',
      'another audience',
      'the audience does not name participant::1220',
      'the audience does not name global-domain::1220',
      'not a token of three parts',
    ]) {
      assert.ok(log.includes(reason), reason)
    }
    for (const text of [token(), ...bad].filter(({ length }) => length > 20))
      assert.ok(!log.includes(text.slice(-20)), 'a token in the log')
  })

  /** Onboards a party of the key, for a user who may act as it. */
  async function synchronizerId(): Promise<string> {
    const { json } = await ask('GET /v2/state/connected-synchronizers')
    const {
      connectedSynchronizers: [first],
    } = Object(json)
    return first.synchronizerId
  }

  async function onboard(key: KeyPair, kind: 'ed25519' | 'p256', user: string): Promise<string> {
    const [keySpec, format, signingAlgorithmSpec] =
      kind === 'ed25519'
        ? [
            'SIGNING_KEY_SPEC_EC_CURVE25519',
            'SIGNATURE_FORMAT_CONCAT',
            'SIGNING_ALGORITHM_SPEC_ED25519',
          ]
        : [
            'SIGNING_KEY_SPEC_EC_P256',
            'SIGNATURE_FORMAT_DER',
            'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256',
          ]
    const synchronizer = await synchronizerId()
    const keyData = key.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const publicKey = {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keyData,
      keySpec,
    }
    const made = Object(
      (
        await ask('POST /v2/parties/external/generate-topology', {
          synchronizer,
          partyHint: user,
          publicKey,
        })
      ).json,
    )
    const signature = sign(
      kind === 'ed25519' ? null : 'sha256',
      Buffer.from(made.multiHash, 'base64'),
      key.privateKey,
    ).toString('base64')
    assert.equal((await ask('POST /v2/users', { user: { id: user } })).status, 200)
    const allocated = await ask('POST /v2/parties/external/allocate', {
      synchronizer,
      userId: user,
      onboardingTransactions: made.topologyTransactions.map((transaction: string) => ({
        transaction,
      })),
      multiHashSignatures: [
        { format, signingAlgorithmSpec, signature, signedBy: made.publicKeyFingerprint },
      ],
    })
    assert.equal(allocated.status, 200, allocated.text)
    return made.partyId
  }
})

test('the command token issues what a shared secret signs, and the service beside open tokens takes both', async () => {
  const jwt = { use: 'jwt', unsafeHmac: { secret: 'a-secret-of-more-than-32-characters' } }
  const service = await startService({
    config: { auth: [jwt, { use: 'open' }], storage: { use: 'memory' } },
  })
  try {
    const issued = await service.token('participant_admin')
    assert.equal((await call(service.url, 'GET /v2/users', { token: issued })).status, 200)
    assert.equal(
      (await call(service.url, 'GET /v2/users', { token: `${issued.slice(0, -2)}AA` })).status,
      401,
    )
    const open = await authOpen.setup(openContext(service), {
      allowNonLoopback: false,
      cacheSize: 2,
    })
    assert.equal(
      (
        await call(service.url, 'GET /v2/users', {
          token: (await open.issue?.('participant_admin')) ?? '',
        })
      ).status,
      200,
    )
  } finally {
    await service.stop()
  }
})

function openContext({ dataDir }: Service): PluginContext {
  const listen = { host: '127.0.0.1', port: 0 }
  return {
    name: 'open',
    log: silentLog,
    clock: systemClock,
    profile: 'dev',
    dataDir,
    documents: [],
    listen,
  }
}

function authSection(more: readonly object[] = []): object {
  return {
    use: 'jwt',
    requireExpiry: true,
    keys: { allowPrivateAddresses: ['127.0.0.0/8'] },
    issuers: [{ issuer: HOME, jwksUrl: keyServer.url, audience: 'us' }, ...more],
  }
}

/** One to three characters of a token changed, taken away or added; what a header can carry. */
function mutated(good: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/~!'
  let text = good
  for (let steps = randomInt(1, 4); steps > 0; steps -= 1) {
    const at = randomInt(text.length)
    const letter = letters[randomInt(letters.length)] ?? ''
    text = text.slice(0, at) + (randomInt(3) === 0 ? '' : letter) + text.slice(at + randomInt(2))
  }
  return text === good ? createHash('sha256').update(text).digest('hex') : text
}
