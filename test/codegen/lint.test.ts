// Lint: every rule of ours finds what it should where it should and nothing in what is right;
// ignores, severities, order.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../../codegen/index.ts'
import { RULES } from '../../codegen/lint/catalogue.ts'
import { lintDocuments } from '../../codegen/lint/lint.ts'
import { put, tempFolder } from './generator-kit.ts'
import { LINT_CASES } from './lint-cases.ts'

const lintText = (folder: string, document: string): Promise<readonly Finding[]> => {
  put(folder, { 'a.yaml': document })
  return lintDocuments({ documents: [{ spec: join(folder, 'a.yaml') }], engine: false })
}

const lines = (findings: readonly Finding[], code: string): readonly number[] =>
  findings.filter(({ rule }) => rule === code).map(({ at }) => at.line)

const markedLine = (document: string): number =>
  document.split('\n').findIndex((line) => line.includes('# here')) + 1

/** A document with one finding, line 8, and a further line in its operation. */
const small = (lint: string, more = ''): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      ${lint}
      x-stability: beta
      responses: { '200': { description: d } }
${more}`

test('each rule finds what is wrong on its line, and nothing in what is right', async (t) => {
  const folder = tempFolder(t)
  for (const { code, bad, good } of LINT_CASES) {
    assert.deepEqual(lines(await lintText(folder, bad), code), [markedLine(bad)], `${code}\n${bad}`)
    assert.deepEqual(lines(await lintText(folder, good), code), [], `${code}\n${good}`)
  }
})

test('each rule has a case, a reason, and a code of its own', () => {
  const codes = Object.keys(RULES)
  assert.deepEqual([...new Set(LINT_CASES.map(({ code }) => code))].toSorted(), codes.toSorted())
  assert.ok(codes.length >= 60)
  assert.deepEqual(
    Object.keys(RULES).filter((code) => !/^.{20,}\.$/u.test(RULES[code]?.says ?? '')),
    [],
  )
})

test('good documents of the table have no findings of loading either', async (t) => {
  const folder = tempFolder(t)
  const known = Object.keys(RULES)
  const graver: string[] = []
  for (const { good } of LINT_CASES) {
    for (const { rule, severity } of await lintText(folder, good))
      if (severity === 'error' && !known.includes(rule)) graver.push(`${rule}\n${good}`)
  }
  assert.deepEqual(graver, [])
})

test('patterns of any size are judged at once, or said to be too much', async (t) => {
  const starred = Array.from({ length: 4_000 }, (_, index) => `a${index}*`).join('|')
  const patterns = {
    starred: `^(?:${starred})*$`,
    nested: `^${'('.repeat(200)}a${'*b)'.repeat(200)}*$`,
    deep: '('.repeat(5_000) + ')'.repeat(5_000),
  }
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: {
      schemas: Object.fromEntries(
        Object.entries(patterns).map(([name, pattern]) => [name, { type: 'string', pattern }]),
      ),
    },
  })
  const slow = (await lintText(tempFolder(t), document))
    .filter(({ rule }) => rule === 'pattern-slow')
    .map(({ at, message }) => `${at.pointer} ${message}`)
  assert.deepEqual(slow, [
    '/components/schemas/starred/pattern not analysed: more than 500 repetitions without a limit',
    '/components/schemas/nested/pattern time grows exponentially with the number of "b" in a text',
    '/components/schemas/deep/pattern not analysed: groups are nested too deeply',
  ])
})

test('an ignore counts at its object and below, whether a list or with reasons; others remain', async (t) => {
  const folder = tempFolder(t)
  const found = async (lint: string, more?: string): Promise<readonly string[]> =>
    (await lintText(folder, small(lint, more))).map(({ rule }) => rule)
  assert.deepEqual(await found('x-stage: 1'), ['stability-value'])
  assert.deepEqual(await found('x-lint-ignore: [stability-value]'), [])
  assert.deepEqual(await found('x-lint-ignore: { stability-value: the word of our customers }'), [])
  assert.deepEqual(await found('x-stage: 1', 'x-lint-ignore: [stability-value]'), [])
  assert.deepEqual(await found('x-lint-ignore: [versions-shape]'), [
    'lint-ignore-unused',
    'stability-value',
  ])
  assert.deepEqual(await found('x-lint-ignore: [stability]'), [
    'lint-ignore-unknown',
    'stability-value',
  ])
  assert.deepEqual(await found("x-lint-ignore: { stability-value: '' }"), ['lint-ignore-shape'])
})

test('what stops generation cannot be ignored away', async (t) => {
  const document = small('x-lint-ignore: [undeclared-path-parameter]').replace('/a:', '/a/{b}:')
  const findings = await lintText(tempFolder(t), document)
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['undeclared-path-parameter', 'lint-ignore-unused', 'stability-value'],
  )
})

test('severities are changed and codes switched off by name', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a.yaml': small('x-stage: 1') })
  const documents = [{ spec: join(folder, 'a.yaml') }]
  const noted = await lintDocuments({
    documents,
    engine: false,
    rules: { 'stability-value': 'note' },
  })
  assert.deepEqual(
    noted.map(({ severity }) => severity),
    ['note'],
  )
  assert.deepEqual(
    await lintDocuments({ documents, engine: false, rules: { 'stability-value': 'off' } }),
    [],
  )
})

test('findings are in the order of files and lines, with the pointer of their place; one that several operations share is said once', async (t) => {
  const folder = tempFolder(t)
  const shared =
    'components:\n  responses:\n    R: { description: d, content: { application/json: {} } }\n'
  const operation = (name: string): string =>
    `  /${name}:\n    get: { operationId: ${name}, responses: { '200': { $ref: '#/components/responses/R' } } }\n`
  put(folder, {
    'b.yaml': `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${operation('x')}${operation('y')}${shared}`,
    'a.yaml': small('x-access: 1'),
  })
  const findings = await lintDocuments({
    documents: ['b.yaml', 'a.yaml'].map((file) => ({ spec: join(folder, file) })),
    engine: false,
  })
  assert.deepEqual(
    findings.map(
      ({ rule, at }) => `${at.file.slice(folder.length + 1)}:${at.line} ${rule} ${at.pointer}`,
    ),
    [
      'a.yaml:7 access-shape /paths/~1a/get/x-access',
      'a.yaml:8 stability-value /paths/~1a/get/x-stability',
      'b.yaml:10 success-without-schema /components/responses/R/content/application~1json',
    ],
  )
})

test('an overlay that mends a document mends its findings', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'a.yaml': small('x-stage: 1'),
    'patch.yaml':
      "overlay: 1.0.0\ninfo: { title: P, version: '1' }\nactions:\n  - { target: $.paths.*.get, update: { x-stability: stable } }\n",
  })
  const spec = join(folder, 'a.yaml')
  assert.equal((await lintDocuments({ documents: [{ spec }], engine: false })).length, 1)
  assert.deepEqual(
    await lintDocuments({
      documents: [{ spec, overlays: [join(folder, 'patch.yaml')] }],
      engine: false,
    }),
    [],
  )
  put(folder, {
    'patch.yaml':
      "overlay: 1.0.0\ninfo: { title: P, version: '1' }\nactions:\n  - { target: $.nowhere, remove: true }\n",
  })
  const broken = await lintDocuments({
    documents: [{ spec, overlays: [join(folder, 'patch.yaml')] }],
  })
  assert.deepEqual(
    broken.map(({ rule, at }) => `${at.line} ${rule}`),
    ['4 overlay-no-match'],
  )
})

test('successors are looked for in all documents of the run, under their mounts', async (t) => {
  const folder = tempFolder(t)
  const successor = "x-versions: { introduced: '1', successor: /api/a }"
  put(folder, {
    'a.yaml': small(successor).replace('      x-stability: beta\n', ''),
    'b.yaml': small('x-stage: 1', 'x-interface: { mount: /api }\n').replace('beta', 'stable'),
  })
  const rules = async (...files: readonly string[]): Promise<readonly string[]> => {
    const documents = files.map((file) => ({ spec: join(folder, file) }))
    return (await lintDocuments({ documents, engine: false })).map(({ rule }) => rule)
  }
  assert.deepEqual(await rules('a.yaml'), ['versions-successor'])
  assert.deepEqual(await rules('a.yaml', 'b.yaml'), [])
})
