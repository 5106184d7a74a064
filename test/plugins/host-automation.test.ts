// Automations live apart: failing, hanging or slow, they are held back, shown in health, and never
// run twice at once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { AutomationService, PluginContext } from '../../runtime/index.ts'
import type { AutomationWorld, ContractChange } from '../../runtime/host/plugin.ts'
import type { ContractRecord } from '../../runtime/store/store.ts'
import type { KitOptions } from './fixtures/host-kit.ts'
import {
  automationEntry,
  extensionEntry,
  HandScheduler,
  hostWith,
  memory,
  schedulerEntry,
  TurnedClock,
} from './fixtures/host-kit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import schedulerInProcess from '../../plugins/scheduler-inprocess/index.ts'
import { superviseAutomation } from '../../runtime/host/automation.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'

const CONTEXT: PluginContext = {
  name: 'inprocess',
  log: silentLog,
  clock: new TurnedClock(),
  profile: 'dev',
  dataDir: '/nowhere',
  documents: [],
  listen: { host: '127.0.0.1', port: 0 },
}

async function running(service: AutomationService, options: KitOptions = {}) {
  const clock = new TurnedClock()
  const scheduler = new HandScheduler()
  const entries = [memory, schedulerEntry(scheduler), automationEntry('work', service)]
  const host = await hostWith(entries, {
    clock,
    random: () => 1,
    ...options,
    limits: { healthKeepMs: -1, ...options.limits },
  })
  await host.start()
  host.runBackground()
  const status = () => host.automations()[0]
  return { clock, scheduler, host, status, tick: () => scheduler.tick('work') }
}

describe('automations', () => {
  it('run with store, log, clock and signal, and show when they ran and will run', async () => {
    const seen: string[] = []
    const { tick, status, host, clock } = await running({
      trigger: { everyMs: 1000 },
      run: async (context) => void seen.push(...Object.keys(context).sort()),
    })
    assert.equal(status()?.nextRun, new Date(clock.ms + 1000).toISOString())
    await tick()
    assert.deepEqual(seen, ['again', 'clock', 'log', 'services', 'signal', 'store'])
    assert.deepEqual(status(), {
      name: 'work',
      running: false,
      runs: 1,
      failures: 0,
      consecutiveFailures: 0,
      lastRun: new Date(clock.ms).toISOString(),
      lastSuccess: new Date(clock.ms).toISOString(),
      nextRun: new Date(clock.ms + 1000).toISOString(),
    })
    await host.stop()
  })

  it('are held back after failures, twice as long each time, up to the cap, and start afresh after a success', async () => {
    let failing = true
    let runs = 0
    const { tick, status, host, clock } = await running(
      {
        trigger: { everyMs: 1000 },
        run: async () => {
          runs += 1
          if (failing) throw new Error('broken')
        },
      },
      { limits: { backoffCapMs: 10_000 } },
    )
    const pauses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      await tick()
      const next = Date.parse(status()?.nextRun ?? '')
      pauses.push(next - clock.ms)
      clock.ms = next - 600
      await tick()
      assert.equal(runs, n + 1, 'a tick during the pause runs nothing')
      clock.ms = next
    }
    assert.deepEqual(pauses, [2000, 4000, 8000, 10_000, 10_000, 10_000])
    const health = await host.health()
    assert.deepEqual(
      [health.status, health.plugins[2]?.detail],
      ['degraded', 'failed 6 times: broken'],
    )
    failing = false
    await tick()
    assert.deepEqual([status()?.consecutiveFailures, status()?.lastError], [0, 'broken'])
    assert.equal((await host.health()).status, 'up')
    await host.stop()
  })

  it('spread their pauses by chance', async () => {
    const { tick, status, host, clock } = await running(
      {
        trigger: { everyMs: 1000 },
        run: async () => {
          throw new Error('x')
        },
      },
      { random: () => 0 },
    )
    for (let n = 0; n < 3; n += 1) {
      await tick()
      clock.ms = Date.parse(status()?.nextRun ?? '')
    }
    assert.equal(Date.parse(status()?.nextRun ?? '') - Date.parse(status()?.lastRun ?? ''), 4000)
    await host.stop()
  })

  it('are held back by time that passes, whatever somebody sets the clock to meanwhile', async () => {
    for (const jump of [-3_600_000, 3_600_000]) {
      let runs = 0
      const { tick, status, host, clock } = await running({
        trigger: { everyMs: 1000 },
        run: async () => {
          runs += 1
          throw new Error('broken')
        },
      })
      await tick()
      clock.putBy(jump)
      assert.equal(status()?.nextRun, new Date(clock.ms + 2000).toISOString())
      await tick()
      assert.equal(runs, 1)
      clock.ms += 2000
      await tick()
      assert.equal(runs, 2)
      await host.stop()
    }
  })

  it('never run twice at once, and a run that hangs is told to stop and counts as failed', async () => {
    let runs = 0
    let aborted = false
    const { tick, status, host, clock } = await running(
      {
        trigger: { everyMs: 1 },
        run: ({ signal }) => {
          runs += 1
          signal.addEventListener('abort', () => {
            aborted = true
          })
          return new Promise(() => {})
        },
      },
      { limits: { automationRunMs: 30 } },
    )
    await tick()
    assert.deepEqual(
      [aborted, status()?.running, status()?.lastError],
      [true, true, 'took longer than 30 ms'],
    )
    clock.ms += 1_000_000
    await tick()
    assert.equal(runs, 1, 'the hanging run still blocks its own next run')
    assert.match((await host.health()).plugins[2]?.detail ?? '', /the run has not ended/)
    await host.stop()
  })

  it('are told to stop when the host stops', async () => {
    const ended: string[] = []
    const { tick, host } = await running({
      trigger: { everyMs: 1 },
      run: ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => (ended.push('run'), resolve())),
        ),
      stop: () => void ended.push('stop'),
    })
    const run = tick()
    await host.stop()
    await run
    assert.deepEqual(ended, ['run', 'stop'])
  })

  it('run by the scheduler of this process at their interval, and no more after the stop', async () => {
    let runs = 0
    const work = automationEntry('work', {
      trigger: { everyMs: 10 },
      run: async () => {
        runs += 1
      },
    })
    const host = await hostWith([
      memory,
      { path: 'scheduler', plugin: schedulerInProcess, options: {} },
      work,
    ])
    const began = performance.now()
    await host.start()
    host.runBackground()
    await eventuallyHolds('it has run ten times', () => runs >= 10)
    await host.stop()
    const [atStop, most] = [runs, (performance.now() - began) / 10 + 1]
    assert.ok(runs <= most, `${runs} runs, at most ${most}`)
    await wait(40)
    assert.equal(runs, atStop)
  })
})

describe('an automation that servers share', () => {
  it("says where it is not this one's, and promises no next run there", async () => {
    let here = true
    const task = { cancel: () => {}, here: () => here }
    const scheduler = { schedule: () => task, hold: () => task }
    const host = await hostWith([
      memory,
      schedulerEntry(scheduler),
      automationEntry('work', { trigger: {}, run: async () => {} }),
    ])
    await host.start()
    host.runBackground()
    const seen = () =>
      host.automations().map(({ elsewhere, nextRun }) => [elsewhere, nextRun === undefined])
    assert.deepEqual(seen(), [[undefined, false]])
    here = false
    assert.deepEqual(seen(), [[true, true]])
    await host.stop()
  })
})

/** A commit of a contract of `M:T` that a party signs. */
function created(party: string, rank = 0n): ContractChange {
  const contract = { signatories: [party], observers: [], rank } as const
  return { entity: 'M:T', stakeholders: [party], created: { ...NO_CONTRACT, ...contract } }
}

const NO_CONTRACT: ContractRecord = {
  contractId: '',
  templateId: '#p:M:T',
  packageName: 'p',
  payload: '{}',
  signatories: [],
  observers: [],
  createdAt: 0n,
  key1: '',
  key2: '',
  key3: '',
  rank: 0n,
}

const EVERY_MS = 1_000

interface WokenOptions {
  readonly limits?: { readonly runMs: number; readonly backoffCapMs: number }
  /** Whether the automation is this server's. */
  readonly here?: () => boolean
}

/** An automation under a scheduler that shares it, woken by hand, under a clock that is turned. */
function woken(service: Partial<AutomationService>, options: WokenOptions = {}) {
  type Listener = (changes: readonly ContractChange[] | 'all') => void
  const listeners: { readonly templates: readonly string[]; readonly changed: Listener }[] = []
  const clock = new TurnedClock()
  let isPaused = false
  const world: AutomationWorld = {
    services: undefined,
    everyMs: EVERY_MS,
    roundTemplates: ['M:Round'],
    isPaused: async () => isPaused,
    onChanged: (templates, changed) => (listeners.push({ templates, changed }), () => {}),
  }
  let runs = 0
  const supervised = superviseAutomation({
    name: 'work',
    owner: { id: 'automation/work' },
    about: {},
    service: { trigger: {}, run: async () => {}, ...service },
    run: { store: createMemoryStore(clock), log: silentLog, clock },
    clock,
    random: () => 1,
    log: silentLog,
    limits: { runMs: 60_000, backoffCapMs: 300_000, ...options.limits },
  })
  const task = { cancel: () => {}, here: options.here ?? (() => true) }
  supervised.begin({ schedule: () => task, hold: () => task }, world)
  return {
    supervised,
    clock,
    tell: (...changes: readonly ContractChange[]) => {
      for (const { templates, changed } of listeners) {
        const own = changes.filter(({ entity }) => templates.includes(entity))
        if (own.length > 0) changed(own)
      }
    },
    tellAll: () => {
      for (const { changed } of listeners) changed('all')
    },
    pause: (to: boolean) => (isPaused = to),
    /** Time passes, a beat at a time; answers how many runs that made. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += EVERY_MS) {
        clock.ms += EVERY_MS
        await supervised.beat()
      }
      const more = supervised.status().runs - runs
      runs += more
      return more
    },
  }
}

describe('automations that are woken', () => {
  it('look once after a start, then not before something wakes them, or ten minutes are over', async () => {
    const { pass, tell, tellAll } = woken({ trigger: { onCreated: ['M:T'] } })
    assert.deepEqual([await pass(1_000), await pass(598_000)], [1, 0])
    tell(created('alice'))
    assert.deepEqual([await pass(1_000), await pass(598_000), await pass(2_000)], [1, 0, 1])
    tellAll()
    assert.deepEqual([await pass(1_000), await pass(1_000)], [1, 0])
  })

  it('look at everything again wherever they come from another server', async () => {
    let here = false
    const { pass, tell } = woken(
      { trigger: { wakes: [{ templates: ['M:T'] }] } },
      { here: () => here },
    )
    assert.equal(await pass(5_000), 0)
    here = true
    assert.deepEqual([await pass(1_000), await pass(5_000)], [1, 0])
    here = false
    tell(created('alice'))
    assert.equal(await pass(2_000), 0)
    here = true
    assert.equal(await pass(2_000), 1)
    tell({ entity: 'M:Other', stakeholders: [] })
    assert.equal(await pass(2_000), 0)
  })

  it('run when the ledger shows the time that they asked for, also where its clock has jumped, and forget it then', async () => {
    let asks = true
    const { pass, clock } = woken({
      run: async ({ again, clock: ledger }) => {
        if (asks) again.at(ledger.nowMicros() + 300_000_000n)
        asks = false
      },
    })
    assert.deepEqual([await pass(1_000), await pass(299_000)], [1, 0])
    clock.putBy(60_000)
    assert.deepEqual([await pass(1_000), await pass(400_000)], [1, 0])
  })

  it('run a pause after they said that something is left, and for a time that is over', async () => {
    let left = 2
    const { pass } = woken({
      trigger: { pauseMs: 5_000 },
      run: async ({ again }) => {
        left -= 1
        if (left === 1) again.soon()
        if (left === 0) again.at(0n)
      },
    })
    assert.deepEqual(
      [
        await pass(1_000),
        await pass(4_000),
        await pass(1_000),
        await pass(4_000),
        await pass(1_000),
      ],
      [1, 0, 1, 0, 1],
    )
  })

  it('count that pause from the end of a run that lasts longer', async () => {
    let left = 1
    const { pass, clock } = woken({
      trigger: { pauseMs: 5_000 },
      run: async ({ again }) => {
        if (left > 0) again.soon()
        left -= 1
        clock.ms += 10_000
      },
    })
    assert.deepEqual([await pass(1_000), await pass(4_000), await pass(1_000)], [1, 0, 1])
  })

  it('act at once for what their own server created; where they are, a run finds what others did', async () => {
    let here = false
    let atOnce = 0
    const { pass, tell } = woken(
      { trigger: { onCreated: ['M:T'] }, runFor: async () => void (atOnce += 1) },
      { here: () => here },
    )
    tell({ ...created('alice'), isOthers: true })
    assert.deepEqual([await pass(2_000), atOnce], [0, 0])
    here = true
    await pass(2_000)
    tell({ ...created('alice'), isOthers: true })
    assert.deepEqual([await pass(2_000), atOnce], [1, 0])
    tell(created('alice'))
    assert.deepEqual([await pass(2_000), atOnce], [0, 1])
  })

  it('hear of contracts of whom they named, when they named, and of ends only where they said so', async () => {
    const of = new Set(['alice'])
    const { pass, tell, clock } = woken({
      trigger: {
        wakes: [
          { templates: ['M:T'], of },
          { templates: ['M:T'], of: new Set(['dora']), isArchived: true },
          { templates: ['M:T'], of: new Set(['emil']), at: ({ rank }) => rank },
        ],
      },
    })
    await pass(1_000)
    const runsAfter = async (change: ContractChange): Promise<number> => {
      tell(change)
      return pass(1_000)
    }
    const ended = ({ entity, stakeholders }: ContractChange) => ({ entity, stakeholders })
    assert.deepEqual(
      [
        await runsAfter(created('alice')),
        await runsAfter(created('bob')),
        await runsAfter(ended(created('alice'))),
        await runsAfter(ended(created('dora'))),
        await runsAfter(created('emil', clock.nowMicros() + 3_000_000n)),
        await pass(1_000),
        await pass(1_000),
      ],
      [1, 0, 0, 1, 0, 0, 1],
    )
    of.add('bob')
    assert.equal(await runsAfter(created('bob')), 1)
  })

  it('run once a pause for what comes patiently', async () => {
    const { pass, tell } = woken({
      trigger: { pauseMs: 3_000, wakes: [{ templates: ['M:T'], isPatient: true }] },
    })
    await pass(1_000)
    for (const party of ['a', 'b', 'c']) tell(created(party))
    assert.deepEqual([await pass(2_000), await pass(1_000), await pass(9_000)], [0, 1, 0])
  })

  it('keep what wakes them while they are paused, and while they are held back after a failure', async () => {
    let isBroken = true
    const { pass, tell, pause } = woken({
      trigger: { onCreated: ['M:T'] },
      run: async () => {
        if (isBroken) throw new Error('broken')
      },
    })
    assert.equal(await pass(1_000), 1)
    tell(created('alice'))
    assert.equal(await pass(1_000), 0, 'held back for two seconds')
    isBroken = false
    assert.deepEqual([await pass(1_000), await pass(5_000)], [1, 0])
    pause(true)
    tell(created('alice'))
    assert.equal(await pass(10_000), 0)
    pause(false)
    assert.deepEqual([await pass(1_000), await pass(10_000)], [1, 0])
  })

  it('run after a pause for what was created during it', async () => {
    const seen: number[] = []
    const { pass, tell, pause } = woken({
      trigger: { onCreated: ['M:T'] },
      runFor: async (contracts) => void seen.push(contracts.length),
    })
    await pass(1_000)
    tell(created('alice'))
    assert.equal(await pass(1_000), 0)
    await turn()
    pause(true)
    tell(created('bob'))
    assert.equal(await pass(10_000), 0)
    pause(false)
    assert.deepEqual([await pass(1_000), await pass(10_000), seen], [1, 0, [1]])
  })

  it('run soon where what was created could not be seen to', async () => {
    const { supervised, pass, tell } = woken({
      trigger: { onCreated: ['M:T'] },
      runFor: () => Promise.reject(new Error('no store')),
    })
    await pass(1_000)
    tell(created('alice'))
    await eventuallyHolds('it has failed', () => supervised.status().failures === 1)
    assert.deepEqual([await pass(1_000), await pass(5_000)], [1, 0])
  })

  it('run again for what came while a run was under way, whatever had begun that run', async () => {
    const ends: (() => void)[] = []
    const { supervised, tell, pass } = woken({
      trigger: { onCreated: ['M:T'] },
      run: () => new Promise<void>((resolve) => ends.push(resolve)),
    })
    for (const begin of [() => void pass(1_000), () => supervised.runNow()]) {
      const before = ends.length
      begin()
      await eventuallyHolds('it runs', () => ends.length === before + 1)
      tell(created('alice'))
      tell(created('alice'))
      ends.at(-1)?.()
      await eventuallyHolds('it runs once more', () => ends.length === before + 2)
      ends.at(-1)?.()
      await eventuallyHolds('it has ended', () => !supervised.status().running)
      assert.equal(ends.length, before + 2)
    }
  })

  it('work on 256 creations at once and no more: a run finds the others, once for all of them', async () => {
    const called = { run: 0, runFor: 0 }
    const { tell } = woken(
      {
        trigger: { onCreated: ['M:T'] },
        run: async () => void (called.run += 1),
        runFor: () => ((called.runFor += 1), new Promise(() => {})),
      },
      { limits: { runMs: 500, backoffCapMs: 0 } },
    )
    for (let n = 0; n < 1_000; n += 1) tell(created('alice'))
    await eventuallyHolds('as many as may are worked on', () => called.runFor === 256)
    await eventuallyHolds('it runs', () => called.run > 0)
    assert.equal(called.runFor, 256)
    assert.ok(called.run <= 2, `${called.run} runs`)
  })
})

describe('the end of the background', () => {
  it('comes before the stop where what automations work with ends first: none begins, those that run are told', async () => {
    const signals: AbortSignal[] = []
    const { host, scheduler, tick } = await running({
      trigger: { everyMs: 1_000 },
      run: async ({ signal }) => void signals.push(signal),
    })
    await tick()
    host.endBackground()
    assert.deepEqual([signals.map(({ aborted }) => aborted), scheduler.tasks.size], [[true], 0])
    assert.equal((await host.health()).status, 'up')
    await host.stop()
  })
})

describe('the scheduler of this process', () => {
  it('waits at its stop for a run whose task was cancelled, and gives its name to nobody meanwhile', async () => {
    const service = await schedulerInProcess.setup(CONTEXT, {})
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const task = (): Promise<void> => (begun.resolve(), end.promise)
    const scheduled = service.schedule('work', 1, task)
    await begun.promise
    scheduled.cancel()
    assert.throws(() => service.schedule('work', 1, task), /is scheduled already/)
    let stopped = false
    const stop = Promise.resolve(service.stop?.()).then(() => {
      stopped = true
    })
    await wait(20)
    assert.equal(stopped, false)
    end.resolve()
    await stop
    service.schedule('work', 1_000, task).cancel()
  })
})

describe('errors that nobody caught', () => {
  it('are laid at the plugin whose code it was; the host goes on', async () => {
    const fatal: unknown[] = []
    const careless = extensionEntry('careless', {
      start: () =>
        void setTimeout(() => {
          void Promise.reject(new Error('forgot me'))
        }, 5),
    })
    const host = await hostWith([memory, careless], {
      onFatal: (error) => fatal.push(error),
      limits: { healthKeepMs: -1 },
    })
    await host.start()
    await withoutTestListeners(() => wait(40))
    const health = await host.health()
    assert.deepEqual(
      [health.status, health.plugins[1]?.detail, fatal],
      ['degraded', 'uncaught: forgot me', []],
    )
    await host.stop()
  })

  it('are laid at the plugin of the one host whose it is, and are nothing to the others', async () => {
    const fatal: unknown[] = []
    const start = () =>
      void setTimeout(() => {
        void Promise.reject(new Error('forgot me'))
      }, 5)
    const options = { onFatal: (error: unknown) => fatal.push(error) }
    const hosts = await Promise.all([
      hostWith([memory], options),
      hostWith([memory, extensionEntry('same', {})], options),
      hostWith([memory, extensionEntry('same', { start })], options),
    ])
    for (const host of hosts) await host.start()
    await withoutTestListeners(() => wait(40), hosts.length)
    const health = await Promise.all(hosts.map((host) => host.health()))
    assert.deepEqual([health.map(({ status }) => status), fatal], [['up', 'up', 'degraded'], []])
    for (const host of hosts) await host.stop()
  })

  it('are fatal when they belong to nobody', async () => {
    const fatal: unknown[] = []
    const host = await hostWith([memory], { onFatal: (error) => fatal.push(error) })
    await host.start()
    await withoutTestListeners(async () => {
      setTimeout(() => {
        void Promise.reject(new Error('whose'))
      }, 5)
      await wait(40)
    })
    assert.equal(fatal.length, 1)
    await host.stop()
  })
})

/** The test runner listens for uncaught errors too; while `work` runs, only the hosts do. */
async function withoutTestListeners(work: () => Promise<void>, hosts = 1): Promise<void> {
  const emitter: NodeJS.EventEmitter = process
  const events = ['uncaughtException', 'unhandledRejection']
  const taken = events.map((event) => ({
    event,
    listeners: emitter.listeners(event).slice(0, -hosts).filter(isListener),
  }))
  for (const { event, listeners } of taken)
    for (const listener of listeners) emitter.off(event, listener)
  try {
    await work()
  } finally {
    for (const { event, listeners } of taken)
      for (const listener of listeners) emitter.on(event, listener)
  }
}

function isListener(value: unknown): value is (...args: unknown[]) => void {
  return typeof value === 'function'
}
