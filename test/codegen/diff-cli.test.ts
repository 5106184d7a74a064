// `ledgerwright diff` and the summary of `generate` as a user meets them: what they read, what they
// print, how they exit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { levelAt, parseLevels } from '../../codegen/rules/levels.ts'
import { diffInterfaces } from '../../codegen/diff/diff-interfaces.ts'
import { openVersion } from '../../codegen/diff/inputs.ts'
import { diffVersions } from '../../codegen/diff/interfaces.ts'
import { printChanges } from '../../codegen/diff/print.ts'
import { SIDES } from '../../codegen/diff/report.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import {
  generateInto,
  loadText,
  put,
  repositoryOf,
  runCli as run,
  tempFolder,
} from './generator-kit.ts'
import { loadData, manyOperations } from './diff-kit.ts'

const NOTE =
  '{ type: object, required: [id], properties: { id: { type: string }, age: { type: integer } } }'
const NEW_NOTE = '{ type: object, properties: { text: { type: string, maxLength: 1000 } } }'

function notes(newNote: string, parameters = ''): string {
  return `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes${parameters}
      responses: { 200: { description: all, content: { application/json: { schema: { $ref: 'shared/note.yaml' } } } } }
    post:
      operationId: addNote
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses: { 204: { description: stored } }
components:
  schemas:
    NewNote: ${newNote}
`
}

const FILTER = '\n      parameters: [{ name: after, in: query, schema: { type: string } }]'
const OLD = { 'spec/notes.yaml': notes(NEW_NOTE), 'spec/shared/note.yaml': NOTE }
const NEW = {
  'spec/notes.yaml': notes(NEW_NOTE.replace('1000', '500'), FILTER),
  'spec/shared/note.yaml': NOTE.replace(', age: { type: integer }', ''),
}

/** A repository whose first commit has the old documents, and whose work tree has the new ones. */
function repository(t: TestContext): string {
  const folder = repositoryOf(t, OLD)
  put(folder, NEW)
  return folder
}

test('a revision of git is compared with the work tree; known changes are allowed, one side can be asked for', async (t) => {
  const folder = repository(t)
  const [all, some, callers, implementers] = await Promise.all([
    run(folder, 'diff', 'HEAD:spec/notes.yaml', 'spec/notes.yaml'),
    run(
      folder,
      'diff',
      'HEAD:spec/notes.yaml',
      'spec/notes.yaml',
      '--rule',
      'max-length-tightened:NewNote=off',
      '--rule',
      'property-removed=off',
      '--rule',
      'body-removed=off',
      '--report',
      'report.md',
    ),
    run(
      join(folder, 'spec'),
      'diff',
      'HEAD:./notes.yaml',
      'notes.yaml',
      '--for',
      'callers',
      '--rule',
      'property-removed:note=off',
    ),
    run(
      folder,
      'diff',
      'HEAD:spec/notes.yaml',
      'spec/notes.yaml',
      '--for',
      'implementers',
      '--format',
      'json',
      '--rule',
      'property-removed:note=off',
    ),
  ])
  assert.equal(
    all.stdout,
    [
      'spec/notes.yaml:15:66: breaking for callers: NewNote.text: maxLength is 500, was 1000 (in request of addNote) [max-length-tightened]',
      "HEAD:spec/shared/note.yaml:1:69: breaking for callers and implementers: note: the property 'age' is gone (in response of listNotes) [property-removed]",
      '',
      "spec/notes.yaml:7:20: additive for callers and implementers: listNotes: the query parameter 'after' is new and optional [parameter-added-optional]",
      '',
      '2 breaking (2 for callers, 1 for implementers), 1 additive, 0 editorial',
      '',
    ].join('\n'),
  )
  assert.equal(all.code, 3)
  assert.deepEqual(
    [some.code, some.stderr],
    [0, '--rule body-removed=off: there is no such change\n'],
  )
  assert.match(
    readFileSync(join(folder, 'report.md'), 'utf8'),
    /^### Changes of the interface\n\n2 breaking \(.*2 allowed\).*\n\n#### Breaking\n\n\| \| what/u,
  )
  assert.equal(callers.code, 3)
  assert.match(
    callers.stdout,
    /^notes\.yaml:15:66: breaking for callers: .*\nHEAD:spec\/shared\/note\.yaml:1:69: allowed, breaking for callers: /u,
  )
  assert.deepEqual([implementers.code, implementers.stderr], [0, ''])
})

test('what cannot be read is exit code 2, never "no changes"', async (t) => {
  const [folder, outside] = [repository(t), tempFolder(t)]
  put(folder, { 'broken.yaml': 'openapi: [', 'dangling.yaml': notes(NEW_NOTE), 'empty/a.txt': '' })
  const runs = await Promise.all([
    run(folder, 'diff', 'spec/notes.yaml', 'broken.yaml'),
    run(folder, 'diff', 'dangling.yaml', 'spec/notes.yaml'),
    run(folder, 'diff', 'HEAD:nothing.yaml', 'spec/notes.yaml'),
    run(outside, 'diff', 'HEAD:spec/notes.yaml', folder),
    run(folder, 'diff', 'spec/notes.yaml', 'spec/notes.yaml', '--rule', 'no-rule=off'),
  ])
  const unwritten = await run(
    folder,
    'diff',
    'spec/notes.yaml',
    'spec/notes.yaml',
    '--report',
    'no/such/folder.md',
  )
  assert.deepEqual(
    [unwritten.code, /^the report cannot be written: /u.test(unwritten.stderr)],
    [2, true],
  )
  assert.deepEqual(
    runs.map(({ code, stdout }) => [code, stdout]),
    runs.map(() => [2, '']),
  )
  const [broken, dangling, gone, revision, rule] = runs.map(({ stderr }) => stderr)
  assert.match(
    broken ?? '',
    /^broken\.yaml:\d+:\d+: error: .*\ndocuments with errors cannot be compared\n$/su,
  )
  assert.match(dangling ?? '', /^dangling\.yaml:7:\d+: error: .*\ndocuments with errors/su)
  assert.match(
    gone ?? '',
    /^'HEAD:nothing\.yaml' is read from git: fatal: path 'nothing\.yaml' does not exist in 'HEAD'\n$/u,
  )
  assert.match(
    revision ?? '',
    /^'HEAD:spec\/notes\.yaml' is read from git: fatal: not a git repository/u,
  )
  assert.match(rule ?? '', /there is no rule/u)
  assert.equal(await openVersion('nothing.yaml'), "there is no file or folder 'nothing.yaml'")
  assert.match(
    String(await openVersion(join(folder, 'empty'))),
    /^there is no OpenAPI document or contracts\.yaml in '/u,
  )
})

test('of two folders every document is compared, by its name', async (t) => {
  const orders = OLD['spec/notes.yaml'].replaceAll('otes', 'rders')
  const folder = repositoryOf(t, { ...OLD, 'spec/orders.yml': orders, 'spec/package.json': '{}' })
  put(folder, {
    ...NEW,
    'spec/orders.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Later', version: '1' },
      'x-interface': { name: 'later' },
      paths: {},
    }),
  })
  const { stdout, code } = await run(folder, 'diff', 'HEAD:spec', 'spec')
  assert.equal(code, 3)
  assert.match(stdout, /^spec\/notes\.yaml:.* NewNote\.text: maxLength is 500, was 1000 /mu)
  assert.match(stdout, /^spec\/orders\.json:1:1: .* later: the interface is new /mu)
  assert.doesNotMatch(stdout, /orders\.yml|interface is gone/u)
  put(folder, { 'spec/broken.yaml': 'openapi: [' })
  assert.equal((await run(folder, 'diff', 'HEAD:spec', 'spec')).code, 2)
})

test('generate says what breaks of what is committed, and of an unchanged document nothing', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    ...OLD,
    'codegen.config.ts':
      "export const config = { interfaces: [{ spec: 'spec/notes.yaml' }], out: 'out' }\n",
  })
  await generateInto(join(folder, 'out'), join(folder, 'spec/notes.yaml'))
  put(folder, { 'spec/notes.yaml': `# a comment\n${OLD['spec/notes.yaml']}` })
  const same = await run(folder, 'generate')
  assert.deepEqual([same.code, /changes of|breaking/u.test(same.stdout)], [0, false])
  put(folder, NEW)
  const changed = await run(folder, 'generate')
  assert.equal(changed.code, 0)
  assert.match(
    changed.stdout,
    new RegExp(
      [
        'changed operation notes\\.listNotes',
        'spec/notes\\.yaml:15:66: breaking for callers: NewNote\\.text: maxLength is 500, was 1000 .*',
        "spec/shared/note\\.yaml:1:33: breaking for callers and implementers: note: the property 'age' is gone .*",
        'changes of notes: 2 breaking \\(2 for callers, 1 for implementers\\), 1 additive, 0 editorial',
        '0 written, \\d+ changed',
      ].join('\n'),
      'u',
    ),
  )
})

test('an interface that appears or vanishes is in the summary of generate, save in the first run', async (t) => {
  const folder = tempFolder(t)
  put(folder, { ...OLD, 'spec/other.yaml': OLD['spec/notes.yaml'] })
  const [out, first, second] = [
    join(folder, 'out'),
    join(folder, 'spec/notes.yaml'),
    join(folder, 'spec/other.yaml'),
  ]
  const runs = [
    await generateInto(out, first),
    await generateInto(out, first, second),
    await generateInto(out, second),
  ]
  assert.deepEqual(
    runs.map(({ changes }) =>
      changes.map((one) => [one.interface, ...one.changes.map(({ rule }) => rule)]),
    ),
    [[], [['other', 'interface-added']], [['notes', 'interface-removed']]],
  )
  put(folder, { 'both/a/notes/openapi.json': '{}', 'both/b/notes/openapi.json': '{}' })
  assert.match(String(await openVersion(join(folder, 'both'))), /has several interfaces 'notes'/u)
})

test('whatever a document calls its parts, a report is text in cells and lines', (t) => {
  const folder = tempFolder(t)
  const load = (property: string): LoadedInterface =>
    loadText(
      folder,
      notes(`{ type: object, properties: { ${JSON.stringify(property)}: { type: string } } }`),
      `${property.length}.yaml`,
    )
  put(folder, { 'shared/note.yaml': NOTE })
  const changes = diffInterfaces(load('a'), load('a|`b` <i>*\\\n[x]'))
  const options = { sides: SIDES, accepted: {}, show: () => 'x|y.yaml' }
  const [text, markdown] = (['text', 'markdown'] as const).map((format) =>
    printChanges([{ interface: 'notes', changes }], format, options),
  )
  assert.equal(text?.split('\n').filter((line) => line.includes('a|`b` <i>*\\ [x]')).length, 1)
  assert.ok(markdown?.includes(String.raw`'a\|\`b\` \<i>\*\\ \[x\]' is new`), markdown)
  assert.match(markdown ?? '', /\| `x\\\|y\.yaml:14` \|/u)
})

test('folders and configurations are compared by interface, and the three formats say the same', async (t) => {
  const folder = tempFolder(t)
  put(folder, { ...OLD, 'spec/other.yaml': OLD['spec/notes.yaml'] })
  await generateInto(
    join(folder, 'old'),
    join(folder, 'spec/notes.yaml'),
    join(folder, 'spec/other.yaml'),
  )
  put(folder, {
    ...NEW,
    'spec/third.yaml': OLD['spec/notes.yaml'],
    'codegen.config.ts': `export const config = { out: 'out',
    interfaces: [{ spec: 'spec/notes.yaml' }, { spec: 'spec/third.yaml' }] }\n`,
  })
  const [before, after] = [
    await openVersion(join(folder, 'old')),
    await openVersion(join(folder, 'codegen.config.ts')),
  ]
  assert.ok(typeof before !== 'string' && typeof after !== 'string')
  const interfaces = diffVersions(before, after)
  assert.ok(typeof interfaces !== 'string')
  assert.deepEqual(
    interfaces.map((one) => [one.interface, one.changes.map(({ rule }) => rule)]),
    [
      ['notes', ['max-length-tightened', 'property-removed', 'parameter-added-optional']],
      ['other', ['interface-removed']],
      ['third', ['interface-added']],
    ],
  )
  const options = {
    sides: SIDES,
    accepted: {},
    show: (file: string): string => file.slice(folder.length + 1),
  }
  const [text, json, markdown] = (['text', 'json', 'markdown'] as const).map((format) =>
    printChanges(interfaces, format, options),
  )
  const parsed: unknown = JSON.parse(json ?? '')
  for (const { message } of interfaces.flatMap(({ changes }) => changes)) {
    for (const output of [text, json, markdown]) assert.ok(output?.includes(message), message)
  }
  assert.deepEqual(
    parsed !== null && typeof parsed === 'object' && 'summary' in parsed
      ? parsed.summary
      : undefined,
    { additive: 2, allowed: 0, breaking: 3, callers: 3, editorial: 0, implementers: 2, stored: 0 },
  )
  const isRule = (name: string): boolean => name === 'property-removed'
  const read = (flag: string) => parseLevels([flag], ['off'], isRule)
  for (const flag of [
    'no-rule=off',
    'property-removed:=off',
    'property-removed',
    'property-removed=x',
  ])
    assert.equal(typeof read(flag), 'string', flag)
  const levels = read('property-removed:/a/b:c=off')
  assert.ok(typeof levels !== 'string')
  assert.deepEqual(
    ['/a/b:c/d', '/a/b:c', '/a/b:cd'].map((place) => levelAt(levels, 'property-removed', [place])),
    ['off', 'off', undefined],
  )
})

test('two thousand operations over schemas in circles are compared in under two seconds', (t) => {
  const [before, after] = [loadData(manyOperations(2000, 5)), loadData(manyOperations(2000, 6))]
  const start = process.cpuUsage()
  const changes = diffInterfaces(before, after)
  const { user, system } = process.cpuUsage(start)
  t.diagnostic(`${Math.round((user + system) / 1000)} ms of CPU, ${changes.length} changes`)
  assert.equal(changes.length, 2001)
  assert.equal(changes.find(({ place }) => place === 'S0')?.operations.length, 2000)
  assert.ok(user + system < 2_000_000)
})
