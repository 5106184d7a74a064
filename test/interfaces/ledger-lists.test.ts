// Active contracts, updates and completions as lists: whose they show, where they begin and end,
// and what is too much.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { argument, assertRefused } from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, createdId, createRules, list, mint, path, startLedger } from './ledger-kit.ts'
import type { LedgerClient, LedgerUser } from './ledger-kit.ts'

const CONTRACTS = 'POST /v2/state/active-contracts'
const UPDATES = 'POST /v2/updates'
const COMPLETIONS = 'POST /v2/commands/completions'
const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
const WAIT = 'POST /v2/commands/submit-and-wait'
const HOLDING = '#network-api-token-holding-v1:Network.Api.Token.HoldingV1:Holding'
const DENIED: Documented = { status: 403, code: 'NA', category: -1, grpc: 7, context: {} }
const TOO_MANY: Documented = {
  status: 413,
  code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
  category: 2,
  grpc: 10,
  retryInfo: '1 second',
  definiteAnswer: false,
}
const SEEK: Documented = {
  status: 400,
  code: 'OFFSET_AFTER_LEDGER_END',
  category: 12,
  grpc: 11,
  retryInfo: '1 second',
}
const NEGATIVE: Documented = { status: 400, code: 'NEGATIVE_OFFSET', category: 8, grpc: 3 }

const all = (user: LedgerUser): object => ({ filtersByParty: { [user.party]: {} }, verbose: false })
const holdings = {
  InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } },
}
const ofHoldings = (user: LedgerUser): object => ({
  filtersByParty: { [user.party]: { cumulative: [{ identifierFilter: holdings }] } },
})
const deltas = (user: LedgerUser): object => ({
  includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat: all(user) },
})
const offsetOf = (item: unknown): number =>
  Number(path(item, 'update', 'Transaction', 'value', 'offset'))

for (const storage of storesFor('lists')) {
  describe(`lists on ${storage.name}`, () => {
    let ledger: LedgerClient
    before(async () => {
      ledger = await startLedger(storage, { ledger: { maxListElements: 20 } })
    })
    after(() => ledger.stop())

    test('active contracts are those of the stakeholder, at the offset', async () => {
      const { alice, bob, done, end } = ledger
      const start = await end()
      const at = (user: LedgerUser, activeAtOffset: number) =>
        done(user, CONTRACTS, { activeAtOffset, eventFormat: all(user) })
      const idsOf = (found: unknown): unknown[] =>
        list(found).map((each) =>
          path(each, 'contractEntry', 'JsActiveContract', 'createdEvent', 'contractId'),
        )
      const rulesId = createdId(
        await done(alice, SHOW, { commands: commandsOf(alice, createRules(alice)) }),
      )
      const created = await end()
      const archive = {
        ExerciseCommand: {
          templateId: '#network-test-token:Network.Test.Token:TestTokenRules',
          contractId: rulesId,
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      await done(alice, WAIT, commandsOf(alice, archive))
      assert.ok(!idsOf(await at(alice, start)).includes(rulesId))
      assert.ok(idsOf(await at(alice, created)).includes(rulesId), 'also when it is archived since')
      assert.ok(!idsOf(await at(alice, await end())).includes(rulesId))
      assert.ok(!idsOf(await at(bob, created)).includes(rulesId))
      assert.deepEqual(await at(alice, 0), [])
    })

    test('an interface shows what implements it, with views', async () => {
      const { alice, done, end } = ledger
      const rules = createdId(
        await done(alice, SHOW, { commands: commandsOf(alice, createRules(alice)) }),
      )
      await done(alice, WAIT, commandsOf(alice, mint(alice, rules, '7.25')))
      const found = list(
        await done(alice, CONTRACTS, {
          activeAtOffset: await end(),
          eventFormat: ofHoldings(alice),
        }),
      )
      const events = found.map((each) =>
        path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'),
      )
      assert.ok(
        events.every((event) =>
          /:(Coin|LockedCoin|TestTokenHolding)$/.test(String(path(event, 'templateId'))),
        ),
      )
      const gold = events.find((event) =>
        String(path(event, 'templateId')).endsWith(':TestTokenHolding'),
      )
      const view = path(list(path(gold, 'interfaceViews'))[0], 'viewValue')
      assert.equal(path(view, 'amount'), '7.2500000000')
      assert.equal(path(view, 'owner'), alice.party)
    })

    test('updates come in order, both ways, and only what a party sees', async () => {
      const { alice, bob, done, end } = ledger
      const start = await end()
      const made: number[] = []
      for (let count = 0; count < 5; count += 1) {
        made.push(
          Number(
            path(
              await done(alice, WAIT, commandsOf(alice, createRules(alice))),
              'completionOffset',
            ),
          ),
        )
      }
      const range = { beginExclusive: start, endInclusive: await end() }
      const upwards = list(
        await done(alice, UPDATES, { ...range, updateFormat: deltas(alice) }),
      ).map(offsetOf)
      assert.deepEqual(
        upwards.filter((offset) => made.includes(offset)),
        made,
      )
      const offsets = async (user: LedgerUser, request: object): Promise<number[]> =>
        list(await done(user, UPDATES, { ...range, ...request })).map(offsetOf)
      assert.deepEqual(
        await offsets(alice, { updateFormat: deltas(alice), descendingOrder: true }),
        upwards.toReversed(),
      )
      assert.deepEqual(
        (await offsets(bob, { updateFormat: deltas(bob) })).filter((offset) =>
          made.includes(offset),
        ),
        [],
      )
      assert.deepEqual(await offsets(alice, { filter: all(alice) }), upwards)
      assert.deepEqual(
        list(
          await done(alice, UPDATES, {
            ...range,
            beginExclusive: range.endInclusive,
            updateFormat: deltas(alice),
          }),
        ),
        [],
      )
    })

    test('without an end the list ends when nothing comes', async () => {
      const { alice, done, end } = ledger
      const commitLate = async (idleMs: number): Promise<void> => {
        const beginExclusive = await end()
        const startedMs = performance.now()
        const waiting = done(alice, `${UPDATES}?stream_idle_timeout_ms=${idleMs}`, {
          beginExclusive,
          updateFormat: deltas(alice),
        })
        await new Promise((resolve) => setTimeout(resolve, 300))
        const offset = path(
          await done(alice, WAIT, commandsOf(alice, createRules(alice))),
          'completionOffset',
        )
        const isInTime = performance.now() - startedMs < idleMs
        const offsets = list(await waiting).map(offsetOf)
        if (!isInTime && idleMs < 20_000) return commitLate(2 * idleMs)
        assert.ok(offsets.includes(Number(offset)), 'what came meanwhile is there')
        assert.ok(performance.now() - startedMs > idleMs + 200, 'it waited once more after that')
      }
      await commitLate(700)
    })

    test('completions are those of the user and the parties', async () => {
      const { alice, bob, done, end } = ledger
      const beginExclusive = await end()
      const commands = commandsOf(alice, createRules(alice))
      const { updateId, completionOffset } = { ...Object(await done(alice, WAIT, commands)) }
      await done(bob, WAIT, commandsOf(bob, createRules(bob)))
      const found = list(await done(alice, COMPLETIONS, { parties: [alice.party], beginExclusive }))
      const [value] = found.map((each) => path(each, 'completionResponse', 'Completion', 'value'))
      assert.equal(found.length, 1)
      assert.deepEqual(
        [
          path(value, 'commandId'),
          path(value, 'updateId'),
          path(value, 'offset'),
          path(value, 'userId'),
          path(value, 'actAs'),
          path(value, 'status', 'code'),
        ],
        [commands.commandId, updateId, completionOffset, 'alice', [alice.party], 0],
      )
    })

    test('more than the limit of the node is too much, a limit of the request cuts off', async () => {
      const { alice, ask, done, end } = ledger
      await done(
        alice,
        WAIT,
        commandsOf(alice, ...Array.from({ length: 25 }, () => createRules(alice))),
      )
      const request = { activeAtOffset: await end(), eventFormat: all(alice) }
      assertRefused(await ask(alice, CONTRACTS, request), {
        ...TOO_MANY,
        cause: 'The number of matching elements (21) is greater than the node limit (20).',
      })
      assert.equal(list(await done(alice, `${CONTRACTS}?limit=20`, request)).length, 20)
      assert.equal(list(await done(alice, `${CONTRACTS}?limit=3`, request)).length, 3)
      assert.equal(list(await done(alice, `${CONTRACTS}?limit=0`, request)).length, 0)
      assertRefused(await ask(alice, `${CONTRACTS}?limit=21`, request), TOO_MANY)
    })

    test('bad input', async () => {
      const { alice, bob, ask, end } = ledger
      const beyond = (await end()) + 1_000
      const filter = all(alice)
      const rows: [request: string, body: object, expected: Documented | string][] = [
        [
          CONTRACTS,
          { activeAtOffset: beyond, eventFormat: filter },
          {
            ...SEEK,
            cause: new RegExp(`^Active at offset \\(${beyond}\\) is after ledger end \\(\\d+\\)$`),
          },
        ],
        [CONTRACTS, { activeAtOffset: -1, eventFormat: filter }, NEGATIVE],
        [CONTRACTS, { activeAtOffset: '1', eventFormat: filter }, 'Invalid value for: body ('],
        [
          CONTRACTS,
          { eventFormat: filter },
          {
            status: 400,
            code: 'MISSING_FIELD',
            category: 8,
            grpc: 3,
            context: { field_name: 'active_at_offset' },
          },
        ],
        [
          CONTRACTS,
          { activeAtOffset: 1, eventFormat: {} },
          argument('filtersByParty and filtersForAnyParty cannot be empty simultaneously'),
        ],
        [CONTRACTS, { activeAtOffset: 1, eventFormat: all(bob) }, DENIED],
        [CONTRACTS, { activeAtOffset: 1, filter: all(bob) }, DENIED],
        [CONTRACTS, { activeAtOffset: 1, eventFormat: { filtersForAnyParty: {} } }, DENIED],
        [
          `${CONTRACTS}?limit=-1`,
          { activeAtOffset: 1, eventFormat: filter },
          argument('limit must not be negative'),
        ],
        [
          `${CONTRACTS}?limit=x`,
          { activeAtOffset: 1, eventFormat: filter },
          'Invalid value for: query parameter limit',
        ],
        [
          UPDATES,
          { beginExclusive: beyond, updateFormat: deltas(alice) },
          { ...SEEK, cause: /^Begin offset/ },
        ],
        [
          UPDATES,
          { beginExclusive: 0, endInclusive: beyond, updateFormat: deltas(alice) },
          { ...SEEK, cause: /^End offset/ },
        ],
        [
          UPDATES,
          { beginExclusive: 2, endInclusive: 1, updateFormat: deltas(alice) },
          { status: 400, code: 'OFFSET_OUT_OF_RANGE', category: 9, grpc: 9 },
        ],
        [UPDATES, { beginExclusive: -1, updateFormat: deltas(alice) }, NEGATIVE],
        [
          UPDATES,
          { beginExclusive: 0, updateFormat: deltas(alice), descendingOrder: true },
          { status: 400, code: 'DESCENDING_ORDER_MISSING_END', category: 8, grpc: 3 },
        ],
        [
          UPDATES,
          { beginExclusive: 0, updateFormat: deltas(alice), filter },
          { ...argument(''), cause: /Both update_format and filter are set\. / },
        ],
        [
          UPDATES,
          { beginExclusive: 0 },
          { ...argument(''), cause: /Either filter\/verbose or update_format is required\. / },
        ],
        [UPDATES, { beginExclusive: 0, updateFormat: deltas(bob) }, DENIED],
        [
          COMPLETIONS,
          { parties: [] },
          {
            status: 400,
            code: 'MISSING_FIELD',
            category: 8,
            grpc: 3,
            context: { field_name: 'parties' },
          },
        ],
        [COMPLETIONS, { parties: [bob.party] }, DENIED],
        [COMPLETIONS, { parties: [alice.party], userId: 'bob' }, DENIED],
        [COMPLETIONS, { parties: [alice.party], beginExclusive: beyond }, SEEK],
      ]
      for (const [request, body, expected] of rows)
        assertRefused(await ask(alice, request, body), expected)
    })
  })
}
