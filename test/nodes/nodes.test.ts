// Nodes on one ledger over HTTP: apart in users, tokens and what they show, together in payments.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { list } from '../interfaces/ledger-kit.ts'
import { openStream } from '../interfaces/stream-client.ts'
import type { StreamClient } from '../interfaces/stream-client.ts'
import { eventually, retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { participantOf, startNodes, synchronizerOf, ADMIN, WALLET } from './kit.ts'
import type { TestNode, TestNodes } from './kit.ts'

const HOUR_MICROS = 3_600_000_000

for (const storage of storesFor('nodes')) {
  describe(`several nodes on ${storage.name}`, () => {
    let nodes: TestNodes
    let alice: string
    let bob: string

    before(async () => {
      nodes = await startNodes(storage, { extensions: { metrics: {} } })
      alice = await nodes.provider.register('alice')
      bob = await nodes.user.register('bob')
      await nodes.provider.done('alice', `POST ${WALLET}/tap`, { amount: '1000' })
      await nodes.user.done('bob', `POST ${WALLET}/tap`, { amount: '10' })
    })
    after(() => nodes.stop())

    test('each node has users, parties and a participant of its own', async () => {
      const { sv, provider, user } = nodes
      const ids = await Promise.all([sv, provider, user].map(participantOf))
      assert.deepEqual(
        ids.map((id) => id.replace(/::.*/, '')),
        ['sv', 'provider', 'user'],
      )
      assert.deepEqual(await userIds(provider), ['alice', 'app-provider', 'participant_admin'])
      assert.deepEqual(await userIds(user), ['app-user', 'bob', 'participant_admin'])
      const unknown = await user.ask('participant_admin', 'GET /v2/users/alice')
      assert.equal(unknown.status, 404, unknown.text)
      const other = await user.register('alice')
      assert.notEqual(other, alice)
      const known = await user.done(
        'participant_admin',
        `GET /v2/parties/${encodeURIComponent(alice)}`,
      )
      assert.deepEqual(member(known, 'partyDetails'), [])
    })

    test('a token of one node is nothing at another', async () => {
      const { provider, user } = nodes
      const token = provider.token('participant_admin')
      const line = 'GET /v2/users/participant_admin'
      const statuses = [provider, user].map(
        async ({ url }) => (await call(url, line, { token })).status,
      )
      assert.deepEqual(await Promise.all(statuses), [200, 401])
    })

    test('an offer is paid from one node to another', async () => {
      const { provider, user } = nodes
      const before = Number(await user.balance('bob'))
      const offer = await provider.done('alice', `POST ${WALLET}/transfer-offers`, {
        receiver_party_id: bob,
        amount: '20',
        description: 'across',
        tracking_id: 'across-1',
        expires_at: Date.now() * 1_000 + HOUR_MICROS,
      })
      const cid = String(member(offer, 'offer_contract_id'))
      await user.done('bob', `POST ${WALLET}/transfer-offers/${cid}/accept`)
      await eventually(before + 20, async () => Number(await user.balance('bob')))
    })

    test('a preapproval is provided by the operator of the receiver’s node', async () => {
      const { provider, user } = nodes
      await user.done('app-user', `POST ${WALLET}/tap`, { amount: '100' })
      await user.done('bob', `POST ${WALLET}/transfer-preapproval`)
      const found = await retried(async () => {
        const answer = await provider.ask(
          'alice',
          `GET /api/validator/v0/scan-proxy/transfer-preapprovals/by-party/${encodeURIComponent(bob)}`,
        )
        assert.equal(answer.status, 200, answer.text)
        return answer
      })
      assert.match(found.text, new RegExp(`"provider":"${await operatorOf(user, 'app-user')}"`))
      const before = Number(await user.balance('bob'))
      await provider.done('alice', `POST ${WALLET}/transfer-preapproval/send`, {
        receiver_party_id: bob,
        amount: '5',
        deduplication_id: 'send-1',
        description: '',
      })
      assert.equal(Number(await user.balance('bob')), before + 5)
    })

    test('a transfer of the token standard is accepted at the other node', async () => {
      const { provider, user } = nodes
      await provider.register('carol')
      const carol = await operatorOf(provider, 'carol')
      const before = Number(await provider.balance('carol'))
      const sent = await user.done('bob', `POST ${WALLET}/token-standard/transfers`, {
        receiver_party_id: carol,
        amount: '3',
        description: '',
        tracking_id: 'token-1',
        expires_at: Date.now() * 1_000 + HOUR_MICROS,
      })
      const cid = String(member(member(sent, 'output'), 'transfer_instruction_cid'))
      const context = await provider.ask(
        'carol',
        `POST /registry/transfer-instruction/v1/${cid}/choice-contexts/accept`,
        {},
      )
      assert.equal(context.status, 200, context.text)
      await provider.done('carol', `POST ${WALLET}/token-standard/transfers/${cid}/accept`)
      assert.equal(Number(await provider.balance('carol')), before + 3)
    })

    test('the scan names the node of a party, and traffic can be bought for any node', async () => {
      const { provider, user } = nodes
      const uid = await participantOf(user)
      const domain = await synchronizerOf(user)
      const hosted = await provider.done(
        'alice',
        `GET /api/scan/v0/domains/${encodeURIComponent(domain)}/parties/${encodeURIComponent(bob)}/participant-id`,
      )
      assert.equal(member(hosted, 'participant_id'), `PAR::${uid}`)
      await provider.done('alice', `POST ${WALLET}/buy-traffic-requests`, {
        receiving_validator_party_id: await operatorOf(user, 'app-user'),
        domain_id: domain,
        traffic_amount: 200_000,
        tracking_id: 'traffic-1',
        expires_at: Date.now() * 1_000 + HOUR_MICROS,
      })
      await retried(async () => {
        const status = await provider.done(
          'alice',
          `GET /api/scan/v0/domains/${encodeURIComponent(domain)}/members/${encodeURIComponent(`PAR::${uid}`)}/traffic-status`,
        )
        assert.match(JSON.stringify(status), /"total_purchased":200000/)
      })
    })

    test('each node’s metrics count what it submits, and the first one’s all commits', async () => {
      const ping = { initiator: alice, responder: alice, id: 'twice' }
      const command = {
        commandId: 'twice',
        actAs: [alice],
        commands: [{ CreateCommand: { templateId: PING, createArguments: ping } }],
      }
      const { sv, provider, user } = nodes
      await provider.done('alice', SUBMIT, command)
      const refused = await provider.ask('alice', SUBMIT, command)
      assert.equal(refused.status, 409, refused.text)
      const all = [sv, provider, user]
      const shown = await Promise.all(all.map(async ({ url }) => (await call(url, METRICS)).text))
      const counted = shown.map((text) => DUPLICATES.exec(text)?.[1])
      assert.deepEqual(counted, [undefined, '1', undefined])
      for (const text of shown)
        assert.match(text, /^ledgerwright_submissions_total\{outcome="ok"\}/m)
      assert.deepEqual(
        shown.map((text) => COMMITS.test(text)),
        [true, false, false],
      )
    })

    test('only the first node’s operator governs the network', async () => {
      const line = `POST ${ADMIN}/network/price`
      const refused = await nodes.user.ask('app-user', line, { coin_price: '1.0' })
      assert.equal(refused.status, 403, refused.text)
      await nodes.sv.done('operator', line, { coin_price: '1.0' })
      const clock = await nodes.user.ask('app-user', `POST ${ADMIN}/clock`, {
        advance_microseconds: 1,
      })
      assert.equal(clock.status, 403, clock.text)
    })

    test('a snapshot is of all nodes, and only the first one’s operator takes it back', async () => {
      const { sv, provider, user } = nodes
      await sv.done('operator', 'POST /development/snapshots', { name: 'before' })
      const balances = async () => [await provider.balance('alice'), await user.balance('bob')]
      const before = await balances()
      await provider.done('alice', `POST ${WALLET}/tap`, { amount: '1000' })
      await user.done('bob', `POST ${WALLET}/tap`, { amount: '1000' })
      await user.register('late')
      const refused = await user.ask('app-user', 'POST /development/revert', { snapshot: 'before' })
      assert.equal(refused.status, 403, refused.text)
      assert.match(refused.text, /at its first node/)
      await sv.done('operator', 'POST /development/revert', { snapshot: 'before' })
      assert.deepEqual(await balances(), before)
      assert.ok(!(await userIds(user)).includes('late'))
    })

    describe('an admin with every right that can be given', () => {
      let own: ReadonlySet<string>

      before(async () => {
        const { provider, user } = nodes
        const rights = [
          { kind: { CanReadAsAnyParty: { value: {} } } },
          { kind: { CanExecuteAsAnyParty: { value: {} } } },
          { kind: { CanActAs: { value: { party: alice } } } },
          { kind: { CanReadAs: { value: { party: alice } } } },
          { kind: { CanActAs: { value: { party: bob } } } },
        ]
        await user.done('participant_admin', 'POST /v2/users', {
          user: { id: 'mallory', identityProviderId: '', primaryParty: alice },
          rights: [{ kind: { ParticipantAdmin: { value: {} } } }, ...rights],
        })
        await provider.done('participant_admin', 'POST /v2/users/alice/rights', {
          userId: 'alice',
          identityProviderId: '',
          rights: rights.slice(0, 1),
        })
        own = await partiesAt(user)
      })

      test('streams of the same updates at two nodes show each its own', async () => {
        const { provider, user } = nodes
        const begin = await endOf(user)
        const request = { ...updatesOf(begin, ANYBODY, begin), endInclusive: undefined }
        const [atProvider, atUser] = await Promise.all([
          openStream(provider.url, '/v2/updates', request, { token: provider.token('alice') }),
          openStream(user.url, '/v2/updates', request, { token: user.token('mallory') }),
        ])
        assert.ok('elements' in atProvider && 'elements' in atUser)
        await provider.done('alice', `POST ${WALLET}/tap`, { amount: '3' })
        await user.done('bob', `POST ${WALLET}/tap`, { amount: '3' })
        const shown = (stream: StreamClient) => witnessesIn(JSON.stringify(stream.elements))
        await retried(() => {
          assert.ok(shown(atProvider).includes(alice))
          assert.ok(shown(atUser).includes(bob))
        })
        for (const witness of shown(atUser)) assert.ok(own.has(witness), witness)
        assert.ok(!shown(atProvider).includes(bob))
        await Promise.all([atProvider.close(), atUser.close()])
      })
    })
  })
}

async function userIds(node: TestNode): Promise<readonly string[]> {
  const listed = await node.done('participant_admin', 'GET /v2/users')
  return list(member(listed, 'users')).map((each) => String(member(each, 'id')))
}

async function operatorOf(node: TestNode, user: string): Promise<string> {
  return String(member(await node.done(user, `GET ${WALLET}/user-status`), 'party_id'))
}
const SUBMIT = 'POST /v2/commands/submit-and-wait'
const PING = '#network-builtin-ping:Network.Internal.Ping:Ping'
const METRICS = 'GET /metrics'
const DUPLICATES = /^ledgerwright_submissions_total\{outcome="duplicate"\} (\d+)$/m
const COMMITS = /^ledgerwright_store_commit_duration_seconds_count [1-9]/m
const EVERYTHING = { cumulative: [] }
const ANYBODY = { filtersForAnyParty: EVERYTHING, verbose: true }

function updatesOf(end: number, eventFormat: object, begin = 0) {
  return {
    beginExclusive: begin,
    endInclusive: end,
    updateFormat: {
      includeTransactions: {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat,
      },
      includeReassignments: eventFormat,
    },
  }
}

function witnessesIn(text: string): readonly string[] {
  return [...text.matchAll(/"witnessParties":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, party = '']) => party),
  )
}

async function endOf(node: TestNode): Promise<number> {
  return Number(member(await node.done('participant_admin', 'GET /v2/state/ledger-end'), 'offset'))
}

async function partiesAt(node: TestNode): Promise<ReadonlySet<string>> {
  const listed = await node.done('participant_admin', 'GET /v2/parties')
  return new Set(list(member(listed, 'partyDetails')).map((each) => String(member(each, 'party'))))
}
