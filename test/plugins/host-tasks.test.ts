// Background work of the services is supervised as automations are: held back after failures, in the health report, ended with the host.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HandScheduler, hostWith, memory, schedulerEntry, TurnedClock } from './fixtures/host-kit.ts'

test('a task runs by the scheduler, its failures show and hold it back, the host ends it', async () => {
  const [clock, scheduler] = [new TurnedClock(), new HandScheduler()]
  const host = await hostWith([memory, schedulerEntry(scheduler)], { clock, random: () => 1, limits: { healthKeepMs: -1 } })
  await host.start()
  const signals: AbortSignal[] = []
  let fails = false
  host.runBackground({ tasks: [{
    name: 'rounds', everyMs: 1_000,
    run: async (signal) => {
      signals.push(signal)
      if (fails) throw new Error('broken')
    },
  }] })
  const health = async () => (await host.health()).plugins.find(({ plugin }) => plugin === 'task/rounds')
  await scheduler.tick('rounds')
  assert.deepEqual([signals.length, (await health())?.status, (await host.health()).status], [1, 'up', 'up'])
  fails = true
  await scheduler.tick('rounds')
  assert.deepEqual([(await health())?.status, (await health())?.detail], ['degraded', 'failed 1 times: broken'])
  assert.equal((await host.health()).status, 'degraded', 'requests are answered all the same')
  clock.ms += 1_500
  await scheduler.tick('rounds')
  assert.equal(signals.length, 2, 'held back')
  assert.deepEqual(host.automations().map(({ name, runs }) => [name, runs]), [['rounds', 2]])
  await host.stop()
  assert.ok(signals.every(({ aborted }) => aborted))
})

test('a task that servers share and that is not this one\'s says so, and promises no next run', async () => {
  let here = true
  const scheduler = { schedule: () => ({ cancel: () => {}, here: () => here }) }
  const host = await hostWith([memory, schedulerEntry(scheduler)])
  await host.start()
  host.runBackground({ tasks: [{ name: 'rounds', everyMs: 1_000, run: async () => {} }] })
  const seen = () => host.automations().map(({ elsewhere, nextRun }) => [elsewhere, nextRun === undefined])
  assert.deepEqual(seen(), [[undefined, false]])
  here = false
  assert.deepEqual(seen(), [[true, true]])
  await host.stop()
})
