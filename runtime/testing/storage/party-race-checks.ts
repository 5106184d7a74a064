// Races for parties and packages: of many calls in flight at once, also on two stores, the rules
// hold as if they came one after the other.
import assert from 'node:assert/strict'
import {
  addParties,
  addProviders,
  addUsers,
  aPackage,
  aParty,
  aRight,
  aUser,
  count,
  NUMBERS,
  partyIds,
  RACERS,
  readPayload,
} from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { Store } from '../../store/store.ts'

export const partyRaceChecks: readonly Check[] = [
  {
    name: `of ${RACERS} allocations of one party exactly one wins, and only its user has the right`,
    run: async ({ store }) => oneAllocates([store]),
  },
  {
    name: `${RACERS} allocations for one user at once stay within the limit, and none is half done`,
    run: async ({ store }) => {
      await addUsers(store, aUser('bob'))
      const answers = await Promise.all(
        NUMBERS.map((index) =>
          store.parties.allocate(aParty(`p${index}`), { userId: 'bob', maxRights: 10 }),
        ),
      )
      assert.deepEqual([count(answers, 'created'), count(answers, 'too-many')], [10, RACERS - 10])
      const rights = await store.users.rights('bob')
      assert.deepEqual(
        await partyIds(store),
        rights?.map(({ party }) => party),
      )
    },
  },
  {
    name: `of ${RACERS} updates of a party that expect the same version exactly one wins`,
    run: async ({ store }) => {
      await addParties(store, aParty('a'))
      await oneUpdates([store], 0n)
    },
  },
  {
    name: 'a provider that is deleted while parties come ends in use or without parties',
    run: deletesUnderLoad,
  },
  {
    name: 'a user who is deleted while parties come leaves parties with a grant that was made, and no more',
    run: async ({ store }) => {
      await addUsers(store, aUser('bob'))
      const [, ...answers] = await Promise.all([
        store.users.delete('bob'),
        ...NUMBERS.map((index) =>
          store.parties.allocate(aParty(`p${index}`), { userId: 'bob', maxRights: 99 }),
        ),
      ])
      assert.equal(count(answers, 'created') + count(answers, 'unknown-user'), RACERS)
      assert.equal((await partyIds(store)).length, count(answers, 'created'))
    },
  },
  {
    name: 'of uploads that vet with the same version exactly one wins, the others leave nothing',
    run: async ({ store }) => oneVets([store]),
  },
  { name: 'uploads of one package at once store it once', run: uploadsTogether },
  {
    name: 'two stores on the same data share parties, and their allocations and updates race fairly',
    needs: 'multiProcess',
    run: async ({ store, reopen }) => {
      const other = await reopen()
      await oneAllocates([store, other])
      await addParties(store, aParty('a'))
      for (let version = 0n; version < 10n; version += 1n) await oneUpdates([store, other], version)
    },
  },
  {
    name: 'two stores on the same data share packages, and their uploads race fairly',
    needs: 'multiProcess',
    run: async ({ store, reopen }) => {
      const other = await reopen()
      await oneVets([store, other])
      const [listed, alike] = [await store.packages.list(), await other.packages.list()]
      assert.deepEqual(listed, alike)
      assert.deepEqual(await store.packages.get(listed), await other.packages.get(listed))
    },
  },
]

async function oneAllocates(stores: readonly Store[]): Promise<void> {
  const [store] = stores
  assert.ok(store)
  const users = NUMBERS.map((index) => `u${index}`)
  await addUsers(store, ...users.map((id) => aUser(id)))
  const answers = await Promise.all(
    users.flatMap((userId) =>
      stores.map((each) =>
        each.parties.allocate(aParty('ann', { annotations: { userId } }), { userId, maxRights: 9 }),
      ),
    ),
  )
  assert.deepEqual([count(answers, 'created'), count(answers, 'exists')], [1, answers.length - 1])
  const winner = (await store.parties.get(['ann']))[0]?.annotations['userId']
  for (const id of users) {
    assert.deepEqual(await store.users.rights(id), id === winner ? [aRight('CanActAs', 'ann')] : [])
  }
}

async function oneUpdates(stores: readonly Store[], version: bigint): Promise<void> {
  const answers = await Promise.all(
    NUMBERS.flatMap((index) =>
      stores.map((store) => store.parties.update('a', version, { racer: String(index) })),
    ),
  )
  const winners = answers.filter((answer) => typeof answer === 'object')
  assert.deepEqual([winners.length, count(answers, 'stale')], [1, answers.length - 1])
  for (const store of stores) assert.deepEqual(await store.parties.get(['a']), winners)
}

async function deletesUnderLoad({ store }: CheckContext): Promise<void> {
  await addProviders(store, 'idp')
  const [deleted, ...answers] = await Promise.all([
    store.identityProviders.delete('idp'),
    ...NUMBERS.map((index) =>
      store.parties.allocate(aParty(`p${index}`, { identityProviderId: 'idp' }), undefined),
    ),
  ])
  assert.equal(
    (await partyIds(store, { identityProviderId: 'idp' })).length,
    count(answers, 'created'),
  )
  if (deleted === 'deleted') assert.equal(count(answers, 'unknown-provider'), RACERS)
  else assert.equal(count(answers, 'created'), RACERS)
}

async function oneVets(stores: readonly Store[]): Promise<void> {
  const racers = NUMBERS.slice(0, 10).flatMap((index) =>
    stores.map((store, place) => ({
      store,
      packages: ['main', 'library'].map((part) => aPackage(`${part} ${index} ${place}`)),
    })),
  )
  const answers = await Promise.all(
    racers.map(({ store, packages }) =>
      store.packages.upload(
        packages,
        packages.map(({ packageId }) => packageId),
        0n,
      ),
    ),
  )
  assert.deepEqual([count(answers, 'stored'), count(answers, 'stale')], [1, answers.length - 1])
  const winner = racers[answers.indexOf('stored')]
  const ids = winner?.packages.map(({ packageId }) => packageId).toSorted()
  for (const { packages } of stores) {
    assert.deepEqual(await packages.list(), ids)
    assert.equal(await packages.vettingVersion(), 1n)
  }
}

async function uploadsTogether({ store }: CheckContext): Promise<void> {
  const shared = aPackage(Buffer.alloc(2_500_000, 'ab'))
  const answers = await Promise.all(
    NUMBERS.slice(0, 5).map((index) =>
      store.packages.upload([aPackage(`own ${index}`), shared], [], 0n),
    ),
  )
  assert.equal(count(answers, 'stored'), 5)
  assert.equal((await store.packages.list()).length, 6)
  assert.deepEqual(await readPayload(store, shared.packageId), await shared.readPayload())
}
