// Serials of topology on a copy of a ledger: however often a party changes its topology, what was
// in force before never becomes the next one again. docs/decisions/0048-copies.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextSerial, SERIALS_OF_A_COPY } from '../../runtime/participant/succession.ts'

const base = fc.integer({ min: 1, max: 2 ** 19 - 1 }).map((block) => block * SERIALS_OF_A_COPY)

test('a copy goes on from its own base, through serials of its own alone, none of them twice', () => {
  fc.assert(
    fc.property(base, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (own, inherited) => {
      const isOwn = (serial: number): boolean => serial > own && serial < own + SERIALS_OF_A_COPY
      let [serial, count] = [nextSerial(inherited, own), 0]
      for (let last = 0; serial !== undefined; serial = nextSerial(serial, own)) {
        assert.ok(isOwn(serial) && serial > last, `${serial} after ${last}, from ${own}`)
        ;[last, count] = [serial, count + 1]
      }
      assert.ok(isOwn(inherited) || count === SERIALS_OF_A_COPY - 1)
    }),
    { numRuns: 50 },
  )
})

test('a ledger that is no copy goes on from any serial', () => {
  assert.deepEqual([nextSerial(1, 0), nextSerial(SERIALS_OF_A_COPY - 1, 0)], [2, SERIALS_OF_A_COPY])
})
