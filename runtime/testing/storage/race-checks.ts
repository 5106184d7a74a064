// Races inside one process: of many calls in flight at once, the rules hold as if they came one
// after the other.
import assert from 'node:assert/strict'
import {
  aRight,
  addProviders,
  addUsers,
  aProvider,
  aUser,
  count,
  NUMBERS,
  PLENTY,
  RACERS,
} from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { Store, UserChange } from '../../store/store.ts'

export const raceChecks: readonly Check[] = [
  {
    name: `of ${RACERS} updates that expect the same version exactly one wins`,
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      await oneWins([store], 0n)
    },
  },
  {
    name: `of ${RACERS} creations of one id exactly one wins, with its rights`,
    run: async ({ store }) => {
      const answers = await Promise.all(
        NUMBERS.map((index) => {
          const user = aUser('ann', { primaryParty: `p${index}` })
          return store.users.create(user, [aRight('CanActAs', `p${index}`)])
        }),
      )
      assert.equal(count(answers, 'created'), 1)
      assert.equal(count(answers, 'exists'), RACERS - 1)
      const party = (await store.users.get('ann'))?.primaryParty ?? ''
      assert.deepEqual(await store.users.rights('ann'), [aRight('CanActAs', party)])
    },
  },
  { name: `of ${RACERS} grants of one right exactly one finds it new`, run: grantsOnce },
  {
    name: `${RACERS} grants at once stay within the limit`,
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      const answers = await Promise.all(
        NUMBERS.map((index) => store.users.grant('ann', [aRight('CanActAs', `p${index}`)], 10)),
      )
      assert.equal(count(answers, 'too-many'), RACERS - 10)
      assert.equal((await store.users.rights('ann'))?.length, 10)
    },
  },
  {
    name: `${RACERS} providers created at once stay within the limit`,
    run: async ({ store: { identityProviders } }) => {
      const answers = await Promise.all(
        NUMBERS.map((index) => identityProviders.create(aProvider(`idp${index}`), 16)),
      )
      assert.equal(count(answers, 'created'), 16)
      assert.equal(count(answers, 'too-many'), RACERS - 16)
      assert.equal((await identityProviders.list()).length, 16)
    },
  },
  {
    name: `of ${RACERS} providers with one issuer exactly one is created`,
    run: async ({ store: { identityProviders } }) => {
      const answers = await Promise.all(
        NUMBERS.map((index) =>
          identityProviders.create(aProvider(`idp${index}`, { issuer: 'same' }), PLENTY),
        ),
      )
      assert.equal(count(answers, 'created'), 1)
      assert.equal(count(answers, 'issuer-exists'), RACERS - 1)
    },
  },
  {
    name: 'providers that race for an issuer by update share it never',
    run: async ({ store }) => {
      await addProviders(store, 'a', 'b', 'c')
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((id) =>
          store.identityProviders.update(aProvider(id, { issuer: 'same' })),
        ),
      )
      assert.equal(count(answers, 'updated'), 1)
      assert.equal(count(answers, 'issuer-exists'), 2)
    },
  },
  {
    name: `of ${RACERS} updates of the same reading of a provider exactly one wins`,
    run: async ({ store: { identityProviders } }) => {
      const read = aProvider('idp')
      await identityProviders.create(read, PLENTY)
      const answers = await Promise.all(
        NUMBERS.map((index) => identityProviders.update({ ...read, audience: `${index}` }, read)),
      )
      assert.equal(count(answers, 'updated'), 1)
      assert.equal(count(answers, 'stale'), RACERS - 1)
      assert.equal(await identityProviders.update(aProvider('nobody'), read), 'missing')
    },
  },
  {
    name: 'a provider that is deleted while users come ends in use or without users',
    run: deletesUnderLoad,
  },
  {
    name: `of ${RACERS} deletions exactly one finds the user`,
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      const answers = await Promise.all(NUMBERS.map(() => store.users.delete('ann')))
      assert.equal(count(answers, 'deleted'), 1)
    },
  },
  {
    name: 'of moves from one provider to several exactly one wins',
    run: async ({ store }) => {
      await addProviders(store, 'a', 'b', 'c')
      await addUsers(store, aUser('ann'))
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((to) => store.users.move('ann', '', to)),
      )
      assert.equal(count(answers, 'moved'), 1)
      assert.equal(count(answers, 'elsewhere'), 2)
    },
  },
  {
    name: 'two stores on the same data see each other at once, and their updates race fairly',
    needs: 'multiProcess',
    run: async ({ store, reopen }) => {
      const other = await reopen()
      await addUsers(store, aUser('ann'))
      assert.equal((await other.users.get('ann'))?.resourceVersion, 0n)
      for (let version = 0n; version < 10n; version += 1n) await oneWins([store, other], version)
      await other.users.grant('ann', [aRight('ParticipantAdmin')], 1)
      assert.equal(await store.users.grant('ann', [aRight('CanReadAs', 'p')], 1), 'too-many')
      await other.close()
    },
  },
  {
    name: 'two stores on the same data share the limit and the issuers of providers',
    needs: 'multiProcess',
    run: async ({ store, reopen }) => {
      const other = await reopen()
      const stores = [store, other]
      const answers = await Promise.all(
        NUMBERS.flatMap((index) =>
          stores.map((each) => each.identityProviders.create(aProvider(`idp${index}`), 16)),
        ),
      )
      assert.equal(count(answers, 'created'), 16)
      assert.deepEqual(await store.identityProviders.list(), await other.identityProviders.list())
      await other.close()
    },
  },
]

async function oneWins(stores: readonly Store[], version: bigint): Promise<void> {
  const answers = await Promise.all(
    NUMBERS.flatMap((index) =>
      stores.map((store) => store.users.update('ann', version, racerChange(index))),
    ),
  )
  const winners = answers.filter((answer) => typeof answer === 'object')
  assert.equal(winners.length, 1)
  assert.equal(count(answers, 'stale'), answers.length - 1)
  for (const store of stores) assert.deepEqual(await store.users.get('ann'), winners[0])
  assert.equal(winners[0]?.resourceVersion, version + 1n)
}

function racerChange(index: number): UserChange {
  const annotations = { racer: String(index) }
  return {
    primaryParty: `p${index}`,
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations,
  }
}

async function grantsOnce({ store }: CheckContext): Promise<void> {
  const right = aRight('ParticipantAdmin')
  await addUsers(store, aUser('ann'))
  const granted = await Promise.all(NUMBERS.map(() => store.users.grant('ann', [right], 9)))
  assert.deepEqual(
    granted.flat().filter((answer) => answer !== 'missing'),
    [right],
  )
  const revoked = await Promise.all(NUMBERS.map(() => store.users.revoke('ann', [right])))
  assert.deepEqual(revoked.flat(), [right])
}

async function deletesUnderLoad({ store }: CheckContext): Promise<void> {
  await addProviders(store, 'idp')
  const [deleted, ...created] = await Promise.all([
    store.identityProviders.delete('idp'),
    ...NUMBERS.map((index) =>
      store.users.create(aUser(`u${index}`, { identityProviderId: 'idp' }), []),
    ),
  ])
  const users = await store.users.list({ identityProviderId: 'idp', after: '', limit: PLENTY })
  assert.equal(users.length, count(created, 'created'))
  if (deleted === 'deleted') assert.equal(count(created, 'unknown-provider'), RACERS)
  else assert.equal(count(created, 'created'), RACERS)
}
