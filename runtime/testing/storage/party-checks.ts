// Parties: what is allocated is read, pages walk in byte order, a grant comes with its party or not
// at all, updates are conditional.
import assert from 'node:assert/strict'
import {
  INT64_MAX,
  addParties,
  addProviders,
  addUsers,
  aParty,
  aRight,
  aUser,
  partyIds,
  PLENTY,
} from './check.ts'
import type { Check, CheckContext } from './check.ts'

/** Ordered by their UTF-8 bytes; the last two change places in the order of UTF-16 code units. */
const IDS_IN_BYTE_ORDER = [
  '!',
  '10',
  '9',
  'A::1',
  'Z',
  '_',
  'a',
  'a b',
  'a::1',
  'aa',
  "it's",
  'é',
  '√',
  '\uffee',
  '😀',
]

const FULL = aParty('ann::1', {
  isLocal: false,
  annotations: { 'example.com/team': 'blue', odd: 'NUL \0 and \ud800' },
  topology: `{"keys":["a'\\"😀"]}`,
})

const ACT = aRight('CanActAs', 'ann::1')

export const partyChecks: readonly Check[] = [
  ...reading(),
  ...listing(),
  ...granting(),
  ...updating(),
]

function reading(): readonly Check[] {
  return [
    {
      name: 'parties that are not there are left out',
      run: async ({ store }) => {
        assert.deepEqual(await store.parties.get([]), [])
        assert.deepEqual(await store.parties.get(['', 'nobody']), [])
        assert.deepEqual(await partyIds(store), [])
      },
    },
    {
      name: 'an allocated party reads back with version 0',
      run: async ({ store }) => {
        await addParties(store, FULL)
        assert.deepEqual(await store.parties.get(['ann::1']), [{ ...FULL, resourceVersion: 0n }])
      },
    },
    {
      name: 'parties are got each once, in byte order',
      run: async ({ store }) => {
        await addParties(store, ...IDS_IN_BYTE_ORDER.map((id) => aParty(id)))
        const asked = [...IDS_IN_BYTE_ORDER, ...IDS_IN_BYTE_ORDER, 'nobody'].toReversed()
        assert.deepEqual(
          (await store.parties.get(asked)).map(({ party }) => party),
          IDS_IN_BYTE_ORDER,
        )
      },
    },
    {
      name: 'a topology of 256 kB and annotations of 256 kB are kept',
      run: async ({ store }) => {
        const text = 'v'.repeat(262_144)
        await addParties(store, aParty('a', { topology: text, annotations: { k: text } }))
        const [party] = await store.parties.get(['a'])
        assert.deepEqual([party?.topology, party?.annotations['k']], [text, text])
      },
    },
    { name: 'a party that was given or handed out does not change the store', run: keepsItsOwn },
    {
      name: 'unstorable text of a party is refused with a TypeError and nothing is written',
      run: refusesText,
    },
    {
      name: 'a second party with the id is refused, also with another provider, and changes nothing',
      run: async ({ store }) => {
        await addProviders(store, 'idp')
        await addParties(store, FULL)
        await addUsers(store, aUser('bob'))
        const second = aParty('ann::1', { identityProviderId: 'idp' })
        assert.equal(
          await store.parties.allocate(second, { userId: 'bob', maxRights: 9 }),
          'exists',
        )
        assert.deepEqual(await store.parties.get(['ann::1']), [{ ...FULL, resourceVersion: 0n }])
        assert.deepEqual(await store.users.rights('bob'), [])
      },
    },
  ]
}

async function keepsItsOwn({ store }: CheckContext): Promise<void> {
  const annotations: Record<string, string> = { k: 'v' }
  await addParties(store, aParty('a', { annotations }))
  annotations['k'] = 'changed'
  assert.deepEqual((await store.parties.get(['a']))[0]?.annotations, { k: 'v' })
  await store.parties.update('a', 0n, annotations)
  annotations['k'] = 'changed again'
  assert.deepEqual((await store.parties.get(['a']))[0]?.annotations, { k: 'changed' })
}

async function refusesText({ store: { parties } }: CheckContext): Promise<void> {
  for (const text of ['nul\0', 'lone \ud800 surrogate']) {
    for (const field of ['party', 'identityProviderId', 'topology']) {
      await assert.rejects(parties.allocate(aParty('a', { [field]: text }), undefined), TypeError)
    }
    await assert.rejects(parties.allocate(aParty('a'), { userId: text, maxRights: 9 }), TypeError)
    await assert.rejects(parties.get(['a', text]), TypeError)
    await assert.rejects(parties.update(text, 0n, {}), TypeError)
    for (const field of ['identityProviderId', 'prefix', 'after']) {
      const page = { identityProviderId: '', prefix: '', after: '', limit: 1, [field]: text }
      await assert.rejects(parties.list(page), TypeError)
    }
  }
  assert.deepEqual(await parties.get(['a']), [])
}

function listing(): readonly Check[] {
  return [
    ...[1, 2, 7, IDS_IN_BYTE_ORDER.length].map(walksPages),
    {
      name: 'a page of parties may start after an id that is not there',
      run: async ({ store }) => {
        await addParties(store, ...['a', 'c', 'e'].map((id) => aParty(id)))
        assert.deepEqual(await partyIds(store, { after: 'b' }), ['c', 'e'])
        assert.deepEqual(await partyIds(store, { after: 'e' }), [])
        assert.deepEqual(await partyIds(store, { limit: 0 }), [])
      },
    },
    {
      name: 'a list shows the parties of one provider only, as the get shows them',
      run: async ({ store }) => {
        await addProviders(store, 'idp')
        await addParties(store, FULL, aParty('b', { identityProviderId: 'idp' }), aParty('c'))
        assert.deepEqual(await partyIds(store), ['ann::1', 'c'])
        assert.deepEqual(await partyIds(store, { identityProviderId: 'idp' }), ['b'])
        assert.deepEqual(await partyIds(store, { identityProviderId: 'nowhere' }), [])
        const listed = await store.parties.list({
          identityProviderId: '',
          prefix: 'ann',
          after: '',
          limit: 1,
        })
        assert.deepEqual(listed, await store.parties.get(['ann::1']))
      },
    },
    { name: 'a prefix is compared byte for byte', run: filtersByPrefix },
    { name: 'prefix and page bound hold together', run: pagesPrefix },
  ]
}

function walksPages(limit: number): Check {
  return {
    name: `pages of ${limit} show each party once, in byte order`,
    run: async ({ store }) => {
      await addParties(store, ...IDS_IN_BYTE_ORDER.toReversed().map((id) => aParty(id)))
      const seen: string[] = []
      for (let page = await partyIds(store, { limit }); page.length > 0 && seen.length < 99;) {
        seen.push(...page)
        page = await partyIds(store, { after: page.at(-1) ?? '', limit })
      }
      assert.deepEqual(seen, IDS_IN_BYTE_ORDER)
    },
  }
}

const PREFIXED = [
  'A',
  'ann',
  'ann%',
  'ann::1',
  'ann_',
  'anne',
  'anö',
  '\ud7ff',
  '\ud7ffx',
  '\ue000',
  '\uffff',
  '\uffffa',
  '😀',
  '😀::1',
  '\u{10ffff}',
  '\u{10ffff}\u{10ffff}',
  '\u{10ffff}\u{10ffff}a',
]

async function filtersByPrefix({ store }: CheckContext): Promise<void> {
  await addParties(store, ...PREFIXED.toReversed().map((id) => aParty(id)))
  const prefixes = [
    '',
    'a',
    'an',
    'ann',
    'ann%',
    'ann_',
    'ann:',
    'Ann',
    'A',
    'b',
    '%',
    '_',
    'ano',
    'z',
    ...PREFIXED,
  ]
  for (const prefix of prefixes) {
    const expected = PREFIXED.filter((id) => id.startsWith(prefix))
    assert.deepEqual(await partyIds(store, { prefix }), expected, JSON.stringify(prefix))
  }
}

async function pagesPrefix({ store }: CheckContext): Promise<void> {
  await addParties(store, ...['a', 'b1', 'b2', 'b3', 'c'].map((id) => aParty(id)))
  assert.deepEqual(await partyIds(store, { prefix: 'b', limit: 2 }), ['b1', 'b2'])
  assert.deepEqual(await partyIds(store, { prefix: 'b', after: 'b2', limit: 2 }), ['b3'])
  assert.deepEqual(await partyIds(store, { prefix: 'b', after: 'a' }), ['b1', 'b2', 'b3'])
  assert.deepEqual(await partyIds(store, { prefix: 'b', after: 'c' }), [])
}

function granting(): readonly Check[] {
  return [
    {
      name: 'a party comes with its right for the user, who keeps version and other rights',
      run: async ({ store }) => {
        await store.users.create(aUser('bob'), [aRight('ParticipantAdmin')])
        assert.equal(await store.parties.allocate(FULL, { userId: 'bob', maxRights: 2 }), 'created')
        assert.deepEqual(await store.users.rights('bob'), [ACT, aRight('ParticipantAdmin')])
        assert.equal((await store.users.get('bob'))?.resourceVersion, 0n)
      },
    },
    { name: 'a refused grant leaves neither party nor right', run: refusesGrants },
    {
      name: 'the right that the user has already counts once',
      run: async ({ store }) => {
        await store.users.create(aUser('bob'), [ACT])
        assert.equal(await store.parties.allocate(FULL, { userId: 'bob', maxRights: 1 }), 'created')
        assert.deepEqual(await store.users.rights('bob'), [ACT])
      },
    },
    { name: 'party, provider, user and number are checked in this order', run: checksInOrder },
    {
      name: 'the right on a party is revoked as others are, and ends with its user',
      run: async ({ store }) => {
        await addUsers(store, aUser('bob'))
        await store.parties.allocate(FULL, { userId: 'bob', maxRights: 2 })
        assert.deepEqual(await store.users.revoke('bob', [ACT]), [ACT])
        await store.users.delete('bob')
        assert.deepEqual((await store.parties.get(['ann::1'])).length, 1)
      },
    },
  ]
}

async function refusesGrants({ store }: CheckContext): Promise<void> {
  await store.users.create(aUser('bob'), [aRight('ParticipantAdmin')])
  assert.equal(
    await store.parties.allocate(FULL, { userId: 'nobody', maxRights: 9 }),
    'unknown-user',
  )
  assert.equal(
    await store.parties.allocate(FULL, { userId: 'bob', inProvider: 'idp', maxRights: 9 }),
    'unknown-user',
  )
  assert.equal(await store.parties.allocate(FULL, { userId: 'bob', maxRights: 1 }), 'too-many')
  assert.deepEqual(await store.parties.get(['ann::1']), [])
  assert.deepEqual(await store.users.rights('bob'), [aRight('ParticipantAdmin')])
  await addParties(store, FULL)
}

async function checksInOrder({ store: { parties, users } }: CheckContext): Promise<void> {
  const nowhere = aParty('ann::1', { identityProviderId: 'nowhere' })
  await users.create(aUser('bob'), [])
  assert.equal(await parties.allocate(nowhere, undefined), 'unknown-provider')
  assert.equal(
    await parties.allocate(nowhere, { userId: 'nobody', maxRights: 0 }),
    'unknown-provider',
  )
  assert.equal(await parties.allocate(FULL, { userId: 'nobody', maxRights: 0 }), 'unknown-user')
  assert.equal(await parties.allocate(FULL, { userId: 'bob', maxRights: 0 }), 'too-many')
  assert.equal(await parties.allocate(FULL, undefined), 'created')
  assert.equal(await parties.allocate(nowhere, { userId: 'nobody', maxRights: 0 }), 'exists')
}

function updating(): readonly Check[] {
  return [
    {
      name: 'an update of a party writes the annotations, adds one to the version and answers the new record',
      run: async ({ store }) => {
        await addParties(store, FULL, aParty('b'))
        const expected = { ...FULL, annotations: { a: '\ud800' }, resourceVersion: 1n }
        assert.deepEqual(await store.parties.update('ann::1', 0n, { a: '\ud800' }), expected)
        assert.deepEqual(await store.parties.get(['ann::1']), [expected])
        assert.deepEqual(await store.parties.get(['b']), [{ ...aParty('b'), resourceVersion: 0n }])
        const emptied = { ...FULL, annotations: {}, resourceVersion: 2n }
        assert.deepEqual(await store.parties.update('ann::1', 1n, {}), emptied)
      },
    },
    {
      name: 'an update of no party is missing',
      run: async ({ store }) =>
        assert.equal(await store.parties.update('nobody', 0n, {}), 'missing'),
    },
    {
      name: 'an update of a party that expects another version is stale',
      run: async ({ store }) => {
        await addParties(store, FULL)
        for (const expected of [
          1n,
          -1n,
          2n ** 53n + 1n,
          INT64_MAX,
          -INT64_MAX - 1n,
          INT64_MAX + 1n,
          2n ** 64n,
        ]) {
          assert.equal(
            await store.parties.update('ann::1', expected, {}),
            'stale',
            String(expected),
          )
        }
        assert.deepEqual(await store.parties.get(['ann::1']), [{ ...FULL, resourceVersion: 0n }])
        assert.equal(
          (
            await store.parties.list({
              identityProviderId: '',
              prefix: '',
              after: '',
              limit: PLENTY,
            })
          ).length,
          1,
        )
      },
    },
  ]
}
