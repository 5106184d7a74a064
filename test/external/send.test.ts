// Orders of external parties to pay: each nonce once, carried out by the operator as far as the
// ledger lets it, and every digit of the amount is the one that was signed.
// docs/external-parties.md; docs/economy-rules.md, "Transfer commands"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { readPrepared } from '../interfaces/hashing-oracle.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  assertRefused,
  EXTERNAL,
  exerciseAs,
  fund,
  hosted,
  newKey,
  nextNonce,
  order,
  orderBody,
  prepareSend,
  rawKey,
  setUp,
  startExternal,
  statusesOf,
  submissionOf,
  unlockedOf,
} from './kit.ts'
import type { External, ExternalNetwork } from './kit.ts'

const DAY_SECONDS = 86_400
const COMMAND = '#network-coin:Network.ExternalPartyCoinRules:TransferCommand'
const LONGEST = `${'9'.repeat(28)}.${'9'.repeat(10)}`
const SENT = [{ status: 'sent' }]
const PREPARE = `POST ${EXTERNAL}/transfer-preapproval/prepare-send`

for (const storage of storesFor('external parties: orders')) {
  describe(`orders of external parties on ${storage.name}`, () => {
    let network: ExternalNetwork
    let receiver: External
    const submit = (body: object): Promise<Answer> =>
      network.ask('operator', `POST ${EXTERNAL}/transfer-preapproval/submit-send`, body)
    const funded = async (hint: string, amount = '100'): Promise<External> => {
      const external = await setUp(network, hint)
      await fund(network, external, amount)
      return external
    }
    /** Prepares with the amount as this text of JSON. */
    const prepareRaw = (body: object, amount: string): Promise<Answer> =>
      call(network.service.url, PREPARE.replace(' ', ' /api/validator'), {
        token: network.token('operator'),
        raw: JSON.stringify({ ...body, amount: 0 }).replace('"amount":0', `"amount":${amount}`),
      })
    const received = (): Promise<string> => unlockedOf(network, receiver.party)

    before(async () => {
      network = await startExternal(storage)
      receiver = await setUp(network, 'receiver')
    })
    after(() => network.stop())

    test('an order is prepared, signed, submitted and carried out; scan tells of it, and the next nonce is 1', async () => {
      const dora = await funded('dora')
      assert.equal(await nextNonce(network, dora), undefined)
      const body = await orderBody(network, dora, {
        to: receiver.party,
        amount: 12.5,
        nonce: 0,
        description: 'Lunch',
      })
      const answer = await network.ask('operator', PREPARE, { ...body, verbose_hashing: true })
      assert.equal(answer.status, 200, answer.text)
      const prepared = {
        transaction: String(member(answer.json, 'transaction')),
        tx_hash: String(member(answer.json, 'tx_hash')),
      }
      const read = readPrepared(prepared.transaction)
      assert.equal(Buffer.from(read.hash).toString('hex'), prepared.tx_hash)
      assert.match(String(member(answer.json, 'hashing_details')), new RegExp(prepared.tx_hash))
      const submitted = await submit(submissionOf(dora, prepared))
      assert.equal(submitted.status, 200, submitted.text)
      assert.equal(member(submitted.json, 'update_id'), read.updateId)
      const byHash = async (hash: string): Promise<Answer> =>
        call(network.service.url, `GET /api/scan/v2/updates/hash/${hash}`)
      for (const hash of [prepared.tx_hash, prepared.tx_hash.toUpperCase()]) {
        const { status, json } = await byHash(hash)
        const found = ['update_id', 'external_transaction_hash'].map((name) => member(json, name))
        assert.deepEqual([status, ...found], [200, read.updateId, prepared.tx_hash])
      }
      for (const hash of ['00', `${prepared.tx_hash}0`, '%00', 'x'.repeat(3_000)])
        assert.equal((await byHash(hash)).status, 404)
      for (const { headers } of [answer, submitted]) {
        assert.equal(headers.get('deprecation'), '@0')
        assert.match(headers.get('link') ?? '', /transfer-factory>; rel="successor-version"/)
      }
      await eventually(SENT, () => statusesOf(network, dora, 0))
      assert.deepEqual(
        [await unlockedOf(network, dora.party), await received(), await nextNonce(network, dora)],
        ['87.5000000000', '12.5000000000', '1'],
      )
      const { json } = await call(
        network.service.url,
        `GET /api/scan/v0/transfer-command/status?sender=${encodeURIComponent(dora.party)}&nonce=0`,
      )
      const [id = ''] = Object.keys(Object(member(json, 'transfer_commands_by_contract_id')))
      assert.ok(id.startsWith(String(member(answer.json, 'transfer_command_contract_id_prefix'))))
    })

    test('every digit of the amount arrives, as a number and as text', async () => {
      const erin = await funded('erin', '1000')
      const cases = [
        ['0.0000000001', '0.0000000001'],
        ['1e-7', '0.0000001000'],
        ['1.0E1', '10.0000000000'],
        ['"2.5000000001"', '2.5000000001'],
        ['123.0000000001', '123.0000000001'],
        ['1.10', '1.1000000000'],
        [LONGEST, LONGEST],
      ] as const
      for (const [nonce, [sent, arrives]] of cases.entries()) {
        const body = await orderBody(network, erin, { to: receiver.party, nonce })
        const answer = await prepareRaw({ ...body, nonce: String(nonce) }, sent)
        assert.equal(answer.status, 200, answer.text)
        assert.equal(amountOf(answer.json), arrives, sent)
      }
    })

    test('what is no order is refused', async () => {
      const frank = await funded('frank')
      const unprepared = await hosted(network, 'unprepared')
      const proper = await orderBody(network, frank, { to: receiver.party, nonce: 0 })
      const cases: readonly (readonly [number, object])[] = [
        [400, { receiver_party_id: unprepared.party }],
        [400, { receiver_party_id: 'nobody::1220' }],
        [400, { receiver_party_id: 'a\0' }],
        [404, { sender_party_id: 'nobody::1220' }],
        [404, { sender_party_id: '' }],
        [400, { sender_party_id: network.party('alice') }],
        [400, { amount: 0 }],
        [400, { amount: -1 }],
        [400, { amount: '1e3' }],
        [400, { amount: '0.00000000001' }],
        [400, { amount: null }],
        [400, { nonce: -1 }],
        [400, { nonce: '-1' }],
        [400, { nonce: '0.5' }],
        [400, { expires_at: await network.inSeconds(-1) }],
        [400, { expires_at: await network.inSeconds(0) }],
        [400, { expires_at: 'tomorrow' }],
        [400, { expires_at: '2025-02-30T00:00:00Z' }],
        [400, { description: 'a\0b' }],
      ]
      for (const [status, some] of cases) {
        await assertRefused(network, status, () =>
          network.ask('operator', PREPARE, { ...proper, ...some }),
        ).catch((error: unknown) => assert.fail(`${JSON.stringify(some)}: ${String(error)}`))
      }
      for (const amount of [
        '1e400',
        `1${'0'.repeat(28)}`,
        '0.00000000001',
        '1e-11',
        '1.00000000001',
      ]) {
        await assertRefused(network, 400, () => prepareRaw(proper, amount))
      }
    })

    test("a signature that is not the sender's over this order changes nothing, and an order is executed once", async () => {
      const [gina, hugo] = [await funded('gina'), await funded('hugo')]
      const prepared = await prepareSend(network, gina, { to: receiver.party, nonce: 0 })
      const other = await prepareSend(network, hugo, { to: receiver.party, nonce: 0 })
      const key = newKey()
      const cases = [
        submissionOf({ ...gina, holder: key }, prepared),
        submissionOf({ ...gina, holder: key }, prepared, { public_key: rawKey(gina.holder) }),
        submissionOf(gina, { ...prepared, tx_hash: other.tx_hash }),
        submissionOf(hugo, prepared),
        submissionOf(gina, other),
        submissionOf({ ...hugo, party: gina.party }, other),
        submissionOf(gina, prepared, { signed_tx_hash: '00'.repeat(64) }),
      ]
      for (const body of cases) await assertRefused(network, 400, () => submit(body))
      const elsewhere = `POST ${EXTERNAL}/setup-proposal/submit-accept`
      const misplaced = () => network.ask('operator', elsewhere, submissionOf(gina, prepared))
      await assertRefused(network, 400, misplaced, /something else/)
      assert.equal((await submit(submissionOf(gina, prepared))).status, 200)
      await eventually(SENT, () => statusesOf(network, gina, 0))
      const again = () => submit(submissionOf(gina, prepared))
      await assertRefused(network, 409, again, /accepted before/)
      assert.equal(await unlockedOf(network, gina.party), '99.0000000000')
    })

    test('orders are carried out nonce by nonce, whatever comes first', async () => {
      const judy = await funded('judy')
      for (const nonce of [2, 1]) await order(network, judy, { to: receiver.party, nonce })
      await eventually('0', async () => String(await nextNonce(network, judy)))
      assert.deepEqual(await statusesOf(network, judy, 2), [{ status: 'created' }])
      await order(network, judy, { to: receiver.party, nonce: 0 })
      for (const nonce of [0, 1, 2]) await eventually(SENT, () => statusesOf(network, judy, nonce))
      assert.deepEqual(
        [await nextNonce(network, judy), await unlockedOf(network, judy.party)],
        ['3', '97.0000000000'],
      )
    })

    test('of several orders with one nonce one is carried out, and the others fail', async () => {
      const karl = await funded('karl')
      for (const amount of [1, 2, 3])
        await order(network, karl, { to: receiver.party, amount, nonce: 0 })
      await eventually(['failed', 'failed', 'sent'], async () =>
        (await statusesOf(network, karl, 0)).map((each) => member(each, 'status')).toSorted(),
      )
      const failed = (await statusesOf(network, karl, 0)).filter(
        (each) => member(each, 'status') === 'failed',
      )
      for (const each of failed)
        assert.match(String(member(each, 'reason')), /smaller than the current counter/)
      assert.equal(await nextNonce(network, karl), '1')
    })

    test('without preapproval an order fails and its nonce is used', async () => {
      const [lena, gone] = [await funded('lena'), await setUp(network, 'gone')]
      const prepared = await prepareSend(network, lena, { to: gone.party, nonce: 0 })
      await network.done(
        'operator',
        `DELETE /v0/admin/transfer-preapprovals/by-party/${encodeURIComponent(gone.party)}`,
      )
      assert.equal((await submit(submissionOf(lena, prepared))).status, 200)
      await eventually('failed', async () =>
        String(member((await statusesOf(network, lena, 0))[0], 'status')),
      )
      assert.match(
        String(member((await statusesOf(network, lena, 0))[0], 'reason')),
        /No TransferPreapproval/,
      )
      assert.deepEqual(
        [await nextNonce(network, lena), await unlockedOf(network, lena.party)],
        ['1', '100.0000000000'],
      )
    })

    test('an order without funds waits for them, and its nonce with it', async () => {
      const mona = await funded('mona', '1')
      await order(network, mona, { to: receiver.party, amount: 5, nonce: 0 })
      await order(network, mona, { to: receiver.party, amount: 1, nonce: 1 })
      await eventually('0', async () => String(await nextNonce(network, mona)))
      assert.deepEqual(
        [await statusesOf(network, mona, 0), await statusesOf(network, mona, 1)],
        [[{ status: 'created' }], [{ status: 'created' }]],
      )
      await fund(network, mona, '7.25')
      for (const nonce of [0, 1]) await eventually(SENT, () => statusesOf(network, mona, nonce))
      assert.equal(await unlockedOf(network, mona.party), '2.2500000000')
    })

    test('an order that expires or is withdrawn ends, and its nonce can be used again', async () => {
      const nora = await funded('nora', '1')
      await order(network, nora, { to: receiver.party, amount: 5, nonce: 0, seconds: 60 })
      await network.advance(60)
      await eventually(['expired'], async () =>
        (await statusesOf(network, nora, 0)).map((each) => member(each, 'failure_kind')),
      )
      await order(network, nora, { to: receiver.party, amount: 5, nonce: 0 })
      await withdraw(network, nora)
      await eventually(['expired', 'withdrawn'], async () =>
        (await statusesOf(network, nora, 0))
          .map((each) => String(member(each, 'failure_kind')))
          .toSorted(),
      )
      await eventually('0', async () => String(await nextNonce(network, nora)))
      await order(network, nora, { to: receiver.party, amount: 1, nonce: 0 })
      await eventually('1', async () => String(await nextNonce(network, nora)))
      assert.equal(await unlockedOf(network, nora.party), '0.0000000000')
    })

    test('a prepared order is for a day at most', async () => {
      const olga = await funded('olga')
      const prepared = await prepareSend(network, olga, {
        to: receiver.party,
        nonce: 0,
        seconds: 3 * DAY_SECONDS,
      })
      await network.advance(DAY_SECONDS)
      assert.equal((await submit(submissionOf(olga, prepared))).status, 409)
      assert.deepEqual(
        [await unlockedOf(network, olga.party), await nextNonce(network, olga)],
        ['100.0000000000', undefined],
      )
    })
  })
}

/** The amount that is going to be signed, as the transaction says it. */
function amountOf(answer: unknown): unknown {
  const [root] = readPrepared(String(member(answer, 'transaction'))).nodes
  return member(root?.value, 'amount')
}

/** The sender's one order that is open. */
async function withdraw(network: ExternalNetwork, sender: External): Promise<void> {
  const { json } = await call(
    network.service.url,
    `GET /api/scan/v0/transfer-command/status?sender=${encodeURIComponent(sender.party)}&nonce=0`,
  )
  const commands = Object.entries(Object(member(json, 'transfer_commands_by_contract_id')))
  const [contractId] =
    commands.find(([, each]) => member(member(each, 'status'), 'status') === 'created') ?? []
  await exerciseAs(network, sender, {
    templateId: COMMAND,
    contractId,
    choice: 'TransferCommand_Withdraw',
  })
}
