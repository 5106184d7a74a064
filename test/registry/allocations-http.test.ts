// Delivery versus payment over HTTP, as a client of the token standard goes about it: two parties
// trade, each allocates its leg with what the registry says, and the venue settles both or neither.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { timeText } from '../../runtime/participant/time.ts'
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
const APP = '#network-token-test-trading-app:Network.Testing.Apps.TradingApp'
const FACTORY =
  '#network-api-token-allocation-instruction-v1:Network.Api.Token.AllocationInstructionV1'
const REQUEST = '#network-api-token-allocation-request-v1:Network.Api.Token.AllocationRequestV1'
const ALLOCATION = '#network-api-token-allocation-v1:Network.Api.Token.AllocationV1'
const HOUR = 3_600_000_000n
const NO_META = { values: {} }

for (const storage of storesFor('allocations')) {
  describe(`allocations over HTTP on ${storage.name}`, () => {
    let ledger: LedgerClient
    let venue: LedgerUser
    let admin: string

    before(async () => {
      ledger = await startLedger(storage, { automations: { merging: false } })
      const { json } = await call(ledger.service.url, 'GET /v2/users/operator', {
        token: ledger.admin,
      })
      const token = await ledger.service.token('operator')
      venue = { id: 'operator', party: String(path(json, 'user', 'primaryParty')), token }
      const info = await call(ledger.service.url, 'GET /registry/metadata/v1/info')
      admin = String(path(info.json, 'adminId'))
    })
    after(() => ledger.stop())

    const submit = (user: LedgerUser, command: object, disclosedContracts: unknown = []) =>
      ledger.ask(user, SHOW, {
        commands: { ...commandsOf(user, command), disclosedContracts },
      })
    const done = async (user: LedgerUser, command: object, disclosed: unknown = []) => {
      const answer = await submit(user, command, disclosed)
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const ask = async (request: string, body: object = {}) => {
      const answer = await call(ledger.service.url, `POST /registry/${request}`, { body })
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const balance = async (user: LedgerUser) => {
      const { json } = await ledger.ask(user, 'GET /api/validator/v0/wallet/balance')
      const [free, locked] = ['effective_unlocked_qty', 'effective_locked_qty'].map((name) =>
        Number(path(json, name)),
      )
      return { free: free ?? 0, locked: locked ?? 0 }
    }
    const balances = async () => [await balance(ledger.alice), await balance(ledger.bob)] as const
    const coinsOf = async (user: LedgerUser) => {
      const { json } = await ledger.ask(user, 'GET /api/validator/v0/wallet/coins')
      return list(path(json, 'coins')).map((coin) =>
        String(path(coin, 'contract', 'contract', 'contract_id')),
      )
    }

    /** Bob's leg of a settlement with this reference, allocated by alice's wallet. */
    const allocateFor = (cid: string) => {
      const [now, hour] = [Date.now() * 1_000, Number(HOUR)]
      return ledger.ask(ledger.alice, 'POST /api/validator/v0/allocations', {
        settlement: {
          executor: venue.party,
          settlement_ref: { id: 'trade', cid },
          requested_at: now,
          allocate_before: now + hour,
          settle_before: now + 2 * hour,
        },
        transfer_leg_id: cid.slice(0, 200),
        transfer_leg: { receiver: ledger.bob.party, amount: '1' },
      })
    }
    const proposeFor = (tradeCid: string) => {
      const [sender, receiver] = [ledger.alice.party, ledger.bob.party]
      const instrumentId = { admin, id: 'Coin' }
      const leg = { sender, receiver, amount: '1', instrumentId, meta: NO_META }
      const createArguments = {
        venue: venue.party,
        tradeCid,
        transferLegs: { leg },
        approvers: [sender],
      }
      return submit(ledger.alice, {
        CreateCommand: { templateId: `${APP}:OTCTradeProposal`, createArguments },
      })
    }

    /** Alice's 100 against Bob's 20, agreed on; the trade and the view of its request. */
    const trade = async () => {
      const { alice, bob } = ledger
      const leg = (sender: LedgerUser, receiver: LedgerUser, amount: string) => ({
        sender: sender.party,
        receiver: receiver.party,
        amount,
        instrumentId: { admin, id: 'Coin' },
        meta: NO_META,
      })
      const transferLegs = { leg0: leg(alice, bob, '100'), leg1: leg(bob, alice, '20') }
      const proposal = {
        venue: venue.party,
        tradeCid: null,
        transferLegs,
        approvers: [alice.party],
      }
      const PROPOSAL = `${APP}:OTCTradeProposal`
      const proposed = await done(alice, {
        CreateCommand: { templateId: PROPOSAL, createArguments: proposal },
      })
      const accept = exercise(PROPOSAL, createdId(proposed), 'OTCTradeProposal_Accept', {
        approver: bob.party,
      })
      const accepted = await done(bob, accept)
      const now = BigInt(Date.now()) * 1_000n
      const times = { prepareUntil: timeText(now + HOUR), settleBefore: timeText(now + 2n * HOUR) }
      const initiate = exercise(
        PROPOSAL,
        createdId(accepted),
        'OTCTradeProposal_InitiateSettlement',
        times,
      )
      const tradeId = createdId(await done(venue, initiate))
      return { tradeId, view: await requestOf(alice, tradeId) }
    }
    /** A request as a wallet sees it that knows only the interface. */
    const requestOf = async (user: LedgerUser, tradeId: string) => {
      const value = {
        interfaceId: `${REQUEST}:AllocationRequest`,
        includeInterfaceView: true,
        includeCreatedEventBlob: false,
      }
      const filter = { cumulative: [{ identifierFilter: { InterfaceFilter: { value } } }] }
      const found = await ledger.done(user, 'POST /v2/state/active-contracts', {
        activeAtOffset: await ledger.end(),
        eventFormat: { filtersByParty: { [user.party]: filter }, verbose: false },
      })
      const events = list(found).map((entry) =>
        path(entry, 'contractEntry', 'JsActiveContract', 'createdEvent'),
      )
      const event = events.find((one) => path(one, 'contractId') === tradeId)
      return path(event, 'interfaceViews', 0, 'viewValue')
    }
    const choiceArguments = async (user: LedgerUser, legId: string, view: unknown) => ({
      expectedAdmin: admin,
      allocation: {
        settlement: path(view, 'settlement'),
        transferLegId: legId,
        transferLeg: path(view, 'transferLegs', legId),
      },
      requestedAt: timeText(BigInt(Date.now()) * 1_000n - 1_000_000n),
      inputHoldingCids: await coinsOf(user),
      extraArgs: { context: NO_META, meta: NO_META },
    })
    const allocate = async (user: LedgerUser, legId: string, view: unknown): Promise<string> => {
      const given = await choiceArguments(user, legId, view)
      const factory = await ask('allocation-instruction/v1/allocation-factory', {
        choiceArguments: given,
      })
      const context = path(factory, 'choiceContext', 'choiceContextData')
      const command = exercise(
        `${FACTORY}:AllocationFactory`,
        String(path(factory, 'factoryId')),
        'AllocationFactory_Allocate',
        { ...given, extraArgs: { context, meta: NO_META } },
      )
      const answer = await done(user, command, path(factory, 'choiceContext', 'disclosedContracts'))
      const created = list(path(answer, 'transaction', 'events')).map((event) =>
        path(event, 'CreatedEvent'),
      )
      const isAllocation = (event: unknown) =>
        String(path(event, 'templateId')).endsWith(':Network.CoinAllocation:CoinAllocation')
      return String(path(created.find(isAllocation), 'contractId'))
    }
    const contextOf = (allocationId: string, choice: string) =>
      ask(`allocations/v1/${allocationId}/choice-contexts/${choice}`)
    const ending = async (
      tradeId: string,
      choice: 'Settle' | 'Cancel',
      allocations: Readonly<Record<string, string>>,
    ) => {
      const registryChoice = choice === 'Settle' ? 'execute-transfer' : 'cancel'
      const entries = await Promise.all(
        Object.entries(allocations).map(async ([legId, id]) => {
          const found = await contextOf(id, registryChoice)
          const extraArgs = { context: path(found, 'choiceContextData'), meta: NO_META }
          return { legId, argument: { _1: id, _2: extraArgs }, found }
        }),
      )
      const allocationsWithContext = Object.fromEntries(
        entries.map(({ legId, argument }) => [legId, argument]),
      )
      const command = exercise(`${APP}:OTCTrade`, tradeId, `OTCTrade_${choice}`, {
        allocationsWithContext,
      })
      const disclosed = entries.flatMap(({ found }) => list(path(found, 'disclosedContracts')))
      const byId = new Map(disclosed.map((one) => [path(one, 'contractId'), one]))
      return { command, disclosed: [...byId.values()] }
    }

    test('what refers to a contract takes ids of every version, and by its name refuses what is none', async () => {
      const ids = {
        own: `00${'ab'.repeat(48)}`,
        'of the public network': `00${'ab'.repeat(32)}ca10${'cd'.repeat(33)}`,
        'of its next version': `01${'ab'.repeat(12)}ca20${'cd'.repeat(31)}`,
      }
      for (const [what, id] of Object.entries(ids)) {
        const [proposed, allocated] = [await proposeFor(id), await allocateFor(id)]
        assert.deepEqual([proposed.status, allocated.status], [200, 200], what)
      }
      for (const id of ['zz', '00', '00ab0', '02abab', '00ABAB', `00${'ab'.repeat(127)}`, '#1:0']) {
        const [proposed, allocated] = [await proposeFor(id), await allocateFor(id)]
        assert.deepEqual([proposed.status, allocated.status], [400, 400], id)
        assert.match(proposed.text, /tradeCid: expected a contract id/)
        assert.match(allocated.text, /settlement_ref.cid is not a contract id/)
      }
    })

    test('both legs are locked, then change hands in one transaction', async () => {
      const [alice, bob] = await balances()
      const { tradeId, view } = await trade()
      const leg0 = await allocate(ledger.alice, 'leg0', view)
      const leg1 = await allocate(ledger.bob, 'leg1', view)
      assert.deepEqual(await balances(), [
        { free: alice.free - 100, locked: alice.locked + 100 },
        { free: bob.free - 20, locked: bob.locked + 20 },
      ])
      const { command, disclosed } = await ending(tradeId, 'Settle', { leg0, leg1 })
      await done(venue, command, disclosed)
      assert.deepEqual(await balances(), [
        { ...alice, free: alice.free - 80 },
        { ...bob, free: bob.free + 80 },
      ])
      assert.equal((await submit(venue, command, disclosed)).status, 404)
    })

    test('one leg alone, a leg taken back, or that of another trade settles nothing', async () => {
      const [first, second] = [await trade(), await trade()]
      const leg0 = await allocate(ledger.alice, 'leg0', first.view)
      const leg1 = await allocate(ledger.bob, 'leg1', first.view)
      const others = await allocate(ledger.alice, 'leg0', second.view)
      const before = await balances()
      for (const allocations of [{ leg0 }, { leg0: others, leg1 }, { leg0, leg1, leg2: others }]) {
        const { command, disclosed } = await ending(first.tradeId, 'Settle', allocations)
        const answer = await submit(venue, command, disclosed)
        assert.equal(answer.status, 400, answer.text)
      }
      const { command, disclosed } = await ending(first.tradeId, 'Settle', { leg0, leg1 })
      const context = path(await contextOf(leg1, 'withdraw'), 'choiceContextData')
      const withdraw = exercise(`${ALLOCATION}:Allocation`, leg1, 'Allocation_Withdraw', {
        extraArgs: { context, meta: NO_META },
      })
      const stranger = await submit(ledger.alice, withdraw)
      assert.notEqual(stranger.status, 200)
      assert.deepEqual(await balances(), before)
      const disclosedToBob = path(await contextOf(leg1, 'withdraw'), 'disclosedContracts')
      await done(ledger.bob, withdraw, disclosedToBob)
      const [, bob] = before
      const settled = await submit(venue, command, disclosed)
      assert.equal(settled.status, 404, settled.text)
      assert.deepEqual(await balances(), [
        before[0],
        { free: bob.free + 20, locked: bob.locked - 20 },
      ])
      const gone = await call(
        ledger.service.url,
        `POST /registry/allocations/v1/${leg1}/choice-contexts/execute-transfer`,
        { body: {} },
      )
      assert.equal(gone.status, 404)
      const cancel = await ending(first.tradeId, 'Cancel', { leg0 })
      await done(venue, cancel.command, cancel.disclosed)
      const [alice] = before
      assert.deepEqual(await balance(ledger.alice), {
        free: alice.free + 100,
        locked: alice.locked - 100,
      })
    })

    test('a wallet sees what is asked of it, allocates its leg once, and takes it back', async () => {
      const { alice, bob } = ledger
      const WALLET = '/api/validator/v0'
      const requests = `${WALLET}/wallet/token-standard/allocation-requests`
      const listed = async (user: LedgerUser, at: string, key: string) =>
        list(path(await ledger.done(user, `GET ${at}`), key)).map((one) =>
          path(one, 'contract', 'contract_id'),
        )
      const { tradeId, view } = await trade()
      for (const user of [alice, bob])
        assert.ok((await listed(user, requests, 'allocation_requests')).includes(tradeId))
      assert.deepEqual(await listed(venue, requests, 'allocation_requests'), [])
      const micros = (name: string) => Date.parse(String(path(view, 'settlement', name))) * 1_000
      const body = {
        settlement: {
          executor: venue.party,
          settlement_ref: path(view, 'settlement', 'settlementRef'),
          requested_at: micros('requestedAt'),
          allocate_before: micros('allocateBefore'),
          settle_before: micros('settleBefore'),
        },
        transfer_leg_id: 'leg0',
        transfer_leg: { receiver: bob.party, amount: '100' },
      }
      const allocateCoin = (change: object = {}) =>
        ledger.ask(alice, `POST ${WALLET}/allocations`, { ...body, ...change })
      const before = await balance(alice)
      const made = await allocateCoin()
      assert.equal(made.status, 200, made.text)
      assert.deepEqual((await allocateCoin()).json, made.json)
      const other = { transfer_leg: { receiver: bob.party, amount: '101' } }
      assert.equal((await allocateCoin(other)).status, 409)
      assert.deepEqual(await balance(alice), {
        free: before.free - 100,
        locked: before.locked + 100,
      })
      const id = String(path(made.json, 'output', 'allocation_cid'))
      assert.ok((await listed(alice, `${WALLET}/allocations`, 'allocations')).includes(id))
      assert.ok(!(await listed(bob, `${WALLET}/allocations`, 'allocations')).includes(id))
      const takeBack = (user: LedgerUser) =>
        ledger.ask(user, `POST ${WALLET}/allocations/${id}/withdraw`)
      assert.equal((await takeBack(bob)).status, 404)
      const back = await takeBack(alice)
      assert.equal(back.status, 200, back.text)
      assert.equal(list(path(back.json, 'sender_holding_cids')).length, 1)
      assert.equal((await takeBack(alice)).status, 404)
      for (const change of [
        { transfer_leg: { receiver: bob.party, amount: '0' }, transfer_leg_id: 'x' },
        { transfer_leg: { receiver: 'nobody::12', amount: '1' }, transfer_leg_id: 'x' },
        { settlement: { ...body.settlement, allocate_before: 1 }, transfer_leg_id: 'x' },
        { settlement: { ...body.settlement, settle_before: 1 }, transfer_leg_id: 'x' },
        { settlement: 7 },
      ]) {
        const refused = await allocateCoin(change)
        assert.equal(refused.status, 400, refused.text)
      }
      assert.deepEqual(await balance(alice), before)
      const rejecting = (user: LedgerUser) => ledger.ask(user, `POST ${requests}/${tradeId}/reject`)
      assert.deepEqual([(await rejecting(venue)).status, (await rejecting(bob)).status], [400, 200])
      assert.ok(!(await listed(alice, requests, 'allocation_requests')).includes(tradeId))
      const anonymous = await call(ledger.service.url, `GET ${WALLET}/allocations`)
      assert.equal(anonymous.status, 401)
    })

    test('the registry refuses what is no allocation of its coin, and knows only what is there', async () => {
      const { view } = await trade()
      const given = await choiceArguments(ledger.alice, 'leg0', view)
      const factory = async (change: object) =>
        (
          await call(
            ledger.service.url,
            'POST /registry/allocation-instruction/v1/allocation-factory',
            { body: { choiceArguments: { ...given, ...change } } },
          )
        ).status
      const leg = (change: object) => ({
        allocation: {
          ...given.allocation,
          transferLeg: { ...Object(given.allocation.transferLeg), ...change },
        },
      })
      assert.deepEqual(
        [
          await factory({}),
          await factory({ expectedAdmin: 'other::12' }),
          await factory({ allocation: 7 }),
          await factory(leg({ amount: '0' })),
          await factory(leg({ instrumentId: { admin, id: 'None' } })),
        ],
        [200, 400, 400, 400, 404],
      )
      for (const choice of ['execute-transfer', 'withdraw', 'cancel']) {
        const at = (id: string) =>
          call(
            ledger.service.url,
            `POST /registry/allocations/v1/${id}/choice-contexts/${choice}`,
            {
              body: {},
            },
          )
        assert.deepEqual([(await at('00ab')).status, (await at('zz')).status], [404, 400])
      }
    })
  })
}
