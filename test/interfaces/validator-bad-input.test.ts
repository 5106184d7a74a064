// Bad input for every operation of the validator that is served, after the generated route table:
// the documented error with a declared 4xx, never a 5xx, and the ledger is as it was.
// docs/ledger-rules.md, "Errors" and "Values on the wire"; docs/economy-rules.md, "Wallet answers"
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { wire } from '../../generated/validator/routes.gen.ts'
import type { WireOperation } from '../../runtime/http/index.ts'
import { member } from '../../runtime/host/member.ts'
import {
  generate,
  hosted,
  newKey,
  prepareAccept,
  propose,
  signedTopology,
  submissionOf,
} from '../external/kit.ts'
import type { External } from '../external/kit.ts'
import { assertSound } from '../support/audit.ts'
import type { Life } from '../support/audit.ts'
import { BAD_AMOUNTS, badRequests } from '../support/bad-requests.ts'
import type { ProperRequest } from '../support/bad-requests.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { assertAllRefused, exampleRequest, faultOf, isServed } from '../support/refusals.ts'
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
const external = { topology: {}, accept: {}, order: {}, send: {}, newcomer: '', invited: '' }
const ids = { offer: '', archivedOffer: '', coin: '', bobCoin: '', synchronizer: '', proposal: '' }
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
  for (const user of [...USERS, 'stranger']) tokens.set(user, await service.token(user))
  tokens.set('forged', `${tokens.get('operator')?.slice(0, -6)}AAAAAA`)
  assert.equal((await ask('operator', 'POST /v0/admin/users', { name: 'carol' })).status, 200)
  for (const user of USERS)
    parties.set(
      user,
      String(member((await ask(user, 'GET /v0/wallet/user-status')).json, 'party_id')),
    )
  await makeContracts()
  await makeExternalParties()
}

/**
 * A party that nobody has signed for, one that is hosted, and one with a proposal; and what the
 * last one has signed.
 */
async function makeExternalParties(): Promise<void> {
  const done = async (user: string, line: string, body?: unknown): Promise<unknown> => {
    const answer = await ask(user, line, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const [holder, invited] = [newKey(), await hosted({ done }, 'invited')]
  external.topology = signedTopology(await generate({ done }, 'unsigned', holder), holder)
  external.newcomer = (await hosted({ done }, 'newcomer')).party
  external.invited = invited.party
  ids.proposal = await propose({ done }, invited)
  external.accept = submissionOf(invited, await prepareAccept({ done }, invited, ids.proposal))
  await done('bob', 'POST /v0/wallet/transfer-preapproval')
  await makeOrder(done, invited)
}

async function makeOrder(
  done: (user: string, line: string, body: unknown) => Promise<unknown>,
  sender: External,
): Promise<void> {
  external.order = {
    sender_party_id: sender.party,
    receiver_party_id: party('bob'),
    amount: 1.5,
    nonce: 0,
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  }
  const prepared = await done(
    'operator',
    'POST /v0/admin/external-party/transfer-preapproval/prepare-send',
    external.order,
  )
  const [transaction, tx_hash] = ['transaction', 'tx_hash'].map((name) =>
    String(member(prepared, name)),
  )
  external.send = submissionOf(sender, { transaction: transaction ?? '', tx_hash: tx_hash ?? '' })
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
  const { json } = await call(service.url, 'GET /v2/state/connected-synchronizers', {
    token: tokens.get('operator') ?? '',
  })
  ids.synchronizer = String(
    member(member(member(json, 'connectedSynchronizers'), '0'), 'synchronizerId'),
  )
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

type Some = Partial<Pick<ProperRequest, 'parameters' | 'body'>>

/**
 * What each operation needs to be asked properly, where its example in the document does not say
 * it. Made anew for each request.
 */
const PROPER: Readonly<Record<string, () => Some>> = {
  createTransferOffer: () => ({ body: offerBody('bob') }),
  createTokenStandardTransfer: () => ({ body: offerBody('bob') }),
  transferPreapprovalSend: () => ({
    body: {
      receiver_party_id: party('bob'),
      amount: '1.5',
      deduplication_id: newId(),
      description: 'x',
    },
  }),
  createBuyTrafficRequest: () => ({
    body: {
      receiving_validator_party_id: party('operator'),
      domain_id: ids.synchronizer,
      traffic_amount: 200_000,
      tracking_id: newId(),
      expires_at: inMicros(600_000_000),
    },
  }),
  submitExternalPartyTopology: () => ({ body: external.topology }),
  createExternalPartySetupProposal: () => ({ body: { user_party_id: external.newcomer } }),
  prepareAcceptExternalPartySetupProposal: () => ({
    body: { contract_id: ids.proposal, user_party_id: external.invited },
  }),
  submitAcceptExternalPartySetupProposal: () => ({ body: external.accept }),
  prepareTransferPreapprovalSend: () => ({ body: external.order }),
  submitTransferPreapprovalSend: () => ({ body: external.send }),
  tap: () => ({ body: { amount: '1.0', command_id: newId() } }),
  onboardUser: () => ({ body: { name: newId() } }),
  offboardUser: () => ({ parameters: { username: 'nobody' } }),
}

/**
 * Ids that only say what the caller knows: whatever is no current one is a stale one. A party that
 * nobody has has no rights, and can be made. One amount may be a number, and names may begin with
 * any text.
 */
const LENIENT = new RegExp(
  [
    'listTransactions begin_after_id ("a|"\\\\u|"x)',
    'getAnsRules cached_\\w+ "',
    'lookupFeaturedAppRight ',
    'listUnclaimedDevelopmentFundCoupons ',
    'listAnsEntriesFromScan name_prefix ',
    'generateExternalPartyTopology party_hint "nobody"',
    'prepareTransferPreapprovalSend amount 5$',
  ]
    .map((pattern) => `^${pattern}`)
    .join('|'),
)

function properRequest(operation: WireOperation): ProperRequest {
  const rule = member(member(member(operation, 'access'), 'anyOf'), '0')
  const [as, stranger] =
    rule === 'validator-operator'
      ? ['operator', 'alice']
      : rule === 'wallet-user'
        ? ['alice', 'stranger']
        : ['alice', '']
  const { parameters, body } = exampleRequest(operation, document)
  const some = PROPER[operation.operationId]?.() ?? {}
  return {
    as,
    stranger,
    parameters: { ...parameters, ...some.parameters },
    body: some.body ?? body,
  }
}

const isThere = (operation: WireOperation): Promise<boolean> =>
  isServed(service.url, wire.mount, operation)

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
  test('every operation that is served refuses what its document does not allow', async (t) => {
    const stateBefore = await ledger()
    let [served, requests] = [0, 0]
    for (const operation of wire.operations) {
      if (!(await isThere(operation))) continue
      served += 1
      await t.test(operation.operationId, async () => {
        const all = badRequests(wire, operation, document, () => properRequest(operation))
        requests += await assertAllRefused({ url: service.url, tokens }, operation, all, (name) =>
          LENIENT.test(name),
        )
      })
    }
    console.log(
      `validator: ${requests} bad requests to ${served} of ${wire.operations.length} operations`,
    )
    assert.ok(served >= 38, `${served} operations are served`)
    assert.deepEqual(await ledger(), stateBefore)
  })

  describe('contracts that are not there, not hers, of another kind or gone', () => {
    const OPERATIONS = wire.operations.filter(
      ({ path, method }) =>
        path.includes('{contract_id}') && method === 'POST' && !path.includes('/admin/'),
    )
    for (const operation of OPERATIONS) {
      test(operation.operationId, async () => {
        if (!(await isThere(operation))) return
        const last = ids.offer.endsWith('0') ? '1' : '0'
        const wrong = {
          foreign: ids.offer,
          archived: ids.archivedOffer,
          'her coin': ids.coin,
          'his coin': ids.bobCoin,
          forged: ids.offer.slice(0, -1) + last,
        }
        for (const [name, id] of Object.entries(wrong)) {
          const { body } = properRequest(operation)
          const answer = await ask(
            'alice',
            `POST ${operation.path.replace('{contract_id}', id)}`,
            body,
          )
          assert.equal(
            faultOf(answer, operation, [400, 404, 409]),
            undefined,
            `${name}: ${answer.status} ${answer.text}`,
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
      for (const operationId of ['transferPreapprovalSend', 'createTokenStandardTransfer']) {
        const operation = wire.operations.find((each) => each.operationId === operationId)
        assert.ok(operation)
        if (!(await isThere(operation))) continue
        const answer = await ask('alice', `${operation.method} ${operation.path}`, {
          ...properRequest(operation).body,
          amount,
        })
        assert.equal(faultOf(answer, operation, [400, 409]), undefined, answer.text)
      }
      const tapped = await ask('alice', 'POST /v0/wallet/tap', { amount })
      assert.ok([400, 409].includes(tapped.status), tapped.text)
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
