// The compliance suite for scheduler plugins, on any runner: intervals, no two runs at once, ends.
// Published as part of `ledgerwright/testing`.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SchedulerService } from '../host/plugin.ts'
import { declareChecks } from './suite.ts'
import type { SuiteReport, TestFunction } from './suite.ts'

/** The scheduler under test, and the runner. */
export interface SchedulerSuiteOptions {
  readonly test: TestFunction
  /**
   * Sets a scheduler up, quick to notice others where it can be; the suite starts and stops it.
   * Those of one group share their tasks, where the plugin claims that; each check has a group of
   * its own.
   */
  create(group: string): Promise<SchedulerService> | SchedulerService
  /**
   * `shared`: a task of one name is run by one of several schedulers at a time. Nothing if absent.
   */
  readonly features?: { readonly shared?: boolean }
}

interface Check {
  readonly name: string
  readonly shared?: true
  run(kit: Kit): Promise<void>
}

const EVERY_MS = 100
/** Timers of the platform may be a little early. */
const LEAST_GAP_MS = 0.9 * EVERY_MS
const LIMIT_MS = 30_000

/** Writes down the runs of a task, on whatever scheduler. */
class Journal {
  readonly starts: number[] = []
  readonly by: string[] = []
  running = 0
  most = 0
  readonly signals: AbortSignal[] = []

  /** A task that does `work` and is known as `who`. */
  task(
    work: (signal: AbortSignal) => Promise<void> = async () => {},
    who = '',
  ): (signal: AbortSignal) => Promise<void> {
    return async (signal) => {
      this.starts.push(performance.now())
      this.by.push(who)
      this.signals.push(signal)
      this.running += 1
      this.most = Math.max(this.most, this.running)
      try {
        await work(signal)
      } finally {
        this.running -= 1
      }
    }
  }

  runs(atLeast: number): Promise<void> {
    return until(`${atLeast} runs`, () => this.starts.length >= atLeast)
  }

  leastGap(): number {
    return Math.min(
      ...this.starts.slice(1).map((start, index) => start - (this.starts[index] ?? 0)),
    )
  }
}

class Kit {
  readonly #create: SchedulerSuiteOptions['create']
  readonly #group: string
  readonly #made: SchedulerService[] = []

  constructor(create: SchedulerSuiteOptions['create'], group: string) {
    this.#create = create
    this.#group = group
  }

  async scheduler(): Promise<SchedulerService> {
    const made = await this.#create(this.#group)
    this.#made.push(made)
    await made.start?.()
    return made
  }

  async stop(scheduler: SchedulerService): Promise<void> {
    this.#made.splice(this.#made.indexOf(scheduler), 1)
    await scheduler.stop?.()
  }

  async close(): Promise<void> {
    await Promise.all(this.#made.map((scheduler) => scheduler.stop?.()))
  }
}

async function until(what: string, reached: () => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!reached()) {
    assert.ok(performance.now() < end, `${what}: not within ${LIMIT_MS} ms`)
    await sleep(5)
  }
}

/** Work that goes on until its signal says stop, and then a little longer. */
async function heedful(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await sleep(30)
}

const CHECKS: readonly Check[] = [
  {
    name: 'a task runs at its interval, for the first time an interval after it was scheduled',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const journal = new Journal()
      const from = performance.now()
      scheduler.schedule('work', EVERY_MS, journal.task())
      await journal.runs(6)
      assert.ok((journal.starts[0] ?? 0) - from >= LEAST_GAP_MS, 'the first run came at once')
      assert.ok(journal.leastGap() >= LEAST_GAP_MS, `a gap of ${journal.leastGap()} ms`)
    },
  },
  {
    name: 'a run that takes longer than the interval has no other beside it, and what it misses is dropped',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const journal = new Journal()
      scheduler.schedule(
        'work',
        EVERY_MS,
        journal.task(() => sleep(2.5 * EVERY_MS)),
      )
      await journal.runs(4)
      assert.equal(journal.most, 1)
      assert.ok(journal.leastGap() >= 2.5 * LEAST_GAP_MS, `a gap of ${journal.leastGap()} ms`)
    },
  },
  {
    name: 'a task that fails is run again, and harms no other',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const [failing, throwing, well] = [new Journal(), new Journal(), new Journal()]
      scheduler.schedule(
        'failing',
        EVERY_MS,
        failing.task(() => Promise.reject(new Error('it failed'))),
      )
      scheduler.schedule(
        'throwing',
        EVERY_MS,
        throwing.task(() => {
          throw new Error('it threw')
        }),
      )
      scheduler.schedule('well', EVERY_MS, well.task())
      await Promise.all([failing, throwing, well].map((journal) => journal.runs(3)))
    },
  },
  {
    name: 'a task that hangs holds up no other',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const [hanging, well] = [new Journal(), new Journal()]
      scheduler.schedule('hanging', EVERY_MS, hanging.task(heedful))
      scheduler.schedule('well', EVERY_MS, well.task())
      await Promise.all([hanging.runs(1), well.runs(5)])
      assert.deepEqual([hanging.starts.length, hanging.most], [1, 1])
    },
  },
  {
    name: "a name is one task's: a second one is refused",
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      scheduler.schedule('work', EVERY_MS, async () => {})
      assert.throws(() => scheduler.schedule('work', EVERY_MS, async () => {}))
    },
  },
  {
    name: 'a cancelled task runs no more; a run under way is told so and keeps the name until it ends',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const [first, second] = [new Journal(), new Journal()]
      const { cancel } = scheduler.schedule('work', EVERY_MS, first.task(heedful))
      await first.runs(1)
      cancel()
      assert.equal(first.signals[0]?.aborted, true)
      assert.throws(() => scheduler.schedule('work', EVERY_MS, second.task()))
      await until('the end of the run', () => first.running === 0)
      await sleep(1)
      scheduler.schedule('work', EVERY_MS, second.task())
      await second.runs(2)
      assert.equal(first.starts.length, 1)
    },
  },
  {
    name: 'a stop tells the runs under way, waits for them, and nothing runs after it',
    run: async (kit) => {
      const scheduler = await kit.scheduler()
      const [long, short] = [new Journal(), new Journal()]
      scheduler.schedule('long', EVERY_MS, long.task(heedful))
      scheduler.schedule('short', EVERY_MS, short.task())
      await Promise.all([long.runs(1), short.runs(1)])
      await kit.stop(scheduler)
      assert.deepEqual([long.signals[0]?.aborted, long.running], [true, 0])
      const after = short.starts.length
      await sleep(3 * EVERY_MS)
      assert.equal(short.starts.length, after)
    },
  },
  {
    name: 'several schedulers run a task as one: at its interval, never twice at once',
    shared: true,
    run: async (kit) => {
      const journal = new Journal()
      const schedulers = await Promise.all([kit.scheduler(), kit.scheduler(), kit.scheduler()])
      for (const scheduler of schedulers)
        scheduler.schedule(
          'work',
          EVERY_MS,
          journal.task(() => sleep(EVERY_MS / 2)),
        )
      await journal.runs(15)
      assert.equal(journal.most, 1)
      assert.ok(journal.leastGap() >= LEAST_GAP_MS, `a gap of ${journal.leastGap()} ms`)
    },
  },
  {
    name: 'several schedulers part many tasks among them, and none is run twice at once',
    shared: true,
    run: async (kit) => {
      const journals = Array.from({ length: 9 }, () => new Journal())
      const add = async (who: string): Promise<void> => {
        const scheduler = await kit.scheduler()
        for (const [index, journal] of journals.entries())
          scheduler.schedule(
            `work-${index}`,
            EVERY_MS,
            journal.task(() => sleep(5), who),
          )
      }
      const seen = (): number => new Set(journals.flatMap(({ by }) => by)).size
      await add('one')
      await until('a first run', () => seen() === 1)
      await Promise.all([add('two'), add('three')])
      await until('a run by each', () => seen() === 3)
      await Promise.all(journals.map((journal) => journal.runs(journal.starts.length + 2)))
      assert.deepEqual(
        journals.map(({ most }) => most),
        journals.map(() => 1),
      )
      assert.ok(Math.min(...journals.map((journal) => journal.leastGap())) >= LEAST_GAP_MS)
    },
  },
  {
    name: 'a scheduler that stops in the middle of a run leaves its tasks to the others, once the run has ended',
    shared: true,
    run: async (kit) => {
      const journal = new Journal()
      const [first, second] = [await kit.scheduler(), await kit.scheduler()]
      first.schedule('work', EVERY_MS, journal.task(heedful, 'first'))
      await journal.runs(1)
      second.schedule(
        'work',
        EVERY_MS,
        journal.task(async () => {}, 'second'),
      )
      await kit.stop(first)
      await journal.runs(3)
      assert.deepEqual(journal.by, ['first', ...journal.by.slice(1).map(() => 'second')])
      assert.equal(journal.most, 1)
    },
  },
  {
    name: 'a task that one scheduler cancels goes on at the others; one that only some know is run by those',
    shared: true,
    run: async (kit) => {
      const [both, own] = [new Journal(), new Journal()]
      const [first, second] = [await kit.scheduler(), await kit.scheduler()]
      const { cancel } = first.schedule(
        'both',
        EVERY_MS,
        both.task(async () => {}, 'first'),
      )
      await both.runs(1)
      second.schedule(
        'both',
        EVERY_MS,
        both.task(async () => {}, 'second'),
      )
      second.schedule(
        'own',
        EVERY_MS,
        own.task(async () => {}, 'second'),
      )
      cancel()
      const from = both.starts.length
      await Promise.all([both.runs(from + 3), own.runs(3)])
      assert.deepEqual(
        [both.by.slice(from + 1).includes('first'), own.by.includes('first')],
        [false, false],
      )
    },
  },
]

/**
 * Declares the checks with the given runner and answers how many there are and which were skipped.
 *
 * @example schedulerSuite({ test, create: (group) => plugin.setup(context, { queue: group }),
 *   features: { shared: true } })
 */
export function schedulerSuite({
  test,
  create,
  features = {},
}: SchedulerSuiteOptions): SuiteReport {
  return declareChecks(test, CHECKS, {
    reasonToSkip: ({ shared }) =>
      shared === true && features.shared !== true ? 'the plugin does not claim shared' : undefined,
    run: (check) => runCheck(check, new Kit(create, `check_${CHECKS.indexOf(check) + 1}`)),
  })
}

async function runCheck(check: Check, kit: Kit): Promise<void> {
  try {
    await check.run(kit)
  } finally {
    await kit.close()
  }
}
