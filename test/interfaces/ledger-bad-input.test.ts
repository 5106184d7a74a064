// Bad input on the ledger interface gets its documented answer, on each storage: the rows of
// domain/ledger.md §11 that belong to users, rights and tokens (as rulings.md amends them), and
// hostile bodies. Nothing is written, nothing is a 5xx.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createConnection } from 'node:net'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { ARGUMENT, argument, assertRefused, type Documented } from '../support/documented.ts'
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
const patch = (rest: object, paths: string[]): object => ({
  user: { id: 'bob', ...rest },
  updateMask: { paths },
})
const REDACTED = 'A security-sensitive error has been received'
const ROWS: readonly Row[] = [
  [
    '1 no token',
    'GET /v2/users',
    { as: 'nobody' },
    { status: 401, code: 'NA', cause: REDACTED, category: -1, grpc: 16, context: {} },
  ],
  [
    '2 a token with a wrong signature',
    'GET /v2/users',
    { as: 'forged' },
    { status: 401, code: 'NA', cause: REDACTED, category: -1, grpc: 16 },
  ],
  [
    '3 a token of an unknown user',
    'GET /v2/users',
    { as: 'stranger' },
    {
      status: 403,
      code: 'NA',
      category: -1,
      grpc: 7,
      context: { ledger_api_error: 'invalid token' },
    },
  ],
  [
    '3a a token whose subject is not a user id',
    'GET /v2/users',
    { as: 'a b' },
    {
      status: 400,
      code: 'INVALID_TOKEN',
      category: 8,
      grpc: 3,
      cause: /^The submitted request is missing a user-id: token User ID "a b" does not match/,
      context: { ledger_api_error: 'invalid token' },
    },
  ],
  [
    '4 a user with CanActAs only',
    'GET /v2/users',
    { as: 'bob' },
    { status: 403, code: 'NA', cause: REDACTED, category: -1, grpc: 7, context: {} },
  ],
  [
    '6 a page size of letters, no token',
    'GET /v2/users?pageSize=abc',
    { as: 'nobody' },
    'Invalid value for: query parameter pageSize',
  ],
  [
    '6a an empty page size',
    'GET /v2/users?pageSize=',
    {},
    'Invalid value for: query parameter pageSize',
  ],
  [
    '6b a page size beyond 32 bits',
    'GET /v2/users?pageSize=2147483648',
    {},
    'Invalid value for: query parameter pageSize',
  ],
  [
    '6c a page size of 1.5',
    'GET /v2/users?pageSize=1.5',
    {},
    'Invalid value for: query parameter pageSize',
  ],
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
    'Invalid value for: query parameter pageSize (multiple values)',
  ],
  [
    '10 a blank in the id of the path',
    'GET /v2/users/a%20b/rights',
    {},
    {
      ...ARGUMENT,
      cause:
        /^The submitted request has invalid arguments: Malformed user-id: User ID "a b" does not match regex ".+"$/,
      definiteAnswer: false,
    },
  ],
  [
    '11 rights of nobody',
    'GET /v2/users/nobody/rights',
    {},
    {
      status: 404,
      code: 'USER_NOT_FOUND',
      cause: 'list user rights failed for unknown user "nobody"',
      category: 11,
      grpc: 5,
      context: { category: '11', definite_answer: 'false' },
      resources: [['USER', 'nobody']],
    },
  ],
  [
    '12 an id that is taken',
    'POST /v2/users',
    { body: { ...user('participant_admin'), rights: [] } },
    {
      status: 409,
      code: 'USER_ALREADY_EXISTS',
      cause: 'creating user failed, as user "participant_admin" already exists',
      category: 10,
      grpc: 6,
    },
  ],
  [
    '13 a creation without user',
    'POST /v2/users',
    { body: {} },
    {
      status: 400,
      code: 'MISSING_FIELD',
      cause: 'The submitted command is missing a mandatory field: user',
      category: 8,
      grpc: 3,
      context: { field_name: 'user' },
    },
  ],
  [
    '13a a creation without id',
    'POST /v2/users',
    { body: { user: {} } },
    { status: 400, code: 'MISSING_FIELD', category: 8, grpc: 3, context: { field_name: 'id' } },
  ],
  [
    '13b a creation with an empty id',
    'POST /v2/users',
    { body: user('') },
    { status: 400, code: 'MISSING_FIELD', category: 8, grpc: 3, context: { field_name: 'id' } },
  ],
  [
    '13c a creation with a bad id',
    'POST /v2/users',
    { body: user('a/b') },
    {
      status: 400,
      code: 'INVALID_FIELD',
      category: 8,
      grpc: 3,
      cause:
        /^The submitted command has a field with invalid value: Invalid field id: User ID "a\/b" does not match regex/,
    },
  ],
  [
    '13d an id of 129 characters',
    'POST /v2/users',
    { body: user('x'.repeat(129)) },
    { status: 400, code: 'INVALID_FIELD', category: 8, grpc: 3 },
  ],
  [
    '14 a creation with a version',
    'POST /v2/users',
    { body: user('new', { metadata: { resourceVersion: '1' } }) },
    argument('field user.metadata.resource_version must be not set'),
  ],
  [
    '15 the right Empty',
    'POST /v2/users/bob/rights',
    { body: { userId: 'bob', rights: [{ kind: { Empty: {} } }] } },
    argument(
      'unknown kind of right - check that the Ledger API version of the server is recent enough',
    ),
  ],
  [
    '16 the body names another user',
    'PATCH /v2/users/bob',
    { body: { user: { id: 'alice' }, updateMask: { paths: ['isDeactivated'] } } },
    { ...argument('bob does not match user in body: Some(alice) '), definiteAnswer: false },
  ],
  [
    '17 an empty mask',
    'PATCH /v2/users/bob',
    { body: patch({}, []) },
    {
      status: 400,
      code: 'INVALID_USER_UPDATE_REQUEST',
      category: 8,
      grpc: 3,
      cause:
        "Update operation for user id 'bob' failed due to: The update mask contains no entries",
    },
  ],
  [
    '18 an unknown path in the mask',
    'PATCH /v2/users/bob',
    { body: patch({}, ['nope']) },
    {
      status: 400,
      code: 'INVALID_USER_UPDATE_REQUEST',
      category: 8,
      grpc: 3,
      cause:
        "Update operation for user id 'bob' failed due to: The update path: 'nope' points to an unknown field.",
    },
  ],
  [
    '18a a path twice in its two forms',
    'PATCH /v2/users/bob',
    { body: patch({}, ['isDeactivated', 'is_deactivated']) },
    {
      status: 400,
      code: 'INVALID_USER_UPDATE_REQUEST',
      category: 8,
      grpc: 3,
      cause: /is duplicated\.$/,
    },
  ],
  [
    '19 a stale version',
    'PATCH /v2/users/bob',
    { body: patch({ metadata: { resourceVersion: '77' } }, ['primaryParty']) },
    {
      status: 409,
      code: 'CONCURRENT_USER_UPDATE_DETECTED',
      category: 2,
      grpc: 10,
      retryInfo: '1 second',
    },
  ],
  [
    '20 a version that is no number',
    'PATCH /v2/users/bob',
    { body: patch({ metadata: { resourceVersion: 'x' } }, ['primaryParty']) },
    {
      status: 400,
      code: 'INVALID_FIELD',
      category: 8,
      grpc: 3,
      cause:
        'The submitted command has a field with invalid value: Invalid field user.metadata.resource_version: Invalid resource version number',
    },
  ],
  [
    'an update without a mask',
    'PATCH /v2/users/bob',
    { body: { user: { id: 'bob' } } },
    {
      status: 400,
      code: 'MISSING_FIELD',
      category: 8,
      grpc: 3,
      context: { field_name: 'update_mask' },
    },
  ],
  [
    'oneself deactivated',
    'PATCH /v2/users/participant_admin',
    {
      body: {
        user: { id: 'participant_admin', isDeactivated: true },
        updateMask: { paths: ['isDeactivated'] },
      },
    },
    argument('Requesting user cannot self-deactivate'),
  ],
  [
    'oneself deleted',
    'DELETE /v2/users/participant_admin',
    {},
    argument('Requesting user cannot delete itself'),
  ],
  [
    "one's own admin right revoked",
    'PATCH /v2/users/participant_admin/rights',
    {
      body: {
        userId: 'participant_admin',
        rights: [{ kind: { ParticipantAdmin: { value: {} } } }],
      },
    },
    argument('Requesting user cannot remove own admin rights'),
  ],
  [
    'an unknown identity provider',
    'POST /v2/users',
    { body: user('new', { identityProviderId: 'none-such' }) },
    argument('Provided identity_provider_id none-such has not been found.'),
  ],
  [
    'an identity provider id that is no ledger string',
    'POST /v2/users',
    { body: user('new', { identityProviderId: 'a\u0000b' }) },
    { status: 400, code: 'INVALID_TOKEN', category: 8, grpc: 3 },
  ],
  [
    'an annotation key without a name',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { 'a/': 'x' } } }) },
    argument("Key name segment '' has invalid syntax"),
  ],
  [
    'an annotation key with two slashes',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { 'a/b/c': 'x' } } }) },
    argument("Key 'a/b/c' contains more than one forward slash ('/') character"),
  ],
  [
    'an annotation without a value',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { a: '' } } }) },
    argument("The value of an annotation is empty for key: 'a'"),
  ],
  [
    'annotations of 256 kB plus one byte',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { a: 'x'.repeat(262_144) } } }) },
    argument(
      "annotations from field 'user.metadata.annotations' are larger than the limit of 256kb",
    ),
  ],
  [
    'an annotation key that a careless expression would try for hours',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { [`${'a'.repeat(100_000)}!`]: 'x' } } }) },
    argument(`Key name segment '${'a'.repeat(50)}...' exceeds maximum length of 63 characters`),
  ],
  [
    'an annotation key whose prefix is as long',
    'POST /v2/users',
    { body: user('new', { metadata: { annotations: { [`${'a'.repeat(100_000)}!/n`]: 'x' } } }) },
    argument(`Key prefix segment '${'a'.repeat(50)}...' exceeds maximum length of 253 characters`),
  ],
  [
    'a move to a provider id that is no ledger string',
    'PATCH /v2/users/bob/identity-provider-id',
    { body: { userId: 'bob', sourceIdentityProviderId: '', targetIdentityProviderId: 'a\u0000b' } },
    {
      status: 400,
      code: 'INVALID_FIELD',
      category: 8,
      grpc: 3,
      cause: /Invalid field target_identity_provider_id: /,
    },
  ],
  [
    'more new rights than a call takes arguments',
    'POST /v2/users/bob/rights',
    {
      body: {
        userId: 'bob',
        rights: Array.from({ length: 70_000 }, (_, at) => ({
          kind: { CanActAs: { value: { party: `p${at}` } } },
        })),
      },
    },
    {
      status: 400,
      code: 'TOO_MANY_USER_RIGHTS',
      category: 9,
      grpc: 9,
      resources: [['USER', 'bob']],
    },
  ],
  [
    'a compressed body',
    'POST /v2/users',
    { body: user('new'), headers: { 'content-encoding': 'gzip' } },
    'Invalid value for: body (content encoding gzip is not supported)',
  ],
  ['malformed JSON', 'POST /v2/users', { raw: '{bad' }, 'Invalid value for: body ('],
  [
    'malformed UTF-8',
    'POST /v2/users',
    { raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    'Invalid value for: body (',
  ],
  [
    'a text where an object belongs',
    'POST /v2/users',
    { body: { user: 'new' } },
    'Invalid value for: body (',
  ],
  [
    'a number where a text belongs',
    'POST /v2/users',
    { body: user('new', { primaryParty: 5 }) },
    'Invalid value for: body (',
  ],
  [
    'a key twice',
    'POST /v2/users',
    { raw: '{"user":{"id":"new"},"user":{"id":"newer"}}' },
    'Invalid value for: body (',
  ],
  [
    'an unknown variant of a right',
    'POST /v2/users/bob/rights',
    { body: { userId: 'bob', rights: [{ kind: { CanFly: { value: {} } } }] } },
    'Invalid value for: body (',
  ],
  [
    'two variants in one right',
    'POST /v2/users/bob/rights',
    {
      body: {
        userId: 'bob',
        rights: [{ kind: { ParticipantAdmin: { value: {} }, CanReadAsAnyParty: { value: {} } } }],
      },
    },
    'Invalid value for: body (',
  ],
  [
    'a broken escape in the path',
    'GET /v2/users/%E0%A4%A',
    {},
    'Invalid value for: path parameter user-id',
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

    test('a path that nobody serves is 404, a method that nobody serves 405 with Allow', async () => {
      assert.equal((await ask('GET /v2/nothing-here')).status, 404)
      assert.equal((await ask('GET /v2/users/../../etc/passwd')).status, 404)
      const method = await ask('PUT /v2/users')
      assert.equal(method.status, 405)
      assert.equal(method.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
    })

    test('path traversal in an id is an id that is refused', async () => {
      assertRefused(await ask('GET /v2/users/..%2F..%2Fetc%2Fpasswd'), {
        ...ARGUMENT,
        definiteAnswer: false,
      })
    })

    test('__proto__ and constructor are plain data', async () => {
      const raw =
        '{"user":{"id":"proto","__proto__":{"isDeactivated":true},"metadata":{"annotations":{"constructor":"c"}}}}'
      const created = await ask('POST /v2/users', { raw })
      assert.equal(created.status, 200, created.text)
      const found = await ask('GET /v2/users/proto')
      assert.deepEqual(found.json, {
        user: {
          id: 'proto',
          primaryParty: '',
          isDeactivated: false,
          identityProviderId: '',
          primaryPartyAuthentication: false,
          metadata: { resourceVersion: '0', annotations: { constructor: 'c' } },
        },
      })
      await ask('DELETE /v2/users/proto')
    })

    test('a merge that would exceed 256 kB is refused, exactly at the limit it is not', async () => {
      const value = (length: number): object => ({
        metadata: { annotations: { k: 'x'.repeat(length) } },
      })
      assert.equal((await ask('POST /v2/users', { body: user('big', value(262_143)) })).status, 200)
      const more = {
        user: { id: 'big', metadata: { annotations: { l: 'y' } } },
        updateMask: { paths: ['metadata.annotations'] },
      }
      assertRefused(await ask('PATCH /v2/users/big', { body: more }), {
        status: 400,
        code: 'MAX_USER_ANNOTATIONS_SIZE_EXCEEDED',
        category: 9,
        grpc: 9,
        resources: [['USER', 'big']],
      })
      await ask('DELETE /v2/users/big')
    })

    test('a body of 100 MB is refused and memory stays flat', async () => {
      const rssBefore = await residentBytes(service)
      const answer = await hugePost(
        service.url,
        tokens['participant_admin'] ?? '',
        100 * 1024 * 1024,
      )
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.ok(
        (await residentBytes(service)) - rssBefore < 40 * 1024 * 1024,
        'less than 40 MB more',
      )
    })

    test('a body that stops half way leaves the service as it was', async () => {
      const stateBefore = await snapshot()
      await cutPost(service.url, tokens['participant_admin'] ?? '')
      assert.deepEqual(await snapshot(), stateBefore)
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

async function residentBytes({ process }: Service): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? '0') * 1024
}

/** Sends as much of a huge body as the service takes, and answers with what it said. */
function hugePost(url: string, token: string, size: number): Promise<string> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  const head = `POST /v2/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = Buffer.alloc(65_536, 'a')
  return new Promise((resolve) => {
    let answer = ''
    let sent = 0
    const push = (): void => {
      while (sent < size && answer === '' && !socket.destroyed) {
        sent += chunk.length
        if (!socket.write(`10000\r\n${chunk.toString()}\r\n`))
          return void socket.once('drain', push)
      }
    }
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(head)
    push()
  })
}

/** Promises a body of 1000 bytes, sends 20 and hangs up. */
function cutPost(url: string, token: string): Promise<void> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(
      `POST /v2/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000\r\n\r\n{"user":{"id":"cut"}`,
    )
    setTimeout(() => socket.destroy(), 100)
  })
}
