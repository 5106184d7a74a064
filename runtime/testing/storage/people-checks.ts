// Users, rights, providers, parties, wallets and notes beyond what random commands try out: odd and
// large texts, byte order, versions, and records that are the store's own.
import assert from 'node:assert/strict'
import {
  addParties,
  addProviders,
  addUsers,
  aParty,
  aProvider,
  aRight,
  aUser,
  CHANGE,
  INT64_MAX,
  pageIds,
  partyIds,
  PLENTY,
} from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { RightRecord } from '../../store/store.ts'

/** Ordered by their UTF-8 bytes; the last two change places in the order of UTF-16 code units. */
const IDS_IN_BYTE_ORDER = [
  '!',
  '-a',
  '10',
  '9',
  'A',
  'A::1',
  'Z',
  '_',
  'a',
  'a b',
  'a::1',
  'aa',
  "it's",
  '~',
  'ß',
  'é',
  '√',
  '\uffee',
  '😀',
]

const TEXTS = [
  `'"\`; drop table users; --`,
  '\\ \\n %s %27 $1 ? :id',
  'a\r\n\tb',
  '𝔘𝔫𝔦 😀 \u{10ffff}',
  'אבג\u200b\u202e',
  '0012.50e3',
  'x'.repeat(255),
]

const ANNOTATIONS: readonly Readonly<Record<string, string>>[] = [
  { k: 'v'.repeat(262_143) },
  Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, String(i)])),
  { k: 'a\0b \ud800 \udfff' },
  JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'),
  { 'a.b/c': `"'\\\n\u2028` },
]

/** None is that of a new record. */
const OTHER_VERSIONS = [
  1n,
  -1n,
  2n ** 32n,
  2n ** 53n + 1n,
  INT64_MAX,
  -INT64_MAX - 1n,
  INT64_MAX + 1n,
  2n ** 64n,
]

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

export const peopleChecks: readonly Check[] = [
  {
    name: 'odd texts in ids, parties, rights, topologies and notes are kept',
    run: keepsTexts,
  },
  { name: 'odd and large annotations are kept, created and updated', run: keepsAnnotations },
  {
    name: 'pages of any length show each user and party once, in byte order',
    run: async ({ store }) => {
      await addUsers(store, ...IDS_IN_BYTE_ORDER.toReversed().map((id) => aUser(id)))
      await addParties(store, ...IDS_IN_BYTE_ORDER.toReversed().map((id) => aParty(id)))
      for (const limit of [1, 2, 7, IDS_IN_BYTE_ORDER.length, PLENTY]) {
        assert.deepEqual(
          await walked((after) => pageIds(store, '', after, limit)),
          IDS_IN_BYTE_ORDER,
        )
        assert.deepEqual(
          await walked((after) => partyIds(store, { after, limit })),
          IDS_IN_BYTE_ORDER,
        )
      }
      const asked = [...IDS_IN_BYTE_ORDER, ...IDS_IN_BYTE_ORDER, 'nobody'].toReversed()
      const found = await store.parties.get(asked)
      assert.deepEqual(
        found.map(({ party }) => party),
        IDS_IN_BYTE_ORDER,
      )
    },
  },
  {
    name: 'the prefix of parties is compared byte for byte',
    run: async ({ store }) => {
      await addParties(store, ...PREFIXED.toReversed().map((id) => aParty(id)))
      const others = ['', 'a', 'an', 'ann:', 'Ann', 'b', '%', '_', 'ano', 'z']
      for (const prefix of [...others, ...PREFIXED]) {
        const expected = PREFIXED.filter((id) => id.startsWith(prefix))
        assert.deepEqual(await partyIds(store, { prefix }), expected, JSON.stringify(prefix))
      }
    },
  },
  {
    name: 'an update that expects any other version is stale and writes nothing',
    run: async ({ store: { users, parties }, store }) => {
      await addUsers(store, aUser('ann'))
      await addParties(store, aParty('a'))
      for (const expected of OTHER_VERSIONS) {
        assert.equal(await users.update('ann', expected, CHANGE), 'stale', String(expected))
        const guard = { inProvider: '', rights: [] }
        assert.equal(await users.update('ann', expected, CHANGE, guard), 'stale', String(expected))
        assert.equal(await parties.update('a', expected, { k: 'v' }), 'stale', String(expected))
      }
      assert.deepEqual(await users.get('ann'), { ...aUser('ann'), resourceVersion: 0n })
      assert.deepEqual(await parties.get(['a']), [{ ...aParty('a'), resourceVersion: 0n }])
    },
  },
  {
    name: 'a record that was given or handed out does not change the store',
    run: async ({ store: { users, parties }, store }) => {
      const annotations: Record<string, string> = { k: 'v' }
      await addUsers(store, aUser('ann', { annotations }))
      await addParties(store, aParty('a', { annotations }))
      annotations['k'] = 'changed'
      const kept = async () => [
        (await users.get('ann'))?.annotations['k'],
        (await parties.get(['a']))[0]?.annotations['k'],
      ]
      assert.deepEqual(await kept(), ['v', 'v'])
      await users.update('ann', 0n, { ...CHANGE, annotations })
      await parties.update('a', 0n, annotations)
      annotations['k'] = 'changed again'
      assert.deepEqual(await kept(), ['changed', 'changed'])
    },
  },
  {
    name: 'issuers are unique by case and by every byte',
    run: async ({ store: { identityProviders } }) => {
      const long = `https://a/${'x'.repeat(4_000)}`
      for (const [index, issuer] of [
        'https://a/',
        'https://A/',
        'https://a',
        long,
        `${long}x`,
        '',
      ].entries()) {
        const create = (id: string) =>
          identityProviders.create(aProvider(id, { issuer, audience: `a'"😀` }), PLENTY)
        assert.deepEqual(
          [await create(`idp${index}`), await create('again')],
          ['created', 'issuer-exists'],
        )
      }
    },
  },
  {
    name: 'rights are ordered by kind, then party, both by bytes',
    run: async ({ store: { users }, store }) => {
      const parties = ['', 'A', 'Z', 'a', 'a:', 'aa', 'z', 'é', '\uffee', '😀']
      const ordered = ['CanActAs', 'Empty', 'a'].flatMap((kind) =>
        parties.map((party) => aRight(kind, party)),
      )
      await addUsers(store, aUser('ann'))
      await users.grant('ann', ordered.toReversed(), PLENTY)
      assert.deepEqual(await users.rights('ann'), ordered)
    },
  },
  {
    name: 'an update that has seen other rights is stale',
    run: async ({ store: { users } }) => {
      const seen = [aRight('CanActAs', 'p'), aRight('ParticipantAdmin')]
      const update = (rights: readonly RightRecord[]) =>
        users.update('ann', 0n, CHANGE, { inProvider: '', rights })
      await users.create(aUser('ann'), seen)
      for (const other of [[], seen.slice(1), [...seen, aRight('k')], [aRight('k'), aRight('l')]])
        assert.equal(await update(other), 'stale')
      assert.equal(typeof (await update(seen.toReversed())), 'object')
    },
  },
  {
    name: '1,000 rights are granted and revoked at once',
    run: async ({ store: { users }, store }) => {
      const many = Array.from({ length: 1_000 }, (_, index) => aRight('CanReadAs', `p${index}::1`))
      await addUsers(store, aUser('ann'))
      assert.deepEqual(await users.grant('ann', many, 1_000), many)
      assert.equal((await users.rights('ann'))?.length, 1_000)
      assert.deepEqual(await users.revoke('ann', many), many)
      assert.deepEqual(await users.rights('ann'), [])
    },
  },
  {
    name: 'two users may share a party as their wallet, and it is found once until both are gone',
    run: async ({ store: { wallets, users }, store }) => {
      await addUsers(store, aUser('ann'), aUser('bob'))
      await addParties(store, aParty('a::1'), aParty('b::1'))
      const asked = { identityProviderId: '', createsUser: false, grantsActAs: true, maxRights: 1 }
      for (const userId of ['ann', 'bob'])
        assert.equal(await wallets.open({ ...asked, userId, party: { given: 'a::1' } }), 'opened')
      for (const found of [['a::1'], ['a::1'], []]) {
        assert.deepEqual(await wallets.among(['b::1', 'a::1', 'a::1']), found)
        await users.delete((await users.get('ann')) === undefined ? 'bob' : 'ann')
      }
    },
  },
  {
    name: 'notes end with their provider, and another one of its id begins without',
    run: async ({ store: { notes, users, identityProviders }, store }) => {
      const key = { userId: 'ann', identityProviderId: 'idp', name: 'book' }
      await addProviders(store, 'idp')
      await addUsers(store, aUser('ann', { identityProviderId: 'idp' }))
      await notes.write(key, '', 'one')
      await users.move('ann', 'idp', '')
      assert.equal(await identityProviders.delete('idp'), 'deleted')
      await addProviders(store, 'idp')
      await users.move('ann', '', 'idp')
      assert.equal(await notes.read(key), '')
    },
  },
]

async function keepsTexts({
  store: { users, parties, notes },
  store,
}: CheckContext): Promise<void> {
  for (const text of [...TEXTS, 'v'.repeat(65_536)]) {
    const id = text.slice(0, 255)
    const right = aRight(id, id)
    const key = { userId: id, identityProviderId: '', name: id }
    const party = aParty(id, { topology: text })
    assert.equal(await users.create(aUser(id, { primaryParty: id }), [right]), 'created')
    await addParties(store, party)
    assert.equal(await notes.write(key, '', text), 'written')
    assert.equal((await users.get(id))?.primaryParty, id)
    assert.deepEqual(await users.rights(id), [right])
    assert.deepEqual(await users.revoke(id, [right]), [right])
    assert.deepEqual(await parties.get([id]), [{ ...party, resourceVersion: 0n }])
    assert.equal(await notes.read(key), text)
  }
  assert.deepEqual((await pageIds(store)).toSorted(), [...TEXTS, 'v'.repeat(255)].toSorted())
}

async function keepsAnnotations({ store: { users, parties }, store }: CheckContext): Promise<void> {
  for (const [index, annotations] of ANNOTATIONS.entries()) {
    const ids = [`made-${index}`, `changed-${index}`] as const
    await addUsers(store, aUser(ids[0], { annotations }), aUser(ids[1]))
    await addParties(store, aParty(ids[0], { annotations }), aParty(ids[1]))
    await users.update(ids[1], 0n, { ...CHANGE, annotations })
    await parties.update(ids[1], 0n, annotations)
    for (const id of ids) {
      const found = [await users.get(id), ...(await parties.get([id]))]
      for (const each of found)
        assert.deepEqual(Object.entries(each?.annotations ?? {}), Object.entries(annotations))
    }
  }
}

/** All pages, one after the other. */
async function walked(
  page: (after: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const seen: string[] = []
  for (
    let ids = await page('');
    ids.length > 0 && seen.length < 99;
    ids = await page(seen.at(-1) ?? '')
  )
    seen.push(...ids)
  return seen
}
