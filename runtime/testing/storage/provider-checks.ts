// Identity providers: unique ids and issuers, a limit in number, no deletion in use, and a default
// one without a record.
import assert from 'node:assert/strict'
import { addParties, addProviders, addUsers, aParty, aProvider, aUser, PLENTY } from './check.ts'
import type { Check, CheckContext } from './check.ts'

export const providerChecks: readonly Check[] = [
  {
    name: 'a provider who is not there is undefined, and none are listed',
    run: async ({ store }) => {
      assert.equal(await store.identityProviders.get('idp'), undefined)
      assert.deepEqual(await store.identityProviders.list(), [])
    },
  },
  {
    name: 'a created provider reads back',
    run: async ({ store }) => {
      const provider = aProvider('idp', {
        isDeactivated: true,
        audience: `a'"😀`,
        jwksUrl: 'https://x/?a=%20&b',
      })
      assert.equal(await store.identityProviders.create(provider, 1), 'created')
      assert.deepEqual(await store.identityProviders.get('idp'), provider)
      assert.deepEqual(await store.identityProviders.list(), [provider])
    },
  },
  { name: 'the default provider is there and has no record', run: defaultProvider },
  {
    name: 'id, issuer and number are checked in this order',
    run: async ({ store: { identityProviders } }) => {
      assert.equal(await identityProviders.create(aProvider('a'), 0), 'too-many')
      assert.equal(await identityProviders.create(aProvider('a'), 1), 'created')
      assert.equal(await identityProviders.create(aProvider('a'), 1), 'exists')
      assert.equal(
        await identityProviders.create({ ...aProvider('a'), id: 'b' }, 1),
        'issuer-exists',
      )
      assert.equal(await identityProviders.create(aProvider('b'), 1), 'too-many')
      assert.deepEqual(await identityProviders.list(), [aProvider('a')])
      assert.equal(await identityProviders.create(aProvider('b'), 2), 'created')
    },
  },
  {
    name: 'issuers are unique by case and by every byte',
    run: async ({ store: { identityProviders } }) => {
      const issuers = [
        'https://a/',
        'https://A/',
        'https://a',
        `https://a/${'x'.repeat(4_000)}`,
        '',
      ]
      for (const [index, issuer] of issuers.entries()) {
        assert.equal(
          await identityProviders.create(aProvider(`idp${index}`, { issuer }), PLENTY),
          'created',
        )
        assert.equal(
          await identityProviders.create(aProvider('again', { issuer }), PLENTY),
          'issuer-exists',
        )
      }
    },
  },
  {
    name: 'an update replaces all but the id',
    run: async ({ store }) => {
      await addProviders(store, 'a', 'b')
      const changed = aProvider('a', {
        issuer: 'i',
        jwksUrl: 'j',
        audience: 'x',
        isDeactivated: true,
      })
      assert.equal(await store.identityProviders.update(changed), 'updated')
      assert.deepEqual(await store.identityProviders.list(), [changed, aProvider('b')])
      assert.equal(await store.identityProviders.update(changed), 'updated')
    },
  },
  {
    name: 'an update of nobody is missing, with the issuer of another it is refused',
    run: async ({ store }) => {
      await addProviders(store, 'a', 'b')
      const { issuer } = aProvider('b')
      assert.equal(await store.identityProviders.update(aProvider('c', { issuer })), 'missing')
      assert.equal(
        await store.identityProviders.update(aProvider('a', { issuer })),
        'issuer-exists',
      )
      assert.deepEqual(await store.identityProviders.get('a'), aProvider('a'))
    },
  },
  {
    name: 'an issuer that was given up is free',
    run: async ({ store }) => {
      await addProviders(store, 'a', 'b')
      await store.identityProviders.update(aProvider('a', { issuer: 'new' }))
      assert.equal(await store.identityProviders.delete('b'), 'deleted')
      const { issuer } = aProvider('a')
      assert.equal(await store.identityProviders.create(aProvider('c', { issuer }), 2), 'created')
      assert.equal(
        await store.identityProviders.update(aProvider('a', aProviderIssuer('b'))),
        'updated',
      )
    },
  },
  {
    name: 'providers are listed in the byte order of their ids',
    run: async ({ store }) => {
      const ids = ['A', 'Z', 'a', 'a-', 'aa', 'z', 'é', '\uffee', '😀']
      await addProviders(store, ...ids.toReversed())
      assert.deepEqual(
        (await store.identityProviders.list()).map(({ id }) => id),
        ids,
      )
    },
  },
  {
    name: 'a provider is not deleted while users belong to it',
    run: async ({ store }) => {
      await addProviders(store, 'idp')
      await addUsers(
        store,
        aUser('ann', { identityProviderId: 'idp' }),
        aUser('bob', { identityProviderId: 'idp' }),
      )
      assert.equal(await store.identityProviders.delete('idp'), 'in-use')
      await store.users.delete('ann')
      assert.equal(await store.identityProviders.delete('idp'), 'in-use')
      await store.users.move('bob', 'idp', '')
      assert.equal(await store.identityProviders.delete('idp'), 'deleted')
      assert.equal(await store.identityProviders.delete('idp'), 'missing')
      assert.equal(await store.identityProviders.get('idp'), undefined)
    },
  },
  {
    name: 'a provider is never deleted once parties belong to it',
    run: async ({ store }) => {
      await addProviders(store, 'idp', 'other')
      await addParties(store, aParty('a::1', { identityProviderId: 'idp' }))
      assert.equal(await store.identityProviders.delete('idp'), 'in-use')
      assert.equal(await store.identityProviders.delete('other'), 'deleted')
    },
  },
  {
    name: 'unstorable text in a provider is refused with a TypeError',
    run: async ({ store }) => {
      for (const text of ['a\0', '\udc00']) {
        for (const field of ['id', 'issuer', 'jwksUrl', 'audience']) {
          const provider = aProvider('idp', { [field]: text })
          await assert.rejects(store.identityProviders.create(provider, PLENTY), TypeError)
          await assert.rejects(store.identityProviders.update(provider), TypeError)
        }
      }
      assert.deepEqual(await store.identityProviders.list(), [])
    },
  },
]

function aProviderIssuer(id: string): { readonly issuer: string } {
  return { issuer: aProvider(id).issuer }
}

async function defaultProvider({ store }: CheckContext): Promise<void> {
  const { identityProviders } = store
  await addUsers(store, aUser('ann'))
  assert.equal(await identityProviders.get(''), undefined)
  assert.deepEqual(await identityProviders.list(), [])
  assert.equal(await identityProviders.create(aProvider(''), PLENTY), 'exists')
  assert.equal(await identityProviders.update(aProvider('')), 'missing')
  assert.equal(await identityProviders.delete(''), 'missing')
}
