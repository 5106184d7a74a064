// Transactions that wait for the store go on in turns of their own: an answer that arrives for all
// of them at once must not hold the event loop until the last of them is done.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { createToy, iou, issue } from './toy.ts'

const SUBMISSIONS = 12
/** Longer than the time for which steps begin in one turn. */
const BUSY_MS = 3

function busy(): void {
  const began = performance.now()
  while (performance.now() - began < BUSY_MS);
}

test('transactions that were waiting for contracts go on in a turn each', async () => {
  const inner = createMemoryStore().contracts
  const issuer = await createToy({ store: inner })
  const ids = [await issue(issuer, 'alice', 1n), await issue(issuer, 'alice', 2n)]
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let asked = 0
  const store = {
    ...inner,
    byIds: async (wanted: readonly string[]) => {
      asked += 1
      await gate
      return inner.byIds(wanted)
    },
  }
  const { engine } = await createToy({ store })
  let [turn, isOver] = [0, false]
  const turns: number[] = []
  const under = Array.from({ length: SUBMISSIONS }, () =>
    engine.submit({
      actAs: ['alice'],
      userId: 'u',
      contractIds: ids,
      run: (tx) => {
        turns.push(turn)
        busy()
        return ids.map((id) => tx.fetch(iou, id).amount)
      },
    }),
  )
  while (asked < SUBMISSIONS) await nextTurn()
  const tick = (): void => {
    turn += 1
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  open()
  await Promise.all(under)
  isOver = true
  assert.equal(turns.length, SUBMISSIONS)
  // The turns are marked by a callback of their own: one may begin before it, and one after.
  const most = Math.max(...turns.map((at) => turns.filter((other) => other === at).length))
  assert.ok(most <= 2, `${most} in one turn`)
})
