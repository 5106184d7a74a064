// The transport of streams, over a hand-made interface: limits, patience, and a caller whose token
// ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { AccessGuard, HttpOptions, StreamHandler } from '../../runtime/http/index.ts'
import { mountInterface, openGuard, plainPresenter, StreamError } from '../../runtime/http/index.ts'
import { eventually, retried } from '../support/eventually.ts'
import { json, operation, serveMounts, wire } from './http-fixture.ts'
import type { Running } from './http-fixture.ts'
import { openStream } from './stream-client.ts'
import type { StreamClient } from './stream-client.ts'

const WATCH = operation('POST', '/watch', {
  operationId: 'watch',
  body: { required: true, media: [json()] },
})
const forever: StreamHandler<string> = async (_input, { signal }) => ({ items: waitFor(signal) })

async function* waitFor(signal: AbortSignal): AsyncGenerator<unknown> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

function serve(
  watch: StreamHandler<string>,
  streams: NonNullable<HttpOptions<string>['streams']> = {},
  limits: NonNullable<HttpOptions<string>['limits']> = {},
  guard: AccessGuard<string> = openGuard<string>(),
): Promise<Running> {
  const mount = mountInterface<string, object>({
    wire: wire([WATCH]),
    handlers: {},
    guard,
    presenter: plainPresenter,
  })
  const handlers = { watch: async () => ({ status: 200, body: null }) }
  return serveMounts({
    interfaces: [{ ...mount, handlers, streams: { watch }, webSocketSubprotocol: 'sample' }],
    streams,
    limits,
  })
}

async function open(
  { url }: Running,
  request: unknown = {},
  path = '/watch',
): Promise<StreamClient> {
  const opened = await openStream(url, path, request)
  return 'elements' in opened ? opened : assert.fail(`${opened.status} ${opened.body}`)
}

test('elements come in order, integers beyond 2^53 as they are', async () => {
  await using server = await serve(async ({ body }) => ({
    items: (async function* () {
      yield* [body, 1n, [2n ** 62n]]
    })(),
  }))
  const stream = await open(server, { from: 1 })
  assert.equal(await stream.ended, 1000)
  assert.deepEqual(stream.elements, [{ from: 1 }, 1, [2 ** 62]])
})

test('a path may begin with two slashes', async () => {
  await using server = await serve(async () => ({ items: waitFor(AbortSignal.abort()) }))
  const stream = await open(server, {}, '//watch')
  await stream.close()
})

test('an end with a last word, a refusal and a fault each close in their way', async () => {
  const rows: [StreamHandler<string>, number, unknown][] = [
    [
      async () => ({
        items: (async function* () {
          throw new StreamError('over', { code: 'OVER' })
        })(),
      }),
      1008,
      { code: 'OVER' },
    ],
    [async () => ({ error: { code: 'NO' } }), 1008, { code: 'NO' }],
    [
      async () => {
        throw new Error('secret')
      },
      1011,
      { error: 'An unexpected error occurred.' },
    ],
  ]
  for (const [watch, code, element] of rows) {
    await using server = await serve(watch)
    const stream = await open(server)
    assert.equal(await stream.ended, code)
    assert.deepEqual(stream.elements, [element])
  }
})

test('beyond the number of streams the answer is an ordinary refusal, until one is over', async () => {
  await using server = await serve(forever, {}, { held: { streams: { all: 2, each: 100 } } })
  const [first] = [await open(server), await open(server)]
  assert.deepEqual(await openStream(server.url, '/watch', {}), {
    status: 503,
    body: '{"error":"There are 2 streams already."}',
  })
  await first.close()
  await retried(() => open(server))
})

test('who sends no request, or one that is too large, is hung up on', async () => {
  await using impatient = await serve(forever, { firstMessageMs: 50 })
  const mute = await openStream(impatient.url, '/watch', undefined)
  assert.ok('elements' in mute)
  assert.equal(await mute.ended, 1008)
  await using server = await serve(forever)
  assert.equal(await (await open(server, 'x'.repeat(5 * 1_024 * 1_024))).ended, 1009)
})

test('who answers no ping is gone, who does stays', async () => {
  const signals: AbortSignal[] = []
  await using server = await serve(
    async (input, context) => {
      signals.push(context.signal)
      return forever(input, context)
    },
    { pingMs: 600 },
  )
  const stays = await open(server)
  let pings = 0
  stays.socket.on('ping', () => {
    pings += 1
  })
  await eventually(true, () => pings > 1)
  assert.equal(stays.socket.readyState, stays.socket.OPEN)
  const silent = await openStream(server.url, '/watch', {})
  assert.ok('elements' in silent)
  silent.socket.pause()
  await eventually([false, true], () => signals.map(({ aborted }) => aborted))
  silent.socket.terminate()
})

test('who says goodbye and keeps the connection open holds up neither a place nor the end of the server', async () => {
  for (const isStopping of [false, true]) {
    await using server = await serve(forever, {}, { held: { streams: { all: 1, each: 100 } } })
    const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {}).on('data', () => {})
    client.write(
      `GET /watch HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    await once(client, 'data')
    // The request `{}`, then a Close frame, both masked with zeros.
    client.write(
      Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d, 0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]),
    )
    const beganMs = performance.now()
    if (isStopping) await server.http.drain(10_000)
    else await retried(() => open(server))
    assert.ok(performance.now() - beganMs < 4_000, `${performance.now() - beganMs} ms`)
    client.destroy()
  }
})

/** More than the system takes of an element that nobody reads. */
const LARGE = {
  items: Array.from({ length: 400 }, (_, at) => `${at} \u00e9\u{1f600}${'x'.repeat(100_000)}`),
}

test('a large element arrives whole', async () => {
  await using server = await serve(async () => ({
    items: (async function* () {
      yield LARGE
      yield 'next'
    })(),
  }))
  const stream = await open(server)
  assert.equal(await stream.ended, 1000)
  assert.deepEqual(stream.elements, [LARGE, 'next'])
})

test('a client that takes nothing of an element is cut; the next one of its caller gets its memory', async () => {
  const signals: AbortSignal[] = []
  const each = 1_000_000
  const large: StreamHandler<string> = async (_input, context) => {
    signals.push(context.signal)
    const items = async function* () {
      await context.hold?.(each)
      yield LARGE
    }
    return { items: items() }
  }
  const held = { unread: { all: 10 * each, each } }
  await using server = await serve(large, {}, { slowReaderMs: 500, held })
  const silent = await openStream(server.url, '/watch', undefined)
  assert.ok('elements' in silent)
  silent.socket.pause()
  silent.socket.send('{}')
  await eventually(1, () => signals.length)
  const eager = await open(server)
  await eager.until(1)
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  )
  assert.deepEqual(eager.elements, [LARGE])
  silent.socket.terminate()
})

test('a token that ends and a right that ends each end the stream', async () => {
  for (const [end, status] of [
    ['token', 'anonymous'],
    ['rights', 'principal'],
  ] as const) {
    let isOver = false
    const guard: AccessGuard<string> = {
      authenticate: () =>
        isOver && status === 'anonymous'
          ? { kind: 'anonymous', reason: 'expired' }
          : { kind: 'principal', principal: 'alice' },
      authorize: () =>
        isOver ? { allowed: false, cause: 'forbidden', reason: 'right gone' } : { allowed: true },
      needsPrincipal: () => true,
    }
    await using server = await serve(forever, { recheckMs: 20 }, {}, guard)
    const stream = await open(server)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(stream.elements, [])
    isOver = true
    assert.equal(await stream.ended, 1008, end)
    assert.deepEqual(stream.elements, [{ error: 'The token or the right to this stream is gone.' }])
  }
})

test('who is nobody is told before the request; a token that ends before the request opens nothing', async () => {
  let isKnown = false
  const guard: AccessGuard<string> = {
    authenticate: () =>
      isKnown
        ? { kind: 'principal', principal: 'alice' }
        : { kind: 'anonymous', reason: 'no token' },
    authorize: () => ({ allowed: true }),
    needsPrincipal: () => true,
  }
  await using server = await serve(forever, { recheckMs: 60_000 }, {}, guard)
  const nobody = await openStream(server.url, '/watch', undefined)
  assert.ok('status' in nobody ? nobody.status === 401 : (await nobody.ended) === 1008)
  isKnown = true
  const late = await openStream(server.url, '/watch', undefined)
  assert.ok('elements' in late)
  isKnown = false
  late.socket.send('{}')
  assert.equal(await late.ended, 1008)
})
