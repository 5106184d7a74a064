// What a commit projects: totals, logs, facts, commands and updates by time.
import assert from 'node:assert/strict'
import { append, factsFor, updateAt } from './ledger-kit.ts'
import type { Check } from './check.ts'
import { compareUtf8 } from '../../store/rules.ts'
import type { Accrual, AccrualKey, Store } from '../../store/store.ts'

const HUGE = 10n ** 38n - 1n
const LAST = 2n ** 63n - 1n

function rowOf(rows: readonly (AccrualKey & Accrual)[]): AccrualKey & Accrual {
  const [row] = rows
  assert.ok(row !== undefined)
  return row
}

function byPlace(one: AccrualKey, other: AccrualKey): number {
  return compareUtf8(one.part, other.part) || (one.at < other.at ? -1 : 1)
}

export const projectionChecks: readonly Check[] = [
  {
    name: 'totals add up, below zero and beyond 38 digits, each account for itself',
    run: async ({ store }) => {
      const key = { name: 'supply', account: '' }
      const add = (amount: bigint, count: bigint) =>
        append(store, () => ({
          totals: [
            { ...key, amount, count },
            { name: 'supply', account: 'ann', amount: 1n, count: 0n },
          ],
        }))
      for (const [amount, count] of [
        [HUGE, 1n],
        [HUGE, 1n],
        [HUGE, -1n],
        [1n, 0n],
      ] as const)
        await add(amount, count)
      assert.deepEqual(await store.contracts.total(key), { amount: HUGE * 3n + 1n, count: 1n })
      await add(-HUGE * 4n, -3n)
      assert.deepEqual(await store.contracts.total(key), { amount: 1n - HUGE, count: -2n })
      assert.deepEqual(await store.contracts.total({ name: 'supply', account: 'ann' }), {
        amount: 5n,
        count: 0n,
      })
      assert.deepEqual(await store.contracts.total({ name: 'other', account: '' }), {
        amount: 0n,
        count: 0n,
      })
    },
  },
  {
    name: 'of amounts that grow the rows that decide a position are read, and none without contracts',
    run: async ({ store }) => {
      const row = (
        part: AccrualKey['part'],
        at: bigint,
        [amount, rate, count]: readonly [bigint, bigint, bigint],
      ) => ({ name: 'fees', account: 'ann', part, at, amount, rate, count })
      const rows = [
        row('all', 0n, [-HUGE * 2n, HUGE, 3n]),
        row('since', 2n, [0n, 1n, 1n]),
        row('since', 3n, [0n, 2n, 1n]),
        row('since', LAST, [0n, 3n, 1n]),
        row('until', 2n, [5n, -1n, 1n]),
        row('until', 3n, [HUGE, -2n, 1n]),
        row('until', LAST, [-HUGE, -3n, 1n]),
      ]
      await append(store, () => ({ accruals: [...rows, { ...rowOf(rows), account: 'bob' }] }))
      const read = async (at: bigint, account = 'ann') =>
        (await store.contracts.accruals({ name: 'fees', account, at })).toSorted(byPlace)
      const at = (...places: readonly number[]) =>
        rows.filter((_row, place) => places.includes(place))
      assert.deepEqual(await read(0n), at(0, 1, 2, 3))
      assert.deepEqual(await read(2n), at(0, 2, 3, 4))
      assert.deepEqual(await read(3n), at(0, 3, 4, 5))
      assert.deepEqual(await read(LAST), at(0, 4, 5, 6))
      assert.deepEqual(await read(2n, 'cid'), [])
      await append(store, () => ({
        accruals: [
          row('all', 0n, [HUGE, -HUGE, -1n]),
          row('since', 3n, [0n, -2n, -1n]),
          row('until', 2n, [1n, 1n, 1n]),
          row('until', 3n, [-HUGE, 2n, -1n]),
        ],
      }))
      const kept = [row('all', 0n, [-HUGE, 0n, 2n]), rows[3], row('until', 2n, [6n, 0n, 2n])]
      assert.deepEqual(await read(2n), kept)
      assert.deepEqual(await read(3n), kept)
    },
  },
  {
    name: 'what parties see is read page by page, to the end of the ledger, and what is pruned is not',
    run: async ({ store }) => {
      const seers = [['ann'], ['bob'], ['ann', 'bob'], [], ['ann', 'ann'], ['cid'], ['bob']]
      for (const seenBy of seers)
        await append(store, (offset) => ({ updates: [{ ...updateAt(offset), seenBy }] }))
      assert.deepEqual(await seen(store, ['ann'], 2), [1n, 3n, 5n])
      assert.deepEqual(await seen(store, ['ann', 'bob'], 2), [1n, 2n, 3n, 5n, 7n])
      assert.deepEqual(await seen(store, ['ann', 'bob'], 9, 1), [1n, 2n, 3n, 5n, 7n])
      assert.deepEqual(await seen(store, ['nobody'], 2), [])
      assert.deepEqual(await seen(store, [], 2), [])
      for (const until of [2n, 3n, 4n, 9n]) {
        const asked = { parties: ['ann'], after: 1n, until, limit: 9 }
        const { updates, upTo } = await store.contracts.updatesSeenBy(asked)
        const found = updates.filter(({ offset }) => ANN_SAW.includes(offset) && offset <= until)
        assert.deepEqual(
          found.map(({ offset }) => offset),
          ANN_SAW.filter((offset) => offset > 1n && offset <= until),
        )
        assert.ok(upTo >= (until < 7n ? until : 7n), `${upTo} for ${until}`)
      }
      assert.equal(await store.updates.prune(3n), 'pruned')
      assert.deepEqual(await seen(store, ['ann', 'bob'], 2), [5n, 7n])
      const query = { parties: ['ann'], after: 7n, limit: 9 }
      assert.deepEqual(await store.contracts.updatesSeenBy(query), { updates: [], upTo: 7n })
    },
  },
  {
    name: 'updates are read as far as their bodies fit, and the next one however large it is',
    run: async ({ store }) => {
      for (const length of [4, 5, 40, 4]) {
        await append(store, (offset) => ({
          updates: [{ ...updateAt(offset), body: JSON.stringify('é'.repeat(length - 2)) }],
        }))
      }
      const within = async (offset: bigint, limit: number, maxBytes: number) =>
        (await store.contracts.updatesAfter(offset, limit, maxBytes)).map((update) => update.offset)
      // 6, 8, 78 and 6 bytes.
      assert.deepEqual(await within(0n, 9, 1_000), [1n, 2n, 3n, 4n])
      assert.deepEqual(await within(0n, 3, 1_000), [1n, 2n, 3n])
      assert.deepEqual(await within(0n, 9, 14), [1n, 2n])
      assert.deepEqual(await within(0n, 9, 13), [1n])
      assert.deepEqual(await within(0n, 9, 1), [1n])
      assert.deepEqual(await within(2n, 9, 1), [3n])
      assert.deepEqual(await within(2n, 9, 83), [3n])
      assert.deepEqual(await within(2n, 9, 84), [3n, 4n])
      assert.deepEqual(await within(4n, 9, 1), [])
      await store.updates.prune(1n)
      assert.deepEqual(await within(0n, 9, 1), [2n])
    },
  },
  {
    name: 'a command replaces the one under its key, and is forgotten after its time',
    run: async ({ store: { contracts }, store }) => {
      const command = (key: string, keptUntil: bigint) => ({
        key,
        updateId: 'u',
        offset: 1n,
        keptUntil,
      })
      await append(store, () => ({ commands: [command('a', 10n), command('b', 20n)] }))
      await append(store, () => ({
        commands: [{ ...command('a', 30n), updateId: 'v', offset: 2n }],
      }))
      assert.deepEqual(await contracts.command('a'), {
        key: 'a',
        updateId: 'v',
        offset: 2n,
        keptUntil: 30n,
      })
      await contracts.forgetCommands(20n)
      assert.deepEqual(await contracts.command('b'), command('b', 20n))
      await contracts.forgetCommands(21n)
      assert.equal(await contracts.command('b'), undefined)
      assert.equal((await factsFor(store, { commandKeys: ['a', 'b'] })).commands.size, 1)
    },
  },
  {
    name: 'facts of a range of kinds are forgotten, those of others are not, and new ones count',
    run: async ({ store: { contracts }, store }) => {
      const facts = Array.from({ length: 2_100 }, (_, number) => ({
        kind: 'old',
        key: `${number}`,
        body: '1',
      }))
      const others = ['olc', 'old-a', 'old/', 'oldest'].map((kind) => ({
        kind,
        key: '1',
        body: '2',
      }))
      await append(store, () => ({ facts: [...facts, ...others] }))
      await contracts.forgetFacts('old', 'old/')
      await contracts.forgetFacts('never', 'never')
      await contracts.forgetFacts('z', 'a')
      assert.deepEqual(await contracts.facts('old', '', 9), [])
      const kept = await Promise.all(others.map(({ kind }) => contracts.fact(kind, '1')))
      assert.deepEqual(
        kept.map((fact) => fact?.kind),
        ['olc', undefined, 'old/', 'oldest'],
      )
      await append(store, () => ({ facts: [{ kind: 'old', key: '7', body: '3' }] }))
      assert.deepEqual(await contracts.facts('old', '', 9), [{ kind: 'old', key: '7', body: '3' }])
    },
  },
]

const ANN_SAW: readonly bigint[] = [1n, 3n, 5n]

/**
 * Offsets of all pages of what parties see, each of at most `limit`; without those that they do not
 * see, which a store may answer as well.
 */
async function seen(
  { contracts }: Store,
  parties: readonly string[],
  limit: number,
  maxBytes?: number,
): Promise<readonly bigint[]> {
  const bySeer: Readonly<Record<string, readonly bigint[]>> = {
    ann: ANN_SAW,
    bob: [2n, 3n, 7n],
  }
  const expected = new Set(parties.flatMap((party) => bySeer[party] ?? []))
  const found: bigint[] = []
  for (let after = 0n; ;) {
    const query = { parties, after, limit, ...(maxBytes === undefined ? {} : { maxBytes }) }
    const { updates, upTo } = await contracts.updatesSeenBy(query)
    assert.ok(updates.length <= limit && (maxBytes === undefined || updates.length <= 1))
    assert.deepEqual(
      updates,
      updates.map(({ offset }) => updateAt(offset)),
    )
    found.push(...updates.map(({ offset }) => offset))
    assert.ok(updates.every(({ offset }) => offset > after && offset <= upTo))
    if (upTo === after) break
    after = upTo
  }
  assert.equal((await contracts.ledgerEnd()).offset, 7n)
  return found.filter((offset) => expected.has(offset))
}
