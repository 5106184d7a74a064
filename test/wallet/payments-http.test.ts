// Payments for apps, subscriptions and names over HTTP, as an app and a wallet go about them.
// docs/payments.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { timeText } from '../../runtime/participant/time.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  commandsOf,
  createdId,
  exercise,
  list,
  path,
  startLedger,
} from '../interfaces/ledger-kit.ts'
import type { LedgerClient, LedgerUser } from '../interfaces/ledger-kit.ts'

const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
const PAYMENT = '#network-wallet-payments:Network.Wallet.Payment'
const SUBSCRIPTIONS = '#network-wallet-payments:Network.Wallet.Subscriptions'
const WALLET = '/api/validator/v0/wallet'
const PROXY = '/api/validator/v0/scan-proxy'

for (const storage of storesFor('payments')) {
  describe(`payments over HTTP on ${storage.name}`, () => {
    let ledger: LedgerClient
    let dso: string

    before(async () => {
      ledger = await startLedger(storage, {
        automations: { merging: false, expiry: false, names: { everyMs: 50 } },
      })
      const info = await call(ledger.service.url, 'GET /registry/metadata/v1/info')
      dso = String(path(info.json, 'adminId'))
      // Bob's app has Alice's signature: here by acting for her.
      const kind = { CanActAs: { value: { party: ledger.alice.party } } }
      await ledger.done({ ...ledger.bob, token: ledger.admin }, 'POST /v2/users/bob/rights', {
        userId: 'bob',
        identityProviderId: '',
        rights: [{ kind }],
      })
    })
    after(() => ledger.stop())

    /** Submits as the app, with everybody's authority. */
    const submit = async (command: object) => {
      const { alice, bob } = ledger
      const found = await Promise.all(
        ['coin-rules', 'open-and-issuing-mining-rounds'].map(async (name) =>
          ledger.done(alice, `GET ${PROXY}/${name}`),
        ),
      )
      const rules = path(found[0], 'coin_rules', 'contract')
      const round = path(found[1], 'open_mining_rounds', 0, 'contract')
      const disclosedContracts = [rules, round].map((contract) => ({
        contractId: path(contract, 'contract_id'),
        templateId: path(contract, 'template_id'),
        createdEventBlob: path(contract, 'created_event_blob'),
        synchronizerId: '',
      }))
      const context = {
        coinRules: path(rules, 'contract_id'),
        openMiningRound: path(round, 'contract_id'),
        featuredAppRight: null,
      }
      const given = JSON.stringify(command).replaceAll('"CONTEXT"', JSON.stringify(context))
      return ledger.ask(bob, SHOW, {
        commands: {
          ...commandsOf(bob, JSON.parse(given)),
          actAs: [alice.party, bob.party],
          disclosedContracts,
        },
      })
    }
    const done = async (command: object) => {
      const answer = await submit(command)
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const create = async (templateId: string, createArguments: object) =>
      createdId(await done({ CreateCommand: { templateId, createArguments } }))
    const balance = async (user: LedgerUser) => {
      const json = await ledger.done(user, `GET ${WALLET}/balance`)
      const [free, locked] = ['effective_unlocked_qty', 'effective_locked_qty'].map((name) =>
        Number(path(json, name)),
      )
      return { free: free ?? 0, locked: locked ?? 0 }
    }
    const status = async (user: LedgerUser, request: string, body?: object) =>
      (await ledger.ask(user, request, body)).status
    const idsIn = async (user: LedgerUser, at: string, key: string, ...inner: string[]) =>
      list(path(await ledger.done(user, `GET ${WALLET}/${at}`), key)).map((one) =>
        path(one, ...inner, 'contract_id'),
      )
    const asked = (amount: string, unit = 'CoinUnit', inMs = 3_600_000) => {
      const { alice, bob } = ledger
      return create(`${PAYMENT}:AppPaymentRequest`, {
        sender: alice.party,
        receiverAmounts: [{ receiver: bob.party, amount: { amount, unit } }],
        provider: bob.party,
        dso,
        expiresAt: timeText(BigInt(Date.now() + inMs) * 1_000n),
        description: 'A ticket',
      })
    }

    test('a wallet sees what an app asks for and accepts it: the coin is locked until the app has it', async () => {
      const { alice, bob } = ledger
      const id = await asked('5')
      const requests = `${WALLET}/app-payment-requests`
      assert.ok(
        (await idsIn(alice, 'app-payment-requests', 'payment_requests', 'contract')).includes(id),
      )
      assert.deepEqual(await idsIn(bob, 'app-payment-requests', 'payment_requests'), [])
      const shown = await ledger.done(alice, `GET ${requests}/${id}`)
      assert.equal(path(shown, 'contract', 'payload', 'description'), 'A ticket')
      assert.deepEqual(
        [await status(bob, `GET ${requests}/${id}`), await status(alice, `GET ${requests}/00ff`)],
        [400, 404],
      )
      assert.equal(await status(bob, `POST ${requests}/${id}/accept`), 400)
      const [mine, theirs] = [await balance(alice), await balance(bob)]
      const accepted = await ledger.done(alice, `POST ${requests}/${id}/accept`)
      const payment = String(path(accepted, 'accepted_payment_contract_id'))
      assert.deepEqual(await balance(alice), { free: mine.free - 5, locked: mine.locked + 5 })
      assert.deepEqual(
        await idsIn(alice, 'accepted-app-payments', 'accepted_app_payments', 'contract'),
        [payment],
      )
      assert.equal(await status(alice, `POST ${requests}/${id}/accept`), 404)
      await done(
        exercise(`${PAYMENT}:AcceptedAppPayment`, payment, 'AcceptedAppPayment_Collect', {
          context: 'CONTEXT',
        }),
      )
      assert.deepEqual(await balance(alice), { free: mine.free - 5, locked: mine.locked })
      assert.deepEqual(await balance(bob), { ...theirs, free: theirs.free + 5 })
      const page = await ledger.done(alice, `POST ${WALLET}/transactions`, { page_size: 2 })
      const choices = list(path(page, 'items')).map((one) =>
        path(one, 'transaction_subtype', 'choice'),
      )
      assert.deepEqual(choices, ['AcceptedAppPayment_Collect', 'AppPaymentRequest_Accept'])
    })

    test('what a wallet does not have, or does not want, it does not pay', async () => {
      const { alice, bob } = ledger
      const requests = `${WALLET}/app-payment-requests`
      const before = await balance(alice)
      const dear = await ledger.ask(alice, `POST ${requests}/${await asked('99999999')}/accept`)
      assert.deepEqual([dear.status, /out of funds/.test(dear.text)], [400, true], dear.text)
      const unpayable = await asked('9'.repeat(28), 'USDUnit')
      const refused = await ledger.ask(alice, `POST ${requests}/${unpayable}/accept`)
      assert.deepEqual([refused.status, /38 digits/.test(refused.text)], [400, true], refused.text)
      const over = await asked('5', 'CoinUnit', -1_000)
      assert.equal(await status(alice, `POST ${requests}/${over}/accept`), 409)
      const id = await asked('5')
      assert.equal(await status(bob, `POST ${requests}/${id}/reject`), 400)
      assert.equal(await status(alice, `POST ${requests}/${id}/reject`), 200)
      assert.equal(await status(alice, `POST ${requests}/${id}/reject`), 404)
      const back = await asked('5')
      const accepted = await ledger.done(alice, `POST ${requests}/${back}/accept`)
      const payment = String(path(accepted, 'accepted_payment_contract_id'))
      const choice = 'AcceptedAppPayment_Reject'
      await done(exercise(`${PAYMENT}:AcceptedAppPayment`, payment, choice, { context: 'CONTEXT' }))
      assert.deepEqual(await balance(alice), before)
      const anonymous = await call(ledger.service.url, `GET ${requests}`)
      assert.equal(anonymous.status, 401)
    })

    test('a subscription is offered, accepted with its first payment, and cancelled', async () => {
      const { alice, bob } = ledger
      const offered = () =>
        create(`${SUBSCRIPTIONS}:SubscriptionRequest`, {
          subscriptionData: {
            sender: alice.party,
            receiver: bob.party,
            provider: bob.party,
            dso,
            description: 'A paper',
          },
          payData: {
            paymentAmount: { amount: '3', unit: 'CoinUnit' },
            paymentInterval: { microseconds: '86400000000' },
            paymentDuration: { microseconds: '3600000000' },
          },
        })
      const requests = `${WALLET}/subscription-requests`
      const unwanted = await offered()
      assert.equal(await status(bob, `POST ${requests}/${unwanted}/reject`), 400)
      assert.equal(await status(alice, `POST ${requests}/${unwanted}/reject`), 200)
      const id = await offered()
      assert.ok((await idsIn(alice, 'subscription-requests', 'subscription_requests')).includes(id))
      const shown = await ledger.done(alice, `GET ${requests}/${id}`)
      assert.equal(path(shown, 'payload', 'subscriptionData', 'description'), 'A paper')
      const [mine, theirs] = [await balance(alice), await balance(bob)]
      const accepted = await ledger.done(alice, `POST ${requests}/${id}/accept`)
      const payment = String(path(accepted, 'initial_payment_contract_id'))
      assert.deepEqual(await idsIn(alice, 'subscription-initial-payments', 'initial_payments'), [
        payment,
      ])
      const collect = exercise(
        `${SUBSCRIPTIONS}:SubscriptionInitialPayment`,
        payment,
        'SubscriptionInitialPayment_Collect',
        { transferContext: 'CONTEXT' },
      )
      await done(collect)
      assert.deepEqual(await balance(alice), { ...mine, free: mine.free - 3 })
      assert.deepEqual(await balance(bob), { ...theirs, free: theirs.free + 3 })
      const [own] = list(
        path(await ledger.done(alice, `GET ${WALLET}/subscriptions`), 'subscriptions'),
      )
      assert.equal(path(own, 'subscription', 'payload', 'reference'), id)
      const idle = String(path(own, 'state', 'idle', 'contract_id'))
      assert.equal(await status(bob, `DELETE ${requests}/${idle}`), 400)
      assert.equal(await status(alice, `DELETE ${requests}/${idle}`), 200)
      const left = await ledger.done(alice, `GET ${WALLET}/subscriptions`)
      assert.deepEqual(path(left, 'subscriptions'), [])
    })

    test('a name is asked for, paid in the wallet, and then found by anybody', async () => {
      const { alice, bob, service } = ledger
      const ENTRY = '/api/validator/v0/entry'
      const entry = {
        name: 'alice_1.unverified.nns',
        url: 'https://alice.example.org',
        description: 'Alice',
      }
      for (const change of [
        { name: 'alice' },
        { name: 'Alice.unverified.nns' },
        { name: `${'a'.repeat(41)}.unverified.nns` },
        { url: 'alice.example.org' },
        { description: 'x'.repeat(141) },
      ])
        assert.equal(await status(alice, `POST ${ENTRY}/create`, { ...entry, ...change }), 400)
      const made = await ledger.done(alice, `POST ${ENTRY}/create`, entry)
      const late = await ledger.done(bob, `POST ${ENTRY}/create`, entry)
      const accept = async (user: LedgerUser, asked: unknown) =>
        ledger.done(
          user,
          `POST ${WALLET}/subscription-requests/${String(path(asked, 'subscriptionRequestCid'))}/accept`,
        )
      const [mine, theirs] = [await balance(alice), await balance(bob)]
      await accept(alice, made)
      const lookUp = (at: string) => call(service.url, `GET ${at}`)
      const entryAt = `/api/scan/v0/ans-entries/by-name/${entry.name}`
      await eventually(200, async () => (await lookUp(entryAt)).status)
      const byName = (await lookUp(entryAt)).json
      assert.equal(path(byName, 'entry', 'user'), alice.party)
      // 1 USD at 0.005 is burned.
      assert.deepEqual(await balance(alice), { ...mine, free: mine.free - 200 })
      assert.equal(await status(bob, `POST ${ENTRY}/create`, entry), 409)
      await accept(bob, late)
      await eventually([], () => idsIn(bob, 'subscription-initial-payments', 'initial_payments'))
      assert.deepEqual(await balance(bob), theirs)
      for (const at of ['/api/scan/v0', PROXY]) {
        const party = encodeURIComponent(alice.party)
        const byParty = await lookUp(`${at}/ans-entries/by-party/${party}`)
        assert.deepEqual(byParty.json, byName)
        const listed = async (prefix: string) =>
          list(
            path(
              (await lookUp(`${at}/ans-entries?name_prefix=${prefix}&page_size=10`)).json,
              'entries',
            ),
          ).map((one) => path(one, 'name'))
        assert.deepEqual(await listed('alice_'), [entry.name])
        assert.deepEqual(await listed(entry.name), [entry.name])
        assert.deepEqual(await listed(''), [entry.name, 'dso.nns', 'sv-1.sv.nns'])
        assert.deepEqual(await listed('zz'), [])
        const nobody = encodeURIComponent(bob.party)
        for (const [gone, expected] of [
          [`/by-party/${nobody}`, 404],
          ['/by-party/none', 404],
          ['/by-name/nobody.unverified.nns', 404],
          ['?page_size=0', 400],
          ['', 400],
        ] as const)
          assert.equal((await lookUp(`${at}/ans-entries${gone}`)).status, expected, gone)
      }
      const own = list(path(await ledger.done(alice, `GET ${ENTRY}/all`), 'entries'))
      assert.deepEqual(
        own.map((one) => [path(one, 'name'), path(one, 'amount'), path(one, 'paymentInterval')]),
        [[entry.name, '1.0000000000', '7776000s']],
      )
      assert.equal((await call(service.url, `GET ${ENTRY}/all`)).status, 401)
    })
  })
}
