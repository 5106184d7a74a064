// Two submissions that archive the same contract and a third that waits for it, at every microtask
// of each other's way: whoever comes when, each has its answer, one of them has the contract, and
// nothing stays under way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { Invariants } from '../../runtime/engine/index.ts'
import { endProblem } from '../../runtime/engine/committer.ts'
import { Overlay } from '../../runtime/engine/overlay.ts'
import type { Proposal } from '../../runtime/engine/proposal.ts'
import { createFaultyStore } from './faulty-store.ts'
import { createToy, iouSplit, issue, must, unhurried } from './toy.ts'
import type { Submission } from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'

/** Microtasks by which each begins later, and by which each hears later of the contract. */
const STEPS = 6

const split = (id: string, amount: bigint): Submission<readonly string[]> => ({
  actAs: ['alice'],
  userId: 'u',
  run: (tx) => tx.exercise(iouSplit, id, amount),
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await undefined
}

/** Its answers come so many microtasks later as the list says, one after the other. */
function late(inner: ContractStore, waits: number[]): ContractStore {
  return {
    ...inner,
    byIds: async (ids) => {
      const [wait = 0] = waits.splice(0, 1)
      const found = await inner.byIds(ids)
      await microtasks(wait)
      return found
    },
  }
}

function interleavings(): readonly (readonly [number, number, number, number])[] {
  const steps = [...Array(STEPS).keys()]
  return steps.flatMap((a) =>
    steps.flatMap((b) => steps.flatMap((c) => steps.map((d) => [a, b, c, d] as const))),
  )
}

test(`each of ${STEPS ** 4} interleavings of two that archive a contract and one that waits for it ends`, async () => {
  const { contracts } = createMemoryStore()
  const waits: number[] = []
  const [issuer, toy] = [
    await createToy({ store: contracts }),
    await createToy({ store: late(contracts, waits), order: unhurried }),
  ]
  const hanging: string[] = []
  for (const [second, third, heardSecond, heardThird] of interleavings()) {
    const id = await issue(issuer, 'alice', 9n)
    waits.splice(0, 3, 5, heardSecond, heardThird)
    const ends: string[] = []
    const begin = async (amount: bigint, wait: number): Promise<void> => {
      await microtasks(wait)
      const outcome = await toy.engine.submit(split(id, amount))
      ends.push(outcome.ok ? 'ok' : outcome.kind)
    }
    for (const [amount, wait] of [
      [1n, 0],
      [2n, second],
      [3n, third],
    ] as const)
      void begin(amount, wait)
    for (let turns = 0; turns < 1_000 && ends.length < 3; turns += 1) await turn()
    if (ends.length < 3)
      hanging.push(`${second} ${third} ${heardSecond} ${heardThird}: ${ends.join()}`)
    else assert.deepEqual(ends.toSorted(), ['contract-not-found', 'contract-not-found', 'ok'])
  }
  assert.deepEqual(hanging, [])
  await toy.engine.drain()
})

/** One that archives a contract, which is returned with it. */
async function archiving(): Promise<{ readonly id: string; readonly proposal: Proposal }> {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 9n)
  const { transaction } = must(await toy.engine.rehearse(split(id, 1n)))
  const proposal: Proposal = {
    kind: 'transaction',
    transaction,
    body: '',
    seenBy: [],
    created: [],
    totals: [],
    accruals: [],
    projected: [],
    commandKey: '',
    payer: '',
    deduplicationMicros: 0n,
    isFree: false,
    isLow: false,
    unless: [],
  }
  return { id, proposal }
}

test('an entry that somebody else has replaced is told of', async () => {
  const invariants = new Invariants()
  const overlay = new Overlay(invariants)
  const { id, proposal } = await archiving()
  assert.equal(overlay.claim(proposal), undefined)
  assert.equal(overlay.claim({ ...proposal }), id, 'a second one has to wait')
  const waiting = overlay.cleared(id)
  overlay.remove(proposal)
  await waiting
  assert.equal(invariants.line, undefined)
  overlay.remove(proposal)
  assert.equal(invariants.line, `overlay: the entry of the contract ${id} was replaced`)
})

test('what is held for nobody is told of, what is held for a submission under way is not', async () => {
  const invariants = new Invariants()
  const overlay = new Overlay(invariants)
  const { proposal } = await archiving()
  overlay.auditIdle()
  assert.equal(invariants.line, undefined)
  overlay.claim(proposal)
  overlay.auditIdle()
  assert.equal(invariants.line, 'overlay: 1 contracts are held for submissions that have ended')

  const faulty = createFaultyStore()
  const toy = await createToy({ store: faulty.store })
  const id = await issue(toy, 'alice', 9n)
  const { promise, resolve } = Promise.withResolvers<void>()
  faulty.hold = promise
  const done = toy.engine.submit(split(id, 1n))
  await turn()
  toy.engine.auditMemory()
  resolve()
  must(await done)
  toy.engine.auditMemory()
  assert.equal(toy.engine.invariants.line, undefined)
})

test('a batch that does not follow on the ledger is named', () => {
  const end = { offset: 7n, recordTime: 100n }
  const update = (offset: bigint, recordTime: bigint) => ({
    offset,
    recordTime,
    updateId: `${offset}`,
    body: '',
  })
  assert.equal(endProblem(end, []), undefined)
  assert.equal(endProblem(end, [update(8n, 101n), update(9n, 102n)]), undefined)
  for (const [wrong, ...updates] of [
    [9n, update(9n, 101n)],
    [7n, update(7n, 101n)],
    [8n, update(8n, 100n)],
    [10n, update(8n, 101n), update(10n, 102n)],
    [9n, update(8n, 101n), update(9n, 101n)],
  ] as const)
    assert.equal(
      endProblem(end, updates),
      `an update at offset ${wrong} does not follow on the one before it`,
    )
})
