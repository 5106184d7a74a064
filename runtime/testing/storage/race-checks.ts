// Races: of many calls in flight at once, also on two stores on the same data, the rules hold as if
// they came one after the other.
import assert from 'node:assert/strict'
import {
  addParties,
  addProviders,
  addUsers,
  aPackage,
  aParty,
  aProvider,
  aRight,
  aUser,
  CHANGE,
  count,
  NUMBERS,
  partyIds,
  PLENTY,
  RACERS,
  readPayload,
} from './check.ts'
import type { Check } from './check.ts'
import type { Store, WalletOpening } from '../../store/store.ts'

interface Race {
  readonly name: string
  /** Makes what is there before. */
  prepare?(store: Store): Promise<void>
  /** Racers at each store; `RACERS` if absent. */
  readonly racers?: number
  /** The act of each racer; they are counted over all stores. */
  act(store: Store, racer: number): Promise<unknown>
  /** The winners' answer, and how many of them there are; what is no text counts as `won`. */
  readonly wins?: readonly [answer: string, number: number]
  /** Answers that the others may get. */
  readonly others: readonly string[]
  /** Asserts what holds at each store. */
  check?(store: Store, answers: readonly unknown[]): Promise<void>
}

const ADMIN = aRight('ParticipantAdmin')
const READ = aProvider('idp')
const SHARED = aPackage(Buffer.alloc(2_500_000, 'ab'))
const NOTE = { userId: 'ann', identityProviderId: '', name: 'book' }

/** A party for each racer, by a name that sorts. */
const partyOf = (racer: number): string => `p${racer}`

const packagesOf = (racer: number) =>
  ['main', 'library'].map((part) => aPackage(`${part} ${racer}`))

function opening(racer: number, patch: Partial<WalletOpening> = {}): WalletOpening {
  return {
    userId: 'ann',
    identityProviderId: '',
    createsUser: false,
    party: { fresh: aParty(partyOf(racer)) },
    grantsActAs: true,
    maxRights: 9,
    ...patch,
  }
}

/** The party of the wallet is the only one, and its right the user's only one. */
async function oneWallet(store: Store): Promise<void> {
  const { wallets, users } = store
  const party = await wallets.party('ann')
  assert.deepEqual(await partyIds(store), [party])
  assert.deepEqual(await users.rights('ann'), [aRight('CanActAs', party)])
}

const ann = (store: Store): Promise<void> => addUsers(store, aUser('ann'))

const RACES: readonly Race[] = [
  {
    name: 'updates of a user that expect the same version',
    prepare: ann,
    act: ({ users }, racer) => users.update('ann', 0n, { ...CHANGE, primaryParty: partyOf(racer) }),
    wins: ['won', 1],
    others: ['stale'],
    check: async ({ users }, answers) =>
      assert.deepEqual(
        [await users.get('ann')],
        answers.filter((answer) => typeof answer === 'object'),
      ),
  },
  {
    name: 'creations of one id, with its rights',
    act: ({ users }, racer) =>
      users.create(aUser('ann', { primaryParty: partyOf(racer) }), [
        aRight('CanActAs', partyOf(racer)),
      ]),
    wins: ['created', 1],
    others: ['exists'],
    check: async ({ users }) => {
      const party = (await users.get('ann'))?.primaryParty
      assert.deepEqual(await users.rights('ann'), [aRight('CanActAs', party)])
    },
  },
  {
    name: 'grants of one right, which one of them finds new',
    prepare: ann,
    act: async ({ users }) => ((await users.grant('ann', [ADMIN], 9)).length === 1 ? 'new' : 'old'),
    wins: ['new', 1],
    others: ['old'],
  },
  {
    name: 'revocations of one right',
    prepare: async ({ users }) => void (await users.create(aUser('ann'), [ADMIN])),
    act: async ({ users }) => ((await users.revoke('ann', [ADMIN])).length === 1 ? 'had' : 'none'),
    wins: ['had', 1],
    others: ['none'],
  },
  {
    name: 'grants up to a limit',
    prepare: ann,
    act: ({ users }, racer) => users.grant('ann', [aRight('CanActAs', partyOf(racer))], 10),
    wins: ['won', 10],
    others: ['too-many'],
    check: async ({ users }) => assert.equal((await users.rights('ann'))?.length, 10),
  },
  {
    name: 'providers up to a limit',
    act: ({ identityProviders }, racer) => identityProviders.create(aProvider(`idp${racer}`), 16),
    wins: ['created', 16],
    others: ['too-many'],
    check: async ({ identityProviders }) =>
      assert.equal((await identityProviders.list()).length, 16),
  },
  {
    name: 'providers with one issuer',
    act: ({ identityProviders }, racer) =>
      identityProviders.create(aProvider(`idp${racer}`, { issuer: 'same' }), PLENTY),
    wins: ['created', 1],
    others: ['issuer-exists'],
  },
  {
    name: 'providers that race for an issuer by update',
    prepare: (store) => addProviders(store, 'a', 'b', 'c'),
    racers: 3,
    act: ({ identityProviders }, racer) =>
      identityProviders.update(aProvider(['a', 'b', 'c'][racer % 3] ?? '', { issuer: 'same' })),
    others: ['updated', 'issuer-exists'],
    check: async ({ identityProviders }) => {
      const issuers = (await identityProviders.list()).map(({ issuer }) => issuer)
      assert.equal(count(issuers, 'same'), 1)
    },
  },
  {
    name: 'updates of the same reading of a provider',
    prepare: (store) => addProviders(store, 'idp'),
    act: ({ identityProviders }, racer) =>
      identityProviders.update({ ...READ, audience: `${racer}` }, READ),
    wins: ['updated', 1],
    others: ['stale'],
  },
  {
    name: 'deletions of a user',
    prepare: ann,
    act: ({ users }) => users.delete('ann'),
    wins: ['deleted', 1],
    others: ['missing'],
  },
  {
    name: 'moves from one provider to others',
    prepare: async (store) => {
      await addProviders(store, 'a', 'b')
      await ann(store)
    },
    act: ({ users }, racer) => users.move('ann', '', racer % 2 === 0 ? 'a' : 'b'),
    wins: ['moved', 1],
    others: ['elsewhere'],
  },
  {
    name: 'allocations of one party, with a right for its user alone',
    prepare: (store) => addUsers(store, ...NUMBERS.map((racer) => aUser(`u${racer}`))),
    act: ({ parties }, racer) => {
      const userId = `u${racer % RACERS}`
      return parties.allocate(aParty('x', { annotations: { userId } }), { userId, maxRights: 9 })
    },
    wins: ['created', 1],
    others: ['exists'],
    check: async ({ parties, users }) => {
      const winner = (await parties.get(['x']))[0]?.annotations['userId']
      for (const racer of NUMBERS) {
        const id = `u${racer}`
        assert.deepEqual(await users.rights(id), id === winner ? [aRight('CanActAs', 'x')] : [])
      }
    },
  },
  {
    name: 'allocations for one user up to a limit',
    prepare: ann,
    act: ({ parties }, racer) =>
      parties.allocate(aParty(partyOf(racer)), { userId: 'ann', maxRights: 10 }),
    wins: ['created', 10],
    others: ['too-many'],
    check: async (store) =>
      assert.deepEqual(
        await partyIds(store),
        (await store.users.rights('ann'))?.map(({ party }) => party),
      ),
  },
  {
    name: 'updates of a party that expect the same version',
    prepare: (store) => addParties(store, aParty('a')),
    act: ({ parties }, racer) => parties.update('a', 0n, { racer: String(racer) }),
    wins: ['won', 1],
    others: ['stale'],
    check: async ({ parties }, answers) =>
      assert.deepEqual(
        await parties.get(['a']),
        answers.filter((answer) => typeof answer === 'object'),
      ),
  },
  {
    name: 'uploads that vet with the same version',
    racers: 10,
    act: ({ packages }, racer) =>
      packages.upload(
        packagesOf(racer),
        packagesOf(racer).map(({ packageId }) => packageId),
        0n,
      ),
    wins: ['stored', 1],
    others: ['stale'],
    check: async ({ packages }) => {
      assert.equal((await packages.list()).length, 2)
      assert.equal(await packages.vettingVersion(), 1n)
    },
  },
  {
    name: 'uploads of one package beside others',
    racers: 5,
    act: ({ packages }, racer) => packages.upload([aPackage(`own ${racer}`), SHARED], [], 0n),
    others: ['stored'],
    check: async (store, answers) => {
      assert.equal((await store.packages.list()).length, answers.length + 1)
      assert.deepEqual(await readPayload(store, SHARED.packageId), await SHARED.readPayload())
    },
  },
  {
    name: 'openings of a wallet for one user',
    prepare: ann,
    act: ({ wallets }, racer) => wallets.open(opening(racer)),
    wins: ['opened', 1],
    others: ['has-wallet'],
    check: oneWallet,
  },
  {
    name: 'openings of a wallet that bring one user',
    act: ({ wallets }, racer) => wallets.open(opening(racer, { createsUser: true })),
    wins: ['opened', 1],
    others: ['has-wallet', 'stale'],
    check: oneWallet,
  },
  {
    name: 'writers of one note',
    prepare: ann,
    act: ({ notes }, racer) => notes.write(NOTE, '', `by ${racer}`),
    wins: ['written', 1],
    others: ['stale'],
    check: async ({ notes }, answers) =>
      assert.equal(await notes.read(NOTE), `by ${answers.indexOf('written')}`),
  },
]

/** One takes away what the others need: it is too late for that, or too late for all of them. */
const TAKEN_AWAY: readonly Race[] = [
  {
    name: 'a provider that is deleted while users come',
    prepare: (store) => addProviders(store, 'idp'),
    act: ({ identityProviders, users }, racer) =>
      racer === 0
        ? identityProviders.delete('idp')
        : users.create(aUser(`u${racer}`, { identityProviderId: 'idp' }), []),
    others: ['deleted', 'in-use', 'created', 'unknown-provider'],
    check: async ({ users }, answers) => {
      const there = await users.list({ identityProviderId: 'idp', after: '', limit: PLENTY })
      assert.equal(there.length, count(answers, 'created'))
      assert.ok(!answers.includes('deleted') || there.length === 0)
    },
  },
  {
    name: 'a provider that is deleted while parties come',
    prepare: (store) => addProviders(store, 'idp'),
    act: ({ identityProviders, parties }, racer) =>
      racer === 0
        ? identityProviders.delete('idp')
        : parties.allocate(aParty(partyOf(racer), { identityProviderId: 'idp' }), undefined),
    others: ['deleted', 'in-use', 'created', 'unknown-provider'],
    check: async (store, answers) => {
      const there = await partyIds(store, { identityProviderId: 'idp' })
      assert.equal(there.length, count(answers, 'created'))
      assert.ok(!answers.includes('deleted') || there.length === 0)
    },
  },
  {
    name: 'a user who is deleted while parties come',
    prepare: ann,
    act: ({ parties, users }, racer) =>
      racer === 0
        ? users.delete('ann')
        : parties.allocate(aParty(partyOf(racer)), { userId: 'ann', maxRights: PLENTY }),
    others: ['deleted', 'created', 'unknown-user'],
    check: async (store, answers) =>
      assert.equal((await partyIds(store)).length, count(answers, 'created')),
  },
]

export const raceChecks: readonly Check[] = [...RACES, ...TAKEN_AWAY].flatMap((race) => [
  { name: `at once: ${race.name}`, run: ({ store }) => run(race, [store]) },
  {
    name: `at once, at two stores on the same data: ${race.name}`,
    needs: 'multiProcess',
    run: async ({ store, reopen }) => run(race, [store, await reopen()]),
  },
])

async function run(
  { racers = RACERS, wins, others, ...race }: Race,
  stores: readonly [Store, ...(readonly Store[])],
): Promise<void> {
  await race.prepare?.(stores[0])
  const answers = await Promise.all(
    stores.flatMap((store, place) =>
      Array.from({ length: racers }, (_, index) => race.act(store, place * racers + index)),
    ),
  )
  const kinds = answers.map((answer) => (typeof answer === 'string' ? answer : 'won'))
  if (wins !== undefined) assert.equal(count(kinds, wins[0]), wins[1], wins[0])
  const expected = [...others, ...(wins ?? []).slice(0, 1)]
  assert.deepEqual(
    kinds.filter((kind) => !expected.includes(kind)),
    [],
  )
  for (const store of stores) await race.check?.(store, answers)
}
