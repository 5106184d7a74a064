// What `x-renamed-from` says is renamed in hand-written code: members, keys, types and what
// handlers read; no text, no comment.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { put } from './generator-kit.ts'
import { at, document, IMPORT, project, read, READING, renamedFrom, run } from './scaffold-kit.ts'
import type { Op } from './scaffold-kit.ts'

const listed: Op = { route: 'GET /notes', more: renamedFrom('getNotes') }
const reply = `({ status: 200, body: { id: 'a' } })`

test('an operation gets its new name in place: member, keys and types, and nothing that is text', async (t) => {
  const folder = project(t, document({ listNotes: listed }), {
    'src/a.ts':
      `import type { GetNotesInput, GetNotesReply as R, Handlers } from '../generated/notes/handlers.gen.ts'\n` +
      `// getNotes GetNotesInput\nexport const text = 'getNotes GetNotesInput'\n` +
      `type Mine = Pick<Handlers<unknown>, 'getNotes'>\nexport type One = Handlers<unknown>['getNotes']\n` +
      `export const read = (input: GetNotesInput): R => { void input; return ${reply} }\n` +
      `export const mine: Mine = {\n    /* getNotes */ getNotes : (input) => read(input) ,\n}\nexport { GetNotesInput }\n`,
    'src/b.test.ts':
      `import type * as gen from '../generated/notes/handlers.gen.ts'\nimport type { GetNotesRequest } from '../generated/notes/client.gen.ts'\n` +
      `const getNotes = 1\nexport const r: gen.GetNotesReply | GetNotesRequest | undefined = undefined\nexport { getNotes }\n` +
      `export type I = import('../generated/notes/handlers.gen.ts').GetNotesInput\nfunction f<GetNotesRequest>(x: GetNotesRequest) { return x }\nexport { f }\n`,
  })
  const report = await run(folder)
  assert.equal(report.status, 'written')
  assert.deepEqual([report.added, report.orphans], [[], []])
  assert.equal(report.renamed.filter(({ kind }) => kind === 'operation').length, 1)
  assert.equal(
    read(folder, 'src/a.ts'),
    `import type { ListNotesInput, ListNotesReply as R, Handlers } from '../generated/notes/handlers.gen.ts'\n` +
      `// getNotes GetNotesInput\nexport const text = 'getNotes GetNotesInput'\n` +
      `type Mine = Pick<Handlers<unknown>, 'listNotes'>\nexport type One = Handlers<unknown>['listNotes']\n` +
      `export const read = (input: ListNotesInput): R => { void input; return ${reply} }\n` +
      `export const mine: Mine = {\n    /* getNotes */ listNotes : (input) => read(input) ,\n}\nexport { ListNotesInput as GetNotesInput }\n`,
  )
  assert.equal(
    read(folder, 'src/b.test.ts'),
    `import type * as gen from '../generated/notes/handlers.gen.ts'\n` +
      `import type { ListNotesRequest } from '../generated/notes/client.gen.ts'\n` +
      `const getNotes = 1\nexport const r: gen.ListNotesReply | ListNotesRequest | undefined = undefined\nexport { getNotes }\n` +
      `export type I = import('../generated/notes/handlers.gen.ts').ListNotesInput\nfunction f<GetNotesRequest>(x: GetNotesRequest) { return x }\nexport { f }\n`,
  )
  assert.equal((await run(folder)).status, 'unchanged')
})

test('shorthand, methods, texts and names that are no identifiers keep their form', async (t) => {
  const folder = project(
    t,
    document({
      'new-a': { route: 'GET /a', more: renamedFrom('oldA') },
      newB: { route: 'GET /b', more: renamedFrom('old-b') },
      newC: { route: 'GET /c', more: renamedFrom('oldC') },
      newD: { route: 'GET /d', more: renamedFrom('oldD') },
    }),
    {
      'src/a.ts': `${IMPORT}const oldA = () => ${reply}\nexport const a: Partial<Handlers<unknown>> = { oldA, "old-b": oldA, async oldC() { return ${reply} },\n  ['oldD']: oldA }\n`,
    },
  )
  await run(folder)
  assert.equal(
    read(folder, 'src/a.ts'),
    `${IMPORT}const oldA = () => ${reply}\nexport const a: Partial<Handlers<unknown>> = ` +
      `{ 'new-a': oldA, "newB": oldA, async newC() { return ${reply} },\n  ['newD']: oldA }\n`,
  )
})

test('a schema gets its new name wherever its type is named', async (t) => {
  const note = { type: 'object', properties: { id: { type: 'string' } } }
  const folder = project(
    t,
    document(
      { listNotes: 'GET /notes' },
      { Memo: { ...note, 'x-renamed-from': 'Note' }, Entry: { ...note, 'x-renamed-from': 'Line' } },
    ),
    {
      'src/a.ts':
        `import type { Note, Line } from '../generated/notes/types.gen.ts'\nimport type * as types from '../generated/notes/types.gen.ts'\n` +
        `type Entry = 1\nexport const f = (note: Note, line: Line): readonly types.Note[] => { void line; return [note] } // Note\nexport type E = Entry\n`,
      'src/barrel.ts': `export type { Note } from '../generated/notes/types.gen.ts'\nexport type Note2 = 'Note'\n`,
    },
  )
  await run(folder)
  assert.equal(
    read(folder, 'src/a.ts'),
    `import type { Memo, Entry as Line } from '../generated/notes/types.gen.ts'\n` +
      `import type * as types from '../generated/notes/types.gen.ts'\ntype Entry = 1\n` +
      `export const f = (note: Memo, line: Line): readonly types.Memo[] => { void line; return [note] } // Note\nexport type E = Entry\n`,
  )
  assert.equal(
    read(folder, 'src/barrel.ts'),
    `export type { Memo as Note } from '../generated/notes/types.gen.ts'\nexport type Note2 = 'Note'\n`,
  )
  assert.equal((await run(folder)).files.size, 0)
})

test('what a handler reads is renamed where it is certain, and told where it is not', async (t) => {
  const folder = project(t, READING.spec, { 'src/a.ts': READING.source })
  const report = await run(folder)
  assert.equal(
    read(folder, 'src/a.ts'),
    `${IMPORT}export const all: Handlers<unknown> = {\n` +
      `  a: (input) => {\n    const { query, body: { filter: f } } = input\n    const text = 'limit' // limit\n` +
      `    const { word: word = text } = f ?? {}\n    return { status: 200, body: { id: \`\${query['page-size']} \${query['page-size']} \${input.headers['X-Trace']} \${word}\` } }\n  },\n` +
      `  b({ query: { 'page-size': limit = 3, ...others }, body, headers }) {\n    const limits = { limit: 1, others }\n` +
      `    return { status: 200, body: { id: String([limit, limits.limit, body?.filter?.word, headers['X-Trace']]) } }\n  },\n` +
      `  c: ({ query }) => ({ status: 200, body: { id: JSON.stringify(query) } }),\n}\n`,
  )
  assert.deepEqual(
    report.unsure.map((one) => `${at(folder, one.at)} ${one.from} ${one.to}`),
    ['src/a.ts:10:32 limit page-size', 'src/a.ts:13:64 limit page-size'],
  )
  const again = await run(folder)
  assert.deepEqual([again.status, again.unsure], ['unchanged', []])
})

test('a former name that is in use again, or still, is not taken from anybody', async (t) => {
  const source = `${IMPORT}export const a: Partial<Handlers<unknown>> = {\n  getNotes: ({ query }) => ({ status: 200, body: { id: String(query.limit) } }),\n  listNotes: () => ${reply},\n}\n`
  const both = {
    parameters: [
      { name: 'limit', in: 'query', schema: {} },
      { name: 'size', in: 'query', schema: {}, ...renamedFrom('limit') },
    ],
  }
  const folder = project(
    t,
    document({ listNotes: listed, getNotes: { route: 'GET /all', more: both } }),
    { 'src/a.ts': source },
  )
  const report = await run(folder)
  assert.deepEqual([report.renamed, read(folder, 'src/a.ts')], [[], source])
  put(folder, { 'notes.json': document({ listNotes: listed }) })
  const gone = await run(folder)
  assert.deepEqual(
    [gone.renamed, gone.orphans.map(({ operationId }) => operationId), read(folder, 'src/a.ts')],
    [[], ['getNotes'], source],
  )
})

test('a reply whose property is renamed is told once, with the handler that writes it', async (t) => {
  const schemas = {
    Note: { type: 'object', properties: { ident: { type: 'string', ...renamedFrom('id') } } },
  }
  const folder = project(t, document({ a: 'GET /a' }, schemas), {
    'src/a.ts': `${IMPORT}export const a: Handlers<unknown> = {\n  a: () => ${reply},\n}\n`,
  })
  const trial = await run(folder, { write: false })
  assert.deepEqual(
    trial.unsure.map((one) => [at(folder, one.at), one.from, one.to]),
    [['src/a.ts:3:3', 'id', 'ident']],
  )
  await run(folder)
  assert.deepEqual((await run(folder)).unsure, [])
  assert.equal(read(folder, join('src', 'a.ts')).includes('ident'), false)
})

test('another name of a schema alone is no change of types; another structure behind it, however far, is', async (t) => {
  const schemas = (name: string, leaf: string): Readonly<Record<string, unknown>> => ({
    Note: { type: 'object', properties: { tree: { $ref: `#/components/schemas/${name}` } } },
    [name]: {
      type: 'object',
      ...(name === 'Tree' ? {} : renamedFrom('Tree')),
      properties: {
        more: { $ref: `#/components/schemas/${name}` },
        leaf: { $ref: '#/components/schemas/Leaf' },
      },
    },
    Leaf: {
      type: 'object',
      properties: { up: { $ref: `#/components/schemas/${name}` }, text: { type: leaf } },
    },
  })
  const folder = project(t, document({ a: 'GET /a' }, schemas('Tree', 'string')))
  await run(folder)
  put(folder, { 'notes.json': document({ a: 'GET /a' }, schemas('Wood', 'string')) })
  assert.deepEqual((await run(folder)).retyped, [])
  put(folder, { 'notes.json': document({ a: 'GET /a' }, schemas('Wood', 'integer')) })
  assert.deepEqual(
    (await run(folder)).retyped.map(({ parts }) => parts),
    [['replies']],
  )
})

test('a handler that the object only names is followed to where it is written, unless it serves another operation too', async (t) => {
  const more = {
    parameters: [
      { name: 'size', in: 'query', schema: { type: 'string' }, ...renamedFrom('limit') },
    ],
  }
  const ops = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((id): [string, Op] => [id, { route: `GET /${id}`, more }]),
  )
  const part = (member: string): string =>
    `({ query }: any) => ({ status: 200, body: { id: String(query.${member}) } })\n`
  const there = (member: string): string =>
    `export function b(input: any) { return { status: 200, body: { id: input.query.${member} } } }\nexport const other = ${part('limit')}`
  const here = (member: string): string =>
    `${IMPORT}import * as there from './there.ts'\nimport { other } from './there.ts'\nconst a = ${part(member)}` +
    `export const h: Handlers<unknown> = {\n  a,\n  b: there.b,\n  c: other,\n  d: there.other,\n  e: bound(a),\n}\n`
  const folder = project(t, document({ ...ops }), {
    'src/a.ts': here('limit'),
    'src/there.ts': there('limit'),
  })
  const report = await run(folder)
  assert.deepEqual(
    [read(folder, 'src/a.ts'), read(folder, 'src/there.ts')],
    [here('size'), there('size')],
  )
  assert.deepEqual(
    report.renamed.map((one) => at(folder, one.at)),
    ['src/a.ts:4:72', 'src/there.ts:1:79'],
  )
  assert.deepEqual(
    report.unsure.map((one) => at(folder, one.at)),
    ['src/a.ts:8:3', 'src/a.ts:9:3', 'src/a.ts:10:3'],
  )
})

test('a renamed property of the items of a body is told, once for each handler', async (t) => {
  const item = { type: 'object', properties: { word: { type: 'string', ...renamedFrom('text') } } }
  const schema = {
    type: 'object',
    properties: { first: { type: 'array', items: item }, second: { type: 'array', items: item } },
  }
  const more = { requestBody: { required: true, content: { 'application/json': { schema } } } }
  const folder = project(t, document({ a: { route: 'PUT /a', more } }), {
    'src/a.ts': `${IMPORT}export const a: Handlers<unknown> = {\n  a: ({ body }) => use(body),\n}\n`,
  })
  assert.deepEqual(
    (await run(folder)).unsure.map((one) => `${at(folder, one.at)} ${one.from} ${one.to}`),
    ['src/a.ts:3:3 text word'],
  )
})
