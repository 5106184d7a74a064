// The scheduler that servers share passes the suite on a real PostgreSQL, survives servers that die
// and a database that goes away.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SchedulerService } from '../../runtime/index.ts'
import plugin from '../../plugins/scheduler-postgres/index.ts'
import { schedulerSuite } from '../../runtime/testing/scheduler-suite.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { POLL_MS, schedulerOptions, TAKEOVER_MS, TEST_CONTEXT } from '../support/scheduler.ts'

const CHILD = fileURLToPath(new URL('../support/scheduler-child.ts', import.meta.url))
/** Far beyond what anything here takes: the machine may be busy. */
const LIMIT_MS = 30_000
const SLOW_MS = 10_000

const server = await startPostgres()
const url = await server.createDatabase()
after(() => server.stop())

test('the plugin takes a url or its parts, and times that fit together', async () => {
  assert.deepEqual([plugin.kind, plugin.name], ['scheduler', 'postgres'])
  const parts = { host: 'h', database: 'd', user: 'u', password: 'p' }
  const cases: readonly (readonly [object, boolean])[] = [
    [{ url: 'postgres://u:p@h/d' }, true],
    [parts, true],
    [
      {
        ...parts,
        port: 1,
        schema: 'jobs',
        backend: 'yugabytedb',
        pollMs: 100,
        turnMs: 100,
        takeoverMs: 500,
      },
      true,
    ],
    [{ url: 'http://h' }, false],
    [{ url: 'postgres://h', host: 'h' }, false],
    [{ ...parts, schema: 'a"b' }, false],
    [{ ...parts, takeoverMs: 2_000 }, false],
    [{ ...parts, pollMs: 10 }, false],
    [{}, false],
  ]
  for (const [options, fits] of cases) {
    const { issues } = await plugin.options['~standard'].validate(options)
    assert.equal(issues === undefined, fits, JSON.stringify(options))
  }
})

// What takes time here is waiting.
describe('servers that share', { concurrency: true }, () => {
  const report = schedulerSuite({
    test,
    create: (group) => plugin.setup(TEST_CONTEXT, schedulerOptions({ url, schema: group })),
    features: { shared: true },
  })
  test('no check is skipped', () => assert.deepEqual(report.skipped, []))

  test('a server that is killed in the middle loses its tasks to another within the stated time', async (t) => {
    const database = await server.createDatabase()
    const child = spawnChild(database, ['work'])
    t.after(() => child.process.kill('SIGKILL'))
    await until('runs of the other process', async () => child.lines.length >= 3)
    const { scheduler, runs } = await started(t, database, ['work'])
    // Until it has seen the other's row.
    await sleep(4 * POLL_MS)
    assert.deepEqual(runs, [])
    const from = performance.now()
    child.process.kill('SIGKILL')
    await until('a run here', async () => runs.length > 0)
    const tookMs = performance.now() - from
    t.diagnostic(`taken over within ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < TAKEOVER_MS + 2 * POLL_MS + SLOW_MS, `${tookMs} ms`)
    assert.equal((await scheduler.health?.())?.status, 'up')
  })

  test('connections that are cut, and a database that is away for a while, end nothing for good', async (t) => {
    const database = await server.createDatabase()
    const name = new URL(database).pathname.slice(1)
    const { scheduler, runs } = await started(t, database, ['work'])
    await until('a run', async () => runs.length > 0)
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
    const status = async () => (await scheduler.health?.())?.status
    await asAdmin(server.url, `alter database ${name} allow_connections false`)
    await asAdmin(server.url, cut)
    await until('the health says so', async () => (await status()) === 'down')
    await sleep(TAKEOVER_MS)
    const before = runs.length
    await sleep(300)
    assert.equal(runs.length, before, 'who cannot be heard of runs nothing')
    const detail = (await scheduler.health?.())?.detail ?? ''
    assert.match(detail, /^the database does not answer: /)
    assert.doesNotMatch(detail, /:\/\/|password/)
    await asAdmin(server.url, `alter database ${name} allow_connections true`)
    await until('the health is up', async () => (await status()) === 'up')
    await until('runs again', async () => runs.length > before)
    await asAdmin(server.url, cut)
    const more = runs.length
    await until('runs after a cut', async () => runs.length > more + 10)
    assert.equal(await status(), 'up')
  })

  test('what is held is taken at once, however long turns last: after a start and after a stop', async (t) => {
    const database = await server.createDatabase()
    const holding = async () => {
      const options = schedulerOptions({ url: database, turnMs: 10 * LIMIT_MS })
      const scheduler = await plugin.setup(TEST_CONTEXT, options)
      t.after(async () => void (await scheduler.stop?.()))
      await scheduler.start?.()
      return { scheduler, held: scheduler.hold('held') }
    }
    const first = await holding()
    await until('it is here', async () => first.held.here?.() === true)
    const second = await holding()
    await sleep(4 * POLL_MS)
    assert.equal(second.held.here?.(), false)
    await first.scheduler.stop?.()
    await until('it is with the other', async () => second.held.here?.() === true)
  })

  test('the database remembers when a task of a long interval is due, whoever is there then', async (t) => {
    const database = await server.createDatabase()
    const first = await started(t, database, ['rare'], 2_000)
    const begun = performance.now()
    await until('a run', async () => first.runs.length > 0)
    assert.ok((first.runs[0] ?? 0) - begun >= 1_500, 'not before its time')
    await first.scheduler.stop?.()
    const second = await started(t, database, ['rare'], 2_000)
    await until('a run of the other', async () => second.runs.length > 0)
    const gap = (second.runs[0] ?? 0) - (first.runs[0] ?? 0)
    assert.ok(gap >= 1_900, `a gap of ${gap} ms`)
  })
})

interface Started {
  readonly scheduler: SchedulerService
  /** Times of the runs. */
  readonly runs: readonly number[]
}

async function started(
  t: { after(run: () => Promise<void>): void },
  database: string,
  names: readonly string[],
  everyMs = 100,
): Promise<Started> {
  const scheduler = await plugin.setup(TEST_CONTEXT, schedulerOptions({ url: database }))
  const runs: number[] = []
  t.after(async () => void (await scheduler.stop?.()))
  await scheduler.start?.()
  for (const name of names)
    scheduler.schedule(name, everyMs, async () => void runs.push(performance.now()))
  return { scheduler, runs }
}

function spawnChild(
  database: string,
  names: readonly string[],
): { readonly process: ChildProcess; readonly lines: readonly string[] } {
  const child = spawn(process.execPath, [CHILD, database, ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { process: child, lines }
}

async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await reached())) {
    assert.ok(performance.now() < end, `${what}: not within ${LIMIT_MS} ms`)
    await sleep(10)
  }
}
