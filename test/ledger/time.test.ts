// Time bounds, record time that only rises, moves between synchronizers, and traffic.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createFaultyStore } from './faulty-store.ts'
import { TRAFFIC, trafficAt, trafficLimitFact } from '../../runtime/engine/index.ts'
import { decodeUpdate } from '../../runtime/engine/index.ts'
import { sized } from '../support/test-store.ts'
import {
  createToy,
  iou,
  iouSplit,
  issue,
  must,
  START,
  SYNCHRONIZER,
  timed,
  timedUse,
} from './toy.ts'
import type { Submission, Tx } from '../../runtime/engine/index.ts'
import type { Toy } from './toy.ts'

const DAY = 86_400_000_000n

async function timedContract(toy: Toy, opens: bigint, closes: bigint): Promise<string> {
  return must(
    await toy.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.create(timed, { owner: 'alice', opens, closes }),
    }),
  ).result
}

const use = (id: string): Submission<unknown> => ({
  actAs: ['alice'],
  userId: 'u',
  run: (tx) => tx.exercise(timedUse, id, {}),
})

describe('time bounds', () => {
  test('are held at both ends to the microsecond', async () => {
    const toy = await createToy()
    const opens = START + DAY
    const closes = opens + 100n
    const ids = [await timedContract(toy, opens, closes), await timedContract(toy, opens, closes)]
    toy.clock.now = opens - 1n
    assert.deepEqual(await toy.engine.submit(use(ids[0] ?? '')), {
      ok: false,
      kind: 'too-early',
      notBefore: opens,
    })
    toy.clock.now = opens
    assert.equal(must(await toy.engine.submit(use(ids[0] ?? ''))).recordTime, opens)
    toy.clock.now = closes
    assert.deepEqual(await toy.engine.submit(use(ids[1] ?? '')), {
      ok: false,
      kind: 'too-late',
      before: closes,
    })
    toy.clock.now = closes - 1n
    must(await toy.engine.submit(use(ids[1] ?? '')))
  })

  test('are held against the time of the commit', async () => {
    const faulty = createFaultyStore()
    const toy = await createToy({ store: faulty.store })
    const id = await timedContract(toy, START, START + 1_000n)
    const { promise, resolve } = Promise.withResolvers<void>()
    faulty.hold = promise
    const outcome = toy.engine.submit(use(id))
    toy.clock.now = START + 1_000n
    resolve()
    assert.deepEqual(await outcome, { ok: false, kind: 'too-late', before: START + 1_000n })
  })
})

test('of several bounds the narrowest holds', async () => {
  const toy = await createToy()
  for (const times of [
    [1_000n, 10n],
    [10n, 1_000n],
  ]) {
    const run = (tx: Tx): void =>
      times.forEach((time) => {
        tx.before(START + time)
        tx.notBefore(START - time)
      })
    const { transaction } = must(await toy.engine.rehearse({ actAs: ['alice'], userId: 'u', run }))
    assert.deepEqual([transaction.notBefore, transaction.before], [START - 10n, START + 10n])
  }
})

test('a clock that falls back before the commit makes a bound fail, not the record time wrong', async () => {
  const faulty = createFaultyStore()
  const toy = await createToy({ store: faulty.store })
  const { promise, resolve } = Promise.withResolvers<void>()
  faulty.hold = promise
  toy.clock.now = START + 10n
  const bounded = toy.engine.submit({
    actAs: ['alice'],
    userId: 'u',
    effectiveAt: START,
    run: (tx) => tx.notBefore(START + 10n),
  })
  const later = toy.engine.submit({
    actAs: ['alice'],
    userId: 'u',
    effectiveAt: START + 500n,
    run: () => 1,
  })
  toy.clock.now = START
  resolve()
  assert.deepEqual(await bounded, { ok: false, kind: 'too-early', notBefore: START + 10n })
  assert.equal(must(await later).recordTime, START + 500n)
})

describe('record time', () => {
  test('rises strictly with the offset while the clock does what it wants', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt(-DAY, DAY), { minLength: 1, maxLength: 12 }),
        async (jumps) => {
          const toy = await createToy()
          let id = await issue(toy, 'alice', 1_000n)
          for (const jump of jumps) {
            toy.clock.now += jump
            const { result } = must(
              await toy.engine.submit({
                actAs: ['alice'],
                userId: 'u',
                run: (tx) => tx.exercise(iouSplit, id, 1n),
              }),
            )
            id = result[1] ?? ''
          }
          const updates = await toy.store.updatesAfter(0n, 100)
          const times = updates.map(({ recordTime }) => recordTime)
          assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0n)))
          const created = (await toy.reader.all(iou)).map(({ createdAt }) => createdAt)
          assert.ok(
            created.every((time, index) => index === 0 || time >= (created[index - 1] ?? 0n)),
          )
        },
      ),
      { numRuns: sized(30, 8) },
    )
  })

  test('is not before the effective time, which is not before that of any contract used', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 10n)
    toy.clock.now -= DAY
    const { effectiveAt, recordTime } = must(
      await toy.engine.submit({
        actAs: ['alice'],
        userId: 'u',
        run: (tx) => tx.exercise(iouSplit, id, 1n),
      }),
    )
    assert.equal(effectiveAt, START)
    assert.ok(recordTime > START)
  })
})

describe('a contract in flight', () => {
  test('cannot be used until it is assigned again', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 10n)
    const split: Submission<unknown> = {
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.exercise(iouSplit, id, 1n),
    }
    const left = must(await toy.engine.reassign({ contractId: id, to: undefined }))
    assert.equal(left.offset, 2n)
    assert.deepEqual(await toy.engine.submit(split), {
      ok: false,
      kind: 'contract-in-flight',
      contractId: id,
    })
    assert.equal((await toy.reader.get(iou, id))?.synchronizerId, '')
    assert.deepEqual(await toy.engine.reassign({ contractId: id, to: undefined }), {
      ok: false,
      kind: 'contract-in-flight',
      contractId: id,
    })
    must(await toy.engine.reassign({ contractId: id, to: SYNCHRONIZER }))
    const [, one, two] = await toy.store.updatesAfter(0n, 3)
    assert.deepEqual(
      [one, two]
        .map((update) => decodeUpdate(update?.body ?? ''))
        .map(
          (update) =>
            update.kind === 'reassignment' && [
              update.reassignment.kind,
              update.reassignment.source,
              update.reassignment.target,
            ],
        ),
      [
        ['unassigned', SYNCHRONIZER, SYNCHRONIZER],
        ['assigned', SYNCHRONIZER, SYNCHRONIZER],
      ],
    )
    must(await toy.engine.submit(split))
  })

  test('must be there, and cannot be assigned twice', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 10n)
    const twice = await toy.engine.reassign({ contractId: id, to: SYNCHRONIZER })
    assert.equal(!twice.ok && twice.kind, 'invalid')
    const unknown = await toy.engine.reassign({ contractId: 'x', to: SYNCHRONIZER })
    assert.equal(!unknown.ok && unknown.kind, 'contract-not-found')
  })

  test('is found out by a server that did not hear of it', async () => {
    const one = await createToy()
    const other = await createToy({ store: one.store })
    const id = await issue(one, 'alice', 10n)
    await other.reader.active(iou)
    must(await one.engine.reassign({ contractId: id, to: undefined }))
    const outcome = await other.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.exercise(iouSplit, id, 1n),
    })
    assert.deepEqual(outcome, { ok: false, kind: 'contract-in-flight', contractId: id })
  })

  test('may leave in the batch that created it', async () => {
    const toy = await createToy()
    const staged = must(
      await toy.engine.stage({
        actAs: ['bank', 'alice'],
        userId: 'u',
        run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
      }),
    )
    must(await toy.engine.reassign({ contractId: staged.result, to: undefined }))
    assert.equal((await toy.reader.get(iou, staged.result))?.synchronizerId, '')
  })
})

describe('traffic', () => {
  const traffic = { member: 'PAR::node', baseBurstBytes: 3_000n, baseWindowMicros: 3_000_000n }
  const create: Submission<unknown> = {
    actAs: ['bank', 'alice'],
    userId: 'u',
    run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
  }

  test('runs out, comes back with time, and can be bought', async () => {
    const toy = await createToy({ traffic })
    const {
      transaction: { bytes },
    } = must(await toy.engine.rehearse(create))
    for (let left = traffic.baseBurstBytes; left >= bytes; left -= bytes)
      must(await toy.engine.submit(create))
    const short = await toy.engine.submit(create)
    assert.ok(!short.ok && short.kind === 'no-traffic' && short.missingBytes > 0n)
    must(await toy.engine.submit({ ...create, free: true }))
    toy.clock.now += short.missingBytes * 1_000n
    must(await toy.engine.submit(create))
    assert.equal((await toy.engine.submit(create)).ok, false)
    await toy.engine.recordFacts([], () => [trafficLimitFact(traffic.member, bytes * 2n)])
    must(await toy.engine.submit(create))
    must(await toy.engine.submit(create))
    assert.equal((await toy.engine.submit(create)).ok, false)
    const fact = await toy.store.fact(TRAFFIC, traffic.member)
    const { consumed } = trafficAt(traffic, fact?.body, toy.clock.now)
    assert.ok(consumed > bytes && consumed <= bytes * 2n)
  })

  test('refills byte by byte without losing what is less than one', () => {
    const at = START
    let body = JSON.stringify({ baseRemaining: '0', at: at.toString(), consumed: '0' })
    for (let step = 1n; step <= 3_000n; step += 1n) {
      const state = trafficAt(traffic, body, at + step * 333n)
      body = JSON.stringify({
        baseRemaining: state.baseRemaining.toString(),
        at: state.at.toString(),
        consumed: '0',
      })
    }
    assert.equal(trafficAt(traffic, body, at + 999_000n).baseRemaining, 999n)
    assert.equal(trafficAt(traffic, body, at + DAY).baseRemaining, traffic.baseBurstBytes)
  })
})
