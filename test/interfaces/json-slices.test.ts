// Large answers are the same JSON as small ones, in parts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { stringifyJson } from '../../runtime/http/json.ts'
import { jsonSlices, jsonStream } from '../../runtime/http/json-slices.ts'

const LARGE: unknown = {
  items: Array.from({ length: 3_000 }, (_, at) => ({
    id: BigInt(at) + 2n ** 60n, name: `é"\\${at}`, absent: undefined, none: null, nested: { list: [at, true, [], {}] },
  })),
  text: `${'\u{1f600}'.repeat(40_000)}${'x'.repeat(16_383)}\u{1f600}\n${'\ud800'}end`,
  byName: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`name "${at}"`, 'v'.repeat(20)])),
  when: new Date(0),
}

test('the slices together are the text of the whole, none of them large', () => {
  const slices = [...jsonSlices(LARGE, true)]
  assert.equal(slices.join(''), stringifyJson(LARGE, true))
  assert.ok(slices.length > 5)
  assert.ok(slices.every((slice) => slice.length < 200_000))
})

test('so it is for any value', () => {
  fc.assert(fc.property(fc.jsonValue(), fc.string({ unit: 'binary', minLength: 0, maxLength: 50 }), (value, part) => {
    const large = { value, list: Array.from({ length: 400 }, () => [value, part]), text: part.repeat(2_000) }
    assert.equal([...jsonSlices(large, false)].join(''), stringifyJson(large, false))
  }), { numRuns: 40 })
})

test('others have their turn while a large answer is written; a small one is no stream', async () => {
  assert.equal(jsonStream({ small: true }, true), undefined)
  const stream = jsonStream(LARGE, true)
  assert.ok(stream)
  let turns = 0
  const others = setInterval(() => { turns += 1 }, 0)
  const written = await text(stream)
  clearInterval(others)
  assert.equal(written, stringifyJson(LARGE, true))
  assert.ok(turns > 0)
})
