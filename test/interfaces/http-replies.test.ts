// What goes out: media types, streams, headers, trace, log lines, checks of answers, and who may
// call. On real sockets.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  AccessGuard,
  Handler,
  HandlerContext,
  WireOperation,
  WireReply,
} from '../../runtime/http/index.ts'
import { NotWritten } from '../../runtime/http/index.ts'
import { ledgerPresenter } from '../../runtime/interfaces/ledger/ledger-presenter.ts'
import { json, media, ok, operation, post, serveWire, wire, type Running } from './http-fixture.ts'

async function* count(to: number): AsyncGenerator<unknown> {
  for (let n = 1; n <= to; n++) yield { n: BigInt(n) }
}

async function one(
  reply: WireReply | Handler<string>,
  more: Partial<WireOperation> = {},
  options: Parameters<typeof serveWire>[2] = {},
): Promise<Running> {
  const handler: Handler<string> = typeof reply === 'function' ? reply : () => reply
  return serveWire(wire([operation('GET', '/a', more)]), { 'GET /a': handler }, options)
}

const answers = (...kinds: Parameters<typeof media>): Partial<WireOperation> => ({
  responses: [{ status: '200', media: [media(...kinds)], headers: [] }],
})

test('bodies of every kind', async () => {
  const cases: readonly (readonly [WireReply['body'], Parameters<typeof media>, string])[] = [
    [{ a: [1, null] }, ['application/json', 'json'], '{"a":[1,null]}'],
    ['ready', ['text/plain', 'text'], 'ready'],
    [new Uint8Array([65, 66]), ['application/octet-stream', 'binary'], 'AB'],
    [Readable.from(['a', 'b']), ['application/octet-stream', 'binary'], 'ab'],
    [count(2), ['text/event-stream', 'events'], 'data: {"n":1}\n\ndata: {"n":2}\n\n'],
    [count(2), ['application/x-ndjson', 'json-lines'], '{"n":1}\n{"n":2}\n'],
  ]
  for (const [body, kind, expected] of cases) {
    await using server = await one({ status: 200, body }, answers(...kind))
    const response = await fetch(`${server.url}/a`)
    assert.equal(await response.text(), expected)
    assert.ok(response.headers.get('content-type')?.startsWith(kind[0]))
  }
})

test('server-sent events carry names and ids, and cannot be broken by line ends', async () => {
  async function* events(): AsyncGenerator<unknown> {
    yield { event: 'x\ny', id: '1', retry: 5, data: 'two\nlines' }
  }
  await using server = await one(
    { status: 200, body: events() },
    answers('text/event-stream', 'events'),
  )
  const text = await (await fetch(`${server.url}/a`)).text()
  assert.equal(text, 'event: x y\nid: 1\nretry: 5\ndata: two\ndata: lines\n\n')
})

test('an answer without a body has length 0, and 204 has no length', async () => {
  const none = (status: string): Partial<WireOperation> => ({
    responses: [{ status, media: [], headers: [] }],
  })
  await using created = await one({ status: 201 }, none('2XX'))
  assert.equal((await fetch(`${created.url}/a`)).headers.get('content-length'), '0')
  await using empty = await one({ status: 204 }, none('204'))
  assert.equal((await fetch(`${empty.url}/a`)).headers.get('content-length'), null)
})

test('headers of a handler go out, framing and invalid ones do not', async () => {
  const headers = { 'x-a': 'b', 'Content-Length': '1', Connection: 'x' }
  await using server = await one({ status: 200, body: {}, headers })
  const response = await fetch(`${server.url}/a`)
  assert.deepEqual([response.headers.get('x-a'), await response.text()], ['b', '{}'])
  await using broken = await one({ status: 200, body: {}, headers: { 'x-a': 'b\r\nx-evil: 1' } })
  const refused = await fetch(`${broken.url}/a`)
  assert.deepEqual([refused.status, refused.headers.get('x-evil')], [500, null])
})

test('deprecated operations say so', async () => {
  const deprecation = { since: '2025-01-01', sunset: '2026-01-01', successor: 'POST /v2/dars' }
  await using server = await one({ status: 200, body: {} }, { deprecation })
  const { headers } = await fetch(`${server.url}/a`)
  assert.deepEqual(
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name)),
    ['@1735689600', 'Thu, 01 Jan 2026 00:00:00 GMT', '</v2/dars>; rel="successor-version"'],
  )
  await using byVersion = await one(
    { status: 200, body: {} },
    { deprecation: { since: '3.4', sunset: '3.5.0' } },
  )
  const plain = (await fetch(`${byVersion.url}/a`)).headers
  assert.deepEqual([plain.get('deprecation'), plain.get('sunset')], ['@0', null])
})

test('undeclared answers: refused, logged or sent, by the mode', async () => {
  const reply = { status: 418, body: {} }
  await using strict = await one(reply)
  assert.equal((await fetch(`${strict.url}/a`)).status, 500)
  await using logging = await one(reply, {}, { responseCheck: 'log' })
  assert.equal((await fetch(`${logging.url}/a`)).status, 418)
  assert.equal(logging.log.lines.filter(({ level }) => level === 'error').length, 1)
  await using off = await one(reply, {}, { responseCheck: 'off' })
  assert.equal((await fetch(`${off.url}/a`)).status, 418)
  const check = json((value, issues) => {
    if (value !== 7)
      issues.push({ in: 'body', pointer: '', keyword: 'const', message: 'must be 7' })
  })
  await using body = await one({ status: 200, body: 8 }, { responses: ok(check) })
  assert.equal((await fetch(`${body.url}/a`)).status, 500)
})

test('a handler that throws is an internal error: logged with its stack, answered without', async () => {
  await using server = await one(() => {
    throw new Error('a secret')
  })
  const response = await fetch(`${server.url}/a`)
  assert.deepEqual(
    [response.status, await response.json()],
    [500, { error: 'An unexpected error occurred.' }],
  )
  const line = server.log.lines.find(({ level }) => level === 'error')
  assert.ok(line !== undefined && 'err' in line.fields && line.fields.err instanceof Error)
  assert.match(String(line.fields.err.stack), /a secret/)
})

test('a handler that is not written yet is 501 in the form of its interface, and no failure in the log', async () => {
  await using server = await one(() => {
    throw new NotWritten('a')
  })
  const response = await fetch(`${server.url}/a`)
  assert.deepEqual(
    [response.status, await response.json()],
    [501, { error: 'This operation is not written yet.' }],
  )
  assert.ok(!server.log.lines.some(({ level }) => level === 'error'))
  const { present } = ledgerPresenter({ participant: 'participant' })
  const presented = present(new NotWritten('a').problem, { traceId: '0'.repeat(32) })
  assert.deepEqual([presented.status, presented.mediaType], [501, 'application/json'])
})

test('a stream that breaks cuts the connection', async () => {
  async function* broken(): AsyncGenerator<unknown> {
    yield { n: 1 }
    throw new Error('the source broke')
  }
  await using server = await one(
    { status: 200, body: broken() },
    answers('application/x-ndjson', 'json-lines'),
  )
  await assert.rejects(async () => (await fetch(`${server.url}/a`)).text())
  assert.ok(server.log.lines.some(({ message }) => message === 'the answer broke off'))
})

test('a handler that is too slow is answered, aborted, and its late answer dropped', async () => {
  let seen: AbortSignal | undefined
  await using server = await one(
    async (_input, { signal }) => {
      seen = signal
      await sleep(150)
      return { status: 200, body: {} }
    },
    {},
    { limits: { requestTimeoutMs: 50 } },
  )
  const response = await fetch(`${server.url}/a`)
  assert.deepEqual(
    [response.status, await response.json()],
    [503, { error: 'The request took longer than 50 ms.' }],
  )
  assert.equal(seen?.aborted, true)
})

test('the signal aborts when the client goes away', async () => {
  const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using server = await one(async (_input, { signal }) => {
    begun.resolve()
    signal.addEventListener('abort', () => {
      gone.resolve()
    })
    await gone.promise
    return { status: 200, body: {} }
  })
  const controller = new AbortController()
  const asked = fetch(`${server.url}/a`, { signal: controller.signal }).catch(() => undefined)
  await begun.promise
  controller.abort()
  await asked
  await gone.promise
})

test('the trace is taken on, handed to the handler and answered', async () => {
  let context: HandlerContext<string> | undefined
  await using server = await one((_input, given) => {
    context = given
    return { status: 200, body: {} }
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-00`, tracestate: 'a=1' }
  const answered = (await fetch(`${server.url}/a`, { headers })).headers.get('traceparent') ?? ''
  assert.match(answered, new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-00$`))
  assert.deepEqual(
    [context?.traceId, context?.traceparent, context?.tracestate],
    [traceId, answered, 'a=1'],
  )
  for (const bad of [
    'nonsense',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${traceId}-b7ad6b7169203331-01`,
  ]) {
    const fresh =
      (await fetch(`${server.url}/a`, { headers: { traceparent: bad } })).headers.get(
        'traceparent',
      ) ?? ''
    assert.match(fresh, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    assert.ok(!fresh.includes(traceId))
  }
})

test('one log line and one record for each request, without token or query', async () => {
  const records: unknown[] = []
  await using server = await one(
    { status: 200, body: {} },
    {},
    {
      onResponse: [
        (record) => {
          records.push(record)
        },
      ],
    },
  )
  await fetch(`${server.url}/a?secret=1`, { headers: { authorization: 'Bearer hidden' } })
  await fetch(`${server.url}/nowhere?secret=1`)
  const lines = server.log.lines
    .filter(({ message }) => message === 'request')
    .map(({ fields }) => fields)
  assert.deepEqual(
    lines.map((line) => Object.keys(line).filter((name) => name !== 'reason')),
    [
      ['method', 'path', 'operationId', 'status', 'ms', 'traceId'],
      ['method', 'path', 'operationId', 'status', 'ms', 'traceId'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(server.log.lines), /secret|hidden/)
  assert.deepEqual(
    records.map((record) =>
      JSON.stringify(record).replace(/"durationMs":[\d.e-]+/, '"durationMs":0'),
    ),
    [
      '{"interfaceName":"sample","operationId":"GET /a","method":"GET","status":200,"durationMs":0}',
      '{"interfaceName":"sample","operationId":"","method":"GET","status":404,"durationMs":0}',
    ],
  )
})

const guard: AccessGuard<string> = {
  authenticate: ({ authorization }) => {
    if (authorization === undefined) return { kind: 'anonymous', reason: 'no token' }
    const name = authorization.replace('Bearer ', '')
    return name === 'locked'
      ? { kind: 'refused', reason: 'deactivated' }
      : { kind: 'principal', principal: name }
  },
  authorize: async (_operation, identity) =>
    identity.kind === 'principal' && identity.principal === 'alice'
      ? { allowed: true }
      : { allowed: false, cause: 'forbidden', reason: 'not alice' },
  needsPrincipal: () => true,
}

test('who may call: anonymous 401, refused and forbidden 403, in the order of the document', async () => {
  const needsBody = operation('POST', '/b', { body: { required: true, media: [json()] } })
  const answer: Handler<string> = (_input, { principal }) => ({ status: 200, body: { principal } })
  const handlers = { 'POST /b': answer }
  const ask = async (server: Running, token: string | undefined, body: string): Promise<number> => {
    const request = post(body)
    const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', ...credentials }
    return (await fetch(`${server.url}/b`, { ...request, headers })).status
  }
  await using usual = await serveWire(wire([needsBody]), handlers, { guard })
  assert.deepEqual(
    await Promise.all([
      ask(usual, undefined, '{'),
      ask(usual, 'locked', '{'),
      ask(usual, 'bob', '{'),
      ask(usual, 'bob', '{}'),
      ask(usual, 'alice', '{}'),
    ]),
    [401, 403, 400, 403, 200],
  )
  const checks = ['parameters', 'token', 'body', 'rights', 'constraints'] as const
  await using ledger = await serveWire(wire([needsBody], { checks }), handlers, { guard })
  assert.deepEqual(
    await Promise.all([
      ask(ledger, undefined, '{'),
      ask(ledger, undefined, '{}'),
      ask(ledger, 'alice', ''),
      ask(ledger, 'bob', ''),
    ]),
    [400, 401, 400, 403],
  )
  const anonymous = await fetch(`${usual.url}/b`, post('{}'))
  assert.equal(anonymous.headers.get('www-authenticate'), 'Bearer')
})
