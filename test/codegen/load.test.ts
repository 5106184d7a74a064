// Loading: places, references across files, one form for 3.0 and 3.1, and what is said about bad
// documents.
import assert from 'node:assert/strict'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { formatFinding, loadInterface } from '../../codegen/index.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import { fixture, loadText, put, tempFolder } from './generator-kit.ts'

const rules = (loaded: LoadedInterface): readonly string[] =>
  loaded.findings.map(({ rule, at }) => `${rule}@${at.line}:${at.column}`)

const document = (paths: string, rest = ''): string =>
  `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}\n${rest}`

test('3.0 nullable, enum with null and flagged exclusive bounds take their 2020-12 form', () => {
  const { ir, findings } = loadInterface(fixture('nullable.yaml'))
  assert.deepEqual(findings, [])
  assert.deepEqual(ir.schemas['Old'], {
    properties: {
      count: { examples: [7], format: 'int64', maximum: 9223372036854775807n, type: 'integer' },
      level: { enum: ['low', 'high', null], type: ['string', 'null'] },
      name: { type: ['string', 'null'] },
      other: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/Leaf' }] }, { type: 'null' }] },
      plain: { $ref: '#/components/schemas/Leaf' },
      ratio: { exclusiveMinimum: 0, maximum: 1, type: 'number' },
    },
    required: ['name'],
    type: 'object',
  })
})

test('external references keep the schema’s own name; equal schemas are one, different ones of one name are told apart', () => {
  const { ir, document: resolved, findings, inputs } = loadInterface(fixture('split/root.yaml'))
  assert.deepEqual(Object.keys(ir.schemas), [
    'Back',
    'Id',
    'Node',
    'Problem',
    'Status',
    'Status_other',
  ])
  assert.deepEqual(
    findings.map(({ severity, rule }) => [severity, rule]),
    [['note', 'renamed-schema']],
  )
  assert.equal(inputs.length, 4)
  assert.doesNotMatch(JSON.stringify(resolved), /\.yaml/u)
  const node = ir.operations.find(({ operationId }) => operationId === 'getNode')
  assert.deepEqual(
    node?.parameters.map(({ name, schema }) => [name, schema]),
    [['node-id', { $ref: '#/components/schemas/Id' }]],
  )
  assert.deepEqual(
    node?.responses.map(({ status }) => status),
    ['200', '404'],
  )
  assert.match(node?.at.file ?? '', /paths\/nodes\.yaml$/u)
})

test('properties that are a reference are those that it leads to, across files', (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'api.yaml': document(
      '  {}',
      `components:
  schemas:
    Order: { type: object, required: [id, tag], properties: { $ref: 'parts/shared.yaml#/tagged', id: { type: integer } } }
    Lost: { type: object, properties: { $ref: 'parts/shared.yaml#/nothing' } }
    Round: { type: object, properties: { $ref: 'parts/shared.yaml#/round' } }
`,
    ),
    'parts/shared.yaml': `tagged: { tag: { $ref: 'tag.yaml' } }
round: { next: { type: object, properties: { $ref: '#/round' } } }
`,
    'parts/tag.yaml': `{ type: string, maxLength: 9 }`,
  })
  const { ir, findings } = loadInterface(join(folder, 'api.yaml'))
  assert.deepEqual(ir.schemas['Order'], {
    properties: { id: { type: 'integer' }, tag: { $ref: '#/components/schemas/tag' } },
    required: ['id', 'tag'],
    type: 'object',
  })
  assert.deepEqual(ir.schemas['tag'], { maxLength: 9, type: 'string' })
  assert.deepEqual(
    findings.map(({ rule, at }) => `${rule} ${relative(folder, at.file)}:${at.line}`).sort(),
    [
      'circular-reference parts/shared.yaml:2',
      'referred-properties api.yaml:7',
      'referred-properties api.yaml:8',
      'referred-properties api.yaml:9',
      'unresolved-reference api.yaml:8',
    ],
  )
})

test('an operation keeps every media type, header, security group and extension', () => {
  const { ir } = loadInterface(fixture('features.yaml'))
  const part = ir.operations.find(({ operationId }) => operationId === 'getPart')
  assert.deepEqual(
    part?.parameters.map(
      (parameter) => `${parameter.in} ${parameter.name} ${parameter.style} ${parameter.explode}`,
    ),
    [
      'path item-id simple false',
      'path part simple false',
      'query after form true',
      'query csv form false',
      'query deep deepObject true',
      'query ids pipeDelimited false',
      'query json form true',
      'query limit form true',
      'query on form true',
      'query sort form true',
      'query tags form true',
      'header X-Trace simple false',
      'cookie session form true',
    ],
  )
  assert.deepEqual(part?.security, [{ bearer: [], key: ['read'] }, {}])
  const responses = part?.responses.map(({ status, media, headers }) => {
    return [status, media.map((one) => one.mediaType), headers.map((one) => one.name)]
  })
  assert.deepEqual(responses, [
    ['200', ['application/json', 'text/plain'], ['X-Free', 'X-Hash']],
    ['4XX', ['application/json'], []],
    ['default', ['text/plain'], []],
  ])
  assert.equal(part?.extensions['x-stability'], 'stable')
})

test('missing and repeated operation ids are made from method and path, with a note', (t) => {
  const loaded = loadText(
    tempFolder(t),
    document(
      '  /a-b/{c}:\n    get: { parameters: [{ name: c, in: path, required: true, schema: {} }], responses: { default: {} } }\n' +
        '  /x: { get: { operationId: same, responses: { default: {} } }, put: { operationId: same, responses: { default: {} } } }',
    ),
  )
  assert.deepEqual(
    loaded.ir.operations.map(({ operationId }) => operationId),
    ['getABC', 'same', 'putX'],
  )
  assert.deepEqual(rules(loaded), ['missing-operation-id@5:5', 'duplicate-operation-id@6:65'])
})

test('an undeclared path parameter is said with file, line and column', (t) => {
  const loaded = loadText(
    tempFolder(t),
    document('  /a/{b}:\n    get: { operationId: a, responses: {} }'),
  )
  assert.match(
    formatFinding(loaded.findings[0] ?? assert.fail()),
    /document\.yaml:5:5: warning: path parameter 'b' of \/a\/\{b\} is not declared/u,
  )
})

test('duplicate keys, broken syntax and wrong versions are refused with a place', (t) => {
  const folder = tempFolder(t)
  assert.deepEqual(rules(loadText(folder, 'openapi: 3.1.0\ninfo: {}\npaths: {}\ninfo: {}\n')), [
    'duplicate-key@4:1',
  ])
  assert.deepEqual(
    rules(loadText(folder, '{"openapi":"3.1.0",\n "info":{"a":1,\n  "a":2},"paths":{}}', 'd.json')),
    ['duplicate-key@3:3'],
  )
  assert.equal(loadText(folder, 'openapi: 3.1.0\npaths: [\n').findings[0]?.rule, 'syntax')
  assert.deepEqual(rules(loadText(folder, 'openapi: 2.0.0\npaths: {}')), ['openapi-version@1:1'])
  assert.match(
    loadInterface(`${folder}/nowhere.yaml`).findings[0]?.message ?? '',
    /cannot be read/u,
  )
})

test('references that lead nowhere, in a circle or over the network are errors where they stand', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'loop.yaml': 'a: { $ref: "#/b" }\nb: { $ref: "#/a" }\n' })
  const schemas =
    'components:\n  schemas:\n    A: { $ref: "#/components/schemas/None" }\n    B: { $ref: "https://example.org/x.yaml#/B" }\n' +
    '    C: { properties: { c: { $ref: "absent.yaml#/C" } } }\n'
  const loaded = loadText(
    folder,
    document(
      '  /a: { get: { operationId: a, responses: { 200: { $ref: "loop.yaml#/a" } } } }',
      schemas,
    ),
  )
  assert.deepEqual(rules(loaded).toSorted(), [
    'circular-reference@4:45',
    'remote-reference@8:5',
    'unreadable@9:24',
    'unresolved-reference@7:5',
  ])
})

test('a document from elsewhere reaches no device, nothing of the kernel, no absolute path', (t) => {
  const folder = tempFolder(t)
  const secret = join(folder, 'secret.yaml')
  // What the kernel makes while one reads has no size, as an empty file has none.
  put(folder, { 'secret.yaml': 'type: string\n', 'empty.yaml': '' })
  const zero = relative(folder, '/dev/zero')
  const schemas =
    `components:\n  schemas:\n    A: { $ref: "${secret}" }\n` +
    `    B: { properties: { b: { $ref: "${zero}" } } }\n` +
    `    C: { properties: { c: { $ref: empty.yaml } } }\n` +
    `    D: { properties: { d: { $ref: "no\\0file" } } }\n`
  assert.deepEqual(rules(loadText(folder, document('  {}', schemas))).toSorted(), [
    'remote-reference@7:5',
    'unreadable@10:24',
    'unreadable@8:24',
    'unreadable@9:24',
  ])
})

test('unknown keywords are warnings; webhooks and callbacks are noted as ignored', (t) => {
  const loaded = loadText(
    tempFolder(t),
    document(
      '  /a: { get: { operationId: a, callbacks: {}, wrong: 1, responses: { default: {} } } }',
      'webhooks: {}\ncomponents:\n  schemas:\n    A: { type: string, minLenght: 2 }\n',
    ),
  )
  assert.deepEqual(loaded.findings.map(({ severity, rule }) => `${severity} ${rule}`).toSorted(), [
    'note ignored-callbacks',
    'note ignored-webhooks',
    'warning unknown-keyword',
    'warning unknown-keyword',
  ])
})

test('keys named like members of Object stay data', (t) => {
  const { ir } = loadText(
    tempFolder(t),
    document(
      '  {}',
      'components:\n  schemas:\n    constructor: { type: object, properties: { __proto__: { type: string }, toString: { type: integer } } }\n',
    ),
  )
  assert.deepEqual(Object.keys(ir.schemas), ['constructor'])
  const schema = ir.schemas['constructor']
  assert.deepEqual(typeof schema === 'object' ? Object.keys(schema.properties ?? {}) : [], [
    '__proto__',
    'toString',
  ])
})

test('schemas that define nothing but themselves and patterns that do not compile are errors', (t) => {
  const loaded = loadText(
    tempFolder(t),
    document(
      '  {}',
      'components:\n  schemas:\n    A: { allOf: [{ $ref: "#/components/schemas/B" }] }\n' +
        '    B: { $ref: "#/components/schemas/A" }\n    C: { type: string, pattern: "(" }\n    D: { properties: { d: { $ref: "#/components/schemas/D" } } }\n',
    ),
  )
  assert.deepEqual(rules(loaded), [
    'circular-schema@7:5',
    'circular-schema@8:5',
    'bad-pattern@9:24',
  ])
})

test('what 3.0 ignores beside a reference is said, unless it is a text', (t) => {
  const schemas =
    'components:\n  schemas:\n    A: { type: string }\n    B: { $ref: "#/components/schemas/A", nullable: true, description: x }\n'
  const loaded = loadText(tempFolder(t), document('  {}', schemas).replace('3.1.0', '3.0.3'))
  assert.deepEqual(rules(loaded), ['ignored-keyword@8:42'])
})
