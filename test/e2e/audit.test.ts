// Totals that are no longer what contracts add up to are found while the server runs: /readyz says
// which, and is well again once they are.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { damageStore, placeOf, readStore } from '../support/store-file.ts'

const API = '/api/validator/v0'
const AUDIT = { ledger: { audit: { everyMs: 1, page: 5, restMs: 1 } } }

for (const storage of storesFor('audit')) {
  after(() => storage.release())

  test(`a wrong total makes the server unready in a line that names it, on ${storage.name}`, async (t) => {
    const section = await storage.section()
    const service = await startService({ config: { storage: section, ...AUDIT }, seeded: true })
    t.after(() => service.stop())
    const place = placeOf(section, service.dataDir)
    const token = await service.token('alice')
    const tap = () =>
      call(service.url, `POST ${API}/wallet/tap`, { token, body: { amount: '1.0' } })
    const says = async (status: number, line: RegExp): Promise<void> =>
      retried(async () => {
        const answer = await call(service.url, 'GET /readyz')
        assert.equal(answer.status, status, answer.text)
        assert.match(answer.text, line)
      })
    const compared = async (): Promise<number> => {
      const { text } = await call(service.url, 'GET /metrics')
      return Number(/^ledgerwright_audit_comparisons_total (\d+)$/m.exec(text)?.[1])
    }
    for (let taps = 0; taps < 6; taps += 1) assert.equal((await tap()).status, 200)
    const before = await compared()
    await retried(async () => {
      assert.equal((await tap()).status, 200)
      assert.ok(
        (await compared()) > before + 12,
        'while the ledger goes on, all totals are looked at again and again',
      )
    })
    await says(200, /./)

    const { totals } = await readStore(place)
    const alice = totals.find(
      ({ name, account }) => name === 'unlocked' && account.startsWith('alice::'),
    )
    assert.ok(alice !== undefined)
    for (const [table, column, where, line] of [
      [
        'totals',
        'contract_count',
        `name = 'unlocked' and account = '${alice.account}'`,
        /totals: the total unlocked of alice::\S+ is kept as \d+ in \d+ contracts, those at offset \d+ add up to/,
      ],
      [
        'totals',
        'contract_count',
        "name = 'supply'",
        /totals: the total supply is kept as \d+ in \d+ contracts/,
      ],
      [
        'accruals',
        'amount',
        `name = 'unlocked' and part = 'all' and account = '${alice.account}'`,
        /totals: what unlocked of alice::\S+ has accrued at \d+ is kept as \d+, contracts at/,
      ],
    ] as const) {
      await damageStore(place, `update ${table} set ${column} = ${column} + 1 where ${where}`)
      await says(503, line)
      assert.match(
        (await call(service.url, 'GET /metrics')).text,
        /^ledgerwright_invariant_breaches_total\{invariant="totals"\} [1-9]\d*$/m,
      )
      await damageStore(place, `update ${table} set ${column} = ${column} - 1 where ${where}`)
      await says(200, /./)
    }
  })
}
