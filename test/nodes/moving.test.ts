// A party that moves: its keys have it hosted by a second node, which then shows all that it has,
// and leave the first one, which keeps what it saw and learns nothing more.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { hosted, prepareAccept, propose, submissionOf, EXTERNAL } from '../external/kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { storesFor } from '../support/storages.ts'
import { openNodes } from './in-process.ts'
import { byOperator, startNodes, WALLET } from './kit.ts'
import type { NodeClient } from './kit.ts'
import {
  ALLOCATE,
  coinsAt,
  completionsAt,
  endOf,
  executed,
  known,
  letRead,
  newOutsider,
  paid,
  pingOf,
  signedHosting,
  updateAt,
  updatesAt,
} from './outside-party.ts'

interface World {
  /** Hosts the party first. */
  readonly home: NodeClient
  /** The node that it moves to; alice lives there, too. */
  readonly next: NodeClient
  /** The user names of their operators. */
  readonly operators: { readonly home: string; readonly next: string }
  close(): Promise<unknown>
}

const WORLDS: readonly (readonly [string, () => Promise<World>])[] = [
  ...storesFor('nodes').map((storage): [string, () => Promise<World>] => [
    `nodes in one process on ${storage.name}`,
    async () => {
      const nodes = await startNodes(storage)
      const operators = { home: 'app-user', next: 'app-provider' }
      for (const node of [nodes.user, nodes.provider])
        await node.done('participant_admin', 'POST /v2/users', {
          user: { id: 'reader', identityProviderId: '' },
          rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
        })
      return { home: nodes.user, next: nodes.provider, operators, close: nodes.stop }
    },
  ]),
  [
    'nodes with an engine each',
    async () => {
      const nodes = await openNodes(['sv', 'provider', 'user'], { apart: true })
      const [, next, home] = nodes.all
      assert.ok(home !== undefined && next !== undefined)
      return { home, next, operators: { home: 'operator', next: 'operator' }, close: nodes.close }
    },
  ],
]

for (const [name, open] of WORLDS) {
  describe(`a party that moves between ${name}`, () => {
    let world: World
    let mover: OutsideParty
    let alice: string

    before(async () => {
      world = await open()
      const { home, next, operators } = world
      alice = String(
        member(await next.done('alice', 'POST /api/validator/v0/register', {}), 'party_id'),
      )
      await next.done('alice', `POST ${WALLET}/tap`, { amount: '1000' })
      await home.done(operators.home, `POST ${WALLET}/tap`, { amount: '1000' })
      mover = await withPreapproval(home, operators.home)
      await letRead(home, mover.party)
      for (const amount of ['100', '7']) await receive(world, mover, amount)
    })
    after(() => world.close())

    test('has all that it has at the second node, and pays from both', async () => {
      const { home, next } = world
      const [before] = (await updatesAt(home, mover.party)).slice(-1)
      assert.ok(before !== undefined)
      assert.deepEqual(await coinsAt(next, mover), [])
      await rehost(next, mover, [home, next], 2)
      for (const node of [home, next]) assert.deepEqual(await known(node, mover.party), [true])
      await letRead(next, mover.party)
      assert.deepEqual(await coinsAt(next, mover), await coinsAt(home, mover))
      assert.equal((await coinsAt(next, mover)).length, 2)

      assert.equal((await updateAt(next, before, mover.party)).status, 404)
      for (const node of [next, home]) {
        const { status, text, json } = await paid(node, mover, { to: alice, amount: '3' })
        assert.equal(status, 200, text)
        const id = String(member(json, 'updateId'))
        for (const one of [home, next])
          assert.equal((await updateAt(one, id, mover.party)).status, 200, one.name)
        assert.equal((await completionsAt(node, mover.party)).at(-1), id)
      }
      assert.deepEqual(await coinsAt(next, mover), await coinsAt(home, mover))
    })

    test('does no more at a node that it has left, which keeps what it saw', async () => {
      const { home, next, operators } = world
      const seen = await updatesAt(home, mover.party)
      const offset = await endOf(home)
      const coins = await coinsAt(home, mover)
      await rehost(next, mover, [next], 3)
      assert.deepEqual(await known(home, mover.party), [false])

      const { status, text, json } = await paid(next, mover, { to: alice, amount: '5' })
      assert.equal(status, 200, text)
      const id = String(member(json, 'updateId'))
      assert.equal((await updateAt(next, id, mover.party)).status, 200)
      assert.equal((await updateAt(home, id, mover.party)).status, 404)
      assert.deepEqual(await updatesAt(home, mover.party), seen)
      assert.deepEqual(await coinsAt(home, mover, offset), coins)
      assert.deepEqual(await coinsAt(home, mover), [])
      assert.equal((await coinsAt(next, mover)).length, 1)

      const refused = await executed(home, mover, [pingOf(mover)])
      assert.ok(refused.status >= 400 && refused.status < 500, refused.text)
      const balance = await home.ask(
        operators.home,
        `GET /api/validator${EXTERNAL}/balance?party_id=${encodeURIComponent(mover.party)}`,
      )
      assert.ok(balance.status >= 400 && balance.status < 500, balance.text)
    })

    test('gives rights at a node that is new to it, once', async () => {
      const { home, next } = world
      const own = newOutsider('guarded')
      const first = await signedHosting(own, [home], 1)
      await home.done('participant_admin', ALLOCATE, first.request)
      for (const user of ['guard', 'thief'])
        for (const node of [home, next])
          await node.done('participant_admin', 'POST /v2/users', { user: { id: user } })
      const second = await signedHosting(own, [home, next], 2)
      for (const userId of ['guard', 'thief'])
        await next.ask('participant_admin', ALLOCATE, { ...second.request, userId })
      const third = await signedHosting(own, [home], 3)
      await home.ask('participant_admin', ALLOCATE, { ...third.request, userId: 'thief' })
      const rightsOf = async (node: NodeClient, user: string) =>
        member(await node.done('participant_admin', `GET /v2/users/${user}/rights`), 'rights')
      assert.match(JSON.stringify(await rightsOf(next, 'guard')), /CanActAs.*guarded/)
      for (const node of [home, next]) assert.deepEqual(await rightsOf(node, 'thief'), [])
      assert.deepEqual(
        [await known(home, own.party), await known(next, own.party)],
        [[true], [false]],
      )
    })

    test('is paid where it lives now', async () => {
      await receive(world, mover, '11')
      assert.equal((await coinsAt(world.next, mover)).length, 2)
      assert.deepEqual(await coinsAt(world.home, mover), [])
    })

    test('comes back', async () => {
      const { home, next } = world
      const offset = await endOf(home)
      const before = await updatesAt(home, mover.party)
      await receive(world, mover, '12')
      await rehost(home, mover, [home], 4)
      assert.deepEqual(await known(home, mover.party), [true])
      assert.deepEqual(await known(next, mover.party), [false])
      assert.equal((await coinsAt(home, mover)).length, 3)
      assert.deepEqual(await coinsAt(home, mover, offset), [])
      assert.deepEqual(await updatesAt(home, mover.party), before)
      const { status, text } = await paid(home, mover, { to: alice, amount: '2' })
      assert.equal(status, 200, text)
    })

    test('stays where its keys have not signed the next hosting', async () => {
      const { home, next } = world
      const asked = async (own: OutsideParty, hosts: readonly NodeClient[], serial: number) => {
        const { request } = await signedHosting(own, hosts, serial)
        const { status, text } = await next.ask('participant_admin', ALLOCATE, request)
        assert.equal(status, 400, text)
      }
      for (const serial of [0, 1, 2, 3, 4, 6, 1_000]) await asked(mover, [next], serial)
      await asked({ party: mover.party, holders: newOutsider('thief').holders }, [next], 5)
      await asked(mover, [home], 5)
      const settled = { party: alice, holders: newOutsider('thief').holders }
      for (const serial of [1, 2]) await asked(settled, [next], serial)
      assert.deepEqual(await known(home, mover.party), [true])
      assert.deepEqual(await known(next, mover.party), [false])
    })

    test('is taken by one of two nodes that want it in the same moment', async () => {
      const { home, next } = world
      for (let round = 0; round < 5; round += 1) {
        const own = newOutsider(`wanted-${round}`)
        const nodes = round % 2 === 0 ? [home, next] : [next, home]
        const answers = await Promise.all(
          nodes.map(async (node) => {
            const { request } = await signedHosting(own, [node], 1)
            return node.ask('participant_admin', ALLOCATE, request)
          }),
        )
        const statuses = answers.map(({ status }) => status)
        assert.deepEqual(statuses.toSorted(), [200, 400], answers.map(({ text }) => text).join())
        const hosts = await Promise.all(nodes.map((node) => known(node, own.party)))
        assert.deepEqual(
          hosts.map((details) => details.includes(true)),
          statuses.map((status) => status === 200),
        )
      }
    })
  })
}

/** A party of the operator's, which coin can be sent to. */
async function withPreapproval(node: NodeClient, operator: string): Promise<OutsideParty> {
  const asked = byOperator(node, operator)
  const external = await hosted(asked, 'mover')
  const prepared = await prepareAccept(asked, external, await propose(asked, external))
  const body = submissionOf(external, prepared)
  await asked.done('operator', `POST ${EXTERNAL}/setup-proposal/submit-accept`, body)
  return { party: external.party, holders: [external.holder] }
}

let payments = 0

async function receive({ next }: World, { party }: OutsideParty, amount: string): Promise<void> {
  payments += 1
  await next.done('alice', `POST ${WALLET}/transfer-preapproval/send`, {
    receiver_party_id: party,
    amount,
    deduplication_id: `receive-${payments}`,
    description: '',
  })
}

/** The keys have the party hosted by these nodes from now on; asked for at one that is to be. */
async function rehost(
  node: NodeClient,
  own: OutsideParty,
  hosts: readonly NodeClient[],
  serial: number,
): Promise<void> {
  const { request } = await signedHosting(own, hosts, serial)
  await node.done('participant_admin', ALLOCATE, request)
}
