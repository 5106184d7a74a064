// The schemas of documents as other tools take them: a JSON Schema validator and a Standard Schema
// find what the printed validators find.
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { rolldown } from 'rolldown'
import { generate, jsonSchemas, loadInterface, standardSchemas } from '../../codegen/index.ts'
import type { StandardSchema } from '../../codegen/schemas/support/standard-schema.ts'
import { printed } from './arbitraries-kit.ts'
import { imported, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'

const DRAWS = 15
const DOCUMENTS = ['discriminator', 'discriminator-base', 'oneof', 'allof', 'nullable-30', 'tuples']

async function generated(t: TestContext, spec: string): Promise<string> {
  const out = tempFolder(t)
  const plugins = [jsonSchemas(), standardSchemas()]
  const { findings } = await generate({ config: { interfaces: [{ spec }], out, plugins } })
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    [],
  )
  return out
}

function ajvOf(file: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: false })
  addFormats.default(ajv)
  for (const ignored of ['int64', 'int32', 'decimal', 'double', 'float', 'binary', 'byte'])
    ajv.addFormat(ignored, true)
  ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'all')
  return ajv
}

for (const name of DOCUMENTS) {
  test(`${name}: JSON Schema, Standard Schema and validators agree on every value`, async (t) => {
    const spec = join(PROJECT, 'test/codegen/golden', name, 'document.yaml')
    const out = await generated(t, spec)
    const { made, check } = await printed(tempFolder(t), loadInterface(spec))
    const ajv = ajvOf(join(out, 'document', 'schemas.json'))
    const file = pathToFileURL(join(out, 'document', 'schemas.gen.ts')).href
    const standard: Readonly<Record<string, StandardSchema<unknown>>> = await import(file)
    const names = Object.keys(made.schemas)
    const values = Object.values(made.schemas).flatMap((one) => {
      return fc.sample(one, { numRuns: DRAWS, seed: 7 }).map((value) => jsonOf(value))
    })
    const verdicts = new Set<boolean>()
    for (const schema of names) {
      const decide = ajv.compile({ $ref: `all#/$defs/${encodeURIComponent(schema)}` })
      for (const value of values) {
        const isSound = check(schema, value).length === 0
        verdicts.add(isSound)
        const shown = `${schema} ${JSON.stringify(value)}`
        assert.equal(decide(value), isSound, shown)
        const result = standard[schema]?.['~standard'].validate(value)
        assert.equal(result && 'value' in result, isSound, shown)
      }
    }
    assert.equal(verdicts.size, 2)
  })
}

/** The JSON that a client would send. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? Number(inner) : inner,
    ),
  )
}

test('a Standard Schema gives a value its type, and says where it is wrong', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'a.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    order-line:
      type: object
      required: [count]
      properties:
        count: { type: integer, format: int64 }
        unit: { type: string, default: piece }
        'a/b': { type: array, items: { type: string } }
`,
  })
  const out = await generated(t, join(folder, 'a.yaml'))
  const { OrderLine }: { readonly OrderLine: StandardSchema<unknown> } = await imported(
    out,
    'a',
    'schemas.gen.ts',
  )
  const { validate } = OrderLine['~standard']
  assert.deepEqual(validate({ count: 3 }), { value: { count: 3n, unit: 'piece' } })
  const { issues = [] } = validate({ 'a/b': ['x', 1], count: 1 })
  assert.deepEqual(
    issues.map(({ path }) => path),
    [['a/b', '1']],
  )
  assert.equal(await inBrowser(join(out, 'a', 'schemas.gen.ts')), '1 /count')
  rmSync(join(out, 'a', 'arbitraries.gen.ts'))
  put(out, {
    'use.ts': `import { OrderLine } from './a/schemas.gen.ts'
const result = OrderLine['~standard'].validate(1)
export const count: bigint = result.issues === undefined ? result.value.count : 0n
`,
  })
  assert.equal(typeCheck(out), '')
})

/** Bundles schemas for a page, and has one judge `{ count: true }` where nothing of Node is. */
async function inBrowser(input: string): Promise<unknown> {
  const warnings: string[] = []
  const build = await rolldown({
    input,
    platform: 'browser',
    onwarn: ({ message }) => void warnings.push(message),
  })
  const { output } = await build.generate({ format: 'iife', name: 'schemas' })
  await build.close()
  assert.deepEqual(warnings, [])
  assert.equal(output.length, 1)
  const judged = `;(({ issues }) => issues.length + ' /' + issues[0].path.join('/'))(
    schemas.OrderLine['~standard'].validate({ count: true }))`
  return runInNewContext(output[0].code + judged)
}
