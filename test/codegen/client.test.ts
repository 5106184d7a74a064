// The printed client against a plain server: how each kind of request goes out and how each kind of
// answer comes in.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fixture, generateInto, imported, put, tempFolder } from './generator-kit.ts'

/** Written as a user of the client writes it; compiled by the output test's settings, run here. */
const USE = `import { createClient, UndeclaredAnswerError } from './features/client.gen.ts'

export async function useAll(baseUrl: string) {
  const client = createClient({ baseUrl: baseUrl + '/base/', headers: { 'X-All': 'yes' } })
  const part = await client.getPart({
    path: { 'item-id': 1n, part: 'a/b c' },
    query: {
      after: 2n, csv: ['x,y', 'z'], deep: { a: 1, b: 'q&r' }, ids: [1n, 2n], json: { n: 9007199254740993n }, on: true, tags: ['t', 'ä'],
    },
    headers: { 'X-Trace': 'trace' }, cookies: { session: 's 1' },
  }, { headers: { 'X-One': 'one' } })
  const events = await client.listen()
  const heard = []
  for await (const event of events.body) heard.push(event)
  const stream = await client.lines()
  const lines = []
  for await (const line of stream.body) lines.push(line.n)
  const blob = await client.putBlob({ body: new Uint8Array([1, 2, 255]) })
  const bytes = [...new Uint8Array(await new Response(blob.body).arrayBuffer())]
  const form = await client.sendForm({ body: { n: 9007199254740993n, words: ['a', 'b'] } })
  const upload = await client.upload({ body: { file: new File(['content'], 'a.txt'), title: 'T', count: 3n } })
  const undeclared = await client.sendForm({}).catch((error: unknown) => error)
  return {
    part: [part.status, part.body], heard, lines, bytes, form: form.body.n, upload: upload.status,
    undeclared: undeclared instanceof UndeclaredAnswerError ? [undeclared.status, undeclared.text] : undeclared,
  }
}
`

test('requests go out in the declared style, answers come in by status and media type', async (t) => {
  const out = tempFolder(t)
  await generateInto(out, fixture('features.yaml'))
  put(out, { 'use.ts': USE })
  const seen: string[] = []
  const baseUrl = await serve(t, (req, body, res) => {
    seen.push(describe(req, body))
    answer(req, body, res)
  })
  const module: unknown = await imported(out, 'use.ts')
  assert.ok(
    typeof module === 'object' &&
      module !== null &&
      'useAll' in module &&
      typeof module.useAll === 'function',
  )
  const used: unknown = await module.useAll(baseUrl)
  assert.deepEqual(used, {
    part: [499, { error: 'no' }],
    heard: [{ event: 'a', id: '1', data: { n: 9007199254740993n } }, { data: { n: 2n } }],
    lines: [1n, 9007199254740993n],
    bytes: [1, 2, 255],
    form: 9007199254740993n,
    upload: 204,
    undeclared: [503, 'later'],
  })
  assert.equal(
    seen[0],
    'GET /base/items/1/parts/a%2Fb%20c?after=2&csv=x%2Cy,z&deep%5Ba%5D=1&deep%5Bb%5D=q%26r&ids=1|2' +
      '&json=%7B%22n%22%3A9007199254740993%7D&on=true&tags=t&tags=%C3%A4 trace session=s%201 yes one',
  )
  assert.equal(
    seen[4],
    'POST /base/form yes n=9007199254740993&words=a&words=b application/x-www-form-urlencoded',
  )
  assert.match(
    seen[5] ?? '',
    /name="file"; filename="a\.txt".*content.*name="title".*T.*name="count".*3.*multipart\/form-data; boundary=/su,
  )
})

function describe(req: IncomingMessage, body: string): string {
  const { 'x-trace': trace, cookie, 'x-all': all, 'x-one': one, 'content-type': type } = req.headers
  return [req.method, req.url, trace, cookie, all, one, body, type]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

function answer(req: IncomingMessage, body: string, res: ServerResponse): void {
  const path = (req.url ?? '').split('?')[0] ?? ''
  if (path.includes('/items/'))
    return void res.writeHead(499, { 'content-type': 'application/json' }).end('{"error":"no"}')
  if (path.endsWith('/events')) {
    const text =
      ': hello\nevent: a\nid: 1\ndata: {"n":\ndata: 9007199254740993}\n\ndata: {"n":2}\r\n\r\n'
    return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
  }
  if (path.endsWith('/lines'))
    return void res
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end('{"n":1}\n\n{"n":9007199254740993}')
  if (path.endsWith('/blob'))
    return void res
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(Buffer.from(body, 'latin1'))
  if (path.endsWith('/upload')) return void res.writeHead(204).end()
  if (body === '') return void res.writeHead(503).end('later')
  res.writeHead(200, { 'content-type': 'application/json' }).end('{"n":9007199254740993}')
}

async function serve(
  t: TestContext,
  handle: (req: IncomingMessage, body: string, res: ServerResponse) => void,
): Promise<string> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
    })
    req.on('end', () => {
      handle(req, Buffer.concat(chunks).toString('latin1'), res)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

const PRODUCT_USE = `import { AnswerError, createClient, orThrow, UndeclaredAnswerError } from './features/client.gen.ts'

const PART = { path: { 'item-id': 1n, part: 'a' }, query: {} } as const

export async function useThrowing(baseUrl: string) {
  const client = orThrow(createClient({ baseUrl }))
  const big: { n: bigint } = await client.sendForm({ body: { n: 1n } })
  const nothing: undefined = await client.upload({ body: { file: new File(['c'], 'a.txt'), title: 'T' } })
  const failed = await client.getPart(PART).catch((error: unknown) => error)
  const undeclared = await client.sendForm({}).catch((error: unknown) => error)
  const broken = await client.sendForm({ body: { n: 0n } }).catch((error: unknown) => error)
  return {
    n: big.n, nothing,
    failed: failed instanceof AnswerError ? [failed.operationId, failed.status, failed.code, failed.body, failed.message] : failed,
    undeclared: undeclared instanceof UndeclaredAnswerError,
    broken: broken instanceof UndeclaredAnswerError ? [broken.status, broken.text] : broken,
  }
}

export async function useRetrying(baseUrl: string, attempts: number, signal?: AbortSignal) {
  const client = createClient({ baseUrl, retry: { attempts, pauseMs: 1, longestMs: 20 } })
  const answer = await client.sendForm({ body: { n: 5n, words: ['id-1'] } }, signal === undefined ? {} : { signal })
  return answer.body.n
}
`

async function productUse(
  t: TestContext,
): Promise<Record<string, (...given: unknown[]) => Promise<unknown>>> {
  const out = tempFolder(t)
  await generateInto(out, fixture('features.yaml'))
  put(out, { 'use.ts': PRODUCT_USE })
  return await imported(out, 'use.ts')
}

test('a throwing client answers bodies, and throws other answers with status, code and body', async (t) => {
  const { useThrowing } = await productUse(t)
  const baseUrl = await serve(t, (req, body, res) => {
    if ((req.url ?? '').includes('/items/'))
      return void res
        .writeHead(499, { 'content-type': 'application/json' })
        .end('{"code":"NO_PART","error":"no such part"}')
    if (body === 'n=0') return void res.writeHead(200).end('a proxy says hello')
    answer(req, body, res)
  })
  assert.deepEqual(await useThrowing?.(baseUrl), {
    n: 9007199254740993n,
    nothing: undefined,
    failed: [
      'getPart',
      499,
      'NO_PART',
      { code: 'NO_PART', error: 'no such part' },
      'getPart: 499 no such part',
    ],
    undeclared: true,
    broken: [200, 'a proxy says hello'],
  })
})

test('a client that may repeats the same request until there is an answer', async (t) => {
  const { useRetrying } = await productUse(t)
  const seen: string[] = []
  const baseUrl = await serve(t, (req, body, res) => {
    seen.push(body)
    if (seen.length === 1) return void req.socket.destroy()
    if (seen.length < 4) return void res.writeHead(503, { 'retry-after': '1' }).end('later')
    answer(req, body, res)
  })
  assert.equal(await useRetrying?.(baseUrl, 5), 9007199254740993n)
  assert.deepEqual([seen.length, new Set(seen)], [4, new Set(['n=5&words=id-1'])])
  await assert.rejects(useRetrying?.('http://127.0.0.1:1', 3) ?? Promise.resolve(), /fetch failed/)
  const signal = AbortSignal.abort(new Error('no longer'))
  await assert.rejects(useRetrying?.(baseUrl, 3, signal) ?? Promise.resolve(), /no longer/)
})
