// A server whose clock is wrong, as its clients and its operator see it: nothing happens twice,
// everything goes on by elapsed time, /readyz says so, and all is well again once it is right.
// test/ledger/clocks.test.ts has the rest.
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
import type { Wrong } from '../support/wrong-clock.ts'

const HOUR_MS = 3_600_000
const API = '/api/validator/v0'
const STEPS: readonly (readonly [Wrong, RegExp])[] = [
  [{ byMs: 25 * HOUR_MS }, /\[!\] time: this machine's clock is 25\.0 hours ahead of the ledger's/],
  [{ byMs: -HOUR_MS }, /\[!\] time: this machine's clock is 60\.0 minutes behind the ledger's/],
  [
    { byMs: -20_000, stands: true },
    /\[!\] time: this machine's clock is [2-9]\d\.\d seconds behind/,
  ],
]

const ready = ({ url }: Service) => call(url, 'GET /readyz')

/** Payments and taps, some with an id that was used before. */
async function client(service: Service) {
  const { url } = service
  const [alice, bob] = [await service.token('alice'), await service.token('bob')]
  const bobStatus = await call(url, `GET ${API}/wallet/user-status`, { token: bob })
  const ask = (request: string, body: object) =>
    call(url, `POST ${API}/wallet/${request}`, { token: alice, body })
  await call(url, `POST ${API}/wallet/transfer-preapproval`, { token: bob, body: {} })
  const receiver = member(bobStatus.json, 'party_id')
  return {
    tap: (more: object = {}) => ask('tap', { amount: '1.0', ...more }),
    pay: (deduplicationId: string) =>
      ask('transfer-preapproval/send', {
        receiver_party_id: receiver,
        amount: '1.0',
        deduplication_id: deduplicationId,
      }),
    balance: async () => {
      const { json } = await call(url, `GET ${API}/wallet/balance`, { token: bob })
      return member(json, 'effective_unlocked_qty')
    },
  }
}

// They mostly wait: for servers that start, and for those to notice.
describe('clocks', { concurrency: true }, () => {
  for (const storage of storesFor('clocks')) {
    after(() => storage.release())

    test(`a wrong clock pays nothing twice and stops nothing, on ${storage.name}`, async () => {
      const config = { storage: await storage.section() }
      const { path: dataDir, remove } = await tempDir()
      const env = await wrongClock(dataDir)
      const start = () => startService({ config, dataDir, seeded: true, env })
      const service = await start()
      try {
        const { tap, pay, balance } = await client(service)
        assert.equal((await tap({ amount: '100.0' })).status, 200)
        const tapped = await tap({ command_id: 'once' })
        await retried(async () => assert.equal((await pay('once')).status, 200))
        const [before, answer] = [await balance(), await ready(service)]
        assert.doesNotMatch(answer.text, /\[!\]/)
        const allIsWell = async (): Promise<void> => {
          assert.deepEqual((await tap({ command_id: 'once' })).json, tapped.json)
          assert.equal((await pay('once')).status, 200)
          assert.equal(await balance(), before, 'paid once')
          assert.equal((await tap()).status, 200)
        }
        for (const [wrong, says] of STEPS) {
          await setClock(service, dataDir, wrong)
          await retried(async () => {
            const { status, text } = await ready(service)
            assert.equal(status, 200)
            assert.match(text, says)
          })
          await allIsWell()
          const metrics = (await call(service.url, 'GET /metrics')).text
          assert.match(metrics, /^ledgerwright_clock_in_doubt_seconds [1-9]/m)
          await setClock(service, dataDir, { byMs: 0 })
          await retried(async () => assert.doesNotMatch((await ready(service)).text, /\[!\]/))
          await allIsWell()
        }
      } finally {
        await service.stop()
        await remove()
      }
    })
  }

  test('a server that is killed while its clock is wrong starts again, then and later', async () => {
    const { path: dataDir, remove } = await tempDir()
    const config = { storage: { use: 'sqlite' } }
    const start = async (wrong: Wrong): Promise<Service> =>
      startService({ config, dataDir, seeded: true, env: await wrongClock(dataDir, wrong) })
    let service = await start({ byMs: 0 })
    try {
      let { tap } = await client(service)
      const first = await tap({ command_id: 'once' })
      for (const byMs of [25 * HOUR_MS, 0, -2 * HOUR_MS, 0]) {
        await setClock(service, dataDir, { byMs })
        assert.equal((await tap()).status, 200)
        await service.kill()
        service = await start({ byMs })
        tap = (await client(service)).tap
        assert.deepEqual((await tap({ command_id: 'once' })).json, first.json)
        assert.equal((await tap()).status, 200)
        const { status, text } = await ready(service)
        assert.equal(status, 200)
        assert.equal(text.includes('[!] time:'), byMs !== 0, text)
      }
    } finally {
      await service.stop()
      await remove()
    }
  })

  test('a ledger that was simulated ahead is served: by elapsed time, or as somebody vouches', async () => {
    const { path: dataDir, remove } = await tempDir()
    const start = (more: object): Promise<Service> =>
      startService({ config: { storage: { use: 'sqlite' }, ...more }, dataDir, seeded: true })
    const simulated = await start({ clock: 'simulated' })
    const token = await simulated.token('operator')
    const tap = ({ url }: Service) =>
      call(url, `POST ${API}/wallet/tap`, { token, body: { amount: '1.0' } })
    const body = { advance_microseconds: 3 * 24 * HOUR_MS * 1_000 }
    assert.equal(
      (await call(simulated.url, `POST ${API}/admin/clock`, { token, body })).status,
      200,
    )
    assert.equal((await tap(simulated)).status, 200)
    await simulated.stop()
    for (const [more, says] of [
      [{}, /clock is 3\.0 days behind the ledger's time, which goes on by elapsed time/],
      [{ ledger: { acceptClock: true } }, /is 3\.0 days ahead of the clock; it stands still/],
    ] as const) {
      const service = await start(more)
      assert.match((await ready(service)).text, says)
      const tapped = await tap(service)
      assert.equal(tapped.status, 200, tapped.text)
      await service.stop()
    }
    await remove()
  })
})
