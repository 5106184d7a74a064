// One server's clock is wrong: it commits nothing, says so, and goes on by itself once the clock is
// right, so that command ids and deadlines of all the others stay what they were. On both
// databases, and with whatever clocks do on a store in memory.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { createMemoryStore } from '../../plugins/storage-memory/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import type { HostClock } from '../../runtime/host/plugin.ts'
import { ClockWatch, Invariants } from '../../runtime/engine/index.ts'
import type { ClockBound, Submission } from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { retried } from '../support/eventually.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { createFaultyStore } from './faulty-store.ts'
import { createToy, iou, must, timed, timedUse } from './toy.ts'
import type { Toy } from './toy.ts'

const SECOND = 1_000_000n
const HOUR = 3_600n * SECOND
const DAY = 24n * HOUR
const BOUND = 10n * SECOND
const REFUSED = { code: 'COMMIT_REFUSED' }

const places = await sqlPlaces()
after(() => places.release())

/** A server's clock that is wrong by so much. */
class WrongClock implements HostClock {
  by: bigint
  /** Stands still at this time. */
  still: bigint | undefined
  readonly #right: HostClock

  constructor(by = 0n, right: HostClock = systemClock) {
    this.by = by
    this.#right = right
  }

  nowMicros = (): bigint => this.still ?? this.#right.nowMicros() + this.by
  monotonicMs = (): number => this.#right.monotonicMs()
}

interface Server extends Toy {
  readonly own: WrongClock
  readonly watch: ClockWatch
  readonly line: () => string | undefined
}

async function server(
  store: ContractStore,
  own = new WrongClock(),
  bound: ClockBound = { maxSkewMicros: BOUND },
): Promise<Server> {
  const invariants = new Invariants()
  const watch = new ClockWatch({ clock: own, store, bound, invariants })
  return {
    ...(await createToy({ store, clock: own, watch, invariants })),
    own,
    watch,
    line: () => invariants.line,
  }
}

const create = (more: Partial<Submission<string>> = {}): Submission<string> => ({
  actAs: ['bank', 'alice'],
  userId: 'u',
  run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
  ...more,
})

for (const dialect of ['sqlite', 'postgres'] as const) {
  describe(`on ${dialect}`, () => {
    const stores = async (): Promise<ContractStore> =>
      (await (await places[dialect]()).open()).contracts

    test('a server whose clock is 25 h ahead spoils no command id of the others', async () => {
      const store = await stores()
      const [right, wrong] = [await server(store), await server(store, new WrongClock(25n * HOUR))]
      const once = create({ commandId: 'once', deduplicationMicros: DAY })
      must(await right.engine.submit(once))
      await assert.rejects(wrong.engine.submit(create()), REFUSED)
      assert.equal(
        wrong.line(),
        "record-time: this server's clock is 25.0 hours ahead of the database's",
      )
      const again = await right.engine.submit(once)
      assert.equal(!again.ok && again.kind, 'duplicate')
      assert.equal((await store.ledgerEnd()).offset, 1n)
      assert.equal(right.line(), undefined)
    })

    test('a clock that jumps, falls back or stands still stops its server until it is right again', async () => {
      const store = await stores()
      const toy = await server(store)
      must(await toy.engine.submit(create()))
      for (const [by, says] of [
        [HOUR, /server's clock is 60.0 minutes ahead/],
        [-HOUR, /server's clock is 60.0 minutes behind/],
      ] as const) {
        toy.own.by = by
        await assert.rejects(toy.engine.submit(create()), REFUSED)
        await assert.rejects(toy.engine.rehearse(create()), REFUSED)
        assert.match(toy.line() ?? '', says)
        toy.own.by = 0n
        must(await toy.engine.submit(create()))
        assert.equal(toy.line(), undefined)
      }
      toy.own.still = toy.own.nowMicros() - 11n * SECOND
      await assert.rejects(toy.engine.submit(create()), REFUSED)
      toy.own.still = undefined
      must(await toy.engine.submit(create()))
      const { recordTime } = await store.ledgerEnd()
      assert.ok(recordTime <= (await store.now()) + BOUND)
    })

    test('a ledger with two ends makes the server unready, in a line that names them', async () => {
      const place = await places[dialect]()
      const toy = await server((await place.open()).contracts)
      must(await toy.engine.submit(create()))
      assert.equal(toy.line(), undefined)
      await place.run('insert into ledger_end (id, last_offset) values (2, 1)')
      await assert.rejects(toy.engine.submit(create()), { ...REFUSED, invariant: 'ledger-end' })
      assert.match(
        toy.line() ?? '',
        /^ledger-end: the database does not have exactly one ledger end/,
      )
      assert.equal(toy.engine.invariants.counts.get('ledger-end'), 1)
      await place.run('delete from ledger_end where id = 2')
      assert.equal(must(await toy.engine.submit(create())).offset, 2n, 'nothing was written')
    })

    test('a clock within the bound is good enough', async () => {
      const store = await stores()
      for (const by of [9n, -9n, 0n])
        must(await (await server(store, new WrongClock(by * SECOND))).engine.submit(create()))
    })

    test('a ledger that is ahead is gone on with only where somebody chose so', async () => {
      const store = await stores()
      const ahead = systemClock.nowMicros() + 3n * DAY
      must(
        await (
          await createToy({ store, clock: { nowMicros: () => ahead } })
        ).engine.submit(create()),
      )
      const refusing = await server(store)
      const message = /^the ledger's last record time, 20.*Z, is 3.0 days ahead of the clocks/
      await assert.rejects(refusing.watch.checked(), { ...REFUSED, message })
      await assert.rejects(refusing.engine.submit(create()), REFUSED)
      const accepting = await server(store, new WrongClock(), {
        maxSkewMicros: BOUND,
        aheadUntil: ahead,
      })
      assert.equal(must(await accepting.engine.submit(create())).recordTime, ahead + 1n)
      assert.equal(accepting.line(), undefined)
      accepting.own.by = HOUR
      await assert.rejects(
        accepting.engine.submit(create()),
        REFUSED,
        'the choice is about the ledger, not about this clock',
      )
    })
  })
}

describe('a time that a clock showed for a moment', () => {
  test('does not become record time when the clock is right again', async () => {
    const faulty = createFaultyStore()
    const toy = await server(faulty.store)
    must(await toy.engine.submit(create()))
    const { promise, resolve } = Promise.withResolvers<void>()
    faulty.hold = promise
    let looks = 0
    const outcome = toy.engine.submit({
      ...create(),
      get contractIds() {
        // After the engine has trusted the clock, and before it asks it for the time.
        toy.own.by = looks++ === 0 ? HOUR : 0n
        return []
      },
    })
    await new Promise((turn) => setImmediate(turn))
    toy.own.by = 0n
    resolve()
    const { recordTime } = must(await outcome)
    assert.ok(recordTime < systemClock.nowMicros() + SECOND)
    assert.equal(looks, 2)
  })
})

test('a server that has waited for the store does not take the wait for a clock that is off', async () => {
  const toy = await server(createMemoryStore().contracts)
  const recordTime = 0n
  const now = systemClock.nowMicros() - 14n * SECOND
  assert.throws(() => toy.watch.judge({ recordTime, now }, 0), REFUSED)
  assert.ok(toy.watch.judge({ recordTime, now }, 5_000) >= systemClock.nowMicros())
})

describe('the clock that is named', () => {
  const now = systemClock.nowMicros()
  const stopped = (by = 0n) => new WrongClock(by, { nowMicros: () => now, monotonicMs: () => 0 })
  const said = (
    watch: ClockWatch,
    times: { readonly recordTime: bigint; readonly now: bigint },
  ): string => {
    try {
      watch.judge(times, 0)
      return 'nothing'
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }

  for (const [what, own, recordTime, store, says] of [
    [
      'nothing is known before',
      HOUR,
      0n,
      0n,
      "this server's clock is 60.0 minutes ahead of the database's",
    ],
    [
      'nothing is known before',
      -HOUR,
      0n,
      0n,
      "this server's clock is 60.0 minutes behind the database's",
    ],
    [
      'the ledger agrees with this server',
      HOUR,
      HOUR,
      0n,
      "the database's clock is 60.0 minutes behind this server's",
    ],
    [
      'the ledger agrees with neither',
      HOUR,
      3n * HOUR,
      0n,
      "this server's clock is 60.0 minutes ahead of the database's",
    ],
    ['all agree', SECOND, SECOND, 0n, 'nothing'],
  ] as const) {
    test(`where ${what}: ${says}`, async () => {
      const { watch } = await server(createMemoryStore().contracts, stopped(own))
      assert.equal(
        said(watch, { recordTime: recordTime === 0n ? 0n : now + recordTime, now: now + store }),
        says,
      )
    })
  }

  test('is the one that did not go on as time does', async () => {
    for (const [ours, stores, says] of [
      [HOUR, 0n, "this server's clock is 60.0 minutes ahead of the database's"],
      [-HOUR, 0n, "this server's clock is 60.0 minutes behind the database's"],
      [0n, HOUR, "the database's clock is 60.0 minutes ahead of this server's"],
      [0n, -HOUR, "the database's clock is 60.0 minutes behind this server's"],
    ] as const) {
      const own = stopped()
      const { watch } = await server(createMemoryStore().contracts, own)
      assert.equal(said(watch, { recordTime: now, now }), 'nothing')
      own.by = ours
      assert.equal(said(watch, { recordTime: now, now: now + stores }), says)
    }
  })
})

describe('what others recorded', () => {
  test('is not too early for a fresh server whose clock trails', async () => {
    const store = createMemoryStore().contracts
    const [first, trailing] = [
      await server(store),
      await server(store, new WrongClock(-5n * SECOND)),
    ]
    const opens = first.own.nowMicros() - SECOND
    const { result: id } = must(
      await first.engine.submit({
        actAs: ['alice'],
        userId: 'u',
        run: (tx) => tx.create(timed, { owner: 'alice', opens, closes: opens + DAY }),
      }),
    )
    must(
      await trailing.engine.submit({
        actAs: ['alice'],
        userId: 'u',
        run: (tx) => tx.exercise(timedUse, id, {}),
      }),
    )
    const later = opens + HOUR
    const early = await trailing.engine.submit({
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.notBefore(later),
    })
    assert.deepEqual(early, { ok: false, kind: 'too-early', notBefore: later })
  })
})

test('a ledger whose end went back is not written to', async () => {
  const inner = createMemoryStore().contracts
  let lost = 0n
  const store: ContractStore = {
    ...inner,
    commit: ({ reads, decide }) =>
      inner.commit({
        reads,
        decide: (facts) =>
          decide({ ...facts, end: { ...facts.end, offset: facts.end.offset - lost } }),
      }),
  }
  const toy = await server(store)
  for (let number = 0; number < 3; number += 1) must(await toy.engine.submit(create()))
  lost = 1n
  await assert.rejects(toy.engine.submit(create()), { ...REFUSED, invariant: 'history' })
  const line =
    /^history: the database has another history than this server has seen: .* it ends at offset [23], /
  await retried(async () => assert.match(toy.line() ?? '', line))
  lost = 0n
  await assert.rejects(toy.engine.submit(create()), REFUSED)
  assert.match(toy.line() ?? '', line, 'until somebody has looked, and starts the server again')
})

test('a ledger of the same length with other updates is not written to', async () => {
  const [ours, theirs] = [createMemoryStore().contracts, createMemoryStore().contracts]
  let inner = ours
  const store: ContractStore = {
    ...ours,
    history: (offset) => inner.history(offset),
    commit: (commit) => inner.commit(commit),
  }
  const [toy, other] = [await server(store), await server(theirs)]
  for (const each of [toy, other, toy, other]) must(await each.engine.submit(create()))
  inner = theirs
  await assert.rejects(toy.engine.submit(create()), { ...REFUSED, invariant: 'history' })
  await retried(async () =>
    assert.match(toy.line() ?? '', /^history: .* updates up to offset 2, .* replaced/),
  )
  assert.equal((await theirs.ledgerEnd()).offset, 2n)
})

const near = fc.integer({ min: -8, max: 8 })
const far = fc
  .tuple(fc.integer({ min: 20, max: 400_000 }), fc.constantFrom(1, -1))
  .map(([seconds, way]) => seconds * way)

/** What happens to the clocks of two servers, seconds, and which one submits then. */
const step = fc.record({
  passes: fc.integer({ min: 0, max: 40_000 }),
  server: fc.nat({ max: 1 }),
  jump: fc.option(fc.oneof(near, far), { nil: undefined }),
  stands: fc.boolean(),
  command: fc.nat({ max: 2 }),
})

test("whatever clocks do, record time is near the store's, rises, and no command happens twice in its time", async () => {
  let [taken, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      let passed = 0n
      const right: HostClock = {
        nowMicros: () => systemStart + passed * SECOND,
        monotonicMs: () => Number(passed) * 1_000,
      }
      const store = createMemoryStore(right).contracts
      const servers = await Promise.all([0, 1].map(() => server(store, new WrongClock(0n, right))))
      const done = new Map<number, bigint>()
      for (const { passes, server: index, jump, stands, command } of steps) {
        passed += BigInt(passes)
        const { engine, own } = servers[index] ?? assert.fail()
        if (jump !== undefined) own.by = BigInt(jump) * SECOND
        own.still = stands ? own.nowMicros() : undefined
        const outcome = await engine
          .submit(create({ commandId: `${command}`, deduplicationMicros: DAY }))
          .catch(() => undefined)
        const isRight = own.still === undefined && own.by <= 8n * SECOND && own.by >= -8n * SECOND
        assert.ok(outcome !== undefined || !isRight, 'a server whose clock is right commits')
        if (outcome === undefined || !outcome.ok) {
          refused += 1
          continue
        }
        taken += 1
        const apart = outcome.recordTime - right.nowMicros()
        assert.ok(apart <= BOUND && apart >= -BOUND, `${apart}`)
        const before = done.get(command)
        assert.ok(
          before === undefined || right.nowMicros() - before > DAY - 2n * BOUND,
          'the command happened twice',
        )
        done.set(command, right.nowMicros())
      }
      const times = (await store.updatesAfter(0n, 100)).map(({ recordTime }) => recordTime)
      assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0n)))
    }),
    { numRuns: 150 },
  )
  assert.ok(taken > 100 && refused > 100, `${taken} taken, ${refused} refused`)
})

const systemStart = systemClock.nowMicros()
