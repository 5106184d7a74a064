// One server's clock is wrong: it commits nothing, says so, and goes on by itself once the clock is
// right, so that command ids and deadlines of all the others stay what they were. On both
// databases, and with whatever clocks do on a store in memory.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import type { HostClock } from '../../runtime/host/plugin.ts'
import { Invariants, RecordClock } from '../../runtime/engine/index.ts'
import type { ClockBound, Submission } from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { Machine, Truth } from './clock-machines.ts'
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
  readonly watch: RecordClock
  readonly line: () => string | undefined
}

async function unstarted(
  store: ContractStore,
  own = new WrongClock(),
  bound: Partial<ClockBound> = {},
): Promise<Server> {
  const invariants = new Invariants()
  const watch = new RecordClock({
    clock: own,
    store,
    bound: { maxSkewMicros: BOUND, maxDoubtMicros: HOUR, ...bound },
    invariants,
  })
  return {
    ...(await createToy({ store, clock: watch, watch, invariants })),
    own,
    watch,
    line: () => invariants.line,
  }
}

async function server(...given: Parameters<typeof unstarted>): Promise<Server> {
  const made = await unstarted(...given)
  await made.watch.start()
  return made
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

    test('a ledger with two ends makes the server unready, in a line that names them', async () => {
      const place = await places[dialect]()
      const toy = await server((await place.open()).contracts)
      must(await toy.engine.submit(create()))
      assert.equal(toy.line(), undefined)
      await place.run('insert into ledger_end values (2, 1, 1, 1, 0)')
      await assert.rejects(toy.engine.submit(create()), { ...REFUSED, invariant: 'ledger-end' })
      assert.match(
        toy.line() ?? '',
        /^ledger-end: the database does not have exactly one ledger end/,
      )
      assert.equal(toy.engine.invariants.counts.get('ledger-end'), 1)
      await place.run('delete from ledger_end where id = 2')
      assert.equal(must(await toy.engine.submit(create())).offset, 2n, 'nothing was written')
    })

    test('a lease that a clock ahead has given keeps nobody waiting for that clock', async () => {
      const place = await places[dialect]()
      const { leases } = await place.open()
      assert.equal(await leases.take('party', 'dead', 60_000), 'held')
      assert.equal(await leases.take('party', 'next', 60_000), 'taken')
      await place.run('update leases set ends_at = ends_at + 90000000')
      assert.equal(await leases.take('party', 'next', 60_000), 'held')
    })

    test('a clock within the bound is good enough', async () => {
      const store = await stores()
      for (const by of [9n, -9n, 0n])
        must(await (await server(store, new WrongClock(by * SECOND))).engine.submit(create()))
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
  })
})

test('a server that has waited for the store does not take the wait for a clock that is off', async () => {
  const toy = await server(createMemoryStore().contracts)
  const facts = {
    end: { offset: 0n, recordTime: 0n },
    facts: new Map(),
    now: systemClock.nowMicros() - 14n * SECOND,
  }
  assert.throws(() => toy.watch.judge(facts, 0), REFUSED)
  assert.ok((toy.watch.judge(facts, 5_000).latest ?? 0n) >= systemClock.nowMicros())
})

describe('the clock that is named', () => {
  const now = systemClock.nowMicros()
  for (const [what, own, recordTime, says] of [
    ['nothing is known before', HOUR, 0n, "this server's clock is 60.0 minutes ahead of"],
    ['nothing is known before', -HOUR, 0n, "this server's clock is 60.0 minutes behind"],
    [
      'the ledger agrees with this server',
      HOUR,
      HOUR,
      "the database's clock is 60.0 minutes behind",
    ],
    [
      'the ledger agrees with neither',
      HOUR,
      3n * HOUR,
      "this server's clock is 60.0 minutes ahead of",
    ],
  ] as const)
    test(`where ${what}: ${says}`, async () => {
      const store = createMemoryStore({ nowMicros: () => now }).contracts
      if (recordTime !== 0n) {
        const clock = { nowMicros: () => now + recordTime }
        must(await (await createToy({ store, clock })).engine.submit(create()))
      }
      const right = { nowMicros: () => now, monotonicMs: () => 0 }
      const { watch } = await unstarted(store, new WrongClock(own, right))
      await assert.rejects(watch.start(), (error) => String(error).includes(says))
    })

  test('is the one that did not go on as time does', async () => {
    let by = 0n
    const store = createMemoryStore({ nowMicros: () => systemClock.nowMicros() + by }).contracts
    const { engine, line } = await server(store)
    must(await engine.submit(create()))
    by = HOUR
    await assert.rejects(engine.submit(create()), REFUSED)
    assert.match(
      line() ?? '',
      /the database's clock is (60.0|59.9|60.1) minutes ahead of this server's/,
    )
    by = 0n
    must(await engine.submit(create()))
    assert.equal(line(), undefined)
  })
})

describe('the machine', () => {
  const machine = () => {
    const truth = new Truth()
    const own = new Machine(truth)
    const pass = (micros: number, how?: 'suspended' | 'paused'): void => {
      truth.now += micros
      own.pass(micros, how)
    }
    return { own, pass, store: createMemoryStore(own).contracts }
  }
  const bound = { maxSkewMicros: BOUND, maxDoubtMicros: HOUR }
  const watchOn = (clock: HostClock, store: ContractStore) =>
    new RecordClock({ clock, store, bound, invariants: new Invariants() })

  test('has a clock that a configured source confirms, or not', async () => {
    for (const lead of [0, 25 * 3_600_000_000]) {
      const { own, pass, store } = machine()
      let truth = own.nowMicros()
      const witness = async () => truth
      const watch = new RecordClock({
        clock: own,
        store,
        bound,
        invariants: new Invariants(),
        witness,
      })
      await watch.start()
      pass(3_600_000_000, 'paused')
      truth += HOUR
      own.set(lead)
      await watch.look()
      assert.equal(watch.nowMicros(), truth)
      assert.equal(watch.latestMicros(), truth)
    }
  })

  test('whose clock is in doubt: what its date decides is refused, all else goes on', async () => {
    const { own, store } = machine()
    const watch = watchOn(own, store)
    await watch.start()
    const { engine } = await createToy({ store, clock: watch, watch })
    const deadline = own.nowMicros() + 2n * HOUR
    const within = (time: bigint) => create({ run: (tx) => (tx.before(time), 'done') })
    must(await engine.submit(within(deadline)))
    own.set(25 * 3_600_000_000)
    const refused = await engine.submit(within(deadline))
    assert.deepEqual(refused, { ok: false, kind: 'time-in-doubt', before: deadline })
    must(await engine.submit(within(deadline + 24n * HOUR)))
    must(await engine.submit(create({ run: (tx) => (tx.until(deadline), 'done') })))
    own.set(0)
    must(await engine.submit(within(deadline)))
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
