// An uploaded package names its choices as it likes, even as ours are named: that tells nothing of
// coin, neither to histories nor to scan.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archive, dar, own, PARTY, TEXT, UNIT } from '../support/dar-writer.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { createdId, exercise, list, path, startLedger } from '../interfaces/ledger-kit.ts'
import { create } from './kit.ts'
import { field, listOf, pure, unit, variable } from './expressions.ts'

const MINTER = own('Minters:Minter')
const owner = listOf(PARTY, field(MINTER, 'owner', variable('this')))
const nobody = listOf(PARTY)
const choice = {
  result: UNIT,
  controllers: owner,
  observers: nobody,
  body: pure(UNIT, unit),
}

/** Choices that are named as the coin's are, one with an argument as the coin's has it. */
const minters = archive({
  name: 'minters',
  version: '1.0.0',
  modules: [
    {
      name: 'Minters',
      dataTypes: [
        { name: 'Minter', serializable: true, record: [['owner', PARTY]] },
        {
          name: 'Mint',
          serializable: true,
          record: [
            ['receiver', PARTY],
            ['amount', TEXT],
            ['openRoundCid', TEXT],
          ],
        },
      ],
      templates: [
        {
          name: 'Minter',
          signatories: owner,
          observers: nobody,
          choices: [
            { ...choice, name: 'CoinRules_Mint', argument: own('Minters:Mint') },
            { ...choice, name: 'CoinRules_Transfer' },
            { ...choice, name: 'WalletAppInstall_ExecuteBatch' },
          ],
        },
      ],
    },
  ],
})
const TEMPLATE = '#minters:Minters:Minter'
const SCAN = '/api/scan/v0'

for (const storage of storesFor('packages that run'))
  test(`choices named as the coin’s are told to nobody on ${storage.name}`, async (t) => {
    const ledger = await startLedger(storage, { clock: 'simulated', validator: { pollMs: 50 } })
    t.after(() => ledger.stop())
    const { service, admin, alice, bob } = ledger
    const stored = await call(service.url, 'POST /v2/packages', {
      token: admin,
      raw: new Uint8Array(dar({ main: minters })),
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.equal(stored.status, 200, stored.text)
    const told = async () => ({
      history: await ledger.done(bob, 'POST /api/validator/v0/wallet/transactions', {
        page_size: 100,
      }),
      activities: list(
        path(await ledger.done(alice, `POST ${SCAN}/activities`, { page_size: 100 }), 'activities'),
      ),
    })
    const before = await told()

    const forged = { receiver: bob.party, amount: '1000.0', openRoundCid: `00${'ab'.repeat(32)}` }
    for (const [name, argument] of [
      ['CoinRules_Mint', forged],
      ['CoinRules_Transfer', {}],
      ['WalletAppInstall_ExecuteBatch', {}],
    ] as const) {
      const made = await ledger.show(alice, create(TEMPLATE, { owner: alice.party }))
      await ledger.submit(alice, exercise(TEMPLATE, createdId(made), name, argument))
    }
    assert.deepEqual(await told(), before)

    const operator = await service.token('operator')
    await eventuallyHolds('the rounds of the choices are added up', async () => {
      await call(service.url, 'POST /api/validator/v0/admin/clock', {
        token: operator,
        body: { advance_microseconds: 600_000_000 },
      })
      return (await call(service.url, `GET ${SCAN}/round-of-latest-data`)).status === 200
    })
  })
