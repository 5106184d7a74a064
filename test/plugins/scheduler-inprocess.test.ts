// The scheduler of a single server passes the suite.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import plugin from '../../plugins/scheduler-inprocess/index.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { schedulerSuite } from '../../runtime/testing/scheduler-suite.ts'
import { TurnedClock } from './fixtures/host-kit.ts'

const CONTEXT = {
  name: 'inprocess',
  log: silentLog,
  clock: new TurnedClock(),
  profile: 'dev',
  dataDir: '/nowhere',
  documents: [],
  listen: { host: '127.0.0.1', port: 0 },
} as const

// What takes time here is waiting.
describe('the scheduler of a single server', { concurrency: true }, () => {
  const report = schedulerSuite({ test, create: () => plugin.setup(CONTEXT, {}) })

  test('only what needs several servers is skipped', () => {
    assert.deepEqual(
      new Set(report.skipped.map(({ reason }) => reason)),
      new Set(['the plugin does not claim shared']),
    )
    assert.equal(report.checks, 7)
  })
})
