// Names in a document are data: whatever they are, what is generated links, type-checks strictly
// and runs. The names are those of the generated code itself, of the language and of its library,
// and such as are told apart by one sign only.
import assert from 'node:assert/strict'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { generate } from '../../codegen/index.ts'
import { reactQueryHooks } from '../../codegen/hooks/react-query.ts'
import { contents, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'

const KEYWORDS =
  'any as async await bigint boolean break case catch class const constructor continue debugger ' +
  'declare default delete do else enum export extends false finally for from function get if ' +
  'implements import in infer instanceof interface is keyof let module namespace never new null ' +
  'number object of package private protected public readonly require return satisfies set static ' +
  'string super switch symbol this throw true try type typeof undefined unique unknown using var ' +
  'void while with yield eval arguments globalThis Array Date Error Map Object Promise Record ' +
  'RegExp Set String Symbol hasOwnProperty __proto__ toString valueOf prototype then'
const UNICODE = ['größe', 'GRÖSSE', 'ĸind', 'имя', '名前', 'ªa', 'a.b', 'a-b', 'a_b', 'a b', 'a˫b']
const AWKWARD = ['a$2eb', '1', "'", '*/', '${x}', '\u2028', "x) want(e, '", 'types.x', 'record(']
const OWN = [
  'check_run_id',
  'lift_x',
  'check_A',
  'lift_A',
  'Kind',
  'FastCheck',
  'A',
  'Text',
  'Union1',
]
/** Component names may have these signs only. OpenAPI 3.1 §4.8.7 */
const COMPONENT = /^[\w.-]+$/u

function schemasOf(names: readonly string[]): object {
  const types = [
    { type: 'integer', format: 'int64' },
    { type: 'string', default: 'x' },
    { type: 'number', format: 'decimal' },
    { type: 'array', items: { type: 'boolean' } },
  ]
  const properties = (start: number): object =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        names[(start * 5 + index) % names.length] ?? '',
        types[index % types.length],
      ]),
    )
  return Object.fromEntries(
    names
      .filter((name) => COMPONENT.test(name))
      .map((name, index) => [
        name,
        { type: 'object', properties: properties(index), required: Object.keys(properties(index)) },
      ]),
  )
}

function operationsOf(names: readonly string[], components: readonly string[]): object {
  return Object.fromEntries(
    names.map((name, index) => {
      const schema = { $ref: `#/components/schemas/${components[index % components.length] ?? ''}` }
      const content = { 'application/json': { schema } }
      const body = {
        type: 'object',
        properties: { [name]: { enum: [name] }, [`${name}_`]: schema },
        required: [name],
      }
      const operation = {
        operationId: name,
        summary: name,
        parameters: [
          { name, in: 'query', schema: { type: 'string', enum: [name] } },
          { name: `i${index}`, in: 'path', required: true, schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 200: { description: name, content }, 404: { description: name } },
      }
      return [`/o${index}/{i${index}}`, { post: operation }]
    }),
  )
}

function documentOf(names: readonly string[]): string {
  const schemas = schemasOf(names)
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: names.join(' '), version: '1' },
    paths: operationsOf(names, Object.keys(schemas)),
    components: { schemas },
  })
}

async function generated(folder: string, names: readonly string[]): Promise<string> {
  const out = join(folder, 'generated')
  put(folder, { 'names.json': documentOf(names) })
  const config = {
    interfaces: [{ spec: 'names.json' }],
    out: 'generated',
    plugins: [reactQueryHooks({ interfaces: ['names'] })],
  }
  const { status, findings } = await generate({ config, root: folder })
  assert.equal(status, 'written', JSON.stringify(findings.slice(0, 3)))
  return out
}

/** All words in the modules of an interface, those that the document itself brought too. */
async function ownWords(t: TestContext): Promise<readonly string[]> {
  const out = await generated(tempFolder(t), ['A', 'B'])
  const code = Object.entries(contents(out))
    .filter(([file]) => /^names\/.*\.ts$/u.test(file))
    .map(([, text]) => text)
  return [...new Set(code.join('\n').match(/[A-Za-z_$][\w$]*/gu))]
}

async function imported(out: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  const file = pathToFileURL(join(out, `names/${name}.gen.ts`)).href
  const module: unknown = await import(file)
  assert.ok(typeof module === 'object' && module !== null)
  return { ...module }
}

type Maker = (fastCheck: typeof fc) => {
  readonly schemas: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly operations: Readonly<Record<string, { readonly valid: fc.Arbitrary<unknown> }>>
}

function isMaker(value: unknown): value is Maker {
  return typeof value === 'function'
}

/** Imports all modules but the hooks, whose library is a page's, and draws values of each kind. */
async function run(out: string): Promise<number> {
  for (const name of ['types', 'handlers', 'routes', 'client', 'validators']) {
    await imported(out, name)
  }
  const { arbitraries } = await imported(out, 'arbitraries')
  assert.ok(isMaker(arbitraries))
  const { schemas, operations } = arbitraries(fc)
  for (const kind of Object.values(schemas)) fc.sample(kind, { numRuns: 1, seed: 1 })
  for (const { valid } of Object.values(operations)) fc.sample(valid, { numRuns: 1, seed: 1 })
  return Object.keys(schemas).length + Object.keys(operations).length
}

test('no name of a document collides with one of the generated code', async (t) => {
  const own = await ownWords(t)
  const names = [...new Set([...own, ...OWN, ...KEYWORDS.split(' '), ...UNICODE, ...AWKWARD])]
  const folder = tempFolder(t)
  const out = await generated(folder, names)

  assert.ok((await run(out)) > 500)
  rmSync(join(out, 'names/hooks.gen.ts'))
  rmSync(join(out, 'react-query.gen.ts'))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  assert.equal(typeCheck(folder), '')
})
