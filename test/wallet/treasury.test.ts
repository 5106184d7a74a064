// The treasury on a real ledger in memory: batches, a failing operation alone, deduplication, fresh
// inputs after a lost race. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoinOperation } from '../../generated/contracts.gen.ts'
import { balance, createWorld, tapCoins } from './world.ts'

const COIN = 10_000_000_000n
const tap = (coins: bigint): CoinOperation => ({
  tag: 'CO_Tap',
  value: { tapAmount: coins * COIN },
})
const merge: CoinOperation = { tag: 'CO_MergeTransferInputs', value: {} }
const complete = (acceptedTransferOfferCid: string): CoinOperation => ({
  tag: 'CO_CompleteAcceptedTransfer',
  value: { acceptedTransferOfferCid },
})

test('operations that arrive together are one update, each with its own outcome', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  const done = await Promise.all(
    [tap(1n), tap(2n), tap(3n)].map((operation) => world.treasury.enqueue(alice, operation)),
  )
  assert.ok(done.every((one) => one.ok))
  assert.equal(new Set(done.map((one) => (one.ok ? one.updateId : ''))).size, 1)
  assert.equal(
    new Set(
      done.map((one) => (one.ok && one.outcome.tag === 'COO_Tap' ? one.outcome.value.coin : '')),
    ).size,
    3,
  )
  assert.deepEqual(await balance(world, 'alice'), { unlocked: '6.0000000000', coins: 3 })
})

test('merging leaves one coin; a second merge of a batch, and one beside other operations, has nothing to do', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  await tapCoins(world, 'alice', 1n, 2n, 3n)
  const [first, second] = await Promise.all([
    world.treasury.enqueue(alice, merge),
    world.treasury.enqueue(alice, merge),
  ])
  assert.ok(
    first.ok &&
      first.outcome.tag === 'COO_MergeTransferInputs' &&
      first.outcome.value.coin !== null,
  )
  assert.ok(
    second.ok &&
      second.outcome.tag === 'COO_MergeTransferInputs' &&
      second.outcome.value.coin === null,
  )
  assert.deepEqual(await balance(world, 'alice'), { unlocked: '6.0000000000', coins: 1 })
  const [beside] = await Promise.all([
    world.treasury.enqueue(alice, merge),
    world.treasury.enqueue(alice, tap(1n)),
  ])
  assert.ok(beside.ok && beside.updateId === '')
})

test('an operation on a contract that is gone fails alone', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  const [gone, good] = await Promise.all([
    world.treasury.enqueue(alice, complete('00ab')),
    world.treasury.enqueue(alice, tap(5n)),
  ])
  assert.deepEqual(gone, { ok: false, kind: 'target-gone', contractId: '00ab' })
  assert.ok(good.ok)
})

test('a batch that the ledger refuses as a whole runs one by one', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  const [bad, good] = await Promise.all([
    world.treasury.enqueue(alice, tap(100_000_001n)),
    world.treasury.enqueue(alice, tap(5n)),
  ])
  assert.ok(!bad.ok && bad.kind === 'refused' && bad.rejection.kind === 'aborted')
  assert.ok(good.ok)
  assert.deepEqual(await balance(world, 'alice'), { unlocked: '5.0000000000', coins: 1 })
})

test('a deduplication id has one effect and one answer, however often and however close together', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  const ask = () => world.treasury.enqueue(alice, tap(7n), { dedup: { id: 'once', content: '7' } })
  const results = [...(await Promise.all([ask(), ask(), ask()])), await ask()]
  const coins = results.map((one) =>
    one.ok && one.outcome.tag === 'COO_Tap' ? one.outcome.value.coin : 'none',
  )
  assert.equal(new Set(coins).size, 1)
  assert.deepEqual(
    results.map((one) => one.ok && one.isRepeated),
    [false, true, true, true],
  )
  assert.deepEqual(await balance(world, 'alice'), { unlocked: '7.0000000000', coins: 1 })
})

test('a deduplicated operation that failed leaves its id free', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  const ask = (coins: bigint) =>
    world.treasury.enqueue(alice, tap(coins), { dedup: { id: 'later', content: String(coins) } })
  assert.ok(!(await ask(100_000_001n)).ok)
  assert.ok((await ask(3n)).ok)
})

test('who has no wallet has no treasury', async () => {
  const world = await createWorld()
  assert.deepEqual(await world.treasury.enqueue('nobody::1220', tap(1n)), {
    ok: false,
    kind: 'no-wallet',
    party: 'nobody::1220',
  })
})

test('a full queue refuses; the rest is done', async () => {
  const world = await createWorld({ validator: { treasury: { queueSize: 3, batchSize: 1 } } })
  const alice = await world.partyOf('alice')
  const results = await Promise.all(
    Array.from({ length: 5 }, () => world.treasury.enqueue(alice, tap(1n))),
  )
  assert.deepEqual(
    results.map((one) => one.ok || one.kind),
    [true, true, true, 'queue-full', 'queue-full'],
  )
})

test('what runs alone gets the holdings in its turn, and again after a lost race', async () => {
  const world = await createWorld()
  const alice = await world.partyOf('alice')
  await tapCoins(world, 'alice', 1n, 4n)
  const seen: number[] = []
  const done = await world.treasury.runAlone(alice, async (holdings) => {
    seen.push(holdings.length)
    if (seen.length < 3)
      return { ok: false, kind: 'contract-not-found', contractId: holdings[0] ?? '' }
    return { ok: true, updateId: 'u', offset: 1n, recordTime: 1n, effectiveAt: 1n, result: 'sent' }
  })
  assert.ok(done.ok && done.result === 'sent')
  assert.deepEqual(seen, [2, 2, 2])
  const refused = await world.treasury.runAlone(alice, async () => ({
    ok: false,
    kind: 'contract-not-found',
    contractId: 'other',
  }))
  assert.ok(!refused.ok && refused.kind === 'refused')
})
