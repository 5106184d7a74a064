// One write of each kind, and what is to be read after it.
import assert from 'node:assert/strict'
import { aContract, createdAt, updateAt } from './ledger-kit.ts'
import type { CommitWrites, Store } from '../../store/store.ts'

export const SNAPSHOT = { offset: 3n, templates: [], parties: [], after: 0n, limit: 9 }

/** One write of each kind. */
export function everything(offset: bigint): Partial<CommitWrites> {
  return {
    updates: [updateAt(offset)],
    creates: createdAt(offset, aContract('fresh', { key1: 'owner', rank: 5n })),
    totals: [{ name: 'fresh', account: 'a', amount: 5n, count: 1n }],
    logs: [{ log: 'fresh', owner: 'o', id: '1', body: '{}', offset }],
    facts: [{ kind: 'fresh', key: 'x', body: '{}' }],
    commands: [{ key: 'fresh', updateId: `update-${offset}`, offset, keptUntil: 99n }],
  }
}

export async function everythingOf({ contracts, updates }: Store): Promise<readonly unknown[]> {
  return [
    await contracts.ledgerEnd(),
    await updates.ledgerEnd(),
    await contracts.updatesAfter(0n, 99),
    await contracts.byIds(['fresh']),
    await contracts.snapshot(SNAPSHOT),
    await contracts.total({ name: 'fresh', account: 'a' }),
    await contracts.log({ log: 'fresh', owner: 'o', after: '', limit: 9 }),
    await contracts.facts('fresh', '', 9),
    await contracts.command('fresh'),
  ]
}

export async function leavesNoTrace({ contracts }: Store, offset = 0n): Promise<void> {
  assert.deepEqual(await contracts.ledgerEnd(), { offset, recordTime: offset * 10n })
  assert.deepEqual(await contracts.updatesAfter(offset, 9), [])
  assert.deepEqual(await contracts.byIds(['fresh']), [])
  assert.deepEqual(await contracts.total({ name: 'fresh', account: 'a' }), {
    amount: 0n,
    count: 0n,
  })
  assert.deepEqual(await contracts.log({ log: 'fresh', owner: 'o', after: '', limit: 9 }), [])
  assert.deepEqual(await contracts.facts('fresh', '', 9), [])
  assert.equal(await contracts.command('fresh'), undefined)
}
