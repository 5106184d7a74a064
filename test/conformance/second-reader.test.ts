// Values are made and judged by code of one generator: faults that are planted in its reading of
// unions show in no violation, only to a second reader of the document.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import type { Schema } from '../../codegen/ir.ts'
import { loadDocuments } from '../../runtime/cli/conform-documents.ts'
import { put, tempFolder } from '../codegen/generator-kit.ts'
import { readTwice } from '../support/second-reader.ts'
import { serveExamples } from '../support/example-server.ts'
import { conform } from './kit.ts'

const pet = (name: string, more: string): string =>
  `    ${name}: { type: object, required: [kind], properties: { kind: { enum: [${name.toLowerCase()}] }, ${more} } }\n`

const DOCUMENT = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '200': { description: fine } }
components:
  schemas:
    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }, { type: 'null' }], discriminator: { propertyName: kind } }
${pet('Cat', 'lives: { type: integer, maximum: 9 }')}${pet('Dog', 'bark: { type: boolean }')}`

/** Findings of a generator's run that reads some schemas as these. */
async function found(
  t: TestContext,
  misread: Readonly<Record<string, Schema>>,
): Promise<readonly string[]> {
  const folder = tempFolder(t)
  put(folder, { 'pets.yaml': DOCUMENT })
  const file = join(folder, 'pets.yaml')
  await using server = await serveExamples([file])
  const loaded = loadInterface(file)
  const { schemas } = loaded.ir
  const wrong = { ...loaded, ir: { ...loaded.ir, schemas: { ...schemas, ...misread } } }
  const specs = [{ file, mount: '/pets', loaded: wrong }]
  const [facts] = await loadDocuments({ specs, cache: join(folder, 'cache') })
  const { facts: twice, differences, unread } = readTwice(facts ?? assert.fail(), wrong)
  const options = { seed: 1, runs: 20, extremes: 10 }
  await conform([twice], server.url, options)
  assert.deepEqual([...unread], [])
  return [...differences].map(([place, text]) => `${place}: ${text}`)
}

test('a right reading is the same as that of the document', async (t) => {
  assert.deepEqual(await found(t, {}), [])
})

test('a tag that is read as the name of its schema is found', async (t) => {
  const Cat: Schema = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string', enum: ['Cat'] } },
  }
  const [line = '', ...more] = await found(t, { Cat })
  assert.deepEqual(more, [])
  assert.match(line, /^addPet request: the check admits what the schema refuses: .*"kind":"Cat"/u)
})

test('null that is lost beside variants is found', async (t) => {
  const variants = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
  const Pet: Schema = { oneOf: variants, discriminator: { propertyName: 'kind' } }
  const [line = ''] = await found(t, { Pet })
  assert.match(line, /^addPet request: the check refuses what the schema admits: .*: null$/u)
})
