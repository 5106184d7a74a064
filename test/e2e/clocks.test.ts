// A server whose clock is wrong, as its clients and its operator see it: nothing is committed,
// /readyz says which clock is off, and all is well again once it is right. A ledger that is ahead
// starts only where somebody says so. test/ledger/clock-bound.test.ts has the rest.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { tempDir } from '../support/temp-dir.ts'
import { setClock, wrongClock } from '../support/wrong-clock.ts'

const HOUR_MS = 3_600_000
const API = '/api/validator/v0'
const AHEAD = new RegExp(
  "the ledger's last record time, 20\\S+Z, is 3\\.0 days ahead of the clocks .* " +
    'start with clock: simulated, or with --accept-ahead',
)

// They mostly wait: for servers that start, and for those to notice.
describe('clocks', { concurrency: true }, () => {
  for (const storage of storesFor('clocks')) {
    after(() => storage.release())

    test(`a wrong clock stops its server, and no more than that, on ${storage.name}`, async () => {
      const config = { storage: await storage.section() }
      const { path: dataDir, remove } = await tempDir()
      const service = await startService({
        config,
        dataDir,
        seeded: true,
        env: await wrongClock(dataDir),
      })
      try {
        const token = await service.token('alice')
        const tap = () =>
          call(service.url, `POST ${API}/wallet/tap`, { token, body: { amount: '1.0' } })
        const ready = () => call(service.url, 'GET /readyz')
        const page = { page_size: 1 }
        assert.deepEqual([(await tap()).status, (await ready()).status], [200, 200])
        for (const [wrong, says] of [
          [
            { byMs: 25 * HOUR_MS },
            /record-time: this server's clock is 25\.0 hours ahead of the database's/,
          ],
          [
            { byMs: -HOUR_MS },
            /record-time: this server's clock is 60\.0 minutes behind the database's/,
          ],
          [
            { byMs: -20_000, stands: true },
            // The database's goes on meanwhile.
            /record-time: this server's clock is [2-9]\d\.\d seconds behind the database's/,
          ],
        ] as const) {
          await setClock(service, dataDir, wrong)
          await retried(async () => {
            const { status, text } = await ready()
            assert.equal(status, 503)
            assert.match(text, says)
          })
          const refused = await tap()
          assert.deepEqual(
            [refused.status, refused.json],
            [503, { error: 'The service is shutting down or not ready.' }],
          )
          assert.deepEqual(
            [
              (await call(service.url, 'GET /livez')).status,
              (await call(service.url, 'GET /v2/state/ledger-end', { token })).status,
              (await call(service.url, `POST ${API}/wallet/transactions`, { token, body: page }))
                .status,
            ],
            [200, 200, 200],
          )
          await setClock(service, dataDir, { byMs: 0 })
          await retried(async () => assert.equal((await ready()).status, 200))
          assert.equal((await tap()).status, 200)
        }
        // Now and then an automation submits something.
        await retried(async () => {
          const metrics = (await call(service.url, 'GET /metrics')).text
          assert.match(
            metrics,
            /^ledgerwright_invariant_breaches_total\{invariant="record-time"\} \d+$/m,
          )
          assert.match(metrics, /^ledgerwright_clock_lead_seconds\{clock="server"\} -?0\.?\d*$/m)
          assert.match(metrics, /^ledgerwright_oldest_submission_age_seconds 0$/m)
        })
      } finally {
        await service.stop()
        await remove()
      }
    })
  }

  test('a ledger that was simulated ahead starts by the clock only where that is accepted', async () => {
    const { path: dataDir, remove } = await tempDir()
    const start = (more: object): Promise<Service> =>
      startService({ config: { storage: { use: 'sqlite' }, ...more }, dataDir, seeded: true })
    const simulated = await start({ clock: 'simulated' })
    const operator = await simulated.token('operator')
    const body = { advance_microseconds: 3 * 24 * HOUR_MS * 1_000 }
    assert.equal(
      (await call(simulated.url, `POST ${API}/admin/clock`, { token: operator, body })).status,
      200,
    )
    assert.equal(
      (
        await call(simulated.url, `POST ${API}/wallet/tap`, {
          token: operator,
          body: { amount: '1.0' },
        })
      ).status,
      200,
    )
    await simulated.stop()
    await assert.rejects(start({}), AHEAD)
    const accepted = await start({ ledger: { acceptAhead: true } })
    try {
      assert.equal((await call(accepted.url, 'GET /readyz')).status, 200)
      const tapped = await call(accepted.url, `POST ${API}/wallet/tap`, {
        token: operator,
        body: { amount: '1.0' },
      })
      assert.equal(tapped.status, 200, tapped.text)
      assert.notEqual(member(tapped.json, 'contract_id'), undefined)
    } finally {
      await accepted.stop()
      await remove()
    }
  })
})
