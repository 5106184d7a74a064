// Many small documents, one feature each: what is generated is what is expected, compiles under
// strict, is used as it should be and answers over HTTP as its document says. `GOLDEN=update node
// --test test/codegen/golden.test.ts` takes the output for expected.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { generate, loadInterface } from '../../codegen/index.ts'
import type { Finding } from '../../codegen/index.ts'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import { SCHEMA_KEYS } from '../../codegen/load/keywords.ts'
import { contents, fileFolder, loadText, put, tempFolder, typeCheck } from './generator-kit.ts'
import {
  expectedOutput,
  expectFromNowOn,
  generateGoldens,
  goldens,
  NEGATIVE,
  readableOutput,
  usageOf,
  wantedFindings,
} from './golden-kit.ts'
import { assertTyped } from './typed-kit.ts'

const ALL = goldens()
/** Documents to which no server can be true, by the reason. */
const UNSERVED: Readonly<Record<string, string>> = { 'no-responses': 'declares no answer' }

const FULL = process.env['GOLDEN_FULL']
/** GOLDEN_FULL, a seed, asks more of every operation. */
const SIZE =
  FULL === undefined ? { runs: 2, extremes: 8 } : { runs: 40, extremes: 100, seed: Number(FULL) }

const out = fileFolder()
let findings: readonly Finding[] = []

before(async () => {
  findings = await generateGoldens(out)
})

test('every document gives the output and the findings that are expected of it', () => {
  for (const golden of ALL) {
    const output = readableOutput(out, golden, findings)
    if (process.env['GOLDEN'] === 'update') expectFromNowOn(golden, output)
    assert.deepEqual(output, expectedOutput(golden), golden.name)
  }
})

test('nothing becomes unknown of which the document says something and no finding speaks', () => {
  for (const { name, config } of ALL)
    assertTyped(loadInterface(config.spec, { name }), contents(join(out, name)))
})

test('every keyword of a schema reaches the generator, is said to be without effect, or says nothing of values', (t) => {
  for (const [keyword, value] of Object.entries(KEYWORDS)) {
    const tried = { type: ['object', 'array', 'string', 'number'], [keyword]: value }
    const document = {
      openapi: '3.1.0',
      info: {},
      paths: {},
      components: { schemas: { A: tried } },
    }
    const loaded = loadText(tempFolder(t), JSON.stringify(document), 'document.json')
    const schema = loaded.ir.schemas['A']
    const isKnown = typeof schema === 'object' && keyword in schema
    assert.ok(isKnown || loaded.findings.length > 0 || ANNOTATIONS.has(keyword), keyword)
  }
  assert.deepEqual(
    [...SCHEMA_KEYS].filter((key) => !Object.hasOwn(KEYWORDS, key) && !ANNOTATIONS.has(key)),
    [],
  )
})

test('all outputs and their usages compile together under the strictest settings', () => {
  for (const golden of ALL) {
    const usage = usageOf(golden)
    if (usage !== undefined) put(out, { [`${golden.name}/usage.ts`]: usage })
  }
  assert.equal(typeCheck(out), '')
})

test(
  'every document is answered over HTTP as it says, requests with and without a flaw',
  { timeout: 300_000 },
  async (t) => {
    const served = ALL.filter(({ name }) => !Object.hasOwn(UNSERVED, name))
    for (const [name, reason] of Object.entries(UNSERVED))
      t.diagnostic(`${name} is not served: ${reason}`)
    await using server = await serveExamples(
      served.map(({ config }) => config),
      { out },
    )
    const reports = await conformExamples(server, SIZE)
    assert.equal(reports.length, served.length)
    assert.equal(
      reports
        .map(({ text }) => text)
        .filter((text) => text !== '')
        .join('\n'),
      '',
    )
  },
)

test('documents that must fail do so, each with its rule, in its line', async (t) => {
  const folder = tempFolder(t)
  for (const file of readdirSync(NEGATIVE)) {
    const report = await generate({
      config: { interfaces: [{ spec: join(NEGATIVE, file) }], out: folder, strict: true },
    })
    assert.equal(report.status, 'invalid', file)
    const found = report.findings
      .map(({ severity, rule, at }) => `${severity} ${rule} ${at.line}`)
      .sort()
    assert.deepEqual(found, wantedFindings(file), file)
    assert.ok(
      report.findings.every(({ at }) => at.file === join(NEGATIVE, file)),
      file,
    )
  }
})

const TRUE = { type: 'string' }
/** A value for each keyword that is about values. */
const KEYWORDS: Readonly<Record<string, unknown>> = {
  $ref: '#/components/schemas/A',
  $dynamicRef: '#/components/schemas/A',
  type: 'string',
  format: 'date',
  enum: ['a'],
  const: 'a',
  required: ['a'],
  minProperties: 1,
  maxProperties: 1,
  minItems: 1,
  maxItems: 1,
  uniqueItems: true,
  minLength: 1,
  maxLength: 1,
  pattern: 'a',
  minimum: 1,
  maximum: 1,
  exclusiveMinimum: 1,
  exclusiveMaximum: 1,
  multipleOf: 1,
  discriminator: { propertyName: 'a' },
  contentEncoding: 'base64',
  contentMediaType: 'a/b',
  default: 'a',
  nullable: true,
  properties: { a: TRUE },
  patternProperties: { a: TRUE },
  dependentSchemas: { a: TRUE },
  allOf: [TRUE],
  anyOf: [TRUE],
  oneOf: [TRUE],
  prefixItems: [TRUE],
  additionalProperties: TRUE,
  items: TRUE,
  not: { type: 'null' },
  propertyNames: { pattern: 'a' },
  contains: TRUE,
  if: TRUE,
  then: TRUE,
  else: TRUE,
  unevaluatedItems: false,
  unevaluatedProperties: false,
  contentSchema: TRUE,
  minContains: 1,
  maxContains: 1,
  dependentRequired: { a: ['b'] },
  $schema: 'http://json-schema.org/draft-07/schema#',
  unheardOf: 1,
}
/**
 * Keywords from which neither checks nor types follow: texts for readers, names of places,
 * directions that are requirements elsewhere.
 */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicAnchor',
  '$id',
  '$vocabulary',
  'title',
  'description',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'externalDocs',
  'xml',
])
