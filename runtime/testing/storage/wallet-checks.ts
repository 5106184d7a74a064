// Wallets: a link is made whole or not at all, on a party that is fresh or fit, and ends with its
// user.
import assert from 'node:assert/strict'
import {
  addParties,
  addProviders,
  addUsers,
  aParty,
  aRight,
  aUser,
  count,
  NUMBERS,
  RACERS,
} from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { Store, WalletOpening } from '../../store/store.ts'

const ACT = aRight('CanActAs', 'ann::1')

/** An opening for ann on a fresh party, with the right to act for it, changed by `patch`. */
function opening(patch: Partial<WalletOpening> = {}): WalletOpening {
  return {
    userId: 'ann',
    identityProviderId: '',
    createsUser: false,
    party: { fresh: aParty('ann::1') },
    grantsActAs: true,
    maxRights: 9,
    ...patch,
  }
}

const GIVEN = { party: { given: 'ann::1' } }

async function addPeople({ store }: CheckContext): Promise<void> {
  await addProviders(store, 'idp')
  await addUsers(store, aUser('ann'), aUser('bob', { identityProviderId: 'idp' }))
}

async function assertNothing(store: Store): Promise<void> {
  assert.equal(await store.wallets.party('ann'), undefined)
  assert.deepEqual(await store.users.rights('ann'), [])
  assert.deepEqual(await store.users.get('ann'), { ...aUser('ann'), resourceVersion: 0n })
}

export const walletChecks: readonly Check[] = [
  {
    name: 'a wallet on a fresh party comes with party, rights, link and primary party',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      assert.equal(await store.wallets.open(opening()), 'opened')
      assert.equal(await store.wallets.party('ann'), 'ann::1')
      assert.deepEqual(await store.parties.get(['ann::1']), [
        { ...aParty('ann::1'), resourceVersion: 0n },
      ])
      assert.deepEqual(await store.users.rights('ann'), [ACT])
      assert.deepEqual(await store.users.get('ann'), {
        ...aUser('ann', { primaryParty: 'ann::1' }),
        resourceVersion: 1n,
      })
      assert.deepEqual(
        [await store.wallets.party('bob'), await store.wallets.party('nobody')],
        [undefined, undefined],
      )
    },
  },
  {
    name: 'a wallet on a given party leaves a primary party that is set, and grants what is missing',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      await addUsers(store, aUser('eve', { primaryParty: 'p' }))
      await addParties(store, aParty('ann::1'))
      assert.equal(
        await store.wallets.open(opening({ ...GIVEN, userId: 'eve', grantsActAs: false })),
        'opened',
      )
      assert.deepEqual(await store.users.rights('eve'), [])
      assert.deepEqual(await store.users.get('eve'), {
        ...aUser('eve', { primaryParty: 'p' }),
        resourceVersion: 0n,
      })
      await store.users.grant('ann', [ACT], 1)
      assert.equal(await store.wallets.open(opening({ ...GIVEN, maxRights: 1 })), 'opened')
      assert.deepEqual(await store.users.rights('ann'), [ACT])
    },
  },
  {
    name: 'parties that are some wallet are found among others, each once, while the link lasts',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      await addUsers(store, aUser('eve'))
      await addParties(store, aParty('bare::1'))
      await store.wallets.open(opening())
      await store.wallets.open(opening({ ...GIVEN, userId: 'eve' }))
      const asked = ['bare::1', 'ann::1', 'nobody::1', 'ann::1']
      assert.deepEqual(await store.wallets.among(asked), ['ann::1'])
      assert.deepEqual(await store.wallets.among([]), [])
      await store.users.delete('ann')
      assert.deepEqual(await store.wallets.among(asked), ['ann::1'])
      await store.users.delete('eve')
      assert.deepEqual(await store.wallets.among(asked), [])
    },
  },
  { name: 'a wallet that is refused leaves nothing', run: refuses },
  {
    name: 'a wallet may bring its user, in its provider',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      const asked = {
        userId: 'eve',
        identityProviderId: 'idp',
        createsUser: true,
      }
      assert.equal(
        await store.wallets.open(opening({ ...asked, identityProviderId: 'none' })),
        'unknown-provider',
      )
      assert.equal(await store.wallets.open(opening({ ...asked, maxRights: 0 })), 'too-many')
      assert.deepEqual(
        [await store.users.get('eve'), await store.parties.get(['ann::1'])],
        [undefined, []],
      )
      assert.equal(await store.wallets.open(opening(asked)), 'opened')
      const eve = aUser('eve', { identityProviderId: 'idp', primaryParty: 'ann::1' })
      assert.deepEqual(await store.users.get('eve'), { ...eve, resourceVersion: 1n })
      assert.deepEqual(
        [await store.users.rights('eve'), await store.wallets.party('eve')],
        [[ACT], 'ann::1'],
      )
      assert.equal(
        await store.wallets.open(opening({ createsUser: true, userId: 'bob' })),
        'unknown-user',
      )
    },
  },
  {
    name: `of ${RACERS} openings that bring one user exactly one wins, and no other party comes about`,
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      const answers = await Promise.all(
        NUMBERS.map((index) =>
          store.wallets.open(
            opening({
              userId: 'eve',
              createsUser: true,
              party: { fresh: aParty(`p${index}`) },
            }),
          ),
        ),
      )
      assert.equal(count(answers, 'opened'), 1)
      assert.equal(count(answers, 'has-wallet') + count(answers, 'stale'), RACERS - 1)
      const parties = await store.parties.get(NUMBERS.map((index) => `p${index}`))
      assert.deepEqual(
        parties.map(({ party }) => party),
        [await store.wallets.party('eve')],
      )
    },
  },
  {
    name: 'a user has one wallet',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      await store.wallets.open(opening())
      assert.equal(
        await store.wallets.open(opening({ party: { fresh: aParty('b::1') } })),
        'has-wallet',
      )
      assert.deepEqual(await store.parties.get(['b::1']), [])
    },
  },
  {
    name: 'a wallet ends with its user, who may come back without one',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      await store.wallets.open(opening())
      await store.users.delete('ann')
      assert.equal(await store.wallets.party('ann'), undefined)
      await addUsers(store, aUser('ann', { identityProviderId: 'idp' }))
      assert.equal(await store.wallets.party('ann'), undefined)
      assert.deepEqual(await store.users.rights('ann'), [])
    },
  },
  {
    name: 'a wallet goes with a user who is moved to another provider',
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      await store.wallets.open(opening())
      await store.users.move('ann', '', 'idp')
      assert.equal(await store.wallets.party('ann'), 'ann::1')
    },
  },
  {
    name: `of ${RACERS} openings for one user exactly one wins, and its party alone comes about`,
    run: async (context) => {
      const { store } = context
      await addPeople(context)
      const answers = await Promise.all(
        NUMBERS.map((index) =>
          store.wallets.open(opening({ party: { fresh: aParty(`p${index}`) } })),
        ),
      )
      assert.deepEqual([count(answers, 'opened'), count(answers, 'has-wallet')], [1, RACERS - 1])
      const parties = await store.parties.get(NUMBERS.map((index) => `p${index}`))
      assert.deepEqual(
        parties.map(({ party }) => party),
        [await store.wallets.party('ann')],
      )
      assert.equal((await store.users.rights('ann'))?.length, 1)
    },
  },
]

async function refuses(context: CheckContext): Promise<void> {
  const { store } = context
  await addPeople(context)
  await addUsers(store, aUser('eve'))
  await store.users.grant('eve', [aRight('CanReadAs', 'named::1')], 9)
  await addParties(
    store,
    aParty('taken::1'),
    aParty('far::1', { isLocal: false }),
    aParty('outside::1', { topology: '{}' }),
  )
  await addParties(store, aParty('idp::1', { identityProviderId: 'idp' }))
  const rejections: readonly (readonly [Partial<WalletOpening>, string])[] = [
    [{ userId: 'nobody' }, 'unknown-user'],
    [{ identityProviderId: 'idp' }, 'unknown-user'],
    [{ userId: 'bob' }, 'unknown-user'],
    [{ party: { fresh: aParty('taken::1') } }, 'party-taken'],
    [{ party: { fresh: aParty('named::1') } }, 'party-taken'],
    [{ party: { fresh: aParty('ann::1', { identityProviderId: 'none' }) } }, 'unknown-provider'],
    [{ party: { given: 'ann::1' } }, 'party-unfit'],
    [{ party: { given: 'far::1' } }, 'party-unfit'],
    [{ party: { given: 'outside::1' } }, 'party-unfit'],
    [{ party: { given: 'idp::1' } }, 'party-unfit'],
    [{ maxRights: 0 }, 'too-many'],
  ]
  for (const [patch, answer] of rejections) {
    assert.equal(await store.wallets.open(opening(patch)), answer, answer)
    await assertNothing(store)
    assert.deepEqual(await store.parties.get(['ann::1']), [])
  }
}
