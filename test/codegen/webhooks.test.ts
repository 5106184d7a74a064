// Webhooks and callbacks of a document, sent by one side and received by the other: typed as any
// operation is, signed, to the address that an earlier request named.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { generate } from '../../codegen/index.ts'
import type { VerifyBody, WireInterface } from '../../runtime/http/index.ts'
import { serveWire } from '../interfaces/http-fixture.ts'
import { fileFolder, imported, put } from './generator-kit.ts'

const DOCUMENT = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
webhooks:
  order.changed:
    post:
      operationId: orderChanged
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '204': { description: seen }, '401': { description: not signed } }
  ping: { get: { operationId: ping, responses: { '204': { description: here }, '401': { description: not signed } } } }
paths:
  /subscriptions:
    post:
      operationId: subscribe
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [url], properties: { url: { type: string } } } } } }
      callbacks:
        onDone: { '{$request.body#/url}/done?at={$response.header.x-at}': { post: { operationId: done, responses: { '204': { description: seen } } } } }
      responses: { '201': { description: subscribed } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } }
`

type Send = (input?: object) => Promise<{ readonly status: number }>
interface Modules {
  readonly wire: WireInterface
  readonly callbackUrls: Readonly<Record<string, string>>
  createClient(options: object): Readonly<Record<string, Send>>
  callbackUrl(expression: string, exchange: object): string | undefined
}

const out = fileFolder()
let modules: Modules

before(async () => {
  put(out, { 'shop.yaml': DOCUMENT })
  const spec = join(out, 'shop.yaml')
  const { status } = await generate({
    config: { interfaces: [{ spec }, { spec, webhooks: true }], out: join(out, 'generated') },
  })
  assert.equal(status, 'written')
  const load = (file: string): Promise<Modules> =>
    imported(out, 'generated/shop-webhooks', `${file}.gen.ts`)
  modules = { ...(await load('client')), wire: (await load('routes')).wire }
})

const signatureOf = (body: Uint8Array): string =>
  createHmac('sha256', 'secret').update(body).digest('hex')
const verify: VerifyBody = ({ headers, body }) => headers['x-signature'] === signatureOf(body)
const sign = ({ body }: { readonly body: Uint8Array }): object => ({
  'x-signature': signatureOf(body),
})

test('a webhook is sent to its receiver, signed, and comes as a value', async () => {
  const seen: unknown[] = []
  await using receiver = await serveWire(
    modules.wire,
    {
      orderChanged: ({ body }) => {
        seen.push(body)
        return { status: 204 }
      },
      ping: () => ({ status: 204 }),
    },
    { verify },
  )
  const body = { id: 9_007_199_254_740_993n }
  const to = (path: string, options: object = { sign }): Readonly<Record<string, Send>> =>
    modules.createClient({ baseUrl: receiver.url + path, ...options })
  assert.equal((await to('/order.changed')['orderChanged']?.({ body }))?.status, 204)
  assert.equal((await to('/ping')['ping']?.())?.status, 204)
  assert.deepEqual(seen, [body])
  const forged = { sign: () => ({ 'x-signature': signatureOf(Buffer.from('{}')) }) }
  assert.equal((await to('/order.changed', {})['orderChanged']?.({ body }))?.status, 401)
  assert.equal((await to('/order.changed', forged)['orderChanged']?.({ body }))?.status, 401)
  assert.equal((await to('/ping', {})['ping']?.())?.status, 401)
  assert.deepEqual(seen, [body])
})

test('a callback goes where the exchange that it belongs to says', async () => {
  const [expression = ''] = [modules.callbackUrls['done']]
  const exchange = {
    request: { body: { url: 'http://there/hooks/' } },
    response: { headers: { 'X-At': '5' } },
  }
  const url = modules.callbackUrl(expression, exchange)
  assert.equal(url, 'http://there/hooks//done?at=5')
  assert.equal(modules.callbackUrl(expression, { request: { body: {} } }), undefined)
  const asked: string[] = []
  const fetched = (to: string): Promise<Response> => {
    asked.push(to)
    return Promise.resolve(new Response(null, { status: 204 }))
  }
  await modules.createClient({ baseUrl: url, fetch: fetched })['done']?.()
  assert.deepEqual(asked, [url])
})
