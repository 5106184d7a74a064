// The generator's work grows with the document, whatever its shape: the calls of its functions are
// counted, in a document and in one twice as large.
import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { typeRequest } from '../../codegen/emit/type-request.ts'
import { emitForConformance } from '../../codegen/index.ts'
import { loadText, tempFolder } from './generator-kit.ts'

/** Twice the work, and what sorting and a change of digits add. */
const MOST_GROWTH = 2.4

function nested(depth: number, wrap: (inner: object, level: number) => object): object {
  return Array.from({ length: depth }).reduce<object>((inner, _, level) => wrap(inner, level), {
    type: 'string',
  })
}

function numbered(count: number, one: (index: number) => object): readonly object[] {
  return Array.from({ length: count }, (_, index) => one(index))
}

function named(count: number, one: (index: number) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(numbered(count, one).map((value, index) => [`n${index}`, value]))
}

/** An object that requires its only member. */
function only(index: number, member: object): object {
  return { type: 'object', properties: { [`p${index}`]: member }, required: [`p${index}`] }
}

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer', format: 'int64' }

/** Schemas of a component by their size. */
const SHAPES: Readonly<Record<string, readonly [number, (size: number) => object]>> = {
  'oneOf in oneOf': [
    60,
    (size) => nested(size, (inner, level) => ({ oneOf: [inner, only(level, WHOLE)] })),
  ],
  'anyOf in anyOf': [
    60,
    (size) => nested(size, (inner, level) => ({ anyOf: [inner, only(level, TEXT)] })),
  ],
  'objects or null in each other': [
    40,
    (size) => nested(size, (inner, level) => ({ oneOf: [{ type: 'null' }, only(level, inner)] })),
  ],
  'objects in each other': [60, (size) => nested(size, (inner, level) => only(level, inner))],
  'lists in lists': [60, (size) => nested(size, (items) => ({ type: 'array', items }))],
  'parts of allOf': [400, (size) => ({ allOf: numbered(size, (index) => only(index, TEXT)) })],
  'parts of allOf about the same members': [
    100,
    (size) => ({
      allOf: numbered(size, (index) => only(index % 10, { type: 'string', maxLength: index + 1 })),
    }),
  ],
  'required members': [
    500,
    (size) => ({
      type: 'object',
      properties: named(size, () => WHOLE),
      required: Object.keys(named(size, () => WHOLE)),
    }),
  ],
  values: [500, (size) => ({ enum: numbered(size, Object).map((_, index) => `v${index}`) })],
  'patterns of names': [
    200,
    (size) => ({
      type: 'object',
      patternProperties: Object.fromEntries(
        numbered(size, () => TEXT).map((one, index) => [`^x${index}_`, one]),
      ),
    }),
  ],
}

/** Components that extend each other, each by a member. */
function row(length: number): Readonly<Record<string, object>> {
  const parts = (index: number): readonly object[] =>
    index === 0 ? [] : [{ $ref: `#/components/schemas/n${index - 1}` }]
  return named(length, (index) => ({ allOf: [...parts(index), only(index, TEXT)] }))
}

/** Calls of the generator's functions while it makes what it prints itself. */
async function callsFor(
  t: TestContext,
  schemas: Readonly<Record<string, object>>,
): Promise<number> {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Work', version: '1' },
    paths: {},
    components: { schemas },
  })
  const folder = tempFolder(t)
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const loaded = loadText(folder, text, 'work.json')
    emitForConformance(loaded)
    typeRequest(loaded.ir)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.includes('/codegen/') && !url.includes('/test/'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((sum, count) => sum + count, 0)
  } finally {
    session.disconnect()
  }
}

for (const [what, [size, shape]] of Object.entries(SHAPES)) {
  test(`${what}: twice as many are twice the work`, async (t) => {
    const small = await callsFor(t, { One: shape(size) })
    const large = await callsFor(t, { One: shape(2 * size) })
    assert.ok(large < MOST_GROWTH * small, `${small} calls, then ${large}`)
  })
}

test('a row of allOf that is twice as long is twice the work', async (t) => {
  const small = await callsFor(t, row(150))
  const large = await callsFor(t, row(300))
  assert.ok(large < MOST_GROWTH * small, `${small} calls, then ${large}`)
})
