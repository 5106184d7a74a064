// A transaction that names contracts one after the other begins again for each that has to be read:
// who makes that dear is stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import type { Engine } from '../../runtime/engine/index.ts'
import { createToy, iou, issue, must, unhurried } from './toy.ts'

const CONTRACTS = 10

/** Another server of the ledger, and what a transaction there costs that reads all contracts. */
async function reading(costMs: number): ReturnType<Engine['submit']> {
  const store = createMemoryStore().contracts
  const issuer = await createToy({ store })
  const ids: string[] = []
  for (let count = 0; count < CONTRACTS; count += 1) ids.push(await issue(issuer, 'alice', 1n))
  let now = 0
  const { engine } = await createToy({ store, order: { ...unhurried, nowMs: () => now } })
  return engine.submit({
    actAs: ['alice'],
    userId: 'u',
    run: (tx) => {
      now += costMs
      return ids.map((id) => tx.fetch(iou, id).owner)
    },
  })
}

test('contracts are read one after the other, as long as that costs little', async () => {
  const { result } = must(await reading(100))
  assert.deepEqual(result, Array(CONTRACTS).fill('alice'))
})

test('a transaction that takes long does not begin again without end', async () => {
  const outcome = await reading(1_000)
  assert.ok(!outcome.ok && outcome.kind === 'aborted')
  assert.match(outcome.reason.message, /too many contracts/)
})
