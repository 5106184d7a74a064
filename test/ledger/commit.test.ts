// What is submitted is committed: offsets, times, totals, reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToy, iou, iouSplit, issue, must } from './toy.ts'

test('an iou is created, split and read again', async () => {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 10n)
  const split = must(
    await toy.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.exercise(iouSplit, id, 3n),
    }),
  )
  assert.equal(split.offset, 2n)
  const held = await toy.reader.active(iou, { owner: 'alice' }, { order: 'rank-desc' })
  assert.deepEqual(
    held.map(({ payload }) => payload.amount),
    [7n, 3n],
  )
  assert.deepEqual(held.map(({ id: each }) => each).toSorted(), split.result.toSorted())
  assert.deepEqual(await toy.reader.total('ious', 'alice'), { amount: 10n, count: 2n })
  assert.equal(await toy.reader.get(iou, id), undefined)
  assert.equal((await toy.reader.state(id))?.archivedOffset, 2n)
})
