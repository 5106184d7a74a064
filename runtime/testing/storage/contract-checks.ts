// Finding contracts: by key, in every order, page by page.
import assert from 'node:assert/strict'
import {
  addContracts,
  aContract,
  archive,
  OTHER,
  OTHER_ID,
  TEMPLATE,
  TEMPLATE_ID,
  walk,
  walkSnapshot,
} from './ledger-kit.ts'
import type { Check, CheckContext } from './check.ts'
import type { ActiveQuery, ContractRecord, KeyName, StakesQuery } from '../../store/store.ts'
import { snapshotChecks } from './snapshot-checks.ts'

const ORDERS = ['created', 'created-desc', 'rank', 'rank-desc'] as const
const KEYS: readonly KeyName[] = ['key1', 'key2', 'key3']
const LARGEST = 10n ** 38n - 1n
const MANY = 10_000

export const contractChecks: readonly Check[] = [
  {
    name: 'active contracts come in each order, by each key, up to each rank, in pages of any length',
    run: inOrder,
  },
  {
    name: 'an empty key finds nothing, a key of another template or name neither',
    run: async ({ store }) => {
      await addContracts(
        store,
        aContract('a', { key1: 'x' }),
        aContract('b', { templateId: OTHER_ID, key2: 'x' }),
      )
      const found = (name: KeyName, value: string, template = TEMPLATE) =>
        walk(store, { template, key: { name, value }, order: 'created', limit: 9 })
      for (const name of KEYS) assert.deepEqual(await found(name, ''), [])
      assert.deepEqual(await found('key1', 'x'), ['a'])
      assert.deepEqual(await found('key2', 'x'), [])
      assert.deepEqual(await found('key2', 'x', OTHER), ['b'])
      assert.deepEqual(await found('key1', 'X'), [])
    },
  },
  {
    name: 'contracts of all versions of a template are found together, in every order, by key and in snapshots',
    run: acrossVersions,
  },
  {
    name: 'a contract that comes later has its place in every order, one that goes leaves it at once',
    run: async ({ store }) => {
      const ids = async () =>
        Promise.all(
          ORDERS.map(async (order) =>
            (
              await walk(store, {
                template: TEMPLATE,
                key: { name: 'key1', value: 'x' },
                order,
                limit: 2,
              })
            ).join(''),
          ),
        )
      await addContracts(
        store,
        aContract('b', { key1: 'x', rank: 5n }),
        aContract('a', { key1: 'x', rank: 9n }),
      )
      assert.deepEqual(await ids(), ['ba', 'ab', 'ba', 'ab'])
      await addContracts(
        store,
        aContract('c', { key1: 'x', rank: 7n }),
        aContract('d', { key1: 'y', rank: 7n }),
      )
      assert.deepEqual(await ids(), ['bac', 'cab', 'bca', 'acb'])
      await archive(store, 'a', 'd')
      assert.deepEqual(await ids(), ['bc', 'cb', 'bc', 'cb'])
      await archive(store, 'b', 'c')
      assert.deepEqual(await ids(), ['', '', '', ''])
    },
  },
  {
    name: 'ranks have 38 digits, and none is rounded',
    run: async ({ store }) => {
      const ranks = [LARGEST, 0n, LARGEST - 1n, 10n ** 37n, 2n ** 63n, 2n ** 63n - 1n, 9n, 10n]
      await addContracts(
        store,
        ...ranks.map((rank) => aContract(String(rank), { key1: 'x', rank })),
      )
      const sorted = ranks.toSorted((a, b) => (a < b ? -1 : 1)).map(String)
      for (const key of [undefined, { name: 'key1', value: 'x' } as const]) {
        const query = { template: TEMPLATE, limit: 3, ...(key === undefined ? {} : { key }) }
        assert.deepEqual(await walk(store, { ...query, order: 'rank' }), sorted)
        assert.deepEqual(await walk(store, { ...query, order: 'rank-desc' }), sorted.toReversed())
        for (const maxRank of [LARGEST - 1n, 2n ** 63n - 1n, 9n, -1n, LARGEST + 1n, 10n ** 40n]) {
          const below = sorted.filter((rank) => BigInt(rank) <= maxRank)
          assert.deepEqual(await walk(store, { ...query, order: 'rank', maxRank }), below)
          assert.deepEqual(
            await walk(store, { ...query, order: 'rank-desc', maxRank }),
            below.toReversed(),
          )
        }
      }
      const states = await store.contracts.byIds([String(LARGEST)])
      assert.equal(states[0]?.contract.rank, LARGEST)
    },
  },
  {
    name: 'values of a key come once each, in pages of any length, however many contracts have one',
    run: valuesOfKeys,
  },
  {
    name: 'contracts are counted by one or two of their stakeholders, up to the limit',
    run: async ({ store }) => {
      const shared = Array.from({ length: 120 }, (_, index) =>
        aContract(`c${index}`, {
          signatories: [index < 7 ? 'ann' : 'bob'],
          observers: index % 2 === 0 ? ['carl'] : [],
        }),
      )
      await addContracts(
        store,
        ...shared,
        aContract('other', { signatories: ['ann'], templateId: OTHER_ID }),
      )
      await archive(store, 'c0', 'c119')
      const count = (parties: StakesQuery['parties'], limit: number, template = TEMPLATE) =>
        store.contracts.countStakes({ template, parties, limit })
      assert.deepEqual(
        await Promise.all([1, 111, 112, 1_000].map((limit) => count(['bob'], limit))),
        [1, 111, 112, 112],
      )
      assert.deepEqual(
        await Promise.all([
          count(['ann'], 9),
          count(['carl'], 99),
          count(['carl', 'ann'], 99),
          count(['bob', 'carl'], 50),
          count(['ann'], 9, OTHER),
        ]),
        [6, 59, 3, 50, 1],
      )
      assert.deepEqual(
        await Promise.all([count(['nobody'], 9), count(['ann', 'nobody'], 9)]),
        [0, 0],
      )
    },
  },
  {
    name: 'contracts under a key are counted up to the limit, and none where there is no such key',
    run: async ({ store }) => {
      const owned = Array.from({ length: 120 }, (_, index) =>
        aContract(`c${index}`, { key1: 'x', key2: index < 7 ? 'y' : '' }),
      )
      await addContracts(store, ...owned, aContract('other', { key1: 'x', templateId: OTHER_ID }))
      await archive(store, 'c0', 'c119')
      const count = (name: KeyName, value: string, limit: number, template = TEMPLATE) =>
        store.contracts.count({ template, key: { name, value }, limit })
      assert.deepEqual(
        await Promise.all([1, 117, 118, 1_000].map((limit) => count('key1', 'x', limit))),
        [1, 117, 118, 118],
      )
      assert.deepEqual(
        await Promise.all([count('key2', 'y', 9), count('key1', 'x', 9, OTHER)]),
        [6, 1],
      )
      assert.deepEqual(
        await Promise.all([count('key2', '', 9), count('key3', 'x', 9), count('key1', 'X', 9)]),
        [0, 0, 0],
      )
    },
  },
  ...snapshotChecks,
  {
    name: `${MANY} contracts are walked page by page, each once, also while others go`,
    run: async ({ store }) => {
      const ids = Array.from({ length: MANY }, (_, index) => `c${index}`)
      for (let start = 0; start < MANY; start += 1_000) {
        await addContracts(
          store,
          ...ids
            .slice(start, start + 1_000)
            .map((id, index) =>
              aContract(id, { key1: `owner${index % 2}`, rank: BigInt(index % 10) }),
            ),
        )
      }
      const query = { template: TEMPLATE, limit: 700 } as const
      assert.deepEqual(await walk(store, { ...query, order: 'created' }), ids)
      assert.equal(new Set(await walk(store, { ...query, order: 'rank-desc' })).size, MANY)
      const even = ids.filter((_id, index) => index % 2 === 0)
      const key = { name: 'key1', value: 'owner0' } as const
      const owned = (order: ActiveQuery['order']) => walk(store, { ...query, key, order })
      assert.deepEqual(await owned('created'), even)
      assert.equal((await owned('rank')).length, even.length)
      await archive(store, ...even.slice(1_000))
      assert.deepEqual(await owned('created'), even.slice(0, 1_000))
      assert.deepEqual((await owned('rank')).toSorted(), even.slice(0, 1_000).toSorted())
      assert.equal((await walk(store, { ...query, order: 'created-desc' })).length, 6_000)
      assert.deepEqual(await walkSnapshot(store, 10n, { limit: 700 }), ids)
      assert.equal((await walkSnapshot(store, 11n, { limit: 700 })).length, 6_000)
      assert.equal((await store.contracts.byIds(ids)).length, MANY)
    },
  },
]

/** 60 contracts with few keys and ranks, so that many are equal; every third one is archived. */
async function inOrder({ store }: CheckContext): Promise<void> {
  const contracts = Array.from({ length: 60 }, (_, index) =>
    aContract(`c${index}`, {
      key1: `a${(index * 7) % 3}`,
      key2: index % 2 === 0 ? '' : `b${index % 4}`,
      key3: `${index}`,
      rank: BigInt((index * 13) % 7),
    }),
  )
  await addContracts(store, ...contracts)
  await archive(
    store,
    ...contracts.filter((_each, index) => index % 3 === 0).map(({ contractId }) => contractId),
  )
  const active = contracts.filter((_each, index) => index % 3 !== 0)
  const keys = [
    undefined,
    ...KEYS.flatMap((name) => ['a1', 'b1', 'b3', '7'].map((value) => ({ name, value }))),
  ]
  for (const key of keys) {
    for (const order of ORDERS) {
      for (const maxRank of [undefined, 0n, 3n]) {
        const bounds = {
          ...(key === undefined ? {} : { key }),
          ...(maxRank === undefined ? {} : { maxRank }),
        }
        const query = { template: TEMPLATE, order, ...bounds }
        for (const limit of [1, 5, 100]) {
          const ids = await walk(store, { ...query, limit })
          assert.deepEqual(ids, expected(active, query), JSON.stringify(query, asText))
        }
      }
    }
  }
}

function expected(
  active: readonly ContractRecord[],
  query: Omit<ActiveQuery, 'limit'>,
): readonly string[] {
  const { key, order, maxRank = LARGEST } = query
  const found = active.filter(
    (each) => (key === undefined || each[key.name] === key.value) && each.rank <= maxRank,
  )
  const sorted = order.startsWith('rank')
    ? found.toSorted((a, b) => Number(a.rank - b.rank))
    : found
  const ids = sorted.map(({ contractId }) => contractId)
  return order.endsWith('-desc') ? ids.toReversed() : ids
}

/** The same module and entity in another package is another template. */
async function acrossVersions({ store }: CheckContext): Promise<void> {
  const newer = { templateId: TEMPLATE_ID.replace('ab', 'ef') }
  const foreign = { templateId: TEMPLATE_ID, packageName: 'another' }
  const keyed = { key1: 'x', key2: 'y' }
  await addContracts(
    store,
    aContract('a', { ...keyed, rank: 3n }),
    aContract('b', { ...keyed, ...newer, rank: 9n }),
  )
  await addContracts(
    store,
    aContract('c', { ...keyed, rank: 5n }),
    aContract('d', { ...keyed, ...foreign }),
    aContract('e', { ...newer, key1: 'z', rank: 4n }),
  )
  const query = { template: TEMPLATE, limit: 2 } as const
  assert.deepEqual(await walk(store, { ...query, order: 'created' }), ['a', 'b', 'c', 'e'])
  assert.deepEqual(await walk(store, { ...query, order: 'rank' }), ['a', 'e', 'c', 'b'])
  assert.deepEqual(
    await walk(store, { ...query, order: 'rank-desc', key: { name: 'key1', value: 'x' } }),
    ['b', 'c', 'a'],
  )
  const { contracts } = store
  assert.equal(
    await contracts.count({ template: TEMPLATE, key: { name: 'key2', value: 'y' }, limit: 9 }),
    3,
  )
  const keys = await contracts.keys({ template: TEMPLATE, name: 'key1', after: '', limit: 9 })
  assert.deepEqual(keys.toSorted(), ['x', 'z'])
  assert.deepEqual(await walkSnapshot(store, 2n, { templates: [TEMPLATE], limit: 1 }), [
    'a',
    'b',
    'c',
    'e',
  ])
  const [, written] = await contracts.active({ ...query, order: 'created' })
  assert.equal(
    written?.contract.templateId,
    newer.templateId,
    'a contract keeps the id that it was written with',
  )
}

/**
 * 300 contracts of one value between others; those that are gone, or of another template or key,
 * have none.
 */
async function valuesOfKeys({ store }: CheckContext): Promise<void> {
  const few = ['b::12', 'a::12', 'A::12', 'a::1', '\u{1F600}', '\uFFFD', 'é']
  const contracts = few.map((key1, index) =>
    aContract(`few${index}`, { key1, key2: 'all', key3: index === 0 ? 'third' : '' }),
  )
  const many = Array.from({ length: 300 }, (_, index) =>
    aContract(`many${index}`, { key1: 'a::2', key2: 'all' }),
  )
  await addContracts(
    store,
    ...contracts,
    ...many,
    aContract('gone', { key1: 'gone' }),
    aContract('o', { key1: 'o', templateId: OTHER_ID }),
  )
  await archive(store, 'gone')
  const walkKeys = async (
    name: KeyName,
    limit: number,
    template = TEMPLATE,
  ): Promise<readonly string[]> => {
    const found: string[] = []
    for (;;) {
      const page = await store.contracts.keys({ template, name, after: found.at(-1) ?? '', limit })
      assert.ok(page.length <= limit)
      found.push(...page)
      if (page.length < limit) return found
    }
  }
  for (const limit of [1, 3, 100]) {
    const values = await walkKeys('key1', limit)
    assert.deepEqual(values.toSorted(), [...few, 'a::2'].toSorted())
    assert.deepEqual(values, await walkKeys('key1', 1), 'the order is always the same')
    assert.deepEqual(await walkKeys('key2', limit), ['all'])
    assert.deepEqual(await walkKeys('key3', limit), ['third'])
    assert.deepEqual(await walkKeys('key1', limit, OTHER), ['o'])
    assert.deepEqual(await walkKeys('key1', limit, 'nobody'), [])
  }
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
