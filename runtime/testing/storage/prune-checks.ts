// A random ledger that is pruned and goes on: whoever asks from the pruned offset on is answered as
// if nothing had been pruned.
import assert from 'node:assert/strict'
import { addContracts, aContract, append, archive, TEMPLATE } from './ledger-kit.ts'
import { answersOf, RandomLedger } from './random-ledger.ts'
import type { Check, CheckContext } from './check.ts'
import type { Store } from '../../store/store.ts'

const SNAPSHOT_PRUNED = { code: 'SNAPSHOT_PRUNED' }
const COMMITS = 14

export const pruneChecks: readonly Check[] = [
  {
    name: 'a random ledger answers as the model does, before it is pruned, after, and as it goes on',
    run: async ({ create, seedRuns }) => {
      for (let seed = 1; seed <= Math.ceil(seedRuns / 3); seed += 1) {
        const store = await create()
        const ledger = new RandomLedger(store, seed)
        await ledger.write(COMMITS)
        await assertAlike(store, ledger, { from: 0n, when: `seed ${seed}` })
        const upTo = await ledger.prune()
        await assertAlike(store, ledger, { from: upTo, when: `seed ${seed}, pruned` })
        await ledger.write(COMMITS / 2)
        await assertAlike(store, ledger, { from: upTo, when: `seed ${seed}, gone on` })
        await store.close()
      }
    },
  },
  { name: 'what was active below the pruned offset is not known any more', run: refuses },
  {
    name: 'of a pruned ledger the same is there after close and reopen',
    needs: 'durable',
    run: async ({ store, reopen }) => {
      const ledger = new RandomLedger(store, 1)
      await ledger.write(COMMITS)
      const from = await ledger.prune()
      await store.close()
      const again = await reopen()
      await assertAlike(again, ledger, { from, when: 'reopened' })
      await addContracts(again, aContract('next'))
      await again.close()
    },
  },
]

async function assertAlike(
  { contracts }: Store,
  { model }: RandomLedger,
  { from, when }: { readonly from: bigint; readonly when: string },
): Promise<void> {
  assert.deepEqual(await answersOf(contracts, from), await answersOf(model, from), when)
}

async function refuses({ store: { contracts, updates }, store }: CheckContext): Promise<void> {
  await addContracts(store, aContract('a'))
  await archive(store, 'a')
  await append(store)
  await updates.prune(2n)
  const asked = { templates: [], parties: [], after: 0n, limit: 9 }
  for (const offset of [0n, 1n]) {
    for (const parties of [[], ['alice']])
      await assert.rejects(contracts.snapshot({ ...asked, parties, offset }), SNAPSHOT_PRUNED)
    const templates = [TEMPLATE]
    await assert.rejects(contracts.snapshot({ ...asked, templates, offset }), SNAPSHOT_PRUNED)
  }
  for (const offset of [2n, 3n])
    assert.deepEqual(await contracts.snapshot({ ...asked, offset }), [])
  assert.equal(await updates.byOffset(2n), undefined)
}
