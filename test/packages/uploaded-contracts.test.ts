// Uploaded packages run: an app's developer uploads archives and works with their contracts over
// HTTP, as with those that are in code.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { assertRefused, refusal } from '../support/documented.ts'
import { storesFor } from '../support/storages.ts'
import {
  archive as archived,
  commandsOf,
  createdId,
  exercise,
  list,
  path,
  SHOW,
  WAIT,
} from '../interfaces/ledger-kit.ts'
import type { LedgerClient, LedgerUser } from '../interfaces/ledger-kit.ts'
import {
  appTemplate,
  create,
  EXTRA,
  interfaces,
  NO_META,
  startForArchives,
  token,
  tokenTemplate,
  upload,
} from './kit.ts'
import { released, skip as withoutArchives } from './released.ts'

const TOKEN = tokenTemplate('Token')
const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2090-01-01T00:00:00Z'
const LATER = '2091-01-01T00:00:00Z'

for (const storage of withoutArchives === false ? storesFor('packages that run') : [])
  describe(`uploaded contracts on ${storage.name}`, () => {
    let ledger: LedgerClient
    let [alice, bob]: readonly LedgerUser[] = []

    before(async () => {
      ledger = await startForArchives(storage)
      ;({ alice, bob } = ledger)
      await upload(ledger, released('test-token-v1-1.0.0'))
    })
    after(() => ledger.stop())

    const users = (): readonly [LedgerUser, LedgerUser] => {
      assert.ok(alice !== undefined && bob !== undefined)
      return [alice, bob]
    }

    const transferOf = (
      [sender, receiver]: readonly LedgerUser[],
      inputs: readonly string[],
      amount: string,
    ): object => ({
      expectedAdmin: sender?.party,
      transfer: {
        sender: sender?.party,
        receiver: receiver?.party,
        amount,
        instrumentId: { admin: sender?.party, id: 'Gold' },
        requestedAt: PAST,
        executeBefore: FUTURE,
        inputHoldingCids: inputs,
        meta: NO_META,
      },
      extraArgs: EXTRA,
    })

    test('a contract is created, shown as its type says, and archived', async () => {
      const [owner] = users()
      const shown = await ledger.show(owner, create(TOKEN, token(owner.party, owner.party, '10')))
      const event = path(shown, 'transaction', 'events', 0, 'CreatedEvent')
      assert.deepEqual(path(event, 'signatories'), [owner.party])
      assert.equal(path(event, 'packageName'), released('test-token-v1'))
      assert.deepEqual(
        path(event, 'createArgument'),
        token(owner.party, owner.party, '10.0000000000'),
      )
      await ledger.submit(owner, archived(createdId(shown), TOKEN))
      const again = await ledger.ask(
        owner,
        WAIT,
        commandsOf(owner, archived(createdId(shown), TOKEN)),
      )
      assertRefused(again, refusal(11, 'CONTRACT_NOT_FOUND'))
    })

    test('a transfer goes through the interfaces, and its receiver sees a holding', async () => {
      const [sender, receiver] = users()
      const rules = createdId(
        await ledger.show(sender, create(tokenTemplate('TokenRules'), { admin: sender.party })),
      )
      const coin = createdId(
        await ledger.show(sender, create(TOKEN, token(sender.party, sender.party, '10.5'))),
      )
      const offered = await ledger.show(
        sender,
        exercise(
          interfaces.transferFactory,
          rules,
          'TransferFactory_Transfer',
          transferOf([sender, receiver], [coin], '4.25'),
        ),
      )
      const offer = list(path(offered, 'transaction', 'events'))
        .map((event) => path(event, 'CreatedEvent'))
        .find((event) => String(path(event, 'templateId')).endsWith(':TokenTransferOffer'))
      await ledger.submit(
        receiver,
        exercise(
          interfaces.transferInstruction,
          String(path(offer, 'contractId')),
          'TransferInstruction_Accept',
          { extraArgs: EXTRA },
        ),
      )
      const views = await holdings(ledger, receiver)
      assert.deepEqual(
        views.map((view) => [path(view, 'owner'), path(view, 'amount')]),
        [[receiver.party, '4.2500000000']],
      )
      const change = await holdings(ledger, sender)
      assert.deepEqual(
        change
          .filter((view) => path(view, 'owner') === sender.party)
          .map((view) => path(view, 'amount')),
        ['6.2500000000'],
      )
    })

    test('a choice that its code refuses changes nothing, and says why', async () => {
      const [sender, receiver] = users()
      const rules = createdId(
        await ledger.show(sender, create(tokenTemplate('TokenRules'), { admin: sender.party })),
      )
      const end = await ledger.end()
      const refused = await ledger.ask(
        sender,
        WAIT,
        commandsOf(
          sender,
          exercise(
            interfaces.transferFactory,
            rules,
            'TransferFactory_Transfer',
            transferOf([sender, receiver], [], '1'),
          ),
        ),
      )
      assertRefused(refused, refusal(9, 'INTERPRETATION_USER_ERROR', { cause: /input amount/ }))
      assert.equal(await ledger.end(), end)
    })

    test('what does not hold, is nobody’s or has a wrong field is refused', async () => {
      const [owner, other] = users()
      const ask = (command: object) => ledger.ask(owner, WAIT, commandsOf(owner, command))
      const end = await ledger.end()
      assertRefused(
        await ask(create(TOKEN, token(owner.party, owner.party, '-1'))),
        refusal(9, 'INTERPRETATION_USER_ERROR'),
      )
      assertRefused(
        await ask(create(TOKEN, token(other.party, owner.party, '1'))),
        refusal(8, 'AUTHORIZATION_ERROR'),
      )
      const wrong: readonly [object, RegExp][] = [
        [token(owner.party, owner.party, '1.00000000001'), /\/holding\/amount/],
        [{ holding: null }, /\/holding/],
        [{ ...token(owner.party, owner.party, '1'), note: 'x' }, /\/note/],
        [{}, /\/holding/],
      ]
      for (const [payload, cause] of wrong)
        assertRefused(
          await ask(create(TOKEN, payload)),
          refusal(8, 'COMMAND_PREPROCESSING_FAILED', { cause }),
        )
      assertRefused(
        await ask(create(tokenTemplate('Nothing'), {})),
        refusal(11, 'TEMPLATES_OR_INTERFACES_NOT_FOUND'),
      )
      assert.equal(await ledger.end(), end)
    })

    test('a contract is created and exercised at once, by package id and by name', async () => {
      const [owner] = users()
      const shown = await ledger.show(owner, create(TOKEN, token(owner.party, owner.party, '1')))
      const event = path(shown, 'transaction', 'events', 0, 'CreatedEvent')
      const templateId = String(path(event, 'templateId'))
      assert.match(templateId, /^[0-9a-f]{64}:/)
      const once = {
        CreateAndExerciseCommand: {
          templateId,
          createArguments: token(owner.party, owner.party, '2'),
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      await ledger.submit(owner, once)
      await ledger.submit(owner, archived(createdId(shown), templateId))
    })

    test('an app of another package settles a trade of the token', async () => {
      const [owner, other] = users()
      await upload(ledger, released('token-test-trading-app-1.0.0'))
      const leg = { sender: owner.party, receiver: other.party, amount: '3', meta: NO_META }
      const transferLegs = {
        first: { ...leg, instrumentId: { admin: owner.party, id: 'Gold' } },
      }
      const proposal = createdId(
        await ledger.show(
          owner,
          create(appTemplate('OTCTradeProposal'), {
            venue: owner.party,
            tradeCid: null,
            transferLegs,
            approvers: [owner.party],
          }),
        ),
      )
      const accepted = createdId(
        await ledger.show(
          other,
          exercise(appTemplate('OTCTradeProposal'), proposal, 'OTCTradeProposal_Accept', {
            approver: other.party,
          }),
        ),
      )
      const begun = await ledger.show(
        owner,
        exercise(appTemplate('OTCTradeProposal'), accepted, 'OTCTradeProposal_InitiateSettlement', {
          prepareUntil: FUTURE,
          settleBefore: LATER,
        }),
      )
      const trade = createdId(begun)
      const [request] = await viewsOf(ledger, owner, interfaces.allocationRequest)
      const rules = createdId(
        await ledger.show(owner, create(tokenTemplate('TokenRules'), { admin: owner.party })),
      )
      const coin = createdId(
        await ledger.show(owner, create(TOKEN, token(owner.party, owner.party, '5'))),
      )
      const settlement = path(request, 'settlement')
      const allocated = await ledger.show(
        owner,
        exercise(interfaces.allocationFactory, rules, 'AllocationFactory_Allocate', {
          expectedAdmin: owner.party,
          allocation: {
            settlement,
            transferLegId: 'first',
            transferLeg: path(request, 'transferLegs', 'first'),
          },
          requestedAt: PAST,
          inputHoldingCids: [coin],
          extraArgs: EXTRA,
        }),
      )
      const allocation = list(path(allocated, 'transaction', 'events'))
        .map((event) => path(event, 'CreatedEvent'))
        .find((event) => String(path(event, 'templateId')).endsWith(':TokenAllocation'))
      const settle = exercise(appTemplate('OTCTrade'), trade, 'OTCTrade_Settle', {
        allocationsWithContext: {
          first: { _1: path(allocation, 'contractId'), _2: EXTRA },
        },
      })
      const settled = await ledger.ask(owner, SHOW, { commands: commandsOf(owner, settle) })
      assert.equal(settled.status, 200, settled.text)
      const amounts = (await holdings(ledger, other)).map((view) => path(view, 'amount'))
      assert.ok(amounts.includes('3.0000000000'), JSON.stringify(amounts))
    })
  })

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
  return list(found).map((each) => {
    const event = path(each, 'contractEntry', 'JsActiveContract', 'createdEvent')
    const view = path(event, 'interfaceViews', 0)
    assert.equal(path(view, 'viewStatus', 'code'), 0, JSON.stringify(view))
    return member(view, 'viewValue')
  })
}

const holdings = (ledger: LedgerClient, user: LedgerUser) =>
  viewsOf(ledger, user, interfaces.holding)
