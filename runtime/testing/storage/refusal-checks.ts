// What every method of a store refuses: texts that no store can hold, and anything once it is
// closed.
import assert from 'node:assert/strict'
import {
  addUsers,
  aPackage,
  aParty,
  aProvider,
  aRight,
  aUser,
  CHANGE,
  pageIds,
  PLENTY,
} from './check.ts'
import { aContract, append, createdAt, factsFor, TEMPLATE } from './ledger-kit.ts'
import type { Check } from './check.ts'
import type { Store } from '../../store/store.ts'

type Calls = readonly (() => Promise<unknown>)[]

/** Calls with a text in each place that takes one. */
function callsWith(text: string, store: Store): Calls {
  const { users, identityProviders, parties, packages, updates, contracts } = store
  const { leases, wallets, notes } = store
  const rights = [aRight('CanActAs', text)]
  const note = { userId: text, identityProviderId: '', name: 'n' }
  return [
    () => users.get(text),
    () => users.create(aUser(text), []),
    () => users.create(aUser('bob', { primaryParty: text }), []),
    () => users.create(aUser('bob'), rights),
    () => users.update('ann', 0n, { ...CHANGE, primaryParty: text }),
    () => users.update('ann', 0n, CHANGE, { inProvider: '', rights }),
    () => users.grant('ann', rights, 9),
    () => users.revoke('ann', rights),
    () => users.move('ann', '', text),
    () => users.delete(text),
    ...['id', 'issuer', 'jwksUrl', 'audience'].flatMap((field) => [
      () => identityProviders.create(aProvider('idp', { [field]: text }), PLENTY),
      () => identityProviders.update(aProvider('idp', { [field]: text })),
    ]),
    ...['party', 'identityProviderId', 'topology'].map(
      (field) => () => parties.allocate(aParty('a', { [field]: text }), undefined),
    ),
    () => parties.allocate(aParty('a'), { userId: text, maxRights: 9 }),
    () => parties.get(['a', text]),
    () => parties.update(text, 0n, {}),
    ...['identityProviderId', 'prefix', 'after'].map((field) => () => {
      const page = { identityProviderId: '', prefix: '', after: '', limit: 1, [field]: text }
      return parties.list(page)
    }),
    ...['packageId', 'name', 'version', 'summary'].map(
      (field) => () => packages.upload([aPackage('x', { [field]: text })], [], 0n),
    ),
    () => packages.upload([], [text], 0n),
    () => packages.get([text]),
    () => packages.named([text]),
    () => packages.payloadStream(text),
    () => updates.byId(text),
    () => contracts.byIds([text]),
    () => contracts.fact('k', text),
    () => factsFor(store, { contractIds: [text] }),
    () => append(store, (offset) => ({ creates: createdAt(offset, aContract(text)) })),
    () => leases.take(text, 'h', 1),
    () => leases.take('l', text, 1),
    () => leases.prolong([text], 'h', 1),
    () => leases.pass('l', text, 1),
    () => leases.wanted(text),
    () => wallets.party(text),
    () => notes.read(note),
    () => notes.write({ ...note, userId: 'ann' }, '', text),
  ]
}

/** Calls of each kind in each part. */
function callsOf(store: Store): Calls {
  const { users, identityProviders, parties, packages, updates, contracts, leases } = store
  return [
    () => users.get('ann'),
    () => users.create(aUser('bob'), []),
    () => users.grant('ann', [aRight('ParticipantAdmin')], 9),
    () => identityProviders.list(),
    () => parties.get(['a']),
    () => parties.allocate(aParty('a'), undefined),
    () => packages.list(),
    () => packages.upload([aPackage('x')], [], 0n),
    () => updates.ledgerEnd(),
    () => updates.prune(0n),
    () => append(store),
    () => contracts.byIds(['a']),
    () => contracts.active({ template: TEMPLATE, order: 'rank', limit: 1 }),
    () => contracts.forgetCommands(1n),
    () => leases.take('l', 'a', 1),
  ]
}

export const refusalChecks: readonly Check[] = [
  {
    name: 'a text that no store can hold is a TypeError wherever it is, and nothing is written',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      for (const text of ['nul\0', 'lone \ud800 surrogate', '\udc00']) {
        for (const call of callsWith(text, store))
          await assert.rejects(call, TypeError, `${JSON.stringify(text)} in ${String(call)}`)
      }
      assert.deepEqual(await store.users.get('ann'), { ...aUser('ann'), resourceVersion: 0n })
      assert.deepEqual([await pageIds(store), await store.users.rights('ann')], [['ann'], []])
      const left = [store.identityProviders.list(), store.parties.get(['a']), store.packages.list()]
      assert.deepEqual(await Promise.all<readonly unknown[]>(left), [[], [], []])
      assert.equal(await store.updates.ledgerEnd(), 0n)
    },
  },
  {
    name: 'a closed store answers StoreUnavailable, whatever is asked',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      await store.close()
      for (const call of callsOf(store))
        await assert.rejects(call, { code: 'STORE_UNAVAILABLE' }, String(call))
    },
  },
]
