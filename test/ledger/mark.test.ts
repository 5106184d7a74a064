// A choice that catches a failure undoes what led to it, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testTokenRules, testTokenRulesMint } from '../../runtime/contracts/index.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import { ALICE, testLedger } from '../support/ledger.ts'

test('what happened after a mark is undone, and what comes then has ids of its own', async () => {
  const ledger = await testLedger()
  const create = (tx: Tx): string => tx.create(testTokenRules, { admin: ALICE })
  const mint = (tx: Tx, id: string): unknown =>
    tx.exercise(testTokenRulesMint, id, { owner: ALICE, instrumentId: 'Gold', amount: 1n })
  const kept = await ledger.done([ALICE], create)
  const made = await ledger.done([ALICE], (tx) => {
    const before = create(tx)
    const undo = tx.mark()
    const undone = create(tx)
    tx.archive(testTokenRules, kept)
    assert.throws(() => {
      mint(tx, undone)
      throw new RangeError('a failure that is caught')
    })
    undo()
    return [before, undone, create(tx), tx.fetch(testTokenRules, kept).admin]
  })
  const [before, undone, after, admin] = made
  assert.equal(admin, ALICE)
  assert.equal(new Set([before, undone, after]).size, 3)
  const active = await ledger.reader.all(testTokenRules)
  assert.deepEqual(active.map(({ id }) => id).toSorted(), [kept, before, after].toSorted())
})

test('a failure that nothing may catch ends the transaction all the same', async () => {
  const ledger = await testLedger()
  const rejected = await ledger.refused([ALICE], (tx: Tx) => {
    const undo = tx.mark()
    try {
      tx.require(false, 'something holds')
    } catch {
      undo()
    }
  })
  assert.equal(rejected.kind, 'aborted')
})
