// Lint with the maintained engine, as a command, over our documents and over the upstream ones.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../../codegen/index.ts'
import { ruleOf, GROUPS } from '../../codegen/lint/catalogue.ts'
import { lintDocuments } from '../../codegen/lint/lint.ts'
import { printCodes } from '../../codegen/lint/print-codes.ts'
import { printFindings } from '../../codegen/lint/print.ts'
import {
  fixture,
  NO_PUBLIC_DOCUMENTS,
  PROJECT,
  PUBLIC_DOCUMENTS,
  put,
  runCli,
  tempFolder,
} from './generator-kit.ts'

/** Larger documents keep the engine busy for seconds: LINT_FULL=1 takes them too. */
const ENGINE_UP_TO_BYTES = 60_000

const lint = (cwd: string, ...args: readonly string[]): ReturnType<typeof runCli> =>
  runCli(cwd, 'lint', ...args)

const seen = ({ rule, severity, at }: Finding): string =>
  `${relative(fixture('lint'), at.file)}:${at.line}:${at.column} ${severity} ${rule}`

test('the engine’s findings stand with ours where things are written; no file is fetched', async () => {
  const findings = await lintDocuments({ documents: [{ spec: fixture('lint/engine.yaml') }] })
  assert.deepEqual(findings.map(seen), [
    'engine-parts.yaml:4:3 warning oas/no-invalid-schema-examples',
    'engine.yaml:5:5 warning oas/no-server-trailing-slash',
    'engine.yaml:5:5 error oas/no-undefined-server-variable',
    'engine.yaml:9:3 warning oas/no-path-trailing-slash',
    'engine.yaml:12:14 note tag-undefined',
    'engine.yaml:14:73 warning oas/no-invalid-parameter-examples',
    'engine.yaml:15:7 note oas/operation-4xx-response',
    'engine.yaml:21:15 warning oas/no-invalid-media-type-examples',
    'engine.yaml:21:26 warning oas/no-invalid-media-type-examples',
    'engine.yaml:22:91 note oas/operation-4xx-response',
    'engine.yaml:23:3 note oas/no-ambiguous-paths',
    'engine.yaml:23:91 note oas/operation-4xx-response',
    'engine.yaml:23:104 error oas/struct',
    'engine.yaml:28:43 warning undeclared-required',
    'engine.yaml:29:5 warning oas/no-unused-components',
    'engine.yaml:29:29 warning unknown-keyword',
    'engine.yaml:29:50 warning oas/no-duplicated-enum-values',
    'engine.yaml:30:5 error remote-reference',
  ])
})

test('a document on which the engine breaks, or is mistaken, is not called wrong', async () => {
  const golden = (name: string): { readonly spec: string } => ({
    spec: join(PROJECT, `test/codegen/golden/${name}/document.yaml`),
  })
  const findings = await lintDocuments({
    documents: [golden('openapi-32'), golden('boolean-schemas'), golden('conditional')],
  })
  const wrong = findings.filter(
    ({ severity, rule }) =>
      severity === 'error' || rule === 'oas/failed' || rule.includes('required'),
  )
  assert.deepEqual(
    wrong.map(({ rule }) => rule),
    ['oas/failed'],
  )
})

const CIRCLES = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { '200': { $ref: '#/components/responses/Ok' }, '400': { $ref: '#/components/responses/A' } } } }
components:
  responses:
    A: { $ref: '#/components/responses/B' }
    B: { $ref: '#/components/responses/A' }
    Ok: { description: ok, content: { application/json: { schema: { $ref: 'parts.yaml#/X' } } }, headers: { H: { $ref: 'parts.yaml#/H' } } }
`
const PARTS = `X: { type: object, properties: { y: { $ref: '#/Y' } } }
Y: { $ref: '#/Z' }
Z: { $ref: '#/Y' }
H: { $ref: '#/I' }
I: { $ref: '#/H' }
`

test('references in circles are reported and end nothing', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a.yaml': CIRCLES, 'parts.yaml': PARTS, 'b.yaml': CIRCLES })
  const { code, stdout, stderr } = await lint(folder, 'a.yaml', 'b.yaml')
  assert.equal(stderr, '')
  assert.match(
    stdout,
    /a\.yaml:4:\d+: error: this reference leads in a circle \[circular-reference\]/u,
  )
  assert.equal(code, 1)
})

test('lint leaves the failures of whoever calls it alone', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a.yaml': CIRCLES, 'parts.yaml': PARTS })
  const handlers = process.listenerCount('unhandledRejection')
  await lintDocuments({ documents: [{ spec: join(folder, 'a.yaml') }] })
  assert.equal(process.listenerCount('unhandledRejection'), handlers)
})

/** Schemas that all lead to all others: whoever follows each way to its end does not come back. */
function entangled(): string {
  const names = ['A', 'B', 'C', 'D', 'E']
  const all = names.map((name) => `{ $ref: '#/components/schemas/${name}' }`).join(', ')
  const schemas = names
    .map(
      (name) =>
        `    ${name}: { properties: { x: { type: string } }, oneOf: [${all}], allOf: [${all}] }\n`,
    )
    .join('')
  return `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    post:
      operationId: a
      x-access: { token: required, anyOf: [{ self: body.x.y }] }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }
      responses: { '204': { description: ok } }
components:
  schemas:
${schemas}`
}

test('a document that breaks every structure is reported, never thrown', async (t) => {
  const folder = tempFolder(t)
  const broken = [
    'openapi: 3.1.0\npaths: [1]\ncomponents: text\n',
    'openapi: 3.0.3\ninfo: 1\npaths: { /a: { get: [], post: { responses: 1, parameters: {} } } }\n',
    '- 1\n',
    'text',
    'openapi: 3.1.0\ninfo: { title: T, version: 1 }\npaths: {}\nx-interface: 1\ncomponents: { schemas: { A: 1, B: { properties: [], oneOf: {}, discriminator: 1, enum: 1, required: [1] } } }\n',
    'openapi: 3.2.0\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: {}, x-access: { anyOf: { a: 1 }, provider: 1, elevated: [] }, x-versions: [], x-refuses: 1, tags: a, security: 1 } } }\n',
  ]
  for (const [index, document] of [...broken, entangled()].entries()) {
    put(folder, { [`${index}.yaml`]: document })
    const findings = await lintDocuments({ documents: [{ spec: join(folder, `${index}.yaml`) }] })
    assert.ok(findings.length > 0, document)
  }
})

test(
  'upstream documents are judged without a crash; nothing in them is an error',
  { skip: NO_PUBLIC_DOCUMENTS },
  async (t) => {
    for (const [index, spec] of PUBLIC_DOCUMENTS.entries()) {
      const engine = process.env['LINT_FULL'] === '1' || statSync(spec).size < ENGINE_UP_TO_BYTES
      const findings = await lintDocuments({ documents: [{ spec }], engine })
      const of = (severity: string): number =>
        findings.filter((finding) => finding.severity === severity).length
      t.diagnostic(
        `document ${index + 1}: ${of('error')} errors, ${of('warning')} warnings, ${of('note')} notes`,
      )
      assert.equal(of('error'), 0, findings.map(seen).join('\n'))
      assert.deepEqual(findings.filter(({ rule }) => ruleOf(rule) === undefined).map(seen), [])
    }
  },
)

test('our documents have no errors and no warnings; the command says how long it took', async (t) => {
  const start = performance.now()
  const { code, stdout, stderr } = await lint(PROJECT, '--level', 'warning')
  t.diagnostic(`${Math.round(performance.now() - start)} ms`)
  assert.deepEqual([code, stdout, stderr], [0, '0 errors, 0 warnings, 0 notes\n', ''])
})

test('exit codes: 1 from the level on, 2 for wrong usage and for what cannot be read', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'a.yaml':
      "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { type: array } } }\n",
  })
  const [judged, absent, wrong, explained] = await Promise.all([
    lint(
      folder,
      '--rule',
      'array-without-items=error',
      '--rule',
      'oas/no-unused-components:/components=off',
      'a.yaml',
    ),
    lint(folder, 'absent.yaml'),
    lint(folder, 'a.yaml', '--rule', 'nothing=off'),
    lint(folder, '--explain', 'same-path'),
  ])
  assert.deepEqual([judged.code, absent.code, wrong.code, explained.code], [1, 2, 2, 0])
  assert.equal(
    judged.stdout,
    'a.yaml:4:31: error: an array of anything: say what its `items` are [array-without-items]\n1 error, 0 warnings, 0 notes\n',
  )
  assert.match(wrong.stderr, /there is no rule 'nothing'/u)
  assert.match(explained.stdout, /^same-path \(error\)\nThe paths differ only/u)
})

test('findings are printed as JSON with pointer and as a table of Markdown', () => {
  const at = { file: 'a.yaml', line: 3, column: 1, pointer: '/paths' }
  const findings: readonly Finding[] = [{ severity: 'error', rule: 'x', message: 'a | b', at }]
  assert.deepEqual(JSON.parse(printFindings(findings, 'json')), {
    findings: [
      {
        code: 'x',
        severity: 'error',
        message: 'a | b',
        file: 'a.yaml',
        line: 3,
        column: 1,
        pointer: '/paths',
      },
    ],
    counts: { error: 1, warning: 0, note: 0 },
  })
  assert.equal(
    printFindings(findings, 'markdown'),
    '**1 error, 0 warnings, 0 notes**\n\n| | what | where | rule |\n|---|---|---|---|\n| error | a \\| b | `a.yaml:3` | `x` |',
  )
})

test('docs/lint.md lists every code with severity and reason, and no other', () => {
  const page = readFileSync(join(PROJECT, 'docs/lint.md'), 'utf8')
  const tables = printCodes()
  assert.ok(
    page.includes(tables),
    'docs/lint.md: node codegen/lint/print-codes.ts prints the tables',
  )
  const rows = (text: string): readonly string[] =>
    text.split('\n').filter((line) => /^\| `.*\| (?:error|warning|note) \|/u.test(line))
  assert.deepEqual(rows(page), rows(tables))
  const printed = rows(tables).flatMap(
    (row) => (row.split(' | ')[0] ?? '').match(/[^`| ,]+/gu) ?? [],
  )
  assert.deepEqual(
    printed.toSorted(),
    GROUPS.flatMap((group) => Object.keys(group.rules)).toSorted(),
  )
})
