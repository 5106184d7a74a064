// What `npm test` of a new project asks before anything is written: examples answer, no findings.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { conformExamples, serveExamples } from '../support/example-server.ts'

const DOCUMENT = `
openapi: 3.1.0
info: { title: Fresh, version: '1' }
paths:
  /open:
    get:
      operationId: open
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: {} } }
        - { name: page, in: query, required: true, style: deepObject, schema: { type: [object, 'null'], properties: { at: { type: integer } } } }
      responses: { '200': { description: fine, content: { application/json: { schema: { type: object } } } }, '400': { description: no } }
  /xml:
    post:
      operationId: xml
      requestBody:
        required: true
        content: { application/xml: { schema: { $ref: '#/components/schemas/Order' } }, application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '200': { description: fine, content: { application/xml: { schema: { $ref: '#/components/schemas/Order' } } } }, '400': { description: no }, '415': { description: no } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }
`

test('a new project of an OpenAPI 3.1 document keeps to it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fresh-'))
  t.after(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const spec = join(folder, 'fresh.yaml')
  writeFileSync(spec, DOCUMENT)
  await using server = await serveExamples([{ spec, name: 'fresh' }])
  const [first] = await conformExamples(server, { runs: 10, extremes: 10 })
  assert.deepEqual(
    first?.report.violations.map(({ operationId, sentence }) => [operationId, sentence]),
    [],
  )
})
