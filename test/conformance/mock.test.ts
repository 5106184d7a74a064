// `ledgerwright mock`: a server of a document that nobody has written, as a team would use it on
// the first day.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { PROJECT, runCli, tempFolder } from '../codegen/generator-kit.ts'
import { member } from '../../runtime/host/member.ts'
import { Elements } from '../../runtime/cli/mock-elements.ts'
import { call } from '../support/http.ts'

const DOCUMENT = `openapi: 3.1.0
info: { title: Library, version: '1' }
paths:
  /shelves/{shelfId}/books:
    parameters: [{ $ref: '#/components/parameters/shelf' }]
    get:
      operationId: listBooks
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 9 } }]
      responses:
        '200':
          description: books
          content: { application/json: { schema: { type: object, required: [books], properties: { books: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } }
        '422': { $ref: '#/components/responses/Wrong' }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Draft' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '422': { $ref: '#/components/responses/Wrong' }
  /shelves/{shelfId}/books/{book_id}:
    parameters: [{ $ref: '#/components/parameters/shelf' }, { name: book_id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      responses:
        '200':
          description: book
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' }, example: { id: 5d3c5d9e-0b3a-4b3a-9c55-0c6d1f6f7a10, title: Emma, pages: 9007199254740993 } } }
        '404': { description: none, content: { application/json: { schema: { $ref: '#/components/schemas/Fault' } } } }
    patch:
      operationId: changeBook
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: book, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
    delete:
      operationId: removeBook
      responses: { '204': { description: gone } }
components:
  parameters:
    shelf: { name: shelfId, in: path, required: true, schema: { type: string } }
  responses:
    Wrong: { description: wrong, content: { application/json: { schema: { $ref: '#/components/schemas/Fault' } } } }
  schemas:
    Fault: { type: object, required: [fault], properties: { fault: { type: string } }, additionalProperties: false }
    Draft: { type: object, required: [title], properties: { title: { type: string, minLength: 1 }, pages: { type: integer, format: int64 } } }
    Book: { type: object, required: [id, title], properties: { id: { type: string, format: uuid }, title: { type: string }, pages: { type: integer, format: int64 } } }
`

/** A mock of the document that ends with the test. Returns its address. */
async function mocked(t: TestContext, cache: string, ...flags: readonly string[]): Promise<string> {
  const file = join(cache, 'library.yaml')
  writeFileSync(file, DOCUMENT)
  const args = ['runtime/cli/main.ts', 'mock', file, '--port', '0', '--cache', join(cache, 'made')]
  const child = spawn(process.execPath, [...args, ...flags], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  assert.match(String(line), / {2}Library: 5 operations$/u)
  return `${String(line).split(' ')[0]}/shelves/s1/books`
}

test('a mock remembers what is made, shows it, changes it and forgets what is removed', async (t) => {
  const url = await mocked(t, tempFolder(t))
  const headers = { origin: 'http://localhost:5173' }
  const asking = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'x-a',
  }
  const preflight = await call(url, 'OPTIONS /b7', { headers: { ...headers, ...asking } })
  const opened = (await call(url, 'GET /b7', { headers })).headers
  assert.deepEqual(
    [
      preflight.status,
      ...['origin', 'methods', 'headers'].map((one) =>
        preflight.headers.get(`access-control-allow-${one}`),
      ),
      opened.get('access-control-allow-origin'),
      opened.get('access-control-expose-headers')?.includes('x-example-answer'),
    ],
    [204, headers.origin, 'PATCH', 'x-a', headers.origin, true],
  )
  const example = await call(url, 'GET /b7')
  assert.deepEqual(
    [example.status, example.text],
    [200, '{"id":"5d3c5d9e-0b3a-4b3a-9c55-0c6d1f6f7a10","pages":9007199254740993,"title":"Emma"}'],
  )
  const body = { title: 'Persuasion', pages: 300 }
  const [made, other] = [await call(url, 'POST ', { body }), await call(url, 'POST ', { body })]
  assert.deepEqual(
    [made.status, member(made.json, 'title'), member(made.json, 'pages')],
    [201, 'Persuasion', 300],
  )
  assert.notEqual(member(made.json, 'id'), member(other.json, 'id'))
  const element = `/${String(member(made.json, 'id'))}`
  assert.equal((await call(url, `GET ${element}`)).text, made.text)
  assert.deepEqual(member((await call(url, 'GET ')).json, 'books'), [made.json, other.json])
  assert.notDeepEqual(member((await call(`${url}/../../s2/books`, 'GET ')).json, 'books'), [
    made.json,
    other.json,
  ])
  const changed = await call(url, `PATCH ${element}`, { body: { title: 'Sanditon' } })
  assert.deepEqual(changed.json, Object.assign({}, made.json, { title: 'Sanditon' }))
  assert.equal(member((await call(url, `GET ${element}`)).json, 'title'), 'Sanditon')
  assert.equal((await call(url, `DELETE ${element}`)).status, 204)
  const gone = await call(url, `GET ${element}`)
  assert.deepEqual([gone.status, Object.keys(Object(gone.json))], [404, ['fault']])
  assert.deepEqual(member((await call(url, 'GET ')).json, 'books'), [other.json])
})

test('bad input is answered with the declared error; one seed gives one answer', async (t) => {
  const folder = tempFolder(t)
  const url = await mocked(t, folder, '--seed', '5', '--stateless')
  const wrong = [
    await call(url, 'GET ?limit=10'),
    await call(url, 'POST ', { body: { title: '' } }),
  ]
  assert.deepEqual(
    wrong.map(({ status, json }) => [status, Object.keys(Object(json))]),
    [
      [422, ['fault']],
      [422, ['fault']],
    ],
  )
  const again = await mocked(t, folder, '--seed', '5', '--stateless')
  assert.equal((await call(url, 'GET ')).text, (await call(again, 'GET ')).text)
})

test('of many elements the newest are kept, and each is drawn by a number of its own', () => {
  const elements = new Elements()
  const numbers = new Set<number>()
  for (let number = 0; number < 10_050; number += 1) {
    numbers.add(elements.madeIn('/books'))
    elements.add('/books', `b${number}`, { number })
  }
  assert.equal(elements.of('/books').size, 10_000)
  assert.equal(elements.of('/books').has('b49'), false)
  assert.deepEqual(elements.of('/books').get('b50'), { number: 50 })
  assert.equal(numbers.size, 10_050)
})

test('what cannot be served is said in a line', async (t) => {
  const { code, stderr } = await runCli(tempFolder(t), 'mock', 'nowhere.yaml')
  assert.deepEqual([code, stderr], [2, 'ledgerwright: there is no nowhere.yaml\n'])
})
