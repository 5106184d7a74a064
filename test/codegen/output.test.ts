// What comes out for the features document: it compiles strictly, refuses wrong handlers, decodes
// requests and round-trips int64.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { readFileSync } from 'node:fs'
import type { Issue, RawParameters, WireInterface, WireOperation } from '../../runtime/http/wire.ts'
import { fileFolder, fixture, generateInto, imported, put, typeCheck } from './generator-kit.ts'

const BIG = 9007199254740993n
const out = fileFolder()

before(async () => {
  const report = await generateInto(
    out,
    fixture('features.yaml'),
    fixture('nullable.yaml'),
    fixture('split/root.yaml'),
  )
  assert.equal(report.status, 'written')
})

async function load(file: string): Promise<Record<string, unknown>> {
  const module: unknown = await imported(out, file)
  assert.ok(isFields(module))
  return module
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isWire(value: unknown): value is WireInterface {
  return isFields(value) && Array.isArray(value['operations'])
}

async function wire(): Promise<WireInterface> {
  const { wire: table } = await load('features/routes.gen.ts')
  assert.ok(isWire(table))
  return table
}

async function operation(id: string): Promise<WireOperation> {
  return (await wire()).operations.find(({ operationId }) => operationId === id) ?? assert.fail(id)
}

interface Decoded {
  readonly value: unknown
  readonly issues: readonly string[]
}

async function decode(
  id: string,
  path: readonly string[],
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Decoded> {
  const issues: Issue[] = []
  const raw: RawParameters = { path, query, header: (name) => headers[name.toLowerCase()] }
  const value = (await operation(id)).parameters(raw, issues)
  return { value, issues: issues.map((issue) => `${issue.in} ${issue.pointer} ${issue.keyword}`) }
}

const PART = ['1', 'wheel']
const TRACE = { 'x-trace': 'abc' }

test('everything compiles under the strictest settings, and handlers that depart from the document do not', () => {
  put(out, {
    'good.ts': `import type { Handlers } from './features/handlers.gen.ts'
export const handlers: Pick<Handlers<undefined>, 'getPart' | 'lines' | 'listen' | 'upload' | 'putBlob' | 'addAnimal'> = {
  getPart: ({ path, query }) => query.limit > 3 && query.after > 2n
    ? { status: 200, mediaType: 'application/json', body: { n: path['item-id'], name: null }, headers: { 'X-Hash': 'h', Other: 'x' } }
    : { status: 404, body: { error: path.part } },
  lines: () => ({ status: 200, body: (async function* () { yield { n: 1n } })() }),
  listen: () => ({ status: 200, body: (async function* () { yield { event: 'a', data: { n: 1n } }; yield { n: 2n } })() }),
  upload: ({ body }) => (body.file.size + (body.more?.length ?? 0) > 0 && body.title !== '' ? { status: 204 } : { status: 204 }),
  putBlob: ({ body }) => ({ status: 200, body }),
  addAnimal: ({ body }) => ({ status: 201, body: body?.kind === 'cat' ? body : null }),
}
`,
    'bad.ts': `import type { Handlers } from './features/handlers.gen.ts'
type H = Handlers<undefined>
// @ts-expect-error undeclared status
export const status: H['upload'] = () => ({ status: 200 })
// @ts-expect-error wrong body
export const body: H['echo'] = () => ({ status: 200, body: { path: 1, query: 1n, body: { n: 1n } } })
// @ts-expect-error body of another media type
export const media: H['getPart'] = () => ({ status: 200, mediaType: 'text/plain', body: { n: 1n, name: null }, headers: { 'X-Hash': '' } })
// @ts-expect-error a required header is missing
export const header: H['getPart'] = () => ({ status: 200, mediaType: 'text/plain', body: '', headers: {} })
// @ts-expect-error 404 belongs to 4XX, not to default
export const range: H['getPart'] = () => ({ status: 404, mediaType: 'text/plain', body: '' })
// @ts-expect-error unknown operation
export const unknown: Partial<H> = { getNothing: () => ({ status: 200 }) }
`,
  })
  assert.equal(typeCheck(out), '')
})

test('the table carries access, stability, deprecation, limits, security and body kinds', async () => {
  const table = await wire()
  assert.deepEqual(
    [table.name, table.mount, table.problems, table.checks[0]],
    ['features', '/api/features', 'plain', 'token'],
  )
  const part = await operation('getPart')
  assert.deepEqual(part.access, { token: 'required', anyOf: ['admin', { self: 'path.part' }] })
  assert.deepEqual([part.stability, part.maxBodyBytes], ['stable', 1024])
  assert.deepEqual(part.deprecation, { since: '1.1.0', successor: '/items' })
  assert.deepEqual(part.security, [{ bearer: [], key: ['read'] }, {}])
  assert.deepEqual((await operation('upload')).security, [{ bearer: [] }])
  const media = table.operations.flatMap((one) => [
    ...(one.body?.media ?? []),
    ...one.responses.flatMap((response) => response.media),
  ])
  const kinds = media.map(({ kind }) => kind)
  assert.deepEqual([...new Set(kinds)].toSorted(), [
    'binary',
    'events',
    'form',
    'json',
    'json-lines',
    'multipart',
    'text',
  ])
})

test('parameters decode by style, with defaults and exact int64', async () => {
  const query = `after=${BIG}&deep[a]=3&deep%5Bb%5D=x%26y&tags=a&tags=b+c&ids=1|${BIG}&csv=a%2Cb,c&on=TRUE&sort=up&json=%7B%22n%22%3A${BIG}%7D`
  const { value, issues } = await decode('getPart', PART, query, {
    ...TRACE,
    cookie: 'a=b; session=s1',
  })
  assert.deepEqual(issues, [])
  assert.deepEqual(value, {
    path: { 'item-id': 1n, part: 'wheel' },
    query: {
      after: BIG,
      csv: ['a,b', 'c'],
      deep: { a: 3, b: 'x&y' },
      ids: [1n, BIG],
      json: { n: BIG },
      limit: 10,
      on: true,
      sort: 'up',
      tags: ['a', 'b c'],
    },
    headers: { 'X-Trace': 'abc' },
    cookies: { session: 's1' },
  })
})

test('absent optional parameters are undefined or their default', async () => {
  const { value } = await decode('getPart', PART, '', TRACE)
  assert.ok(isFields(value))
  assert.deepEqual(value['query'], {
    after: 0n,
    csv: undefined,
    deep: undefined,
    ids: undefined,
    json: undefined,
    limit: 10,
    on: undefined,
    sort: undefined,
    tags: undefined,
  })
})

test('every parameter that is wrong is reported, each with its place and keyword', async () => {
  const query =
    'limit=0&after=9223372036854775808&on=yes&sort=side&deep[a]=z&ids=1|x&json={&limit=%'
  const { issues } = await decode('getPart', ['1.5', 'WHEEL'], query, { 'x-trace': 'a' })
  assert.deepEqual(issues.toSorted(), [
    'header X-Trace minLength',
    'path item-id type',
    'path part pattern',
    'query after type',
    'query deep type',
    'query ids type',
    'query json type',
    'query limit multiple',
    'query on type',
    'query sort enum',
  ])
  const broken = await decode('getPart', PART, 'limit=&on=&after=%zz&sort')
  assert.deepEqual(broken.issues.toSorted(), [
    'header X-Trace required',
    'query after syntax',
    'query limit type',
    'query on type',
    'query sort enum',
  ])
})

test('the error literal of a parameter goes with its issue', async () => {
  const issues: Issue[] = []
  const raw: RawParameters = { path: ['1', 'X1'], query: '', header: () => 'abc' }
  const part = await operation('getPart')
  part.parameters(raw, issues)
  assert.deepEqual(
    issues.map(({ error }) => error),
    [{ code: 'BAD_PART' }],
  )
})

test('what the document says of operations and parameters stands at handlers and client', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Told', version: '1' },
    paths: {
      '/a': {
        get: {
          operationId: 'list',
          summary: 'All of them',
          description: 'The newest */ first.\r\n\r\nNever more than ten.',
          deprecated: true,
          parameters: [
            {
              name: 'after',
              in: 'query',
              description: 'The last one.',
              schema: { type: 'string' },
            },
            { name: 'x', in: 'query', schema: { type: 'string' } },
          ],
          responses: { 204: { description: 'd' } },
        },
      },
    },
  }
  put(out, { 'told.json': JSON.stringify(document) })
  await generateInto(join(out, 'told'), join(out, 'told.json'))
  const operation =
    '  /**\n   * All of them\n   *\n   * The newest * / first.\n   *\n   * Never more than ten.\n   *\n   * @deprecated\n   */\n  readonly list: ('
  for (const file of ['handlers', 'client']) {
    const text = readFileSync(join(out, `told/told/${file}.gen.ts`), 'utf8')
    assert.ok(text.includes(operation), file)
    assert.match(text, /\n {4}\/\*\* The last one\. \*\/\n {4}readonly after\?: string/u)
  }
})
