// Bad input on the ledger interface gets its documented answer, on each storage: errors of users,
// rights and tokens, and hostile bodies. Nothing is written, nothing is a 5xx.
// docs/ledger-rules.md, "Errors"
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import {
  argument,
  assertRefused,
  DENIED,
  invalidField,
  missing,
  refusal,
  UNAUTHENTICATED,
  type Documented,
} from '../support/documented.ts'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

type Row = readonly [
  name: string,
  request: string,
  options: CallOptions & { as?: string },
  answer: string | Documented,
]

const user = (id: string, rest: object = {}): object => ({ user: { id, ...rest } })
const REDACTED = 'A security-sensitive error has been received'
const PAGE_SIZE = 'Invalid value for: query parameter pageSize'
const INVALID_TOKEN = { ledger_api_error: 'invalid token' }

/** Requests of lists and of single users. */
const READS: readonly Row[] = [
  ['1 no token', 'GET /v2/users', { as: 'nobody' }, { ...UNAUTHENTICATED, cause: REDACTED }],
  [
    '2 a token with a wrong signature',
    'GET /v2/users',
    { as: 'forged' },
    { ...UNAUTHENTICATED, cause: REDACTED },
  ],
  [
    '3 a token of an unknown user',
    'GET /v2/users',
    { as: 'stranger' },
    { ...DENIED, context: INVALID_TOKEN },
  ],
  [
    '3a a token whose subject is not a user id',
    'GET /v2/users',
    { as: 'a b' },
    refusal(8, 'INVALID_TOKEN', {
      cause: /^The submitted request is missing a user-id: token User ID "a b" does not match/,
      context: INVALID_TOKEN,
    }),
  ],
  ['4 a user with CanActAs only', 'GET /v2/users', { as: 'bob' }, { ...DENIED, cause: REDACTED }],
  ['6 a page size of letters, no token', 'GET /v2/users?pageSize=abc', { as: 'nobody' }, PAGE_SIZE],
  ['6a an empty page size', 'GET /v2/users?pageSize=', {}, PAGE_SIZE],
  ['6b a page size beyond 32 bits', 'GET /v2/users?pageSize=2147483648', {}, PAGE_SIZE],
  ['6c a page size of 1.5', 'GET /v2/users?pageSize=1.5', {}, PAGE_SIZE],
  [
    '7 a negative page size',
    'GET /v2/users?pageSize=-1',
    {},
    argument('Max page size must be non-negative'),
  ],
  [
    '8 a page token that is none',
    'GET /v2/users?pageToken=%25%25',
    {},
    argument('Invalid page token'),
  ],
  [
    '9 a page size given twice',
    'GET /v2/users?pageSize=5&pageSize=6',
    {},
    `${PAGE_SIZE} (multiple values)`,
  ],
  [
    '10 a blank in the id of the path',
    'GET /v2/users/a%20b/rights',
    {},
    {
      ...argument(
        /^The submitted request has invalid arguments: Malformed user-id: User ID "a b" does not match regex ".+"$/,
      ),
      definiteAnswer: false,
    },
  ],
  [
    '11 rights of nobody',
    'GET /v2/users/nobody/rights',
    {},
    refusal(11, 'USER_NOT_FOUND', {
      cause: 'list user rights failed for unknown user "nobody"',
      context: { category: '11', definite_answer: 'false' },
      resources: [['USER', 'nobody']],
    }),
  ],
  [
    'oneself deleted',
    'DELETE /v2/users/participant_admin',
    {},
    argument('Requesting user cannot delete itself'),
  ],
  [
    'a broken escape in the path',
    'GET /v2/users/%E0%A4%A',
    {},
    'Invalid value for: path parameter user-id',
  ],
]

type Bodies = readonly (readonly [name: string, body: object, answer: string | Documented])[]

const CREATIONS: Bodies = [
  [
    '12 an id that is taken',
    { ...user('participant_admin'), rights: [] },
    refusal(10, 'USER_ALREADY_EXISTS', {
      cause: 'creating user failed, as user "participant_admin" already exists',
    }),
  ],
  [
    '13 a creation without user',
    {},
    { ...missing('user'), cause: 'The submitted command is missing a mandatory field: user' },
  ],
  ['13a a creation without id', { user: {} }, missing('id')],
  ['13b a creation with an empty id', user(''), missing('id')],
  [
    '13c a creation with a bad id',
    user('a/b'),
    invalidField(
      /^The submitted command has a field with invalid value: Invalid field id: User ID "a\/b" does not match regex/,
    ),
  ],
  ['13d an id of 129 characters', user('x'.repeat(129)), refusal(8, 'INVALID_FIELD')],
  [
    '14 a creation with a version',
    user('new', { metadata: { resourceVersion: '1' } }),
    argument('field user.metadata.resource_version must be not set'),
  ],
  [
    'an unknown identity provider',
    user('new', { identityProviderId: 'none-such' }),
    argument('Provided identity_provider_id none-such has not been found.'),
  ],
  [
    'an identity provider id that is no ledger string',
    user('new', { identityProviderId: 'a\u0000b' }),
    refusal(8, 'INVALID_TOKEN'),
  ],
  ['a text where an object belongs', { user: 'new' }, 'Invalid value for: body ('],
  ['a number where a text belongs', user('new', { primaryParty: 5 }), 'Invalid value for: body ('],
]

/** Annotations of a new user, and what is wrong with them. */
const ANNOTATIONS: readonly (readonly [name: string, annotations: object, reason: string])[] = [
  ['an annotation key without a name', { 'a/': 'x' }, "Key name segment '' has invalid syntax"],
  [
    'an annotation key with two slashes',
    { 'a/b/c': 'x' },
    "Key 'a/b/c' contains more than one forward slash ('/') character",
  ],
  ['an annotation without a value', { a: '' }, "The value of an annotation is empty for key: 'a'"],
  [
    'annotations of 256 kB plus one byte',
    { a: 'x'.repeat(262_144) },
    "annotations from field 'user.metadata.annotations' are larger than the limit of 256kb",
  ],
  [
    'an annotation key that a careless expression would try for hours',
    { [`${'a'.repeat(100_000)}!`]: 'x' },
    `Key name segment '${'a'.repeat(50)}...' exceeds maximum length of 63 characters`,
  ],
  [
    'an annotation key whose prefix is as long',
    { [`${'a'.repeat(100_000)}!/n`]: 'x' },
    `Key prefix segment '${'a'.repeat(50)}...' exceeds maximum length of 253 characters`,
  ],
]

/** Changes of bob: of what, and the mask. */
const updated = (cause: string | RegExp) =>
  refusal(8, 'INVALID_USER_UPDATE_REQUEST', {
    cause:
      typeof cause === 'string'
        ? `Update operation for user id 'bob' failed due to: ${cause}`
        : cause,
  })
const UPDATES: readonly (readonly [
  string,
  rest: object,
  paths: string[] | undefined,
  Documented,
])[] = [
  [
    '16 the body names another user',
    { id: 'alice' },
    ['isDeactivated'],
    { ...argument('bob does not match user in body: Some(alice) '), definiteAnswer: false },
  ],
  ['17 an empty mask', {}, [], updated('The update mask contains no entries')],
  [
    '18 an unknown path in the mask',
    {},
    ['nope'],
    updated("The update path: 'nope' points to an unknown field."),
  ],
  [
    '18a a path twice in its two forms',
    {},
    ['isDeactivated', 'is_deactivated'],
    updated(/is duplicated\.$/),
  ],
  [
    '19 a stale version',
    { metadata: { resourceVersion: '77' } },
    ['primaryParty'],
    refusal(2, 'CONCURRENT_USER_UPDATE_DETECTED'),
  ],
  [
    '20 a version that is no number',
    { metadata: { resourceVersion: 'x' } },
    ['primaryParty'],
    invalidField('user.metadata.resource_version: Invalid resource version number'),
  ],
  ['an update without a mask', {}, undefined, missing('update_mask')],
]

const GRANTS: readonly (readonly [name: string, rights: readonly object[], string | Documented])[] =
  [
    [
      '15 the right Empty',
      [{ Empty: {} }],
      argument(
        'unknown kind of right - check that the Ledger API version of the server is recent enough',
      ),
    ],
    [
      'more new rights than a call takes arguments',
      Array.from({ length: 70_000 }, (_, at) => ({ CanActAs: { value: { party: `p${at}` } } })),
      refusal(9, 'TOO_MANY_USER_RIGHTS', { resources: [['USER', 'bob']] }),
    ],
    ['an unknown variant of a right', [{ CanFly: { value: {} } }], 'Invalid value for: body ('],
    [
      'two variants in one right',
      [{ ParticipantAdmin: { value: {} }, CanReadAsAnyParty: { value: {} } }],
      'Invalid value for: body (',
    ],
  ]

/** Bodies as they are sent. */
const RAW: readonly (readonly [name: string, raw: NonNullable<CallOptions['raw']>])[] = [
  ['malformed JSON', '{bad'],
  ['malformed UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a key twice', '{"user":{"id":"new"},"user":{"id":"newer"}}'],
]

const rightsOf = (userId: string, kinds: readonly object[]) => ({
  body: { userId, rights: kinds.map((kind) => ({ kind })) },
})
const ROWS: readonly Row[] = [
  ...READS,
  ...CREATIONS.map(([name, body, answer]): Row => [name, 'POST /v2/users', { body }, answer]),
  ...ANNOTATIONS.map(([name, annotations, reason]): Row => [
    name,
    'POST /v2/users',
    { body: user('new', { metadata: { annotations } }) },
    argument(reason),
  ]),
  ...UPDATES.map(([name, rest, paths, answer]): Row => [
    name,
    'PATCH /v2/users/bob',
    {
      body: {
        ...user('bob', rest),
        ...(paths === undefined ? {} : { updateMask: { paths } }),
      },
    },
    answer,
  ]),
  ...GRANTS.map(([name, kinds, answer]): Row => [
    name,
    'POST /v2/users/bob/rights',
    rightsOf('bob', kinds),
    answer,
  ]),
  ...RAW.map(([name, raw]): Row => [name, 'POST /v2/users', { raw }, 'Invalid value for: body (']),
  [
    'oneself deactivated',
    'PATCH /v2/users/participant_admin',
    {
      body: {
        ...user('participant_admin', { isDeactivated: true }),
        updateMask: { paths: ['isDeactivated'] },
      },
    },
    argument('Requesting user cannot self-deactivate'),
  ],
  [
    "one's own admin right revoked",
    'PATCH /v2/users/participant_admin/rights',
    rightsOf('participant_admin', [{ ParticipantAdmin: { value: {} } }]),
    argument('Requesting user cannot remove own admin rights'),
  ],
  [
    'a move to a provider id that is no ledger string',
    'PATCH /v2/users/bob/identity-provider-id',
    { body: { userId: 'bob', sourceIdentityProviderId: '', targetIdentityProviderId: 'a\u0000b' } },
    invalidField(/Invalid field target_identity_provider_id: /),
  ],
  [
    'a compressed body',
    'POST /v2/users',
    { body: user('new'), headers: { 'content-encoding': 'gzip' } },
    'Invalid value for: body (content encoding gzip is not supported)',
  ],
]

for (const storage of storesFor('ledger bad input')) {
  describe(`bad input on ${storage.name}`, () => {
    let service: Service
    let tokens: Record<string, string | undefined>
    const ask = (
      request: string,
      { as = 'participant_admin', ...options }: CallOptions & { as?: string } = {},
    ): Promise<Answer> => {
      const token = tokens[as]
      return call(service.url, request, { ...(token === undefined ? {} : { token }), ...options })
    }
    const snapshot = async (): Promise<unknown> => [
      (await ask('GET /v2/users')).json,
      (await ask('GET /v2/users/bob/rights')).json,
    ]

    before(async () => {
      // Services meet what the limits of bodies would keep from them.
      const server = {
        maxBodyBytes: 4_194_304,
        json: { maxMembers: 1_000_000, maxValues: 1_000_000 },
      }
      service = await startService({ config: { storage: await storage.section(), server } })
      const admin = await service.token('participant_admin')
      tokens = {
        participant_admin: admin,
        bob: await service.token('bob'),
        stranger: await service.token('stranger'),
        'a b': await handMadeToken(service, 'a b'),
        forged: `${admin.slice(0, -6)}AAAAAA`,
      }
      const made = await ask('POST /v2/users', {
        body: {
          user: { id: 'bob' },
          rights: [{ kind: { CanActAs: { value: { party: 'bob::1' } } } }],
        },
      })
      assert.equal(made.status, 200, made.text)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    for (const [name, request, options, expected] of ROWS) {
      test(name, async () => {
        const stateBefore = await snapshot()
        const answer = await ask(request, options)
        assertRefused(answer, expected)
        assert.deepEqual(await snapshot(), stateBefore, 'nothing was written')
      })
    }

    test('a merge that would exceed 256 kB is refused, exactly at the limit it is not', async () => {
      const value = (length: number): object => ({
        metadata: { annotations: { k: 'x'.repeat(length) } },
      })
      assert.equal((await ask('POST /v2/users', { body: user('big', value(262_143)) })).status, 200)
      const more = {
        user: { id: 'big', metadata: { annotations: { l: 'y' } } },
        updateMask: { paths: ['metadata.annotations'] },
      }
      assertRefused(
        await ask('PATCH /v2/users/big', { body: more }),
        refusal(9, 'MAX_USER_ANNOTATIONS_SIZE_EXCEEDED', { resources: [['USER', 'big']] }),
      )
      await ask('DELETE /v2/users/big')
    })
  })
}

/** A token that the command would not print, signed with the key of the data folder. */
async function handMadeToken({ dataDir }: Service, subject: string): Promise<string> {
  const key = Buffer.from(await readFile(`${dataDir}/auth-open.key`, 'utf8'), 'base64')
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT', kid: 'auth-open' })}.${part({ sub: subject })}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
