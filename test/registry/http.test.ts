// Token transfers, preapprovals, delegations, the development fund and the registry of a running
// service, over HTTP: what goes through, who may, and which malformed requests the documents refuse
// before anything happens.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const HOUR_MICROS = 3_600_000_000
const WALLET = '/api/validator/v0/wallet'
const ADMIN = '/api/validator/v0/admin'
const STANDARD = `${WALLET}/token-standard/transfers`

for (const storage of storesFor('registry')) {
  describe(`tokens over HTTP on ${storage.name}`, () => {
    let service: Service
    const tokens = new Map<string, string>()
    const parties = new Map<string, string>()

    before(async () => {
      const config = {
        storage: await storage.section(),
        validator: { pollMs: 100 },
        automations: { merging: false },
      }
      service = await startService({ config, seeded: true })
      for (const user of ['operator', 'alice', 'bob']) {
        tokens.set(user, await service.token(user))
        parties.set(
          user,
          String(member((await as(user, `GET ${WALLET}/user-status`)).json, 'party_id')),
        )
      }
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    const as = (user: string, request: string, options: CallOptions = {}): Promise<Answer> =>
      call(service.url, request, { token: tokens.get(user) ?? '', ...options })
    const partyOf = (user: string): string => parties.get(user) ?? ''
    const wholeCoins = async (user: string): Promise<number> =>
      Number(member((await as(user, `GET ${WALLET}/balance`)).json, 'effective_unlocked_qty'))
    // A repeated request is the same one, to its last member.
    const inAnHour = Date.now() * 1000 + HOUR_MICROS
    const transfer = (change: object = {}, user = 'alice'): Promise<Answer> =>
      as(user, `POST ${STANDARD}`, {
        body: {
          receiver_party_id: partyOf('bob'),
          amount: '12.5',
          description: 'lunch',
          expires_at: inAnHour,
          tracking_id: 'h1',
          ...change,
        },
      })

    test('an offer is found by its receiver and accepted', async () => {
      const [alices, bobs] = [await wholeCoins('alice'), await wholeCoins('bob')]
      const created = await transfer()
      assert.equal(created.status, 200, created.text)
      assert.deepEqual((await transfer()).json, created.json)
      const cid = String(member(member(created.json, 'output'), 'transfer_instruction_cid'))
      const [listed] = [member((await as('bob', `GET ${STANDARD}`)).json, 'transfers')].flat()
      assert.equal(member(listed, 'contract_id'), cid)
      assert.equal(
        member(member(member(listed, 'payload'), 'transfer'), 'receiver'),
        partyOf('bob'),
      )
      const context = await call(
        service.url,
        `POST /registry/transfer-instruction/v1/${cid}/choice-contexts/accept`,
        { body: {} },
      )
      assert.equal(context.status, 200, context.text)
      assert.equal(
        member(
          member(member(member(context.json, 'choiceContextData'), 'values'), 'expire-lock'),
          'value',
        ),
        true,
      )
      const withMeta = await call(
        service.url,
        `POST /registry/transfer-instruction/v1/${cid}/choice-contexts/accept`,
        { body: { meta: { 'example.org/order': 'A7', 'expire-lock': 'no' } } },
      )
      const values = member(member(withMeta.json, 'choiceContextData'), 'values')
      assert.deepEqual(member(values, 'example.org/order'), { tag: 'AV_Text', value: 'A7' })
      assert.deepEqual(member(values, 'expire-lock'), { tag: 'AV_Bool', value: true })
      const tooMuch = await call(
        service.url,
        `POST /registry/transfer-instruction/v1/${cid}/choice-contexts/accept`,
        { body: { meta: { 'example.org/order': 'x'.repeat(5_000) } } },
      )
      assert.deepEqual([tooMuch.status, /^\{"error":"meta: /.test(tooMuch.text)], [400, true])
      const accepted = await as('bob', `POST ${STANDARD}/${cid}/accept`)
      assert.equal(accepted.status, 200, accepted.text)
      assert.equal((await as('bob', `POST ${STANDARD}/${cid}/reject`)).status, 404)
      assert.deepEqual(
        [await wholeCoins('alice'), await wholeCoins('bob')],
        [alices - 12.5, bobs + 12.5],
      )
    })

    test('a preapproval makes it direct', async () => {
      const made = await as('bob', `POST ${WALLET}/transfer-preapproval`)
      assert.equal(made.status, 200, made.text)
      const again = await as('bob', `POST ${WALLET}/transfer-preapproval`)
      assert.equal(again.status, 409)
      assert.deepEqual(again.json, made.json)
      const bobs = await wholeCoins('bob')
      const body = { receiver_party_id: partyOf('bob'), amount: '5', deduplication_id: 'h2' }
      for (let count = 0; count < 2; count++) {
        const sent = await as('alice', `POST ${WALLET}/transfer-preapproval/send`, { body })
        assert.equal(sent.status, 200, sent.text)
      }
      const standard = await transfer({ tracking_id: 'h3', amount: '1' })
      assert.equal(
        [member(member(standard.json, 'output'), 'receiver_holding_cids')].flat().length,
        1,
        standard.text,
      )
      assert.equal(await wholeCoins('bob'), bobs + 6)
      const path = `${ADMIN}/transfer-preapprovals/by-party/${encodeURIComponent(partyOf('bob'))}`
      const found = await as('operator', `GET ${path}`)
      assert.equal(
        member(member(member(found.json, 'transfer_preapproval'), 'contract'), 'contract_id'),
        member(made.json, 'transfer_preapproval_contract_id'),
      )
      assert.equal(
        [
          member((await as('operator', `GET ${ADMIN}/transfer-preapprovals`)).json, 'contracts'),
        ].flat().length,
        1,
      )
      assert.deepEqual(
        [
          (await as('alice', `DELETE ${path}`)).status,
          (await call(service.url, `DELETE ${path}`)).status,
        ],
        [403, 401],
      )
      assert.deepEqual(
        [
          (await as('operator', `DELETE ${path}`)).status,
          (await as('operator', `GET ${path}`)).status,
        ],
        [200, 404],
      )
    })

    test('the registry is open to anybody', async () => {
      const info = await call(service.url, 'GET /registry/metadata/v1/info')
      const adminId = String(member(info.json, 'adminId'))
      const all = await call(service.url, 'GET /registry/metadata/v1/instruments')
      assert.equal(member([member(all.json, 'instruments')].flat()[0], 'id'), 'Coin')
      assert.equal(
        (await call(service.url, 'GET /registry/metadata/v1/instruments/None')).status,
        404,
      )
      assert.equal(
        (await call(service.url, 'GET /registry/metadata/v1/instruments?pageToken=zzz')).status,
        400,
      )
      const choiceArguments = {
        expectedAdmin: adminId,
        transfer: {
          sender: partyOf('alice'),
          receiver: partyOf('alice'),
          amount: '1',
          instrumentId: { admin: adminId, id: 'Coin' },
          requestedAt: '2030-01-01T00:00:00Z',
          executeBefore: '2030-01-01T01:00:00Z',
          inputHoldingCids: [],
          meta: { values: {} },
        },
        extraArgs: { context: { values: {} }, meta: { values: {} } },
      }
      const factory = (body: object) =>
        call(service.url, 'POST /registry/transfer-instruction/v1/transfer-factory', { body })
      assert.equal(member((await factory({ choiceArguments })).json, 'transferKind'), 'self')
      assert.equal((await factory({ choiceArguments: {} })).status, 400)
      const accept = 'POST /registry/allocation-instruction/v2/00ab/choice-contexts/accept'
      assert.equal((await call(service.url, accept, { body: {} })).status, 404)
    })

    test('delegations and the development fund answer their wallet users', async () => {
      assert.deepEqual(
        (await as('alice', `GET ${WALLET}/minting-delegation-proposals?limit=1`)).json,
        { proposals: [] },
      )
      assert.deepEqual((await as('alice', `GET ${WALLET}/minting-delegations?after=17`)).json, {
        delegations: [],
      })
      assert.equal((await as('alice', `POST ${WALLET}/merge-delegation/propose`)).status, 200)
      assert.equal((await as('alice', `POST ${WALLET}/merge-delegation/propose`)).status, 409)
      assert.ok(member((await as('alice', `GET ${WALLET}/merge-delegation`)).json, 'proposal'))
      assert.equal((await as('alice', `POST ${WALLET}/merge-delegation/withdraw`)).status, 200)
      assert.deepEqual((await as('alice', `GET ${WALLET}/development-fund-coupons`)).json, {
        active_development_fund_coupons: [],
      })
      assert.deepEqual(
        (await as('alice', `GET ${WALLET}/development-fund-coupons/history?limit=5`)).json,
        { development_fund_coupon_history: [] },
      )
      const body = {
        beneficiary: partyOf('bob'),
        amount: '1',
        expiresAt: Date.now() * 1000 + HOUR_MICROS,
        reason: 'r',
      }
      for (const user of ['alice', 'operator']) {
        assert.equal(
          (await as(user, `POST ${WALLET}/development-fund-coupons/allocate`, { body })).status,
          400,
          user,
        )
      }
    })
  })
}
