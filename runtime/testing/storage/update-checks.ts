// Updates of an empty ledger: nothing is found, nothing can be pruned.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  INT64_MAX,
  addParties,
  addUsers,
  aPackage,
  aParty,
  aUser,
  count,
  NUMBERS,
} from './check.ts'
import { append, updateAt } from './ledger-kit.ts'
import type { Check, CheckContext } from './check.ts'

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
    },
  },
  {
    name: 'pruning after the end is refused, of nothing it changes nothing',
    run: async ({ store: { updates } }) => {
      for (const offset of [1n, INT64_MAX, INT64_MAX + 1n])
        assert.equal(await updates.prune(offset), 'after-end')
      for (const offset of [0n, -1n, -INT64_MAX - 2n])
        assert.equal(await updates.prune(offset), 'nothing')
      assert.deepEqual(await updates.prunedUpTo(), NEVER)
    },
  },
  { name: 'pruning and forgetting of much leave others their turns', run: taking },
  { name: 'pruning of few updates that very many parties see does too', run: seenByMany },
  {
    name: 'pruning at once, also while others write, answers each call',
    run: async ({ store }) => {
      const prunings = Promise.all(NUMBERS.map(() => store.updates.prune(0n)))
      await Promise.all(
        NUMBERS.map((index) => store.parties.allocate(aParty(`p${index}`), undefined)),
      )
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

/** 2,500 updates and commands. */
async function taking({ store }: CheckContext): Promise<void> {
  for (let part = 0; part < 5; part += 1) {
    await append(store, (from) => {
      const offsets = Array.from({ length: 500 }, (_none, index) => from + BigInt(index))
      return {
        updates: offsets.map(updateAt),
        commands: offsets.map((offset) => ({
          key: `c${offset}`,
          updateId: `update-${offset}`,
          offset,
          keptUntil: offset,
        })),
      }
    })
  }
  assert.ok((await turnsWhile(() => store.updates.prune(2_499n))) >= 2, 'pruning')
  assert.deepEqual(
    [await store.updates.byOffset(2_499n), await store.updates.byId('update-1')],
    [undefined, undefined],
  )
  assert.deepEqual(await store.updates.byOffset(2_500n), updateAt(2_500n))
  assert.ok((await turnsWhile(() => store.contracts.forgetCommands(2_500n))) >= 2, 'forgetting')
  assert.equal(await store.contracts.command('c2499'), undefined)
  assert.equal((await store.contracts.command('c2500'))?.offset, 2_500n)
}

/** 200 updates, 40,000 times seen by somebody. */
async function seenByMany({ store }: CheckContext): Promise<void> {
  const seenBy = Array.from({ length: 200 }, (_none, index) => `p${index}`)
  await append(store, (from) => ({
    updates: Array.from({ length: 200 }, (_none, index) => ({
      ...updateAt(from + BigInt(index)),
      seenBy,
    })),
  }))
  assert.ok((await turnsWhile(() => store.updates.prune(199n))) >= 8)
  const found = await Promise.all([199n, 200n].map((offset) => store.updates.byOffset(offset)))
  assert.deepEqual(found, [undefined, updateAt(200n)])
}

/** Number of turns that others had until it ended. */
async function turnsWhile(act: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  await act()
  isOver = true
  await others
  return turns
}
