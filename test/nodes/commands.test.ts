// The commands of an operator on several nodes: which node they talk to, and what only the first
// one does. docs/development-network.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAIN, run } from '../e2e/cli-kit.ts'
import type { Ended } from '../e2e/cli-kit.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

describe('commands on several nodes', () => {
  let service: Service
  const at = (...args: readonly string[]): Promise<Ended> =>
    run(MAIN, args, { cwd: service.dataDir, env: { LEDGERWRIGHT__DATA: service.dataDir } })

  before(async () => {
    const [sv, user] = await Promise.all([freePort(), freePort()])
    const nodes = { sv: { server: { port: sv } }, user: { server: { port: user } } }
    const config = { clock: 'simulated', storage: { use: 'memory' }, nodes }
    service = await startService({ config })
  })
  after(() => service.stop())

  test('each node tells the time, and the first one moves it for all', async () => {
    const refused = await at('network', 'time', 'advance', '1d', '--node', 'user')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /403: The clock is moved at the first node/)
    const moved = await at('network', 'time', 'advance', '1d')
    const shown = await at('network', 'time', 'show', '--node', 'user')
    assert.equal(shown.stdout, moved.stdout.replace('\n', ', simulated\n'))
  })

  test('only the first node saves and restores the network, and another one says so', async () => {
    const { code, stderr } = await at('network', 'reset', '--node', 'user')
    assert.equal(code, 1)
    assert.match(stderr, /403: the network is saved and restored at its first node/)
  })

  test('the status of a node leaves out what the first one tells of the process', async () => {
    const [first, later] = [await at('status'), await at('status', '--node', 'user')]
    assert.match(first.stdout, /^waiting +0 submissions, the oldest for 0\.0 s; 0 operations/m)
    assert.match(later.stdout, /^waiting +0 operations for coins$/m)
    const nobody = await at('status', '--node', 'nobody')
    assert.equal(nobody.code, 2)
    assert.match(nobody.stderr, /there is no node "nobody"; nodes: sv, user/)
  })
})
