// The audit of totals on a ledger that changes whenever it is read: a total that it cannot read
// leaves the others their turn, is counted, and is compared once the ledger is quiet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TotalsAudit } from '../../runtime/engine/index.ts'
import { createToy, iou, IouType, issue, templates } from './toy.ts'

test('a total of a ledger that never rests is skipped and counted; the next pass compares it', async () => {
  const toy = await createToy()
  await issue(toy, 'ann', 7n)
  const ious = templates.filter(({ id }) => id === IouType.id)
  let isBusy = true
  const { store, engine } = toy
  const audit = new TotalsAudit({
    store: {
      ...store,
      total: async (key) => {
        const total = await store.total(key)
        if (isBusy && key.name === 'supply') await issue(toy, 'bob', 1n)
        return total
      },
    },
    audited: [
      { name: 'supply', templates: ious },
      { name: 'ious', templates: ious, account: iou.by('owner'), areParties: true },
    ],
    invariants: engine.invariants,
    page: 1_000,
    position: async () => Promise.resolve(0n),
  })
  const pass = async (): Promise<number> => {
    let looks = 1
    while (!(await audit.look())) looks += 1
    return looks
  }
  const looks = await pass()
  assert.ok(looks > 1, 'it comes back to the total before it gives up')
  assert.equal(audit.missed, 1)
  assert.equal(audit.compared, 2, 'those of ann and of bob')
  isBusy = false
  await pass()
  assert.equal(audit.missed, 1)
  assert.equal(audit.compared, 5)
  assert.equal(engine.invariants.line, undefined)
})
