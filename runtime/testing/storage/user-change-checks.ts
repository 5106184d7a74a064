// Changes of users: what an update writes, what makes it stale, and moves between providers.
import assert from 'node:assert/strict'
import { CHANGE, INT64_MAX, aRight, addProviders, addUsers, aUser, pageIds } from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { RightRecord } from '../../store/store.ts'

export const userChangeChecks: readonly Check[] = [
  ...updating(),
  ...refusing(),
  takenAway(),
  ...moving(),
]

function updating(): readonly Check[] {
  return [
    {
      name: 'an update writes all four fields, adds one to the version and answers the new record',
      run: async ({ store }) => {
        await addUsers(store, aUser('ann'))
        const expected = { ...aUser('ann'), ...CHANGE, resourceVersion: 1n }
        assert.deepEqual(await store.users.update('ann', 0n, CHANGE), expected)
        assert.deepEqual(await store.users.get('ann'), expected)
      },
    },
    {
      name: 'an update may empty what was set, and counts although nothing changes',
      run: async ({ store }) => {
        await addUsers(store, aUser('ann', { ...CHANGE }))
        const { id: _, identityProviderId: __, ...empty } = aUser('ann')
        assert.deepEqual(await store.users.update('ann', 0n, empty), {
          ...aUser('ann'),
          resourceVersion: 1n,
        })
        assert.deepEqual(await store.users.update('ann', 1n, empty), {
          ...aUser('ann'),
          resourceVersion: 2n,
        })
      },
    },
    {
      name: 'an update of nobody is missing',
      run: async ({ store }) =>
        assert.equal(await store.users.update('nobody', 0n, CHANGE), 'missing'),
    },
    {
      name: 'an update touches no other user and no rights',
      run: async ({ store }) => {
        await store.users.create(aUser('ann'), [aRight('ParticipantAdmin')])
        await addUsers(store, aUser('bob'))
        await store.users.update('ann', 0n, CHANGE)
        assert.deepEqual(await store.users.get('bob'), { ...aUser('bob'), resourceVersion: 0n })
        assert.deepEqual(await store.users.rights('ann'), [aRight('ParticipantAdmin')])
      },
    },
  ]
}

/** Updates of what is elsewhere, or has changed meanwhile. */
function refusing(): readonly Check[] {
  return [
    {
      name: 'an update in a provider does not reach a user of another one',
      run: async ({ store }) => {
        await addProviders(store, 'idp')
        await addUsers(store, aUser('ann', { identityProviderId: 'idp' }))
        assert.equal(await store.users.update('ann', 0n, CHANGE, { inProvider: '' }), 'missing')
        assert.equal(await store.users.update('ann', 1n, CHANGE, { inProvider: 'idp' }), 'stale')
        const updated = {
          ...aUser('ann', { identityProviderId: 'idp' }),
          ...CHANGE,
          resourceVersion: 1n,
        }
        assert.deepEqual(
          await store.users.update('ann', 0n, CHANGE, { inProvider: 'idp' }),
          updated,
        )
      },
    },
    {
      name: 'an update that has seen other rights is stale',
      run: async ({ store }) => {
        const seen = [aRight('CanActAs', 'p'), aRight('ParticipantAdmin')]
        await store.users.create(aUser('ann'), seen)
        const update = (rights: readonly RightRecord[]) =>
          store.users.update('ann', 0n, CHANGE, { inProvider: '', rights })
        for (const rights of [
          [],
          seen.slice(1),
          [...seen, aRight('CanReadAs', 'p')],
          [aRight('CanActAs', 'q'), aRight('ParticipantAdmin')],
        ]) {
          assert.equal(await update(rights), 'stale')
        }
        assert.deepEqual(await update(seen.toReversed()), {
          ...aUser('ann'),
          ...CHANGE,
          resourceVersion: 1n,
        })
      },
    },
    ...[
      1n,
      -1n,
      2n ** 32n,
      9_007_199_254_740_993n,
      INT64_MAX,
      -INT64_MAX - 1n,
      INT64_MAX + 1n,
      2n ** 64n,
    ].map(isStale),
  ]
}

function takenAway(): Check {
  return {
    name: 'a deletion or revocation in a provider does not reach a user of another one',
    run: async ({ store }) => {
      await addProviders(store, 'idp')
      const right = aRight('CanActAs', 'p')
      await store.users.create(aUser('ann', { identityProviderId: 'idp' }), [right])
      assert.equal(await store.users.revoke('ann', [right], ''), 'missing')
      assert.equal(await store.users.delete('ann', ''), 'missing')
      assert.deepEqual(await store.users.rights('ann'), [right])
      assert.deepEqual(await store.users.revoke('ann', [right], 'idp'), [right])
      assert.equal(await store.users.delete('ann', 'idp'), 'deleted')
      assert.equal(await store.users.get('ann'), undefined)
    },
  }
}

function isStale(expected: bigint): Check {
  return {
    name: `an update that expects version ${expected} of version 0 is stale`,
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      assert.equal(await store.users.update('ann', expected, CHANGE), 'stale')
      assert.deepEqual(await store.users.get('ann'), { ...aUser('ann'), resourceVersion: 0n })
    },
  }
}

function moving(): readonly Check[] {
  return [
    {
      name: 'a move changes the provider and nothing else',
      run: async ({ store }) => {
        await addProviders(store, 'idp')
        await store.users.create(aUser('ann', { ...CHANGE }), [aRight('ParticipantAdmin')])
        assert.equal(await store.users.move('ann', '', 'idp'), 'moved')
        const moved = {
          ...aUser('ann', { ...CHANGE, identityProviderId: 'idp' }),
          resourceVersion: 0n,
        }
        assert.deepEqual(await store.users.get('ann'), moved)
        assert.deepEqual([await pageIds(store), await pageIds(store, 'idp')], [[], ['ann']])
        assert.deepEqual(await store.users.rights('ann'), [aRight('ParticipantAdmin')])
        assert.equal(await store.users.move('ann', 'idp', ''), 'moved')
      },
    },
    {
      name: 'a move is refused from elsewhere, of nobody and to an unknown provider',
      run: refusesMoves,
    },
  ]
}

async function refusesMoves({ store }: CheckContext): Promise<void> {
  await addProviders(store, 'idp')
  await addUsers(store, aUser('ann'))
  assert.equal(await store.users.move('nobody', '', 'nowhere'), 'missing')
  assert.equal(await store.users.move('ann', 'idp', 'nowhere'), 'elsewhere')
  assert.equal(await store.users.move('ann', '', 'nowhere'), 'unknown-provider')
  assert.equal(await store.users.move('ann', '', ''), 'moved')
  assert.equal((await store.users.get('ann'))?.identityProviderId, '')
}
