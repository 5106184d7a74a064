// The pause after a lost race: by chance, longer each time, and never long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pauseMs } from '../../runtime/engine/pause.ts'

test('a pause is by chance, of a limit that doubles up to 100 ms', () => {
  const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), chances, (attempt, chance) => {
      const ms = pauseMs(attempt, () => chance)
      assert.ok(ms >= 0 && ms <= 100)
      assert.ok(pauseMs(attempt + 1, () => chance) >= ms)
    }),
  )
  assert.deepEqual(
    [1, 2, 3, 9].map((attempt) => pauseMs(attempt, () => 0.5)),
    [2, 4, 8, 50],
  )
})
