// The commands as a user meets them: what they print and how they exit.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROJECT, put, tempFolder } from './generator-kit.ts'

const SMALL = `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /a/{b}: { get: { operationId: a, parameters: [{ name: b, in: path, required: true, schema: { type: string } }], responses: { default: {} } } }
`
const CONFIG = `export const config = { interfaces: [{ spec: 'small.yaml' }], out: 'out', errors: 'errors.yaml' }\n`

interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(cwd: string, ...args: readonly string[]): Run {
  return spawnSync(process.execPath, [join(PROJECT, 'runtime/cli/main.ts'), ...args], {
    encoding: 'utf8',
    cwd,
  })
}

test('generate reads the configuration of the folder, check is clean after it and names what differs', (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'small.yaml': SMALL,
    'codegen.config.ts': CONFIG,
    'errors.yaml': 'codes:\n  B: { category: 1 }\n  A: { category: 2 }\n',
    // The project's own use of the library that prints types is none of ours.
    'openapi-ts.config.js':
      "export default { input: 'x', output: { path: 'x', fileName: { suffix: '.x' } } }\n",
  })
  const first = run(folder, 'generate')
  assert.equal(first.status, 0, first.stderr)
  assert.match(
    first.stdout,
    /written out\/errors\.gen\.ts\n.*written out\/small\/client\.gen\.ts\n.*\n12 written, 0 changed, 0 removed, 0 unchanged, \d+ ms\n$/su,
  )
  assert.match(
    run(folder, 'generate').stdout,
    /^0 written, 0 changed, 0 removed, 11 unchanged, \d+ ms\n$/u,
  )
  assert.equal(run(folder, 'check').status, 0)
  put(folder, { 'small.yaml': SMALL.replace('operationId: a', 'operationId: z') })
  const drift = run(folder, 'check')
  assert.deepEqual(
    [drift.status, /differs out\/small\/handlers\.gen\.ts/u.test(drift.stderr)],
    [3, true],
  )
})

test('a bad document, read strictly, is exit code 2 with file, line and column, and writes nothing', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SMALL.replace('name: b', 'name: c') })
  for (const command of ['generate', 'check']) {
    const bad = run(folder, command, '--spec', 'small.yaml', '--out', 'out', '--strict')
    assert.equal(bad.status, 2)
    assert.match(
      bad.stderr,
      /^small\.yaml:4:13: error: path parameter 'b' of \/a\/\{b\} is not declared \[undeclared-path-parameter\]\n/u,
    )
  }
})

test('notes of one rule are counted after the first three', (t) => {
  const folder = tempFolder(t)
  const names = Array.from({ length: 9 }, (_, index) => `trace${index}`)
  const paths = names.map((operationId) => [
    `/${operationId}`,
    { trace: { operationId, responses: { 204: { description: 'd' } } } },
  ])
  const info = { title: 'T', version: '1' }
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(paths) }
  put(folder, { 'a.json': JSON.stringify(document) })
  const { stderr } = run(folder, 'generate', '--spec', 'a.json', '--out', 'out')
  const place = (line: string): string => line.replace(/:\d+:\d+:/u, '')
  const note = 'a.json note: TRACE is served, but fetch cannot send it [unsendable-method]'
  assert.deepEqual(stderr.trimEnd().split('\n').map(place), [
    note,
    note,
    note,
    "6 more notes [unsendable-method]: 'ledgerwright lint --notes' prints all",
  ])
})

test('wrong usage and files in the way are one clear line', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SMALL, 'out/support.gen.ts': 'mine' })
  assert.deepEqual(
    [run(folder, 'generate').status, run(folder, 'generate').stderr],
    [2, 'no codegen.config.ts here: give --spec FILE... --out DIR, or write one\n'],
  )
  assert.deepEqual(
    [run(folder, 'generate', '--spec', 'small.yaml').stderr],
    ['--spec needs --out DIR\n'],
  )
  const refused = run(folder, 'generate', '--spec', 'small.yaml', '--out', 'out')
  assert.deepEqual(
    [refused.status, refused.stderr],
    [1, 'out/support.gen.ts was not generated: move it away or delete it\n'],
  )
})
