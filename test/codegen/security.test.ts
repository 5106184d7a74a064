// The security that a document declares, from its schemes to both ends of the wire: hooks that say
// who shows a credential, a guard that decides by alternatives and scopes, a client that shows what
// it was given.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { securityGuard } from '../../runtime/http/index.ts'
import type { SecurityScheme, WireInterface } from '../../runtime/http/index.ts'
import { serveWire, type Running } from '../interfaces/http-fixture.ts'
import { fileFolder, generateInto, imported, PROJECT } from './generator-kit.ts'

const DOCUMENT = join(PROJECT, 'test/codegen/golden/security/document.yaml')

type Method = () => Promise<{ readonly status: number }>
interface Modules {
  readonly wire: WireInterface
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  createClient(options: object): Readonly<Record<string, Method>>
}

const out = fileFolder()
let modules: Modules

before(async () => {
  await generateInto(out, DOCUMENT)
  const load = (file: string): Promise<Modules> => imported(out, 'document', `${file}.gen.ts`)
  const [{ wire }, { createClient }] = [await load('routes'), await load('client')]
  const { schemes } = await load('security')
  modules = { wire, createClient, schemes }
})

interface Shown {
  readonly token?: string
  readonly key?: string
  readonly user?: string
  readonly password?: string
}

/** Everybody is known by what begins with `good`; scopes stand after it. */
const hooks = Object.fromEntries(
  ['bearer', 'basic', 'key', 'cookie', 'query', 'oauth', 'openid'].map((name) => [
    name,
    ({ token, key, password }: Shown) => {
      const [word, ...scopes] = (token ?? key ?? password ?? '').split(' ')
      return word === 'good' ? { principal: name, scopes } : undefined
    },
  ]),
)

async function served(seen: unknown[]): Promise<Running> {
  const { wire, schemes } = modules
  const handlers = Object.fromEntries(
    wire.operations.map(({ operationId }) => [
      operationId,
      (_input: unknown, { principal }: { readonly principal: unknown }) => {
        seen.push([operationId, principal])
        return { status: 204 }
      },
    ]),
  )
  const guard = securityGuard<string>(schemes, hooks, {
    combine: (all) => all.toSorted().join('+'),
  })
  return serveWire(wire, handlers, { guard })
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('each scheme is looked for where the document says, and alternatives are tried in order', async () => {
  const seen: unknown[] = []
  await using server = await served(seen)
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(server.url + path, { headers })).status
  assert.equal(await ask('/inherited', { authorization: 'bearer good' }), 204)
  assert.equal(await ask('/open'), 204)
  assert.equal(await ask('/both', { authorization: 'Bearer good', 'x-key': 'good' }), 204)
  assert.equal(await ask('/either', { authorization: basic('ann:good') }), 204)
  assert.equal(await ask('/either', { authorization: 'Bearer good read write' }), 204)
  assert.equal(await ask('/either'), 204)
  assert.equal(await ask('/rest', { cookie: 'a=b; session=good' }), 204)
  assert.equal(await ask('/rest?key=good'), 204)
  assert.deepEqual(seen, [
    ['inherited', 'bearer'],
    ['open', undefined],
    ['both', 'bearer+key'],
    ['either', 'basic'],
    ['either', 'oauth'],
    ['either', undefined],
    ['rest', 'cookie'],
    ['rest', 'query'],
  ])
})

test('who is not known gets 401 and the challenges of the schemes, who lacks a scope 403', async () => {
  await using server = await served([])
  const refused = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(server.url + path, { headers })
    return [answer.status, answer.headers.get('www-authenticate')]
  }
  assert.deepEqual(await refused('/inherited'), [401, 'Bearer'])
  assert.deepEqual(await refused('/inherited', { authorization: 'Bearer bad' }), [
    401,
    'Bearer error="invalid_token"',
  ])
  assert.deepEqual(await refused('/both', { authorization: 'Bearer good' }), [
    401,
    'Bearer, ApiKey in="header", name="X-Key"',
  ])
  assert.deepEqual(await refused('/rest', { authorization: 'Bearer good' }), [
    403,
    'Bearer error="insufficient_scope", scope="read"',
  ])
  assert.deepEqual(await refused('/unknown', { authorization: 'Bearer good' }), [401, 'Bearer'])
})

test('a client shows the first alternative that it has all credentials for', async () => {
  const seen: unknown[] = []
  await using server = await served(seen)
  const ask = async (operationId: string, options: object): Promise<void> => {
    const answer = await modules.createClient({ baseUrl: server.url, ...options })[operationId]?.()
    assert.equal(answer?.status, 204, operationId)
  }
  await ask('inherited', { token: 'good' })
  await ask('both', { credentials: { bearer: () => Promise.resolve('good'), key: 'good' } })
  await ask('either', { credentials: { basic: { user: 'ä', password: 'good' } } })
  await ask('either', {})
  await ask('rest', { credentials: { query: 'good' } })
  await ask('rest', { credentials: { cookie: 'good' } })
  assert.deepEqual(
    seen.map((one) => (Array.isArray(one) ? one[1] : one)),
    ['bearer', 'bearer+key', 'basic', undefined, 'query', 'cookie'],
  )
})
