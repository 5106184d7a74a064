// Under the public network's words, an uploaded token and our coin are holdings of one interface,
// and a trade of both is settled at once. What was uploaded keeps its names.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  commandsOf,
  createdId,
  exercise,
  list,
  path,
  SHOW,
  startLedger,
} from '../interfaces/ledger-kit.ts'
import type { LedgerClient, LedgerUser } from '../interfaces/ledger-kit.ts'
import { DELIVERY, playDelivery } from './apps/delivery.ts'
import { Stage } from './apps/stage.ts'
import {
  appTemplate,
  create,
  EXTRA,
  interfaces,
  NO_META,
  token,
  tokenTemplate,
  upload,
  uploadOwn,
} from './kit.ts'
import { released, releasedModule, skip, wire } from './released.ts'
import { notes } from './small.ts'

const PAST = '2020-01-01T00:00:00Z'

for (const storage of skip === false ? storesFor('packages that run') : [])
  describe(`uploaded packages beside the public network’s on ${storage.name}`, () => {
    let ledger: LedgerClient
    let tokenRules: string

    before(async () => {
      ledger = await startLedger(storage, { vocabulary: { preset: 'network-0.6' } })
      await upload(ledger, released('test-token-v1-1.0.0'))
      const { alice } = ledger
      tokenRules = createdId(
        await ledger.show(alice, create(tokenTemplate('TokenRules'), { admin: alice.party })),
      )
    })
    after(() => ledger.stop())

    test('holdings of both are found by one interface, each under its own name', async () => {
      const { alice } = ledger
      await ledger.show(alice, create(tokenTemplate('Token'), token(alice.party, alice.party, '5')))
      const found = await holdings(ledger, alice)
      const named = (name: string) =>
        found.filter((event) => String(path(event, 'templateId')).endsWith(name))
      const [ours, theirs] = [
        named(`:${releasedModule(wire('Coin:Coin'))}`),
        named('.TestTokenV1:Token'),
      ]
      assert.ok(ours.length > 0, 'the coin is a holding')
      assert.equal(theirs.length, 1)
      assert.equal(path(theirs[0], 'packageName'), released('test-token-v1'))
      assert.equal(
        path(ours[0], 'interfaceViews', 0, 'interfaceId'),
        path(theirs[0], 'interfaceViews', 0, 'interfaceId'),
      )
      assert.equal(path(theirs[0], 'interfaceViews', 0, 'viewValue', 'amount'), '5.0000000000')
      assert.deepEqual(
        path(theirs[0], 'createArgument'),
        token(alice.party, alice.party, '5.0000000000'),
      )
    })

    test('the words of uploaded code stay as they are when it fails', async () => {
      const { alice } = ledger
      const name = '#notes:Notes:Note'
      await uploadOwn(ledger, notes('1.0.0'))
      const note = createdId(await ledger.show(alice, create(name, { owner: alice.party })))
      const { json } = await ledger.ask(
        alice,
        'POST /v2/commands/submit-and-wait',
        commandsOf(alice, exercise(name, note, 'Fail', {})),
      )
      const told = [path(json, 'context', 'error_id'), path(json, 'context', 'coin')]
      assert.deepEqual(told, ['NO_COIN', 'a coin'])
      assert.match(String(path(json, 'cause')), /: The coin of Main:Coin is gone$/)
    })

    test('a package with the name of one in code is stored and listed, and does not run', async () => {
      const { alice, service, admin } = ledger
      await upload(ledger, released('token-test-trading-app-1.0.0'))
      const listed = await call(service.url, 'GET /v2/packages', { token: admin })
      const id = 'e5c9847d5a88d3b8d65436f01765fc5ba142cc58529692e2dacdd865d9939f71'
      assert.ok(list(member(listed.json, 'packageIds')).includes(id))
      const { json } = await call(service.url, 'GET /development/packages', { token: admin })
      const told = list(member(json, 'packages')).filter(
        (each) => member(each, 'packageName') === released('token-test-trading-app'),
      )
      assert.deepEqual(
        told.map((each) => [member(each, 'runs'), member(each, 'reason')]),
        [
          ['code', undefined],
          ['nothing', 'in-code'],
        ],
      )
      const refused = await ledger.ask(alice, 'POST /v2/commands/submit-and-wait', {
        commandId: 'by id',
        actAs: [alice.party],
        commands: [
          create(`${id}:${releasedModule('Testing.Apps.TradingApp')}:OTCTradeProposal`, {}),
        ],
      })
      assert.equal(member(refused.json, 'code'), 'TEMPLATES_OR_INTERFACES_NOT_FOUND', refused.text)
    })

    test('code of an upload uses up a holding that is in code, through the interface', async () => {
      const { alice } = ledger
      const rules = `#${released('test-token')}:${releasedModule('Test.Token')}:TestTokenRules`
      const ours = createdId(await ledger.show(alice, create(rules, { admin: alice.party })))
      const minted = createdId(
        await ledger.show(
          alice,
          exercise(rules, ours, 'TestTokenRules_Mint', {
            owner: alice.party,
            instrumentId: 'Gold',
            amount: '8',
          }),
        ),
      )
      const split = await ledger.show(
        alice,
        exercise(interfaces.transferFactory, tokenRules, 'TransferFactory_Transfer', {
          expectedAdmin: alice.party,
          transfer: {
            sender: alice.party,
            receiver: alice.party,
            amount: '3',
            instrumentId: { admin: alice.party, id: 'Gold' },
            requestedAt: PAST,
            executeBefore: inHours(1),
            inputHoldingCids: [minted],
            meta: NO_META,
          },
          extraArgs: EXTRA,
        }),
      )
      const events = list(path(split, 'transaction', 'events'))
      assert.ok(events.some((event) => path(event, 'ArchivedEvent', 'contractId') === minted))
      const amounts = events.flatMap(
        (event) => path(event, 'CreatedEvent', 'createArgument', 'holding', 'amount') ?? [],
      )
      assert.deepEqual(amounts.toSorted(), ['3.0000000000', '5.0000000000'])
    })

    test('an uploaded token and coin change hands in one transaction', async () => {
      const { alice, bob, service } = ledger
      const { json } = await call(service.url, 'GET /api/scan/v0/dso-party-id')
      const dso = String(member(json, 'dso_party_id'))
      const leg = (
        sender: LedgerUser,
        receiver: LedgerUser,
        amount: string,
        instrumentId: object,
      ) => ({
        sender: sender.party,
        receiver: receiver.party,
        amount,
        instrumentId,
        meta: NO_META,
      })
      const proposed = await ledger.show(
        alice,
        create(appTemplate('OTCTradeProposal'), {
          venue: alice.party,
          tradeCid: null,
          transferLegs: {
            gold: leg(alice, bob, '2', { admin: alice.party, id: 'Gold' }),
            coin: leg(bob, alice, '3', { admin: dso, id: wire('Coin') }),
          },
          approvers: [alice.party],
        }),
      )
      const accepted = await ledger.show(
        bob,
        exercise(appTemplate('OTCTradeProposal'), createdId(proposed), 'OTCTradeProposal_Accept', {
          approver: bob.party,
        }),
      )
      const begun = await ledger.show(
        alice,
        exercise(
          appTemplate('OTCTradeProposal'),
          createdId(accepted),
          'OTCTradeProposal_InitiateSettlement',
          { prepareUntil: inHours(1), settleBefore: inHours(2), now: inHours(-1) },
        ),
      )
      const trade = createdId(begun)
      const [request] = (await viewsOf(ledger, alice, interfaces.allocationRequest)).map((event) =>
        path(event, 'interfaceViews', 0, 'viewValue'),
      )
      const settlement = path(request, 'settlement')
      const gold = createdId(
        await ledger.show(
          alice,
          create(tokenTemplate('Token'), token(alice.party, alice.party, '2')),
        ),
      )
      const allocated = await ledger.show(
        alice,
        exercise(interfaces.allocationFactory, tokenRules, 'AllocationFactory_Allocate', {
          expectedAdmin: alice.party,
          allocation: {
            settlement,
            transferLegId: 'gold',
            transferLeg: path(request, 'transferLegs', 'gold'),
          },
          requestedAt: PAST,
          inputHoldingCids: [gold],
          extraArgs: EXTRA,
        }),
      )
      const goldAllocation = list(path(allocated, 'transaction', 'events'))
        .map((event) => path(event, 'CreatedEvent'))
        .find((event) => String(path(event, 'templateId')).endsWith(':TokenAllocation'))
      const micros = (name: string): number => Date.parse(String(path(settlement, name))) * 1_000
      const made = await ledger.done(bob, 'POST /api/validator/v0/allocations', {
        settlement: {
          executor: alice.party,
          settlement_ref: path(settlement, 'settlementRef'),
          requested_at: micros('requestedAt'),
          allocate_before: micros('allocateBefore'),
          settle_before: micros('settleBefore'),
        },
        transfer_leg_id: 'coin',
        transfer_leg: { receiver: alice.party, amount: '3' },
      })
      const coinAllocation = String(path(made, 'output', 'allocation_cid'))
      const context = await ledger.done(
        alice,
        `POST /registry/allocations/v1/${coinAllocation}/choice-contexts/execute-transfer`,
        {},
      )
      const settle = exercise(appTemplate('OTCTrade'), trade, 'OTCTrade_Settle', {
        allocationsWithContext: {
          gold: { _1: path(goldAllocation, 'contractId'), _2: EXTRA },
          coin: {
            _1: coinAllocation,
            _2: { context: path(context, 'choiceContextData'), meta: NO_META },
          },
        },
      })
      const settled = await ledger.ask(alice, 'POST /v2/commands/submit-and-wait', {
        commandId: 'settle',
        actAs: [alice.party],
        commands: [settle],
        disclosedContracts: list(path(context, 'disclosedContracts')),
      })
      assert.equal(settled.status, 200, settled.text)
      const ofBob = (await holdings(ledger, bob)).map((event) =>
        path(event, 'interfaceViews', 0, 'viewValue'),
      )
      assert.ok(
        ofBob.some(
          (view) =>
            path(view, 'instrumentId', 'id') === 'Gold' && path(view, 'amount') === '2.0000000000',
        ),
        JSON.stringify(ofBob),
      )
    })

    test('the proxy of a wallet’s users, uploaded, transfers coin', async () => {
      const { alice, bob, service } = ledger
      await upload(ledger, released('util-featured-app-proxies-1.2.4'))
      const module = releasedModule('Util.FeaturedApp.WalletUserProxy')
      const proxy = `#${released('util-featured-app-proxies')}:${module}:WalletUserProxy`
      const payload = {
        provider: alice.party,
        providerWeight: '1',
        userWeight: '0',
        extraBeneficiaries: [],
        optAllowList: null,
      }
      const id = createdId(await ledger.show(alice, create(proxy, payload)))
      const { json } = await call(service.url, 'GET /api/scan/v0/dso-party-id')
      const expectedAdmin = String(member(json, 'dso_party_id'))
      const coins = (await holdings(ledger, alice))
        .filter((event) => String(path(event, 'templateId')).endsWith(`:${wire('Coin')}`))
        .map((event) => path(event, 'contractId'))
      const choiceArguments = {
        expectedAdmin,
        transfer: {
          sender: alice.party,
          receiver: bob.party,
          amount: '1',
          instrumentId: { admin: expectedAdmin, id: wire('Coin') },
          requestedAt: inHours(-1),
          executeBefore: inHours(1),
          inputHoldingCids: coins,
          meta: NO_META,
        },
        extraArgs: EXTRA,
      }
      const request = 'POST /registry/transfer-instruction/v1/transfer-factory'
      const factory = await ledger.done(alice, request, { choiceArguments })
      const context = path(factory, 'choiceContext', 'choiceContextData')
      const batch = {
        transferCalls: [
          {
            factoryCid: path(factory, 'factoryId'),
            choiceArg: { ...choiceArguments, extraArgs: { context, meta: NO_META } },
          },
        ],
        optFeaturedAppRightCid: null,
      }
      const commands = {
        ...commandsOf(alice, exercise(proxy, id, 'WalletUserProxy_BatchTransfer', batch)),
        disclosedContracts: list(path(factory, 'choiceContext', 'disclosedContracts')),
      }
      const shown = await ledger.done(alice, SHOW, { commands })
      const names = list(path(shown, 'transaction', 'events')).map((event) =>
        String(path(event, 'CreatedEvent', 'templateId'))
          .split(':')
          .at(-1),
      )
      assert.ok(names.includes(wire('CoinTransferInstruction')), names.join())
    })

    test('an uploaded app settles two uploaded tokens and coin at once, or nothing', async () => {
      const { bob } = ledger
      for (const name of DELIVERY) await upload(ledger, name)
      const stage = await Stage.open(ledger, { bob: bob.party })
      const { created } = await playDelivery(stage, ledger)
      const coin = releasedModule(wire('Coin:Coin')).split(':')[1]
      const holdingsMade = created
        .map(({ name }) => name)
        .filter((name) => name === 'Token' || name === coin)
      assert.ok(holdingsMade.filter((name) => name === 'Token').length >= 2, holdingsMade.join())
      assert.ok(holdingsMade.includes(String(coin)), holdingsMade.join())
      const amounts = (await holdings(ledger, bob)).map((event) => {
        const view = path(event, 'interfaceViews', 0, 'viewValue')
        return `${String(path(view, 'instrumentId', 'admin'))} ${String(path(view, 'amount'))}`
      })
      assert.ok(amounts.includes(`${stage.parties.admin} 2.0000000000`), amounts.join())
    })
  })

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

async function viewsOf(
  ledger: LedgerClient,
  user: LedgerUser,
  interfaceId: string,
): Promise<readonly unknown[]> {
  const value = { interfaceId, includeInterfaceView: true }
  const filter = { cumulative: [{ identifierFilter: { InterfaceFilter: { value } } }] }
  const found = await ledger.done(user, 'POST /v2/state/active-contracts', {
    activeAtOffset: await ledger.end(),
    eventFormat: { filtersByParty: { [user.party]: filter }, verbose: true },
  })
  return list(found).map((each) => path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'))
}

const holdings = (ledger: LedgerClient, user: LedgerUser) =>
  viewsOf(ledger, user, interfaces.holding)
