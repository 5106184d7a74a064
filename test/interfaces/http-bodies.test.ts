// Request bodies that are wrong, large, slow or cut off, and those that must come through
// unchanged: on real sockets.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import type { Handler, WireMedia, WireOperation } from '../../runtime/http/index.ts'
import {
  issue,
  json,
  media,
  ok,
  operation,
  post,
  raw,
  serveWire,
  wire,
  type Handlers,
  type Running,
} from './http-fixture.ts'

const needsName: NonNullable<WireMedia['check']> = (value, issues) => {
  if (typeof value !== 'object' || value === null)
    issues.push(issue('body', '', 'type', 'must be an object'))
  else if (!('name' in value)) issues.push(issue('body', '/name', 'required', 'is required'))
  else if (typeof value.name !== 'string')
    issues.push(issue('body', '/name', 'type', 'must be a string'))
}

const echoBody: Handler<string> = (input) => ({ status: 200, body: { body: input.body ?? null } })
const readStream: Handler<string> = async (input) => {
  assert.ok(input.body instanceof Readable)
  return { status: 200, body: { length: (await text(input.body)).length } }
}
const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
const readItems: Handler<string> = async ({ body }) => {
  assert.ok(isIterable(body))
  const items: unknown[] = []
  for await (const item of body) items.push(item)
  return { status: 200, body: { items } }
}

const withBody = (
  path: string,
  kinds: readonly WireMedia[],
  more: Partial<WireOperation> = {},
): WireOperation => operation('POST', path, { body: { required: true, media: kinds }, ...more })

const OPERATIONS = [
  withBody('/json', [json(needsName)]),
  withBody('/any', [json()], { maxBodyBytes: 1_000 }),
  withBody('/int64', [json(undefined, true)], { responses: ok(json(undefined, true)) }),
  withBody('/decimals', [{ ...json(), decimals: ['amount'] }]),
  withBody('/text', [media('text/plain', 'text')]),
  withBody('/form', [media('application/x-www-form-urlencoded', 'form')]),
  withBody('/multipart', [media('multipart/form-data', 'multipart')]),
  withBody('/binary', [media('application/octet-stream', 'binary')], { maxBodyBytes: 100_000 }),
  withBody('/lines', [media('application/x-ndjson', 'json-lines')], { maxBodyBytes: 100_000 }),
  operation('POST', '/optional', { body: { required: false, media: [json(needsName)] } }),
]

const HANDLERS: Handlers = Object.fromEntries(
  OPERATIONS.map(({ operationId, path }) => [
    operationId,
    path === '/binary' ? readStream : path === '/lines' ? readItems : echoBody,
  ]),
)

const start = (more: Parameters<typeof serveWire>[2] = {}): Promise<Running> =>
  serveWire(wire(OPERATIONS), HANDLERS, more)

async function answer(
  server: Running,
  path: string,
  body: RequestInit['body'],
  type?: string,
): Promise<[number, string]> {
  const response = await fetch(server.url + path, post(body, type))
  return [response.status, await response.text()]
}

test('malformed, duplicated and wrongly encoded JSON is 400, and says what is wrong', async () => {
  await using server = await start()
  const cases: readonly (readonly [RequestInit['body'], RegExp])[] = [
    ['{"name": ', /body: not valid JSON/],
    ['', /body: a body is required/],
    ['{"name":"a","name":"b"}', /body \/name: the name \\"name\\" appears twice/],
    [
      '{"name":"a","x":[{"k":1},{"a\\"":{}, "\\u006b" : 1,"k":2}]}',
      /body \/x\/1\/k: .*appears twice/,
    ],
    [new Uint8Array([0x22, 0xff, 0x22]), /body: not valid UTF-8/],
    ['{}', /body \/name: is required/],
    ['7', /body: must be an object/],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested deeper than 256 levels/],
    [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, /nested deeper/],
  ]
  for (const [body, expected] of cases) {
    const [status, text] = await answer(server, '/json', body)
    assert.equal(status, 400)
    assert.match(text, expected)
  }
  assert.deepEqual(await answer(server, '/optional', ''), [200, '{"body":null}'])
})

test('names such as __proto__ and constructor are plain data', async () => {
  await using server = await start()
  const body = '{"__proto__":{"admin":true},"constructor":{"__proto__":1}}'
  assert.deepEqual(await answer(server, '/any', body), [200, `{"body":${body}}`])
  assert.equal(Object.hasOwn(Object.prototype, 'admin'), false)
  assert.deepEqual(
    await answer(server, '/form', '__proto__=x&a=1&a=2', 'application/x-www-form-urlencoded'),
    [200, '{"body":{"__proto__":"x","a":["1","2"]}}'],
  )
})

test('integers beyond 2^53 survive both ways where the document says int64', async () => {
  await using server = await start()
  const body = '{"a":9007199254740993,"b":[-9223372036854775808,1],"c":"9007199254740993","d":1.5}'
  assert.deepEqual(await answer(server, '/int64', body), [200, `{"body":${body}}`])
})

test('a number that is a decimal is handed on as its digits, whatever a double makes of it', async () => {
  await using server = await start()
  const cases: readonly (readonly [string, unknown])[] = [
    ['12.5', '12.5'],
    ['12345678.0000000001', '12345678.0000000001'],
    ['9007199254740993', '9007199254740993'],
    ['-0', '-0'],
    ['9999999999999999999999999999.9999999999', '9999999999999999999999999999.9999999999'],
    ['1e-7', '0.0000001'],
    ['12.50E+1', '125'],
    ['1.25e1', '12.5'],
    ['-2.5e-3', '-0.0025'],
    ['0.5e1', '5'],
    ['1E400', '1E400'],
    ['"1e3"', '1e3'],
    ['null', null],
  ]
  for (const [sent, read] of cases) {
    const [status, text] = await answer(server, '/decimals', `{"amount":${sent},"other":0.1}`)
    assert.deepEqual(
      [status, JSON.parse(text)],
      [200, { body: { amount: read, other: 0.1 } }],
      sent,
    )
  }
  const [status, text] = await answer(server, '/decimals', '{"amount":1.5,"amount":2.5}')
  assert.deepEqual([status, /appears twice/.test(text)], [400, true])
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 10n ** 38n }), fc.nat(10), async (digits, scale) => {
      const padded = digits.toString().padStart(scale + 1, '0')
      const sent = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`
      assert.deepEqual(await answer(server, '/decimals', `{"amount":${sent}}`), [
        200,
        `{"body":{"amount":"${sent}"}}`,
      ])
    }),
    { numRuns: 60 },
  )
})

test('any JSON value comes through as it was sent', async () => {
  await using server = await start()
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      const sent = JSON.stringify(value)
      const [status, text] = await answer(server, '/int64', sent)
      assert.deepEqual([status, JSON.parse(text)], [200, { body: JSON.parse(sent) }])
    }),
    { numRuns: 60 },
  )
})

test('a wrong content type is 415; an absent one and any charset of UTF-8 are taken', async () => {
  await using server = await start()
  const [status, text] = await answer(server, '/json', '{}', 'text/xml')
  assert.deepEqual(
    [status, JSON.parse(text)],
    [415, { error: 'Content type text/xml is not supported, expected: application/json' }],
  )
  assert.equal(
    (await answer(server, '/json', '{"name":"a"}', 'application/json; charset=UTF-8'))[0],
    200,
  )
  assert.equal(
    (await answer(server, '/json', '{"name":"a"}', 'application/json; charset=latin1'))[0],
    415,
  )
  const bare = await raw(
    server.port,
    ['POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n{"name":"a"}'],
    { until: /200 OK/ },
  )
  assert.match(bare, /200 OK/)
  const packed = await fetch(`${server.url}/json`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  assert.equal(packed.status, 415)
})

test('an interface that does not insist on the content type decodes anyway', async () => {
  const checks = ['parameters', 'token', 'body', 'rights', 'constraints'] as const
  await using server = await serveWire(wire(OPERATIONS, { checks }), HANDLERS)
  assert.equal((await answer(server, '/json', '{"name":"a"}', 'text/xml'))[0], 200)
})

test('a body over the limit is 413: declared, streamed, and without being read', async () => {
  await using server = await start()
  assert.equal((await answer(server, '/any', `"${'x'.repeat(2_000)}"`))[0], 413)
  const declared = await raw(
    server.port,
    ['POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n{'],
    { until: /1048576 bytes/ },
  )
  assert.match(declared, /413 Payload Too Large[^]*Connection: close[^]*larger than 1048576 bytes/)
  const chunked = `400\r\n${'x'.repeat(0x400)}\r\n`
  const streamed = await raw(server.port, [
    'POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    chunked,
    chunked,
  ])
  assert.match(streamed, /413 Payload Too Large[^]*Connection: close/)
  const expecting = await raw(server.port, [
    'POST /any HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n',
  ])
  assert.match(expecting, /^HTTP\/1\.1 413/)
})

test('Expect: 100-continue is answered when the body is wanted', async () => {
  await using server = await start()
  const head =
    'POST /json HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n'
  assert.match(
    await raw(server.port, [head, '{"name":"a"}'], { until: / 200 OK/ }),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
  )
})

test('a body that is cut off ends quietly, and the handler never runs', async () => {
  let runs = 0
  const handlers = { ...HANDLERS, 'POST /json': () => ({ status: 200, body: runs++ }) }
  await using server = await serveWire(wire(OPERATIONS), handlers)
  await raw(
    server.port,
    ['POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"name":'],
    { ms: 50 },
  )
  await raw(server.port, [
    'POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ])
  assert.equal(runs, 0)
  assert.deepEqual(
    server.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
  assert.equal((await answer(server, '/json', '{"name":"a"}'))[0], 200)
})

test('text, multipart, binary and line bodies', async () => {
  await using server = await start()
  assert.deepEqual(await answer(server, '/text', 'grüße', 'text/plain'), [200, '{"body":"grüße"}'])
  const form = new FormData()
  form.append('a', '1')
  form.append('a', '2')
  form.append('b', 'x')
  const multipart = await fetch(`${server.url}/multipart`, { method: 'POST', body: form })
  assert.deepEqual(await multipart.json(), { body: { a: ['1', '2'], b: 'x' } })
  assert.equal(
    (await answer(server, '/multipart', 'no', 'multipart/form-data; boundary=x'))[0],
    400,
  )
  const bytes = new Uint8Array(50_000).fill(0xff)
  assert.deepEqual(await answer(server, '/binary', bytes, 'application/octet-stream'), [
    200,
    '{"length":50000}',
  ])
  assert.deepEqual(await answer(server, '/lines', '{}\n{}\n', 'application/x-ndjson'), [
    200,
    '{"items":[{},{}]}',
  ])
  const large = await raw(server.port, [
    'POST /binary HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/octet-stream\r\n\r\n',
    `30000\r\n${'x'.repeat(0x30000)}\r\n`,
  ])
  assert.match(large, /413 Payload Too Large/)
})

test('a value is reported in the phase that the document states', async () => {
  const operations = [operation('GET', '/n')]
  await using server = await serveWire(wire(operations), {
    'GET /n': () => ({ status: 200, body: {} }),
  })
  const at = async (query: string): Promise<string> =>
    (await fetch(`${server.url}/n?${query}`)).text()
  assert.equal(await at('n=x'), '{"error":"query n: must be an integer"}')
  assert.equal(await at('n=xxxx'), '{"error":"query n: must be an integer"}')
  assert.equal(await at('n=1000'), '{"error":"query n: must be <= 999"}')
})

test('a body that stalls is answered, logged once and forgotten', async () => {
  await using server = await start({ limits: { requestTimeoutMs: 80 } })
  const head = 'POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"name":'
  const answers = await Promise.all(Array.from({ length: 5 }, () => raw(server.port, [head])))
  for (const received of answers)
    assert.match(received, /^HTTP\/1\.1 408 [^]*Connection: close[^]*did not arrive within 80 ms/)
  assert.equal(server.log.lines.filter(({ message }) => message === 'request').length, 5)
  assert.equal(await server.http.drain(1_000), 0, 'no request is still held')
})
