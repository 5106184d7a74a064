// Legal documents that generators stumble over: each is served with random answers and held to
// itself, and Ajv judges every body beside the generated checks.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Handler } from '../../runtime/http/index.ts'
import { loadText, put, tempFolder } from '../codegen/generator-kit.ts'
import { call } from '../support/http.ts'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import type { ExampleServerOptions } from '../support/example-server.ts'

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`

/** A document of paths, and of schemas. */
function documentOf(version: string, paths: string, schemas = '{}'): string {
  return `openapi: ${version}\ninfo: { title: Nasty, version: '1' }\npaths:\n${paths}\ncomponents: { schemas: ${schemas} }\n`
}

/** Paths whose bodies, asked and answered, are of each schema. */
function echoing(...schemas: readonly string[]): string {
  return schemas
    .map((schema, index) => {
      return `  /e${index}: { post: { operationId: e${index}, requestBody: { required: true, ${json(schema)} }, responses: { '200': { description: fine, ${json(schema)} }, '400': { description: no } } } }`
    })
    .join('\n')
}

async function served(
  t: TestContext,
  document: string,
  options: ExampleServerOptions = {},
): Promise<Awaited<ReturnType<typeof serveExamples>>> {
  const folder = tempFolder(t)
  put(folder, { 'nasty.yaml': document })
  return serveExamples([join(folder, 'nasty.yaml')], options)
}

const DOCUMENTS: Readonly<Record<string, string>> = {
  'media types that differ in parameters alone': documentOf(
    '3.0.3',
    `  /versions:
    post:
      operationId: versions
      requestBody: { required: true, content: { application/json: { schema: { type: integer } }, 'application/json; v=2': { schema: { type: string } }, 'application/json;v=3': { schema: { type: array, items: { type: boolean } } } } }
      responses: { '200': { description: fine, content: { application/json: { schema: { type: integer } }, 'application/json;v=2': { schema: { type: string } }, text/plain: { schema: { type: string } } } }, '400': { description: no } }`,
  ),
  'headers that differ in case alone, and those of the connection': documentOf(
    '3.0.3',
    `  /h:
    parameters: [{ name: X-Request-ID, in: header, schema: { type: string } }]
    get:
      operationId: h
      parameters:
        - { name: x-request-id, in: header, required: true, schema: { type: integer } }
        - { name: Host, in: header, required: true, schema: { type: string } }
        - { name: Content-Length, in: header, schema: { type: integer } }
        - { name: Cookie, in: header, schema: { type: string } }
      responses: { '200': { description: fine, headers: { x-rate: { required: true, schema: { type: integer } }, X-RATE: { required: true, schema: { type: string } }, Content-Length: { schema: { type: integer } } } }, '400': { description: no } }`,
  ),
  'names by patterns that are regular expressions without the u flag alone': documentOf(
    '3.1.0',
    echoing(
      `{ type: object, required: [a-b, c], properties: { c: { type: string } }, patternProperties: { '^[\\w-.]+$': { type: [string, integer] } }, additionalProperties: false }`,
      `{ type: object, patternProperties: { '^[\\w-.]{2,4}$': { type: boolean } }, additionalProperties: { type: integer } }`,
    ),
  ),
}

for (const [what, document] of Object.entries(DOCUMENTS)) {
  test(`conform: ${what}`, async (t) => {
    await using server = await served(t, document)
    const [first] = await conformExamples(server, { runs: 10, extremes: 20, isReadTwice: true })
    assert.deepEqual([first?.text, first?.differences], ['', []])
  })
}

test('a default that does not fit its schema is a finding, and is not filled in', async (t) => {
  const folder = tempFolder(t)
  const body = `{ type: object, properties: {
    count: { type: integer, default: many }, size: { $ref: '#/components/schemas/Size', default: huge }, none: { type: string, default: null },
    list: { type: array, items: { type: string }, default: {} }, deep: { type: object, required: [a, b], properties: { a: { type: integer }, b: { type: integer, default: 2 } }, default: {} },
    right: { $ref: '#/components/schemas/Size', default: small }, filled: { type: object, required: [b], properties: { b: { type: integer, default: 2 } }, default: {} }, either: { anyOf: [{ type: string }, { type: 'null' }], default: null } } }`
  const operation = `parameters: [{ name: limit, in: query, schema: { type: integer, default: 'ten' } }, { name: sort, in: query, schema: { enum: [up, down], default: up } }], requestBody: { required: true, ${json(body)} }, responses: { '204': { description: fine } }`
  const text = documentOf(
    '3.1.0',
    `  /a: { post: { operationId: a, ${operation} } }`,
    `{ Size: { type: string, enum: [small, large] } }`,
  )
  const { findings } = loadText(folder, text)
  const rules = findings.filter(({ severity }) => severity === 'warning').map(({ rule }) => rule)
  assert.deepEqual(
    rules,
    Array.from({ length: 6 }, () => 'default-invalid'),
  )
  const seen: unknown[] = []
  const handler: Handler<string> = async ({ query, body: given }) => {
    seen.push(query, given)
    return { status: 204 }
  }
  await using server = await served(t, text, { handlers: { nasty: { a: handler } } })
  await call(`${server.url}/nasty`, 'POST /a', { body: {} })
  assert.deepEqual(seen, [
    { limit: undefined, sort: 'up' },
    { right: 'small', filled: { b: 2 }, either: null },
  ])
})

test('a default that its schema admits by a tuple, a reference or one way only is no finding', (t) => {
  const text = documentOf(
    '3.1.0',
    '',
    `{ Word: { type: string, default: x },
      Pair: { type: array, prefixItems: [{ type: string }, { type: integer }], items: false, default: [a, 1] },
      Filled: { type: object, required: [word], properties: { word: { $ref: '#/components/schemas/Word' } }, default: {} },
      Parted: { allOf: [{ type: object, required: [n] }, { type: object, properties: { n: { type: integer, default: 1 } } }], default: {} },
      Made: { type: object, required: [id, n], properties: { id: { type: integer, readOnly: true }, n: { type: string } }, default: { n: x } },
      Large: { type: integer, format: int64, default: 9007199254740993 } }`,
  )
  const { findings } = loadText(tempFolder(t), text)
  assert.deepEqual(
    findings.filter(({ rule }) => rule === 'default-invalid'),
    [],
  )
})

test('an enumeration without values is a finding', (t) => {
  const { findings } = loadText(
    tempFolder(t),
    documentOf('3.1.0', '', '{ None: { type: string, enum: [] } }'),
  )
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['enum-empty'],
  )
})
