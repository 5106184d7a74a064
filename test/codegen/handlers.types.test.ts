// What must not compile: a handler that answers what its document does not declare. The compiler is
// the judge: each file has one fault, and the same file without it compiles.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixture, generateInto, put, tempFolder, typeCheck } from './generator-kit.ts'

const handler = (reply: string): string => `
import type { Handlers } from './features/handlers.gen.ts'

export const handlers = {
  echo: ({ path, query, body }) => (${reply}),
} satisfies Partial<Handlers<unknown>>
`
const GOOD = '{ status: 200, body: { path: path.n, query: query.q, body } }'

/** Fault by name: what the handler answers, and what the compiler has to complain about. */
const FAULTS: Readonly<Record<string, string>> = {
  'an undeclared status': '{ status: 201, body: { path: path.n, query: query.q, body } }',
  'a body without a required member': '{ status: 200, body: { path: path.n, body } }',
  'a body with a member of the wrong type':
    "{ status: 200, body: { path: 'text', query: query.q, body } }",
  'a number where an int64 belongs': '{ status: 200, body: { path: 1, query: query.q, body } }',
  'no body where one is declared': '{ status: 200 }',
  'a media type that is not declared': "{ status: 200, mediaType: 'text/plain', body: 'text' }",
}

test('a handler that answers as declared compiles; every fault does not', (t) => {
  t.diagnostic('one compiler run')
  const folder = tempFolder(t)
  return generateInto(folder, fixture('features.yaml')).then(() => {
    const names = Object.keys(FAULTS)
    put(folder, {
      'good.ts': handler(GOOD),
      ...Object.fromEntries(
        names.map((name, index) => [`fault-${index}.ts`, handler(FAULTS[name] ?? '')]),
      ),
      'unknown-operation.ts': handler(GOOD).replace('echo:', 'ecco:'),
    })
    const messages = typeCheck(folder)
    names.forEach((name, index) =>
      assert.match(messages, new RegExp(`fault-${index}\\.ts\\(\\d+`), `${name} must not compile`),
    )
    assert.match(
      messages,
      /unknown-operation\.ts\(\d+/,
      'an operation that the document does not have must not compile',
    )
    assert.doesNotMatch(messages, /good\.ts/, 'what fits must compile')
  })
})
