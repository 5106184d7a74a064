// Swagger 2.0 on its way through the generator: what is served follows the document, and findings
// name the places where people wrote it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadInterface } from '../../codegen/index.ts'
import type { WireInterface } from '../../runtime/http/index.ts'
import { serveWire } from '../interfaces/http-fixture.ts'
import { fixture, generateInto, loadText, tempFolder } from './generator-kit.ts'

const ANY = { Authorization: 'Bearer x', 'X-Key': 'k' }

test('a Swagger 2.0 document is served: parameters, shared bodies and forms as it says', async (t) => {
  const out = tempFolder(t)
  await generateInto(out, fixture('swagger.yaml'))
  const routes = pathToFileURL(join(out, 'swagger', 'routes.gen.ts')).href
  const { wire }: { readonly wire: WireInterface } = await import(routes)
  const seen: Record<string, unknown> = {}
  const handlers = Object.fromEntries(
    wire.operations.map(({ operationId }) => [
      operationId,
      ({ query, body }: { readonly query: unknown; readonly body?: unknown }) => {
        seen[operationId] = body ?? query
        if (operationId === 'listPets') return { status: 200, body: [] }
        return operationId === 'addPet' ? { status: 201, body } : { status: 204 }
      },
    ]),
  )
  await using server = await serveWire(wire, handlers)
  const send = async (method: string, path: string, type: string, body?: string): Promise<number> =>
    (
      await fetch(server.url + path, {
        method,
        headers: {
          ...ANY,
          'X-Trace': 't',
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      })
    ).status

  const form = 'application/x-www-form-urlencoded'
  const pet = '{"id":9007199254740993,"name":"Rex","kind":"Pet"}'
  assert.equal(await send('GET', '/pets?tags=a|b&ids=1&ids=2&csv=3,4&limit=5', ''), 200)
  assert.deepEqual(seen['listPets'], { tags: ['a', 'b'], ids: [1, 2], csv: [3, 4], limit: 5 })
  assert.equal(await send('GET', '/pets?limit=0', ''), 400)
  assert.equal(await send('POST', '/pets', 'application/json', pet), 201)
  assert.equal(await send('POST', '/pets', 'application/json', '{"id":1}'), 400)
  assert.equal(await send('PUT', '/pets/1', form, 'name=Max'), 204)
  assert.deepEqual(seen['renamePet'], { name: 'Max' })
})

test('findings of a Swagger 2.0 document name its own lines', () => {
  const { findings } = loadInterface(fixture('swagger.yaml'))
  assert.deepEqual(
    findings.map(({ rule, at }) => [rule, at.line, at.pointer]),
    [
      ['swagger-2', 1, '/swagger'],
      ['server-path', 3, '/host'],
      ['bad-pattern', 48, '/paths/~1pets~1{id}/put/parameters/0/schema/properties/name/pattern'],
      ['base-discriminator', 64, '/definitions/Pet/discriminator'],
    ],
  )
})

test('a body of a whole path is that of each of its operations', (t) => {
  const path = `parameters: [{ in: body, name: b, required: true, schema: { type: string } }]`
  const operation = `put: { operationId: put, responses: { 204: { description: done } } }`
  const text = `swagger: '2.0'\ninfo: {}\npaths: { /a: { ${path}, ${operation} } }`
  const { ir } = loadText(tempFolder(t), text)
  assert.deepEqual(
    ir.operations[0]?.body?.media.map(({ schema }) => schema),
    [{ type: 'string' }],
  )
})

test('errors of an operation that produces files are the objects that they are declared as', (t) => {
  const answers = (type: string): string =>
    `{ 200: { description: ok, schema: { type: file } }, 400: { description: no, schema: { type: ${type} } } }`
  const operations = [
    `/a: { get: { operationId: a, produces: [application/x-tar], responses: ${answers('object')} } }`,
    `/b: { get: { operationId: b, produces: [application/x-tar], responses: ${answers('string')} } }`,
    `/c: { get: { operationId: c, produces: [application/xml], responses: ${answers('object')} } }`,
    `/d: { get: { operationId: d, produces: [image/png], responses: { 400: { $ref: '#/responses/No' } } } }`,
  ]
  const text = `swagger: '2.0'\ninfo: {}\npaths: { ${operations.join(', ')} }\nresponses: { No: { description: no, schema: { $ref: '#/definitions/Problem' } } }\ndefinitions: { Problem: { properties: { message: { type: string } } } }`
  const { ir } = loadText(tempFolder(t), text)
  const types = ir.operations.map(({ responses }) =>
    responses.map(({ status, media }) => [status, ...media.map(({ mediaType }) => mediaType)]),
  )
  assert.deepEqual(types, [
    [
      ['200', 'application/x-tar'],
      ['400', 'application/json'],
    ],
    [
      ['200', 'application/x-tar'],
      ['400', 'application/x-tar'],
    ],
    [
      ['200', 'application/xml'],
      ['400', 'application/xml'],
    ],
    [['400', 'application/json']],
  ])
})

test('what a Swagger 2.0 document gets wrong is a finding, never a crash', (t) => {
  for (const rest of ['', 'paths: 7', 'paths: { /a: 1, /b: { get: [] } }', 'definitions: []']) {
    const { findings } = loadText(tempFolder(t), `swagger: '2.0'\ninfo: {}\n${rest}\n`)
    assert.ok(findings.some(({ rule }) => rule === 'swagger-2' || rule === 'openapi-version'))
  }
})
