// Single contracts over HTTP: how one began and ended, what it says, and to whom; contracts that
// their signatory takes off the synchronizer and assigns again.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ARGUMENT, assertRefused, DENIED, missing, refusal } from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import { storesFor } from '../support/storages.ts'
import {
  archive,
  commandsOf,
  createdId,
  createRules,
  list,
  mint,
  path,
  RULES,
  SHOW,
  startLedger,
} from './ledger-kit.ts'
import type { LedgerClient, LedgerUser } from './ledger-kit.ts'

const EVENTS = 'POST /v2/events/events-by-contract-id'
const CONTRACT = 'POST /v2/contracts/contract-by-id'
const MOVE = 'POST /v2/commands/submit-and-wait-for-reassignment'
const MOVE_ASYNC = 'POST /v2/commands/async/submit-reassignment'
const UNKNOWN = `00${'ab'.repeat(48)}`
const FIELD = refusal(8, 'INVALID_FIELD')
const absent = (code: string, contractId: string, type = 'CONTRACT_ID') =>
  refusal(11, code, { resources: [[type, contractId]] })
const of = ({ party }: LedgerUser): object => ({ filtersByParty: { [party]: {} } })

for (const storage of storesFor('single contracts')) {
  describe(`single contracts on ${storage.name}`, () => {
    let ledger: LedgerClient
    let synchronizer: string
    before(async () => {
      ledger = await startLedger(storage, {
        validator: { pollMs: 3_600_000 },
        automations: { merging: false },
      })
      const { alice, done } = ledger
      const connected = await done(alice, 'GET /v2/state/connected-synchronizers')
      synchronizer = String(
        path(list(path(connected, 'connectedSynchronizers'))[0], 'synchronizerId'),
      )
    })
    after(() => ledger.stop())

    const moving = (submitter: LedgerUser, command: object, rest: object = {}) => ({
      commandId: commandsOf(submitter).commandId,
      submitter: submitter.party,
      commands: [{ command }],
      ...rest,
    })
    const unassign = (contractId: string, rest: object = {}): object => ({
      UnassignCommand: {
        value: { contractId, source: synchronizer, target: synchronizer, ...rest },
      },
    })
    const assign = (reassignmentId: unknown): object => ({
      AssignCommand: { value: { reassignmentId, source: synchronizer, target: synchronizer } },
    })

    test('a contract tells how it began, and once it is archived how it ended', async () => {
      const { alice, done } = ledger
      const answer = await ledger.show(alice, createRules(alice))
      const [event] = list(path(answer, 'transaction', 'events'))
      const contractId = createdId(answer)
      const request = { contractId, eventFormat: { ...of(alice), verbose: true } }
      const active = await done(alice, EVENTS, request)
      assert.deepEqual(active, {
        created: { createdEvent: path(event, 'CreatedEvent'), synchronizerId: synchronizer },
      })
      const ended = await ledger.show(alice, archive(contractId))
      const [end] = list(path(ended, 'transaction', 'events'))
      assert.deepEqual(await done(alice, EVENTS, request), {
        created: path(active, 'created'),
        archived: { archivedEvent: path(end, 'ArchivedEvent'), synchronizerId: synchronizer },
      })
    })

    test('a contract that lived within one update tells its stakeholders both', async () => {
      const { alice, bob, ask, done } = ledger
      const brief = {
        CreateAndExerciseCommand: {
          templateId: RULES,
          createArguments: { admin: alice.party },
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      const commands = commandsOf(alice, brief)
      const eventFormat = of(alice)
      const transactionFormat = {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat,
      }
      const shown = await done(alice, SHOW, { commands, transactionFormat })
      const [born, ended] = list(path(shown, 'transaction', 'events'))
      const createdEvent = path(born, 'CreatedEvent')
      const contractId = String(path(createdEvent, 'contractId'))
      const both = await done(alice, EVENTS, { contractId, eventFormat })
      assert.equal(path(createdEvent, 'acsDelta'), false)
      assert.deepEqual(path(both, 'created', 'createdEvent'), createdEvent)
      assert.equal(
        path(both, 'archived', 'archivedEvent', 'nodeId'),
        path(ended, 'ExercisedEvent', 'nodeId'),
      )
      assertRefused(
        await ask(bob, EVENTS, { contractId, eventFormat: of(bob) }),
        absent('CONTRACT_EVENTS_NOT_FOUND', contractId),
      )
    })

    test('the place of a creation is that in its transaction', async () => {
      const { alice, done } = ledger
      const rules = await ledger.create(alice)
      const minted = await ledger.show(alice, mint(alice, rules, '2'))
      const contractId = createdId(minted)
      const events = await done(alice, EVENTS, { contractId, eventFormat: of(alice) })
      assert.equal(path(events, 'created', 'createdEvent', 'nodeId'), 1)
    })

    test('a contract is read by its stakeholders alone, also when it is archived', async () => {
      const { alice, bob, ask } = ledger
      const contractId = await ledger.create(alice)
      const read = async (user: LedgerUser) =>
        ask(user, CONTRACT, { contractId, queryingParties: [user.party] })
      const found = path((await read(alice)).json, 'createdEvent')
      assert.deepEqual(path(found, 'createArgument'), { admin: alice.party })
      assert.deepEqual(path(found, 'witnessParties'), [alice.party])
      assertRefused(await read(bob), absent('CONTRACT_PAYLOAD_NOT_FOUND', contractId))
      assertRefused(
        await ask(bob, EVENTS, { contractId, eventFormat: of(bob) }),
        absent('CONTRACT_EVENTS_NOT_FOUND', contractId),
      )
      assertRefused(await ask(bob, EVENTS, { contractId, eventFormat: of(alice) }), DENIED)
      assertRefused(
        await ask(bob, CONTRACT, { contractId, queryingParties: [alice.party] }),
        DENIED,
      )
      assertRefused(await ask(alice, CONTRACT, { contractId }), DENIED)
      await ledger.show(alice, archive(contractId))
      assert.deepEqual(path((await read(alice)).json, 'createdEvent'), found)
    })

    test('what names no contract is refused', async () => {
      const { alice, ask } = ledger
      const queryingParties = [alice.party]
      assertRefused(
        await ask(alice, EVENTS, { contractId: UNKNOWN, eventFormat: of(alice) }),
        absent('CONTRACT_EVENTS_NOT_FOUND', UNKNOWN),
      )
      assertRefused(
        await ask(alice, CONTRACT, { contractId: UNKNOWN, queryingParties }),
        absent('CONTRACT_PAYLOAD_NOT_FOUND', UNKNOWN),
      )
      for (const contractId of ['*', '\u0000', 'x'.repeat(5_000)]) {
        for (const answer of [
          await ask(alice, CONTRACT, { contractId, queryingParties }),
          await ask(alice, EVENTS, { contractId, eventFormat: of(alice) }),
          await ask(alice, MOVE, { reassignmentCommands: moving(alice, unassign(contractId)) }),
        ])
          assertRefused(answer, FIELD)
      }
      for (const reassignmentId of ['*', '\u0000'])
        assertRefused(
          await ask(alice, MOVE, { reassignmentCommands: moving(alice, assign(reassignmentId)) }),
          FIELD,
        )
      assertRefused(
        await ask(alice, EVENTS, { contractId: '', eventFormat: of(alice) }),
        missing('contract_id'),
      )
      assertRefused(await ask(alice, EVENTS, { contractId: UNKNOWN, eventFormat: {} }), ARGUMENT)
    })

    test('its signatory takes a contract off and assigns it again, once', async () => {
      const { alice, ask, done } = ledger
      const contractId = await ledger.create(alice)
      const off = await done(alice, MOVE, {
        reassignmentCommands: moving(alice, unassign(contractId)),
        eventFormat: of(alice),
      })
      const [event] = list(path(off, 'reassignment', 'events'))
      const left = path(event, 'JsUnassignedEvent', 'value')
      assert.equal(path(left, 'contractId'), contractId)
      const using = { commands: commandsOf(alice, mint(alice, contractId, '1')) }
      assert.equal((await ask(alice, SHOW, using)).status, 409)
      const back = { reassignmentCommands: moving(alice, assign(path(left, 'reassignmentId'))) }
      const on = await done(alice, MOVE, { ...back, eventFormat: of(alice) })
      const [arrival] = list(path(on, 'reassignment', 'events'))
      assert.equal(
        path(arrival, 'JsAssignmentEvent', 'reassignmentId'),
        path(left, 'reassignmentId'),
      )
      await ledger.show(alice, mint(alice, contractId, '1'))
      const again = moving(alice, assign(path(left, 'reassignmentId')))
      assert.equal((await ask(alice, MOVE, { reassignmentCommands: again })).status, 400)
    })

    test('nobody moves what others sign, and nothing moves on bad input', async () => {
      const { alice, bob, ask, done, end } = ledger
      const contractId = await ledger.create(alice)
      const [coin] = list(
        await done(alice, 'POST /v2/state/active-contracts', {
          activeAtOffset: await end(),
          eventFormat: of(alice),
        }),
      ).flatMap((entry) => {
        const event = path(entry, 'contractEntry', 'JsActiveContract', 'createdEvent')
        return list(path(event, 'signatories')).length > 1 ? [event] : []
      })
      const before = await end()
      const refused = async (user: LedgerUser, commands: object, expected: Documented) => {
        for (const request of [MOVE, MOVE_ASYNC])
          assertRefused(await ask(user, request, { reassignmentCommands: commands }), expected)
      }
      await refused(
        bob,
        moving(bob, unassign(contractId)),
        absent('CONTRACT_NOT_FOUND', contractId),
      )
      await refused(bob, moving(alice, unassign(contractId)), DENIED)
      await refused(
        alice,
        moving(alice, unassign(String(path(coin, 'contractId')))),
        refusal(8, 'AUTHORIZATION_ERROR'),
      )
      const elsewhere = unassign(contractId, { target: 'other::1220ab' })
      await refused(
        alice,
        moving(alice, elsewhere),
        absent('SYNCHRONIZER_NOT_FOUND', 'other::1220ab', 'SYNCHRONIZER_ID'),
      )
      await refused(
        alice,
        moving(alice, assign('1220ab')),
        absent('UPDATE_NOT_FOUND', '1220ab', 'REASSIGNMENT_ID'),
      )
      await refused(alice, moving(alice, { Empty: {} }), missing('command'))
      await refused(alice, moving(alice, {}, { commands: [] }), missing('commands'))
      const twice = { command: unassign(contractId) }
      await refused(alice, moving(alice, {}, { commands: [twice, twice] }), ARGUMENT)
      await refused(alice, moving(alice, unassign(contractId), { workflowId: '*' }), FIELD)
      assert.equal(await end(), before)
    })

    test('moves without waiting are told by completions, done or not', async () => {
      const { alice, done, end } = ledger
      const contractId = await ledger.create(alice)
      const beginExclusive = await end()
      const request = (submissionId: string) => ({
        reassignmentCommands: moving(alice, unassign(contractId), { submissionId }),
      })
      const first = request('first')
      const { commandId } = first.reassignmentCommands
      assert.deepEqual(await done(alice, MOVE_ASYNC, first), {})
      assert.equal(await end(), beginExclusive + 1)
      assert.deepEqual(await done(alice, MOVE_ASYNC, request('second')), {})
      const told = list(
        await done(alice, 'POST /v2/commands/completions?stream_idle_timeout_ms=50', {
          parties: [alice.party],
          beginExclusive,
        }),
      ).map((entry) => path(entry, 'completionResponse', 'Completion', 'value'))
      const [made, refused] = ['first', 'second'].map((id) =>
        told.find((completion) => path(completion, 'submissionId') === id),
      )
      assert.equal(told.length, 2)
      assert.deepEqual(
        [path(made, 'commandId'), path(made, 'actAs'), path(made, 'status', 'code')],
        [commandId, [alice.party], 0],
      )
      assert.match(String(path(refused, 'status', 'message')), /^LOCAL_VERDICT_LOCKED_CONTRACTS/)
      const shown = await done(alice, 'POST /v2/updates/update-by-id', {
        updateId: path(made, 'updateId'),
        updateFormat: { includeReassignments: of(alice) },
      })
      const update = path(shown, 'update', 'Reassignment', 'value')
      const [event] = list(path(update, 'events'))
      assert.deepEqual(
        [path(update, 'commandId'), path(event, 'JsUnassignedEvent', 'value', 'submitter')],
        [commandId, alice.party],
      )
    })
  })
}
