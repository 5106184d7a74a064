// Payments for apps, subscriptions and names over HTTP, as an app and a wallet go about them.
// docs/payments.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { timeText } from '../../runtime/participant/time.ts'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { createdId, list, path } from '../interfaces/ledger-kit.ts'

const PAYMENT = "'#network-wallet-payments:Network.Wallet.Payment"
const SUBSCRIPTIONS = "'#network-wallet-payments:Network.Wallet.Subscriptions"
const API = '/api/validator/v0'

for (const storage of storesFor('payments')) {
  describe(`payments over HTTP on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    let commands = 0
    const run = (text: string) => world.run(text)
    const answered: Scripts['answered'] = (...asked) => world.answered(...asked)

    before(async () => {
      service = await startService({
        config: {
          storage: await storage.section(),
          automations: { merging: false, expiry: false, names: { everyMs: 50 } },
        },
        seeded: true,
      })
      const places = {
        wallet: `${API}/wallet`,
        asked: `${API}/wallet/app-payment-requests`,
        offered: `${API}/wallet/subscription-requests`,
        entry: `${API}/entry`,
        names: '/api/scan/v0/ans-entries',
        proxy: `${API}/scan-proxy`,
        registry: '/registry',
      }
      world = await scriptsOf(service, places, 'participant_admin', 'alice', 'bob')
      for (const user of ['alice', 'bob']) {
        await run(`status = ${user} GET wallet/user-status`)
        world.known.set(user, answered('status', 'party_id'))
      }
      // Bob's app has Alice's signature: here by acting for her.
      await run(`
        info = anybody GET registry/metadata/v1/info
        participant_admin POST /v2/users/bob/rights {userId: bob, identityProviderId: '',
          rights: [{kind: {CanActAs: {value: {party: $alice}}}}]}
      `)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    /** Submits as the app, with everybody's authority. */
    const submit = async (command: string): Promise<unknown> => {
      await run(`
        rules = alice GET proxy/coin-rules
        rounds = alice GET proxy/open-and-issuing-mining-rounds
      `)
      const rules = answered('rules', 'coin_rules', 'contract')
      const round = answered('rounds', 'open_mining_rounds', '0', 'contract')
      const disclosed = [rules, round].map((contract) => ({
        contractId: path(contract, 'contract_id'),
        templateId: path(contract, 'template_id'),
        createdEventBlob: path(contract, 'created_event_blob'),
        synchronizerId: '',
      }))
      world.known.set('disclosed', disclosed)
      world.known.set('context', {
        coinRules: path(rules, 'contract_id'),
        openMiningRound: path(round, 'contract_id'),
        featuredAppRight: null,
      })
      commands += 1
      await run(`
        submitted = bob POST /v2/commands/submit-and-wait-for-transaction {commands:
          {commandId: payment-${commands}, actAs: [$alice, $bob], commands: [${command}],
            disclosedContracts: $disclosed}}
      `)
      return answered('submitted')
    }
    /** Creates a contract, which then is known by this name. */
    const create = async (name: string, template: string, fields: string): Promise<void> => {
      const command = `{CreateCommand: {templateId: ${template}', createArguments: {${fields}}}}`
      world.known.set(name, createdId(await submit(command)))
    }
    /** Exercises a choice that pays, on the contract of that name. */
    const collect = (template: string, id: string, choice: string, argument = 'context') =>
      submit(`{ExerciseCommand: {templateId: ${template}', contractId: ${id},
        choice: ${choice}, choiceArgument: {${argument}: $context}}}`)
    const ask = (name: string, amount: string, unit = 'CoinUnit', inMs = 3_600_000) => {
      world.known.set('end', timeText(BigInt(Date.now() + inMs) * 1_000n))
      return create(
        name,
        `${PAYMENT}:AppPaymentRequest`,
        `sender: $alice, provider: $bob, dso: $info.adminId, expiresAt: $end,
        description: A ticket,
        receiverAmounts: [{receiver: $bob, amount: {amount: '${amount}', unit: ${unit}}}]`,
      )
    }
    const balance = async (user: string) => {
      await run(`balance = ${user} GET wallet/balance`)
      const [free = 0, locked = 0] = ['effective_unlocked_qty', 'effective_locked_qty'].map(
        (name) => Number(answered('balance', name)),
      )
      return { free, locked }
    }

    test('a wallet sees what an app asks for and accepts it: the coin is locked until the app has it', async () => {
      await ask('request', '5')
      await run(`
        seen = alice GET asked
        bob GET asked == {payment_requests: []}
        alice GET asked/{id=$request} => {contract.payload.description: A ticket}
        400 bob GET asked/{id=$request}
        404 alice GET asked/00ff
        400 bob POST asked/{id=$request}/accept
      `)
      const seen = list(answered('seen', 'payment_requests'))
      const ids = seen.map((one) => path(one, 'contract', 'contract_id'))
      assert.ok(ids.includes(answered('request')))
      const [mine, theirs] = [await balance('alice'), await balance('bob')]
      await run('paid = alice POST asked/{id=$request}/accept')
      assert.deepEqual(await balance('alice'), { free: mine.free - 5, locked: mine.locked + 5 })
      await run(`
        alice GET wallet/accepted-app-payments => {accepted_app_payments.length: 1,
          accepted_app_payments.0.contract.contract_id: $paid.accepted_payment_contract_id}
        404 alice POST asked/{id=$request}/accept
      `)
      const payment = '$paid.accepted_payment_contract_id'
      await collect(`${PAYMENT}:AcceptedAppPayment`, payment, 'AcceptedAppPayment_Collect')
      assert.deepEqual(await balance('alice'), { free: mine.free - 5, locked: mine.locked })
      assert.deepEqual(await balance('bob'), { ...theirs, free: theirs.free + 5 })
      await run('page = alice POST wallet/transactions {page_size: 2}')
      assert.deepEqual(
        list(answered('page', 'items')).map((one) => path(one, 'transaction_subtype', 'choice')),
        ['AcceptedAppPayment_Collect', 'AppPaymentRequest_Accept'],
      )
    })

    test('what a wallet does not have, or does not want, it does not pay', async () => {
      const before = await balance('alice')
      for (const [amount, unit, reason] of [
        ['99999999', 'CoinUnit', /out of funds/],
        ['9'.repeat(28), 'USDUnit', /38 digits/],
      ] as const) {
        await ask('dear', amount, unit)
        await run('refused = 400 alice POST asked/{id=$dear}/accept')
        assert.match(String(answered('refused', 'error')), reason)
      }
      await ask('over', '5', 'CoinUnit', -1_000)
      await ask('unwanted', '5')
      await ask('back', '5')
      await run(`
        409 alice POST asked/{id=$over}/accept
        400 bob POST asked/{id=$unwanted}/reject
        alice POST asked/{id=$unwanted}/reject
        404 alice POST asked/{id=$unwanted}/reject
        paid = alice POST asked/{id=$back}/accept
      `)
      const payment = '$paid.accepted_payment_contract_id'
      await collect(`${PAYMENT}:AcceptedAppPayment`, payment, 'AcceptedAppPayment_Reject')
      assert.deepEqual(await balance('alice'), before)
      await run('401 anybody GET asked')
    })

    test('a subscription is offered, accepted with its first payment, and cancelled', async () => {
      for (const name of ['unwanted', 'paper'])
        await create(
          name,
          `${SUBSCRIPTIONS}:SubscriptionRequest`,
          `subscriptionData: {sender: $alice, receiver: $bob, provider: $bob, dso: $info.adminId,
            description: A paper},
          payData: {paymentAmount: {amount: '3', unit: CoinUnit},
            paymentInterval: {microseconds: '86400000000'},
            paymentDuration: {microseconds: '3600000000'}}`,
        )
      await run(`
        seen = alice GET offered
        400 bob POST offered/{id=$unwanted}/reject
        alice POST offered/{id=$unwanted}/reject
        alice GET offered/{id=$paper} => {payload.subscriptionData.description: A paper}
      `)
      const seen = list(answered('seen', 'subscription_requests'))
      assert.ok(seen.map((one) => path(one, 'contract_id')).includes(answered('paper')))
      const [mine, theirs] = [await balance('alice'), await balance('bob')]
      await run(`
        paid = alice POST offered/{id=$paper}/accept
        alice GET wallet/subscription-initial-payments => {initial_payments.length: 1,
          initial_payments.0.contract_id: $paid.initial_payment_contract_id}
      `)
      await collect(
        `${SUBSCRIPTIONS}:SubscriptionInitialPayment`,
        '$paid.initial_payment_contract_id',
        'SubscriptionInitialPayment_Collect',
        'transferContext',
      )
      assert.deepEqual(await balance('alice'), { ...mine, free: mine.free - 3 })
      assert.deepEqual(await balance('bob'), { ...theirs, free: theirs.free + 3 })
      await run(`
        own = alice GET wallet/subscriptions
          => {subscriptions.0.subscription.payload.reference: $paper}
        400 bob DELETE offered/{id=$own.subscriptions.0.state.idle.contract_id}
        alice DELETE offered/{id=$own.subscriptions.0.state.idle.contract_id}
        alice GET wallet/subscriptions => {subscriptions: []}
      `)
    })

    test('a name is asked for, paid in the wallet, and then found by anybody', async () => {
      const name = 'alice_1.unverified.nns'
      const entry = `name: ${name}, url: 'https://alice.example.org', description: Alice`
      for (const change of [
        'name: alice',
        'name: Alice.unverified.nns',
        `name: ${'a'.repeat(41)}.unverified.nns`,
        'url: alice.example.org',
        `description: ${'x'.repeat(141)}`,
      ])
        await run(`400 alice POST entry/create {${entry}, ${change}}`)
      const [mine, theirs] = [await balance('alice'), await balance('bob')]
      await run(`
        made = alice POST entry/create {${entry}}
        late = bob POST entry/create {${entry}}
        alice POST offered/{id=$made.subscriptionRequestCid}/accept
        until found = anybody GET names/by-name/${name} => {entry.user: $alice}
      `)
      // 1 USD at 0.005 is burned.
      assert.deepEqual(await balance('alice'), { ...mine, free: mine.free - 200 })
      await run(`
        409 bob POST entry/create {${entry}}
        bob POST offered/{id=$late.subscriptionRequestCid}/accept
        until bob GET wallet/subscription-initial-payments => {initial_payments: []}
      `)
      assert.deepEqual(await balance('bob'), theirs)
      for (const at of ['names', 'proxy/ans-entries']) {
        await run(`
          anybody GET ${at}/by-party/{party=$alice} == $found
          404 anybody GET ${at}/by-party/{party=$bob}
          404 anybody GET ${at}/by-party/none
          404 anybody GET ${at}/by-name/nobody.unverified.nns
          400 anybody GET ${at} ?{page_size: 0}
          400 anybody GET ${at}
        `)
        for (const [prefix, names] of [
          ['alice_', [name]],
          [name, [name]],
          ['', [name, 'dso.nns', 'sv-1.sv.nns']],
          ['zz', []],
        ] as const) {
          await run(`listed = anybody GET ${at} ?{name_prefix: '${prefix}', page_size: 10}`)
          const listed = list(answered('listed', 'entries')).map((one) => path(one, 'name'))
          assert.deepEqual(listed, names)
        }
      }
      await run(`
        alice GET entry/all => {entries.length: 1, entries.0.name: ${name},
          entries.0.amount: '1.0000000000', entries.0.paymentInterval: 7776000s}
        401 anybody GET entry/all
      `)
    })
  })
}
