// The wallet's and the operator's endpoints as clients use them: the real service, good requests
// and bad ones. docs/economy-rules.md, "Wallet answers"; spec/validator.yaml;
// docs/external-parties.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const BASE = '/api/validator'
const SOON_MICROS = 600_000_000

let service: Service
const tokens = new Map<string, string>()
const parties = new Map<string, string>()

async function request(user: string, line: string, body?: unknown): Promise<Answer> {
  const token = tokens.get(user)
  const options = {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  }
  return call(service.url, line.replace(' ', ` ${BASE}`), options)
}

function party(user: string): string {
  return parties.get(user) ?? user
}

const inMicros = (micros: number) => Date.now() * 1000 + micros

let trackingIds = 0
function offerTo(user: string, some: object = {}): object {
  trackingIds += 1
  return {
    receiver_party_id: party(user),
    amount: '1.5',
    description: 'x',
    expires_at: inMicros(SOON_MICROS),
    tracking_id: `id-${trackingIds}`,
    ...some,
  }
}

async function newOffer(some: object = {}): Promise<string> {
  const answer = await request('alice', 'POST /v0/wallet/transfer-offers', offerTo('bob', some))
  assert.equal(answer.status, 200, answer.text)
  return String(member(answer.json, 'offer_contract_id'))
}

/** The status that a tracking id comes to. */
async function statusOf(
  user: string,
  kind: 'transfer-offers' | 'buy-traffic-requests',
  id: string,
  until: string,
): Promise<unknown> {
  return retried(async () => {
    const { json, text } = await request(user, `POST /v0/wallet/${kind}/${id}/status`)
    assert.equal(member(json, 'status'), until, text)
    return json
  })
}

async function refuses(answer: Answer, ...statuses: readonly number[]): Promise<void> {
  assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text}`)
  assert.equal(typeof member(answer.json, 'error'), 'string', answer.text)
}

async function unlocked(user: string): Promise<string> {
  return String(
    member((await request(user, 'GET /v0/wallet/balance')).json, 'effective_unlocked_qty'),
  )
}

const BAD_AMOUNTS = ['0', '-1', '0.00000000001', '1'.repeat(29), 'one', '', '1e3', ' 1']

/**
 * An offer for a moment; a longer one where it was over before the request arrived. Its id, and
 * when it runs out.
 */
async function briefOffer(micros = 300_000): Promise<readonly [id: string, expiresAt: number]> {
  const expires_at = inMicros(micros)
  const answer = await request(
    'alice',
    'POST /v0/wallet/transfer-offers',
    offerTo('bob', { tracking_id: 'brief', expires_at }),
  )
  if (answer.status === 200) return [String(member(answer.json, 'offer_contract_id')), expires_at]
  assert.ok(answer.status === 400 && inMicros(0) > expires_at, answer.text)
  return briefOffer(2 * micros)
}

async function buyTraffic(user: string, some: object = {}): Promise<Answer> {
  trackingIds += 1
  const { json } = await call(service.url, 'GET /v2/state/connected-synchronizers', {
    token: tokens.get('operator') ?? '',
  })
  const [connected] = Array.from(Object(member(json, 'connectedSynchronizers')))
  return request(user, 'POST /v0/wallet/buy-traffic-requests', {
    receiving_validator_party_id: party('operator'),
    domain_id: String(member(connected, 'synchronizerId')),
    traffic_amount: 200_000,
    tracking_id: `traffic-${trackingIds}`,
    expires_at: inMicros(SOON_MICROS),
    ...some,
  })
}

const COUPONS = {
  'app-reward-coupons': 'app_reward_coupons',
  'validator-reward-coupons': 'validator_reward_coupons',
  'validator-faucet-coupons': 'validator_faucet_coupons',
  'sv-reward-coupons': 'sv_reward_coupons',
  'validator-liveness-activity-records': 'validator_liveness_activity_records',
}

for (const storage of storesFor('wallet')) {
  describe(`the wallet over HTTP on ${storage.name}`, () => {
    before(async () => {
      service = await startService({ config: { storage: await storage.section() }, seeded: true })
      for (const user of ['operator', 'alice', 'bob', 'carol', 'newcomer'])
        tokens.set(user, await service.token(user))
      await request('operator', 'POST /v0/admin/users', { name: 'carol' })
      for (const user of ['operator', 'alice', 'bob', 'carol']) {
        parties.set(
          user,
          String(member((await request(user, 'GET /v0/wallet/user-status')).json, 'party_id')),
        )
      }
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('an offer is accepted and completed; statuses, lists and history show it', async () => {
      const [alice, bob] = [await unlocked('alice'), await unlocked('bob')]
      const id = await newOffer({ tracking_id: 'whole', amount: '2.25' })
      assert.equal(
        member(await statusOf('alice', 'transfer-offers', 'whole', 'created'), 'contract_id'),
        id,
      )
      for (const user of ['alice', 'bob']) {
        const offers = member(
          (await request(user, 'GET /v0/wallet/transfer-offers')).json,
          'offers',
        )
        assert.ok(
          Array.isArray(offers) && offers.some((offer) => member(offer, 'contract_id') === id),
          user,
        )
      }
      const accepted = await request('bob', `POST /v0/wallet/transfer-offers/${id}/accept`)
      assert.equal(accepted.status, 200, accepted.text)
      await statusOf('alice', 'transfer-offers', 'whole', 'completed')
      assert.equal(Number(await unlocked('alice')), Number(alice) - 2.25)
      assert.equal(Number(await unlocked('bob')), Number(bob) + 2.25)
      const history = await request('bob', 'POST /v0/wallet/transactions', { page_size: 1 })
      const [entry] = Array.from(Object(member(history.json, 'items')))
      assert.equal(member(entry, 'transaction_type'), 'transfer')
      assert.deepEqual(member(entry, 'receivers'), [
        { party: party('bob'), amount: '2.2500000000' },
      ])
      const next = await request('bob', 'POST /v0/wallet/transactions', {
        page_size: 1,
        begin_after_id: member(entry, 'event_id'),
      })
      assert.equal(Array.from(Object(member(next.json, 'items'))).length, 1)
    })

    test('offers are rejected and withdrawn in both forms of the path, once', async () => {
      const endings = [
        ['bob', 'reject', 'rejected', (id: string) => ({ contract_id: id })],
        ['alice', 'withdraw', 'withdrawn', (id: string) => ({ contract_id: { contract_id: id } })],
      ] as const
      for (const [user, verb, kind, body] of endings) {
        const byPath = await newOffer({ tracking_id: `${verb}-path` })
        const byBody = await newOffer({ tracking_id: `${verb}-body` })
        assert.equal(
          (await request(user, `POST /v0/wallet/transfer-offers/${byPath}/${verb}`)).status,
          200,
        )
        assert.equal(
          (await request(user, `POST /v0/wallet/transfer-offers/${verb}`, body(byBody))).status,
          200,
        )
        await refuses(await request(user, `POST /v0/wallet/transfer-offers/${byPath}/${verb}`), 404)
        const ended = await statusOf('alice', 'transfer-offers', `${verb}-path`, 'failed')
        assert.equal(member(ended, 'failure_kind'), kind)
      }
    })

    test('accepted offers that wait are listed; by body as well', async () => {
      const id = await newOffer({ amount: '9999999', tracking_id: 'dear' })
      assert.equal(
        (await request('bob', 'POST /v0/wallet/transfer-offers/accept', { contract_id: id }))
          .status,
        200,
      )
      const failed = await statusOf('alice', 'transfer-offers', 'dear', 'failed')
      const reason = String(member(failed, 'withdrawn_reason'))
      assert.match(reason, /^out of funds \(missing \d+\.\d{10} CC\)$/)
      const history = await request('alice', 'POST /v0/wallet/transactions', { page_size: 1 })
      const [notice] = Array.from(Object(member(history.json, 'items')))
      assert.deepEqual(
        [member(notice, 'transaction_type'), member(notice, 'details')],
        ['notification', `direct transfer failed: ${reason}`],
      )
      assert.deepEqual((await request('bob', 'GET /v0/wallet/accepted-transfer-offers')).json, {
        accepted_offers: [],
      })
    })

    test('bad offers are refused with 400 and use no tracking id', async () => {
      const before = await unlocked('alice')
      const bad: object[] = [
        ...BAD_AMOUNTS.map((amount) => ({ amount })),
        { amount: 5 },
        { expires_at: inMicros(-1_000_000) },
        { expires_at: 9_223_372_036_854_775_000 },
        { expires_at: 'soon' },
        { receiver_party_id: 'nobody::1220' },
        { receiver_party_id: '' },
        { description: 'd'.repeat(280) },
        { tracking_id: '' },
        { tracking_id: 't'.repeat(280) },
        { description: 'a\0b' },
        { description: '\ud800' },
        { receiver_party_id: 'a\0' },
      ]
      for (const some of bad) {
        await refuses(
          await request(
            'alice',
            'POST /v0/wallet/transfer-offers',
            offerTo('bob', { tracking_id: 'never', ...some }),
          ),
          400,
        )
      }
      await refuses(await request('alice', 'POST /v0/wallet/transfer-offers/never/status'), 404)
      assert.equal(await unlocked('alice'), before)
    })

    test('what is not there, not hers or not an id is 404 for whoever asks', async () => {
      const id = await newOffer()
      const ids = [
        '00',
        'ff'.repeat(49),
        'zz',
        '%00',
        'a'.repeat(2_000),
        '..%2f..',
        `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`,
      ]
      for (const forged of ids) {
        for (const verb of ['accept', 'reject', 'withdraw']) {
          await refuses(
            await request('bob', `POST /v0/wallet/transfer-offers/${forged}/${verb}`),
            404,
          )
        }
      }
      for (const verb of ['accept', 'reject', 'withdraw'])
        await refuses(await request('carol', `POST /v0/wallet/transfer-offers/${id}/${verb}`), 404)
      await refuses(await request('alice', `POST /v0/wallet/transfer-offers/${id}/accept`), 400)
      await refuses(await request('bob', `POST /v0/wallet/transfer-offers/${id}/withdraw`), 400)
      const coins = member((await request('bob', 'GET /v0/wallet/coins')).json, 'coins')
      const coinId = String(
        member(member(member(Array.from(Object(coins))[0], 'contract'), 'contract'), 'contract_id'),
      )
      await refuses(await request('bob', `POST /v0/wallet/transfer-offers/${coinId}/accept`), 404)
    })

    test('one tracking id of many requests at once makes one offer', async () => {
      const body = offerTo('bob', { tracking_id: 'raced' })
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => request('alice', 'POST /v0/wallet/transfer-offers', body)),
      )
      const made = answers.filter(({ status }) => status === 200)
      assert.equal(new Set(made.map(({ text }) => text)).size, 1)
      for (const answer of answers.filter(({ status }) => status !== 200))
        await refuses(answer, 429)
      assert.equal(
        (await request('alice', 'POST /v0/wallet/transfer-offers', body)).text,
        made[0]?.text,
      )
      await refuses(
        await request('alice', 'POST /v0/wallet/transfer-offers', { ...body, amount: '1.6' }),
        409,
      )
    })

    test('an offer that runs out cannot be accepted, and is expired', async () => {
      const [id, expiresAt] = await briefOffer()
      while (inMicros(0) <= expiresAt) await new Promise((resolve) => setTimeout(resolve, 50))
      await refuses(await request('bob', `POST /v0/wallet/transfer-offers/${id}/accept`), 404, 409)
      assert.equal(
        member(await statusOf('alice', 'transfer-offers', 'brief', 'failed'), 'failure_kind'),
        'expired',
      )
    })

    test('traffic is bought by request; what cannot be is refused or says why', async () => {
      const asked = await buyTraffic('alice', { tracking_id: 'bytes' })
      assert.equal(asked.status, 200, asked.text)
      assert.ok(
        member(
          await statusOf('alice', 'buy-traffic-requests', 'bytes', 'completed'),
          'transaction_id',
        ),
      )
      await refuses(await buyTraffic('alice', { tracking_id: 'bytes' }), 409)
      await refuses(await request('bob', 'POST /v0/wallet/buy-traffic-requests/bytes/status'), 404)
      for (const traffic_amount of [0, -1])
        await refuses(await buyTraffic('alice', { traffic_amount }), 400)
      await refuses(
        await buyTraffic('alice', { receiving_validator_party_id: 'nobody::1220' }),
        400,
      )
      await refuses(await buyTraffic('alice', { expires_at: inMicros(-1) }), 400)
      for (const [tracking_id, some, reason] of [
        ['few', { traffic_amount: 1 }, /^not enough traffic requested \(trafficAmount 1 < min/],
        ['elsewhere', { domain_id: 'elsewhere::1220' }, /^unknown domainId elsewhere::1220$/],
        ['dear', { traffic_amount: 1e12 }, /^out of funds \(missing \d+\.\d{10} CC\)$/],
      ] as const) {
        assert.equal((await buyTraffic('alice', { tracking_id, ...some })).status, 200)
        const failed = await statusOf('alice', 'buy-traffic-requests', tracking_id, 'failed')
        assert.match(String(member(failed, 'rejection_reason')), reason)
      }
    })

    test("balance, holdings and the operator's view agree", async () => {
      const { json } = await request('carol', 'GET /v0/wallet/balance')
      assert.equal(member(json, 'effective_unlocked_qty'), '0.0000000000')
      assert.equal((await request('carol', 'POST /v0/wallet/tap', { amount: '1' })).status, 200)
      const { json: held } = await request('carol', 'GET /v0/wallet/coins')
      const [position] = Array.from(Object(member(held, 'coins')))
      assert.equal(member(position, 'effective_amount'), '200.0000000000')
      assert.ok(member(member(position, 'contract'), 'domain_id'))
      const external = await request(
        'operator',
        `GET /v0/admin/external-party/balance?party_id=${encodeURIComponent(party('carol'))}`,
      )
      assert.equal(member(external.json, 'total_unlocked_coin'), '200.0000000000', external.text)
      assert.equal(member(external.json, 'total_available_coin'), '200.0000000000')
      for (const unknown of ['nobody::1220', '%00', '%ED%A0%80']) {
        await refuses(
          await request('operator', `GET /v0/admin/external-party/balance?party_id=${unknown}`),
          400,
          404,
        )
      }
      await refuses(
        await request(
          'alice',
          `GET /v0/admin/external-party/balance?party_id=${encodeURIComponent(party('carol'))}`,
        ),
        403,
      )
    })

    test('a tap answers the same coin for the same command id, and refuses bad amounts', async () => {
      const first = await request('carol', 'POST /v0/wallet/tap', {
        amount: '0.5',
        command_id: 'once',
      })
      assert.equal(first.status, 200, first.text)
      assert.deepEqual(
        (await request('carol', 'POST /v0/wallet/tap', { amount: '0.5', command_id: 'once' })).json,
        first.json,
      )
      for (const amount of BAD_AMOUNTS)
        await refuses(await request('carol', 'POST /v0/wallet/tap', { amount }), 400)
      for (const amount of ['9'.repeat(28), '500001'])
        await refuses(await request('carol', 'POST /v0/wallet/tap', { amount }), 400, 409)
    })

    test('coupons are listed, each kind under its own name', async () => {
      for (const [path, key] of Object.entries(COUPONS)) {
        assert.ok(
          Array.isArray(member((await request('alice', `GET /v0/wallet/${path}`)).json, key)),
          path,
        )
      }
      const earned = member(
        (await request('operator', 'GET /v0/wallet/validator-reward-coupons')).json,
        'validator_reward_coupons',
      )
      const users = Array.from<unknown>(Object(earned)).map((coupon) =>
        String(member(member(coupon, 'payload'), 'user')).replace(/::.*/u, ''),
      )
      assert.equal(users.filter((user) => user === 'alice').length, 1, 'of the traffic she bought')
    })

    test("featured rights, features and the validator's user", async () => {
      const granted = await request('carol', 'POST /v0/wallet/self-grant-feature-app-right', {})
      assert.equal(granted.status, 200, granted.text)
      const again = await request('carol', 'POST /v0/wallet/self-grant-feature-app-right', {})
      assert.deepEqual(again.json, granted.json)
      assert.equal(
        member(
          (await request('carol', 'GET /v0/wallet/user-status')).json,
          'has_featured_app_right',
        ),
        true,
      )
      assert.equal(
        (await request('carol', 'DELETE /v0/wallet/cancel-featured-app-rights')).status,
        200,
      )
      assert.equal(
        member(
          (await request('carol', 'GET /v0/wallet/user-status')).json,
          'has_featured_app_right',
        ),
        false,
      )
      assert.deepEqual((await request('carol', 'GET /v0/feature-support')).json, {
        token_standard: true,
        transfer_preapproval_description: true,
      })
      const { json } = await call(service.url, `GET ${BASE}/v0/validator-user`)
      assert.deepEqual(json, { party_id: party('operator'), user_name: 'operator', featured: true })
    })

    test('a newcomer has no wallet, registers, and has one; offboarded, the wallet is gone', async () => {
      const blank = {
        party_id: '',
        user_onboarded: false,
        user_wallet_installed: false,
        has_featured_app_right: false,
      }
      assert.deepEqual((await request('newcomer', 'GET /v0/wallet/user-status')).json, blank)
      await refuses(await request('newcomer', 'GET /v0/wallet/balance'), 403, 404)
      const registered = await request('newcomer', 'POST /v0/register')
      assert.equal(registered.status, 200, registered.text)
      assert.deepEqual((await request('newcomer', 'POST /v0/register', {})).json, registered.json)
      assert.equal((await request('newcomer', 'GET /v0/wallet/balance')).status, 200)
      assert.ok(
        Array.from(
          Object(member((await request('operator', 'GET /v0/admin/users')).json, 'usernames')),
        ).includes('newcomer'),
      )
      assert.equal(
        (await request('operator', 'POST /v0/admin/users/offboard?username=newcomer')).status,
        200,
      )
      await refuses(
        await request('operator', 'POST /v0/admin/users/offboard?username=newcomer'),
        404,
      )
      await refuses(
        await request('operator', 'POST /v0/admin/users/offboard?username=operator'),
        400,
      )
      await refuses(await request('newcomer', 'GET /v0/wallet/balance'), 403, 404)
    })

    test('onboarding refuses what is no user, and a party that nobody knows', async () => {
      for (const body of [
        { name: '' },
        { name: 'a b' },
        { name: 'dave', party_id: 'nobody::1220' },
        { name: 'dave', party_id: '' },
      ]) {
        await refuses(await request('operator', 'POST /v0/admin/users', body), 400, 404)
      }
      await refuses(await request('alice', 'POST /v0/admin/users', { name: 'dave' }), 403)
    })

    test('who has no wallet gets 404 from its operations, whether the ledger knows the user or not', async () => {
      for (const user of ['stranger', 'participant_admin']) {
        tokens.set(`${user} without`, await service.token(user))
        const refused = async (line: string, body?: object) => {
          const { status, json } = await request(`${user} without`, line, body)
          assert.deepEqual([status, json], [404, { error: `No wallet found for user ${user}` }])
        }
        const reads = ['balance', 'coins', 'transfer-offers', 'accepted-transfer-offers']
        for (const path of [...reads, ...Object.keys(COUPONS)])
          await refused(`GET /v0/wallet/${path}`)
        await refused('POST /v0/wallet/transfer-offers', offerTo('bob'))
        await refused('POST /v0/wallet/transactions', { page_size: 1 })
        await refused('POST /v0/wallet/tap', { amount: '1' })
      }
    })

    test('pages of history: sizes that are none are refused, an unknown place is the end', async () => {
      for (const page_size of [0, -1, 1001, '1'])
        await refuses(await request('alice', 'POST /v0/wallet/transactions', { page_size }), 400)
      for (const begin_after_id of ['nothing', '\0', 'ab:1', 'x'.repeat(3_000)]) {
        assert.deepEqual(
          (await request('alice', 'POST /v0/wallet/transactions', { page_size: 5, begin_after_id }))
            .json,
          { items: [] },
        )
      }
    })
  })
}
