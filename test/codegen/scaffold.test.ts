// `scaffold` adds what the document has and hand-written code has not, where it belongs, and says
// what else does not fit.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { check, generate } from '../../codegen/index.ts'
import { contents, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'
import { at, document, IMPORT, PACKAGE, project, read, READING, run } from './scaffold-kit.ts'

const OPS = { listNotes: 'GET /notes', createNote: 'POST /notes', listTags: 'GET /tags' }
const MORE = {
  ...OPS,
  getNote: 'GET /notes/{id}',
  deleteTag: 'DELETE /tags/{id}',
  'get-health': 'GET /health',
}

const reply = (id: string): string => `({ status: 200, body: { id: '${id}' } })`
const skeleton = (id: string, pad = '  '): RegExp =>
  new RegExp(
    `\\n${pad}/\\*\\*\\n${pad} \\* What ${id} does\\. Not written yet\\.\\n${pad} \\* [A-Z]+ \\S+: \\w+Input, \\w+Reply of generated/notes/handlers\\.gen\\.ts\\n` +
      `${pad} \\*/\\n${pad}'?${id}'?: \\(\\) => \\{\\n${pad}${pad}throw new NotWritten\\('${id}'\\)\\n${pad}\\},?\\n`,
    'u',
  )

test('an interface without handlers gets a file with all of them; a second run changes nothing', async (t) => {
  const folder = project(t, document(OPS))
  const report = await run(folder)
  assert.equal(report.status, 'written')
  assert.deepEqual(
    report.added.map(({ operationId }) => operationId),
    ['listNotes', 'createNote', 'listTags'],
  )
  const text = read(folder, 'src/handlers/notes.ts')
  for (const id of Object.keys(OPS)) assert.match(text, skeleton(id))
  assert.match(
    text,
    /import type \{ Handlers \} from '\.\.\/\.\.\/generated\/notes\/handlers\.gen\.ts'\n/u,
  )
  const before = contents(folder)
  assert.equal((await run(folder)).status, 'unchanged')
  assert.deepEqual(contents(folder), before)
})

test('a new operation stands beside its neighbour, whatever else is in the file', async (t) => {
  const notes =
    `${IMPORT}\nexport const notes: Pick<Handlers<unknown>, 'listNotes' | 'createNote'> = {\n` +
    `  listNotes: () => ${reply('a')}, // all of them\n  createNote: () => ${reply('b')},\n}\n`
  const tags = `${IMPORT}\ntype Mine = Partial<Handlers<unknown>>\nexport const tags: Mine = {\n\t// only one\n\tlistTags: () => ${reply('c')}\n}\n`
  const folder = project(t, document(MORE), { 'src/notes.ts': notes, 'src/tags.ts': tags })
  const report = await run(folder)
  assert.deepEqual(
    report.added.map((one) => `${one.operationId} ${at(folder, one.at)}`),
    ['get-health src/notes.ts:11:3', 'getNote src/notes.ts:18:3', 'deleteTag src/tags.ts:12:2'],
  )
  assert.match(
    read(folder, 'src/notes.ts'),
    /^import \{ NotWritten \} from 'ledgerwright\/http'\nimport type/u,
  )
  assert.match(
    read(folder, 'src/notes.ts'),
    /'listNotes' \| 'createNote' \| 'get-health' \| 'getNote'> = \{\n/u,
  )
  assert.match(read(folder, 'src/notes.ts'), / {2}listNotes: .*, \/\/ all of them\n {2}createNote/u)
  assert.match(read(folder, 'src/notes.ts'), skeleton('getNote'))
  assert.match(read(folder, 'src/tags.ts'), /listTags: .*\),\n\t\/\*\*\n/u)
  assert.match(read(folder, 'src/tags.ts'), skeleton('deleteTag', '\t'))
  assert.equal((await run(folder)).status, 'unchanged')
})

test('objects are found by annotation, satisfies, return type, alias, namespace, spread and over files', async (t) => {
  const ops = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'k', 'l', 'm'].map((id) => [id, `GET /${id}`]),
  )
  const folder = project(t, document(ops), {
    'src/types.ts': `${IMPORT}export type All = Handlers<unknown>\nexport type { Handlers as Renamed } from '../generated/notes/handlers.gen.js'\n`,
    'src/a.ts': `import type { All } from './types.js'\nexport const a = { a: () => ${reply('a')} } satisfies Partial<All>\n`,
    'src/b.ts':
      `import type * as gen from '../generated/notes/handlers.gen.ts'\nexport function make(): Pick<gen.Handlers<unknown>, 'b'> {\n` +
      `  if (Math.random() > 2) throw new Error('no')\n  return { b() { return ${reply('b')} } }\n}\n`,
    'src/c.ts':
      `import type { Renamed as R } from './types.ts'\nexport const c = (): Promise<Partial<R<unknown>>> => Promise.resolve({})\n` +
      `export const lazy = async (): Promise<Partial<R<unknown>>> => ({ c: () => ${reply('c')} })\n`,
    'src/loose.ts': `const d = () => ${reply('d')}\nexport const loose = { d, ['e']: () => ${reply('e')} }\nexport const more = () => ({ 'f': d })\n`,
    'src/hub.ts':
      `${IMPORT}import { loose, more } from './loose.ts'\nconst g = { g: loose.d }\nfunction h() { const made = { h: loose.d }; return made }\n` +
      `export const hub: Partial<Handlers<unknown>> = Object.freeze({ ...loose, ...more(), ...(g), ...h(), ...(true ? { i: loose.d } : {}) })\n`,
    'src/class.ts':
      `${IMPORT}export class Served {\n  readonly k: Partial<Handlers<unknown>> = { k: () => ${reply('k')} }\n` +
      `  l(): Partial<Handlers<unknown>> { return { l: () => ${reply('l')} } }\n}\nexport default { m: () => ${reply('m')} } satisfies Partial<Handlers<unknown>>\n`,
    'src/other.test.ts': `${IMPORT}export const double: Partial<Handlers<unknown>> = { zz: () => ${reply('z')} }\n`,
  })
  const report = await run(folder, { write: false })
  assert.deepEqual([report.added, report.strangers], [[], []])
  assert.equal(report.status, 'pending')
  const narrowed = await run(folder, { write: false, handlers: ['src/a.ts', 'src/b.ts'] })
  assert.equal(narrowed.added.length, Object.keys(ops).length - 2)
})

test('keys of a type that lists them on several lines, and a shared alias of keys, take the new one', async (t) => {
  const types = `export type NoteKeys =\n  | 'listNotes'\n  | 'createNote'\n`
  const notes =
    `${IMPORT}import type { NoteKeys } from './keys.ts'\nexport const notes: Pick<Handlers<unknown>, NoteKeys> = {\n` +
    `  listNotes: () => ${reply('a')},\n  createNote: () => ${reply('b')},\n}\n`
  const rest = `${IMPORT}export const rest: Omit<Handlers<unknown>, 'listNotes' | 'createNote'> = { listTags: () => ${reply('c')} }\n`
  const folder = project(t, document({ ...OPS, getNote: 'GET /notes/{id}' }), {
    'src/keys.ts': types,
    'src/notes.ts': notes,
    'src/rest.ts': rest,
  })
  await run(folder)
  assert.equal(read(folder, 'src/keys.ts'), `${types}  | 'getNote'\n`)
  assert.equal(read(folder, 'src/rest.ts'), rest)
})

test('what is gone, is not an operation, has two handlers or other types is listed with its place', async (t) => {
  const source =
    `${IMPORT}export const one: Partial<Handlers<unknown>> = {\n  listNotes: () => ${reply('a')},\n  createNote: () => ${reply('b')},\n` +
    `  listTags: () => ${reply('c')},\n}\nexport const two: Partial<Handlers<unknown>> = { listTags: () => ${reply('d')} }\n`
  const folder = project(t, document(OPS), { 'src/one.ts': source })
  const first = await run(folder)
  assert.deepEqual([first.added, first.orphans, first.retyped], [[], [], []])
  assert.deepEqual(
    first.doubled.map((one) => one.at.map((place) => at(folder, place))),
    [['src/one.ts:5:3', 'src/one.ts:7:50']],
  )
  const limit = {
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64', maximum: 7 } },
    ],
  }
  put(folder, {
    'notes.json': document({
      listNotes: { route: 'GET /notes', more: limit },
      addNote: 'POST /notes',
      listTags: 'GET /labels',
    }),
    'src/one.ts': source.replace('listTags', 'listTgas'),
  })
  const trial = await run(folder, { write: false })
  assert.deepEqual(
    trial.orphans.map((one) => [one.operationId, one.now, at(folder, one.at)]),
    [['createNote', 'addNote', 'src/one.ts:4:3']],
  )
  assert.deepEqual(
    trial.strangers.map((one) => [one.operationId, at(folder, one.at)]),
    [['listTgas', 'src/one.ts:5:3']],
  )
  assert.deepEqual(
    trial.retyped.map((one) => [one.operationId, one.parts, at(folder, one.at)]),
    [['listNotes', ['parameters'], 'src/one.ts:3:3']],
  )
  const second = await run(folder)
  assert.deepEqual(
    second.added.map(({ operationId }) => operationId),
    ['addNote'],
  )
  assert.equal(at(folder, second.orphans[0]?.at), 'src/one.ts:12:3')
  const third = await run(folder)
  assert.deepEqual(
    [third.status, third.retyped, third.orphans.length, third.strangers.length],
    ['unchanged', [], 1, 1],
  )
})

test('texts, limits, paths and access change no types', async (t) => {
  const schemas = {
    Note: {
      type: 'object',
      description: 'was',
      properties: { id: { type: 'string', maxLength: 3 } },
    },
  }
  const other = {
    Note: {
      type: 'object',
      description: 'is',
      properties: { id: { type: 'string', pattern: '^a', description: 'x' } },
    },
  }
  const folder = project(t, document({ listNotes: 'GET /notes' }, schemas))
  await run(folder)
  const more = { summary: 'other', deprecated: true, 'x-access': { token: 'none' }, tags: ['x'] }
  put(folder, { 'notes.json': document({ listNotes: { route: 'GET /all-notes', more } }, other) })
  assert.deepEqual((await run(folder)).retyped, [])
  put(folder, {
    'notes.json': document(
      { listNotes: 'GET /all-notes' },
      { Note: { type: 'object', properties: { id: { type: 'integer' } } } },
    ),
  })
  assert.deepEqual(
    (await run(folder)).retyped.map(({ parts }) => parts),
    [['replies']],
  )
})

test('generate and check leave the lock alone; what somebody else wrote in its place is not overwritten', async (t) => {
  const folder = project(t, document(OPS))
  const options = {
    config: { interfaces: [{ spec: 'notes.json' }], out: 'generated' },
    root: folder,
  }
  await generate(options)
  await run(folder)
  const lock = read(folder, 'generated/handlers.lock.json')
  assert.equal((await check(options)).status, 'clean')
  put(folder, { 'notes.json': document(MORE) })
  assert.equal((await generate(options)).status, 'written')
  assert.equal(read(folder, 'generated/handlers.lock.json'), lock)
  put(folder, { 'generated/handlers.lock.json': '{}' })
  const before = contents(folder)
  assert.equal((await run(folder)).status, 'refused')
  assert.deepEqual(contents(folder), before)
})

test('a file that is no code, or no UTF-8, stops the run before anything is written', async (t) => {
  const folder = project(t, document(MORE), {
    'src/one.ts': `${IMPORT}<<<<<<< ours\nexport const one: Partial<Handlers<unknown>> = {}\n`,
  })
  const report = await run(folder)
  assert.equal(report.status, 'invalid')
  assert.equal(at(folder, report.findings[0]?.at), 'src/one.ts:2:1')
  put(folder, { 'src/one.ts': '' })
  writeFileSync(join(folder, 'src/two.ts'), Buffer.from([0x2f, 0x2f, 0xff, 0x0a]))
  assert.equal((await run(folder)).findings[0]?.rule, 'not-utf8')
  put(folder, { 'notes.json': '{' })
  assert.equal((await run(folder)).status, 'invalid')
})

test('imports: a name more where the package is imported already, another name where this one is taken', async (t) => {
  const object = `export const one: Partial<Handlers<unknown>> = {}\n`
  const first = async (head: string): Promise<string> => {
    const folder = project(t, document({ a: 'GET /a' }), { 'src/one.ts': head + IMPORT + object })
    await run(folder)
    return read(folder, 'src/one.ts')
  }
  assert.match(
    await first(`import { mountInterface } from 'ledgerwright/http'\n`),
    /^import \{ mountInterface, NotWritten \} from/u,
  )
  assert.match(
    await first(`import {\r\n\tb,\r\n\ta,\r\n} from "ledgerwright/http";\r\n`),
    /\ta,\r\n\tNotWritten,\r\n\} from/u,
  )
  assert.match(
    await first(`import * as http from 'ledgerwright/http'\n`),
    /throw new http\.NotWritten\('a'\)/u,
  )
  assert.match(
    await first(`import { NotWritten as Later } from 'ledgerwright/http'\n`),
    /throw new Later\('a'\)/u,
  )
  assert.match(
    await first(`// NotWritten\n`),
    /import \{ NotWritten as NotWrittenYet \}[^]*throw new NotWrittenYet\('a'\)/u,
  )
  assert.match(
    await first(
      `import type { HandlerContext } from 'ledgerwright/http' // types\nimport x from 'x'; x()\n`,
    ),
    /import x from 'x';\nimport \{ NotWritten \} from 'ledgerwright\/http';?\n x\(\)/u,
  )
})

test('skeletons compile under strict settings wherever they are put', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    ...PACKAGE,
    'notes.json': document(MORE),
    'src/notes.ts': `${IMPORT}export const notes: Pick<Handlers<unknown>, 'listNotes'> = { listNotes: () => ${reply('a')} }\n`,
    'src/tags.ts':
      `${IMPORT}type Tags = Pick<\n  Handlers<unknown>,\n  | 'listTags'\n>\nexport function tags(): Tags {\n` +
      `  return {\n    async listTags() { return ${reply('b')} }\n  }\n}\n`,
    'src/hub.ts':
      `${IMPORT}import { notes } from './notes.ts'\nimport { tags } from './tags.ts'\nconst rest = {\n}\n` +
      `export const all: Handlers<unknown> = { ...notes, ...tags(), ...rest, createNote: ({ path }) => ({ status: 200, body: { id: String(path) } }) }\n`,
  })
  await generate({
    config: { interfaces: [{ spec: 'notes.json' }], out: 'generated' },
    root: folder,
  })
  assert.equal((await run(folder)).added.length, 3)
  for (const [name, files] of Object.entries({
    fresh: { 'notes.json': document(MORE) },
    reading: { 'notes.json': READING.spec, 'src/a.ts': READING.source },
  })) {
    const part = join(folder, name)
    put(part, files)
    await generate({
      config: { interfaces: [{ spec: 'notes.json' }], out: 'generated' },
      root: part,
    })
    assert.equal((await run(part)).status, 'written')
  }
  assert.equal(typeCheck(folder), '')
})

test('the command says what it did, and ends with the code that says so', (t) => {
  const folder = project(t, document(MORE), {
    'src/one.ts': `${IMPORT}export const one: Partial<Handlers<unknown>> = {}\n`,
  })
  const call = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [
        join(PROJECT, 'runtime/cli/start.mjs'),
        'scaffold',
        '--spec',
        'notes.json',
        '--out',
        'generated',
        ...args,
      ],
      { cwd: folder, encoding: 'utf8' },
    )
  const checked = call('--check')
  assert.deepEqual([checked.status, read(folder, 'src/one.ts').includes('throw')], [3, false])
  const first = call()
  assert.equal(first.status, 0)
  assert.match(first.stdout, /^src\/one\.ts:8:3: notes\.get-health added$/mu)
  assert.match(call('--check').stdout, /^nothing to do, \d+ ms\n$/u)
  assert.equal(call('--spec', 'none.json').status, 2)
})

test('nothing is amiss in the handlers of this repository', async () => {
  const { config } = await import('../../codegen.config.ts')
  const { scaffold } = await import('../../codegen/scaffold/index.ts')
  const report = await scaffold({ config, root: PROJECT, write: false })
  const places = [
    ...report.added,
    ...report.renamed,
    ...report.orphans,
    ...report.strangers,
    ...report.doubled,
  ]
  assert.deepEqual([places, report.findings], [[], []])
})

test('300 operations, 12 of them new, in ten files: all find their place', async (t) => {
  const verbs = ['GET', 'POST', 'PUT'] as const
  const ids = Array.from({ length: 300 }, (_, index) => `op${index}`)
  const route = (index: number): string =>
    `${verbs[index % 3] ?? 'GET'} /v1/area-${Math.floor(index / 30)}/things-${Math.floor(index / 3)}`
  const isNew = (index: number): boolean => index % 25 === 7
  const file = (area: number): string =>
    `${IMPORT}export const area: Partial<Handlers<unknown>> = {\n${ids
      .filter((_, index) => Math.floor(index / 30) === area && !isNew(index))
      .map(
        (id) =>
          `  // what ${id} answers\n  ${id}: async (input) => {\n    const found = Object.keys(input.query)\n    if (found.length > 3) {\n` +
          `      return ${reply('many')}\n    }\n    return ${reply(id)}\n  },\n`,
      )
      .join('')}}\n`
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, area) => [`src/area${area}.ts`, file(area)]),
  )
  const folder = project(
    t,
    document(Object.fromEntries(ids.map((id, index) => [id, route(index)]))),
    files,
  )
  const report = await run(folder)
  t.diagnostic(`${Math.round(report.milliseconds)} ms in process`)
  const expected = ids.flatMap((id, index) =>
    isNew(index) ? [`${id} src/area${Math.floor(index / 30)}.ts`] : [],
  )
  assert.deepEqual(
    report.added
      .map((one) => `${one.operationId} ${at(folder, one.at).split(':')[0] ?? ''}`)
      .sort(),
    expected.sort(),
  )
  assert.equal((await run(folder)).status, 'unchanged')
})
