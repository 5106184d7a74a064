// Random schedules of clocks on the real engine: what they do to servers, and an observer who knows
// the true time and says what must not have happened. Shared by the property and its planted
// faults.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Invariants, measuredTime, RecordClock } from '../../runtime/engine/index.ts'
import type { Submission } from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { DAY, HOUR, Machine, SECOND, Truth } from './clock-machines.ts'
import { createToy, iou } from './toy.ts'
import type { Toy } from './toy.ts'

export const LAYOUTS = ['alone', 'beside a database', 'three servers'] as const
export type Layout = (typeof LAYOUTS)[number]

const BOUND = 10 * SECOND
const MAX_DOUBT = HOUR
const MIN_DOUBT = 60 * SECOND
const BOOTED_MS = 300_000
/** Rates of followed clocks, and of crystals. */
const RATE = 0.006

const micros = (shortest: number, longest: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: 0, max: 1_000 }), fc.constant(Math.log(longest / shortest)))
    .map(
      ([part, scale]) => Math.round((shortest * Math.exp((scale * part) / 1_000)) / 1_000) * 1_000,
    )
const either = (value: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.tuple(value, fc.constantFrom(1, -1)).map(([size, way]) => size * way)
const wrong = fc.oneof(fc.constant(25 * HOUR), either(micros(SECOND, 400 * DAY)))

const EVENT = fc.record({
  /** The machine, if there are several. */
  at: fc.nat({ max: 2 }),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('set'), lead: wrong }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('right') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('stand') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('drift'),
        ppm: fc.integer({ min: -400, max: 400 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('suspend'), for: micros(SECOND, 3 * DAY) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('pause'), for: micros(SECOND, 3 * DAY) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('restart'), clean: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('reboot'),
        off: micros(20 * SECOND, 90 * DAY),
        upMs: fc.constantFrom(8_000, 60_000, 900_000),
        lead: fc.option(wrong, { nil: 0 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget') }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('nothing') }) },
  ),
  passes: fc.oneof(micros(SECOND, 10 * SECOND), micros(SECOND, 30 * HOUR)),
  command: fc.nat({ max: 2 }),
})

export const SCHEDULE = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  /** Lead of the clock with which the ledger begins. */
  lead: fc.option(wrong, { nil: 0, freq: 4 }),
  events: fc.array(EVENT, { minLength: 1, maxLength: 25 }),
})
export type Schedule = typeof SCHEDULE extends fc.Arbitrary<infer T> ? T : never
type Event = Schedule['events'][number]

/** The part that a planted fault replaces. */
export interface Plant {
  readonly witness?: (machine: Machine) => (() => Promise<bigint | undefined>) | undefined
  readonly store?: (store: ContractStore) => ContractStore
  readonly forgetting?: (store: ContractStore, machine: Machine) => Promise<bigint>
}

export interface Seen {
  taken: number
  repeated: number
  doubted: number
  unready: number
}

interface Server extends Toy {
  readonly machine: Machine
  readonly watch: RecordClock
  /** Its clock may still say how long the machine was off. */
  isOpen: boolean
}

/** The store with the time of the machine that it is on. */
function storeOn(store: ContractStore, machine: Machine): ContractStore {
  return {
    ...store,
    history: async (offset) => ({
      ...(await store.history(offset)),
      now: machine.nowMicros(),
    }),
    commit: ({ reads, decide }) =>
      store.commit({ reads, decide: (facts) => decide({ ...facts, now: machine.nowMicros() }) }),
  }
}

/** Runs a schedule; rejects where something happened that must not. */
export async function runSchedule(
  { layout, lead, events }: Schedule,
  bare: ContractStore,
  seen: Seen,
  plant: Plant = {},
): Promise<void> {
  const world = new World(layout, lead, bare, seen, plant)
  await world.begin()
  for (const event of events) await world.happen(event)
  await world.end()
}

class World {
  readonly #truth = new Truth()
  readonly #machines: readonly Machine[]
  readonly #servers: (Server | undefined)[]
  readonly #store: ContractStore
  readonly #layout: Layout
  readonly #seen: Seen
  readonly #plant: Plant
  /** The latest time that the ledger may take for now. */
  #most: number
  readonly #done = new Map<number, number>()
  /** The machine that left the last beat. */
  #beat = ''

  constructor(layout: Layout, lead: number, bare: ContractStore, seen: Seen, plant: Plant) {
    const several = layout === 'three servers'
    const machine = new Machine(this.#truth, several ? 0 : lead)
    const second = layout === 'alone' ? [] : [several ? new Machine(this.#truth) : machine]
    this.#machines = several ? [machine, ...second, new Machine(this.#truth)] : [machine, ...second]
    this.#servers = this.#machines.map(() => undefined)
    this.#store = storeOn(bare, several ? new Machine(this.#truth) : machine)
    this.#layout = layout
    this.#seen = seen
    this.#plant = plant
    this.#most = Math.max(machine.wall, this.#truth.now) + BOUND
  }

  async begin(): Promise<void> {
    for (const index of this.#machines.keys()) await this.#start(index)
  }

  async happen({ at, what, passes, command }: Event): Promise<void> {
    const index = at % this.#machines.length
    const machine = this.#machines[index] ?? assert.fail()
    switch (what.kind) {
      case 'set':
        machine.set('lead' in what ? what.lead : 0)
        break
      case 'right':
        machine.set(0)
        break
      case 'stand':
        machine.stand()
        break
      case 'drift':
        machine.ppm = 'ppm' in what ? what.ppm : 0
        break
      case 'suspend':
      case 'pause':
        this.#pass(
          'for' in what ? what.for : 0,
          machine,
          what.kind === 'pause' ? 'paused' : 'suspended',
        )
        break
      case 'restart':
        await this.#restart(index, 'clean' in what && what.clean)
        break
      case 'reboot':
        await this.#reboot(index, what)
        break
      case 'forget':
        await this.#forget(machine)
        break
      default:
    }
    await this.#live(passes)
    await this.#try(index, command)
  }

  /** All clocks are right again: everything works, without anybody's doing. */
  async end(): Promise<void> {
    for (const machine of this.#machines) {
      machine.ppm = 0
      machine.set(0)
    }
    await this.#live(2 * HOUR)
    for (const [index, server] of this.#servers.entries()) {
      if (server === undefined) await this.#start(index)
      const { watch, engine } = this.#servers[index] ?? assert.fail('a server does not start')
      await watch.look()
      const outcome = await engine.submit(create())
      assert.ok(outcome.ok, 'a server does not commit although its clock is right')
      assert.equal(watch.inDoubt, 0n, watch.note)
    }
  }

  async #start(index: number): Promise<void> {
    const machine = this.#machines[index] ?? assert.fail()
    const invariants = new Invariants()
    const store = this.#plant.store?.(this.#store) ?? this.#store
    const bound = { maxSkewMicros: BigInt(BOUND), maxDoubtMicros: BigInt(MAX_DOUBT) }
    const witness = this.#plant.witness?.(machine)
    const watch = new RecordClock({ clock: machine, store, bound, invariants, witness })
    const name = machine.boot
    const isOpen = this.#beat !== '' && this.#beat !== name
    this.#note(machine, isOpen)
    try {
      await watch.start()
    } catch (error) {
      this.#expectWrong(machine, error)
      return
    }
    this.#beat = name
    const toy = await createToy({ store, clock: watch, watch, invariants })
    this.#servers[index] = { ...toy, machine, watch, isOpen: isOpen && !this.#hasBooted(machine) }
  }

  async #restart(index: number, isClean: boolean): Promise<void> {
    if (isClean) await this.#servers[index]?.watch.beat()
    this.#servers[index] = undefined
    await this.#start(index)
  }

  async #reboot(index: number, event: object): Promise<void> {
    const machine = this.#machines[index] ?? assert.fail()
    const [off, upMs, lead] = ['off', 'upMs', 'lead'].map((key) =>
      Number(Object.entries(event).find(([name]) => name === key)?.[1] ?? 0),
    )
    const here = this.#machines.flatMap((each, other) => (each === machine ? [other] : []))
    for (const other of here) this.#servers[other] = undefined
    await this.#live(off ?? 0)
    // As servers elsewhere do, which are there all the time.
    await this.#live(61 * SECOND)
    this.#pass((upMs ?? 0) * 1_000)
    machine.start(upMs ?? 0)
    machine.set(lead ?? 0)
    for (const other of here) await this.#start(other)
  }

  async #forget(machine: Machine): Promise<void> {
    const time = await (this.#plant.forgetting ?? measuredTime)(this.#store, machine)
    await this.#store.forgetCommands(time)
  }

  /** Servers look every second; here more seldom once nothing is new any more. */
  async #live(micros: number): Promise<void> {
    const steps = [SECOND, SECOND, SECOND, 61 * SECOND]
    for (let left = micros; left > 0;) {
      const step = Math.min(left, steps.shift() ?? Math.max(micros / 12, 200 * SECOND))
      left -= step
      this.#pass(step)
      for (const server of this.#servers) {
        if (server === undefined) continue
        this.#note(server.machine, server.isOpen)
        server.isOpen &&= !this.#hasBooted(server.machine)
        await server.watch.look()
        this.#beat = server.machine.boot
      }
    }
  }

  #pass(micros: number, only?: Machine, how?: 'suspended' | 'paused'): void {
    const before = this.#truth.now
    this.#truth.now += micros
    for (const machine of new Set(this.#machines))
      machine.pass(micros, only === undefined || machine === only ? how : undefined)
    const isBehind = [...this.#machines].some(({ wall }) => wall > this.#most)
    this.#most += (this.#truth.now - before) * (1 + (isBehind ? RATE : RATE / 5))
    this.#most = Math.max(this.#most, this.#truth.now + BOUND)
  }

  /** Notes what the ledger may believe of a machine's clock, by the rules of the decision. */
  #note(machine: Machine, isOpen: boolean): void {
    if (this.#layout === 'three servers') return
    const gap = machine.wall - this.#most
    const steady = this.#truth.now - machine.steppedAt
    const settled = steady >= Math.min(Math.max(gap, MIN_DOUBT), MAX_DOUBT)
    if (gap > 0 && (settled || (isOpen && this.#hasBooted(machine))))
      this.#most = machine.wall + BOUND
  }

  #hasBooted(machine: Machine): boolean {
    return machine.uptimeMs() >= BOOTED_MS
  }

  async #try(index: number, command: number): Promise<void> {
    const server = this.#servers[index]
    if (server === undefined) return void (this.#seen.unready += 1)
    const { engine, watch, machine } = server
    if (watch.inDoubt !== 0n) this.#seen.doubted += 1
    try {
      const once = await engine.submit(
        create({ commandId: `${command}`, deduplicationMicros: BigInt(DAY) }),
      )
      if (once.ok) this.#paid(command, Number(once.recordTime))
      else assert.equal(once.kind, 'duplicate')
      if (!once.ok) this.#seen.repeated += 1
      const early = await engine.submit(
        create({ run: (tx) => tx.notBefore(BigInt(Math.ceil(this.#most))) }),
      )
      assert.ok(!early.ok, 'a deadline passed before its time')
      const far = BigInt(Math.ceil(Math.max(machine.wall, this.#most)) + DAY)
      const late = await engine.submit(create({ run: (tx) => tx.before(far) }))
      assert.ok(late.ok, `refused although no doubt reaches so far: ${late.ok || late.kind}`)
    } catch (error) {
      this.#expectWrong(machine, error)
    }
  }

  #paid(command: number, recordTime: number): void {
    this.#seen.taken += 1
    const before = this.#done.get(command)
    const { now } = this.#truth
    assert.ok(
      before === undefined || now - before >= DAY * 0.999 - 2 * SECOND,
      'a kept id paid twice',
    )
    this.#done.set(command, now)
    assert.ok(recordTime <= this.#most, 'an update was recorded too far ahead')
  }

  /** Only where another clock says that this server's is wrong may it refuse. */
  #expectWrong({ wall }: Machine, error: unknown): void {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'COMMIT_REFUSED'
    if (!isRefused) throw error
    assert.equal(this.#layout, 'three servers', `a server stops: ${error.message}`)
    assert.ok(Math.abs(wall - this.#truth.now) > BOUND, 'a server stops whose clock is right')
    this.#seen.unready += 1
  }
}

function create<R = unknown>(more: Partial<Submission<R | string>> = {}): Submission<R | string> {
  return {
    actAs: ['bank', 'alice'],
    userId: 'u',
    run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
    ...more,
  }
}
