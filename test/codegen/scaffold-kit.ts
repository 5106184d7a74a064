// Small projects with hand-written handlers in temporary folders, for the tests of `scaffold`.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { scaffold } from '../../codegen/scaffold/index.ts'
import type { ScaffoldReport } from '../../codegen/scaffold/index.ts'
import type { ScaffoldOptions } from '../../codegen/scaffold/index.ts'
import { put, tempFolder } from './generator-kit.ts'

/** An operation of a test document: `GET /notes` by its id; whatever else stands in it. */
export interface Op {
  readonly route: string
  readonly more?: Readonly<Record<string, unknown>>
}

const NOTE = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, text: { type: 'string' } },
}

/**
 * A document of operations by id, as JSON. Each answers 200 with a Note and takes its path's
 * parameters.
 */
export function document(
  operations: Readonly<Record<string, Op | string>>,
  schemas: Readonly<Record<string, unknown>> = { Note: NOTE },
): string {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [operationId, given] of Object.entries(operations)) {
    const { route, more = {} } = typeof given === 'string' ? { route: given } : given
    const [method = '', path = ''] = route.split(' ')
    const own = [...path.matchAll(/\{([^}]+)\}/gu)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const { parameters = [], ...rest } = { parameters: [], ...more }
    const content = {
      'application/json': {
        schema: { $ref: `#/components/schemas/${Object.keys(schemas)[0] ?? 'Note'}` },
      },
    }
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId,
        summary: `What ${operationId} does`,
        parameters: [...own, ...parameters],
        responses: { 200: { description: 'fine', content } },
        ...rest,
      },
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths,
    components: { schemas },
  })
}

/** A folder with `notes.json` and hand-written files. */
export function project(
  t: TestContext,
  spec: string,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = tempFolder(t)
  put(folder, { 'notes.json': spec, ...files })
  return folder
}

/** Runs `scaffold` on such a folder; output in `generated`. */
export function run(folder: string, more: Partial<ScaffoldOptions> = {}): Promise<ScaffoldReport> {
  return scaffold({
    config: { interfaces: [{ spec: 'notes.json' }], out: 'generated' },
    root: folder,
    ...more,
  })
}

/** Text of a file of the folder. */
export function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** `file:line:column`, the file relative to the folder. */
export function at(
  folder: string,
  place: { readonly file: string; readonly line: number; readonly column: number } | undefined,
): string {
  return place === undefined ? '' : `${relative(folder, place.file)}:${place.line}:${place.column}`
}

/** Import of the generated handlers from a file in `src`. */
export const IMPORT = `import type { Handlers } from '../generated/notes/handlers.gen.ts'\n`

/** The package as hand-written files see it, so that the compiler needs none of its sources. */
export const PACKAGE: Readonly<Record<string, string>> = {
  'node_modules/ledgerwright/package.json':
    '{"name":"ledgerwright","type":"module","exports":{"./http":{"types":"./http.d.ts"}}}',
  'node_modules/ledgerwright/http.d.ts': [
    'export declare class NotWritten extends Error { constructor(operationId: string) }',
    'export interface HandlerContext<P> { readonly principal: P | undefined }',
    '',
  ].join('\n'),
}

/** Marks what bears another name than before. */
export const renamedFrom = (from: string): Readonly<Record<string, unknown>> => ({
  'x-renamed-from': from,
})

const search = {
  parameters: [
    { name: 'page-size', in: 'query', schema: { type: 'integer' }, ...renamedFrom('limit') },
    { name: 'X-Trace', in: 'header', schema: { type: 'string' }, ...renamedFrom('X-Request') },
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Query' } } },
  },
}
const SCHEMAS = {
  Note: { type: 'object', properties: { id: { type: 'string' } } },
  Query: {
    type: 'object',
    required: ['filter'],
    properties: { filter: { $ref: '#/components/schemas/Filter' } },
  },
  Filter: { type: 'object', properties: { word: { type: 'string', ...renamedFrom('text') } } },
}

/** Handlers that read renamed parameters and properties in every way there is. */
export const READING = {
  spec: document(
    {
      a: { route: 'POST /a', more: search },
      b: { route: 'POST /b', more: search },
      c: { route: 'POST /c', more: search },
    },
    SCHEMAS,
  ),
  source:
    `${IMPORT}export const all: Handlers<unknown> = {\n` +
    `  a: (input) => {\n    const { query, body: { filter: f } } = input\n    const text = 'limit' // limit\n    const { text: word = text } = f ?? {}\n` +
    `    return { status: 200, body: { id: \`\${query.limit} \${query['limit']} \${input.headers['X-Request']} \${word}\` } }\n  },\n` +
    `  b({ query: { limit = 3, ...others }, body, headers }) {\n    const limits = { limit: 1, others }\n` +
    `    return { status: 200, body: { id: String([limit, limits.limit, body?.filter?.text, headers['X-Request']]) } }\n  },\n` +
    `  c: ({ query }) => ({ status: 200, body: { id: JSON.stringify(query) } }),\n}\n`,
}
