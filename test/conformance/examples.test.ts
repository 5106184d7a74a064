// Example answers, and the conformance runner about them: held to the document, never to what
// earlier requests did.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { NotWritten } from '../../runtime/http/index.ts'
import type { Handler, WireReply } from '../../runtime/http/index.ts'
import { exampleHandlers } from '../../runtime/testing/examples.ts'
import { put, tempFolder } from '../codegen/generator-kit.ts'
import { serveWire } from '../interfaces/http-fixture.ts'
import { call } from '../support/http.ts'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import type { ExampleServer, ExampleServerOptions } from '../support/example-server.ts'
import { isLeftToHttp } from '../../runtime/testing/conform/expectation.ts'
import type { OperationFacts } from '../../runtime/testing/conform.ts'
import { conform, documentsOf, shown } from './kit.ts'

const SPEC = fileURLToPath(new URL('../codegen/fixtures/replies.yaml', import.meta.url))
const SMALL = { runs: 2, extremes: 6 }

function serve(options: ExampleServerOptions = {}): Promise<ExampleServer> {
  return serveExamples([{ spec: SPEC, name: 'replies' }], options)
}

/** Findings by operation and check. */
async function found(server: ExampleServer): Promise<readonly string[]> {
  const [first] = await conformExamples(server, SMALL)
  return (
    first?.report.violations.map(({ operationId, check }) => `${operationId} ${check}`).sort() ??
    assert.fail()
  )
}

function marked({ headers }: { readonly headers: Headers }): boolean {
  return headers.get('x-example-answer') === 'true'
}

test('without more, the example of the document answers, or always the same draw', async () => {
  await using server = await serve({ fixed: true })
  await using again = await serve({ fixed: true, out: server.out })
  const url = `${server.url}/replies`
  const made = await call(url, 'POST /things', { body: { name: 'mine' } })
  assert.deepEqual(
    [made.status, made.text, marked(made)],
    [201, '{"id":"7","name":"lamp","size":9007199254740993}', true],
  )
  const [first, second, other] = [
    await call(url, 'GET /things'),
    await call(url, 'GET /things'),
    await call(`${again.url}/replies`, 'GET /things'),
  ]
  assert.deepEqual([second.text, other.text], [first.text, first.text])
  assert.ok(marked(first) && /^\d+$/u.test(first.headers.get('x-total') ?? ''))
})

test('at random, every call is answered by another draw', async () => {
  await using server = await serve()
  const answers = []
  for (let i = 0; i < 40; i += 1) answers.push(await call(`${server.url}/replies`, 'GET /things/1'))
  assert.deepEqual([...new Set(answers.map(({ status, type }) => `${status} ${type}`))].sort(), [
    '200 application/json',
    '200 text/csv; charset=utf-8',
    '304 ',
  ])
  assert.ok(new Set(answers.map(({ text }) => text)).size > 10 && answers.every(marked))
})

test('an operation of which the document says nothing has an answer, too', async () => {
  await using server = await serve()
  const answer = await call(`${server.url}/replies`, 'GET /none')
  assert.deepEqual([answer.status, marked(answer)], [204, true])
})

test('requests are refused as always, before an example answers', async () => {
  await using server = await serve()
  const refused = await call(`${server.url}/replies`, 'POST /things', { body: { name: 7 } })
  assert.equal(refused.status, 400)
  assert.ok(!marked(refused))
  assert.deepEqual(Object.keys(Object(refused.json)), ['message'])
})

test('what is written stands in front; an example takes over only from what says that it is not written', async () => {
  const handlers = {
    listThings: () => ({ status: 200, body: [{ name: 'mine' }], headers: { 'X-Total': '1' } }),
    picture: () => {
      throw new NotWritten('picture')
    },
    other: () => {
      throw new Error('broken')
    },
  }
  await using server = await serve({ handlers: { replies: handlers } })
  const url = `${server.url}/replies`
  const own = await call(url, 'GET /things')
  assert.deepEqual([own.text, marked(own)], ['[{"name":"mine"}]', false])
  const example = await call(url, 'GET /picture')
  assert.deepEqual([example.status, example.type, marked(example)], [200, 'image/png', true])
  assert.equal((await call(url, 'GET /other')).status, 500)
})

test('in production, and without anything to draw from, there are no examples', async () => {
  await using server = await serve()
  const [{ wire } = assert.fail()] = server.interfaces
  const arbitraries = { operations: {} }
  for (const options of [{ wire, arbitraries, production: true }, { wire }]) {
    const all = exampleHandlers(options)
    assert.deepEqual(
      Object.keys(all),
      wire.operations.map(({ operationId }) => operationId),
    )
    await using off = await serveWire(wire, all)
    for (const path of ['/things', '/picture', '/moved']) {
      const answer = await call(off.url, `GET ${wire.mount}${path}`)
      assert.deepEqual(
        [answer.status, answer.json, marked(answer)],
        [501, { error: 'This operation is not written yet.' }, false],
      )
    }
  }
})

/** Things that are remembered; `forgets` loses every second one. */
function shelf(forgets: boolean): Readonly<Record<string, Handler<string>>> {
  const things = new Map<string, object>()
  let made = 0
  const missing: WireReply = { status: 404, body: { message: 'no such thing' } }
  return {
    createThing: ({ body }) => {
      const id = `thing-${(made += 1)}`
      const { secret: _secret, ...shown } = Object(body)
      const thing = { ...shown, id }
      if (!forgets || made % 2 === 0) things.set(id, thing)
      return { status: 201, body: thing }
    },
    getThing: ({ path }) => {
      const thing = things.get(Object(path).id)
      return thing === undefined
        ? missing
        : { status: 200, mediaType: 'application/json', body: thing }
    },
    deleteThing: ({ path }) => (things.delete(Object(path).id) ? { status: 204 } : missing),
  }
}

test('the runner finds nothing in examples, alone or beside what is written, and says how many operations they answered', async () => {
  await using examples = await serve()
  assert.deepEqual(await found(examples), [])
  const [{ report } = assert.fail()] = await conformExamples(examples, SMALL)
  assert.match(
    shown(report, examples.url),
    /^12 operations were answered by examples, of which no state is asked$/mu,
  )
  for (const written of [
    ['createThing'],
    ['createThing', 'deleteThing'],
    ['createThing', 'getThing'],
    ['getThing', 'deleteThing'],
    Object.keys(shelf(false)),
  ]) {
    const own = Object.fromEntries(
      Object.entries(shelf(false)).filter(([name]) => written.includes(name)),
    )
    await using mixed = await serve({ out: examples.out, handlers: { replies: own } })
    assert.deepEqual(await found(mixed), [], written.join(' '))
  }
})

test('what is written is asked for its state all the same', async () => {
  await using server = await serve({ handlers: { replies: shelf(true) } })
  assert.deepEqual(await found(server), ['getThing created-is-there'])
})

test('an answer that is marked is held to the document like any other', async () => {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-example-answer': 'true' })
      .end('{"name":7}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const only = new Set(['getThing', 'deleteThing'])
  const { violations } = await conform(await documentsOf(SPEC), `http://127.0.0.1:${port}`, {
    seed: 1,
    only,
    runs: 1,
    extremes: 2,
  })
  server.close().closeAllConnections()
  const checks = [
    ...new Set(violations.map(({ operationId, check }) => `${operationId} ${check}`)),
  ].sort()
  assert.deepEqual(checks, [
    'deleteThing status',
    'getThing response-body',
    'getThing unsupported-method',
  ])
})

test('refusals that the document leaves to HTTP are no finding, others are', () => {
  const flawed = { kind: 'flawed', flaw: { place: 'query', pointer: '/n', rule: 'type' } } as const
  const impostor = { kind: 'impostor', impostor: 'nothing' } as const
  const declaring = (...statuses: readonly string[]): Pick<OperationFacts, 'responses'> => {
    return { responses: statuses.map((status) => ({ status, media: [], headers: [], links: [] })) }
  }
  assert.ok(isLeftToHttp(flawed, declaring('200', '404', '500'), 400))
  for (const one of ['404', '406', '413', '415', '431'])
    assert.ok(isLeftToHttp(flawed, declaring('200', one), 400), one)
  assert.ok(isLeftToHttp(flawed, declaring('200'), 415))
  assert.ok(isLeftToHttp(impostor, declaring('200', '400'), 401))
  for (const one of ['400', '422', '4XX', 'default'])
    assert.ok(!isLeftToHttp(flawed, declaring('200', one), 415), one)
  const undeclared = {
    ...flawed,
    flaw: { place: 'body', pointer: '', rule: 'media type' },
  } as const
  assert.ok(!isLeftToHttp(undeclared, declaring('200', '415'), 400))
  for (const status of [200, 404, 409, 500])
    assert.ok(!isLeftToHttp(flawed, declaring('200'), status), String(status))
  assert.ok(!isLeftToHttp(impostor, declaring('200', '403'), 401))
  assert.ok(!isLeftToHttp(impostor, declaring('200'), 400))
  assert.ok(!isLeftToHttp({ kind: 'valid' }, declaring('200'), 400))
})

test('where a document declares no success at all, a declared refusal of a valid request is none', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'refusals.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    post:
      operationId: addA
      requestBody: { content: { application/json: { schema: { type: string } } } }
      responses: { '405': { description: wrong } }
`,
  })
  await using server = await serveExamples([join(folder, 'refusals.yaml')])
  const [first] = await conformExamples(server, SMALL)
  assert.deepEqual(first?.report.violations, [])
  assert.equal((await call(`${server.url}/refusals`, 'POST /a', { body: 'x' })).status, 405)
})

/** Objects in queries, and a body that is XML or JSON. */
const FRESH = `openapi: 3.1.0
info: { title: Fresh, version: '1' }
paths:
  /open:
    get:
      operationId: open
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: {} } }
        - { name: page, in: query, required: true, style: deepObject, schema: { type: [object, 'null'], properties: { at: { type: integer } } } }
      responses: { '200': { description: fine, content: { application/json: { schema: { type: object } } } }, '400': { description: no } }
  /xml:
    post:
      operationId: xml
      requestBody:
        required: true
        content: { application/xml: { schema: { $ref: '#/components/schemas/Order' } }, application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '200': { description: fine, content: { application/xml: { schema: { $ref: '#/components/schemas/Order' } } } }, '400': { description: no }, '415': { description: no } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }
`

test('a new project keeps to its document before anything is written', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'fresh.yaml': FRESH })
  await using server = await serveExamples([join(folder, 'fresh.yaml')])
  const [first] = await conformExamples(server, { runs: 10, extremes: 10 })
  assert.deepEqual(
    first?.report.violations.map(({ operationId, sentence }) => [operationId, sentence]),
    [],
  )
})
