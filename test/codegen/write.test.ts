// Writing: nothing unchanged is touched, nothing foreign or edited is overwritten or deleted, drift
// is named.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { check } from '../../codegen/index.ts'
import { contents, fixture, generateInto, put, tempFolder } from './generator-kit.ts'

const SMALL = `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /a: { get: { operationId: a, description: first, responses: { '200': { description: ok } } } }
`

/** Files that show the summary of an operation, and the lock. */
const SHOWING_TEXT = [
  'codegen.lock.json',
  'small/client.gen.ts',
  'small/handlers.gen.ts',
  'small/openapi.json',
]

test('an unchanged run is skipped and touches no file; a changed text rewrites only what shows it', async (t) => {
  const folder = tempFolder(t)
  const spec = join(folder, 'small.yaml')
  const out = join(folder, 'out')
  put(folder, { 'small.yaml': SMALL })
  const first = await generateInto(out, spec)
  assert.deepEqual([first.status, first.written.length], ['written', 11])
  const stamps = (): readonly number[] =>
    Object.keys(contents(out)).map((file) => statSync(join(out, file)).mtimeMs)
  const before = stamps()
  assert.equal((await generateInto(out, spec)).status, 'skipped')
  assert.deepEqual(stamps(), before)
  put(folder, { 'small.yaml': SMALL.replace('first', 'second') })
  const second = await generateInto(out, spec)
  assert.deepEqual(second.changed, SHOWING_TEXT)
  assert.deepEqual(second.operations, [])
  put(folder, {
    'small.yaml': SMALL.replace("'200'", "'201'").replace(
      '/a:',
      '/b:\n    get: { operationId: b, responses: {} }\n  /a:',
    ),
  })
  assert.deepEqual((await generateInto(out, spec)).operations, [
    { interface: 'small', operationId: 'a', change: 'changed' },
    { interface: 'small', operationId: 'b', change: 'added' },
  ])
})

test('a file that was edited, or that stands in the way, is refused and nothing at all is written', async (t) => {
  const folder = tempFolder(t)
  const out = join(folder, 'out')
  put(folder, { 'small.yaml': SMALL, 'out/small/routes.gen.ts': '// mine\n' })
  const spec = join(folder, 'small.yaml')
  assert.deepEqual((await generateInto(out, spec)).refused, [
    { file: 'small/routes.gen.ts', reason: 'was not generated' },
  ])
  assert.deepEqual(Object.keys(contents(out)), ['small/routes.gen.ts'])
  rmSync(out, { recursive: true })
  await generateInto(out, spec)
  const edited = join(out, 'small/client.gen.ts')
  writeFileSync(edited, `${readFileSync(edited, 'utf8')}// edited\n`)
  put(folder, { 'small.yaml': SMALL.replace('operationId: a', 'operationId: z') })
  const report = await generateInto(out, spec)
  assert.deepEqual(
    [report.status, report.refused],
    ['refused', [{ file: 'small/client.gen.ts', reason: 'was edited by hand' }]],
  )
  assert.match(readFileSync(join(out, 'small/handlers.gen.ts'), 'utf8'), /AReply/u)
})

test('files of an interface that is gone are removed, but not when they were edited; foreign neighbours stay', async (t) => {
  const folder = tempFolder(t)
  const out = join(folder, 'out')
  put(folder, { 'small.yaml': SMALL, 'other.yaml': SMALL, 'out/other/notes.txt': 'mine' })
  await generateInto(out, join(folder, 'small.yaml'), join(folder, 'other.yaml'))
  const report = await generateInto(out, join(folder, 'small.yaml'))
  assert.equal(report.removed.length, 7)
  assert.deepEqual(
    Object.keys(contents(out)).filter((file) => file.startsWith('other/')),
    ['other/notes.txt'],
  )
})

test('line ends changed by a checkout are no edit', async (t) => {
  const folder = tempFolder(t)
  const out = join(folder, 'out')
  put(folder, { 'small.yaml': SMALL })
  await generateInto(out, join(folder, 'small.yaml'))
  const file = join(out, 'small/types.gen.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  assert.equal((await generateInto(out, join(folder, 'small.yaml'))).status, 'skipped')
  put(folder, { 'small.yaml': SMALL.replace('first', 'second') })
  assert.deepEqual((await generateInto(out, join(folder, 'small.yaml'))).changed, SHOWING_TEXT)
})

test('check names the files that differ and is clean again after generate', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SMALL })
  const options = { config: { interfaces: [{ spec: 'small.yaml' }], out: 'out' }, root: folder }
  assert.equal((await check(options)).files.length, 11)
  await generateInto(join(folder, 'out'), join(folder, 'small.yaml'))
  rmSync(join(folder, 'out/small/types.gen.ts'))
  const drift = await check(options)
  assert.deepEqual([drift.status, drift.files], ['drift', ['small/types.gen.ts']])
  put(folder, { 'small.yaml': `${SMALL}paths: {}\n` })
  assert.deepEqual([(await check(options)).status], ['invalid'])
})

test('two documents of one name are refused', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a/small.yaml': SMALL, 'b/small.yaml': SMALL })
  const report = await generateInto(
    join(folder, 'out'),
    join(folder, 'a/small.yaml'),
    join(folder, 'b/small.yaml'),
  )
  assert.deepEqual(
    [report.status, report.findings.map(({ rule }) => rule)],
    ['invalid', ['interface-name']],
  )
})

test('the fixture with every construct generates without a finding', async (t) => {
  const report = await generateInto(tempFolder(t), fixture('features.yaml'))
  assert.deepEqual(report.findings, [])
})

test('types that nothing concerns are those of the run before; others are printed anew', async (t) => {
  const folder = tempFolder(t)
  const [out, fresh] = [join(folder, 'out'), join(folder, 'fresh')]
  const typed = `${SMALL}components: { schemas: { Thing: { type: object, properties: { size: { type: integer } } } } }\n`
  const write = async (text: string, into: string): Promise<string> => {
    put(folder, { 'small.yaml': text })
    return (await generateInto(into, join(folder, 'small.yaml'))).status
  }
  await write(typed, out)
  // Printing types takes a folder for temporary files: without one there is no printing.
  const before = process.env['TMPDIR']
  const restore = (): void => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  t.after(restore)
  process.env['TMPDIR'] = join(folder, 'nowhere')
  assert.equal(await write(typed.replace('first', 'second'), out), 'written')
  await assert.rejects(write(typed.replace('integer', 'string'), out), /nowhere/u)
  restore()
  assert.equal(await write(typed.replace('integer', 'string'), out), 'written')
  assert.equal(await write(typed.replace('integer', 'string'), fresh), 'written')
  assert.deepEqual(contents(out), contents(fresh))
})

test('drafts that a killed run left are removed, those of others and of a run under way stay', async (t) => {
  const folder = tempFolder(t)
  const spec = join(folder, 'small.yaml')
  const out = join(folder, 'out')
  put(folder, { 'small.yaml': SMALL })
  await generateInto(out, spec)
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const stay = [
    `small/notes.txt.${ended}.tmp`,
    `small/client.gen.ts.${process.ppid}.tmp`,
    'small/client.gen.ts.old.tmp',
  ]
  const left = [`small/client.gen.ts.${ended}.tmp`, `codegen.lock.json.${ended}.tmp`]
  put(out, Object.fromEntries([...stay, ...left].map((file) => [file, 'a draft'])))
  put(folder, { 'small.yaml': SMALL.replace('first', 'second') })
  assert.equal((await generateInto(out, spec)).status, 'written')
  assert.deepEqual(
    [...stay, ...left].filter((file) => existsSync(join(out, file))),
    stay,
  )
})
