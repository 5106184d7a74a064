// Connections: pipelining, broken requests, ports in use, and the drain. Over real sockets.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpApp, type Handler } from '../../runtime/http/index.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { json, media, ok, operation, raw, serveWire, wire, type Running } from './http-fixture.ts'

const OPERATIONS = [
  operation('GET', '/fast'),
  operation('GET', '/slow'),
  operation('GET', '/stream', { responses: ok(media('text/event-stream', 'events')) }),
]

async function* forever(): AsyncGenerator<unknown> {
  for (let n = 0; ; n++) {
    yield n
    await sleep(10)
  }
}

async function* broken(): AsyncGenerator<unknown> {
  yield 0
  throw new Error('no more')
}

/** A handler that tells when it runs and answers when it may. */
function held() {
  const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Handler<string> = async () => {
    begun.resolve()
    await answer.promise
    return { status: 200, body: { slow: true } }
  }
  return { slow, begun: begun.promise, answer: answer.resolve }
}

const late: Handler<string> = async () => {
  await sleep(120)
  return { status: 200, body: { slow: true } }
}

const start = (
  more: Parameters<typeof serveWire>[2] = {},
  slow: Handler<string> = late,
): Promise<Running> =>
  serveWire(
    wire(OPERATIONS),
    {
      'GET /fast': () => ({ status: 200, body: { fast: true } }),
      'GET /slow': slow,
      'GET /stream': () => ({ status: 200, body: forever() }),
    },
    more,
  )

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

test('pipelined requests are answered in order', async () => {
  await using server = await start()
  const received = await raw(
    server.port,
    [get('/slow') + get('/fast') + get('/nowhere') + get('/fast')],
    { until: /404[^]*"fast"/ },
  )
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+|"(?:slow|fast)"/g), [
    'HTTP/1.1 200',
    '"slow"',
    'HTTP/1.1 200',
    '"fast"',
    'HTTP/1.1 404',
    'HTTP/1.1 200',
    '"fast"',
  ])
})

test('the refusal of a broken request comes after the answers to those before it', async () => {
  await using server = await start()
  const received = await raw(server.port, [get('/slow') + get('/fast') + 'nonsense\r\n\r\n'])
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+|"(?:slow|fast)"/g), [
    'HTTP/1.1 200',
    '"slow"',
    'HTTP/1.1 200',
    '"fast"',
    'HTTP/1.1 400',
  ])
})

test('what comes after a broken request is not answered, whatever it is', async () => {
  const { slow, begun, answer } = held()
  await using server = await start({}, slow)
  const received = raw(server.port, [
    get('/slow') + 'nonsense\r\n\r\n',
    get('/fast'),
    'nonsense\r\n\r\n',
  ])
  await begun
  answer()
  assert.deepEqual((await received).match(/HTTP\/1\.1 \d+|"(?:slow|fast)"/g), [
    'HTTP/1.1 200',
    '"slow"',
    'HTTP/1.1 400',
  ])
})

test(
  'a body that breaks is refused at once, behind the answers to earlier requests only',
  { timeout: 10_000 },
  async () => {
    const { slow, begun, answer } = held()
    await using server = await serveWire(
      wire([
        ...OPERATIONS,
        operation('POST', '/body', { body: { required: true, media: [json()] } }),
      ]),
      {
        'GET /slow': slow,
        'POST /body': () => ({ status: 200, body: { read: true } }),
      },
    )
    const broken =
      'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    assert.match(await raw(server.port, [broken]), /^HTTP\/1\.1 400/)
    const received = raw(server.port, [get('/slow') + broken])
    await begun
    answer()
    assert.deepEqual((await received).match(/HTTP\/1\.1 \d+|"(?:slow|read)"/g), [
      'HTTP/1.1 200',
      '"slow"',
      'HTTP/1.1 400',
    ])
  },
)

test('an upgrade that is refused waits for the answers before it', async () => {
  await using server = await start()
  const upgrade =
    'GET /stream HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const received = await raw(server.port, [get('/slow') + upgrade])
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+|"slow"/g), [
    'HTTP/1.1 200',
    '"slow"',
    'HTTP/1.1 400',
  ])
})

test(
  'an answer that breaks off while others are before it ends the connection',
  { timeout: 10_000 },
  async () => {
    const { slow, begun, answer } = held()
    await using server = await serveWire(wire(OPERATIONS), {
      'GET /slow': slow,
      'GET /stream': () => ({ status: 200, body: broken() }),
    })
    const received = raw(server.port, [get('/slow') + get('/stream')])
    await begun
    await eventuallyHolds('it broke off', () =>
      server.log.lines.some(({ message }) => message === 'the answer broke off'),
    )
    answer()
    assert.equal(
      (await received).includes('0\r\n\r\n'),
      false,
      'nobody takes the part for the whole',
    )
  },
)

test('a HEAD whose body nobody reads is answered before the connection ends', async () => {
  await using server = await start()
  const head = 'HEAD /fast HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n'
  assert.match(
    await raw(server.port, [head + 'x'.repeat(100_000)]),
    /^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n$/,
  )
})

test('of very many pipelined requests some begin in a turn, others are heard in between, and all are answered', async () => {
  const MANY = 500
  let [begun, most] = [0, 0]
  await using server = await serveWire(wire([operation('GET', '/fast')]), {
    'GET /fast': () => {
      begun += 1
      for (const since = performance.now(); performance.now() - since < 0.5;);
      return { status: 200, body: { fast: true } }
    },
  })
  let isOver = false
  const look = (): void => {
    most = Math.max(most, begun)
    begun = 0
    if (!isOver) setImmediate(look)
  }
  look()
  const received = await raw(server.port, [get('/fast').repeat(MANY) + get('/nowhere')], {
    until: /HTTP\/1\.1 404/,
  })
  isOver = true
  assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, MANY)
  assert.ok(most <= 10, `${most} began in one turn`)
})

test('what is not HTTP is 400, a head that is too large 431', async () => {
  await using server = await start()
  assert.match(await raw(server.port, ['nonsense\r\n\r\n']), /^HTTP\/1\.1 400 Bad Request/)
  const large = `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`
  assert.match(await raw(server.port, [large]), /^HTTP\/1\.1 431/)
})

test('a head that comes too slowly ends its connection', async () => {
  await using server = await start({ sockets: { headersTimeoutMs: 100 } })
  assert.match(await raw(server.port, ['GET /fast HTTP/1.1\r\nHost:']), /^HTTP\/1\.1 408/)
})

test("a port in use is the system's error", async () => {
  await using server = await start()
  const other = createHttpApp<string>({
    interfaces: [],
    log: server.log,
    clock: { nowMicros: () => 0n },
  })
  await assert.rejects(other.listen(server.port, '127.0.0.1'), { code: 'EADDRINUSE' })
})

test('a drain lets requests finish, refuses new ones and ends the connections', async () => {
  const { slow, begun, answer } = held()
  const server = await start({}, slow)
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.on('data', (data: Buffer) => {
    received += data.toString()
  })
  await once(socket, 'connect')
  socket.write(get('/slow'))
  await begun
  const drained = server.http.drain(60_000)
  socket.write(get('/fast'))
  const silent = connect(server.port, '127.0.0.1')
  const [refused] = await once(silent, 'error')
  assert.equal(refused instanceof Error && 'code' in refused && refused.code, 'ECONNREFUSED')
  answer()
  await once(socket, 'close')
  assert.equal(await drained, 0)
  assert.match(received, /200 OK[^]*Connection: close[^]*"slow":true/)
})

test('a request on a kept connection is refused while another one drains', async () => {
  const { slow, begun, answer } = held()
  const server = await start({}, slow)
  const holding = raw(server.port, [get('/slow')])
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /fast HTTP/1.1\r\n')
  socket.write('Host: a\r\n\r\n' + 'GET /fast HTTP/1.1\r\nHo')
  let received = ''
  socket.on('data', (data: Buffer) => {
    received += data.toString()
  })
  await begun
  await eventuallyHolds('the first of the two is answered', () => received.includes('"fast"'))
  const drained = server.http.drain(60_000)
  socket.write('st: a\r\n\r\n')
  await once(socket, 'close')
  answer()
  assert.match(
    received,
    /HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 503 Service Unavailable[^]*Connection: close/,
  )
  assert.match(await holding, /"slow":true/)
  assert.equal(await drained, 0)
})

test('what does not end within the grace time is cut off', async () => {
  const server = await start()
  const stream = await fetch(`${server.url}/stream`)
  const before = performance.now()
  assert.equal(await server.http.drain(100), 1)
  assert.ok(performance.now() - before < 20_000)
  await assert.rejects(stream.text())
})
