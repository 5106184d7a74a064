// A node's view of a store keeps every rule of a store, and shows nothing of another node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { nodeStore } from '../../runtime/store/node-store.ts'
import { aParty, aProvider, aUser } from '../../runtime/testing/storage/check.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'
import type { Store } from '../../runtime/index.ts'

const { features } = createMemoryStore()

/** A store in which the node `other`, and `a` and `user`, have the same names as anybody. */
async function crowded(): Promise<Store> {
  const store = createMemoryStore()
  for (const key of ['', 'a', 'other']) {
    const node = nodeStore(store, key)
    await node.identityProviders.create(aProvider('crowd'), 10)
    await node.users.create(aUser('crowd'), [{ kind: 'CanActAs', party: 'crowd::1' }])
    await node.parties.allocate(aParty('crowd::1'), undefined)
  }
  return store
}

/** What a node keeps for itself; the rest is the store's own, and tested there. */
const OWN = /user|right|provider|part(y|ies)|wallet|note|random commands|at once/i

storageSuite({
  test: (name, run) => (OWN.test(name) ? test(`of a node: ${name}`, run) : undefined),
  create: async () => nodeStore(createMemoryStore(), 'user'),
  features,
  seedRuns: 3,
})

test('users, parties and providers of one name are another thing on each node', async () => {
  const store = await crowded()
  const [first, user] = [nodeStore(store, ''), nodeStore(store, 'user')]
  assert.equal(await user.users.get('crowd'), undefined)
  assert.deepEqual(await user.parties.get(['crowd::1']), [])
  assert.deepEqual(await user.identityProviders.list(), [])
  assert.equal(await user.users.create(aUser('crowd'), []), 'created')
  assert.equal(await user.identityProviders.create(aProvider('crowd'), 1), 'created')
  assert.equal(await user.users.delete('crowd'), 'deleted')
  assert.deepEqual(await first.users.rights('crowd'), [{ kind: 'CanActAs', party: 'crowd::1' }])
  assert.equal((await first.identityProviders.list()).length, 1)
})

test('lists show a node its own, whatever the page', async () => {
  const store = await crowded()
  for (const key of ['', 'a', 'user', 'z']) {
    const node = nodeStore(store, key)
    for (const id of ['b', 'u', 'zz']) {
      await node.users.create(aUser(id), [])
      await node.parties.allocate(aParty(`${id}::1`), undefined)
    }
  }
  for (const [key, expected] of [
    ['', ['b', 'crowd', 'u', 'zz']],
    ['user', ['b', 'u', 'zz']],
  ] as const) {
    const node = nodeStore(store, key)
    for (const limit of [1, 2, 10]) {
      const users: string[] = []
      const parties: string[] = []
      const page = { identityProviderId: '', limit }
      for (let after = ''; ;) {
        const found = await node.users.list({ ...page, after })
        users.push(...found.map(({ id }) => id))
        if (found.length < limit) break
        after = found.at(-1)?.id ?? ''
      }
      for (let after = ''; ;) {
        const found = await node.parties.list({ ...page, after, prefix: '' })
        parties.push(...found.map(({ party }) => party))
        if (found.length < limit) break
        after = found.at(-1)?.party ?? ''
      }
      assert.deepEqual(users, expected)
      assert.deepEqual(
        parties,
        expected.map((id) => `${id}::1`),
      )
    }
  }
})

test('the first node cannot reach what another one keeps by a name that is made for it', async () => {
  const store = await crowded()
  const first = nodeStore(store, '')
  assert.equal(await first.users.get('other%crowd'), undefined)
  assert.equal(await first.users.rights('other%crowd'), undefined)
  assert.equal(await first.users.delete('other%crowd'), 'missing')
  assert.equal(await first.users.grant('other%crowd', [], 10), 'missing')
  assert.deepEqual(await first.parties.get(['other%crowd::1']), [])
  assert.equal(await first.identityProviders.get('other%crowd'), undefined)
  assert.equal(await first.identityProviders.delete('other%crowd'), 'missing')
  assert.equal(await first.wallets.party('other%crowd'), undefined)
})
