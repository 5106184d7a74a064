// Users: what is written is read, ids are unique, pages walk in byte order, updates are
// conditional.
import assert from 'node:assert/strict'
import { CHANGE, aRight, addProviders, addUsers, aUser, pageIds } from './check.ts'
import type { Check } from './check.ts'
import { userChangeChecks } from './user-change-checks.ts'

/** Ordered by their UTF-8 bytes; the last two change places in the order of UTF-16 code units. */
const IDS_IN_BYTE_ORDER = [
  '!',
  '-a',
  '0',
  '10',
  '9',
  'A',
  'B',
  'Z',
  '_',
  'a',
  'a b',
  'aa',
  'b',
  "it's",
  'z',
  '~',
  'ß',
  'é',
  '√',
  '\uffee',
  '😀',
]

const TEXTS: readonly (readonly [string, string])[] = [
  ['quotes', `'"\`; drop table users; --`],
  ['backslashes and percent signs', '\\ \\n %s %27 $1 ? :id'],
  ['line ends and tabs', 'a\r\n\tb'],
  ['characters beyond the basic plane', '𝔘𝔫𝔦 😀 \u{10ffff}'],
  ['right-to-left and zero-width characters', 'אבג\u200b\u202e'],
  ['number-like text', '0012.50e3'],
  ['255 characters', 'x'.repeat(255)],
]

const ANNOTATIONS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['256 kB in one value', { k: 'v'.repeat(262_143) }],
  [
    '10,000 keys',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, String(i)])),
  ],
  ['NUL and lone surrogates', { k: 'a\0b \ud800 \udfff' }],
  ['names of object members', JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}')],
  ['quotes and line ends', { 'a.b/c': `"'\\\n\u2028` }],
]

export const userChecks: readonly Check[] = [
  ...reading(),
  ...creating(),
  ...listing(),
  ...userChangeChecks,
]

function reading(): readonly Check[] {
  return [
    {
      name: 'a user who is not there is undefined',
      run: async ({ store }) => {
        assert.equal(await store.users.get('nobody'), undefined)
        assert.equal(await store.users.get(''), undefined)
      },
    },
    {
      name: 'a created user reads back with version 0',
      run: async ({ store }) => {
        const user = aUser('ann', { ...CHANGE })
        await addUsers(store, user)
        assert.deepEqual(await store.users.get('ann'), { ...user, resourceVersion: 0n })
      },
    },
    {
      name: 'ids differ by case, by accent form and by trailing space',
      run: async ({ store }) => {
        const ids = ['user', 'User', 'user ', 'us\u00e9r', 'use\u0301r']
        await addUsers(store, ...ids.map((id) => aUser(id, { primaryParty: `p::${id}` })))
        for (const id of ids) assert.equal((await store.users.get(id))?.primaryParty, `p::${id}`)
      },
    },
    {
      name: 'a record that was handed out does not change the store',
      run: async ({ store }) => {
        const annotations: Record<string, string> = { k: 'v' }
        await addUsers(store, aUser('ann', { annotations }))
        annotations['k'] = 'changed'
        assert.deepEqual((await store.users.get('ann'))?.annotations, { k: 'v' })
      },
    },
    ...TEXTS.map(keepsText),
    ...ANNOTATIONS.map(keepsAnnotations),
    ...['nul\0', 'lone \ud800 surrogate'].map(refusesText),
  ]
}

function keepsText([what, text]: readonly [string, string]): Check {
  return {
    name: `${what} in an id and a party are kept`,
    run: async ({ store }) => {
      await addUsers(store, aUser(text, { primaryParty: text }))
      assert.equal((await store.users.get(text))?.primaryParty, text)
      assert.deepEqual(await pageIds(store), [text])
    },
  }
}

function keepsAnnotations([what, annotations]: readonly [
  string,
  Readonly<Record<string, string>>,
]): Check {
  return {
    name: `annotations with ${what} are kept, created and updated`,
    run: async ({ store }) => {
      await addUsers(store, aUser('ann', { annotations }), aUser('bob'))
      await store.users.update('bob', 0n, { ...CHANGE, annotations })
      for (const id of ['ann', 'bob']) {
        assert.deepEqual(
          Object.entries((await store.users.get(id))?.annotations ?? {}),
          Object.entries(annotations),
        )
      }
    },
  }
}

function refusesText(text: string): Check {
  return {
    name: `${JSON.stringify(text)} is refused with a TypeError and nothing is written`,
    run: async ({ store }) => {
      const { users } = store
      await addUsers(store, aUser('ann'))
      await assert.rejects(users.create(aUser(text), []), TypeError)
      await assert.rejects(users.create(aUser('bob', { primaryParty: text }), []), TypeError)
      await assert.rejects(users.create(aUser('bob'), [aRight('CanActAs', text)]), TypeError)
      await assert.rejects(users.update('ann', 0n, { ...CHANGE, primaryParty: text }), TypeError)
      await assert.rejects(users.grant('ann', [aRight('CanActAs', text)], 9), TypeError)
      await assert.rejects(users.get(text), TypeError)
      assert.deepEqual(await pageIds(store), ['ann'])
    },
  }
}

function creating(): readonly Check[] {
  return [
    {
      name: 'a second user with the id is refused and changes nothing',
      run: async ({ store }) => {
        await addUsers(store, aUser('ann', { primaryParty: 'p::1' }))
        const second = aUser('ann', { primaryParty: 'p::2' })
        assert.equal(await store.users.create(second, [aRight('ParticipantAdmin')]), 'exists')
        assert.equal((await store.users.get('ann'))?.primaryParty, 'p::1')
        assert.deepEqual(await store.users.rights('ann'), [])
      },
    },
    {
      name: 'ids are unique across providers',
      run: async ({ store }) => {
        await addProviders(store, 'idp')
        await addUsers(store, aUser('ann'))
        assert.equal(
          await store.users.create(aUser('ann', { identityProviderId: 'idp' }), []),
          'exists',
        )
      },
    },
    {
      name: 'a user of an unknown provider is refused',
      run: async ({ store }) => {
        const user = aUser('ann', { identityProviderId: 'nowhere' })
        assert.equal(
          await store.users.create(user, [aRight('ParticipantAdmin')]),
          'unknown-provider',
        )
        assert.equal(await store.users.get('ann'), undefined)
        await addUsers(store, aUser('ann'))
        assert.equal(await store.users.create(user, []), 'exists', 'the id is checked first')
      },
    },
    {
      name: 'a deleted user and their rights are gone, and the id is free',
      run: async ({ store }) => {
        assert.equal(
          await store.users.create(aUser('ann'), [aRight('ParticipantAdmin')]),
          'created',
        )
        await store.users.update('ann', 0n, CHANGE)
        assert.equal(await store.users.delete('ann'), 'deleted')
        assert.equal(await store.users.delete('ann'), 'missing')
        assert.equal(await store.users.get('ann'), undefined)
        assert.equal(await store.users.rights('ann'), undefined)
        await addUsers(store, aUser('ann'))
        assert.equal((await store.users.get('ann'))?.resourceVersion, 0n)
        assert.deepEqual(await store.users.rights('ann'), [])
      },
    },
  ]
}

function listing(): readonly Check[] {
  return [
    {
      name: 'an empty store lists nobody',
      run: async ({ store }) => assert.deepEqual(await pageIds(store), []),
    },
    {
      name: 'the list is in the byte order of UTF-8 ids',
      run: async ({ store }) => {
        await addUsers(store, ...IDS_IN_BYTE_ORDER.toReversed().map((id) => aUser(id)))
        assert.deepEqual(await pageIds(store), IDS_IN_BYTE_ORDER)
      },
    },
    ...[1, 2, 7, IDS_IN_BYTE_ORDER.length].map(walksPages),
    {
      name: 'a page may start after an id that is not there',
      run: async ({ store }) => {
        await addUsers(store, ...['a', 'c', 'e'].map((id) => aUser(id)))
        assert.deepEqual(await pageIds(store, '', 'b'), ['c', 'e'])
        assert.deepEqual(await pageIds(store, '', 'e'), [])
        assert.deepEqual(await pageIds(store, '', '', 0), [])
      },
    },
    {
      name: 'a list shows the users of one provider only',
      run: async ({ store }) => {
        await addProviders(store, 'one', 'two')
        await addUsers(store, aUser('a'), aUser('b', { identityProviderId: 'one' }))
        await addUsers(
          store,
          aUser('c', { identityProviderId: 'two' }),
          aUser('d', { identityProviderId: 'one' }),
        )
        assert.deepEqual(await pageIds(store, 'one'), ['b', 'd'])
        assert.deepEqual(await pageIds(store, ''), ['a'])
        assert.deepEqual(await pageIds(store, 'nowhere'), [])
      },
    },
    {
      name: 'the list shows what the get shows',
      run: async ({ store }) => {
        await addUsers(store, aUser('ann', { ...CHANGE }))
        await store.users.update('ann', 0n, { ...CHANGE, primaryParty: '' })
        const [listed] = await store.users.list({ identityProviderId: '', after: '', limit: 1 })
        assert.deepEqual(listed, await store.users.get('ann'))
      },
    },
  ]
}

function walksPages(limit: number): Check {
  return {
    name: `pages of ${limit} show each id once`,
    run: async ({ store }) => {
      await addUsers(store, ...IDS_IN_BYTE_ORDER.map((id) => aUser(id)))
      const seen: string[] = []
      for (let page = await pageIds(store, '', '', limit); page.length > 0 && seen.length < 99;) {
        seen.push(...page)
        page = await pageIds(store, '', page.at(-1) ?? '', limit)
      }
      assert.deepEqual(seen, IDS_IN_BYTE_ORDER)
    },
  }
}
