// What a store keeps of amounts that grow says at any position what their contracts say one by one,
// whatever was created and archived before, and a ledger of before is caught up with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { accruedAt, accruedBy, AccrualSums, accrualsOf } from '../../runtime/engine/index.ts'
import type { Accruing } from '../../runtime/engine/index.ts'

const LAST = 2n ** 63n - 1n
const NOTHING = {
  updates: [],
  creates: [],
  archives: [],
  assignments: [],
  commands: [],
  totals: [],
  logs: [],
  facts: [],
}

/** Small ones, that reach their limits often, and any. */
const growth: fc.Arbitrary<Accruing> = fc.oneof(
  grown(12n, 9n, 60n),
  grown(LAST, 10n ** 20n, 10n ** 38n),
)

function grown(since: bigint, rate: bigint, limit: bigint): fc.Arbitrary<Accruing> {
  return fc.record({
    name: fc.constant('fees'),
    account: fc.constantFrom('ann', 'bob'),
    since: fc.bigInt({ min: 0n, max: since }),
    rate: fc.bigInt({ min: 0n, max: rate }),
    limit: fc.bigInt({ min: 1n, max: limit }),
  })
}

const position = fc.oneof(fc.bigInt({ min: 0n, max: 80n }), fc.bigInt({ min: 0n, max: LAST }))

test('sums of amounts that grow are what the amounts add up to, at any position', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ one: growth, lasts: fc.boolean() }), { maxLength: 30 }),
      fc.array(position, { minLength: 1, maxLength: 8 }),
      async (growths, positions) => {
        const { contracts } = createMemoryStore()
        const commit = async (sums: AccrualSums) =>
          contracts.commit({
            reads: { contractIds: [], commandKeys: [], facts: [] },
            decide: () => ({ writes: { ...NOTHING, accruals: sums.rows() }, result: undefined }),
          })
        const [come, gone] = [new AccrualSums(), new AccrualSums()]
        for (const { one, lasts } of growths)
          for (const row of accrualsOf(one)) {
            const { amount, rate, count, ...key } = row
            come.add(row)
            if (!lasts) gone.add({ ...key, amount: -amount, rate: -rate, count: -count })
          }
        await commit(come)
        await commit(gone)
        for (const account of ['ann', 'bob']) {
          const left = growths.flatMap(({ one, lasts }) =>
            lasts && one.account === account ? [one] : [],
          )
          for (const at of [...positions, ...left.map(({ since }) => since)]) {
            const rows = await contracts.accruals({ name: 'fees', account, at })
            assert.equal(
              accruedAt(rows, at),
              left.reduce((sum, one) => sum + accruedBy(one, at), 0n),
            )
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})
