// Texts that people read, over HTTP: what hides something or turns the direction is refused with
// its field, by the wallet and by the ledger alike, and what is accepted is stored as it was sent.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { isReadable } from '../../generated/validation.gen.ts'
import { member } from '../../runtime/host/member.ts'
import { startAuthority, WALLET } from '../authority/kit.ts'
import type { Authority } from '../authority/kit.ts'
import type { Answer } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'

const OFFER = '#network-wallet:Network.Wallet.TransferOffer:TransferOffer'
const RULE =
  /Unicode text in form NFC, without control, direction or invisible characters, and without space at its ends/
const SENT = ['', 'two\n\nlines', 'می\u200cخواهم', '👩\u200d🚀 ❤\ufe0f', 'שלום', 'Rent  for May']
const REFUSED = [
  'rent ',
  '\trent',
  'a\u202eb',
  'a\u200bb',
  'e\u0301',
  'a\r\nb',
  '\u3164',
  'a\ufe0f',
]

for (const storage of storesFor('commands')) {
  after(() => storage.release())
  describe(`texts on ${storage.name}`, () => texts(storage))
}

function texts(storage: StorageUnderTest): void {
  let world: Authority
  let dso: string
  let count = 0
  before(async () => {
    world = await startAuthority(storage, 'dev')
    const found = await world.done('alice', 'GET /api/validator/v0/scan-proxy/dso-party-id')
    dso = String(member(found, 'dso_party_id'))
  })
  after(() => world.stop())

  function byWallet(description: string): Promise<Answer> {
    return world.ask('alice', `POST ${WALLET}/transfer-offers`, {
      receiver_party_id: world.operator,
      amount: '1.0',
      description,
      expires_at: (Date.now() + 60_000) * 1_000,
      tracking_id: `text-${(count += 1)}`,
    })
  }

  function byLedger(description: string): Promise<Answer> {
    const createArguments = {
      sender: world.alice,
      receiver: world.operator,
      dso,
      amount: { amount: '1.0', unit: 'CoinUnit' },
      description,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
      trackingId: `text-${(count += 1)}`,
    }
    return world.ask('alice', 'POST /v2/commands/submit-and-wait', {
      commandId: `text-${count}`,
      actAs: [world.alice],
      commands: [{ CreateCommand: { templateId: OFFER, createArguments } }],
    })
  }

  async function described(): Promise<readonly unknown[]> {
    const listed = await world.done('alice', `GET ${WALLET}/transfer-offers`)
    const offers = member(listed, 'offers')
    assert.ok(Array.isArray(offers))
    return offers.map((offer) => member(member(offer, 'payload'), 'description'))
  }

  for (const [name, send] of Object.entries({ wallet: byWallet, ledger: byLedger })) {
    test(`by the ${name}, what people write is stored as it was sent`, async () => {
      for (const text of SENT) {
        const answer = await send(text)
        assert.equal(answer.status, 200, answer.text)
        assert.ok((await described()).includes(text), text)
      }
    })

    test(`by the ${name}, what hides something is refused with its field and the rule`, async () => {
      for (const text of REFUSED) {
        const answer = await send(text)
        assert.equal(answer.status, 400, answer.text)
        assert.match(answer.text, /description/)
        assert.match(answer.text, RULE)
      }
    })
  }

  test('of any texts, both take the same, and what they take is in form NFC', async () => {
    const unit = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'ab \n') },
      { weight: 1, arbitrary: fc.constantFrom(...REFUSED.flatMap((text) => [...text])) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 6 }), async (text) => {
        const answers = [await byWallet(text), await byLedger(text)]
        const expected = isReadable(text) ? 200 : 400
        assert.deepEqual(
          answers.map(({ status }) => status),
          [expected, expected],
          answers.map(({ text: body }) => body).join('; '),
        )
        if (expected === 200) assert.equal(text, text.normalize('NFC').trim())
      }),
      { numRuns: 60 },
    )
  })
}
