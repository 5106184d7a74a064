// Which operation a request reaches, and what it gets where there is none: over real sockets.
import { Readable } from 'node:stream'
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Middleware } from 'koa'
import {
  mountInterface,
  openGuard,
  type Handler,
  type Presenter,
} from '../../runtime/http/index.ts'
import { operation, raw, serveMounts, serveWire, wire, type Handlers } from './http-fixture.ts'

const echo: Handler<string> = (input) => ({
  status: 200,
  body: { path: input.path, query: input.query },
})

const OPERATIONS = [
  operation('GET', '/v2/users/{user-id}'),
  operation('DELETE', '/v2/users/{user-id}'),
  operation('GET', '/v2/users/me'),
  operation('GET', '/v2/users/{user-id}/rights/{right-id}'),
  operation('GET', '/v2/files/{name}.{ext}'),
  operation('POST', '/v2/users/{user-id}:archive'),
  operation('PUT', '/v2/unhandled'),
]
const HANDLERS: Handlers = Object.fromEntries(
  OPERATIONS.slice(0, -1).map(({ operationId }) => [
    operationId,
    ((input) => ({
      status: 200,
      body: { operationId, path: input.path },
    })) satisfies Handler<string>,
  ]),
)

test('literal segments win over parameters, and a branch that leads nowhere is left', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS)
  const reached = async (method: string, path: string): Promise<unknown> =>
    (await fetch(server.url + path, { method })).json()
  assert.deepEqual(await reached('GET', '/v2/users/me'), {
    operationId: 'GET /v2/users/me',
    path: {},
  })
  assert.deepEqual(await reached('DELETE', '/v2/users/me'), {
    operationId: 'DELETE /v2/users/{user-id}',
    path: { 'user-id': 'me' },
  })
  assert.deepEqual(await reached('GET', '/v2/users/me/rights/a%2Fb'), {
    operationId: 'GET /v2/users/{user-id}/rights/{right-id}',
    path: { 'user-id': 'me', 'right-id': 'a/b' },
  })
  assert.deepEqual(await reached('GET', '/v2/files/a.b.txt'), {
    operationId: 'GET /v2/files/{name}.{ext}',
    path: { name: 'a', ext: 'b.txt' },
  })
  assert.deepEqual(await reached('POST', '/v2/users/x:archive'), {
    operationId: 'POST /v2/users/{user-id}:archive',
    path: { 'user-id': 'x' },
  })
  assert.deepEqual(
    server.http.interfaces.map(({ mounted, unmounted }) => [mounted.length, unmounted]),
    [[6, ['PUT /v2/unhandled']]],
  )
})

test('dots and escapes in a path are data; malformed escapes are 400', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS)
  const first = async (path: string): Promise<string> =>
    raw(server.port, [`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`])
  assert.match(await first('/v2/users/..'), /200 OK[^]*"user-id":"\.\."/)
  assert.match(await first('/v2/users/..%2f..%2fetc'), /200 OK[^]*"user-id":"\.\.\/\.\.\/etc"/)
  assert.match(await first('/v2/%75sers/a'), /200 OK[^]*"user-id":"a"/)
  for (const path of ['//v2/users/a', '///v2/users/a?n=1', 'http://elsewhere//v2/users/a'])
    assert.match(await first(path), /200 OK[^]*"user-id":"a"/)
  assert.match(await first('http://elsewhere/v2/users/a?n=1'), /200 OK[^]*"user-id":"a"/)
  assert.match(
    await first('/v2/users/%zz'),
    /400 Bad Request[^]*path user-id: malformed percent escape/,
  )
  assert.match(await first('/v2/users/%c3%28'), /400 Bad Request/)
  assert.match(await first('/v2/users/'), /404 Not Found/)
})

test('unknown paths, methods, HEAD and OPTIONS', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS)
  const missing = await fetch(`${server.url}/v2/nothing`)
  assert.equal(missing.status, 404)
  assert.deepEqual(await missing.json(), { error: 'The requested resource could not be found.' })
  const wrong = await fetch(`${server.url}/v2/users/a`, { method: 'PATCH' })
  assert.equal(wrong.status, 405)
  assert.equal(wrong.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS')
  const options = await fetch(`${server.url}/v2/users/a`, { method: 'OPTIONS' })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS')
  const head = await fetch(`${server.url}/v2/users/me`, { method: 'HEAD' })
  const get = await fetch(`${server.url}/v2/users/me`)
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String((await get.text()).length))
  assert.equal(await head.text(), '')
})

test('a path without an operation gets the problem form of the interface that it falls under', async () => {
  const form = (name: string): Presenter => ({
    present: () => ({ status: 404, mediaType: 'text/plain', body: name }),
  })
  const mount = (name: string, prefix: string, path: string) =>
    mountInterface<string, Handlers>({
      wire: wire([operation('GET', path)], { name, mount: prefix }),
      guard: openGuard<string>(),
      presenter: form(name),
      handlers: { [`GET ${path}`]: echo },
    })
  await using server = await serveMounts({
    interfaces: [
      mount('a', '', '/v2/x'),
      mount('b', '', '/registry/x'),
      mount('c', '/api/c', '/v0/x'),
    ],
  })
  const at = async (path: string): Promise<string> => (await fetch(server.url + path)).text()
  assert.deepEqual(await Promise.all(['/v2/y', '/registry/y', '/api/c/y', '/y'].map(at)), [
    'a',
    'b',
    'c',
    'a',
  ])
})

test('two operations of one shape are refused', async () => {
  const same = [operation('GET', '/a/{b}'), operation('GET', '/a/{c}')]
  const handlers = Object.fromEntries(same.map(({ operationId }) => [operationId, echo]))
  await assert.rejects(serveWire(wire(same), handlers), /two operations answer GET \/a\/\{c\}/)
})

test('extensions add routes, router middleware and answers of their own', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS, {
    routes: [
      (router) => {
        router.use('/v2/users/watched', async (context, next) => {
          await next()
          context.set('x-watched', String(context.status))
        })
        router.get('/pages/:page', (context) => {
          context.body = `page ${context.params['page']}`
        })
        router.get('/broken', () => {
          throw new Error('a secret')
        })
      },
    ],
  })
  const page = await fetch(`${server.url}/pages/one`)
  assert.deepEqual([page.status, await page.text()], [200, 'page one'])
  assert.equal((await fetch(`${server.url}/v2/users/watched`)).headers.get('x-watched'), '200')
  assert.equal((await fetch(`${server.url}/v2/users/other`)).headers.get('x-watched'), null)
  assert.equal(
    (await fetch(`${server.url}/pages/one`, { method: 'POST' })).headers.get('allow'),
    'GET, HEAD, OPTIONS',
  )
  const broken = await fetch(`${server.url}/broken`)
  assert.deepEqual(
    [broken.status, await broken.json()],
    [500, { error: 'An unexpected error occurred.' }],
  )
  assert.equal((await fetch(`${server.url}/nowhere`)).status, 404)
})

test('middleware around everything sees the answer after next()', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS, {
    middleware: [
      async (context, next) => {
        await next()
        context.set('x-seen', `${context.status} ${context.type}`)
      },
    ],
  })
  const found = await fetch(`${server.url}/v2/users/a`)
  assert.equal(found.headers.get('x-seen'), '200 application/json')
  assert.deepEqual(await found.json(), {
    operationId: 'GET /v2/users/{user-id}',
    path: { 'user-id': 'a' },
  })
  const missing = await fetch(`${server.url}/nowhere`)
  assert.deepEqual([missing.status, missing.headers.get('x-seen')], [404, '404 application/json'])
})

test('middleware may replace an answer, refuse a request, and fail, as in Koa', async () => {
  const changes: Readonly<Record<string, Middleware>> = {
    object: (context) => {
      context.body = { replaced: true }
    },
    stream: (context) => {
      context.body = Readable.from(['a ', 'stream'])
    },
    empty: (context) => {
      context.status = 204
    },
    refused: (context) => context.throw(403, 'not today'),
    failed: () => {
      throw new Error('a secret')
    },
  }
  await using server = await serveWire(wire(OPERATIONS), HANDLERS, {
    middleware: [
      async (context, next) => {
        const change = changes[context.get('x-change')]
        if (context.get('x-change') === 'unanswered') return
        await next()
        await change?.(context, next)
      },
    ],
  })
  const ask = async (change: string, method = 'GET'): Promise<readonly [number, string]> => {
    const headers = { 'x-change': change }
    const answer = await fetch(`${server.url}/v2/users/a`, { method, headers })
    return [answer.status, await answer.text()]
  }
  assert.deepEqual(await ask('unanswered'), [404, 'Not Found'])
  assert.deepEqual(await ask('object'), [200, '{"replaced":true}'])
  assert.deepEqual(await ask('stream'), [200, 'a stream'])
  assert.deepEqual(await ask('empty'), [204, ''])
  assert.deepEqual(await ask('none', 'HEAD'), [200, ''])
  assert.deepEqual(await ask('refused'), [403, 'not today'])
  assert.deepEqual(await ask('failed'), [500, 'Internal Server Error'])
})

test('the line of a request that nothing answers says the template, or the path in short', async () => {
  await using server = await serveWire(wire(OPERATIONS), HANDLERS)
  const long = `/${'a'.repeat(5_000)}`
  for (const path of ['/v2/user/me?token=1', long]) await fetch(server.url + path)
  await fetch(`${server.url}/v2/users/secret`, { method: 'PATCH' })
  const lines = server.log.lines.filter(({ message }) => message === 'request')
  assert.deepEqual(
    lines.map(({ fields }) => ('path' in fields ? fields.path : undefined)),
    ['/v2/user/me', `${long.slice(0, 200)}…`, '/v2/users/{user-id}'],
  )
})
