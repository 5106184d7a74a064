// Who comes to the doors of the running service, and with what: the token before the body, in any
// spelling that is right; what is refused says how to come in; nobody takes all there is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, UNAUTHENTICATED } from '../support/documented.ts'
import { retried } from '../support/eventually.ts'
import { call, type Answer } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { raw } from './http-fixture.ts'
import { openStream } from './stream-client.ts'

const MOST = 3
let service: Service
let tokens: Readonly<Record<string, string>>

before(async () => {
  const config = {
    storage: { use: 'memory' },
    server: { maxStreamsPerUser: MOST, maxStreams: 2 * MOST - 1 },
    validator: { scanProxyToken: true },
  }
  service = await startService({ config, seeded: true })
  tokens = {
    alice: await service.token('alice'),
    bob: await service.token('bob'),
    admin: await service.token('participant_admin'),
  }
})
after(() => service.stop())

const ask = (request: string, options: Parameters<typeof call>[2] = {}): Promise<Answer> =>
  call(service.url, request, options)

test('without a token no body is looked at, whatever is in it', async () => {
  const bodies = [
    '{bad',
    '{"a":1,"a":1}',
    new Uint8Array([0xff]),
    `{"user":{"id":"${'9'.repeat(60_000)}"}}`,
  ]
  for (const request of [
    'POST /v2/users',
    'PATCH /v2/users/alice',
    'POST /v2/commands/submit-and-wait',
    'POST /v2/packages',
    'POST /v2/dars',
  ]) {
    for (const sent of bodies) assertRefused(await ask(request, { raw: sent }), UNAUTHENTICATED)
  }
  for (const request of [
    'POST /api/validator/v0/wallet/transfer-offers',
    'POST /api/validator/v0/register',
    'POST /api/validator/v0/scan-proxy/ans-rules',
  ]) {
    for (const sent of bodies)
      assert.equal((await ask(request, { raw: sent })).status, 401, request)
  }
})

test('a body over 1 MiB is refused by its length alone, but for archives', async () => {
  const headOf = (path: string, length: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens['admin']}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`
  assert.match(
    await raw(port(), [headOf('/v2/users', 1_048_577)]),
    /^HTTP\/1\.1 413 [^]*BODY_TOO_LARGE[^]*"limit":"1048576"/,
  )
  assert.match(
    await raw(port(), [headOf('/v2/users', 1_048_576)], { until: /100 Continue/ }),
    /^HTTP\/1\.1 100 /,
  )
  assert.match(
    await raw(port(), [headOf('/v2/dars', 268_435_456)], { until: /100 Continue/ }),
    /^HTTP\/1\.1 100 /,
  )
})

test('limits of JSON are the documented 400 of each interface', async () => {
  const sent = { raw: `{"migration_id":${'9'.repeat(900_000)}}` }
  const ledger = await ask('POST /v2/users', { ...sent, token: tokens['admin'] ?? '' })
  assertRefused(ledger, 'Invalid value for: body (a number of more than 100 characters)')
  const scan = await ask('POST /api/scan/v0/open-and-issuing-mining-rounds', sent)
  assert.deepEqual(
    [scan.status, scan.json],
    [400, { error: 'body: a number of more than 100 characters' }],
  )
})

test('every 401 has a challenge, and the name of the scheme any case', async () => {
  for (const request of [
    'GET /v2/users',
    'GET /api/validator/v0/wallet/balance',
    'POST /api/validator/v0/scan-proxy/ans-rules',
  ]) {
    const challenge = async (authorization?: string): Promise<readonly unknown[]> => {
      const { status, headers } = await ask(
        request,
        authorization === undefined ? {} : { headers: { authorization } },
      )
      return [status, headers.get('www-authenticate')]
    }
    assert.deepEqual(await challenge(), [401, 'Bearer'])
    assert.deepEqual(await challenge('Basic YTpi'), [401, 'Bearer'])
    assert.deepEqual(await challenge(`Bearer ${tokens['alice']}x`), [
      401,
      'Bearer error="invalid_token"',
    ])
    assert.deepEqual(await challenge('bearer x'), [401, 'Bearer error="invalid_token"'])
  }
  for (const scheme of ['bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
    const headers = { authorization: `${scheme} ${tokens['alice']}` }
    assert.equal((await ask('GET /v2/users/alice', { headers })).status, 200, scheme)
    const stream = await openStream(
      service.url,
      '/v2/updates',
      { beginExclusive: -1, updateFormat: {} },
      { headers },
    )
    assert.ok('elements' in stream, scheme)
    await stream.ended
    assert.match(JSON.stringify(stream.elements), /NEGATIVE_OFFSET/, scheme)
  }
})

test('one user has so many streams, others have theirs, until all are taken', async () => {
  // A stream that has not said yet what it is for counts as well.
  const open = (user: string): ReturnType<typeof openStream> =>
    openStream(service.url, '/v2/updates', undefined, { token: tokens[user] ?? '' })
  const refusedOf = (opened: Awaited<ReturnType<typeof openStream>>): readonly unknown[] =>
    'status' in opened ? [opened.status, /"cause":"([^"]*)"/.exec(opened.body)?.[1]] : ['opened']
  const held = await Promise.all([
    ...Array.from({ length: MOST }, () => open('alice')),
    open('bob'),
  ])
  assert.deepEqual(
    held.map(refusedOf),
    held.map(() => ['opened']),
  )
  assert.deepEqual(refusedOf(await open('alice')), [
    409,
    'The number of streams of this caller has reached its limit.',
  ])
  held.push(await open('bob'))
  assert.deepEqual(refusedOf(await open('bob')), [
    409,
    'The number of streams of this server has reached its limit.',
  ])
  const [first] = held
  assert.ok(first !== undefined && 'elements' in first)
  await first.close()
  const again = await retried(async () => {
    const opened = await open('alice')
    assert.ok('elements' in opened)
    return opened
  })
  for (const stream of [...held, again]) if ('elements' in stream) await stream.close()
})

function port(): number {
  return Number(new URL(service.url).port)
}
