// A store's life: ping, close, what is left after both.
import assert from 'node:assert/strict'
import { addParties, aParty, aRight, addProviders, aProvider, aUser, pageIds } from './check.ts'
import type { Check } from './check.ts'

export const lifeChecks: readonly Check[] = [
  {
    name: 'a ping resolves while the store is open and rejects afterwards',
    run: async ({ store }) => {
      await store.ping()
      await store.close()
      await assert.rejects(store.ping())
    },
  },
  {
    name: 'close is idempotent, also at the same time',
    run: async ({ store }) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
    },
  },
  {
    name: 'close waits for the writes in flight, and none of them fails',
    needs: 'durable',
    run: async ({ store, reopen }) => {
      const ids = Array.from({ length: 50 }, (_, index) => `u${index}`)
      const writes = ids.map((id) => store.users.create(aUser(id), []))
      const [answers] = await Promise.all([Promise.all(writes), store.close()])
      assert.ok(answers.every((answer) => answer === 'created'))
      const again = await reopen()
      assert.deepEqual(await pageIds(again), ids.toSorted())
      await again.close()
    },
  },
  {
    name: 'everything is there after close and reopen',
    needs: 'durable',
    run: async ({ store, reopen }) => {
      await addProviders(store, 'idp')
      await store.users.create(aUser('ann', { annotations: { k: '😀' } }), [
        aRight('CanActAs', 'p'),
      ])
      await store.users.update('ann', 0n, aUser('ann', { primaryParty: 'p' }))
      await store.users.move('ann', '', 'idp')
      await addParties(store, aParty('a', { identityProviderId: 'idp', topology: '{}' }))
      await store.parties.allocate(aParty('b'), { userId: 'ann', maxRights: 2 })
      await store.parties.update('a', 0n, { k: '😀' })
      const before = await store.users.get('ann')
      const parties = await store.parties.get(['a', 'b'])
      await store.close()
      const again = await reopen()
      assert.deepEqual(await again.users.get('ann'), before)
      assert.equal(before?.resourceVersion, 1n)
      assert.deepEqual(await again.users.rights('ann'), [
        aRight('CanActAs', 'b'),
        aRight('CanActAs', 'p'),
      ])
      assert.deepEqual(await again.parties.get(['a', 'b']), parties)
      assert.deepEqual(await again.identityProviders.list(), [aProvider('idp')])
      await again.close()
    },
  },
]
