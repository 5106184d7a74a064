// What is drawn as a reply is one that the document declares, of every kind that it declares, in
// the form that handlers have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadInterface } from '../../codegen/index.ts'
import type { InterfaceArbitraries, ReplyCase } from '../../codegen/emit/support/arbitrary.ts'
import type { Problem } from '../../codegen/emit/support/validation.ts'
import type { RouteOperation, Routes } from '../../codegen/emit/support/wire.ts'
import { arbitraries as ledgerArbitraries } from '../../generated/ledger/arbitraries.gen.ts'
import { wire as ledger } from '../../generated/ledger/routes.gen.ts'
import { arbitraries as registryArbitraries } from '../../generated/registry/arbitraries.gen.ts'
import { wire as registry } from '../../generated/registry/routes.gen.ts'
import { arbitraries as scanArbitraries } from '../../generated/scan/arbitraries.gen.ts'
import { wire as scan } from '../../generated/scan/routes.gen.ts'
import { arbitraries as validatorArbitraries } from '../../generated/validator/arbitraries.gen.ts'
import { wire as validator } from '../../generated/validator/routes.gen.ts'
import { draw, printed, show } from './arbitraries-kit.ts'
import type { Printed } from './arbitraries-kit.ts'
import { fixture, tempFolder } from './generator-kit.ts'

const DRAWS = 100
const OWN = [
  [ledger, ledgerArbitraries(fc)],
  [validator, validatorArbitraries(fc)],
  [scan, scanArbitraries(fc)],
  [registry, registryArbitraries(fc)],
] as const satisfies readonly (readonly [Routes, InterfaceArbitraries])[]

function repliesOf({ made }: Printed, operationId: string, count = DRAWS): readonly ReplyCase[] {
  return draw(made.operations[operationId]?.replies ?? assert.fail(operationId), count)
}

function kinds(replies: readonly ReplyCase[]): readonly string[] {
  return [
    ...new Set(replies.map(({ status, mediaType }) => `${status} ${mediaType ?? '-'}`)),
  ].sort()
}

/** The document's objections to a reply. */
function problems(
  route: RouteOperation,
  { status, mediaType, headers, body }: ReplyCase,
): readonly string[] {
  const response = [String(status), `${Math.floor(status / 100)}XX`, 'default'].flatMap(
    (one) => route.responses.find((known) => known.status === one) ?? [],
  )[0]
  if (response === undefined) return [`status ${status}`]
  const missing = response.headers
    .filter(({ name, required }) => required && headers[name] === undefined)
    .map(({ name }) => name)
  const media = response.media.find((one) => one.mediaType === mediaType)
  const problems: Problem[] = []
  if (media?.kind === 'json' || media?.kind === 'text') media.check?.(body, problems)
  return [...missing, ...problems.map(({ pointer, message }) => `${pointer} ${message}`)]
}

test('a document of every kind of reply', async (t) => {
  const replies = await printed(tempFolder(t), loadInterface(fixture('replies.yaml')))

  await t.test('every declared kind of success is drawn, and nothing else', async () => {
    const drawn = (operationId: string): readonly string[] => kinds(repliesOf(replies, operationId))
    assert.deepEqual(drawn('getThing'), ['200 application/json', '200 text/csv', '304 -'])
    assert.deepEqual(drawn('headThing'), ['200 -'])
    assert.deepEqual(drawn('deleteThing'), ['204 -'])
    assert.deepEqual(drawn('picture'), ['200 image/png'])
    assert.deepEqual(drawn('range'), [
      '200 application/json',
      '201 application/json',
      '202 application/json',
      '203 application/json',
    ])
    assert.deepEqual(drawn('other'), drawn('range'))
    const { errors } = replies.made.operations['range'] ?? assert.fail()
    assert.deepEqual(kinds(draw(errors ?? assert.fail(), DRAWS)), [
      '400 application/json',
      '404 application/json',
      '409 application/json',
    ])
    assert.equal(replies.made.operations['listThings']?.errors, undefined)
  })

  await t.test('headers are values, and those that are required are there', async () => {
    const headers = repliesOf(replies, 'listThings').map((reply) => reply.headers)
    assert.ok(headers.every((one) => Number.isInteger(one['X-Total'])))
    assert.ok(
      headers.some((one) => /^[ab](?:,[ab])+$/u.test(String(one['X-Tags']))) &&
        headers.some((one) => one['X-Tags'] === undefined),
    )
    assert.ok(
      repliesOf(replies, 'moved').every((reply) => URL.canParse(String(reply.headers['Location']))),
    )
  })

  await t.test(
    'members that are write only stay out, those that are read only are there',
    async () => {
      const members = new Set(
        repliesOf(replies, 'createThing').flatMap(({ body }) => Object.keys(Object(body))),
      )
      assert.deepEqual([...members].sort(), ['id', 'name', 'size'])
      const sent = draw(replies.made.operations['createThing']?.valid ?? assert.fail(), DRAWS)
      assert.deepEqual(
        [...new Set(sent.flatMap(({ body }) => Object.keys(Object(body?.value))))].sort(),
        ['name', 'secret', 'size'],
      )
    },
  )

  await t.test('streams are lists that can be read again, files are bytes', async () => {
    for (const { body } of repliesOf(replies, 'log', 20)) {
      assert.ok(typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
      const read = async (): Promise<readonly unknown[]> => Array.fromAsync<unknown>(Object(body))
      const [once, twice] = [await read(), await read()]
      assert.deepEqual(once, twice)
      assert.ok(once.every(Number.isInteger) && once.length <= 5)
    }
    const events = await Promise.all(
      repliesOf(replies, 'feed', 20).map(async ({ body }) =>
        Array.fromAsync<unknown>(Object(body)),
      ),
    )
    assert.ok(
      events.flat().length > 0 &&
        events.flat().every((event) => Object.keys(Object(event)).join() === 'data'),
    )
    assert.ok(repliesOf(replies, 'picture', 20).every(({ body }) => body instanceof Uint8Array))
  })

  await t.test('the example of the document is found, and comes up among the draws', async () => {
    const { example } = replies.made.operations['createThing'] ?? assert.fail()
    assert.deepEqual(example, {
      status: 201,
      mediaType: 'application/json',
      headers: {},
      body: { id: '7', name: 'lamp', size: 9007199254740993n },
    })
    assert.ok(
      repliesOf(replies, 'createThing').some(({ body }) => show(body) === show(example?.body)),
    )
    assert.equal(replies.made.operations['getThing']?.example, undefined)
    const { sampleReplies } = replies.made.operations['getThing'] ?? assert.fail()
    assert.equal(show(sampleReplies(5, 3)), show(sampleReplies(5, 3)))
  })
})

test('replies and errors of our own documents are as these say', (t) => {
  let count = 0
  for (const [wire, made] of OWN) {
    const operations: InterfaceArbitraries['operations'] = made.operations
    for (const route of wire.operations) {
      const { replies, errors } = operations[route.operationId] ?? assert.fail(route.operationId)
      for (const reply of [replies, errors].flatMap((some) =>
        some === undefined ? [] : draw(some, 4),
      )) {
        assert.deepEqual(
          problems(route, reply),
          [],
          `${wire.name} ${route.operationId} ${show(reply)}`,
        )
        count += 1
      }
    }
  }
  t.diagnostic(`${count} replies`)
})
