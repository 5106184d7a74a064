// What pruning takes, and that whoever asks from the pruned offset on does not notice.
import assert from 'node:assert/strict'
import {
  addContracts,
  aContract,
  append,
  archive,
  createdAt,
  OTHER_ID,
  TEMPLATE,
  walk,
} from './ledger-kit.ts'
import { ofAll, randomLedger } from './prune-kit.ts'
import type { Check, CheckContext } from './check.ts'
import type { Store } from '../../store/store.ts'

const SNAPSHOT_PRUNED = { code: 'SNAPSHOT_PRUNED' }

export const pruneChecks: readonly Check[] = [
  {
    name: 'pruning takes what ended with the updates, and nothing that is active or kept',
    run: takes,
  },
  { name: 'what was active below the pruned offset is not known any more', run: refuses },
  { name: 'questions from the pruned offset on get the answers of before', run: answersAlike },
  { name: 'a pruned ledger goes on, and is pruned again', run: goesOn },
  {
    name: 'of a pruned ledger the same is there after close and reopen',
    needs: 'durable',
    run: reopens,
  },
]

async function takes({ store: { contracts, updates }, store }: CheckContext): Promise<void> {
  await addContracts(store, aContract('a'), aContract('b'))
  await append(store, (offset) => ({
    archives: [{ contractId: 'a', offset }],
    totals: [{ name: 'n', account: 'a', amount: 1n, count: 1n }],
    logs: [{ log: 'l', owner: 'o', id: '1', body: '{}', offset }],
    facts: [
      { kind: 'k', key: 'x', body: '1' },
      { kind: 'k', key: 'y', body: '1', prunedWith: offset },
      { kind: 'k', key: 'z', body: '1', prunedWith: offset },
    ],
    commands: [{ key: 'c', updateId: 'u', offset, keptUntil: 9n }],
  }))
  await append(store, (offset) => ({
    creates: createdAt(offset, aContract('c')),
    logs: [{ log: 'l', owner: 'o', id: '2', body: '{}', offset }],
    facts: [{ kind: 'k', key: 'z', body: '2' }],
  }))
  assert.equal(await updates.prune(2n), 'pruned')
  assert.deepEqual(await updates.byOffset(2n), undefined)
  assert.deepEqual(await idsOf(store, ['a', 'b', 'c']), ['b', 'c'])
  assert.deepEqual(await walk(store, { template: TEMPLATE, order: 'created', limit: 9 }), [
    'b',
    'c',
  ])
  assert.deepEqual(await contracts.total({ name: 'n', account: 'a' }), { amount: 1n, count: 1n })
  const lines = await contracts.log({ log: 'l', owner: 'o', after: '', limit: 9 })
  assert.deepEqual(lines, [{ log: 'l', owner: 'o', id: '2', body: '{}' }])
  assert.deepEqual(await contracts.log({ log: 'l', owner: 'o', after: '1', limit: 9 }), [])
  const facts = await contracts.facts('k', '', 9)
  assert.deepEqual(
    facts.map(({ key, body }) => `${key}${body}`),
    ['x1', 'z2'],
  )
  assert.equal((await contracts.command('c'))?.key, 'c')
  assert.deepEqual(await contracts.ledgerEnd(), { offset: 3n, recordTime: 30n })
}

async function refuses({ store: { contracts, updates }, store }: CheckContext): Promise<void> {
  await addContracts(store, aContract('a'))
  await archive(store, 'a')
  await append(store)
  await updates.prune(2n)
  const asked = { templates: [], parties: [], after: 0n, limit: 9 }
  for (const offset of [0n, 1n]) {
    for (const parties of [[], ['alice']])
      await assert.rejects(contracts.snapshot({ ...asked, parties, offset }), SNAPSHOT_PRUNED)
    const templates = [TEMPLATE]
    await assert.rejects(contracts.snapshot({ ...asked, templates, offset }), SNAPSHOT_PRUNED)
  }
  for (const offset of [2n, 3n])
    assert.deepEqual(await contracts.snapshot({ ...asked, offset }), [])
}

async function answersAlike({ create, seedRuns }: CheckContext): Promise<void> {
  for (let seed = 1; seed <= seedRuns; seed += 1) {
    const store = await create()
    const { length, pruneAt } = await randomLedger(store, seed)
    const before = await ofAll(store, pruneAt, length)
    await store.updates.prune(pruneAt)
    assert.deepEqual(await ofAll(store, pruneAt, length), before, `seed ${seed}`)
    await store.close()
  }
}

async function goesOn({ store: { updates }, store }: CheckContext): Promise<void> {
  await addContracts(store, aContract('a'), aContract('b'))
  await archive(store, 'b')
  await updates.prune(2n)
  await addContracts(store, aContract('b2'), aContract('c', { templateId: OTHER_ID }))
  await archive(store, 'a', 'c')
  assert.deepEqual(await walk(store, { template: TEMPLATE, order: 'created-desc', limit: 1 }), [
    'b2',
  ])
  assert.equal(await updates.prune(4n), 'pruned')
  await addContracts(store, aContract('d'))
  assert.deepEqual(await idsOf(store, ['a', 'b', 'b2', 'd']), ['b2', 'd'])
  assert.deepEqual(await walk(store, { template: TEMPLATE, order: 'created', limit: 1 }), [
    'b2',
    'd',
  ])
}

async function reopens({ store, reopen, seedRuns }: CheckContext): Promise<void> {
  const { length, pruneAt } = await randomLedger(store, seedRuns + 1)
  await store.updates.prune(pruneAt)
  const before = await ofAll(store, pruneAt, length)
  await store.close()
  const again = await reopen()
  assert.deepEqual(await ofAll(again, pruneAt, length), before)
  await addContracts(again, aContract('next'))
  await again.close()
}

async function idsOf({ contracts }: Store, ids: readonly string[]): Promise<readonly string[]> {
  const states = await contracts.byIds(ids)
  return states.map(({ contract }) => contract.contractId).toSorted()
}
