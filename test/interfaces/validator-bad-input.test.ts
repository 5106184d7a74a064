// Bad input that only the ledger's state can tell, at the validator's operations: contracts that
// are not there or not hers, amounts that nobody has. Requests that a document does not allow are
// those of test/conformance/own.test.ts and test/fuzz. docs/ledger-rules.md, "Errors" and "Values
// on the wire"; docs/economy-rules.md, "Wallet answers"
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { wire } from '../../generated/validator/routes.gen.ts'
import type { WireOperation } from '../../runtime/http/index.ts'
import { member } from '../../runtime/host/member.ts'
import { assertSound } from '../support/audit.ts'
import type { Life } from '../support/audit.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { exampleRequest } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'
import { pay } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'

const NETWORK = { traffic: { baseBurstBytes: 10_000_000_000 } }
const USERS = ['operator', 'alice', 'bob', 'carol']
const DOCUMENT = new URL('../../generated/validator/openapi.json', import.meta.url)

let service: Service
let place: StorePlace
let document: unknown
const tokens = new Map<string, string>()
const parties = new Map<string, string>()
const ids = { offer: '', archivedOffer: '', coin: '', bobCoin: '' }
let unique = 0

const party = (user: string): string => parties.get(user) ?? user
const inMicros = (micros: number): number => Date.now() * 1_000 + micros
const newId = (): string => `bad-${(unique += 1)}`

async function ask(user: string, line: string, body?: unknown): Promise<Answer> {
  const token = tokens.get(user)
  return call(service.url, line.replace(' ', ' /api/validator'), {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  })
}

async function startNetwork(storage: StorageUnderTest): Promise<void> {
  const section = await storage.section()
  service = await startService({ config: { storage: section, network: NETWORK }, seeded: true })
  place = placeOf(section, service.dataDir)
  document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  for (const user of USERS) tokens.set(user, await service.token(user))
  assert.equal((await ask('operator', 'POST /v0/admin/users', { name: 'carol' })).status, 200)
  for (const user of USERS)
    parties.set(
      user,
      String(member((await ask(user, 'GET /v0/wallet/user-status')).json, 'party_id')),
    )
  await makeContracts()
}

/** An offer of bob's to carol, one of alice's that is gone, and a coin each. */
async function makeContracts(): Promise<void> {
  ids.offer = await offerOf('bob', 'carol')
  ids.archivedOffer = await offerOf('alice', 'bob')
  assert.equal(
    (await ask('alice', `POST /v0/wallet/transfer-offers/${ids.archivedOffer}/withdraw`)).status,
    200,
  )
  ids.coin = await coinOf('alice')
  ids.bobCoin = await coinOf('bob')
}

async function offerOf(from: string, to: string): Promise<string> {
  const made = await ask(from, 'POST /v0/wallet/transfer-offers', offerBody(to))
  assert.equal(made.status, 200, made.text)
  return String(member(made.json, 'offer_contract_id'))
}

async function coinOf(user: string): Promise<string> {
  const coins = member((await ask(user, 'GET /v0/wallet/coins')).json, 'coins')
  return String(member(member(member(member(coins, '0'), 'contract'), 'contract'), 'contract_id'))
}

function offerBody(to: string): Record<string, unknown> {
  return {
    receiver_party_id: party(to),
    amount: '1.5',
    description: 'x',
    expires_at: inMicros(600_000_000),
    tracking_id: newId(),
  }
}

/** Asserts the documented error body with one of the statuses, which the operation declares. */
function assertRefused(
  { status, text, json }: Answer,
  { operationId, responses }: WireOperation,
  statuses: readonly number[],
): void {
  const what = `${operationId}: ${status} ${text.slice(0, 200)}`
  assert.ok(statuses.includes(status), what)
  assert.ok(
    responses.some((declared) => declared.status === String(status)),
    what,
  )
  assert.deepEqual(Object.keys(Object(json)), ['error'], what)
}

const operationOf = (id: string): WireOperation =>
  wire.operations.find(({ operationId }) => operationId === id) ?? assert.fail(id)

/** Amounts of more than 28 digits, more than 10 decimals, no decimals at all, not above zero. */
const BAD_AMOUNTS = [
  '0',
  '-1',
  '-0.0000000001',
  '0.00000000001',
  '1'.repeat(29),
  `-${'1'.repeat(29)}`,
  'one',
  '',
  '1e3',
  ' 1',
  '1.',
  '.5',
  '+1',
  '١',
]

/**
 * What is active, by template, and who has how much: of all that bad requests could have changed.
 */
async function ledger(): Promise<unknown> {
  const { lives, unlocked, supply } = assertSound(await readStore(place))
  const isOurs = ({ entity, archived }: Life): boolean =>
    archived === 0 && !/Round|Validator|Coupon|Traffic/.test(entity)
  const counts = Object.groupBy([...lives.values()].filter(isOurs), ({ entity }) => entity)
  const users = member((await ask('operator', 'GET /v0/admin/users')).json, 'usernames')
  return {
    counts: Object.entries(counts).map(([entity, found]) => [entity, found?.length]),
    unlocked: [...unlocked],
    supply,
    users,
  }
}

for (const storage of storesFor('validator bad input')) {
  describe(`on ${storage.name}`, () => {
    before(() => startNetwork(storage))

    after(async () => {
      await service.stop()
      await storage.release()
    })

    describeBadInput()
  })
}

function describeBadInput(): void {
  describe('contracts that are not there, not hers, of another kind or gone', () => {
    const OPERATIONS = wire.operations.filter(
      ({ path, method }) =>
        path.includes('{contract_id}') && method === 'POST' && !path.includes('/admin/'),
    )
    for (const operation of OPERATIONS) {
      test(operation.operationId, async (t) => {
        const last = ids.offer.endsWith('0') ? '1' : '0'
        const wrong = {
          foreign: ids.offer,
          archived: ids.archivedOffer,
          'her coin': ids.coin,
          'his coin': ids.bobCoin,
          forged: ids.offer.slice(0, -1) + last,
        }
        for (const [name, id] of Object.entries(wrong)) {
          const { body } = exampleRequest(operation, document)
          const line = `POST ${operation.path.replace('{contract_id}', id)}`
          await t.test(name, async () =>
            assertRefused(await ask('alice', line, body), operation, [400, 404, 409]),
          )
        }
      })
    }

    for (const verb of ['accept', 'reject', 'withdraw']) {
      test(`an offer by body: ${verb}`, async () => {
        for (const id of [ids.offer, ids.archivedOffer, ids.coin, ids.bobCoin]) {
          for (const contract_id of [id, { contract_id: id }, { contractId: id }]) {
            const answer = await ask('alice', `POST /v0/wallet/transfer-offers/${verb}`, {
              contract_id,
            })
            assert.equal(answer.status, 404, answer.text)
          }
        }
      })
    }
  })

  test('amounts that nobody has are refused or end as the document says, and nothing is lost', async () => {
    const stateBefore = await ledger()
    for (const amount of ['40000000', '9'.repeat(28), `${'9'.repeat(28)}.9999999999`]) {
      for (const id of ['transferPreapprovalSend', 'createTokenStandardTransfer', 'tap']) {
        const { method, path } = operationOf(id)
        const body = { ...offerBody('bob'), deduplication_id: newId(), amount }
        const answer = await ask('alice', `${method} ${path}`, body)
        assertRefused(answer, operationOf(id), [400, 409])
      }
    }
    assert.deepEqual(await ledger(), stateBefore)
  })

  test('an offer of more than there is can be made, and accepting it ends it', async () => {
    const stateBefore = await ledger()
    for (const amount of ['40000000', `${'9'.repeat(28)}.9999999999`]) {
      const tracking_id = newId()
      const made = await ask('alice', 'POST /v0/wallet/transfer-offers', {
        ...offerBody('bob'),
        tracking_id,
        amount,
      })
      assert.equal(made.status, 200, made.text)
      const cid = String(member(made.json, 'offer_contract_id'))
      assert.equal((await ask('bob', `POST /v0/wallet/transfer-offers/${cid}/accept`)).status, 200)
      const failed = await retried(async () => {
        const { json, text } = await ask(
          'alice',
          `POST /v0/wallet/transfer-offers/${tracking_id}/status`,
        )
        assert.equal(member(json, 'status'), 'failed', text)
        return json
      })
      assert.equal(member(failed, 'failure_kind'), 'withdrawn')
    }
    assert.deepEqual(await ledger(), stateBefore)
  })

  test('no bad amount makes anything, whatever else is said', async () => {
    const stateBefore = await ledger()
    for (const amount of BAD_AMOUNTS) {
      for (const line of [
        'POST /v0/wallet/transfer-offers',
        'POST /v0/wallet/tap',
        'POST /v0/wallet/token-standard/transfers',
      ]) {
        const answer = await ask('alice', line, {
          ...offerBody('bob'),
          amount,
          command_id: newId(),
        })
        assert.ok(
          answer.status >= 400 && answer.status < 500,
          `${line} ${amount}: ${answer.status} ${answer.text}`,
        )
      }
    }
    assert.deepEqual(await ledger(), stateBefore)
  })

  test('a payment that takes more than a hundred coins is refused; nothing is lost, and one that takes fewer merges them', async () => {
    const wallet = (user: string): WalletUser => ({
      token: tokens.get(user) ?? '',
      party: party(user),
    })
    const [alice, carol] = [wallet('alice'), wallet('carol')]
    const coins = Array.from({ length: 104 }, () =>
      pay(service.url, { kind: 'offer', from: alice, to: carol, amount: '1', id: newId() }),
    )
    assert.deepEqual(
      (await Promise.all(coins)).filter(({ end }) => end !== 'paid'),
      [],
    )
    const stateBefore = await ledger()
    for (const kind of ['offer', 'token'] as const) {
      const { end } = await pay(service.url, {
        kind,
        from: carol,
        to: alice,
        amount: '101',
        id: newId(),
      })
      assert.equal(end, 'refused', kind)
    }
    assert.deepEqual(await ledger(), stateBefore)
    for (const [kind, amount] of [
      ['offer', '50'],
      ['token', '54'],
    ] as const) {
      assert.deepEqual(
        await pay(service.url, { kind, from: carol, to: alice, amount, id: newId() }),
        { end: 'paid' },
      )
    }
  })
}
