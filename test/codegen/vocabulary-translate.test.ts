// Printed translations: requests in the words of the wire reach handlers in those of the document,
// replies go back, and the compiler knows both sides.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { emitForConformance, emitForServing, generate, loadInterface } from '../../codegen/index.ts'
import { record, same } from '../../codegen/emit/support/translation.ts'
import {
  inward,
  outward,
  translateHandlers,
} from '../../codegen/emit/support/translation-operations.ts'
import type {
  AnyHandler,
  AnyHandlers,
  Reply,
} from '../../codegen/emit/support/translation-operations.ts'
import { arbitraries as scanArbitraries } from '../../generated/scan/arbitraries.gen.ts'
import { wire as scanWire } from '../../generated/scan/routes.gen.ts'
import { arbitraries as validatorArbitraries } from '../../generated/validator/arbitraries.gen.ts'
import { wire as validatorWire } from '../../generated/validator/routes.gen.ts'
import { member } from '../../runtime/host/member.ts'
import type { Issue, WireInterface, WireMedia, WireOperation } from '../../runtime/http/wire.ts'
import { imported, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'

const WORDS = `words:
  - { neutral: coins, wire: pebbles }
  - { neutral: coin, wire: pebble }
  - { neutral: network, wire: meadow, where: paths and package names }
names:
  - { neutral: value_encoding, wire: pebble_form, where: parameters }
  - { neutral: value_encoding, wire: pebble_form, where: properties }
`
const SAMPLES = 4
const EMPTY = { path: {}, query: {}, headers: {}, cookies: {}, body: undefined }

interface Side {
  readonly wire: WireInterface
  readonly operations: Readonly<Record<string, { readonly valid: fc.Arbitrary<Request> }>>
}

interface Request {
  readonly body?: { readonly value?: unknown }
}

interface RenamedSide extends Side {
  readonly translated: (handlers: AnyHandlers<undefined>) => AnyHandlers<undefined>
}

async function renamedSide(t: TestContext, name: string): Promise<RenamedSide> {
  const folder = tempFolder(t)
  put(folder, { 'words.yaml': WORDS })
  const loaded = loadInterface(join(PROJECT, `spec/${name}.yaml`), {
    vocabulary: join(folder, 'words.yaml'),
  })
  put(folder, Object.fromEntries([...emitForServing(loaded), ...emitForConformance(loaded)]))
  const load = async (part: string): Promise<unknown> => imported(folder, name, `${part}.gen.ts`)
  const [routes, arbitraries, translate] = await Promise.all(
    ['routes', 'arbitraries', 'translate'].map(load),
  )
  const [wire, make, translated] = [
    member(routes, 'wire'),
    member(arbitraries, 'arbitraries'),
    member(translate, 'translated'),
  ]
  assert.ok(isWire(wire) && typeof make === 'function' && isTranslated(translated))
  const operations: unknown = member(make(fc), 'operations')
  assert.ok(isDrawn(operations))
  return { wire, operations, translated }
}

function isWire(value: unknown): value is WireInterface {
  return Array.isArray(member(value, 'operations'))
}

function isDrawn(value: unknown): value is Side['operations'] {
  return typeof value === 'object'
}

function isTranslated(value: unknown): value is RenamedSide['translated'] {
  return typeof value === 'function'
}

function issuesOf(media: WireMedia | undefined, value: unknown): readonly string[] {
  const issues: Issue[] = []
  media?.check?.(value, issues)
  return issues.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
}

function mediaOf(operation: WireOperation, status: string): WireMedia | undefined {
  return operation.responses.find((one) => one.status === status)?.media[0]
}

/** Component of a success in the document: `generated` has an arbitrary of each. */
function replySchemas(name: string): ReadonlyMap<string, string> {
  const document: unknown = JSON.parse(
    readFileSync(join(PROJECT, `generated/${name}/openapi.json`), 'utf8'),
  )
  const items = Object.values(Object(member(document, 'paths'))).flatMap((item) =>
    Object.values(Object(item)),
  )
  return new Map(
    items.flatMap((operation) => {
      const media = member(
        member(member(member(operation, 'responses'), '200'), 'content'),
        'application/json',
      )
      const ref = member(member(media, 'schema'), '$ref')
      return typeof ref === 'string'
        ? [[String(member(operation, 'operationId')), ref.slice(ref.lastIndexOf('/') + 1)] as const]
        : []
    }),
  )
}

const OWN = [
  ['validator', validatorWire, validatorArbitraries(fc).schemas],
  ['scan', scanWire, scanArbitraries(fc).schemas],
] as const

test('whatever the documents admit is admitted in the other words, both ways', async (t) => {
  for (const [name, own, schemas] of OWN) {
    const renamed = await renamedSide(t, name)
    const replies = replySchemas(name)
    for (const operation of own.operations) {
      const wire = renamed.wire.operations.find(
        ({ method, path }) => method === operation.method && isRenamed(path, operation.path),
      )
      assert.ok(wire, operation.operationId)
      const drawn = Object.entries(schemas).find(
        ([schema]) => schema === replies.get(operation.operationId),
      )?.[1]
      const bodies =
        drawn === undefined ? [] : fc.sample<unknown>(drawn, { numRuns: SAMPLES, seed: 1 })
      const requests = fc.sample(
        renamed.operations[wire.operationId]?.valid ?? fc.constant<Request>({}),
        { numRuns: SAMPLES, seed: 2 },
      )
      for (let run = 0; run < SAMPLES; run += 1)
        await exchange(renamed, operation, wire, requests[run]?.body?.value, bodies[run])
    }
  }
})

/**
 * A request in the words of the wire, answered by a handler of the document's words; both sides see
 * what their document admits.
 */
async function exchange(
  renamed: RenamedSide,
  own: WireOperation,
  wire: WireOperation,
  sent: unknown,
  answer: unknown,
): Promise<void> {
  const seen: unknown[] = []
  const handlers = renamed.translated({
    [own.operationId]: ({ body }) => {
      seen.push(body)
      return { status: 200, body: answer }
    },
  })
  const reply: Reply | undefined = await handlers[wire.operationId]?.(
    { ...EMPTY, body: sent },
    undefined,
  )
  assert.equal(seen.length, 1)
  if (sent !== undefined)
    assert.deepEqual(issuesOf(own.body?.media[0], seen[0]), [], `request of ${own.operationId}`)
  if (answer !== undefined)
    assert.deepEqual(issuesOf(mediaOf(wire, '200'), reply?.body), [], `reply of ${own.operationId}`)
}

/** Renaming keeps the number and kind of segments, and every word that is not renamed. */
function isRenamed(wire: string, own: string): boolean {
  const words = own
    .replaceAll(/(?<=[/{-])coins(?=$|[/}-])/gu, 'pebbles')
    .replaceAll(/(?<![a-z])coin(?![a-z])/gu, 'pebble')
  return (
    wire.replaceAll(/\{[^}]*\}/gu, '{}') ===
    words.replaceAll(/(?<![a-z])network(?![a-z])/gu, 'meadow').replaceAll(/\{[^}]*\}/gu, '{}')
  )
}

const CHANGE = record({ shell: ['pebble'] })

test('replies are changed by status and media type, streams item by item, and what is undescribed not at all', async () => {
  const translation = {
    name: 'x',
    replies: {
      200: {
        'application/json': { change: CHANGE },
        'text/event-stream': { change: CHANGE, isStream: true },
      },
      404: {},
      default: { 'application/json': { change: CHANGE } },
    },
  } as const
  const bodyOf = (reply: Reply): unknown => outward(translation, reply).body
  const body = { shell: 1 }
  assert.deepEqual(bodyOf({ status: 200, body }), { pebble: 1 })
  assert.deepEqual(bodyOf({ status: 200, body, mediaType: 'application/json' }), { pebble: 1 })
  assert.deepEqual(bodyOf({ status: 200, body, mediaType: 'application/xml' }), body)
  assert.deepEqual(bodyOf({ status: 404, body }), body)
  assert.deepEqual(bodyOf({ status: 500, body }), { pebble: 1 })
  assert.equal(bodyOf({ status: 200 }), undefined)
  const stream = bodyOf({ status: 200, mediaType: 'text/event-stream', body: events() })
  assert.ok(
    typeof stream === 'object' &&
      stream !== null &&
      Symbol.asyncIterator in stream &&
      isStream(stream),
  )
  const seen: unknown[] = []
  for await (const item of stream) seen.push(item)
  assert.deepEqual(seen, [{ pebble: 1 }, { event: 'e', data: { pebble: 2 } }])
  assert.deepEqual(outward({ name: 'x' }, { status: 200, body, headers: { a: 'b' } }), {
    status: 200,
    body,
    headers: { a: 'b' },
  })
})

async function* events(): AsyncIterable<unknown> {
  yield await Promise.resolve({ shell: 1 })
  yield { event: 'e', data: { shell: 2 } }
}

function isStream(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value
}

test('handlers that need no translation are handed on, absent ones stay absent, later replies are translated as well', async () => {
  const own: AnyHandler<undefined> = () => ({ status: 204 })
  const slow: AnyHandler<undefined> = ({ query }) => Promise.resolve({ status: 200, body: query })
  const handlers = translateHandlers<undefined>(
    {
      a: { name: 'a' },
      b: { name: 'b' },
      c: {
        name: 'd',
        query: record({ pebble: ['shell'] }),
        replies: { 200: { 'application/json': { change: CHANGE } } },
      },
    },
    { a: own, c: slow },
  )
  assert.deepEqual(Object.keys(handlers), ['a', 'b', 'd'])
  assert.equal(handlers['a'], own)
  assert.equal(handlers['b'], undefined)
  assert.deepEqual(await handlers['d']?.({ ...EMPTY, query: { pebble: 3 } }, undefined), {
    status: 200,
    body: { pebble: 3 },
  })
  assert.deepEqual(inward({ name: 'x', path: same }, EMPTY), EMPTY)
})

const DOCUMENT = `openapi: 3.2.0
info: { title: Shells, version: '1' }
paths:
  /shells/{shell}:
    post:
      operationId: addShell
      parameters:
        - { name: shell, in: path, required: true, schema: { type: string } }
        - { name: shell-filter, in: query, schema: { type: object, properties: { min_shell: { type: integer } } }, style: deepObject, explode: true }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Shell' } }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { old_shell: { type: string } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } }
        '2XX': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Plain' } } } }
        default: { description: no, content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } }
    additionalOperations:
      COPY:
        operationId: copyShell
        parameters: [{ name: shell, in: path, required: true, schema: { type: string } }]
        responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Shell' } } } } }
  /plain:
    get: { operationId: plain, deprecated: true, x-versions: { successor: '/shells/{shell}' }, responses: { '204': { description: ok } } }
  /kinds:
    post:
      operationId: kinds
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Kinds' } }
          application/octet-stream: { schema: { type: string, format: binary } }
      responses: { '204': { description: ok } }
  /lines:
    post:
      operationId: lines
      requestBody: { required: true, content: { application/x-ndjson: { schema: { $ref: '#/components/schemas/Shell' } } } }
      responses: { '204': { description: ok } }
components:
  schemas:
    Kinds:
      type: object
      properties:
        either: { oneOf: [{ $ref: '#/components/schemas/OldShell' }, { $ref: '#/components/schemas/Stone' }], discriminator: { propertyName: shell_kind } }
        based: { $ref: '#/components/schemas/BasedShell' }
        named: { type: object, required: [shell], additionalProperties: true }
        fixed: { type: object, const: { shell: 1 }, properties: { shell: { type: integer } } }
        some: { type: object, enum: [{ shell: 1 }, { shell: 2 }], properties: { shell: { type: integer } } }
    OldShell: { type: object, required: [shell_kind], properties: { shell_kind: { const: OldShell }, shell: { type: integer } } }
    Stone: { type: object, required: [shell_kind], properties: { shell_kind: { const: Stone } } }
    Base: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    BasedShell: { allOf: [{ $ref: '#/components/schemas/Base' }] }
    Shell: { type: object, required: [shell_size], properties: { shell_size: { type: integer, format: int64 }, note: { type: [string, 'null'] } } }
    Plain: { type: object, properties: { text: { type: string } } }
    Tree:
      type: object
      properties:
        shell: { $ref: '#/components/schemas/Shell' }
        branches: { type: array, items: { $ref: '#/components/schemas/Tree' } }
        byName: { type: object, additionalProperties: { oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] } }
        pair: { type: array, prefixItems: [{ type: string }, { $ref: '#/components/schemas/Shell' }] }
        choice:
          oneOf:
            - { $ref: '#/components/schemas/Shell' }
            - { type: object, required: [shell_size, other], properties: { shell_size: { type: string }, other: { $ref: '#/components/schemas/Shell' } } }
        mixed: { anyOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Shell' } }, { $ref: '#/components/schemas/Shell' }] }
`

const USE = `import { translated } from './wire/shells/translate.gen.ts'
import type { Handlers } from './plain/shells/handlers.gen.ts'

const handlers: Handlers<{ readonly user: string }> = {
  addShell: ({ path, body, query }, { user }) => {
    const size = 'shell_size' in body ? body.shell_size : BigInt(query['shell-filter']?.min_shell ?? 0)
    return { status: 200, body: { shell: { shell_size: size, note: path.shell + user }, byName: { shell: { shell: { shell_size: 1n } }, none: null },
      branches: [{ pair: ['x', { shell_size: 2n }] }], mixed: [{ shell_size: 3n }], choice: { shell_size: 'x', other: { shell_size: 4n } } } }
  },
  copyShell: ({ path }) => ({ status: 200, body: { shell_size: BigInt(path.shell) } }),
  plain: () => ({ status: 204 }),
  kinds: ({ body }) => {
    seen.push(body)
    return { status: 204 }
  },
  lines: () => ({ status: 204 }),
}
export const seen: unknown[] = []
export const made = translated(handlers)
export const one: keyof typeof made = 'addPebble'
// @ts-expect-error: an operation of the other words
export const none: keyof typeof made = 'addShell'
// @ts-expect-error: no handler of this interface
translated<unknown>({ addPebble: () => ({ status: 204 }) })
`

test('the output compiles strictly, types the handlers of both sides, and translates at every depth', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'shells.yaml': DOCUMENT,
    'words.yaml': 'words: [{ neutral: shell, wire: pebble }]\n',
    'use.ts': USE,
  })
  for (const [out, more] of [
    ['plain', {}],
    ['wire', { vocabulary: 'words.yaml' }],
  ] as const) {
    const report = await generate({
      root: folder,
      config: { interfaces: [{ spec: 'shells.yaml', ...more }], out },
    })
    assert.equal(report.status, 'written')
    const warned = report.findings
      .filter(({ severity }) => severity !== 'note')
      .map(({ rule, at }) => `${rule} ${at.pointer}`)
    assert.deepEqual(
      warned,
      out === 'plain'
        ? []
        : ['vocabulary-stream /paths/~1lines/post/requestBody/content/application~1x-ndjson'],
    )
  }
  assert.equal(typeCheck(folder), '')
  await checkKinds(folder)
  const module: unknown = await imported(folder, 'use.ts')
  const add = member(member(module, 'made'), 'addPebble')
  assert.ok(typeof add === 'function')
  const reply: unknown = await add(
    { ...EMPTY, path: { pebble: 'p' }, body: { pebble_size: 9n, shell_size: 'unchecked' } },
    { user: '!' },
  )
  assert.deepEqual(member(reply, 'body'), {
    pebble: { pebble_size: 9n, note: 'p!' },
    byName: { shell: { pebble: { pebble_size: 1n } }, none: null },
    branches: [{ pair: ['x', { pebble_size: 2n }] }],
    mixed: [{ pebble_size: 3n }],
    choice: { pebble_size: 'x', other: { pebble_size: 4n } },
  })
  const form: unknown = await add(
    {
      ...EMPTY,
      path: { pebble: 'p' },
      query: { 'pebble-filter': { min_pebble: 5 } },
      body: { old_pebble: 'x' },
    },
    { user: '' },
  )
  assert.equal(member(member(member(form, 'body'), 'pebble'), 'pebble_size'), 5n)
})

/**
 * Tags are values and stay, whatever becomes of the schemas that they are the names of; so do
 * bytes. Constants have members as well.
 */
async function checkKinds(folder: string): Promise<void> {
  const use: unknown = await imported(folder, 'use.ts')
  const routes: unknown = await imported(folder, 'wire/shells/routes.gen.ts')
  const [wire, made, seen] = [member(routes, 'wire'), member(use, 'made'), member(use, 'seen')]
  assert.ok(isWire(wire) && isHandlers(made) && Array.isArray(seen))
  const operation = wire.operations.find(({ operationId }) => operationId === 'kinds')
  const body = {
    either: { pebble_kind: 'OldShell', pebble: 1 },
    based: { kind: 'BasedShell' },
    named: { pebble: 0 },
    fixed: { pebble: 1 },
    some: { pebble: 2 },
  }
  const media = operation?.body?.media.find(({ mediaType }) => mediaType === 'application/json')
  assert.deepEqual(issuesOf(media, body), [])
  for (const wrong of [
    { either: { pebble_kind: 'OldPebble' } },
    { based: { kind: 'BasedPebble' } },
    { fixed: { shell: 1 } },
  ]) {
    assert.equal(issuesOf(media, wrong).length, 1)
  }
  const stream = Readable.from(['bytes'])
  for (const one of [body, stream])
    assert.deepEqual(await made['kinds']?.({ ...EMPTY, body: one }, undefined), { status: 204 })
  const neutral = {
    either: { shell_kind: 'OldShell', shell: 1 },
    based: { kind: 'BasedShell' },
    named: { shell: 0 },
    fixed: { shell: 1 },
    some: { shell: 2 },
  }
  assert.deepEqual(seen[0], neutral)
  assert.equal(seen[1], stream)
  assert.deepEqual(await made['copyPebble']?.({ ...EMPTY, path: { pebble: '3' } }, undefined), {
    status: 200,
    body: { pebble_size: 3n },
  })
  assert.equal(
    wire.operations.find(({ operationId }) => operationId === 'plain')?.deprecation?.successor,
    '/shells/{pebble}',
  )
}

function isHandlers(value: unknown): value is AnyHandlers<undefined> {
  return typeof value === 'object'
}
