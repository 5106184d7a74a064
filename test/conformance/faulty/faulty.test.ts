// The library is right without a fault, as far as its document says, and each planted fault really
// is there.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Answer } from '../../support/http.ts'
import { BOOK, clientOf, PHOTO, PLAIN } from './client.ts'
import type { Client } from './client.ts'
import { inputDemonstrations } from './demonstrations-of-input.ts'
import { answerDemonstrations, EDGE_MEMBER } from './demonstrations.ts'
import { checkOf, fields, follow, operations } from './document.ts'
import { CHECKS, faults } from './faults.ts'
import { startLibrary } from './server.ts'

const running = await startLibrary()
after(() => running.close())
const library = clientOf(running)
const seen = new Set<string>()

/** Holds an answer against the document: status, content type, headers, body. */
function hold(operationId: string, status: number, answer: Answer): void {
  assert.equal(answer.status, status, `${operationId}: ${answer.text}`)
  const operation = operations.find((one) => one.operationId === operationId)
  const response = follow(operation?.responses[String(status)])
  assert.ok('description' in response, `${operationId} does not declare ${status}`)
  for (const [name, header] of Object.entries(fields(response['headers']))) {
    const text = answer.headers.get(name)
    assert.ok(text !== null, `${operationId}: no ${name}`)
    const isNumber = follow(fields(header)['schema'])['type'] === 'integer'
    assert.deepEqual(checkOf(fields(header)['schema'])(isNumber ? Number(text) : text), [])
  }
  holdBody(fields(response['content']), answer)
  seen.add(operationId)
}

function holdBody(content: object, { type, text, json }: Answer): void {
  const [[mediaType, media] = ['', undefined]] = Object.entries(content)
  assert.equal(type.split(';')[0], mediaType)
  if (mediaType !== '') assert.deepEqual(checkOf(fields(media)['schema'])(json ?? text), [])
}

test('every operation answers exemplary requests as the document says', async () => {
  const { send } = library
  hold('getHealth', 200, await send('GET /health', { headers: { authorization: '' } }))
  const added = await send('POST /books', {
    body: { ...BOOK, tags: ['a', 'b'], shelf: { room: 9, row: '' }, weightKg: 20 },
  })
  const path = added.headers.get('location') ?? ''
  hold('addBook', 201, added)
  hold('getBook', 200, await send(`GET ${path}`))
  hold(
    'replaceBook',
    412,
    await send(`PUT ${path}`, { body: BOOK, headers: { 'if-match': '"7"' } }),
  )
  hold(
    'replaceBook',
    200,
    await send(`PUT ${path}`, { body: BOOK, headers: { 'if-match': '"1"' } }),
  )
  hold('getCover', 404, await send(`GET ${path}/cover`))
  for (const cover of [PHOTO, PLAIN]) {
    hold('putCover', 204, await send(`PUT ${path}/cover`, { body: cover }))
    hold('getCover', 200, await send(`GET ${path}/cover`))
  }
  hold('getLabel', 200, await send(`GET ${path}/label`))
  hold('listBooks', 200, await send('GET /books'))
  const query =
    'limit=50&pageToken=0&genre=novel&inStock=true&addedAfter=2024-01-01T00:00:00.5%2B02:00&sort=-added'
  hold('listBooks', 200, await send(`GET /books?${query}`, { headers: { authorization: '' } }))
  const joined = await send('POST /members', { body: EDGE_MEMBER })
  hold('addMember', 201, joined)
  hold('addMember', 409, await send('POST /members', { body: EDGE_MEMBER }))
  const memberPath = joined.headers.get('location') ?? ''
  hold('getMember', 200, await send(`GET ${memberPath}`))
  hold(
    'changeMember',
    200,
    await send(`PATCH ${memberPath}`, { body: { nickname: 'x', interests: [] } }),
  )
  hold('listMembers', 200, await send('GET /members?limit=1', { headers: { cookie: 'view=full' } }))
  hold('listMembers', 400, await send('GET /members?pageToken=nonsense'))
  const body = { bookId: fields(added.json)['id'], memberId: fields(joined.json)['id'], days: 60 }
  const lent = await send('POST /loans', { body })
  hold('lendBook', 201, lent)
  hold('lendBook', 409, await send('POST /loans', { body }))
  hold('getLoan', 200, await send(`GET ${lent.headers.get('location') ?? ''}`))
  hold('removeBook', 409, await send(`DELETE ${path}`))
  hold('removeBook', 204, await send(`DELETE ${await library.bookPath()}`))
  hold('removeMember', 204, await send(`DELETE ${memberPath}`))
  hold('removeMember', 404, await send(`DELETE ${memberPath}`))
  assert.deepEqual(
    operations.map((one) => one.operationId).filter((id) => !seen.has(id)),
    [],
  )
  assert.ok(running.isUntouched())
})

test('every operation but the open ones refuses a missing and a wrong token before all else', async () => {
  for (const { operationId, method, segments, isOpen } of operations) {
    if (isOpen) continue
    const request = `${method} ${segments.join('/').replaceAll(/[{}]/gu, '')}`
    for (const authorization of ['', 'Bearer no', 'Bearer ', `Basic ${running.token}`]) {
      hold(operationId, 401, await library.send(request, { headers: { authorization } }))
    }
  }
})

test('what is malformed, of another media type or of no path is refused in the document’s shape', async () => {
  const { send } = library
  hold('addBook', 400, await send('POST /books'))
  hold(
    'addBook',
    400,
    await send('POST /books', { body: BOOK, headers: { 'library-branch': 'ch1' } }),
  )
  hold(
    'addBook',
    415,
    await send('POST /books', { body: BOOK, headers: { 'content-type': 'application/xml' } }),
  )
  hold('getMember', 400, await send('GET /members/0'))
  hold('getMember', 400, await send('GET /members/9223372036854775808'))
  hold('getMember', 404, await send('GET /members/9223372036854775807'))
  hold('getLoan', 400, await send('GET /loans/1'))
  hold('listBooks', 400, await send('GET /books?limit=1&limit=2'))
  hold('listBooks', 400, await send('GET /books?addedAfter=2024-01-01%2000:00:00Z'))
  hold('putCover', 400, await send('PUT /books/b-1/cover', { body: { ...PLAIN, width: 3 } }))
  assert.equal((await send('GET /nowhere')).status, 404)
  assert.equal((await fetch(`${running.url}/books`, { method: 'HEAD' })).status, 405)
})

test('the library notices who touches what was there before', async (t) => {
  const touched = await startLibrary()
  t.after(() => touched.close())
  await clientOf(touched).send('DELETE /members/1')
  assert.ok(!touched.isUntouched())
})

test('there are at least two faults of each check, every one of its own name and demonstrated', () => {
  for (const check of CHECKS)
    assert.ok(faults.filter((fault) => fault.check === check).length >= 2, check)
  const shown = [...answerDemonstrations, ...inputDemonstrations].map(([name]) => name)
  assert.deepEqual(shown.toSorted(), [...new Set(faults.map(({ name }) => name))].toSorted())
  assert.equal(new Set(shown).size, faults.length)
})

test('each fault shows, and only with it', { concurrency: 8 }, async (t) => {
  const look = async (
    ask: (client: Client) => Promise<unknown>,
    fault?: string,
  ): Promise<unknown> => {
    const server = await startLibrary(fault === undefined ? {} : { fault })
    return ask(clientOf(server)).finally(() => server.close())
  }
  await Promise.all(
    [...answerDemonstrations, ...inputDemonstrations].map(([name, ask, right, wrong]) =>
      t.test(name, async () => {
        assert.deepEqual(await look(ask), right, 'without the fault')
        assert.deepEqual(await look(ask, name), wrong, 'with the fault')
      }),
    ),
  )
})
