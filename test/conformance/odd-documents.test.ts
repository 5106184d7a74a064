// Documents that demand what hardly any value, or none at all, can be: what has values gets some,
// and what has none is left out and named, while everything else is tested.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { put, tempFolder } from '../codegen/generator-kit.ts'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import { call } from '../support/http.ts'
import { conform, documentsOf, shown } from './kit.ts'

const body = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`

const DOCUMENT = `openapi: 3.1.0
info: { title: Odd, version: '1' }
paths:
  /open-variants:
    post:
      operationId: openVariants
      ${body(`{ oneOf: [${ref('Left')}, ${ref('Right')}] }`)}
      responses: { '200': { description: fine, content: { application/json: { schema: { oneOf: [${ref('Left')}, ${ref('Right')}] } } } } }
  /no-variant:
    post:
      operationId: noVariant
      ${body(`{ type: object, properties: { kind: { oneOf: [{ description: a }, { description: b }] } } }`)}
      responses: { '200': { description: fine } }
  /shared-variants:
    post:
      operationId: sharedVariants
      ${body(`{ oneOf: [{ type: object }, ${ref('Left')}, ${ref('Left')}] }`)}
      responses: { '200': { description: fine } }
  /endless:
    post:
      operationId: endless
      ${body(ref('Endless'))}
      responses: { '200': { description: fine } }
    get:
      operationId: endlessAnswer
      responses: { '200': { description: fine, content: { application/json: { schema: ${ref('Endless')} } } } }
  /interim:
    get: { operationId: interim, responses: { '102': { description: wait } } }
  /failing:
    get: { operationId: failing, responses: { '500': { description: always } } }
  /away:
    get: { operationId: away, responses: { '503': { description: always } } }
  /handed:
    post: { operationId: handed, responses: { '101': { description: over }, '400': { description: no }, '500': { description: crash } } }
  /markup:
    post:
      operationId: markup
      ${body('{ type: object, required: [id], properties: { id: { type: integer } } }')}
      responses: { '200': { description: fine }, '400': { description: no, content: { application/xml: {} } } }
  /both:
    post:
      operationId: bothSchemes
      security: [{ basic: [], bearer: [] }]
      responses: { '200': { description: fine }, '401': { description: no } }
    get: { operationId: neither, responses: { '204': { description: fine } } }
  /certified:
    get: { operationId: certified, security: [{ mutual: [] }], responses: { '204': { description: fine } } }
  /locked:
    get:
      operationId: locked
      security: [{ bearer: [] }]
      responses:
        '200': { description: fine }
        '401': { description: no, content: { application/json: { schema: { oneOf: [${ref('Left')}, ${ref('Left')}] } } } }
        '403': { description: no }
  /parts:
    post:
      operationId: nullParts
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [flag, left]
              properties: { flag: { type: [boolean, 'null'] }, left: { oneOf: [{ type: 'null' }, ${ref('Left')}] } }
      responses: { '200': { description: fine } }
  /signed:
    get:
      operationId: signed
      responses:
        '200':
          description: fine
          headers:
            Signature: { required: true, content: { text/plain: { schema: { type: string } } } }
            Facts: { required: true, content: { application/json: { schema: { type: object, properties: { n: { type: integer } } } } } }
  /sized:
    post:
      operationId: sized
      parameters: [{ name: background, in: query, schema: { type: boolean } }]
      ${body('{ type: object }')}
      responses: { '200': { description: fine }, '413': { description: too large } }
  /lists:
    post:
      operationId: listsOrNothing
      requestBody:
        required: true
        content:
          multipart/form-data: &lists
            schema:
              type: object
              required: [tags, counts, either]
              properties:
                tags: { type: [array, 'null'], items: { type: string, pattern: '^x' } }
                counts: { oneOf: [{ type: 'null' }, { type: array, items: { type: integer } }] }
                either: { oneOf: [{ type: integer }, { type: array, minItems: 2, items: { type: integer } }] }
          application/x-www-form-urlencoded: *lists
      responses: { '200': { description: fine } }
  /deep:
    post:
      operationId: deepOrText
      parameters:
        - { name: made, in: query, style: deepObject, explode: true, schema: { anyOf: [{ type: object, properties: { gt: { type: integer } } }, { type: integer }] } }
        - { name: ids, in: query, schema: { anyOf: [{ type: array, items: { type: integer } }, { type: string, enum: [''] }] } }
        - { name: sizes, in: query, schema: { anyOf: [{ type: array, items: { type: integer } }, { type: integer }] } }
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              additionalProperties: false
              properties:
                meta: { anyOf: [{ type: object, additionalProperties: { type: string } }, { type: string, enum: [''] }] }
                from: { anyOf: [{ type: object, properties: { id: { type: string } } }, { type: string, enum: ['7', 'true', '[]'] }] }
                born: { anyOf: [{ type: object, required: [year], properties: { year: { type: integer } } }, { type: string, enum: [''] }] }
                tags: { anyOf: [{ type: array, items: { type: string, minLength: 1 } }, { type: string, enum: [''] }] }
                plain: { anyOf: [{ type: array, items: { type: string, minLength: 1 } }, { type: string, enum: [''] }] }
            encoding:
              meta: { style: deepObject, explode: true }
              from: { style: deepObject, explode: true }
              born: { style: deepObject, explode: true }
              tags: { style: deepObject, explode: true }
      responses: { '200': { description: fine } }
  /files:
    post:
      operationId: fileOrFiles
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [files]
              properties: { files: { oneOf: [{ type: string, format: binary }, { type: array, items: { type: string, format: binary } }] } }
      responses: { '200': { description: fine } }
  /form:
    post:
      operationId: wrongExample
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { method: { type: string, enum: [GET, POST] } } }
            example: { method: PUT }
      responses: { '200': { description: fine } }
components:
  securitySchemes: { basic: { type: http, scheme: basic }, bearer: { type: http, scheme: bearer }, mutual: { type: mutualTLS } }
  schemas:
    Left: { type: object, properties: { a: { type: string }, b: { type: string } } }
    Right: { type: object, properties: { c: { type: string }, d: { type: string } } }
    Endless: { type: object, required: [parent], properties: { parent: ${ref('Endless')} } }
`

test('what no value fits is named, and everything else is tested', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'odd.yaml': DOCUMENT })
  await using server = await serveExamples([join(folder, 'odd.yaml')])
  const [first] = await conformExamples(server, { runs: 3, extremes: 4 })
  const { report, text } = first ?? assert.fail()
  assert.equal(text, '')
  const skipped = ['bothSchemes', 'endless', 'endlessAnswer', 'interim']
  assert.deepEqual(report.unaskable.map(({ operationId }) => operationId).sort(), skipped)
  assert.deepEqual(
    report.operations.filter(({ requests }) => requests === 0),
    [],
  )
  const lines = shown(report, server.url)
  assert.match(
    lines,
    /^- endless +skipped: no finite request fits the document +\(POST \/endless\)$/mu,
  )
  assert.match(lines, /^- interim +skipped: no answer fits the document/mu)
  const openVariants = report.operations.find(({ operationId }) => operationId === 'openVariants')
  assert.ok((openVariants?.accepted ?? 0) > 0)
  const refused = await call(`${server.url}/odd`, 'POST /markup', { body: {} })
  assert.deepEqual([refused.status, refused.type], [400, 'application/xml'])
  assert.match(refused.text, /^<\?xml [^>]+>\n<error>.*required.*<\/error>\n$/u)
})

test('a failure that a document names beside its answers is still found', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'odd.yaml': `openapi: 3.0.3
info: { title: Odd, version: '1' }
paths:
  /crash: { get: { operationId: crash, responses: { '200': { description: fine }, '500': { description: crash } } } }
  /lost: { get: { operationId: lost, responses: { 2XX: { description: fine }, '404': { description: no } } } }
  /refused: { get: { operationId: refused, responses: { default: { description: any }, '400': { description: no } } } }
`,
  })
  await using server = await serveExamples([join(folder, 'odd.yaml')], {
    handlers: {
      odd: {
        crash: async () => ({ status: 500 }),
        lost: async () => ({ status: 404 }),
        refused: async () => ({ status: 400 }),
      },
    },
  })
  const [first] = await conformExamples(server, { runs: 2, extremes: 2 })
  assert.deepEqual(
    first?.report.violations.map(({ operationId, check }) => `${operationId} ${check}`).sort(),
    ['crash not-a-server-error', 'refused valid-accepted'],
  )
})

test('a header of an answer is JSON where its content is, and text elsewhere', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'odd.yaml': DOCUMENT })
  const headers = { Signature: '=?é', Facts: { n: 7 } }
  await using server = await serveExamples([join(folder, 'odd.yaml')], {
    handlers: { odd: { signed: async () => ({ status: 200, headers }) } },
  })
  const answer = await fetch(`${server.url}/odd/signed`)
  assert.deepEqual(
    [answer.status, answer.headers.get('signature'), answer.headers.get('facts')],
    [200, '=?é', '{"n":7}'],
  )
})

const FORM = `openapi: 3.1.0
info: { title: Form, version: '1' }
paths:
  /plain:
    post:
      operationId: plain
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { type: object, required: [n], properties: { n: { type: integer, minimum: 5 } } } }
      responses: { '200': { description: fine } }
  /styled:
    post:
      operationId: styled
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [l], properties: { l: { type: array, items: { type: integer, minimum: 5 } } } }
            encoding: { l: { style: pipeDelimited, explode: false } }
      responses: { '200': { description: fine } }
`

test('a server that does not check the fields of forms is found', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'form.yaml': FORM, 'lax/form.yaml': FORM.replaceAll(', minimum: 5', '') })
  await using server = await serveExamples([join(folder, 'lax/form.yaml')])
  const documents = await documentsOf(join(folder, 'form.yaml'))
  const { violations } = await conform(documents, `${server.url}/form`, { runs: 10, seed: 1 })
  assert.deepEqual(
    [...new Set(violations.map(({ operationId, check }) => `${operationId} ${check}`))].sort(),
    ['plain flawed-refused', 'styled flawed-refused'],
  )
})

const PARTS = `openapi: 3.1.0
info: { title: Parts, version: '1' }
paths:
  /bound: { post: { operationId: bound, ${parts('n: { type: integer, minimum: 5 }', 'n')} } }
  /demanded: { post: { operationId: demanded, ${parts('file: { type: string, format: binary }, name: { type: string }', 'file, name')} } }
  /inner: { post: { operationId: inner, ${parts('meta: { type: object, required: [title, size], properties: { title: { type: string }, size: { type: integer } } }')} } }
  /listed: { post: { operationId: listed, ${parts('tags: { type: array, maxItems: 2, items: { enum: [a, b] } }')} } }
  /typed: { post: { operationId: typed, ${parts('meta: { type: object, properties: { n: { type: integer, maximum: 7 } } }', 'meta', 'meta: { contentType: application/json }')} } }
  /open: { post: { operationId: open, ${parts('name: { type: string }')} } }
`

/** A body of parts, and an answer. */
function parts(properties: string, required = '', encoding = ''): string {
  const schema = `{ type: object, required: [${required}], properties: { ${properties} } }`
  return `requestBody: { required: true, content: { multipart/form-data: { schema: ${schema}, encoding: { ${encoding} } } } }, responses: { '200': { description: fine } }`
}

test('a server that does not check the parts of multipart bodies is found, one that does is not', async (t) => {
  const folder = tempFolder(t)
  const lax = PARTS.replaceAll(
    /required: \[[\w, ]*\], |, (?:minimum|maximum|maxItems): \d/gu,
    '',
  ).replaceAll('enum: [a, b]', 'type: string')
  put(folder, { 'parts.yaml': PARTS, 'lax/parts.yaml': lax })
  const documents = await documentsOf(join(folder, 'parts.yaml'))
  const foundAt = async (spec: string): Promise<readonly string[]> => {
    await using server = await serveExamples([join(folder, spec)])
    const report = await conform(documents, `${server.url}/parts`, { runs: 10, seed: 1 })
    return [...new Set(report.violations.map((one) => `${one.operationId} ${one.check}`))].sort()
  }
  assert.deepEqual(await foundAt('parts.yaml'), [])
  assert.deepEqual(await foundAt('lax/parts.yaml'), [
    'bound flawed-refused',
    'demanded flawed-refused',
    'inner flawed-refused',
    'listed flawed-refused',
    'typed flawed-refused',
  ])
})
