// The earlier lists of what was done with coin, on a ledger where little was: whoever asks, what
// has nothing for them is read once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mintingDelegationProposal } from '../../runtime/contracts/index.ts'
import { NO_WRITES } from '../../runtime/engine/index.ts'
import { PAGE_BYTES } from '../../runtime/interfaces/pages.ts'
import { BLOCK, BlankBlocks } from '../../runtime/interfaces/scan/blank-blocks.ts'
import { activityHandlers } from '../../runtime/interfaces/scan/round-total-handlers.ts'
import { asked, bodyOf, startScan } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

const COIN = 10_000_000_000n
const QUIET = 3 * Number(BLOCK)

async function tap({ services }: ScanNetwork, party: string): Promise<void> {
  const operation = { tag: 'CO_Tap', value: { tapAmount: COIN } } as const
  assert.ok((await services.treasury.enqueue(party, operation)).ok)
}

/** Makes as many updates with nothing that the lists show. */
async function beQuiet({ done, economy, services }: ScanNetwork, party: string): Promise<void> {
  const { dso } = economy.parties
  const expiresAt = services.economy.clock.nowMicros() + 3_600_000_000n
  const delegation = { beneficiary: party, delegate: party, dso, expiresAt, coinMergeLimit: 10n }
  for (let updates = 0; updates < QUIET; updates += 1)
    await done([party], (tx) => tx.create(mintingDelegationProposal, { delegation }))
}

test('what has nothing to tell is read once, and all that has is told in every page', async () => {
  const network = await startScan()
  const alice = await network.partyOf('alice')
  for (let times = 0; times < 3; times += 1) {
    await tap(network, alice)
    await beQuiet(network, alice)
  }
  await tap(network, alice)

  const { node, store } = network.economy
  let read = 0
  const contracts: typeof store.contracts = {
    ...store.contracts,
    updatesAfter: async (...query) => {
      const records = await store.contracts.updatesAfter(...query)
      read += records.length
      return records
    },
  }
  const handlers = asked(activityHandlers({ node, store: { ...store, contracts } }))
  const listed = async (sort_order: 'asc' | 'desc', page_size: bigint) => {
    const ids: string[] = []
    for (;;) {
      const last = ids.at(-1)
      const after = last === undefined ? {} : { page_end_event_id: last }
      const body = { page_size, sort_order, ...after }
      const page = bodyOf(await handlers.listTransactionHistory({ body }))
      ids.push(...page.transactions.map(({ event_id: id }) => id))
      if (page.transactions.length === 0) return ids
    }
  }
  const all = await listed('asc', 100n)
  assert.ok(all.length >= 4)
  const once = read
  assert.ok(once >= 3 * QUIET)
  read = 0
  assert.deepEqual(await listed('desc', 100n), all.toReversed())
  assert.ok(read < once / 2, `${read} of ${once}`)
  for (const size of [1n, 2n]) {
    assert.deepEqual(await listed('asc', size), all)
    assert.deepEqual(await listed('desc', size), all.toReversed())
  }
})

/** Adds as many updates, copies of the last one, as another server does. */
async function addCopies({ store: { contracts } }: ScanNetwork, count: number): Promise<void> {
  const { offset } = await contracts.ledgerEnd()
  const [last] = await contracts.updatesAfter(offset - 1n, 1, PAGE_BYTES)
  assert.ok(last)
  const updates = Array.from({ length: count }, (_, index) => ({
    ...last,
    updateId: `${last.updateId}${index}`,
    offset: offset + 1n + BigInt(index),
    recordTime: last.recordTime + 1n + BigInt(index),
  }))
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes: { ...NO_WRITES, updates }, result: undefined }),
  })
}

test('a page that has something ends after 8,000 updates, and the next one goes on', async () => {
  const network = await startScan()
  const alice = await network.partyOf('alice')
  await tap(network, alice)
  await beQuiet(network, alice)
  await addCopies(network, 16_500)
  await tap(network, alice)
  const newest = async (after: object) => {
    const body = { page_size: 100n, ...after }
    return bodyOf(await network.scan.listActivity({ body })).activities
  }
  const [last, ...more] = await newest({})
  assert.ok(last?.tap !== undefined && more.length === 0, 'the tap of before is not looked for')
  const before = await newest({ begin_after_id: last.event_id })
  assert.ok(before.some(({ tap: made }) => made !== undefined))
})

test('blocks that are known to be blank are stepped over, and no others', () => {
  const blocks = fc.array(fc.nat(200), { maxLength: 200 })
  fc.assert(
    fc.property(
      blocks,
      fc.nat(220),
      fc.constantFrom(1 as const, -1 as const),
      (some, from, step) => {
        const blank = new BlankBlocks()
        for (const block of some) blank.add(block)
        let expected = from
        while (expected >= 0 && some.includes(expected)) expected += step
        assert.equal(blank.next(from, step), expected)
      },
    ),
  )
  const full = new BlankBlocks()
  for (let block = 0; block < 20_000; block += 1) full.add(block)
  assert.deepEqual([full.next(0, 1), full.next(19_999, -1)], [20_000, -1])
})
