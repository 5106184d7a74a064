// What is submitted is committed: offsets, times, totals, reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createToy, iou, iouSplit, issue, must, unhurried } from './toy.ts'
import type { Toy } from './toy.ts'

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

test('updates that arrive turn after turn share commits', async () => {
  const toy = await createToy({ order: unhurried })
  const before = commitsOf(toy)
  const under: Promise<string>[] = []
  for (let turn = 0; turn < UPDATES; turn++) {
    under.push(issue(toy, 'alice', 1n))
    await nextTurn()
  }
  await Promise.all(under)
  assert.ok(commitsOf(toy) - before < UPDATES / 2)
})

const UPDATES = 20

function commitsOf({ engine }: Toy): number {
  return engine.counts.batches.counts.reduce((sum, count) => sum + count, 0)
}
