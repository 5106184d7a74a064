// Who comes first: double spends, chains of updates on their way, retries, duplicates, and a store
// that fails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFaultyStore } from './faulty-store.ts'
import { createToy, iou, iouSplit, issue, must, rules, rulesTransfer, unhurried } from './toy.ts'
import type { Engine, Staged, Submission, Tx } from '../../runtime/engine/index.ts'
import type { Fault } from './faulty-store.ts'

const split = (id: string, amount = 1n): Submission<readonly string[]> => ({
  actAs: ['alice'],
  userId: 'u',
  run: (tx) => tx.exercise(iouSplit, id, amount),
})

const archive = (id: string): Submission<void> => ({
  actAs: ['alice', 'bank'],
  userId: 'u',
  run: (tx) => tx.archive(iou, id),
})

async function stage<R>(engine: Engine, submission: Submission<R>): Promise<Staged<R>> {
  return must(await engine.stage(submission))
}

function blocker(): { readonly gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { gate: promise, open: resolve }
}

describe('a contract is spent once', () => {
  test('within a transaction', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    const twice = await toy.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => [tx.exercise(iouSplit, id, 1n), tx.exercise(iouSplit, id, 1n)],
    })
    assert.deepEqual(twice, { ok: false, kind: 'contract-not-found', contractId: id })
  })

  test('a contract that a transaction creates and archives leaves no trace but its row', async () => {
    const toy = await createToy()
    const { result: id, offset } = must(
      await toy.engine.submit({
        actAs: ['alice', 'bank'],
        userId: 'u',
        run: (tx) => {
          const made = tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 3n, watchers: [] })
          tx.archive(iou, made)
          return made
        },
      }),
    )
    const state = await toy.reader.state(id)
    assert.deepEqual([state?.createdOffset, state?.archivedOffset], [offset, offset])
    assert.deepEqual(await toy.reader.total('supply', ''), { amount: 0n, count: 0n })
    assert.equal((await toy.engine.submit(split(id))).ok, false)
  })
})

describe('updates on their way', () => {
  test('form a chain that is committed as one batch', async () => {
    const { store, batches } = createFaultyStore()
    const toy = await createToy({ store, order: unhurried })
    let id = await issue(toy, 'alice', 100n)
    const chain = []
    for (let link = 0; link < 20; link += 1) {
      const staged = await stage(toy.engine, split(id))
      chain.push(staged.committed)
      id = staged.result[1] ?? ''
    }
    const outcomes = (await Promise.all(chain)).map(must)
    assert.deepEqual(
      outcomes.map(({ offset }) => offset),
      outcomes.map((_, index) => BigInt(index + 2)),
    )
    assert.ok(batches.length <= 4, `${batches.length} batches`)
    assert.deepEqual(await toy.reader.total('ious', 'alice'), { amount: 100n, count: 21n })
    const amounts = (await toy.reader.active(iou)).map(({ payload }) => payload.amount)
    assert.equal(
      amounts.reduce((sum, amount) => sum + amount),
      100n,
    )
  })

  test('batches have a size', async () => {
    const { store, batches } = createFaultyStore()
    const toy = await createToy({ store, maxBatch: 8, order: unhurried })
    await Promise.all(Array.from({ length: 20 }, async () => issue(toy, 'alice', 1n)))
    assert.deepEqual(batches, [8, 8, 4])
  })

  test('a dependent falls with what it depends on', async () => {
    const faulty = createFaultyStore()
    const toy = await createToy({ store: faulty.store, maxBatch: 1 })
    const id = await issue(toy, 'alice', 100n)
    faulty.faults.push('unavailable')
    const first = await stage(toy.engine, split(id))
    const second = await stage(toy.engine, split(first.result[1] ?? ''))
    await assert.rejects(first.committed, { code: 'STORE_UNAVAILABLE' })
    const outcome = await second.committed
    assert.equal(!outcome.ok && outcome.kind, 'contract-not-found')
    must(await toy.engine.submit(split(id)))
  })

  test('whoever wants a contract that is being spent gets it if that fails', async () => {
    const faulty = createFaultyStore()
    const toy = await createToy({ store: faulty.store })
    const id = await issue(toy, 'alice', 100n)
    const block = blocker()
    faulty.faults.push('unavailable')
    faulty.hold = block.gate
    const first = await stage(toy.engine, split(id))
    const second = toy.engine.submit(split(id, 2n))
    block.open()
    await assert.rejects(first.committed)
    must(await second)
  })
})

describe('a lost race', () => {
  test('is interpreted again with what is there now', async () => {
    const one = await createToy()
    const other = await createToy({ store: one.store })
    const ids = [await issue(one, 'alice', 1n), await issue(one, 'alice', 2n)]
    await other.reader.active(iou)
    let runs = 0
    // The other server believes that both are there; the first is gone when it commits.
    must(await one.engine.submit(archive(ids[0] ?? '')))
    const run = (tx: Tx): void => {
      tx.archive(iou, ids[runs] ?? '')
      runs += 1
    }
    must(await other.engine.submit({ actAs: ['alice', 'bank'], userId: 'u', run }))
    assert.equal(runs, 2)
  })

  test('is not needed to find out what this server archived itself', async () => {
    const { store, batches } = createFaultyStore()
    const toy = await createToy({ store })
    const id = await issue(toy, 'alice', 2n)
    must(await toy.engine.submit(archive(id)))
    assert.equal((await toy.engine.submit(archive(id))).ok, false)
    assert.equal(batches.length, 2)
  })

  test('ends as contention when it is lost again and again', async () => {
    const toy = await createToy({ store: createFaultyStore(() => 'conflict').store, maxRetries: 3 })
    let runs = 0
    const outcome = await toy.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: () => {
        runs += 1
      },
    })
    assert.deepEqual(outcome, { ok: false, kind: 'contention', contractIds: [] })
    assert.equal(runs, 4)
  })

  test('pauses before each attempt after the first', async () => {
    const pauses: number[] = []
    const pause = async (lost: number): Promise<void> => void pauses.push(lost)
    const toy = await createToy({
      store: createFaultyStore(() => 'conflict').store,
      maxRetries: 3,
      pause,
    })
    assert.equal(
      (await toy.engine.submit({ actAs: ['alice'], userId: 'u', run: () => 1 })).ok,
      false,
    )
    assert.deepEqual(pauses, [1, 2, 3])
  })

  test('looks missing contracts up together', async () => {
    const one = await createToy()
    const other = await createToy({ store: one.store })
    const inputs = await Promise.all(Array.from({ length: 50 }, async () => issue(one, 'bank', 1n)))
    const operate = (tx: Tx): string => tx.create(rules, { operator: 'bank', isOpen: true })
    const id = must(await one.engine.submit({ actAs: ['bank'], userId: 'u', run: operate })).result
    let runs = 0
    const outcome = await other.engine.submit({
      actAs: ['bank'],
      userId: 'u',
      run: (tx) => {
        runs += 1
        return tx.exercise(rulesTransfer, id, { from: 'bank', to: 'bank', inputs, amount: 50n })
      },
    })
    must(outcome)
    assert.equal(runs, 2)
  })
})

test('ids that a submission announces are looked up together', async () => {
  const one = await createToy()
  const other = await createToy({ store: one.store })
  const ids = await Promise.all(Array.from({ length: 5 }, async () => issue(one, 'alice', 2n)))
  let runs = 0
  const run = (tx: Tx): void => {
    runs += 1
    for (const id of ids) tx.exercise(iouSplit, id, 1n)
  }
  must(await other.engine.submit({ actAs: ['alice'], userId: 'u', contractIds: ids, run }))
  assert.equal(runs, 1)
})

test('a prepared transaction is interpreted as it was, checked, and executed once', async () => {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 5n)
  const prepared = {
    ...split(id),
    seed: new Uint8Array(32).fill(7),
    effectiveAt: toy.clock.now + 1n,
  }
  const { transaction } = must(await toy.engine.rehearse(prepared))
  toy.clock.now += 1_000_000n
  const seen: string[] = []
  const reason = { id: 'X', category: 'argument', message: 'another one' } as const
  const refused = await toy.engine.submit({ ...prepared, accept: () => reason })
  assert.deepEqual(refused, { ok: false, kind: 'aborted', reason })
  const accept: Submission<unknown>['accept'] = ({ updateId }) => void seen.push(updateId)
  assert.equal(
    must(await toy.engine.submit({ ...prepared, accept })).updateId,
    transaction.updateId,
  )
  assert.deepEqual(seen, [transaction.updateId])
  assert.equal((await toy.engine.submit(prepared)).ok, false)
})

describe('the same command', () => {
  const command = (extra: Partial<Submission<string>> = {}): Submission<string> => ({
    actAs: ['bank', 'alice'],
    userId: 'u',
    commandId: 'c',
    deduplicationMicros: 1_000n,
    run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
    ...extra,
  })

  test('is done once, whatever the order of its parties', async () => {
    const toy = await createToy()
    const { updateId, offset } = must(await toy.engine.submit(command()))
    const again = await toy.engine.submit(command({ actAs: ['alice', 'bank'] }))
    assert.deepEqual(again, { ok: false, kind: 'duplicate', updateId, offset })
    must(await toy.engine.submit(command({ userId: 'other' })))
    must(await toy.engine.submit(command({ commandId: 'other' })))
  })

  test('is refused while it is under way', async () => {
    const toy = await createToy()
    const staged = await stage(toy.engine, command())
    assert.deepEqual(await toy.engine.submit(command()), { ok: false, kind: 'duplicate-in-flight' })
    must(await staged.committed)
  })

  test('is found by the other server too', async () => {
    const one = await createToy()
    const other = await createToy({ store: one.store })
    const outcomes = await Promise.all(
      [one, other].map(async ({ engine }) => engine.submit(command())),
    )
    assert.deepEqual(outcomes.map(({ ok }) => ok).toSorted(), [false, true])
    assert.equal(outcomes.find((outcome) => !outcome.ok)?.kind, 'duplicate')
  })

  test('is a duplicate although its inputs are gone', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 1n)
    const once = { ...archive(id), commandId: 'once' }
    must(await toy.engine.submit(once))
    const again = await toy.engine.submit(once)
    assert.equal(!again.ok && again.kind, 'duplicate')
  })

  test('is a new one when its time is over', async () => {
    const toy = await createToy()
    must(await toy.engine.submit(command()))
    toy.clock.now += 1_000n
    assert.equal((await toy.engine.submit(command())).ok, false)
    toy.clock.now += 1n
    must(await toy.engine.submit(command()))
  })

  test('that was refused can be sent again', async () => {
    const toy = await createToy()
    assert.equal((await toy.engine.submit(command({ actAs: ['bank'] }))).ok, false)
    assert.equal((await toy.engine.submit(command({ actAs: ['bank'] }))).ok, false)
    must(await toy.engine.submit(command()))
  })
})

describe('a store that fails', () => {
  test('takes its batch with it and nothing else', async () => {
    const faulty = createFaultyStore()
    const toy = await createToy({ store: faulty.store })
    const id = await issue(toy, 'alice', 10n)
    faulty.faults.push('unavailable')
    await assert.rejects(toy.engine.submit(split(id)), { code: 'STORE_UNAVAILABLE' })
    must(await toy.engine.submit(split(id)))
    await toy.engine.drain()
  })

  test('that does not answer is given up, makes the server unready, and holds up nothing behind it', async () => {
    const faulty = createFaultyStore()
    let now = 0
    const toy = await createToy({ store: faulty.store, limitMs: 50, monotonicMs: () => now })
    const id = await issue(toy, 'alice', 10n)
    const block = blocker()
    faulty.hold = block.gate
    const hanging = await stage(toy.engine, split(id))
    const behind = toy.engine.submit(split(id, 2n))
    now += 51
    assert.equal(toy.engine.oldestSubmissionMs(), 51)
    assert.match(
      toy.engine.invariants.line ?? '',
      /^submission-age: a submission has been under way for more than 0.05 s$/,
    )
    await assert.rejects(hanging.committed, { code: 'STORE_UNAVAILABLE' })
    faulty.hold = Promise.resolve()
    must(await behind)
    assert.equal(toy.engine.oldestSubmissionMs(), 0)
    assert.equal(toy.engine.invariants.line, undefined)
    assert.equal(toy.engine.invariants.counts.get('submission-age'), 1)
    block.open()
    await toy.engine.drain()
  })

  test('that cannot store one update stores the others of its batch', async () => {
    const faulty = createFaultyStore()
    const toy = await createToy({ store: faulty.store, order: unhurried })
    faulty.faults.push('type-error', 'none', 'type-error', 'none')
    const outcomes = await Promise.allSettled(
      [1n, 2n, 3n].map(async (amount) => issue(toy, 'alice', amount)),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  test('may ask twice', async () => {
    const toy = await createToy({ store: createFaultyStore(() => 'asked-twice').store })
    const id = await issue(toy, 'alice', 10n)
    must(await toy.engine.submit(split(id)))
    assert.deepEqual(await toy.reader.total('ious', 'alice'), { amount: 10n, count: 2n })
  })

  test('at random loses and invents nothing', async () => {
    let state = 7
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const kinds: readonly Fault[] = [
      'unavailable',
      'conflict',
      'asked-twice',
      'none',
      'none',
      'none',
    ]
    const faulty = createFaultyStore(() => kinds[Math.floor(random() * kinds.length)] ?? 'none')
    const toy = await createToy({ store: faulty.store, maxBatch: 4 })
    let issued = 0n
    const client = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1) {
        const held = await toy.reader.active(
          iou,
          { owner: 'alice' },
          { order: 'rank-desc', limit: 3 },
        )
        const pick = held[Math.floor(random() * held.length)]
        if (pick === undefined || random() < 0.2) {
          const isThere = await issue(toy, 'alice', 10n).then(
            () => true,
            () => false,
          )
          if (isThere) issued += 10n
        } else await toy.engine.submit(split(pick.id)).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    await toy.engine.drain()
    const all = await toy.reader.all(iou)
    const held = all.reduce((sum, { payload }) => sum + payload.amount, 0n)
    assert.equal(held, issued)
    assert.deepEqual(await toy.reader.total('ious', 'alice'), {
      amount: issued,
      count: BigInt(all.length),
    })
    const updates = await toy.store.updatesAfter(0n, 10_000)
    assert.deepEqual(
      updates.map(({ offset }) => offset),
      updates.map((_, index) => BigInt(index + 1)),
    )
  })
})
