// Rights are a set with a limit: grants answer what is new, revokes what was there.
import assert from 'node:assert/strict'
import { aRight, addProviders, addUsers, aUser, PLENTY } from './check.ts'
import type { Check } from './check.ts'

const ACT_A = aRight('CanActAs', 'a::1')
const ACT_B = aRight('CanActAs', 'b::1')
const READ_A = aRight('CanReadAs', 'a::1')
const ADMIN = aRight('ParticipantAdmin')

export const rightChecks: readonly Check[] = [
  {
    name: 'rights of nobody are undefined, of a new user empty',
    run: async ({ store }) => {
      assert.equal(await store.users.rights('nobody'), undefined)
      await addUsers(store, aUser('ann'))
      assert.deepEqual(await store.users.rights('ann'), [])
    },
  },
  {
    name: 'rights that come with a new user are kept once each, in order',
    run: async ({ store }) => {
      await store.users.create(aUser('ann'), [ADMIN, ACT_B, ACT_A, ADMIN])
      assert.deepEqual(await store.users.rights('ann'), [ACT_A, ACT_B, ADMIN])
    },
  },
  {
    name: 'rights are ordered by kind, then party, both by bytes',
    run: async ({ store }) => {
      const parties = ['', 'A', 'Z', 'a', 'a:', 'aa', 'z', 'é', '\uffee', '😀']
      const ordered = ['CanActAs', 'Empty', 'a'].flatMap((kind) =>
        parties.map((party) => aRight(kind, party)),
      )
      await addUsers(store, aUser('ann'))
      await store.users.grant('ann', ordered.toReversed(), PLENTY)
      assert.deepEqual(await store.users.rights('ann'), ordered)
    },
  },
  {
    name: 'a grant answers what is new, each once, as asked',
    run: async ({ store }) => {
      await store.users.create(aUser('ann'), [ACT_B])
      assert.deepEqual(await store.users.grant('ann', [READ_A, ACT_B, ADMIN, READ_A, ACT_A], 9), [
        READ_A,
        ADMIN,
        ACT_A,
      ])
      assert.deepEqual(await store.users.grant('ann', [READ_A, ACT_B], 9), [])
      assert.deepEqual(await store.users.grant('ann', [], 9), [])
      assert.deepEqual(await store.users.rights('ann'), [ACT_A, ACT_B, READ_A, ADMIN])
    },
  },
  {
    name: 'a revoke answers what was there, each once, as asked',
    run: async ({ store }) => {
      await store.users.create(aUser('ann'), [ACT_A, ACT_B, ADMIN])
      assert.deepEqual(await store.users.revoke('ann', [ADMIN, READ_A, ACT_A, ADMIN]), [
        ADMIN,
        ACT_A,
      ])
      assert.deepEqual(await store.users.revoke('ann', [ADMIN]), [])
      assert.deepEqual(await store.users.revoke('ann', []), [])
      assert.deepEqual(await store.users.rights('ann'), [ACT_B])
    },
  },
  {
    name: 'a grant to nobody and a revoke from nobody are missing',
    run: async ({ store }) => {
      assert.equal(await store.users.grant('nobody', [ADMIN], 9), 'missing')
      assert.equal(await store.users.revoke('nobody', [ADMIN]), 'missing')
    },
  },
  {
    name: 'a grant in a provider does not reach a user of another one',
    run: async ({ store }) => {
      await addProviders(store, 'idp')
      await addUsers(store, aUser('ann', { identityProviderId: 'idp' }))
      assert.equal(await store.users.grant('ann', [ADMIN], 9, ''), 'missing')
      assert.deepEqual(await store.users.rights('ann'), [])
      assert.deepEqual(await store.users.grant('ann', [ADMIN], 9, 'idp'), [ADMIN])
    },
  },
  {
    name: 'a grant up to the limit is written, one beyond writes nothing',
    run: async ({ store }) => {
      await store.users.create(aUser('ann'), [ACT_A])
      assert.equal(await store.users.grant('ann', [ACT_B, READ_A, ADMIN], 3), 'too-many')
      assert.deepEqual(await store.users.rights('ann'), [ACT_A])
      assert.deepEqual(await store.users.grant('ann', [ACT_A, ACT_B, READ_A], 3), [ACT_B, READ_A])
      assert.deepEqual(await store.users.grant('ann', [ACT_A, READ_A], 3), [])
      assert.equal(await store.users.grant('ann', [ADMIN], 3), 'too-many')
    },
  },
  {
    name: '1,000 rights are granted and revoked at once',
    run: async ({ store }) => {
      const many = Array.from({ length: 1_000 }, (_, index) => aRight('CanReadAs', `p${index}::1`))
      await addUsers(store, aUser('ann'))
      assert.deepEqual(await store.users.grant('ann', many, 1_000), many)
      assert.equal((await store.users.rights('ann'))?.length, 1_000)
      assert.deepEqual(await store.users.revoke('ann', many), many)
      assert.deepEqual(await store.users.rights('ann'), [])
    },
  },
  {
    name: 'rights belong to one user, and texts in them are kept',
    run: async ({ store }) => {
      const odd = [aRight(`k'"\\`, `p'"\\?$1 😀`), aRight('k', '\u202e\n')]
      await addUsers(store, aUser('ann'), aUser('bob'))
      await store.users.grant('ann', odd, 9)
      assert.deepEqual(await store.users.revoke('bob', odd), [])
      assert.deepEqual(await store.users.revoke('ann', odd), odd)
    },
  },
  {
    name: 'rights changes leave the version alone',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      await store.users.grant('ann', [ADMIN], 9)
      await store.users.revoke('ann', [ADMIN])
      assert.equal((await store.users.get('ann'))?.resourceVersion, 0n)
    },
  },
]
