// Bodies that are made to cost more than their size: refused under documented limits, read in turns
// with everything else, never kept beyond what all of them together may hold. What is asserted is
// what happens and in which order, not how long it takes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccessGuard, Handler, HttpOptions, WireMedia } from '../../runtime/http/index.ts'
import { eventually } from '../support/eventually.ts'
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
  type Running,
} from './http-fixture.ts'

const MIB = 1_048_576
const itemsMustBeTexts: NonNullable<WireMedia['check']> = (value, issues) => {
  if (!Array.isArray(value)) return
  for (const [at, item] of value.entries()) {
    if (typeof item !== 'string' && issues.length < 1_000)
      issues.push({ ...issue('body', `/${at}`, 'type', 'must be a text'), value: item })
  }
}

const body = (...kinds: readonly WireMedia[]) => ({ body: { required: true, media: kinds } })
const OPERATIONS = [
  operation('POST', '/any', {
    ...body(json(undefined, true)),
    responses: ok(json(undefined, true)),
  }),
  operation('POST', '/texts', body(json(itemsMustBeTexts))),
  operation('POST', '/form', body(media('application/x-www-form-urlencoded', 'form'))),
  operation('POST', '/multipart', body(media('multipart/form-data', 'multipart'))),
  operation('POST', '/binary', {
    ...body(media('application/octet-stream', 'binary')),
    maxBodyBytes: 256 * MIB,
  }),
  operation('GET', '/livez'),
]
const echo: Handler<string> = ({ body: given }) => ({ status: 200, body: { given: given ?? null } })
const HANDLERS = Object.fromEntries(OPERATIONS.map(({ operationId }) => [operationId, echo]))

const start = (
  more: Partial<HttpOptions<string>> & { readonly guard?: AccessGuard<string> } = {},
): Promise<Running> => serveWire(wire(OPERATIONS), HANDLERS, more)

async function answer(
  { url }: Running,
  path: string,
  sent: RequestInit['body'],
  type?: string,
): Promise<[number, string]> {
  const response = await fetch(url + path, post(sent, type))
  return [response.status, await response.text()]
}

test('a body that exceeds what JSON may have is refused with the limit', async () => {
  await using server = await start({ limits: { maxBodyBytes: 4 * MIB } })
  const distinct = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join()}}`
  const cases: readonly (readonly [string, string])[] = [
    [`{"migration_id":${'9'.repeat(4 * MIB - 100)}}`, 'body: a number of more than 100 characters'],
    [`[${'9'.repeat(101)}]`, 'body: a number of more than 100 characters'],
    [`[0.${'0'.repeat(99)}1]`, 'body: a number of more than 100 characters'],
    ['['.repeat(4 * MIB), 'body: nested deeper than 256 levels'],
    ['{"a":'.repeat(800_000), 'body: nested deeper than 256 levels'],
    [distinct(100_001), 'body: more than 100000 members'],
    [`[${'0,'.repeat(200_000)}0]`, 'body: more than 200000 values'],
    [`{"${'a'.repeat(262_145)}":1}`, 'body: a name of more than 262144 bytes'],
    [
      `${distinct(99_000).slice(0, -1)},"7":1}`,
      'body /7: the name "7" appears twice in one object',
    ],
  ]
  for (const [sent, expected] of cases)
    assert.deepEqual(await answer(server, '/any', sent), [400, JSON.stringify({ error: expected })])
  assert.equal(
    (await answer(server, '/any', `[${'9'.repeat(100)},${'['.repeat(254)}${']'.repeat(254)}]`))[0],
    200,
  )
})

test('the limits are those of the configuration', async () => {
  await using server = await start({
    limits: {
      json: { maxDepth: 2, maxNumberLength: 3, maxMembers: 2, maxValues: 4, maxNameLength: 3 },
    },
  })
  const cases: readonly (readonly [string, RegExp])[] = [
    ['[[[]]]', /deeper than 2 levels/],
    ['1234', /more than 3 characters/],
    ['{"a":1,"b":2,"c":3}', /more than 2 members/],
    ['[1,2,3,4]', /more than 4 values/],
    ['{"aaaa":1}', /a name of more than 3 bytes/],
  ]
  for (const [sent, expected] of cases) {
    const [status, text] = await answer(server, '/any', sent)
    assert.deepEqual([status, expected.test(text)], [400, true], `${sent}: ${text}`)
  }
  for (const sent of ['[[1]]', '123', '{"a":1,"b":2}', '[1,2,3]', '{"aaa":1}'])
    assert.equal((await answer(server, '/any', sent))[0], 200, sent)
})

test('JSON is read as the platform reads it, whatever is wrong with it and wherever it is cut', async () => {
  await using server = await start()
  const signs = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '-',
    '0',
    '1e5',
    '.',
    'true',
    'nul',
    ' ',
    '\n',
    'é',
    '\u0007',
    '"a"',
    '\\u00e9',
    '"\\ud83d"',
  )
  const texts = fc.oneof(
    fc.json(),
    fc.json().map((text) => text.slice(0, -1)),
    fc.array(signs, { maxLength: 8 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.json(), fc.nat(), signs)
      .map(
        ([text, at, sign]) => text.slice(0, at % text.length) + sign + text.slice(at % text.length),
      ),
  )
  // A large one is read in pieces.
  const isLarge = fc.constantFrom(false, false, false, true)
  await fc.assert(
    fc.asyncProperty(texts, isLarge, async (given, large) => {
      const text = large
        ? `[${Array.from({ length: Math.ceil(70_000 / (given.length + 1)) }, () => given).join()}]`
        : given
      const [status, said] = await answer(server, '/any', text)
      const expected = platform(text)
      if (expected === undefined) assert.equal(status, 400, text)
      else if (!said.includes('appears twice'))
        assert.deepEqual(
          [status, JSON.parse(said)],
          [200, JSON.parse(JSON.stringify({ given: expected.value }))],
          text,
        )
    }),
    { numRuns: 300 },
  )
})

function platform(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

test('what an answer tells of a hundred thousand violations is short', async () => {
  await using server = await start()
  const [status, text] = await answer(server, '/texts', `[${'0,'.repeat(100_000)}0]`)
  assert.equal(status, 400)
  assert.match(text, /^\{"error":"body \/0: must be a text; body \/1: must be a text/)
  assert.ok(text.length < 10_000, `${text.length}`)
})

test('fields and parts beyond number are refused', async () => {
  await using server = await start()
  assert.deepEqual(
    await answer(server, '/form', 'a&'.repeat(400_000), 'application/x-www-form-urlencoded'),
    [400, '{"error":"body: more than 100000 members"}'],
  )
  const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'
  assert.deepEqual(
    await answer(
      server,
      '/multipart',
      `${part.repeat(2_000)}--x--\r\n`,
      'multipart/form-data; boundary=x',
    ),
    [400, '{"error":"body: more than 1000 parts"}'],
  )
})

test('chunks of a byte each are refused after some, and leave the connection', async () => {
  await using server = await start()
  const head = 'POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  assert.match(
    await raw(server.port, [head, '1\r\n \r\n'.repeat(20_000)]),
    /^HTTP\/1\.1 400 [^]*Connection: close[^]*chunks of too few bytes/,
  )
  const few = await raw(server.port, [head, '1\r\n \r\n'.repeat(900), '1\r\n1\r\n0\r\n\r\n'], {
    until: /given/,
  })
  assert.match(few, /^HTTP\/1\.1 200 /)
})

test('others are answered between the pieces of large bodies, and small ones before them', async () => {
  await using server = await start()
  const names = `{${Array.from({ length: 60_000 }, (_, at) => `"${at}":0`).join()}}`
  const order: string[] = []
  const asked = (path: string, sent: string | undefined, name: string): Promise<unknown> =>
    fetch(server.url + path, sent === undefined ? {} : post(sent)).then(async (response) => {
      order.push(name)
      return response.text()
    })
  const large = Array.from({ length: 12 }, () => asked('/any', names, 'large'))
  await Promise.all([
    ...large,
    ...Array.from({ length: 3 }, () => asked('/any', `[${'"x",'.repeat(2_000)}0]`, 'small')),
    asked('/livez', undefined, 'livez'),
  ])
  assert.ok(order.indexOf('livez') < 6 && order.lastIndexOf('small') < 9, order.join())
})

const strangersOut: AccessGuard<string> = {
  authenticate: ({ authorization }) =>
    authorization === 'Bearer good'
      ? { kind: 'principal', principal: 'alice' }
      : { kind: 'anonymous', reason: 'nobody', hasToken: authorization !== undefined },
  authorize: () => ({ allowed: true }),
  needsPrincipal: () => true,
}

/**
 * Sends as much of 200 MB as the server takes until it hangs up: what it answered, and the bytes
 * that left.
 */
async function push(
  { port }: Running,
  path: string,
): Promise<{ readonly answer: string; readonly bytes: number }> {
  const socket = connect(port, '127.0.0.1')
  let answered = ''
  socket.on('data', (data: Buffer) => {
    answered += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: ${200 * MIB}\r\n\r\n`,
  )
  const piece = Buffer.alloc(MIB, 0x20)
  let sent = 0
  const more = (): void => {
    while (sent < 200 && !socket.destroyed) {
      sent += 1
      if (!socket.write(piece)) return void socket.once('drain', more)
    }
  }
  more()
  await closed
  return { answer: answered, bytes: socket.bytesWritten - socket.writableLength }
}

test('what nobody may send is not read: the answer comes, and the rest stays where it is', async () => {
  const checks = ['parameters', 'token', 'authenticated', 'body', 'rights', 'constraints'] as const
  await using server = await serveWire(wire(OPERATIONS, { checks }), HANDLERS, {
    guard: strangersOut,
  })
  for (const path of ['/binary', '/any']) {
    const { answer: answered, bytes } = await push(server, path)
    assert.match(
      answered,
      /^HTTP\/1\.1 401 [^]*WWW-Authenticate: Bearer\r\n[^]*Connection: close/,
      path,
    )
    // What the system's own buffers take, on both sides.
    assert.ok(bytes < 24 * MIB, `${path}: ${bytes} bytes`)
  }
})

/** Begins a body of `bytes` bytes and leaves it at that. */
async function begin(
  { port }: Running,
  bytes: number,
  localAddress = '127.0.0.1',
): Promise<{ readonly socket: Socket; readonly answer: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  let answered = ''
  socket.on('data', (data: Buffer) => {
    answered += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `POST /any HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes + 1}\r\n\r\n${' '.repeat(bytes)}`,
  )
  return { socket, answer: () => answered }
}

test('the bytes of unfinished bodies are bounded, for an address and for all', async () => {
  await using server = await start({
    limits: { held: { bodies: { all: 600_000, each: 250_000 } } },
  })
  const first = [await begin(server, 100_000), await begin(server, 100_000)]
  await sleep(100)
  const third = await begin(server, 100_000)
  await eventually(true, () => third.answer().includes('\r\n\r\n'))
  assert.match(
    third.answer(),
    /^HTTP\/1\.1 429 [^]*Retry-After: 1\r\n[^]*of this address hold more than 250000 bytes/,
  )
  assert.deepEqual(
    first.map(({ answer: said }) => said()),
    ['', ''],
  )
  const others = [
    await begin(server, 110_000, '127.0.0.2'),
    await begin(server, 110_000, '127.0.0.2'),
    await begin(server, 110_000, '127.0.0.3'),
  ]
  await sleep(100)
  // All is taken now: the next one of the smallest address takes the place of the oldest of the
  // largest.
  others.push(await begin(server, 110_000, '127.0.0.3'))
  await eventually(true, () => (others[0]?.answer() ?? '').includes('\r\n\r\n'))
  assert.match(
    others[0]?.answer() ?? '',
    /^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*Unfinished requests hold more than 600000 bytes/,
  )
  for (const { socket } of first) socket.write('1')
  await eventually([true, true], () =>
    first.map(({ answer: said }) => said().startsWith('HTTP/1.1 200')),
  )
  for (const { socket } of [...first, third, ...others]) socket.destroy()
  await eventually(200, async () => (await answer(server, '/any', ' '.repeat(240_000) + '1'))[0])
})

test('what two readers may read in two ways is refused: two hosts, two tokens, another HTTP', async () => {
  await using server = await start()
  const heads = [
    'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b',
    'GET /livez HTTP/1.1\r\nHost: a\r\nhOST: a',
    'GET /livez',
    'GET /livez HTTP/2.0\r\nHost: a',
    'GET /livez HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b',
    'GET /livez HTTP/1.1',
  ]
  for (const head of heads)
    assert.match(await raw(server.port, [`${head}\r\n\r\n`]), /^HTTP\/1\.1 400 /, head)
  assert.match(
    await raw(server.port, ['GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']),
    /^HTTP\/1\.1 200 /,
  )
})
