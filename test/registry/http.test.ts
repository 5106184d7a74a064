// Token transfers, preapprovals, delegations, the development fund and the registry of a running
// service, over HTTP: what goes through, who may, and which malformed requests the documents refuse
// before anything happens.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const HOUR_MICROS = 3_600_000_000

for (const storage of storesFor('registry')) {
  describe(`tokens over HTTP on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    const run = (text: string) => world.run(text)
    const answered: Scripts['answered'] = (...asked) => world.answered(...asked)
    const wholeCoins = async (user: string): Promise<number> => {
      await run(`balance = ${user} GET wallet/balance`)
      return Number(answered('balance', 'effective_unlocked_qty'))
    }

    before(async () => {
      const config = {
        storage: await storage.section(),
        validator: { pollMs: 100 },
        automations: { merging: false },
      }
      service = await startService({ config, seeded: true })
      const validator = '/api/validator/v0'
      const places = {
        wallet: `${validator}/wallet`,
        transfers: `${validator}/wallet/token-standard/transfers`,
        admin: `${validator}/admin`,
        registry: '/registry',
      }
      world = await scriptsOf(service, places, 'operator', 'alice', 'bob')
      for (const user of ['alice', 'bob']) {
        await run(`status = ${user} GET wallet/user-status`)
        world.known.set(user, answered('status', 'party_id'))
      }
      // A repeated request is the same one, to its last member.
      world.known.set('soon', Date.now() * 1000 + HOUR_MICROS)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    const offer = 'receiver_party_id: $bob, description: lunch, expires_at: $soon'

    test('an offer is found by its receiver and accepted', async () => {
      const [alices, bobs] = [await wholeCoins('alice'), await wholeCoins('bob')]
      const id = '$made.output.transfer_instruction_cid'
      const context = `registry/transfer-instruction/v1/{id=${id}}/choice-contexts/accept`
      const values = 'choiceContextData.values'
      await run(`
        made = alice POST transfers {${offer}, amount: '12.5', tracking_id: h1}
        alice POST transfers {${offer}, amount: '12.5', tracking_id: h1} == $made
        bob GET transfers
          => {transfers.0.contract_id: ${id}, transfers.0.payload.transfer.receiver: $bob}
        anybody POST ${context} {} => {${values}.expire-lock.value: true}
        withMeta = anybody POST ${context}
          {meta: {example.org/order: A7, expire-lock: 'no'}}
          => {${values}.expire-lock: {tag: AV_Bool, value: true}}
      `)
      assert.deepEqual(answered('withMeta', 'choiceContextData', 'values', 'example.org/order'), {
        tag: 'AV_Text',
        value: 'A7',
      })
      await run(`
        tooMuch = 400 anybody POST ${context} {meta: {example.org/order: ${'x'.repeat(5_000)}}}
        bob POST transfers/{id=${id}}/accept
        404 bob POST transfers/{id=${id}}/reject
      `)
      assert.match(String(answered('tooMuch', 'error')), /^meta: /)
      assert.deepEqual(
        [await wholeCoins('alice'), await wholeCoins('bob')],
        [alices - 12.5, bobs + 12.5],
      )
    })

    test('a preapproval makes it direct', async () => {
      const bobs = await wholeCoins('bob')
      const sending = "{receiver_party_id: $bob, amount: '5', deduplication_id: h2}"
      const preapproval = 'admin/transfer-preapprovals/by-party/{party=$bob}'
      await run(`
        made = bob POST wallet/transfer-preapproval
        409 bob POST wallet/transfer-preapproval == $made
        alice POST wallet/transfer-preapproval/send ${sending}
        alice POST wallet/transfer-preapproval/send ${sending}
        alice POST transfers {${offer}, tracking_id: h3, amount: '1'}
          => {output.receiver_holding_cids.length: 1}
        operator GET ${preapproval} => {transfer_preapproval.contract.contract_id:
          $made.transfer_preapproval_contract_id}
        operator GET admin/transfer-preapprovals => {contracts.length: 1}
        403 alice DELETE ${preapproval}
        401 anybody DELETE ${preapproval}
        operator DELETE ${preapproval}
        404 operator GET ${preapproval}
      `)
      assert.equal(await wholeCoins('bob'), bobs + 6)
    })

    test('the registry is open to anybody', () =>
      run(`
        info = anybody GET registry/metadata/v1/info
        anybody GET registry/metadata/v1/instruments => {instruments.0.id: Coin}
        404 anybody GET registry/metadata/v1/instruments/None
        400 anybody GET registry/metadata/v1/instruments?pageToken=zzz
        anybody POST registry/transfer-instruction/v1/transfer-factory {choiceArguments: {
          expectedAdmin: $info.adminId,
          transfer: {sender: $alice, receiver: $alice, amount: '1',
            instrumentId: {admin: $info.adminId, id: Coin},
            requestedAt: '2030-01-01T00:00:00Z', executeBefore: '2030-01-01T01:00:00Z',
            inputHoldingCids: [], meta: {values: {}}},
          extraArgs: {context: {values: {}}, meta: {values: {}}}}}
          => {transferKind: self}
        400 anybody POST registry/transfer-instruction/v1/transfer-factory {choiceArguments: {}}
        404 anybody POST registry/allocation-instruction/v2/00ab/choice-contexts/accept {}
      `))

    test('delegations and the development fund answer their wallet users', async () => {
      const allocation = "{beneficiary: $bob, amount: '1', expiresAt: $soon, reason: r}"
      await run(`
        alice GET wallet/minting-delegation-proposals?limit=1 == {proposals: []}
        alice GET wallet/minting-delegations?after=17 == {delegations: []}
        alice POST wallet/merge-delegation/propose
        409 alice POST wallet/merge-delegation/propose
        merging = alice GET wallet/merge-delegation
        alice POST wallet/merge-delegation/withdraw
        alice GET wallet/development-fund-coupons == {active_development_fund_coupons: []}
        alice GET wallet/development-fund-coupons/history?limit=5
          == {development_fund_coupon_history: []}
        400 alice POST wallet/development-fund-coupons/allocate ${allocation}
        400 operator POST wallet/development-fund-coupons/allocate ${allocation}
      `)
      assert.ok(answered('merging', 'proposal'))
    })
  })
}
