// Every rule of the comparison fires where it should, says the right thing to each side, and names
// the line.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { diffInterfaces } from '../../codegen/diff/diff-interfaces.ts'
import type { Change } from '../../codegen/diff/change.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import { printRules } from '../../codegen/diff/print-rules.ts'
import { CONTRACT_RULES } from '../../codegen/diff/rules-contracts.ts'
import { PACKAGE_RULES } from '../../codegen/diff/rules-packages.ts'
import { RULES } from '../../codegen/diff/rules.ts'
import { PATH_CASES, SAME_SCHEMAS, SCHEMA_CASES } from './diff-cases.ts'
import { loadText, PROJECT, put, tempFolder } from './generator-kit.ts'

const seen = new Set<string>()

function changes(t: TestContext, before: string, after: string): readonly Change[] {
  const folder = tempFolder(t)
  const [old, now] = [
    loadText(folder, before, 'old/document.yaml'),
    loadText(folder, after, 'new/document.yaml'),
  ]
  const errors = [...old.findings, ...now.findings].filter(({ severity }) => severity === 'error')
  assert.deepEqual(errors, [])
  const found = diffInterfaces(old, now)
  for (const { rule } of found) seen.add(rule)
  return found
}

function levels({ callers, implementers }: Change): string {
  return (callers.charAt(0) + implementers.charAt(0)).toUpperCase()
}

const SCHEMA_LINE = 8

function schemaDocument(schema: string): string {
  return `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /t:
    put: { operationId: send, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } }, responses: {} }
    get: { operationId: receive, responses: { 200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Received' } } } } } }
components: { schemas: {
    Sent: ${schema},
    Received: ${schema},
    Maybe: { type: [string, 'null'], maxLength: 9 }, Short: { type: string, maxLength: 9 },
    Cat: { type: object, properties: { kind: { const: cat } }, required: [kind] },
    Dog: { type: object, properties: { kind: { const: dog } }, required: [kind] } } }
`
}

test('schemas are judged by the way that their values travel, both ways round', (t) => {
  for (const [before, after, there, back = there] of SCHEMA_CASES) {
    for (const [old, now, said] of [
      [before, after, there],
      [after, before, back],
    ] as const) {
      const [rule, request, response] = said.split(' ')
      const found = changes(t, schemaDocument(old), schemaDocument(now))
      for (const { at, place, in: way } of found) {
        const line = place === 'Sent' ? SCHEMA_LINE : SCHEMA_LINE + 1
        assert.deepEqual([at.line, way], [line, way], rule)
      }
      assert.deepEqual(
        found.map((change) => [change.place, change.rule, levels(change)]).sort(),
        [
          ['Received', rule, response],
          ['Sent', rule, request],
        ],
        `${old} -> ${now}`,
      )
    }
  }
})

test('a schema that is written in another way has changed for nobody', (t) => {
  for (const [before, after] of SAME_SCHEMAS) {
    for (const [old, now] of [
      [before, after],
      [after, before],
    ] as const) {
      const found = changes(t, schemaDocument(old), schemaDocument(now))
      assert.deepEqual(
        found
          .filter(({ level }) => level !== 'editorial')
          .map(({ rule, message }) => `${message} [${rule}]`),
        [],
        `${old} -> ${now}`,
      )
    }
  }
})

const PATH_LINE = 5

function pathDocument(item: string): string {
  return `openapi: 3.1.0
info: { title: T, version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: header, name: k }, auth: { type: http, scheme: bearer } } }
paths:
  /t: ${item}
`
}

test('operations, parameters, bodies, responses, security and access are judged for both sides, both ways round', (t) => {
  for (const [before, after, there, back = there] of PATH_CASES) {
    for (const [old, now, said] of [
      [before, after, there],
      [after, before, back],
    ] as const) {
      const found = changes(t, pathDocument(old), pathDocument(now))
      assert.deepEqual(
        found.map((change) => [`${change.rule} ${levels(change)}`, change.at.line]).sort(),
        said
          .split(', ')
          .map((one) => [one, PATH_LINE])
          .sort(),
        `${old} -> ${now}`,
      )
    }
  }
})

test('paths that move, and path parameters under another name', (t) => {
  const at = (path: string, name: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  ${path}: { get: { operationId: op, parameters: [{ name: ${name}, in: path, required: true, schema: {} }], responses: {} } }
`
  const moved = changes(t, at('/a/{id}', 'id'), at('/b/{id}', 'id'))
  assert.deepEqual(
    moved.map((change) => [change.rule, levels(change), change.message]),
    [['operation-path-changed', 'BN', 'op: the path is "/b/{id}", was "/a/{id}"']],
  )
  const renamed = changes(t, at('/a/{id}', 'id'), at('/a/{key}', 'key'))
  assert.deepEqual(
    renamed.map((change) => [change.rule, levels(change), change.pointer]),
    [['path-parameter-renamed', 'EB', '/paths/~1a~1{key}/get/parameters/0/name']],
  )
})

const root = (inside: string): string =>
  `openapi: 3.1.0\n${inside.includes('info:') ? '' : "info: { title: T, version: '1' }\n"}paths: {}\n${inside}\n`

test('documents as a whole', (t) => {
  const cases = [
    ["info: { title: A, version: '1' }", "info: { title: B, version: '1' }", 'title-changed', 'EE'],
    [
      "info: { title: A, version: '1' }",
      "info: { title: A, version: '2' }",
      'version-changed',
      'EE',
    ],
    ['x-interface: { mount: /a }', 'x-interface: { mount: /b }', 'mount-changed', 'BN'],
    ['x-interface: { name: a }', 'x-interface: { name: b }', 'interface-renamed', 'EB'],
    ['x-interface: { checks: [token] }', 'x-interface: { checks: [body] }', 'checks-changed', 'BN'],
    [
      'x-interface: { problems: plain }',
      'x-interface: { problems: ledger }',
      'problems-changed',
      'BN',
    ],
    ['x-a: 1', 'x-a: 2', 'document-extension-changed', 'EE'],
    [
      'components: { securitySchemes: { k: { type: http, scheme: a } } }',
      'components: { securitySchemes: { k: { type: http, scheme: b } } }',
      'security-scheme-changed',
      'BB',
    ],
    [
      'components: { securitySchemes: { k: { type: http } } }',
      'components: { securitySchemes: { k: { type: http, description: a } } }',
      'security-scheme-description-changed',
      'EE',
    ],
    [
      'components: {}',
      'components: { securitySchemes: { k: { type: http } } }',
      'security-scheme-added',
      'AA',
    ],
    [
      'components: { securitySchemes: { k: { type: http } } }',
      'components: {}',
      'security-scheme-removed',
      'BB',
    ],
    ['components: {}', 'components: { schemas: { S: {} } }', 'schema-added', 'NA'],
    ['components: { schemas: { S: {} } }', 'components: {}', 'unused-schema-removed', 'NE'],
    [
      'components: { schemas: { S: {} } }',
      'components: { schemas: { S: { type: string } } }',
      'type-narrowed',
      'EE',
    ],
    [
      'servers: [{ url: https://a/v1 }]',
      'servers: [{ url: https://a/v1 }, { url: https://a/v2/ }]',
      'server-path-added',
      'AN',
    ],
    [
      'servers: [{ url: https://a/v1 }, { url: /v2 }]',
      'servers: [{ url: https://b/v1 }]',
      'server-path-removed',
      'BN',
    ],
    [
      'servers: [{ url: https://a/v1 }]',
      'servers: [{ url: https://b/v1 }]',
      'servers-changed',
      'AN',
    ],
    [
      'components: { schemas: { S: { properties: { if: {} } } } }',
      'components: { schemas: { S: { properties: { if: {} }, if: {} } } }',
      'unchecked-keyword-changed',
      'AA',
    ],
  ] as const
  for (const [before, after, rule, wanted] of cases) {
    assert.deepEqual(
      changes(t, root(before), root(after)).map((change) => [change.rule, levels(change)]),
      [[rule, wanted]],
      rule,
    )
  }
  assert.deepEqual(
    changes(t, root(''), root('').replace('3.1.0', '3.0.3')).map(({ rule }) => rule),
    ['openapi-version-changed'],
  )
})

const use = (schema: string, schemas: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /t: { get: { operationId: op, responses: { 200: { description: ok, content: { application/json: { schema: ${schema} } } } } } } }
components: { schemas: { ${schemas} } }
`
const A = "{ $ref: '#/components/schemas/A' }"
const Z = "{ $ref: '#/components/schemas/Z' }"

test('schemas under another name are the same one where the document says so, and compared where it does not', (t) => {
  const said = changes(
    t,
    use(A, 'A: { type: string }'),
    use(Z, 'Z: { type: string, x-renamed-from: A, maxLength: 3 }'),
  )
  assert.deepEqual(
    said.map((change) => [change.rule, levels(change), change.place]),
    [
      ['schema-renamed', 'EB', 'Z'],
      ['max-length-tightened', 'AB', 'Z'],
      ['schema-extension-changed', 'EE', 'Z'],
    ],
  )
  const unsaid = changes(
    t,
    use(A, 'A: { type: string }'),
    use(Z, 'Z: { type: string, maxLength: 3 }'),
  )
  assert.deepEqual(
    unsaid.map((change) => [change.rule, levels(change), change.place]),
    [
      ['schema-removed', 'EB', 'A'],
      ['schema-added', 'NA', 'Z'],
      ['max-length-tightened', 'AB', 'Z'],
      ['reference-changed', 'EE', 'op'],
    ].sort(
      (a, b) =>
        unsaid.findIndex(({ rule }) => rule === a[0]) -
        unsaid.findIndex(({ rule }) => rule === b[0]),
    ),
  )
})

test('what another file says is placed in that file, also where the document has no components of its own', (t) => {
  const folder = tempFolder(t)
  const load = (name: string, length: number): LoadedInterface => {
    put(folder, {
      [`${name}/shared.yaml`]: `Thing:\n  properties:\n    a: { type: string, maxLength: ${length} }\n`,
    })
    return loadText(
      folder,
      use("{ $ref: 'shared.yaml#/Thing' }", '').replace(/components:.*\n/u, ''),
      `${name}/document.yaml`,
    )
  }
  const [change] = diffInterfaces(load('old', 5), load('new', 4))
  assert.deepEqual(
    [change?.at.file, change?.at.line, change?.was?.file],
    [join(folder, 'new/shared.yaml'), 3, join(folder, 'old/shared.yaml')],
  )
})

test('a tag that leads elsewhere is judged by what stands there', (t) => {
  const document = (first: string, target: string): string =>
    use(
      `{ oneOf: [{ $ref: '#/components/schemas/${first}' }, ${Z}], discriminator: { propertyName: k, mapping: { a: '#/components/schemas/${target}' } } }`,
      `${first}: { type: object, required: [k], properties: { k: { const: a } } }, Z: { type: object, required: [k], properties: { k: { const: z } } }`,
    )
  const renamed = changes(t, document('A', 'A'), document('B', 'B'))
  assert.deepEqual(
    renamed
      .filter(({ callers }) => callers !== 'none' && callers !== 'editorial')
      .map(({ rule }) => rule),
    [],
  )
  const other = changes(t, document('A', 'A'), document('A', 'Z'))
  assert.deepEqual(
    other.map((change) => [change.rule, levels(change), change.place]),
    [
      ['const-changed', 'BB', 'Z'],
      ['discriminator-target-changed', 'EE', 'op'],
    ],
  )
})

test('a schema that one operation leaves and another takes up has changed for neither', (t) => {
  const document = (first: string, second: string, schema: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /t: { get: { operationId: a, responses: { 200: { description: ok, content: { a/b: { schema: ${first} } } } } },
  put: { operationId: b, responses: { 200: { description: ok, content: { a/b: { schema: ${second} } } } } } } }
components: { schemas: { A: ${schema}, Z: { type: string } } }
`
  const found = changes(
    t,
    document(A, Z, '{ type: string }'),
    document(Z, A, '{ type: string, description: other }'),
  )
  const ofA = found.filter(({ place, rule }) => place === 'A' && rule === 'description-changed')
  assert.deepEqual(
    ofA.map(({ operations }) => operations),
    [[{ operationId: 'b', in: 'response' }], []].slice(0, ofA.length),
  )
})

test('a component is reported once, with every operation and way that reaches it', (t) => {
  const document = (length: number): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /t: { get: { operationId: list, responses: { 200: { description: ok, content: { a/b: { schema: { type: array, items: ${A} } } } } } },
  put: { operationId: save, requestBody: { content: { a/b: { schema: ${A} } } }, responses: { 200: { description: ok, content: { a/b: { schema: ${Z} } } } } } } }
components: { schemas: { A: { properties: { z: ${Z}, me: ${A} } }, Z: { type: string, maxLength: ${length} } } }
`
  const [change, ...more] = changes(t, document(9), document(5))
  assert.deepEqual(more, [])
  assert.deepEqual(
    [change?.operations, change?.in, change?.message, change?.at.line, change?.pointer],
    [
      [
        { operationId: 'list', in: 'response' },
        { operationId: 'save', in: 'both' },
      ],
      'both',
      'Z: maxLength is 5, was 9',
      5,
      '/components/schemas/Z/maxLength',
    ],
  )
})

test('every rule has a case', () => {
  const elsewhere = [
    'interface-added',
    'interface-removed',
    ...Object.keys(CONTRACT_RULES),
    ...Object.keys(PACKAGE_RULES),
  ]
  assert.deepEqual(
    Object.keys(RULES).filter((rule) => !seen.has(rule) && !elsewhere.includes(rule)),
    [],
  )
})

test('the page lists the rules as they are', () => {
  assert.ok(
    readFileSync(join(PROJECT, 'docs/diff.md'), 'utf8').includes(printRules()),
    'docs/diff.md: node codegen/diff/print-rules.ts prints the tables',
  )
})
