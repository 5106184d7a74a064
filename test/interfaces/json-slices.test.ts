// Large answers are the same JSON as small ones, in parts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { stringifyJson } from '../../runtime/http/json.ts'
import { gather, jsonSlices, largeJson } from '../../runtime/http/json-slices.ts'
import { scheduler } from '../../runtime/work/scheduler.ts'

const LARGE: unknown = {
  items: Array.from({ length: 3_000 }, (_, at) => ({
    id: BigInt(at) + 2n ** 60n,
    name: `é"\\${at}`,
    absent: undefined,
    none: null,
    nested: { list: [at, true, [], {}] },
  })),
  text: `${'\u{1f600}'.repeat(40_000)}${'x'.repeat(16_383)}\u{1f600}\n${'\ud800'}end`,
  byName: Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`name "${at}"`, 'v'.repeat(20)]),
  ),
  when: new Date(0),
}

test('the slices together are the text of the whole, none of them large', () => {
  const slices = [...jsonSlices(LARGE, true)]
  assert.equal(slices.join(''), stringifyJson(LARGE, true))
  assert.ok(slices.length > 5)
  assert.ok(slices.every((slice) => slice.length < 200_000))
})

test('so it is for any value', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: 'binary', minLength: 0, maxLength: 50 }),
      (value, part) => {
        const large = {
          value,
          list: Array.from({ length: 400 }, () => [value, part]),
          text: part.repeat(2_000),
        }
        assert.equal([...jsonSlices(large, false)].join(''), stringifyJson(large, false))
      },
    ),
    { numRuns: 40 },
  )
})

test('others have their turn while a large answer is made; a small one is made at once', async () => {
  assert.equal(largeJson({ small: true }, true), undefined)
  const slices = largeJson(LARGE, true)
  assert.ok(slices)
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 0)
  const { body, bytes } = await gather(slices, () => scheduler.enter('long'))
  clearInterval(others)
  assert.ok(Buffer.isBuffer(body))
  assert.equal(body.toString(), stringifyJson(LARGE, true))
  assert.equal(body.length, bytes)
  assert.ok(turns > 0)
})

test('of a very large answer the rest is made as it is read', async () => {
  const value = Array.from({ length: 12 }, () => 'é'.repeat(1_000_000))
  const slices = largeJson(value, true)
  assert.ok(slices)
  const { body, bytes } = await gather(slices, () => scheduler.enter('long'))
  assert.ok(body instanceof Readable)
  assert.ok(bytes < 9_000_000)
  assert.equal(await text(body), JSON.stringify(value))
})
