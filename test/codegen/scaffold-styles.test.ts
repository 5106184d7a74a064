// Hand-written handlers as people write them: nothing that works is hidden by a skeleton, and what
// is added looks as a colleague would have written it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { at, document, IMPORT, project, read, run } from './scaffold-kit.ts'

const OPS = { listNotes: 'GET /notes', getNote: 'GET /notes/{id}', dropNote: 'DELETE /notes/{id}' }
const reply = `({ status: 200, body: { id: 'a' } })`

/** Text of `src/a.ts` after a run, without skeletons but for their names. */
async function after(
  t: TestContext,
  source: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = project(t, document(OPS), { 'src/a.ts': IMPORT + source, ...more })
  await run(folder)
  assert.equal((await run(folder)).status, 'unchanged')
  return read(folder, 'src/a.ts')
    .replaceAll(/\/\*\*[^]*?\*\/\s*(\w+): \(\) => \{\s*throw [^]*?\}(?=,?\s)/gu, 'NEW $1')
    .replaceAll(/^import .*\n/gmu, '')
}

test('what the compiler knows of a spread is no skeleton, which would hide it', async (t) => {
  const notes = `export const listNotes = () => ${reply}\nexport function getNote() { return ${reply} }\n`
  assert.equal(
    await after(
      t,
      `import * as notes from './notes.ts'\nexport const h: Partial<Handlers<unknown>> = {\n  ...notes,\n}\n`,
      { 'src/notes.ts': notes },
    ),
    `export const h: Partial<Handlers<unknown>> = {\n  ...notes,\n  NEW dropNote,\n}\n`,
  )
  const served = `class Served {\n  all = { getNote: () => ${reply}, dropNote: () => ${reply} }\n}\nconst served = new Served()\n`
  assert.equal(
    await after(
      t,
      `${served}export const h: Partial<Handlers<unknown>> = {\n  ...served.all,\n}\n`,
    ),
    `${served}export const h: Partial<Handlers<unknown>> = {\n  ...served.all,\n  NEW listNotes,\n}\n`,
  )
})

test('where the compiler does not know either, nothing is added, and the spread is named with what it may hold', async (t) => {
  const source = `${IMPORT}import { notes } from 'nowhere'\nexport const h: Partial<Handlers<unknown>> = { listNotes: () => ${reply}, ...notes }\n`
  const folder = project(t, document(OPS), { 'src/a.ts': source })
  const report = await run(folder)
  assert.deepEqual(
    report.unread.map((one) => [one.operationIds, at(folder, one.at)]),
    [[['getNote', 'dropNote'], 'src/a.ts:3:103']],
  )
  assert.deepEqual([report.added, read(folder, 'src/a.ts')], [[], source])
})

test('an object in one line is closed in a line of its own, without a blank before the brace', async (t) => {
  const head = `export class A {\n\treadonly h: Partial<Handlers<unknown>> = `
  assert.equal(
    await after(t, `${head}{ listNotes: () => ${reply}, getNote: () => ${reply} }\n}\n`),
    `${head}{ listNotes: () => ${reply}, getNote: () => ${reply},\n\t\tNEW dropNote\n\t}\n}\n`,
  )
  assert.equal(
    await after(t, `export const h: Handlers<unknown> = { }\n`),
    `export const h: Handlers<unknown> = {\n  NEW listNotes,\n  NEW getNote,\n  NEW dropNote,\n}\n`,
  )
})

test('handlers that are handed to a function, or put together by Object.assign, are found', async (t) => {
  const define = `const define = (given: Partial<Handlers<unknown>>) => given\n`
  assert.equal(
    await after(
      t,
      `${define}export const h = define({\n  listNotes: () => ${reply},\n  getNote: () => ${reply},\n})\n`,
    ),
    `${define}export const h = define({\n  listNotes: () => ${reply},\n  getNote: () => ${reply},\n  NEW dropNote,\n})\n`,
  )
  const parts = `const some = { listNotes: () => ${reply} }\nexport const h: Handlers<unknown> = Object.assign(some, {\n  getNote: () => ${reply},\n`
  assert.equal(await after(t, `${parts}})\n`), `${parts}  NEW dropNote,\n})\n`)
})

test('what a class lacks, or a call may give, is listed where it is; no file is made beside it', async (t) => {
  const served = `export class Notes implements Handlers<unknown> {\n  listNotes = () => ${reply}\n  async getNote() { return ${reply} }\n  #own() {}\n}\n`
  const made = `import { make } from 'nowhere'\nexport const h: Handlers<unknown> = make()\n`
  for (const [source, operationIds, place] of [
    [served, ['dropNote'], '2:1'],
    [made, Object.keys(OPS), '3:14'],
  ] as const) {
    const folder = project(t, document(OPS), { 'src/a.ts': IMPORT + source })
    const report = await run(folder)
    assert.deepEqual(
      report.unread.map((one) => [one.operationIds, at(folder, one.at)]),
      [[operationIds, `src/a.ts:${place}`]],
    )
    assert.deepEqual([report.added, report.strangers, report.files.size], [[], [], 0])
  }
})

test('of several results of one function only one counts: no operation has two handlers by them', async (t) => {
  const source =
    `${IMPORT}export function make(dry: boolean): Partial<Handlers<unknown>> {\n  if (dry) return { listNotes: () => ${reply} }\n` +
    `  return { listNotes: () => ${reply}, getNote: () => ${reply}, dropNote: () => ${reply} }\n}\n`
  const folder = project(t, document(OPS), { 'src/a.ts': source })
  assert.deepEqual((await run(folder)).doubled, [])
})

test('what has no neighbour goes to the object that gathers the others and has handlers of its own', async (t) => {
  const rest = `const rest = { getNote: () => ${reply}, dropNote: () => ${reply} }\nexport const h: Partial<Handlers<unknown>> = {\n  ...rest,\n  ping: () => ${reply},\n`
  const folder = project(t, document({ ...OPS, listNotes: 'GET /all', ping: 'GET /ping' }), {
    'src/a.ts': `${IMPORT}${rest}}\n`,
  })
  await run(folder)
  assert.match(read(folder, 'src/a.ts'), /ping: .*\n {2}\/\*\*[^]*listNotes/u)
})

test('places are those of the names, whatever is quoted in them', async (t) => {
  const folder = project(t, document({ "it's": 'GET /a', 'a"b': 'GET /b', 'c\\d': 'GET /c' }), {
    'src/a.ts': `${IMPORT}export const h: Handlers<unknown> = {\n}\n`,
  })
  assert.deepEqual(
    (await run(folder)).added.map((one) => at(folder, one.at)),
    ['src/a.ts:8:3', 'src/a.ts:15:3', 'src/a.ts:22:3'],
  )
})
