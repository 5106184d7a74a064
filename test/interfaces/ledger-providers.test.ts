// Identity providers over HTTP, on each storage. docs/ledger-rules.md, "Identity providers" and
// "Errors"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  argument,
  assertRefused,
  invalidField,
  missing,
  refusal,
  UNAUTHENTICATED,
  type Documented,
} from '../support/documented.ts'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const config = (identityProviderId: string, rest: object = {}): object => ({
  identityProviderConfig: {
    identityProviderId,
    issuer: `https://${identityProviderId}.example.org/path`,
    jwksUrl: `https://${identityProviderId}.example.org/jwks`,
    ...rest,
  },
})
const patch = (id: string, paths: string[], rest: object = {}): object => ({
  ...config(id, rest),
  updateMask: { paths },
})
type Refused = readonly [name: string, request: string, CallOptions, string | Documented]

const REFUSED: readonly Refused[] = [
  [
    '21 an update of a provider that is not there',
    'PATCH /v2/idps/nope',
    { body: patch('nope', ['issuer']) },
    refusal(11, 'IDP_CONFIG_NOT_FOUND', {
      resources: [['IDENTITY_PROVIDER_CONFIG', 'nope']],
      cause: 'updating identity provider config failed for unknown identity provider id="nope"',
    }),
  ],
  [
    '22 an issuer that another provider has',
    'PATCH /v2/idps/a',
    { body: patch('a', ['issuer'], { issuer: 'https://b.example.org/path' }) },
    refusal(10, 'IDP_CONFIG_ISSUER_ALREADY_EXISTS', {
      resources: [['IDENTITY_PROVIDER_CONFIG', 'https://b.example.org/path']],
    }),
  ],
  [
    '23 an update without a mask',
    'PATCH /v2/idps/a',
    { body: config('a') },
    missing('update_mask'),
  ],
  ['24 malformed JSON', 'PATCH /v2/idps/a', { raw: '{bad' }, 'Invalid value for: body ('],
  [
    'an update of another provider than the path says',
    'PATCH /v2/idps/a',
    { body: patch('b', ['issuer']) },
    { ...argument('a does not match idp in body: Some(b)'), definiteAnswer: false },
  ],
  [
    'an unknown path in the mask',
    'PATCH /v2/idps/a',
    { body: patch('a', ['jwks']) },
    refusal(8, 'INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST', {
      cause: /'jwks' points to an unknown field\.$/,
    }),
  ],
  [
    'a key address with a token for a user',
    'PATCH /v2/idps/a',
    { body: patch('a', ['jwksUrl'], { jwksUrl: 'https://token@c.example.org/jwks' }) },
    invalidField('jwks_url: Malformed URL: a key address has no user and no password'),
  ],
  ['no configuration', 'POST /v2/idps', { body: {} }, missing('identity_provider_config')],
  ['a provider that is not there', 'GET /v2/idps/nope', {}, refusal(11, 'IDP_CONFIG_NOT_FOUND')],
  [
    'a deletion of a provider that has users',
    'DELETE /v2/idps/a',
    {},
    argument('Identity provider a still has users or parties.'),
  ],
]

/** Configurations that are not taken, by the id and what is not as usual. */
const NOT_TAKEN: readonly (readonly [name: string, id: string, rest: object, Documented])[] = [
  [
    'an id that is taken',
    'a',
    {},
    refusal(10, 'IDP_CONFIG_ALREADY_EXISTS', { resources: [['IDENTITY_PROVIDER_CONFIG', 'a']] }),
  ],
  [
    'an issuer that is taken',
    'c',
    { issuer: 'https://a.example.org/path' },
    refusal(10, 'IDP_CONFIG_ISSUER_ALREADY_EXISTS'),
  ],
  ['an empty id', '', {}, missing('identity_provider_id')],
  [
    'an id that is no ledger string',
    'ä',
    { issuer: 'https://x.example.org', jwksUrl: 'https://x.example.org' },
    invalidField('identity_provider_id: non expected character 0xe4 in Ledger String "ä"'),
  ],
  ['no issuer', 'c', { issuer: '' }, missing('issuer')],
  ['no key address', 'c', { jwksUrl: '' }, missing('jwks_url')],
  [
    'an issuer without https',
    'c',
    { issuer: 'http://c.example.org' },
    invalidField(/Invalid field issuer: Malformed URL: /),
  ],
  ['an issuer with a query', 'c', { issuer: 'https://c.example.org?x=1' }, invalidField(/query/)],
  [
    'an issuer with a fragment',
    'c',
    { issuer: 'https://c.example.org#x' },
    invalidField(/fragment/),
  ],
  [
    'a key address that is none',
    'c',
    { jwksUrl: 'not a url' },
    invalidField(/Invalid field jwks_url: Malformed URL: /),
  ],
  [
    'a key address of a file',
    'c',
    { jwksUrl: 'file:///etc/passwd' },
    invalidField(/neither http nor https$/),
  ],
  [
    'a key address with a user',
    'c',
    { jwksUrl: 'https://ann:swordfish@c.example.org/jwks' },
    invalidField('jwks_url: Malformed URL: a key address has no user and no password'),
  ],
  ['an audience with a NUL', 'c', { audience: 'a\u0000b' }, invalidField(/control character$/)],
]
const ROWS: readonly Refused[] = [
  ...REFUSED,
  ...NOT_TAKEN.map(([name, id, rest, expected]): Refused => [
    name,
    'POST /v2/idps',
    { body: config(id, rest) },
    expected,
  ]),
]

for (const storage of storesFor('providers')) {
  describe(`identity providers on ${storage.name}`, () => {
    let service: Service
    let admin: string
    const ask = (request: string, options: CallOptions = {}): Promise<Answer> =>
      call(service.url, request, { token: admin, ...options })

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      admin = await service.token('participant_admin')
      for (const id of ['a', 'b'])
        assert.equal((await ask('POST /v2/idps', { body: config(id) })).status, 200)
      assert.equal(
        (await ask('POST /v2/users', { body: { user: { id: 'tenant', identityProviderId: 'a' } } }))
          .status,
        200,
      )
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    for (const [name, request, options, expected] of ROWS) {
      test(name, async () => {
        const before = (await ask('GET /v2/idps')).text
        assertRefused(await ask(request, options), expected)
        assert.equal((await ask('GET /v2/idps')).text, before, 'nothing was written')
      })
    }

    test('5 a token of a deactivated provider opens nothing', async () => {
      await ask('PATCH /v2/idps/b', {
        body: patch('b', ['isDeactivated'], { isDeactivated: true }),
      })
      const part = (value: object): string =>
        Buffer.from(JSON.stringify(value)).toString('base64url')
      const token = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: 'https://b.example.org/path', sub: 'tenant' })}.c2ln`
      assertRefused(await ask('GET /v2/users', { token }), UNAUTHENTICATED)
    })

    test('a configuration is read back as it was given, defaults filled in', async () => {
      const found = await ask('GET /v2/idps/a')
      assert.deepEqual(found.json, {
        identityProviderConfig: {
          identityProviderId: 'a',
          isDeactivated: false,
          issuer: 'https://a.example.org/path',
          jwksUrl: 'https://a.example.org/jwks',
          audience: '',
        },
      })
    })

    test('a mask sets what it names; an empty issuer leaves it, an empty audience takes it away', async () => {
      await ask('POST /v2/idps', { body: config('m', { audience: 'app' }) })
      const body = patch('m', ['issuer', 'is_deactivated', 'audience'], {
        issuer: '',
        jwksUrl: 'https://new.example.org',
        isDeactivated: true,
        audience: '',
      })
      const updated = await ask('PATCH /v2/idps/m', { body })
      assert.deepEqual(updated.json, {
        identityProviderConfig: {
          identityProviderId: 'm',
          isDeactivated: true,
          issuer: 'https://m.example.org/path',
          jwksUrl: 'https://m.example.org/jwks',
          audience: '',
        },
      })
      assert.deepEqual((await ask('DELETE /v2/idps/m')).json, {})
      assert.equal((await ask('GET /v2/idps/m')).status, 404)
    })

    test('updates of one provider at once lose nothing', async () => {
      for (let round = 0; round < 10; round += 1) {
        const values = {
          issuer: `https://race${round}.example.org`,
          jwksUrl: `https://race${round}.example.org/jwks`,
          audience: `a${round}`,
        }
        const paths = Object.keys(values)
        const answers = await Promise.all(
          paths.map((path) => ask('PATCH /v2/idps/a', { body: patch('a', [path], values) })),
        )
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 200],
        )
        assert.deepEqual((await ask('GET /v2/idps/a')).json, {
          identityProviderConfig: { identityProviderId: 'a', isDeactivated: false, ...values },
        })
      }
    })

    test('25 the 17th configuration is refused', async () => {
      const answers = await Promise.all(
        Array.from({ length: 17 }, (_, index) =>
          ask('POST /v2/idps', { body: config(`n${index}`) }),
        ),
      )
      const refused = answers.filter(({ status }) => status !== 200)
      assert.equal(refused.length, 3, 'two were there already')
      for (const answer of refused) {
        assertRefused(
          answer,
          refusal(9, 'TOO_MANY_IDENTITY_PROVIDER_CONFIGS', {
            cause: 'creating identity provider config failed.',
          }),
        )
      }
      for (let index = 0; index < 17; index += 1) await ask(`DELETE /v2/idps/n${index}`)
    })

    test('a user moves between providers, and back', async () => {
      const move = (from: string, to: string): Promise<Answer> =>
        ask('PATCH /v2/users/tenant/identity-provider-id', {
          body: { userId: 'tenant', sourceIdentityProviderId: from, targetIdentityProviderId: to },
        })
      assert.equal((await move('', 'b')).status, 403, 'it is not in the default provider')
      assert.deepEqual((await move('a', '')).json, {})
      assert.match((await ask('GET /v2/users/tenant')).text, /"identityProviderId":""/)
      assert.deepEqual((await move('', 'a')).json, {})
      assert.equal(
        (await ask('GET /v2/users/tenant')).status,
        403,
        'users of another provider are out of sight',
      )
      assert.equal((await ask('GET /v2/users/tenant?identity-provider-id=a')).status, 200)
    })
  })
}
