// What `scaffold` writes and where: all or nothing, nothing outside of the project, nothing that
// somebody else changed or locked.
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { obstacleTo, writeChanges } from '../../codegen/scaffold/files.ts'
import { contents, put, tempFolder } from './generator-kit.ts'
import { at, document, IMPORT, project, read, run } from './scaffold-kit.ts'

const SPEC = document({ listNotes: 'GET /notes', getNote: 'GET /notes/{id}' })
const EMPTY = `${IMPORT}export const h: Partial<Handlers<unknown>> = {}\n`

test('a file that nobody may write is left, and so is all the rest', async (t) => {
  const keys = `export type Keys = 'listNotes'\n`
  const one = `${IMPORT}import type { Keys } from './keys.ts'\nexport const h: Pick<Handlers<unknown>, Keys> = { listNotes: () => ({ status: 200, body: { id: '' } }) }\n`
  const folder = project(t, SPEC, { 'src/keys.ts': keys, 'src/one.ts': one })
  chmodSync(join(folder, 'src/keys.ts'), 0o444)
  const before = contents(folder)
  const report = await run(folder)
  assert.deepEqual(
    [report.status, report.findings.map((one) => [at(folder, one.at), one.message])],
    ['refused', [['src/keys.ts:1:1', 'is read-only']]],
  )
  assert.deepEqual(contents(folder), before)
})

test('a file that was changed or made since it was read is left', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a.ts': 'new' })
  const file = join(folder, 'a.ts')
  assert.match(
    obstacleTo({ file, before: 'old', after: '' }, [folder]) ?? '',
    /was changed while this ran/u,
  )
  assert.match(obstacleTo({ file, before: undefined, after: '' }, [folder]) ?? '', /has been made/u)
  assert.equal(obstacleTo({ file, before: 'new', after: '' }, [folder]), undefined)
  assert.equal(obstacleTo({ file, before: 'old', after: 'new' }, [folder]), undefined)
})

test('when one text cannot be written, none is, and no draft stays', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'a.ts': 'old', 'b/c.ts': 'old' })
  const before = contents(folder)
  const changes = ['a.ts', 'a.ts/b.ts'].map((file) => ({
    file: join(folder, file),
    before: undefined,
    after: 'new',
  }))
  assert.throws(() => writeChanges(changes))
  assert.deepEqual(contents(folder), before)
})

test('no file is made outside of the project through a linked folder, unless the folder is named', async (t) => {
  const outside = tempFolder(t)
  const folder = project(t, SPEC)
  mkdirSync(join(folder, 'src'))
  symlinkSync(outside, join(folder, 'src/handlers'))
  assert.match((await run(folder)).findings[0]?.message ?? '', /outside of the project/u)
  assert.deepEqual(Object.keys(contents(outside)), ['package.json'])
  assert.equal((await run(folder, { handlers: ['src/handlers'] })).status, 'written')
  assert.deepEqual(Object.keys(contents(outside)), ['notes.ts', 'package.json'])
  assert.equal((await run(folder, { handlers: ['src/handlers'] })).status, 'unchanged')
})

test('handlers may stand in a folder beside the project; what a link names is changed, the link stays', async (t) => {
  const outside = tempFolder(t)
  put(outside, { 'real.ts': EMPTY.replace('../generated', '@app/generated') })
  const folder = project(t, SPEC)
  symlinkSync(join(outside, 'real.ts'), join(folder, 'linked.ts'))
  assert.equal((await run(folder, { handlers: [outside] })).added.length, 2)
  assert.equal((await run(folder, { handlers: [outside] })).status, 'unchanged')
  put(outside, { 'real.ts': EMPTY.replace('../generated', '@app/generated') })
  assert.equal((await run(folder, { handlers: ['linked.ts'] })).added.length, 2)
  assert.ok(lstatSync(join(folder, 'linked.ts')).isSymbolicLink())
  assert.match(read(outside, 'real.ts'), /NotWritten\('getNote'\)/u)
})
