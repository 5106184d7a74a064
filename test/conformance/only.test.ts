// A run of a few operations of a large document: it calls those that these need, and leaves the
// others alone, so that it is over in seconds.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { tempFolder } from '../codegen/generator-kit.ts'
import { conform, documentsOf } from './kit.ts'

const UNRELATED = 120
const USER =
  '{ application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } }'

function documentOf(): string {
  const parameter = (name: string): string =>
    `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string, pattern: '^[a-z]{4}$' } }]`
  const unrelated = Array.from(
    { length: UNRELATED },
    (_, index) => `
  /pages${index}: { get: { operationId: page${index}, responses: { '204': { description: ok } } } }`,
  )
  return `openapi: 3.1.0
info: { title: Large, version: '1' }
paths:${unrelated.join('')}
  /users:
    get: { operationId: listUsers, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: string } } } } } } } } }
    post: { operationId: makeUser, responses: { '201': { description: ok, content: ${USER} } } }
  /users/{id}:
    get: { operationId: getUser, ${parameter('id')}, responses: { '200': { description: ok, content: ${USER} }, '404': { description: no } } }
  /boats: { post: { operationId: makeBoat, responses: { '204': { description: ok } } } }
  /boats/{id}: { get: { operationId: getBoat, ${parameter('id')}, responses: { '204': { description: ok } } } }
`
}

/** A server that lists one user, `john`; what was asked of it. */
async function served(
  t: TestContext,
): Promise<{ readonly url: string; readonly asked: Set<string> }> {
  const asked = new Set<string>()
  const server = createServer(({ method, url = '' }, response) => {
    asked.add(`${method} ${url}`)
    const body = url === '/users' && method === 'GET' ? '[{"id":"john"}]' : '{"id":"john"}'
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close().closeAllConnections())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}`, asked }
}

/** Requests of a run of one operation, each line once. */
async function askedFor(t: TestContext, operationId: string): Promise<ReadonlySet<string>> {
  const file = join(tempFolder(t), 'large.yaml')
  writeFileSync(file, documentOf())
  const { url, asked } = await served(t)
  const few = { seed: 1, only: new Set([operationId]), runs: 3, extremes: 3 }
  await conform(await documentsOf(file), url, few)
  return asked
}

test('--only calls what the chosen operation needs, and of the others few', async (t) => {
  const asked = await askedFor(t, 'getUser')
  assert.ok(asked.has('GET /users'), 'the list tells which users there are')
  assert.ok(asked.has('GET /users/john'), 'one of them is asked for')
  assert.ok(asked.has('POST /users'), 'users are made')
  assert.ok(!asked.has('POST /boats'), 'nobody needs a boat')
  const pages = [...asked].filter((line) => line.startsWith('GET /pages'))
  assert.deepEqual(pages, [], 'the list has told all that is needed')
})

test('what an operation needs and no path names is looked for, in fifty places at most', async (t) => {
  const asked = await askedFor(t, 'getBoat')
  const pages = [...asked].filter((line) => line.startsWith('GET /pages'))
  assert.ok(pages.length > 20 && pages.length <= 50, `${pages.length} pages`)
  assert.ok(asked.has('POST /boats'), 'boats are made')
})
