// Who reads all contracts of a template leaves others their turns, also where the store answers at
// once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createToy, iou, must } from './toy.ts'

test('2,100 contracts are read with turns for others in between', async () => {
  const toy = await createToy()
  for (let part = 0; part < 3; part += 1) {
    must(
      await toy.engine.submit({
        actAs: ['bank', 'alice'],
        userId: 'u',
        run: (tx) => {
          for (let amount = 1n; amount <= 700n; amount += 1n)
            tx.create(iou, { issuer: 'bank', owner: 'alice', amount, watchers: [] })
        },
      }),
    )
  }
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  const all = await toy.reader.all(iou)
  isOver = true
  await others
  assert.equal(all.length, 2_100)
  assert.ok(turns >= 2, `${turns} turns`)
})
