// A transaction that names contracts one after the other begins again for each that has to be read,
// which counts alike on a server that has read them before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import type { Engine } from '../../runtime/engine/index.ts'
import { createToy, iou, issue, must } from './toy.ts'

const CONTRACTS = 10

/** How often a transaction ran that reads these contracts, and where it was told to begin again. */
async function reading(engine: Engine, ids: readonly string[], contractIds: readonly string[]) {
  let runs = 0
  let told: number[] = []
  const outcome = await engine.submit({
    actAs: ['alice'],
    userId: 'u',
    contractIds,
    run: (tx) => {
      runs += 1
      told = []
      let at = 0
      tx.whenAgain(() => void told.push(at))
      return ids.map((id) => {
        at += 1
        return tx.fetch(iou, id).owner
      })
    },
  })
  assert.deepEqual(must(outcome).result, Array(CONTRACTS).fill('alice'))
  return { runs, told }
}

test('what begins again counts alike, whatever a server remembers', async () => {
  const store = createMemoryStore().contracts
  const issuer = await createToy({ store })
  const ids: string[] = []
  for (let count = 0; count < CONTRACTS; count += 1) ids.push(await issue(issuer, 'alice', 1n))
  for (const named of [[], ids.slice(0, 5), ids]) {
    const { engine } = await createToy({ store })
    const cold = await reading(engine, ids, named)
    const late = CONTRACTS - named.length
    assert.equal(cold.runs, 1 + late)
    assert.equal(cold.told.length, late)
    assert.deepEqual(await reading(engine, ids, named), { runs: 1, told: cold.told })
  }
})
