// Texts in commits: hostile ones are kept, those that no store can hold are refused.
import assert from 'node:assert/strict'
import { append, aContract, createdAt, factsFor, updateAt, walk } from './ledger-kit.ts'
import type { CheckContext } from './check.ts'
import { templateOf } from '../../store/rules.ts'
import type { CommitWrites } from '../../store/store.ts'
import { everything, leavesNoTrace } from './commit-kit.ts'

const LONGEST = 'k'.repeat(1_000)

export async function keepsHostileTexts({ store }: CheckContext): Promise<void> {
  const texts = [`'"?$1\\{}`, '😀 \u{FFFF} \t\n', 'null', '{a,"b"}', ' ', `u1\u0001`, LONGEST]
  for (const [index, text] of texts.entries()) {
    const contract = aContract(text, {
      templateId: `t${text}`.slice(0, 1_000),
      packageName: text,
      signatories: [text],
      observers: [text],
      key1: text,
      key2: text,
      key3: text,
      payload: JSON.stringify(`${text}\0\uD800`),
    })
    await append(store, (offset) => ({
      updates: [{ ...updateAt(offset), updateId: text, body: JSON.stringify(`${text}\0\uD800`) }],
      creates: createdAt(offset, contract).map((state) => ({ ...state, synchronizerId: text })),
      totals: [{ name: text, account: text, amount: 1n, count: 1n }],
      logs: [{ log: text, owner: text, id: text, body: JSON.stringify(text), offset }],
      facts: [{ kind: text, key: text, body: JSON.stringify(text) }],
      commands: [{ key: text, updateId: text, offset, keptUntil: 1n }],
    }))
    const offset = BigInt(index + 1)
    const { contracts, updates } = store
    const state = { contract, createdOffset: offset, archivedOffset: 0n, synchronizerId: text }
    assert.deepEqual(await contracts.byIds([text]), [state])
    const query = { template: templateOf(contract), order: 'rank', limit: 9 } as const
    for (const name of ['key1', 'key2', 'key3'] as const) {
      assert.deepEqual(await walk(store, { ...query, key: { name, value: text } }), [text])
    }
    assert.equal((await updates.byId(text))?.body, JSON.stringify(`${text}\0\uD800`))
    assert.deepEqual(await contracts.total({ name: text, account: text }), {
      amount: 1n,
      count: 1n,
    })
    assert.equal(
      (await contracts.log({ log: text, owner: text, after: '', limit: 9 }))[0]?.id,
      text,
    )
    assert.equal((await contracts.fact(text, text))?.body, JSON.stringify(text))
    assert.equal((await contracts.command(text))?.updateId, text)
    const told = await factsFor(store, {
      contractIds: [text],
      commandKeys: [text],
      facts: [{ kind: text, key: text }],
    })
    assert.deepEqual([told.states.size, told.commands.size, told.facts.get(text)?.size], [1, 1, 1])
  }
}

export async function refusesUnstorable({ store }: CheckContext): Promise<void> {
  const contracts =
    (patch: Parameters<typeof aContract>[1]) =>
    (offset: bigint): Partial<CommitWrites> => ({
      ...everything(offset),
      creates: createdAt(offset, aContract('fresh', patch)),
    })
  const cases = ['nul\0', '\uD800', `${LONGEST}k`, 'é'.repeat(501)].flatMap((text) => [
    contracts({ contractId: text }),
    contracts({ templateId: text }),
    contracts({ key1: text }),
    contracts({ key3: text }),
    (offset: bigint) => ({
      ...everything(offset),
      updates: [{ ...updateAt(offset), updateId: text }],
    }),
    (offset: bigint) => ({
      ...everything(offset),
      logs: [{ log: 'l', owner: text, id: '1', body: '{}', offset }],
    }),
    (offset: bigint) => ({ ...everything(offset), facts: [{ kind: 'k', key: text, body: '{}' }] }),
    (offset: bigint) => ({
      ...everything(offset),
      totals: [{ name: 'n', account: text, amount: 1n, count: 1n }],
    }),
    (offset: bigint) => ({
      ...everything(offset),
      commands: [{ key: text, updateId: 'u', offset, keptUntil: 1n }],
    }),
  ])
  const ranks = [-1n, 10n ** 38n].map((rank) => contracts({ rank }))
  for (const writes of [...cases, ...ranks, contracts({ signatories: ['nul\0'] })]) {
    await assert.rejects(append(store, writes), TypeError)
    await leavesNoTrace(store)
  }
}
