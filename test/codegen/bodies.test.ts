// Bodies and headers of every form, from a document to both ends of the wire: a generated client
// calls a generated server, and each side gets the values that the document types.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { serveWire, type Handlers } from '../interfaces/http-fixture.ts'
import type { WireInterface } from '../../runtime/http/index.ts'
import { fileFolder, generateInto, imported, PROJECT } from './generator-kit.ts'

const DOCUMENT = join(PROJECT, 'test/codegen/golden/bodies-typed/document.yaml')

type Method = (input?: object) => Promise<Record<string, unknown>>
interface Modules {
  readonly wire: WireInterface
  createClient(options: { readonly baseUrl: string }): Readonly<Record<string, Method>>
}

const out = fileFolder()
let modules: Modules

before(async () => {
  await generateInto(out, DOCUMENT)
  const load = (file: string): Promise<Modules> => imported(out, 'document', `${file}.gen.ts`)
  const [{ wire }, { createClient }] = [await load('routes'), await load('client')]
  modules = { wire, createClient }
})

interface Served extends AsyncDisposable {
  readonly url: string
  call(operationId: string, input?: object): Promise<Record<string, unknown>>
}

async function served(handlers: Handlers): Promise<Served> {
  const server = await serveWire(modules.wire, handlers)
  const client = modules.createClient({ baseUrl: server.url })
  return {
    url: server.url,
    call: async (operationId, input) => {
      const method = client[operationId]
      assert.ok(method !== undefined, operationId)
      return method(input)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function* itemsOf(...items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function all(value: unknown): Promise<readonly unknown[]> {
  assert.ok(isIterable(value))
  return Array.fromAsync(value)
}

test('a handler is told which of several media types came', async () => {
  const seen: unknown[] = []
  await using server = await served({
    patch: ({ body, mediaType }) => {
      seen.push([mediaType, body])
      return { status: 204 }
    },
  })
  await server.call('patch', { body: { name: 'n' }, mediaType: 'application/json' })
  await server.call('patch', { body: { name: null }, mediaType: 'application/merge-patch+json' })
  await server.call('patch', { body: 'text', mediaType: 'text/markdown' })
  await server.call('patch')
  assert.deepEqual(seen, [
    ['application/json', { name: 'n' }],
    ['application/merge-patch+json', { name: null }],
    ['text/markdown', 'text'],
    [undefined, undefined],
  ])
})

test('headers of answers are values at both ends', async () => {
  const headers = {
    'X-Count': 7,
    'X-Exact': 9_007_199_254_740_993n,
    'X-Tags': ['a', 'b'],
    'X-Range': { from: 1, to: 5 },
    'X-Json': { deep: [true] },
  }
  await using server = await served({ head: () => ({ status: 200, headers, body: 'b' }) })
  const answer = await server.call('head')
  assert.deepEqual(answer['typedHeaders'], headers)
  const { headers: raw } = await fetch(`${server.url}/head`)
  assert.deepEqual(
    ['X-Count', 'X-Exact', 'X-Tags', 'X-Range', 'X-Json'].map((name) => raw.get(name)),
    ['7', '9007199254740993', 'a,b', 'from=1,to=5', '{"deep":[true]}'],
  )
})

test('a header that is not as declared is noticed where answers are checked', async () => {
  const wrong = { status: 200, headers: { 'X-Count': 'many' }, body: 'b' }
  await using server = await served({ head: () => wrong })
  assert.equal((await fetch(`${server.url}/head`)).status, 500)
})

test('streams of JSON lines, records and events are items at both ends', async () => {
  const ticks = [{ n: 1n }, { n: 9_007_199_254_740_993n }]
  for (const operationId of ['lines', 'records']) {
    let got: unknown
    await using server = await served({
      [operationId]: async ({ body }) => {
        got = await all(body)
        return { status: 200, body: itemsOf(...ticks) }
      },
    })
    const answer = await server.call(operationId, { body: itemsOf(...ticks) })
    assert.deepEqual(got, ticks, operationId)
    assert.deepEqual(await all(answer['body']), ticks, operationId)
  }
  let got: unknown
  await using server = await served({
    events: async ({ body }) => {
      got = await all(body)
      return { status: 204 }
    },
  })
  const events = [{ event: 'tick', id: '1', data: { n: 1n } }, { data: { n: 2n } }]
  await server.call('events', { body: itemsOf(...events) })
  assert.deepEqual(got, events)
})

test('a wrong item of a stream is refused with its place, and those before it have come', async () => {
  const got: unknown[] = []
  await using server = await served({
    lines: async ({ body }) => {
      assert.ok(isIterable(body))
      for await (const item of body) got.push(item)
      return { status: 200, body: itemsOf() }
    },
  })
  const send = (body: string): Promise<Response> =>
    fetch(`${server.url}/lines`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body,
    })
  const wrong = await send('{"n":1}\n\n{"n":"x"}\n')
  assert.equal(wrong.status, 400)
  assert.match(await wrong.text(), /\/1\/n/)
  assert.deepEqual(got, [{ n: 1n }])
  assert.equal((await send('{"n":1}\n{"n":')).status, 400)
})

const FORM = {
  n: 9_007_199_254_740_993n,
  csv: ['a,b', 'c d'],
  piped: [1, 2],
  deep: { x: 1, y: 'a&b' },
  many: ['x', 'y'],
  whole: { a: true },
}

test('fields of forms travel in their styles, asked and answered', async () => {
  let got: unknown
  await using server = await served({
    form: ({ body }) => {
      got = body
      return { status: 200, body: FORM }
    },
    fields: () => ({ status: 200, body: { n: 1n, words: ['a', 'b'] } }),
  })
  const answer = await server.call('form', { body: FORM })
  assert.deepEqual(got, FORM)
  assert.deepEqual(answer['body'], FORM)
  assert.deepEqual((await server.call('fields'))['body'], { n: 1n, words: ['a', 'b'] })
  const raw = await fetch(`${server.url}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'n=1&csv=a%2Cb,c+d&deep[x]=5&piped=3|4',
  })
  assert.equal(
    await raw.text(),
    'n=9007199254740993&csv=a%2Cb,c%20d&piped=1|2&deep%5Bx%5D=1&deep%5By%5D=a%26b' +
      '&many=x&many=y&whole=%7B%22a%22%3Atrue%7D',
  )
  assert.deepEqual(got, { n: 1n, csv: ['a,b', 'c d'], deep: { x: 5 }, piped: [3, 4] })
})

test('what is wrong in a form of styles is refused with its field', async () => {
  await using server = await served({ form: () => assert.fail('not reached') })
  for (const [body, place] of [
    ['n=1&deep[x]=five', 'deep'],
    ['n=1&piped=1|two', 'piped'],
    ['n=1&csv=', 'csv'],
    ['csv=a', 'n'],
  ] as const) {
    const answer = await fetch(`${server.url}/form`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    assert.equal(answer.status, 400, body)
    assert.match(await answer.text(), new RegExp(place), body)
  }
})

test('parts have the types of content that the document gives them, asked and answered', async () => {
  const meta = { author: 'A', size: 9_007_199_254_740_993n }
  const picture = new File(['bytes'], 'p.png', { type: 'image/png' })
  let got: Readonly<Record<string, unknown>> = {}
  await using server = await served({
    parts: ({ body }) => {
      got = { ...Object(body) }
      return { status: 200, body: { picture, meta, title: 'T' } }
    },
  })
  const { body } = await server.call('parts', { body: { picture, meta, title: 'T' } })
  for (const parts of [got, { ...Object(body) }]) {
    assert.deepEqual([parts['meta'], parts['title']], [meta, 'T'])
    const file: unknown = parts['picture']
    assert.ok(file instanceof File)
    assert.deepEqual([file.name, file.type, await file.text()], ['p.png', 'image/png', 'bytes'])
  }
  const page = new File(['<p>'], 'p.html', { type: 'text/html' })
  assert.equal((await server.call('parts', { body: { picture: page } }))['status'], 400)
})
