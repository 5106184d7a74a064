// Errors of a new project look as its document declares them, whatever that is: the presenter that
// `ledgerwright init` puts in place.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { documentedPresenter } from '../../runtime/http/index.ts'
import type { Issue, Problem, WireInterface } from '../../runtime/http/index.ts'
import { generateInto, imported, put, tempFolder } from './generator-kit.ts'

const PROBLEMS: readonly Problem[] = [
  {
    kind: 'invalid',
    phase: 'body',
    issues: [{ in: 'body', pointer: '/a', keyword: 'required', message: 'is required' }],
  },
  { kind: 'media-type', got: 'text/csv', accepted: ['application/json'] },
  { kind: 'unauthenticated', reason: 'no token' },
  { kind: 'timeout', limitMs: 5 },
  { kind: 'not-written', reason: 'x' },
  { kind: 'internal', error: new Error('secret') },
]
const SENTENCE = 'body /a: is required'

interface Form {
  readonly what: string
  readonly status?: string
  readonly mediaType?: string
  /** Undefined: a response without a body. */
  readonly schema?: string
  /** Body of the answer to an invalid request. */
  readonly body: unknown
}

const FORMS: readonly Form[] = [
  {
    what: 'a message',
    schema: '{ type: object, required: [message], properties: { message: { type: string } } }',
    body: { message: SENTENCE },
  },
  {
    what: 'a status and a code of a list',
    status: '422',
    schema:
      '{ type: object, required: [status, code], properties: { status: { type: integer }, code: { enum: [BAD, WORSE] }, detail: { type: string } } }',
    body: { status: 422, code: 'BAD', detail: SENTENCE },
  },
  {
    what: 'problem details',
    status: '4XX',
    mediaType: 'application/problem+json',
    schema:
      '{ type: object, required: [type], properties: { type: { type: string, format: uri }, title: { type: string, maxLength: 4 }, status: { type: integer } } }',
    body: { type: 'about:blank', title: SENTENCE.slice(0, 4), status: 400 },
  },
  {
    what: 'a list of errors',
    status: 'default',
    schema:
      '{ type: object, required: [errors], properties: { errors: { type: array, minItems: 1, items: { $ref: "#/components/schemas/One" } } } }',
    body: { errors: [{ field: 'xxx', message: SENTENCE }] },
  },
  {
    what: 'the branch that can be made',
    schema:
      '{ oneOf: [{ type: object, required: [a], properties: { a: { type: string, pattern: "^q{9}$" } } }, { type: object, required: [error], properties: { error: { type: string } } }] }',
    body: { error: SENTENCE },
  },
  {
    what: 'parts',
    schema:
      '{ allOf: [{ $ref: "#/components/schemas/One" }, { type: object, required: [n], properties: { n: { type: integer, minimum: 7 } } }] }',
    body: { message: SENTENCE, field: 'xxx', n: 7 },
  },
  {
    what: 'forms that only an optional member tells apart',
    schema:
      '{ oneOf: [{ $ref: "#/components/schemas/Detailed" }, { $ref: "#/components/schemas/Simple" }] }',
    body: { message: SENTENCE, errors: [SENTENCE] },
  },
  { what: 'a text', mediaType: 'text/plain', schema: '{ type: string }', body: SENTENCE },
  {
    what: 'a JSON text',
    schema: '{ type: string, minLength: 30 }',
    body: SENTENCE.padEnd(30, '.'),
  },
  { what: 'anything', schema: '{}', body: { error: SENTENCE } },
  {
    what: 'an example where nothing else is known',
    schema: '{ type: string, pattern: "^E[0-9]{4}$", example: E1234 }',
    body: 'E1234',
  },
  { what: 'no body', body: undefined },
]

function documentOf(forms: readonly Form[]): string {
  const operations = forms.map(
    ({ status = '400', mediaType = 'application/json', schema }, index) => {
      const content =
        schema === undefined ? '' : `, content: { ${mediaType}: { schema: ${schema} } }`
      return `  /f${index}: { get: { operationId: f${index}, responses: { '200': { description: ok }, '${status}': { description: no${content} } } } }`
    },
  )
  return [
    'openapi: 3.1.0',
    "info: { title: Forms, version: '1' }",
    'paths:',
    ...operations,
    'components: { schemas: {',
    '  One: { type: object, required: [field, message], properties: { field: { type: string, minLength: 3 }, message: { type: string } } },',
    '  Detailed: { type: object, required: [message], properties: { message: { type: string },',
    '    errors: { type: array, items: { type: object, required: [code], properties: { code: { type: string, pattern: "^E" } } } } } },',
    '  Simple: { type: object, required: [message], properties: { message: { type: string }, errors: { type: array, items: { type: string } } } } } }',
    '',
  ].join('\n')
}

async function served(
  folder: string,
): Promise<{ readonly wire: WireInterface; readonly document: unknown }> {
  const out = join(folder, 'out')
  put(folder, { 'forms.yaml': documentOf(FORMS) })
  await generateInto(out, join(folder, 'forms.yaml'))
  const { wire }: { wire: WireInterface } = await imported(out, 'forms/routes.gen.ts')
  return { wire, document: JSON.parse(readFileSync(join(out, 'forms/openapi.json'), 'utf8')) }
}

test('what is wrong with a request is told in the form that each operation declares', async (t) => {
  const { wire, document } = await served(tempFolder(t))
  const presenter = documentedPresenter(document)
  for (const [
    index,
    { what, status = '400', mediaType = 'application/json', body },
  ] of FORMS.entries()) {
    const operation = wire.operations.find(({ operationId }) => operationId === `f${index}`)
    assert.ok(operation !== undefined)
    const context = { operation, traceId: '0' }
    const presented = PROBLEMS.map((problem) => presenter.present(problem, context))
    assert.deepEqual(presented[0]?.body, body, what)
    assert.equal(presented[0]?.status, /^\d+$/.test(status) ? Number(status) : 400, what)
    if (body !== undefined) assert.equal(presented[0]?.mediaType, mediaType, what)
    for (const one of presented) {
      const declared = operation.responses.find(
        (response) => response.status === String(one.status),
      )
      const issues: Issue[] = []
      declared?.media[0]?.check?.(one.body, issues)
      assert.deepEqual(issues, [], `${what}: ${one.status}`)
      assert.doesNotMatch(JSON.stringify(one), /secret/)
    }
  }
})

test('where nothing fitting is declared, and outside of operations, the plain form answers', async (t) => {
  const { wire, document } = await served(tempFolder(t))
  const presenter = documentedPresenter(document)
  const [operation] = wire.operations
  assert.ok(operation !== undefined)
  assert.deepEqual(
    presenter.present({ kind: 'not-written', reason: 'x' }, { operation, traceId: '0' }).status,
    501,
  )
  assert.deepEqual(presenter.present({ kind: 'unknown-path' }, { traceId: '0' }).status, 404)
  const unauthenticated = presenter.present(
    { kind: 'unauthenticated', reason: 'x' },
    { operation, traceId: '0' },
  )
  assert.deepEqual(
    [unauthenticated.status, unauthenticated.headers],
    [401, { 'WWW-Authenticate': 'Bearer' }],
  )
})

const SHARED = `openapi: 3.1.0
info: { title: Shared, version: '1' }
x-interface: { errors: { '503': { $ref: '#/components/responses/Busy' } } }
paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok }, '400': { $ref: '#/components/responses/Bad' } } } }
components:
  responses:
    Bad: { description: bad, content: { application/json: { schema: { $ref: '#/components/schemas/Oops' } } } }
    Busy: { description: busy, content: { application/json: { schema: { $ref: '#/components/schemas/Oops' } } } }
  schemas: { Oops: { type: object, required: [oops], properties: { oops: { const: true }, detail: { type: string } } } }
`

test('errors that stand once for several operations, or for the interface, have their form too', async (t) => {
  const folder = tempFolder(t)
  const out = join(folder, 'out')
  put(folder, { 'shared.yaml': SHARED })
  await generateInto(out, join(folder, 'shared.yaml'))
  const { wire }: { wire: WireInterface } = await imported(out, 'shared/routes.gen.ts')
  const presenter = documentedPresenter(
    JSON.parse(readFileSync(join(out, 'shared/openapi.json'), 'utf8')),
  )
  const [operation] = wire.operations
  assert.ok(operation !== undefined)
  const told = PROBLEMS.map((problem) =>
    presenter.present(problem, { operation, traceId: '0' }),
  ).map(({ status, body }) => [status, body])
  assert.deepEqual(told[0], [400, { oops: true, detail: SENTENCE }])
  assert.deepEqual(told[3]?.[0], 503)
  assert.equal(Reflect.get(Object(told[3]?.[1]), 'oops'), true)
})
