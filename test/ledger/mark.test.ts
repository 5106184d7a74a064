// A choice that catches a failure undoes what led to it, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testTokenRules, testTokenRulesMint } from '../../runtime/contracts/index.ts'
import { violated } from '../../runtime/engine/index.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import { ALICE, testLedger } from '../support/ledger.ts'
import { createToy, iouPeek, issue, must, peekHooks } from './toy.ts'

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

/** A peek that throws in place of what another peek inside it throws. */
async function replacing(inner: unknown, outer: unknown) {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 1n)
  const peek = (tx: Tx): string => tx.exercise(iouPeek, id, ['alice'])
  peekHooks.run = (tx) => {
    peekHooks.run = () => {
      throw inner
    }
    try {
      return peek(tx)
    } catch {
      throw outer
    }
  }
  const submit = (run: (tx: Tx) => string) =>
    toy.engine.submit({ actAs: ['alice'], userId: 'u', run })
  return { peek, submit }
}

test('a refusal in place of an exception of a choice further in is the outcome', async () => {
  const { peek, submit } = await replacing(new TypeError('inner'), violated('outer'))
  const outcome = await submit(peek)
  assert.ok(!outcome.ok && outcome.kind === 'aborted')
  assert.equal(outcome.reason.message, 'outer')
})

test('an exception in place of one of a choice further in can be caught', async () => {
  const outer = new TypeError('outer')
  const { peek, submit } = await replacing(new TypeError('inner'), outer)
  const outcome = await submit((tx) => {
    const undo = tx.mark()
    try {
      return peek(tx)
    } catch (error) {
      undo()
      return error === outer ? 'caught' : 'another'
    }
  })
  assert.equal(must(outcome).result, 'caught')
})

test('an update that is too long to be written is refused', async () => {
  const { engine } = await createToy()
  const outcome = await engine.submit({
    actAs: ['alice'],
    userId: 'u',
    run: () => 1,
    project: () => ({ logs: [], facts: [{ kind: 'long', key: '', body: 'x'.repeat(2 ** 30) }] }),
  })
  assert.ok(!outcome.ok)
  assert.equal(outcome.kind, 'aborted')
})
