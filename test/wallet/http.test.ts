// The wallet's and the operator's endpoints as clients use them: the real service, good requests
// and bad ones. docs/economy-rules.md, "Wallet answers"; spec/validator.yaml;
// docs/external-parties.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storesFor } from '../support/storages.ts'
import { startService } from '../support/service.ts'
import { httpSender, scripts } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import type { Service } from '../support/service.ts'
import { list, path } from '../interfaces/ledger-kit.ts'

const BAD_AMOUNTS = ['0', '-1', '0.00000000001', '1'.repeat(29), 'one', '', '1e3', ' 1']
const COUPONS = [
  'app-reward-coupons',
  'validator-reward-coupons',
  'validator-faucet-coupons',
  'sv-reward-coupons',
  'validator-liveness-activity-records',
]
/** An offer of alice to bob, before what differs. */
const OFFER = "receiver_party_id: $bob, amount: '1.5', description: x, expires_at: $soon"

const inMicros = (micros: number) => Date.now() * 1000 + micros

for (const storage of storesFor('wallet')) {
  describe(`the wallet over HTTP on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    const tokens = new Map<string, string>()
    const run = (text: string) => world.run(text)
    const answered = (name: string, ...members: readonly string[]) =>
      world.answered(name, ...members)
    const unlocked = async (user: string): Promise<number> => {
      await run(`balance = ${user} GET wallet/balance`)
      return Number(answered('balance', 'effective_unlocked_qty'))
    }

    before(async () => {
      service = await startService({ config: { storage: await storage.section() }, seeded: true })
      for (const user of ['operator', 'alice', 'bob', 'carol', 'newcomer'])
        tokens.set(user, await service.token(user))
      world = scripts({
        send: httpSender(service.url, tokens),
        places: {
          v0: '/api/validator/v0',
          wallet: '/api/validator/v0/wallet',
          offers: '/api/validator/v0/wallet/transfer-offers',
          traffic: '/api/validator/v0/wallet/buy-traffic-requests',
          admin: '/api/validator/v0/admin',
        },
      })
      world.known.set('soon', inMicros(600_000_000))
      await run('operator POST admin/users {name: carol}')
      for (const user of ['operator', 'alice', 'bob', 'carol']) {
        await run(`status = ${user} GET wallet/user-status`)
        world.known.set(user, answered('status', 'party_id'))
      }
      await run('connected = operator GET /v2/state/connected-synchronizers')
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('an offer is accepted and completed; statuses, lists and history show it', async () => {
      const [alice, bob] = [await unlocked('alice'), await unlocked('bob')]
      await run(`
        made = alice POST offers {${OFFER}, tracking_id: whole, amount: '2.25'}
        until alice POST offers/whole/status
          => {status: created, contract_id: $made.offer_contract_id}
        alices = alice GET offers
        bobs = bob GET offers
        bob POST offers/{contract_id=$made.offer_contract_id}/accept
        until alice POST offers/whole/status => {status: completed}
        history = bob POST wallet/transactions {page_size: 1}
        next = bob POST wallet/transactions
          {page_size: 1, begin_after_id: $history.items.0.event_id}
      `)
      const id = answered('made', 'offer_contract_id')
      for (const name of ['alices', 'bobs'])
        assert.ok(
          list(answered(name, 'offers')).some((offer) => path(offer, 'contract_id') === id),
          name,
        )
      assert.equal(await unlocked('alice'), alice - 2.25)
      assert.equal(await unlocked('bob'), bob + 2.25)
      const entry = answered('history', 'items', '0')
      assert.equal(path(entry, 'transaction_type'), 'transfer')
      assert.deepEqual(path(entry, 'receivers'), [
        { party: answered('bob'), amount: '2.2500000000' },
      ])
      assert.equal(list(answered('next', 'items')).length, 1)
    })

    test('offers are rejected and withdrawn in both forms of the path, once', async () => {
      for (const [user, verb, kind, body] of [
        ['bob', 'reject', 'rejected', '$second.offer_contract_id'],
        ['alice', 'withdraw', 'withdrawn', '{contract_id: $second.offer_contract_id}'],
      ])
        await run(`
          first = alice POST offers {${OFFER}, tracking_id: ${verb}-path}
          second = alice POST offers {${OFFER}, tracking_id: ${verb}-body}
          ${user} POST offers/{contract_id=$first.offer_contract_id}/${verb}
          ${user} POST offers/${verb} {contract_id: ${body}}
          404 ${user} POST offers/{contract_id=$first.offer_contract_id}/${verb}
          until alice POST offers/${verb}-path/status => {status: failed, failure_kind: ${kind}}
        `)
    })

    test('accepted offers that wait are listed; by body as well', async () => {
      await run(`
        made = alice POST offers {${OFFER}, amount: '9999999', tracking_id: dear}
        bob POST offers/accept {contract_id: $made.offer_contract_id}
        until failed = alice POST offers/dear/status => {status: failed}
        history = alice POST wallet/transactions {page_size: 1}
        waiting = bob GET wallet/accepted-transfer-offers
      `)
      const reason = String(answered('failed', 'withdrawn_reason'))
      assert.match(reason, /^out of funds \(missing \d+\.\d{10} CC\)$/)
      const notice = answered('history', 'items', '0')
      assert.deepEqual(
        [path(notice, 'transaction_type'), path(notice, 'details')],
        ['notification', `direct transfer failed: ${reason}`],
      )
      assert.deepEqual(answered('waiting'), { accepted_offers: [] })
    })

    test('bad offers are refused with 400 and use no tracking id', async () => {
      const before = await unlocked('alice')
      for (const bad of [
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
      ]) {
        const good = { receiver_party_id: answered('bob'), amount: '1.5', description: 'x' }
        const rest = { expires_at: answered('soon'), tracking_id: 'never' }
        world.known.set('offer', { ...good, ...rest, ...bad })
        await run('400 alice POST offers $offer')
      }
      await run('404 alice POST offers/never/status')
      assert.equal(await unlocked('alice'), before)
    })

    test('what is not there, not hers or not an id is 404 for whoever asks', async () => {
      await run(`
        made = alice POST offers {${OFFER}, tracking_id: theirs}
        coins = bob GET wallet/coins
      `)
      const id = String(answered('made', 'offer_contract_id'))
      const altered = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
      const ids = ['00', 'ff'.repeat(49), 'zz', '%00', 'a'.repeat(2_000), '..%2f..', altered]
      for (const verb of ['accept', 'reject', 'withdraw']) {
        for (const forged of ids) await run(`404 bob POST offers/${forged}/${verb}`)
        await run(`404 carol POST offers/${id}/${verb}`)
      }
      await run(`
        400 alice POST offers/${id}/accept
        400 bob POST offers/${id}/withdraw
        404 bob POST offers/{contract_id=$coins.coins.0.contract.contract.contract_id}/accept
      `)
    })

    test('one tracking id of many requests at once makes one offer', async () => {
      const body = `{${OFFER}, tracking_id: raced}`
      const names = Array.from({ length: 16 }, (_, at) => `raced${at}`)
      await Promise.all(names.map((name) => run(`${name} = 200,429 alice POST offers ${body}`)))
      await run(`
        again = alice POST offers ${body}
        409 alice POST offers {${OFFER}, tracking_id: raced, amount: '1.6'}
      `)
      const made = names.map((name) => answered(name, 'offer_contract_id'))
      assert.deepEqual(
        new Set(made.filter((id) => id !== undefined)),
        new Set([answered('again', 'offer_contract_id')]),
      )
    })

    test('an offer that runs out cannot be accepted, and is expired', async () => {
      // A longer one where it was over before the request arrived.
      for (
        let micros = 300_000;
        answered('brief', 'offer_contract_id') === undefined;
        micros *= 2
      ) {
        const moment = inMicros(micros)
        world.known.set('moment', moment)
        await run(
          `brief = 200,400 alice POST offers {${OFFER}, tracking_id: brief, expires_at: $moment}`,
        )
        if (answered('brief', 'offer_contract_id') === undefined)
          assert.ok(inMicros(0) >= moment, String(answered('brief', 'error')))
      }
      while (inMicros(0) <= Number(answered('moment')))
        await new Promise((resolve) => setTimeout(resolve, 50))
      await run(`
        404,409 bob POST offers/{contract_id=$brief.offer_contract_id}/accept
        until alice POST offers/brief/status => {status: failed, failure_kind: expired}
      `)
    })

    test('traffic is bought by request; what cannot be is refused or says why', async () => {
      const asking = `receiving_validator_party_id: $operator, traffic_amount: 200000,
        domain_id: $connected.connectedSynchronizers.0.synchronizerId, expires_at: $soon`
      world.known.set('past', inMicros(-1))
      await run(`
        alice POST traffic {${asking}, tracking_id: bytes}
        until bought = alice POST traffic/bytes/status => {status: completed}
        409 alice POST traffic {${asking}, tracking_id: bytes, traffic_amount: 200001}
        404 bob POST traffic/bytes/status
        400 alice POST traffic {${asking}, tracking_id: none, traffic_amount: 0}
        400 alice POST traffic {${asking}, tracking_id: none, traffic_amount: -1}
        400 alice POST traffic {${asking}, tracking_id: none, expires_at: $past}
        400 alice POST traffic
          {${asking}, tracking_id: none, receiving_validator_party_id: 'nobody::1220'}
      `)
      assert.ok(answered('bought', 'transaction_id'))
      for (const [id, some, reason] of [
        ['few', 'traffic_amount: 1', /^not enough traffic requested \(trafficAmount 1 < min/],
        ['elsewhere', "domain_id: 'elsewhere::1220'", /^unknown domainId elsewhere::1220$/],
        ['dear', 'traffic_amount: 1000000000000', /^out of funds \(missing \d+\.\d{10} CC\)$/],
      ] as const) {
        await run(`
          alice POST traffic {${asking}, tracking_id: ${id}, ${some}}
          until failed = alice POST traffic/${id}/status => {status: failed}
        `)
        assert.match(String(answered('failed', 'rejection_reason')), reason)
      }
    })

    test("balance, holdings and the operator's view agree", async () => {
      await run(`
        carol GET wallet/balance => {effective_unlocked_qty: '0.0000000000'}
        carol POST wallet/tap {amount: '1'}
        coins = carol GET wallet/coins
        operator GET admin/external-party/balance ?{party_id: $carol}
          => {total_unlocked_coin: '200.0000000000', total_available_coin: '200.0000000000'}
        400,404 operator GET admin/external-party/balance?party_id=nobody::1220
        400,404 operator GET admin/external-party/balance?party_id=%00
        400,404 operator GET admin/external-party/balance?party_id=%ED%A0%80
        403 alice GET admin/external-party/balance ?{party_id: $carol}
      `)
      const position = answered('coins', 'coins', '0')
      assert.equal(path(position, 'effective_amount'), '200.0000000000')
      assert.ok(path(position, 'contract', 'domain_id'))
    })

    test('a tap answers the same coin for the same command id, and refuses bad amounts', async () => {
      await run(`
        first = carol POST wallet/tap {amount: '0.5', command_id: once}
        again = carol POST wallet/tap {amount: '0.5', command_id: once}
        400,409 carol POST wallet/tap {amount: '${'9'.repeat(28)}'}
        400,409 carol POST wallet/tap {amount: '500001'}
      `)
      assert.deepEqual(answered('again'), answered('first'))
      for (const amount of BAD_AMOUNTS) await run(`400 carol POST wallet/tap {amount: '${amount}'}`)
    })

    test('coupons are listed, each kind under its own name', async () => {
      for (const kind of COUPONS) {
        await run(`found = alice GET wallet/${kind}`)
        list(answered('found', kind.replaceAll('-', '_')))
      }
      await run('earned = operator GET wallet/validator-reward-coupons')
      const users = list(answered('earned', 'validator_reward_coupons')).map((coupon) =>
        String(path(coupon, 'payload', 'user')).replace(/::.*/u, ''),
      )
      assert.equal(users.filter((user) => user === 'alice').length, 1, 'of the traffic she bought')
    })

    test("featured rights, features and the validator's user", async () => {
      await run(`
        granted = carol POST wallet/self-grant-feature-app-right {}
        again = carol POST wallet/self-grant-feature-app-right {}
        carol GET wallet/user-status => {has_featured_app_right: true}
        carol DELETE wallet/cancel-featured-app-rights
        carol GET wallet/user-status => {has_featured_app_right: false}
        features = carol GET v0/feature-support
        user = nobody GET v0/validator-user
      `)
      assert.deepEqual(answered('again'), answered('granted'))
      assert.deepEqual(answered('features'), {
        token_standard: true,
        transfer_preapproval_description: true,
      })
      assert.deepEqual(answered('user'), {
        party_id: answered('operator'),
        user_name: 'operator',
        featured: true,
      })
    })

    test('a newcomer has no wallet, registers, and has one; offboarded, the wallet is gone', async () => {
      await run(`
        blank = newcomer GET wallet/user-status
        403,404 newcomer GET wallet/balance
        registered = newcomer POST v0/register
        again = newcomer POST v0/register {}
        newcomer GET wallet/balance
        users = operator GET admin/users
        operator POST admin/users/offboard?username=newcomer
        404 operator POST admin/users/offboard?username=newcomer
        400 operator POST admin/users/offboard?username=operator
        403,404 newcomer GET wallet/balance
      `)
      assert.deepEqual(answered('blank'), {
        party_id: '',
        user_onboarded: false,
        user_wallet_installed: false,
        has_featured_app_right: false,
      })
      assert.deepEqual(answered('again'), answered('registered'))
      assert.ok(list(answered('users', 'usernames')).includes('newcomer'))
    })

    test('onboarding refuses what is no user, and a party that nobody knows', async () => {
      await run(`
        400,404 operator POST admin/users {name: ''}
        400,404 operator POST admin/users {name: a b}
        400,404 operator POST admin/users {name: dave, party_id: 'nobody::1220'}
        400,404 operator POST admin/users {name: dave, party_id: ''}
        403 alice POST admin/users {name: dave}
      `)
    })

    test('who has no wallet gets 404 from its operations, whether the ledger knows the user or not', async () => {
      const reads = ['balance', 'coins', 'transfer-offers', 'accepted-transfer-offers', ...COUPONS]
      for (const user of ['stranger', 'participant_admin']) {
        tokens.set(user, await service.token(user))
        for (const asked of [
          ...reads.map((each) => `GET wallet/${each}`),
          `POST offers {${OFFER}, tracking_id: lost}`,
          'POST wallet/transactions {page_size: 1}',
          "POST wallet/tap {amount: '1'}",
        ])
          await run(`404 ${user} ${asked} => {error: 'No wallet found for user ${user}'}`)
      }
    })

    test('pages of history: sizes that are none are refused, an unknown place is the end', async () => {
      for (const size of ['0', '-1', '1001', "'1'"])
        await run(`400 alice POST wallet/transactions {page_size: ${size}}`)
      for (const place of ['nothing', '\0', 'ab:1', 'x'.repeat(3_000)]) {
        world.known.set('place', place)
        await run('end = alice POST wallet/transactions {page_size: 5, begin_after_id: $place}')
        assert.deepEqual(answered('end'), { items: [] })
      }
    })
  })
}
