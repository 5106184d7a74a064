// Delivery versus payment over HTTP, as a client of the token standard goes about it: two parties
// trade, each allocates its leg with what the registry says, and the venue settles both or neither.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { timeText } from '../../runtime/participant/time.ts'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { createdId, list, path } from '../interfaces/ledger-kit.ts'

const APP = '#network-token-test-trading-app:Network.Testing.Apps.TradingApp'
const FACTORY =
  '#network-api-token-allocation-instruction-v1:Network.Api.Token.AllocationInstructionV1:AllocationFactory'
const REQUEST =
  '#network-api-token-allocation-request-v1:Network.Api.Token.AllocationRequestV1:AllocationRequest'
const ALLOCATION = '#network-api-token-allocation-v1:Network.Api.Token.AllocationV1:Allocation'
const HOUR = 3_600_000_000n
const NO_META = 'meta: {values: {}}'

type User = 'alice' | 'bob' | 'operator'

for (const storage of storesFor('allocations')) {
  describe(`allocations over HTTP on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    let commands = 0
    const run = (text: string) => world.run(text)
    const answered: Scripts['answered'] = (...asked) => world.answered(...asked)
    const know = (name: string, value: unknown) => void world.known.set(name, value)

    before(async () => {
      service = await startService({
        config: { storage: await storage.section(), automations: { merging: false } },
        seeded: true,
      })
      const places = {
        v0: '/api/validator/v0',
        wallet: '/api/validator/v0/wallet',
        requests: '/api/validator/v0/wallet/token-standard/allocation-requests',
        allocations: '/api/validator/v0/allocations',
        registry: '/registry',
      }
      world = await scriptsOf(service, places, 'operator', 'alice', 'bob')
      for (const user of ['operator', 'alice', 'bob']) {
        await run(`status = ${user} GET wallet/user-status`)
        know(user, answered('status', 'party_id'))
      }
      await run('info = anybody GET registry/metadata/v1/info')
      know('coin', { admin: answered('info', 'adminId'), id: 'Coin' })
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    /** A line that submits a command of a user, with contracts that another line disclosed. */
    const submitting = (user: User, command: string, disclosed = '[]') => {
      commands += 1
      return `${user} POST /v2/commands/submit-and-wait-for-transaction {commands: {
        commandId: allocation-${commands}, actAs: [$${user}], commands: [{${command}}],
        disclosedContracts: ${disclosed}}}`
    }
    const exercise = (template: string, id: string, choice: string, argument: string) =>
      `ExerciseCommand: {templateId: '${template}', contractId: ${id}, choice: ${choice},
        choiceArgument: ${argument}}`
    const proposing = (legs: string, tradeCid = 'null') =>
      `CreateCommand: {templateId: '${APP}:OTCTradeProposal', createArguments: {
        venue: $operator, tradeCid: ${tradeCid}, approvers: [$alice], transferLegs: {${legs}}}}`
    const leg = (sender: User, receiver: User, amount: string) =>
      `{sender: $${sender}, receiver: $${receiver}, amount: '${amount}', instrumentId: $coin,
        ${NO_META}}`
    /** What a command created first. */
    const made = async (user: User, command: string, disclosed?: string): Promise<string> => {
      await run(`submitted = ${submitting(user, command, disclosed)}`)
      return createdId(answered('submitted'))
    }
    const balance = async (user: User) => {
      await run(`balance = ${user} GET wallet/balance`)
      const [free = 0, locked = 0] = ['effective_unlocked_qty', 'effective_locked_qty'].map(
        (name) => Number(answered('balance', name)),
      )
      return { free, locked }
    }
    const balances = async () => [await balance('alice'), await balance('bob')] as const
    /** Ids of contracts that a user is told of. */
    const listed = async (user: User, at: string, key: string) => {
      await run(`found = ${user} GET ${at}`)
      return list(answered('found', key)).map((one) => path(one, 'contract', 'contract_id'))
    }

    /** Alice's 100 against Bob's 20, agreed on; the trade and the view of its request. */
    const trade = async () => {
      const proposal = `${APP}:OTCTradeProposal`
      const legs = `leg0: ${leg('alice', 'bob', '100')}, leg1: ${leg('bob', 'alice', '20')}`
      const proposed = await made('alice', proposing(legs))
      const accept = exercise(proposal, proposed, 'OTCTradeProposal_Accept', '{approver: $bob}')
      const accepted = await made('bob', accept)
      const now = BigInt(Date.now()) * 1_000n
      know('times', { prepareUntil: timeText(now + HOUR), settleBefore: timeText(now + 2n * HOUR) })
      const choice = 'OTCTradeProposal_InitiateSettlement'
      const tradeId = await made('operator', exercise(proposal, accepted, choice, '$times'))
      return { tradeId, view: await requestOf(tradeId) }
    }
    /** A request as alice's wallet sees it that knows only the interface. */
    const requestOf = async (tradeId: string) => {
      await run('end = alice GET /v2/state/ledger-end')
      const value = `{interfaceId: '${REQUEST}', includeInterfaceView: true,
        includeCreatedEventBlob: false}`
      const filter = `{cumulative: [{identifierFilter: {InterfaceFilter: {value: ${value}}}}]}`
      await run(`active = alice POST /v2/state/active-contracts {activeAtOffset: $end.offset,
        eventFormat: {filtersByParty: {'${String(answered('alice'))}': ${filter}},
          verbose: false}}`)
      const events = list(answered('active')).map((entry) =>
        path(entry, 'contractEntry', 'JsActiveContract', 'createdEvent'),
      )
      const event = events.find((one) => path(one, 'contractId') === tradeId)
      return path(event, 'interfaceViews', 0, 'viewValue')
    }
    /** Makes `$given` the arguments by which a user's leg is allocated. */
    const give = async (user: User, legId: string, view: unknown) => {
      await run(`coins = ${user} GET wallet/coins`)
      know('given', {
        expectedAdmin: answered('info', 'adminId'),
        allocation: {
          settlement: path(view, 'settlement'),
          transferLegId: legId,
          transferLeg: path(view, 'transferLegs', legId),
        },
        requestedAt: timeText(BigInt(Date.now()) * 1_000n - 1_000_000n),
        inputHoldingCids: list(answered('coins', 'coins')).map((coin) =>
          path(coin, 'contract', 'contract', 'contract_id'),
        ),
      })
    }
    const given = (context: string) =>
      `{expectedAdmin: $given.expectedAdmin, allocation: $given.allocation,
        requestedAt: $given.requestedAt, inputHoldingCids: $given.inputHoldingCids,
        extraArgs: {context: ${context}, ${NO_META}}}`
    const FACTORY_LINE =
      'anybody POST registry/allocation-instruction/v1/allocation-factory {choiceArguments:'

    const allocate = async (user: User, legId: string, view: unknown): Promise<string> => {
      await give(user, legId, view)
      await run(`factory = ${FACTORY_LINE} ${given('{values: {}}')}}`)
      const argument = given('$factory.choiceContext.choiceContextData')
      const command = exercise(
        FACTORY,
        '$factory.factoryId',
        'AllocationFactory_Allocate',
        argument,
      )
      const disclosed = '$factory.choiceContext.disclosedContracts'
      await run(`allocated = ${submitting(user, command, disclosed)}`)
      const created = list(answered('allocated', 'transaction', 'events')).map((event) =>
        path(event, 'CreatedEvent'),
      )
      const isAllocation = (event: unknown) =>
        String(path(event, 'templateId')).endsWith(':Network.CoinAllocation:CoinAllocation')
      return String(path(created.find(isAllocation), 'contractId'))
    }
    const contextOf = (id: string, choice: string) =>
      `anybody POST registry/allocations/v1/${id}/choice-contexts/${choice} {}`
    /** The line by which the venue ends a trade. */
    const ending = async (
      tradeId: string,
      choice: 'Settle' | 'Cancel',
      allocations: Readonly<Record<string, string>>,
    ): Promise<string> => {
      const registryChoice = choice === 'Settle' ? 'execute-transfer' : 'cancel'
      const entries: [string, unknown][] = []
      const disclosed = new Map<unknown, unknown>()
      for (const [legId, id] of Object.entries(allocations)) {
        await run(`context = ${contextOf(id, registryChoice)}`)
        const context = answered('context', 'choiceContextData')
        entries.push([legId, { _1: id, _2: { context, meta: { values: {} } } }])
        for (const one of list(answered('context', 'disclosedContracts')))
          disclosed.set(path(one, 'contractId'), one)
      }
      const name = `ending${commands}`
      know(name, { allocations: Object.fromEntries(entries), disclosed: [...disclosed.values()] })
      const argument = `{allocationsWithContext: $${name}.allocations}`
      const command = exercise(`${APP}:OTCTrade`, tradeId, `OTCTrade_${choice}`, argument)
      return submitting('operator', command, `$${name}.disclosed`)
    }

    test('what refers to a contract takes ids of every version, and by its name refuses what is none', async () => {
      const now = BigInt(Date.now()) * 1_000n
      for (const [name, hours] of Object.entries({ now: 0n, hour: 1n, hours: 2n }))
        know(name, Number(now + hours * HOUR))
      /** Bob's leg of a settlement with this reference, allocated by alice's wallet. */
      const allocating = (cid: string) =>
        `alice POST allocations {
          settlement: {executor: $operator, settlement_ref: {id: trade, cid: '${cid}'},
            requested_at: $now, allocate_before: $hour, settle_before: $hours},
          transfer_leg_id: '${cid.slice(0, 200)}', transfer_leg: {receiver: $bob, amount: '1'}}`
      const proposingFor = (cid: string) =>
        submitting('alice', proposing(`leg: ${leg('alice', 'bob', '1')}`, `'${cid}'`))
      for (const id of [
        `00${'ab'.repeat(48)}`,
        // Of the public network, and of its next version.
        `00${'ab'.repeat(32)}ca10${'cd'.repeat(33)}`,
        `01${'ab'.repeat(12)}ca20${'cd'.repeat(31)}`,
      ])
        await run(`
          ${proposingFor(id)}
          ${allocating(id)}
        `)
      for (const id of ['zz', '00', '00ab0', '02abab', '00ABAB', `00${'ab'.repeat(127)}`, '#1:0']) {
        await run(`
          proposed = 400 ${proposingFor(id)}
          allocated = 400 ${allocating(id)}
        `)
        assert.match(String(answered('proposed', 'cause')), /tradeCid: expected a contract id/)
        assert.match(
          String(answered('allocated', 'error')),
          /settlement_ref.cid is not a contract id/,
        )
      }
    })

    test('both legs are locked, then change hands in one transaction', async () => {
      const [alice, bob] = await balances()
      const { tradeId, view } = await trade()
      const leg0 = await allocate('alice', 'leg0', view)
      const leg1 = await allocate('bob', 'leg1', view)
      assert.deepEqual(await balances(), [
        { free: alice.free - 100, locked: alice.locked + 100 },
        { free: bob.free - 20, locked: bob.locked + 20 },
      ])
      const settle = await ending(tradeId, 'Settle', { leg0, leg1 })
      await run(settle)
      assert.deepEqual(await balances(), [
        { ...alice, free: alice.free - 80 },
        { ...bob, free: bob.free + 80 },
      ])
      await run(`404 ${settle.replace(/allocation-\d+/, 'again')}`)
    })

    test('one leg alone, a leg taken back, or that of another trade settles nothing', async () => {
      const [first, second] = [await trade(), await trade()]
      const leg0 = await allocate('alice', 'leg0', first.view)
      const leg1 = await allocate('bob', 'leg1', first.view)
      const others = await allocate('alice', 'leg0', second.view)
      const before = await balances()
      for (const allocations of [{ leg0 }, { leg0: others, leg1 }, { leg0, leg1, leg2: others }])
        await run(`400 ${await ending(first.tradeId, 'Settle', allocations)}`)
      const settle = await ending(first.tradeId, 'Settle', { leg0, leg1 })
      await run(`back = ${contextOf(leg1, 'withdraw')}`)
      const argument = `{extraArgs: {context: $back.choiceContextData, ${NO_META}}}`
      const withdraw = exercise(ALLOCATION, leg1, 'Allocation_Withdraw', argument)
      const stranger = await world.ask(submitting('alice', withdraw))
      assert.equal(stranger.status, 404, stranger.text)
      assert.deepEqual(await balances(), before)
      await run(`
        ${submitting('bob', withdraw, '$back.disclosedContracts')}
        404 ${settle}
        404 ${contextOf(leg1, 'execute-transfer')}
      `)
      const [alice, bob] = before
      assert.deepEqual(await balances(), [alice, { free: bob.free + 20, locked: bob.locked - 20 }])
      await run(await ending(first.tradeId, 'Cancel', { leg0 }))
      assert.deepEqual(await balance('alice'), {
        free: alice.free + 100,
        locked: alice.locked - 100,
      })
    })

    test('a wallet sees what is asked of it, allocates its leg once, and takes it back', async () => {
      const { tradeId, view } = await trade()
      for (const user of ['alice', 'bob'] as const)
        assert.ok((await listed(user, 'requests', 'allocation_requests')).includes(tradeId))
      assert.deepEqual(await listed('operator', 'requests', 'allocation_requests'), [])
      const micros = (name: string) => Date.parse(String(path(view, 'settlement', name))) * 1_000
      const settlement = {
        executor: answered('operator'),
        settlement_ref: path(view, 'settlement', 'settlementRef'),
        requested_at: micros('requestedAt'),
        allocate_before: micros('allocateBefore'),
        settle_before: micros('settleBefore'),
      }
      know('settlement', settlement)
      know('unallocated', { ...settlement, allocate_before: 1 })
      know('unsettled', { ...settlement, settle_before: 1 })
      const body = `settlement: $settlement, transfer_leg_id: leg0,
        transfer_leg: {receiver: $bob, amount: '100'}`
      const before = await balance('alice')
      await run(`
        made = alice POST allocations {${body}}
        alice POST allocations {${body}} == $made
        409 alice POST allocations {${body}, transfer_leg: {receiver: $bob, amount: '101'}}
      `)
      assert.deepEqual(await balance('alice'), {
        free: before.free - 100,
        locked: before.locked + 100,
      })
      const id = answered('made', 'output', 'allocation_cid')
      assert.ok((await listed('alice', 'allocations', 'allocations')).includes(id))
      assert.ok(!(await listed('bob', 'allocations', 'allocations')).includes(id))
      const back = 'allocations/{id=$made.output.allocation_cid}/withdraw'
      await run(`
        404 bob POST ${back}
        alice POST ${back} => {sender_holding_cids.length: 1}
        404 alice POST ${back}
        400 alice POST allocations
          {${body}, transfer_leg_id: x, transfer_leg: {receiver: $bob, amount: '0'}}
        400 alice POST allocations
          {${body}, transfer_leg_id: x, transfer_leg: {receiver: 'nobody::12', amount: '1'}}
        400 alice POST allocations {${body}, transfer_leg_id: x, settlement: $unallocated}
        400 alice POST allocations {${body}, transfer_leg_id: x, settlement: $unsettled}
        400 alice POST allocations {${body}, settlement: 7}
      `)
      assert.deepEqual(await balance('alice'), before)
      await run(`
        400 operator POST requests/${tradeId}/reject
        bob POST requests/${tradeId}/reject
        401 anybody GET allocations
      `)
      assert.ok(!(await listed('alice', 'requests', 'allocation_requests')).includes(tradeId))
    })

    test('the registry refuses what is no allocation of its coin, and knows only what is there', async () => {
      const { view } = await trade()
      await give('alice', 'leg0', view)
      const whole = given('{values: {}}').slice(1, -1)
      const changed = (change: string) => {
        const { allocation } = Object(answered('given'))
        return `allocation: {settlement: $given.allocation.settlement, transferLegId: leg0,
          transferLeg: ${JSON.stringify({ ...allocation.transferLeg, ...JSON.parse(change) })}}`
      }
      const other = JSON.stringify({ instrumentId: { ...Object(answered('coin')), id: 'None' } })
      await run(`
        ${FACTORY_LINE} {${whole}}}
        400 ${FACTORY_LINE} {${whole}, expectedAdmin: 'other::12'}}
        400 ${FACTORY_LINE} {${whole}, allocation: 7}}
        400 ${FACTORY_LINE} {${whole}, ${changed('{"amount": "0"}')}}}
        404 ${FACTORY_LINE} {${whole}, ${changed(other)}}}
      `)
      for (const choice of ['execute-transfer', 'withdraw', 'cancel'])
        await run(`
          404 ${contextOf('00ab', choice)}
          400 ${contextOf('zz', choice)}
        `)
    })
  })
}
