// What a plain user can make others read has a limit: texts and lists of commands, pages and lists
// of whatever there is.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, refusal } from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, list, OFFER, path, startLedger } from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'

const WAIT = 'POST /v2/commands/submit-and-wait'
const OFFERS = 'GET /api/validator/v0/wallet/transfer-offers'
const HUGE = 'x'.repeat(1_000_000)
const PAGE_BYTES = 2_097_152
const LIST_BYTES = 1_000_000
const UNKNOWN = `00${'ab'.repeat(48)}`
const PROPOSAL =
  '#network-util-token-standard-wallet:Network.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal'
const PREAPPROVAL = '#network-coin:Network.CoinRules:TransferPreapproval'
const [BATCHES, OF_A_BATCH] = [10, 100]

const tooLong = (cause: RegExp): Documented => refusal(8, 'COMMAND_PREPROCESSING_FAILED', { cause })
const TOO_LARGE: Documented = refusal(2, 'JSON_API_MAXIMUM_LIST_SIZE_REACHED', {
  status: 413,
  definiteAnswer: false,
})

type Row = readonly [what: string, command: (ledger: LedgerClient) => object, cause: RegExp]
const ROWS: readonly Row[] = [
  [
    'a description',
    (ledger) => offer(ledger, { description: HUGE }),
    /TransferOffer\/description: has more than 280 characters/,
  ],
  [
    'a tracking id',
    (ledger) => offer(ledger, { trackingId: HUGE }),
    /TransferOffer\/trackingId: has more than 280 characters/,
  ],
  [
    'a party',
    (ledger) => offer(ledger, { receiver: HUGE }),
    /TransferOffer\/receiver: has more than 255 characters/,
  ],
  [
    'metadata',
    (ledger) => proposal(ledger, { a: 'x'.repeat(2_500), b: 'x'.repeat(2_500) }),
    /\/delegation\/meta: has more than 4096 bytes/,
  ],
  [
    'many metadata',
    (ledger) =>
      proposal(ledger, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, '']))),
    /\/delegation\/meta\/values: has more than 100 items/,
  ],
  [
    'an argument',
    (ledger) => send(ledger, { description: HUGE }),
    /TransferPreapproval_Send\/description: has more than 280 characters/,
  ],
  [
    'a list of inputs',
    (ledger) =>
      send(ledger, {
        inputs: Array.from({ length: 1_001 }, () => ({ tag: 'InputCoin', value: UNKNOWN })),
      }),
    /TransferPreapproval_Send\/inputs: has more than 1000 items/,
  ],
]

function offer({ alice, bob }: LedgerClient, change: object): object {
  const expiresAt = new Date(Date.now() + 600_000).toISOString()
  const createArguments = {
    sender: alice.party,
    receiver: bob.party,
    dso: dso(),
    amount: { amount: '1.0', unit: 'CoinUnit' },
    description: '',
    expiresAt,
    trackingId: 't',
    ...change,
  }
  return { CreateCommand: { templateId: OFFER, createArguments } }
}

function proposal({ alice, bob }: LedgerClient, values: object): object {
  const delegation = { operator: bob.party, owner: alice.party, meta: { values } }
  return { CreateCommand: { templateId: PROPOSAL, createArguments: { delegation } } }
}

function send({ alice }: LedgerClient, change: object): object {
  const context = {
    openMiningRound: UNKNOWN,
    issuingMiningRounds: [],
    validatorRights: [],
    featuredAppRight: null,
  }
  const choiceArgument = {
    context: { coinRules: UNKNOWN, context },
    inputs: [],
    amount: '0.0000000001',
    sender: alice.party,
    description: null,
    meta: null,
    ...change,
  }
  return {
    ExerciseCommand: {
      templateId: PREAPPROVAL,
      contractId: UNKNOWN,
      choice: 'TransferPreapproval_Send',
      choiceArgument,
    },
  }
}

let network = ''
const dso = (): string => network

for (const storage of storesFor('sizes')) {
  describe(`sizes on ${storage.name}`, () => {
    let ledger: LedgerClient
    before(async () => {
      ledger = await startLedger(storage, {
        validator: { pollMs: 3_600_000, maxListBytes: LIST_BYTES },
        automations: { merging: false },
        ledger: { maxListElements: 2_000, maxListBytes: LIST_BYTES },
        network: { traffic: { baseBurstBytes: 1_000_000_000 } },
      })
      network = String(
        path(await ledger.done(ledger.alice, 'GET /api/scan/v0/dso-party-id'), 'dso_party_id'),
      )
    })
    after(() => ledger.stop())

    for (const [what, command, cause] of ROWS) {
      test(`${what} that is too large is refused, and nothing is written`, async () => {
        const end = await ledger.end()
        assertRefused(
          await ledger.ask(ledger.alice, WAIT, commandsOf(ledger.alice, command(ledger))),
          tooLong(cause),
        )
        assert.equal(await ledger.end(), end)
      })
    }

    test('what fits is taken', async () => {
      const { alice, done } = ledger
      await done(alice, WAIT, commandsOf(alice, proposal(ledger, { note: 'x'.repeat(4_000) })))
    })

    describe('of a thousand long offers', () => {
      let start = 0
      before(async () => {
        const { alice, done, end } = ledger
        start = await end()
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const offers = Array.from({ length: OF_A_BATCH }, (_, at) =>
            offer(ledger, { description: '\u{1f600}'.repeat(279), trackingId: `${batch}-${at}` }),
          )
          await done(alice, WAIT, commandsOf(alice, ...offers))
        }
      })

      test('the receiver gets the newest of them without pages, and is told that there are more', async () => {
        const { status, json, text } = await ledger.ask(ledger.bob, OFFERS)
        assert.equal(status, 200, text.slice(0, 500))
        assert.ok(text.length <= 1_000_000, `${text.length} characters`)
        assert.equal(path(json, 'older_omitted'), true)
        const offers = list(path(json, 'offers'))
        assert.ok(offers.length > 1 && offers.length < BATCHES * OF_A_BATCH)
        const newest = `${BATCHES - 1}-${OF_A_BATCH - 1}`
        assert.equal(path(offers.at(-1), 'payload', 'trackingId'), newest)
      })

      test('pages tell each once, and none of them is large', async () => {
        const seen: unknown[] = []
        for (let next: unknown; seen.length === 0 || next !== undefined;) {
          const after = next === undefined ? '' : `&after=${String(next)}`
          const { json, text } = await ledger.ask(ledger.bob, `${OFFERS}?limit=1000${after}`)
          assert.ok(text.length <= PAGE_BYTES, `${text.length} characters`)
          seen.push(
            ...list(path(json, 'offers')).map((each) => path(each, 'payload', 'trackingId')),
          )
          next = path(json, 'next_page_token')
        }
        assert.equal(seen.length, BATCHES * OF_A_BATCH)
        assert.equal(new Set(seen).size, seen.length)
      })

      test('a list of updates ends earlier and goes on, active contracts are refused', async () => {
        const { alice, bob, ask, end } = ledger
        const eventFormat = { filtersByParty: { [bob.party]: {} }, verbose: false }
        const updateFormat = {
          includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat },
        }
        const offsets: unknown[] = []
        const endInclusive = await end()
        while (offsets.length < BATCHES) {
          const beginExclusive = Number(offsets.at(-1) ?? start)
          const { json, text } = await ask(bob, 'POST /v2/updates?limit=100', {
            beginExclusive,
            endInclusive,
            updateFormat,
          })
          assert.ok(text.length <= LIST_BYTES, `${text.length} characters`)
          const page = list(json).map((each) =>
            path(each, 'update', 'Transaction', 'value', 'offset'),
          )
          assert.ok(page.length > 0 && page.length < BATCHES)
          offsets.push(...page)
        }
        assert.equal(offsets.length, BATCHES)
        assert.deepEqual(offsets, [...new Set(offsets)])
        const whole = {
          activeAtOffset: endInclusive,
          eventFormat: { filtersByParty: { [alice.party]: {} } },
        }
        assertRefused(await ask(alice, 'POST /v2/state/active-contracts', whole), TOO_LARGE)
      })
    })
  })
}
