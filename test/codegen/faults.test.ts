// What a document gets wrong costs what it concerns: everything beside it is generated, and
// `--strict` refuses the document.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { formatFinding, lintDocuments, loadInterface } from '../../codegen/index.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import { loadText, put, runCli, tempFolder } from './generator-kit.ts'

const operation = (id: string, more = ''): string =>
  `{ operationId: ${id}, responses: { default: { description: d } }${more} }`

const parameter = (name: string): string =>
  `, parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }]`

const document = (paths: readonly string[], rest = ''): string =>
  `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n${paths.map((one) => `  ${one}\n`).join('')}${rest}`

const ids = ({ ir }: LoadedInterface): readonly string[] =>
  ir.operations.map(({ operationId }) => operationId)

/** Rule, severity and loss of the findings that are more than notes. */
const faults = ({ findings }: LoadedInterface): readonly string[] =>
  findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule, severity, loss = 'nothing' }) => `${rule} ${severity}: ${loss}`)

const OPERATION = 'warning: the operation is left out'
const PATH = 'warning: its operations are left out'
const SCHEMA = 'warning: any value passes here'

const CASES: readonly {
  readonly name: string
  readonly paths: readonly string[]
  readonly rest?: string
  readonly ids: readonly string[]
  readonly faults: readonly string[]
}[] = [
  {
    name: 'paths of one shape whose methods differ are served side by side',
    paths: [
      `/a/{x}: { get: ${operation('a', parameter('x'))} }`,
      `/a/{y}: { delete: ${operation('b', parameter('y'))} }`,
    ],
    ids: ['a', 'b'],
    faults: [],
  },
  {
    name: 'of two operations that the same requests fit the second is left out',
    paths: [
      `/a/{x}: { get: ${operation('a', parameter('x'))} }`,
      `/a/{y}: { get: ${operation('b', parameter('y'))}, put: ${operation('c', parameter('y'))} }`,
    ],
    ids: ['a', 'c'],
    faults: [`same-path ${OPERATION}`],
  },
  {
    name: 'a query, a fragment or a name twice in a path',
    paths: [
      `/a: { get: ${operation('a')} }`,
      `'/a?b=c': { get: ${operation('b')} }`,
      `'/a#c': { get: ${operation('c')} }`,
      `/d/{x}/{x}: { get: ${operation('d', parameter('x'))} }`,
      `e: { get: ${operation('e')} }`,
    ],
    ids: ['a'],
    faults: Array.from({ length: 4 }, () => `bad-path ${PATH}`),
  },
  {
    name: 'references to nothing, in the operation that has them',
    paths: [
      `/a: { get: ${operation('a')} }`,
      `/b: { get: ${operation('b', `, requestBody: { $ref: '#/none' }`)} }`,
      `/c: { parameters: [{ $ref: 'none.yaml' }], get: ${operation('c')} }`,
      `/d: { $ref: 'none.yaml' }`,
    ],
    ids: ['a'],
    faults: [`unresolved-reference ${OPERATION}`, `unreadable ${OPERATION}`, `unreadable ${PATH}`],
  },
  {
    name: 'parameters of the path that are missing cost the operation, others only themselves',
    paths: [
      `/a/{x}: { get: ${operation('a')} }`,
      `/b: { get: ${operation('b', parameter('x'))} }`,
      `/c: { get: ${operation('c', `, parameters: [{ name: x, in: body }]`)} }`,
    ],
    ids: ['b'],
    faults: [
      `undeclared-path-parameter ${OPERATION}`,
      'unknown-path-parameter warning: the parameter is left out',
      `bad-parameter ${OPERATION}`,
    ],
  },
  {
    name: 'what is not an operation, and a status that is none',
    paths: [
      `/a: { get: [], put: { operationId: a, responses: { ok: { description: d }, '200': { description: d } } } }`,
    ],
    ids: ['a'],
    faults: [`bad-operation ${OPERATION}`, 'bad-status warning: the answer is left out'],
  },
  {
    name: 'schemas that are none, and patterns',
    paths: [
      `/a: { get: ${operation('a', ', parameters: [{ name: q, in: query, schema: null }]')} }`,
    ],
    rest:
      'components:\n  schemas:\n    A: { type: object, properties: { a: { $ref: "#/none" } } }\n' +
      '    B: { type: string, pattern: "(" }\n    C: { type: object, allOf: [{ $ref: "#/components/schemas/C" }] }\n',
    ids: ['a'],
    faults: [
      `not-a-schema ${SCHEMA}`,
      `unresolved-reference ${SCHEMA}`,
      'bad-pattern warning: the rule is left out',
      'circular-schema warning: the reference to itself is left out',
    ],
  },
]

for (const one of CASES) {
  test(`faults: ${one.name}`, async (t) => {
    const folder = tempFolder(t)
    const loaded = loadText(folder, document(one.paths, one.rest))
    assert.deepEqual(ids(loaded), one.ids)
    assert.deepEqual(faults(loaded), one.faults)
    const strict = await lintDocuments({
      documents: [{ spec: `${folder}/document.yaml` }],
      engine: false,
    })
    const errors = strict.filter(({ severity }) => severity === 'error')
    assert.equal(errors.length, one.faults.length, errors.map(formatFinding).join('\n'))
  })
}

test('a broken file refuses the document, whatever refers to it', (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'parameter.yaml': 'q: [1\n',
    'schema.yaml': 'S: {type: string}\nS: {type: number}\n',
  })
  const content = `content: { text/plain: { schema: { $ref: 'schema.yaml#/S' } } }`
  const get = `operationId: a, parameters: [{ $ref: 'parameter.yaml#/q' }]`
  const loaded = loadText(
    folder,
    document([`/a: { get: { ${get}, responses: { '200': { description: d, ${content} } } } }`]),
  )
  const errors = loaded.findings.filter(({ severity }) => severity === 'error')
  assert.deepEqual(
    new Set(errors.map(({ rule, at }) => `${rule} ${basename(at.file)}`)),
    new Set(['syntax parameter.yaml', 'duplicate-key schema.yaml']),
  )
})

test('a webhook that refers to a malformed name costs no more than itself', (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'hooks.yaml': `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nwebhooks:\n  a: { post: ${operation('a')} }\n  b: { $ref: '#/components/pathItems/%zz' }\n`,
  })
  const loaded = loadInterface(`${folder}/hooks.yaml`, { webhooks: true })
  assert.deepEqual(ids(loaded), ['a'])
  assert.deepEqual(faults(loaded), [`unresolved-reference ${PATH}`])
})

test('an operation that is a reference is the one that it refers to', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'list.yml': operation('list', parameter('x')) })
  const loaded = loadText(folder, document([`/a/{x}: { get: { $ref: list.yml } }`]))
  assert.deepEqual(faults(loaded), [])
  assert.deepEqual(
    loaded.ir.operations.map(({ operationId, parameters, at }) => [
      operationId,
      parameters.length,
      at.file.endsWith('list.yml'),
    ]),
    [['list', 1, true]],
  )
})

test('children that extend the base which lists them get what it says of itself', (t) => {
  const schemas =
    'components:\n  schemas:\n' +
    '    Pet: { type: object, properties: { kind: { type: string } }, required: [kind], oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }], discriminator: { propertyName: kind } }\n' +
    '    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: object, properties: { meow: { type: boolean } } }] }\n' +
    '    Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }] }\n'
  const loaded = loadText(tempFolder(t), document([], schemas))
  assert.deepEqual(faults(loaded), [])
  const own = { properties: { kind: { type: 'string' } }, required: ['kind'], type: 'object' }
  assert.deepEqual(loaded.ir.schemas['Cat'], {
    allOf: [own, { properties: { meow: { type: 'boolean' } }, type: 'object' }],
  })
  assert.deepEqual(loaded.ir.schemas['Dog'], { allOf: [own] })
})

test('generate writes the rest and says what is missing; --strict writes nothing', async (t) => {
  const folder = tempFolder(t)
  const paths = [`/a: { get: ${operation('a')} }`, `'/a?b=c': { get: ${operation('b')} }`]
  put(folder, { 'api.yaml': document(paths) })
  const flags = ['--spec', 'api.yaml', '--out', 'gen']
  const done = await runCli(folder, 'generate', ...flags)
  assert.equal(done.code, 0, done.stderr)
  assert.match(
    done.stderr,
    /^api\.yaml:5:3: warning: .*: its operations are left out \[bad-path\]$/mu,
  )
  assert.match(done.stdout, /^1 fault\(s\) cost a part of the documents/mu)
  const strict = await runCli(folder, 'check', ...flags, '--strict')
  assert.equal(strict.code, 2)
  assert.match(strict.stderr, /^api\.yaml:5:3: error: /mu)
  assert.equal((await runCli(folder, 'check', ...flags)).code, 0)
})
