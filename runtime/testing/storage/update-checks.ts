// Updates of an empty ledger: nothing is found, nothing can be pruned.
import assert from 'node:assert/strict'
import { addParties, addUsers, aPackage, aParty, aUser, count, NUMBERS } from './check.ts'
import type { Check } from './check.ts'

const INT64_MAX = 9_223_372_036_854_775_807n
const NEVER = { participant: 0n, divulged: 0n }

export const updateChecks: readonly Check[] = [
  {
    name: 'a new ledger ends at 0 and was never pruned',
    run: async ({ store: { updates } }) => {
      assert.equal(await updates.ledgerEnd(), 0n)
      assert.deepEqual(await updates.prunedUpTo(), NEVER)
    },
  },
  {
    name: 'an update that is not there is undefined',
    run: async ({ store: { updates } }) => {
      for (const offset of [0n, 1n, -1n, INT64_MAX, INT64_MAX + 1n, -INT64_MAX - 2n, 2n ** 64n]) {
        assert.equal(await updates.byOffset(offset), undefined, String(offset))
      }
      for (const id of ['', 'x', `'"?$1`, '😀']) assert.equal(await updates.byId(id), undefined)
      await assert.rejects(updates.byId('nul\0'), TypeError)
    },
  },
  {
    name: 'pruning after the end is refused, of nothing it changes nothing',
    run: async ({ store: { updates } }) => {
      for (const offset of [1n, INT64_MAX, INT64_MAX + 1n]) assert.equal(await updates.prune(offset), 'after-end')
      for (const offset of [0n, -1n, -INT64_MAX - 2n]) assert.equal(await updates.prune(offset), 'nothing')
      assert.deepEqual(await updates.prunedUpTo(), NEVER)
    },
  },
  {
    name: 'pruning at once, also while others write, answers each call',
    run: async ({ store }) => {
      const prunings = Promise.all(NUMBERS.map(() => store.updates.prune(0n)))
      await Promise.all(NUMBERS.map((index) => store.parties.allocate(aParty(`p${index}`), undefined)))
      assert.equal(count(await prunings, 'nothing'), NUMBERS.length)
    },
  },
  {
    name: 'pruning leaves users, parties and packages alone',
    run: async ({ store }) => {
      const upload = aPackage('x')
      await addUsers(store, aUser('ann'))
      await addParties(store, aParty('a'))
      await store.packages.upload([upload], [upload.packageId], 0n)
      await store.updates.prune(0n)
      assert.equal((await store.users.get('ann'))?.id, 'ann')
      assert.equal((await store.parties.get(['a'])).length, 1)
      assert.deepEqual(await store.packages.list(), [upload.packageId])
    },
  },
]
