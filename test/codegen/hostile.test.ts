// A document is data: whatever stands in its names and texts, the output is the same harmless code,
// or there is an error with a place.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatFinding } from '../../codegen/index.ts'
import {
  generateInto,
  imported,
  loadText,
  PROJECT,
  put,
  runCli,
  tempFolder,
  typeCheck,
} from './generator-kit.ts'

/** Closes comments, texts, templates and blocks; would set a global when it ran. */
const EVIL = `*/'"\`\${globalThis.ran=1};}]);globalThis.ran=1;//\n\u2028globalThis.ran=1/*`
const PLAIN_EVIL = EVIL.replaceAll(/[\n\u2028]/gu, ' ')

const document = {
  openapi: '3.1.0',
  info: { title: EVIL, version: EVIL },
  'x-interface': { name: 'hostile', mount: EVIL, problems: EVIL },
  paths: {
    [`/a/${PLAIN_EVIL.replaceAll(/[{}/]/gu, '')}/{x}`]: {
      post: {
        operationId: EVIL,
        summary: EVIL,
        description: EVIL,
        security: [{ [EVIL]: [EVIL] }],
        'x-access': { [EVIL]: EVIL },
        'x-stability': EVIL,
        'x-versions': { deprecated: EVIL, sunset: EVIL },
        parameters: [
          {
            name: 'x',
            in: 'path',
            required: true,
            description: EVIL,
            schema: {
              type: 'string',
              pattern: `^${PLAIN_EVIL.replaceAll(/[^a-z']/gu, '')}`,
              'x-error': EVIL,
            },
          },
          {
            name: PLAIN_EVIL,
            in: 'query',
            schema: { type: 'string', enum: [EVIL], default: EVIL },
          },
          {
            name: '__proto__',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { [EVIL]: { type: 'integer' } } },
          },
        ],
        requestBody: {
          content: {
            [`application/json;x=${PLAIN_EVIL}`]: { schema: { $ref: '#/components/schemas/Evil' } },
          },
        },
        responses: {
          '200': {
            description: EVIL,
            headers: { [PLAIN_EVIL]: { required: true, schema: {} } },
            content: { [`text/${PLAIN_EVIL}`]: { schema: { const: EVIL } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { [EVIL]: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Evil: {
        type: 'object',
        description: EVIL,
        title: EVIL,
        required: [EVIL, 'constructor'],
        properties: {
          [EVIL]: { type: 'string', description: EVIL, default: EVIL },
          constructor: { const: EVIL },
          toString: { enum: [EVIL, 1] },
        },
      },
      [PLAIN_EVIL.replaceAll(/[/~]/gu, '')]: {
        type: 'array',
        items: { $ref: '#/components/schemas/Array' },
      },
      Array: { type: 'integer' },
      Promise: { type: 'object' },
      'a-b': { type: 'string' },
      a_b: { type: 'integer' },
      AB: { type: 'boolean' },
      '1x': { type: 'null' },
    },
  },
}

test('names and texts of a document never become code', async (t) => {
  const out = tempFolder(t)
  put(out, { 'hostile.json': JSON.stringify(document) })
  const report = await generateInto(out, join(out, 'hostile.json'))
  assert.deepEqual(
    report.findings.map(({ message }) => message),
    [],
  )
  assert.equal(typeCheck(out), '')
  for (const file of ['routes', 'client', 'validators', 'handlers', 'types'])
    await imported(out, `hostile/${file}.gen.ts`)
  assert.equal(Reflect.get(globalThis, 'ran'), undefined)
})

test('statuses that are none, and interface names that leave the folder, are errors', async (t) => {
  const folder = tempFolder(t)
  const status = loadText(
    folder,
    `openapi: 3.1.0\npaths:\n  /a: { get: { operationId: a, responses: { "2'00": { description: x } } } }\n`,
  )
  assert.deepEqual(
    status.findings.map(({ rule, at }) => `${rule}@${at.line}`),
    ['bad-status@3'],
  )
  put(folder, { 'up.yaml': `openapi: 3.1.0\nx-interface: { name: ../up }\npaths: {}\n` })
  const report = await generateInto(join(folder, 'out'), join(folder, 'up.yaml'))
  assert.deepEqual(
    [report.status, report.findings.map(({ rule }) => rule)],
    ['invalid', ['interface-name']],
  )
})

test('an enumeration of any length is generated', async (t) => {
  const folder = tempFolder(t)
  const Code = { enum: Array.from({ length: 30_000 }, (_, index) => `v${index}`) }
  const long = { openapi: '3.1.0', paths: {}, components: { schemas: { Code } } }
  put(folder, { 'long.json': JSON.stringify(long) })
  const report = await generateInto(join(folder, 'out'), join(folder, 'long.json'))
  assert.equal(report.status, 'written')
  const types = readFileSync(join(folder, 'out/long/types.gen.ts'), 'utf8')
  assert.match(types, /^export type Code = 'v0' \| 'v1'[^]*\| 'v29999'/mu)
})

test('schemas nested beyond all measure are refused in one line', async (t) => {
  const folder = tempFolder(t)
  const deep = `${'{"items":'.repeat(2000)}{}${'}'.repeat(2000)}`
  put(folder, {
    'deep.json': `{"openapi":"3.1.0","paths":{},"components":{"schemas":{"Deep":${deep}}}}`,
  })
  const { code, stderr } = await runCli(folder, 'generate', '--spec', 'deep.json', '--out', 'out')
  assert.equal(code, 1)
  assert.match(stderr, /^a document nests schemas too deeply: nothing written\n$/u)
})

test('a document too large for the memory is refused at once, with what to set', (t) => {
  const folder = tempFolder(t)
  const description = 'x'.repeat(12_000_000)
  put(folder, { 'large.json': JSON.stringify({ openapi: '3.1.0', info: { description } }) })
  const command = ['--max-old-space-size=100', join(PROJECT, 'runtime/cli/main.ts')]
  const { status, stderr } = spawnSync(
    process.execPath,
    [...command, 'generate', '--spec', 'large.json', '--out', 'out'],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.match(stderr, /^large\.json:1:1: error: is too large, 12 MB: .*max-old-space-size=\d+/u)
})

test('what is found in a document does not steer the terminal that shows it', (t) => {
  const { findings } = loadText(
    tempFolder(t),
    `openapi: 3.1.0\npaths: {}\ncomponents: { schemas: { A: { $ref: "#/\\e[2J\\u202e" } } }\n`,
  )
  assert.match(findings.map(({ message }) => message).join(), /\u001b/u)
  assert.doesNotMatch(findings.map(formatFinding).join(), /\p{Cc}|\p{Cf}/u)
})
