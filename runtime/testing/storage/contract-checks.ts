// Finding contracts: by key, in every order, page by page.
import assert from 'node:assert/strict'
import {
  addContracts,
  aContract,
  archive,
  OTHER,
  OTHER_ID,
  TEMPLATE,
  walk,
  walkSnapshot,
} from './ledger-kit.ts'
import type { Check, CheckContext } from './check.ts'
import type { ActiveQuery, KeyName } from '../../store/store.ts'

const LARGEST = 10n ** 38n - 1n
const MANY = 10_000

export const contractChecks: readonly Check[] = [
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
