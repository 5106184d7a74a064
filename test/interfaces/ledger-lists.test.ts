// Active contracts, updates and completions as lists and pages, also in their former ways: whose
// they show, where they begin and end, and what is too much.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { argument, assertRefused, DENIED, missing, refusal } from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  archive,
  commandsOf,
  createRules,
  list,
  mint,
  path,
  startLedger,
  WAIT,
} from './ledger-kit.ts'
import type { LedgerClient, LedgerUser } from './ledger-kit.ts'
import { openStream } from './stream-client.ts'

const CONTRACTS = 'POST /v2/state/active-contracts'
const UPDATES = 'POST /v2/updates'
const COMPLETIONS = 'POST /v2/commands/completions'
const FLATS = 'POST /v2/updates/flats'
const TREES = 'POST /v2/updates/trees'
const CONTRACTS_PAGE = 'GET /v2/state/active-contracts-page'
const UPDATES_PAGE = 'POST /v2/updates/get-updates-page'
const BY_ID = 'POST /v2/updates/transaction-by-id'
const BY_OFFSET = 'POST /v2/updates/transaction-by-offset'
const TREE_BY_ID = 'GET /v2/updates/transaction-tree-by-id/'
const HOLDING = '#network-api-token-holding-v1:Network.Api.Token.HoldingV1:Holding'
const TOO_MANY = refusal(2, 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', {
  status: 413,
  definiteAnswer: false,
})
const SEEK = refusal(12, 'OFFSET_AFTER_LEDGER_END')
const NOT_FOUND = refusal(11, 'UPDATE_NOT_FOUND')
const NO_TOKEN = argument('Invalid page token')
const NEGATIVE = refusal(8, 'NEGATIVE_OFFSET')

/** Elements of an operation that streams and ends. */
const streamed = async (
  { service }: LedgerClient,
  address: string,
  request: object,
  user: LedgerUser,
): Promise<readonly unknown[]> => {
  const stream = await openStream(service.url, address, request, user)
  assert.ok('elements' in stream)
  assert.equal(await stream.ended, 1000)
  return stream.elements
}

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
/** A page token whose place is another one. */
const edited = (token: string): string => {
  const text = Buffer.from(token, 'base64url').toString()
  return Buffer.from(text.replace(/\d(?=[.:])/, (digit) => (digit === '1' ? '2' : '1'))).toString(
    'base64url',
  )
}

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
      const rulesId = await ledger.create(alice)
      const created = await end()
      await ledger.submit(alice, archive(rulesId))
      assert.ok(!idsOf(await at(alice, start)).includes(rulesId))
      assert.ok(idsOf(await at(alice, created)).includes(rulesId), 'also when it is archived since')
      assert.ok(!idsOf(await at(alice, await end())).includes(rulesId))
      assert.ok(!idsOf(await at(bob, created)).includes(rulesId))
      assert.deepEqual(await at(alice, 0), [])
    })

    test('an interface shows what implements it, with views', async () => {
      const { alice, done, end } = ledger
      const rules = await ledger.create(alice)
      await ledger.submit(alice, mint(alice, rules, '7.25'))
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
        made.push(Number(path(await ledger.submit(alice, createRules(alice)), 'completionOffset')))
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
        const offset = path(await ledger.submit(alice, createRules(alice)), 'completionOffset')
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
      await ledger.submit(bob, createRules(bob))
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
      await ledger.submit(alice, ...Array.from({ length: 25 }, () => createRules(alice)))
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

    test('flats are the updates, in the present form and in the older one', async () => {
      const { alice, done, end } = ledger
      const range = { beginExclusive: await end() }
      await ledger.submit(alice, createRules(alice))
      const bounded = { ...range, endInclusive: await end() }
      const updates = await done(alice, UPDATES, { ...bounded, updateFormat: deltas(alice) })
      assert.equal(list(updates).length, 1)
      for (const asked of [{ updateFormat: deltas(alice) }, { filter: all(alice) }])
        assert.deepEqual(await done(alice, FLATS, { ...bounded, ...asked }), updates)
      const asked = { ...bounded, updateFormat: deltas(alice) }
      assert.deepEqual(await streamed(ledger, '/v2/updates/flats', asked, alice), updates)
    })

    test('trees hold every node that a party witnesses, as the tree by id does', async () => {
      const { alice, bob, ask, done, end } = ledger
      const rules = await ledger.create(alice)
      const beginExclusive = await end()
      await ledger.submit(alice, mint(alice, rules, '2.5'))
      const request = { beginExclusive, endInclusive: await end(), filter: all(alice) }
      const found = list(await done(alice, TREES, request))
      assert.equal(found.length, 1)
      const tree = path(found[0], 'update', 'TransactionTree', 'value')
      const nodes = Object.values(Object(path(tree, 'eventsById')))
      assert.equal(path(nodes[0], 'ExercisedTreeEvent', 'value', 'choice'), 'TestTokenRules_Mint')
      assert.ok(nodes.some((node) => path(node, 'CreatedTreeEvent') !== undefined))
      const one = TREE_BY_ID + String(path(tree, 'updateId'))
      assert.deepEqual(await done(alice, `${one}?parties=${encodeURIComponent(alice.party)}`), {
        transaction: tree,
      })
      const stranger = `${one}?parties=${encodeURIComponent(bob.party)}`
      assertRefused(await ask(bob, stranger), NOT_FOUND)
      assert.deepEqual(await streamed(ledger, '/v2/updates/trees', request, alice), found)
    })

    test('a transaction is read by id and by offset, for parties or in a format', async () => {
      const { alice, bob, ask, done } = ledger
      const made = await ledger.show(alice, createRules(alice))
      const [updateId, offset] = ['updateId', 'offset'].map((each) =>
        path(made, 'transaction', each),
      )
      const transactionFormat = path(deltas(alice), 'includeTransactions')
      const requestingParties = [alice.party]
      const expected = await done(alice, BY_ID, { updateId, transactionFormat })
      assert.equal(path(expected, 'transaction', 'updateId'), updateId)
      assert.equal(list(path(expected, 'transaction', 'events')).length, 1)
      assert.deepEqual(await done(alice, BY_ID, { updateId, requestingParties }), expected)
      assert.deepEqual(await done(alice, BY_OFFSET, { offset, requestingParties }), expected)
      assert.deepEqual(await done(alice, BY_OFFSET, { offset, transactionFormat }), expected)
      assertRefused(await ask(bob, BY_ID, { updateId, requestingParties }), DENIED)
      assertRefused(await ask(bob, BY_ID, { updateId, transactionFormat }), DENIED)
      assertRefused(
        await ask(bob, BY_OFFSET, { offset, requestingParties: [bob.party] }),
        NOT_FOUND,
      )
    })

    test('pages of active contracts hold every contract of their offset once', async () => {
      const { alice, bob, ask, done, end } = ledger
      const create = (count: number) =>
        ledger.submit(alice, ...Array.from({ length: count }, createRulesOfAlice))
      const createRulesOfAlice = (): object => createRules(alice)
      await create(23)
      const start = await end()
      const asked = { eventFormat: all(alice), maxPageSize: 7 }
      const found: unknown[] = []
      const sizes: number[] = []
      let next: unknown
      do {
        const request = { ...asked, ...(next === undefined ? {} : { pageToken: next }) }
        const page = await done(alice, CONTRACTS_PAGE, request)
        assert.equal(path(page, 'activeAtOffset'), start, 'also of those after more was created')
        found.push(...list(path(page, 'activeContracts')))
        sizes.push(list(path(page, 'activeContracts')).length)
        next = path(page, 'nextPageToken')
        if (sizes.length === 1) await create(1)
      } while (next !== undefined)
      assert.ok(sizes.slice(0, -1).every((size) => size === 7) && sizes.length > 3, String(sizes))
      const whole = { activeAtOffset: start, eventFormat: all(alice) }
      assert.deepEqual(found, await streamed(ledger, '/v2/state/active-contracts', whole, alice))
      assert.equal(
        list(
          path(await done(alice, CONTRACTS_PAGE, { eventFormat: all(alice) }), 'activeContracts'),
        ).length,
        20,
        'as many as a list may have',
      )
      const { nextPageToken: pageToken } = Object(await done(alice, CONTRACTS_PAGE, asked))
      for (const other of [
        { ...asked, pageToken: Buffer.from('1.2:x').toString('base64url') },
        { ...asked, pageToken: '\u0000' },
        { ...asked, pageToken: edited(String(pageToken)) },
        { ...asked, pageToken, activeAtOffset: start },
        { ...asked, pageToken, eventFormat: ofHoldings(alice) },
      ])
        assertRefused(await ask(alice, CONTRACTS_PAGE, other), NO_TOKEN)
      assertRefused(await ask(bob, CONTRACTS_PAGE, { ...asked, pageToken }), DENIED)
    })

    test('pages of updates go both ways, and upwards on with what comes', async () => {
      const { alice, bob, ask, done, end } = ledger
      const beginOffsetExclusive = await end()
      const made: number[] = []
      const create = async (): Promise<void> => {
        const answer = await ledger.submit(alice, createRules(alice))
        made.push(Number(path(answer, 'completionOffset')))
      }
      for (let count = 0; count < 5; count += 1) await create()
      const asked = { beginOffsetExclusive, maxPageSize: 2, updateFormat: deltas(alice) }
      const read = async (request: object): Promise<{ offsets: number[]; range: number[][] }> => {
        const [offsets, range]: [number[], number[][]] = [[], []]
        let page: unknown
        do {
          const pageToken = path(page, 'nextPageToken')
          page = await done(alice, UPDATES_PAGE, {
            ...request,
            ...(pageToken ? { pageToken } : {}),
          })
          offsets.push(...list(path(page, 'updates')).map(offsetOf))
          range.push(
            ['lowestPageOffsetExclusive', 'highestPageOffsetInclusive'].map((each) =>
              Number(path(page, each)),
            ),
          )
        } while (path(page, 'nextPageToken') !== undefined)
        return { offsets, range }
      }
      const endOffsetInclusive = await end()
      const up = await read({ ...asked, endOffsetInclusive })
      assert.deepEqual(up.offsets, made)
      assert.deepEqual(
        up.range.map(([lowest]) => lowest),
        [beginOffsetExclusive, ...up.range.slice(0, -1).map(([, highest]) => highest)],
      )
      assert.equal(up.range.at(-1)?.[1], endOffsetInclusive)
      const down = await read({ ...asked, descendingOrder: true })
      assert.deepEqual(down.offsets, made.toReversed())
      assert.equal(down.range.at(-1)?.[0], beginOffsetExclusive)

      const open = await done(alice, UPDATES_PAGE, { ...asked, maxPageSize: 10 })
      const pageToken = path(open, 'nextPageToken')
      assert.ok(pageToken, 'a reader may come back')
      await create()
      const onwards = { ...asked, maxPageSize: 10, pageToken }
      const rest = await done(alice, UPDATES_PAGE, onwards)
      assert.deepEqual(list(path(rest, 'updates')).map(offsetOf), made.slice(-1))
      for (const other of [
        { ...onwards, pageToken: edited(String(pageToken)) },
        { ...onwards, descendingOrder: true },
        { ...onwards, beginOffsetExclusive: 1 },
        { ...onwards, endOffsetInclusive },
      ])
        assertRefused(await ask(alice, UPDATES_PAGE, other), NO_TOKEN)
      assertRefused(await ask(bob, UPDATES_PAGE, onwards), DENIED)
    })

    test('the asyncapi document names the paths that open as websockets', async () => {
      const { alice, service } = ledger
      const answer = await call(service.url, 'GET /docs/asyncapi')
      assert.equal(answer.status, 200)
      assert.match(answer.type, /^application\/yaml/)
      const document: unknown = parse(answer.text)
      assert.equal(path(document, 'asyncapi'), '2.6.0')
      const paths = Object.keys(Object(path(document, 'channels')))
      assert.equal(paths.length, 5)
      for (const each of paths) {
        const stream = await openStream(service.url, each, '{}', alice)
        assert.ok('elements' in stream, each)
        await stream.close()
      }
      const schemas = Object(path(document, 'components', 'schemas'))
      for (const [, name = ''] of answer.text.matchAll(/#\/components\/schemas\/(\w+)/g))
        assert.ok(name in schemas, name)
    })

    test('bad input', async () => {
      const { alice, bob, ask, end } = ledger
      const beyond = (await end()) + 1_000
      const filter = all(alice)
      const at = { activeAtOffset: 1, eventFormat: filter }
      const since = { beginExclusive: 0, updateFormat: deltas(alice) }
      const everything = 'filtersByParty and filtersForAnyParty cannot be empty simultaneously'
      const rows: Record<string, readonly (readonly [object, Documented | string])[]> = {
        [CONTRACTS]: [
          [
            { ...at, activeAtOffset: beyond },
            {
              ...SEEK,
              cause: new RegExp(
                `^Active at offset \\(${beyond}\\) is after ledger end \\(\\d+\\)$`,
              ),
            },
          ],
          [{ ...at, activeAtOffset: -1 }, NEGATIVE],
          [{ ...at, activeAtOffset: '1' }, 'Invalid value for: body ('],
          [{ eventFormat: filter }, missing('active_at_offset')],
          [{ ...at, eventFormat: {} }, argument(everything)],
          [{ activeAtOffset: 1, filter: all(bob) }, DENIED],
        ],
        [`${CONTRACTS}?limit=-1`]: [[at, argument('limit must not be negative')]],
        [`${CONTRACTS}?limit=x`]: [[at, 'Invalid value for: query parameter limit']],
        [UPDATES]: [
          [
            { ...since, beginExclusive: beyond },
            { ...SEEK, cause: /^Begin offset/ },
          ],
          [
            { ...since, endInclusive: beyond },
            { ...SEEK, cause: /^End offset/ },
          ],
          [{ ...since, beginExclusive: 2, endInclusive: 1 }, refusal(9, 'OFFSET_OUT_OF_RANGE')],
          [{ ...since, beginExclusive: -1 }, NEGATIVE],
          [{ ...since, descendingOrder: true }, refusal(8, 'DESCENDING_ORDER_MISSING_END')],
          [{ ...since, filter }, argument(/Both update_format and filter are set\. /)],
          [
            { beginExclusive: 0 },
            argument(/Either filter\/verbose or update_format is required\. /),
          ],
        ],
        [FLATS]: [[{ ...since, beginExclusive: beyond }, SEEK]],
        [TREES]: [
          [since, argument(/update_format cannot be set for transaction trees/)],
          [
            { beginExclusive: 0, filter: ofHoldings(alice) },
            argument(/cannot be filtered by template or interface/),
          ],
          [{ beginExclusive: 0 }, missing('filter')],
          [{ beginExclusive: 0, filter: all(bob) }, DENIED],
        ],
        [CONTRACTS_PAGE]: [
          [{ ...at, activeAtOffset: beyond }, SEEK],
          [{ ...at, activeAtOffset: -1 }, NEGATIVE],
          [
            { eventFormat: filter, maxPageSize: -1 },
            argument('Max page size must be non-negative'),
          ],
          [{ eventFormat: {} }, argument(everything)],
        ],
        [UPDATES_PAGE]: [
          [{ beginOffsetExclusive: beyond, updateFormat: deltas(alice) }, SEEK],
          [{ beginOffsetExclusive: -1, updateFormat: deltas(alice) }, NEGATIVE],
          [{ endOffsetInclusive: beyond, updateFormat: deltas(alice) }, SEEK],
        ],
        [BY_ID]: [
          [
            { updateId: '1220' },
            argument('Either requesting_parties or transaction_format is required'),
          ],
          [
            {
              updateId: '1220',
              requestingParties: [alice.party],
              transactionFormat: path(deltas(alice), 'includeTransactions'),
            },
            argument('requesting_parties and transaction_format cannot both be set'),
          ],
          [{ updateId: '1220', requestingParties: [alice.party] }, NOT_FOUND],
        ],
        [BY_OFFSET]: [
          [{ offset: 0, requestingParties: [alice.party] }, refusal(8, 'NON_POSITIVE_OFFSET')],
        ],
        [COMPLETIONS]: [
          [{ parties: [] }, missing('parties')],
          [{ parties: [alice.party], userId: 'bob' }, DENIED],
          [{ parties: [alice.party], beginExclusive: beyond }, SEEK],
        ],
      }
      for (const [request, bodies] of Object.entries(rows))
        for (const [body, expected] of bodies)
          assertRefused(await ask(alice, request, body), expected)
    })

    test('an interface of another package is not ours, whatever its module and name', async () => {
      const { alice } = ledger
      const found = async (interfaceId: string): Promise<number> => {
        const filter = { InterfaceFilter: { value: { interfaceId } } }
        const cumulative = [{ identifierFilter: filter }]
        const body = {
          activeAtOffset: await ledger.end(),
          eventFormat: { filtersByParty: { [alice.party]: { cumulative } } },
        }
        return list(await ledger.done(alice, 'POST /v2/state/active-contracts', body)).length
      }
      await ledger.submit(alice, mint(alice, await ledger.create(alice), '1'))
      assert.ok((await found(HOLDING)) > 0)
      assert.equal(await found(HOLDING.replace(/^#[^:]+/, '#elsewhere')), 0)
    })
  })
}
