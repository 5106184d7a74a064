// Large requests: callers take turns, whatever one of them has queued, and small ones do not wait.
// On real sockets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessGuard, Handler, HttpOptions } from '../../runtime/http/index.ts'
import { eventually } from '../support/eventually.ts'
import { json, operation, serveWire, wire } from './http-fixture.ts'
import type { Running } from './http-fixture.ts'

type FairLimits = Partial<NonNullable<HttpOptions<string>['limits']>['fair']>

const LARGE = JSON.stringify({ text: 'x'.repeat(20_000) })
const SMALL = '{}'

/** The token is the name; without one, nobody is known. */
const guard: AccessGuard<string> = {
  authenticate: ({ authorization = '' }) =>
    authorization === ''
      ? { kind: 'anonymous', reason: 'no token' }
      : { kind: 'principal', principal: authorization },
  authorize: () => ({ allowed: true }),
  needsPrincipal: () => false,
  nameOf: (name) => name,
}

interface Works extends Running {
  /** Callers whose work was begun, in order. */
  readonly begun: readonly string[]
  /** Ends the first work of somebody that is under way. */
  end(name: string): void
  /** Ends all there is and will be. */
  endAll(): void
}

async function start(fair: FairLimits = {}): Promise<Works> {
  const begun: string[] = []
  const ends: { readonly name: string; readonly end: () => void }[] = []
  let isOver = false
  const work: Handler<string> = async (_, { principal: name = '' }) => {
    begun.push(name)
    await new Promise<void>((end) => (isOver ? end() : ends.push({ name, end })))
    return { status: 200, body: {} }
  }
  const posted = { body: { required: true, media: [json()] } }
  const server = await serveWire(
    wire([operation('POST', '/work', posted)]),
    { 'POST /work': work },
    { guard, limits: { fair } },
  )
  const end = (wanted: string): void => {
    const at = ends.findIndex(({ name }) => name === wanted)
    ends.splice(at, 1)[0]?.end()
  }
  const endAll = (): void => {
    isOver = true
    for (const each of ends) each.end()
  }
  return Object.assign(server, { begun, end, endAll })
}

async function ask({ url }: Running, name: string, body = LARGE): Promise<number> {
  const headers = { authorization: name, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/work`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

const all = (count: number, status: number): readonly number[] =>
  Array.from({ length: count }, () => status)

test('whatever alice has queued, the large request of another user is among the next', async () => {
  await using server = await start({ atOnce: 2, shareMs: 60_000 })
  const { begun } = server
  const asked = Array.from({ length: 20 }, () => ask(server, 'alice'))
  await eventually(['alice'], () => begun)
  asked.push(ask(server, 'carol'))
  await eventually(['alice', 'carol'], () => begun)
  asked.push(ask(server, 'bob'))
  while (!begun.includes('bob')) {
    const before = begun.length
    server.end('alice')
    await eventually(before + 1, () => begun.length)
  }
  assert.ok(begun.indexOf('bob') < 5, begun.join(' '))
  server.endAll()
  assert.deepEqual(await Promise.all(asked), all(22, 200))
})

test('small requests wait for no large one, not even for those of the same user', async () => {
  await using server = await start({ atOnce: 2, shareMs: 60_000 })
  const large = [ask(server, 'alice'), ask(server, 'bob'), ask(server, 'carol')]
  await eventually(2, () => server.begun.length)
  const small = [ask(server, 'alice', SMALL), ask(server, 'alice', SMALL)]
  await eventually(4, () => server.begun.length)
  server.endAll()
  assert.deepEqual(await Promise.all([...large, ...small]), all(5, 200))
})

test('whoever has no name, from however many addresses, delays no user', async () => {
  await using server = await start({ atOnce: 1, shareMs: 60_000 })
  const nobody = [ask(server, ''), ask(server, '')]
  await eventually([''], () => server.begun)
  const alice = ask(server, 'alice')
  await eventually(['', 'alice'], () => server.begun)
  server.endAll()
  assert.deepEqual(await Promise.all([...nobody, alice]), all(3, 200))
})

test('a burst of small requests without a token is begun by few at a time', async () => {
  await using server = await start({ shareMs: 60_000 })
  const asked = Array.from({ length: 30 }, () => ask(server, '', SMALL))
  await eventually(9, () => server.begun.length)
  const alice = ask(server, 'alice', SMALL)
  await eventually(true, () => server.begun.includes('alice'))
  assert.equal(server.begun.length, 10)
  server.endAll()
  assert.deepEqual(await Promise.all([...asked, alice]), all(31, 200))
})

test('what takes long keeps its own caller waiting, and nobody else', async () => {
  await using server = await start({ atOnce: 2, shareMs: 10 })
  const asked = ['alice', 'alice', 'bob', 'carol', 'dave'].map((name) => ask(server, name))
  await eventually(['alice', 'bob', 'carol', 'dave'], () => server.begun.toSorted())
  server.endAll()
  assert.deepEqual(await Promise.all(asked), all(5, 200))
})

test('who has too many large requests waiting is told so, and when to try again; others are not', async () => {
  await using server = await start({ waiting: 3 })
  const asked = Array.from({ length: 6 }, () => ask(server, 'alice'))
  const refused = await Promise.race(asked)
  assert.equal(refused, 429)
  const bob = ask(server, 'bob')
  await eventually(['alice', 'bob'], () => server.begun)
  server.endAll()
  assert.deepEqual((await Promise.all(asked)).toSorted(), [...all(4, 200), ...all(2, 429)])
  assert.equal(await bob, 200)
})

test('what was given up while it waited keeps nobody waiting', async () => {
  await using server = await start()
  const first = ask(server, 'alice')
  await eventually(['alice'], () => server.begun)
  const controller = new AbortController()
  const { url } = server
  const headers = { authorization: 'alice', 'content-type': 'application/json' }
  const given = fetch(`${url}/work`, {
    method: 'POST',
    headers,
    body: LARGE,
    signal: controller.signal,
  })
  const last = ask(server, 'alice')
  controller.abort()
  await assert.rejects(given)
  server.endAll()
  assert.deepEqual(await Promise.all([first, last]), [200, 200])
})
