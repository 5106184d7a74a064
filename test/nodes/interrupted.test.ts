// A move that is interrupted: a server that dies at any of its writes, two moves at once, a second
// server of a node, a ledger without its oldest updates. Afterwards the party is hosted as one of
// its topologies says, by the same call again, and who was agreed on acts for it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import type { Store } from '../../runtime/store/store.ts'
import { list } from '../interfaces/ledger-kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { openStream } from '../interfaces/stream-client.ts'
import type { StreamClient } from '../interfaces/stream-client.ts'
import { eventually } from '../support/eventually.ts'
import { newHolder } from '../support/topology-reference.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import {
  ALLOCATE,
  endOf,
  EXECUTE,
  executed,
  known,
  letRead,
  newOutsider,
  pingOf,
  preparedAt,
  signedHosting,
  updatesAt,
} from './outside-party.ts'
import { definitionOf, hostingOf, ownedBy, rootsOf, submitted } from './signed-topology.ts'

const ADMIN = 'participant_admin'

describe('a server that dies while a party moves', () => {
  const dying = dyingStore()
  let nodes: LocalNodes
  let [home, next, third, restarted]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['home', 'next', 'third', 'next'], { apart: true, given: dying.store })
    ;[home, next, third, restarted] = nodes.all
    for (const node of [next, third])
      for (const id of ['guard', 'thief'])
        await node?.done(ADMIN, 'POST /v2/users', { user: { id, identityProviderId: '' } })
  })
  after(async () => {
    await nodes.close()
    await dying.store.close()
  })

  test('leaves what the same call completes, whichever write was its last', async () => {
    assert.ok(home !== undefined && next !== undefined && third !== undefined)
    assert.ok(restarted !== undefined)
    let deaths = 0
    for (let isDead = true; isDead; deaths += 1) {
      const own = newOutsider(`mortal-${deaths}`)
      const first = await signedHosting(own, [home], 1)
      await home.done(ADMIN, ALLOCATE, first.request)
      const { request } = await signedHosting(own, [next, third], 2)
      const asked = { ...request, userId: 'guard' }
      await third.done(ADMIN, ALLOCATE, asked)

      dying.writesLeft = deaths
      isDead = (await next.ask(ADMIN, ALLOCATE, asked)).status !== 200
      dying.writesLeft = Infinity
      const atHome = String(await known(home, own.party))
      const atNext = String(await known(next, own.party))
      assert.ok(atHome === 'true' || atNext === 'true', `after ${deaths} writes nobody hosts it`)

      await restarted.done(ADMIN, ALLOCATE, asked)
      for (const node of [third, restarted])
        await node.ask(ADMIN, ALLOCATE, { ...request, userId: 'thief' })
      assert.deepEqual(await known(home, own.party), [false])
      const hosts: readonly LocalNode[] = [next, restarted, third]
      for (const node of hosts) {
        assert.deepEqual(await known(node, own.party), [true], node.name)
        assert.ok(await actsFor(node, 'guard', own), `${node.name} after ${deaths} writes`)
        assert.ok(!(await actsFor(node, 'thief', own)), `${node.name} after ${deaths} writes`)
      }
    }
    assert.ok(deaths > 6, `it took ${deaths - 1} writes`)
  })

  test('leaves the owners of its namespace as they were, or as they are to be with it', async () => {
    assert.ok(home !== undefined && next !== undefined && third !== undefined)
    let deaths = 0
    for (let isDead = true; isDead; deaths += 1) {
      const owners = [newHolder('EC_CURVE25519'), newHolder('EC_CURVE25519')]
      const [one, roots] = [owners.slice(0, 1), rootsOf(owners)]
      const party = ownedBy(`owned-${deaths}`, owners)
      const loose = definitionOf(party, { threshold: 1, owners })
      const strict = definitionOf(party, { threshold: 2, owners, serial: 2 })
      const hosting = (hosts: readonly LocalNode[], serial: number, by = owners) =>
        hostingOf(party, { hosts, keys: by, by, serial })
      const first = await hosting([home], 1)
      assert.equal((await submitted(home, roots, loose, first)).status, 200)
      const both = await hosting([next, third], 2)
      await submitted(third, roots, strict, both)

      dying.writesLeft = deaths
      isDead = (await submitted(next, roots, strict, both)).status !== 200
      dying.writesLeft = Infinity
      const hasMoved = (await known(next, party)).includes(true)
      const early = await submitted(home, roots, strict, first)
      if (!hasMoved) assert.match(early.text, /takes the next PartyToParticipant/)

      const done = await submitted(next, roots, strict, both)
      assert.equal(done.status, 200, done.text)
      const taken = await hosting([next], 3, one)
      const { text } = await submitted(next, roots, loose, taken)
      assert.match(text, /has the serial 1, but 2 is in force/, `after ${deaths} writes`)
    }
    assert.ok(deaths > 3, `it took ${deaths - 1} writes`)
  })
})

describe('two servers of each node', () => {
  let nodes: LocalNodes
  let [home, next, otherHome, otherNext]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['home', 'next', 'home', 'next'], { apart: true })
    ;[home, next, otherHome, otherNext] = nodes.all
  })
  after(() => nodes.close())

  test('show a move at once, also in streams that are open', async () => {
    assert.ok(home !== undefined && next !== undefined)
    assert.ok(otherHome !== undefined && otherNext !== undefined)
    const own = newOutsider('streamed')
    await home.done(ADMIN, ALLOCATE, (await signedHosting(own, [home], 1)).request)
    // Rights that another server gave count a little later.
    for (const node of [home, otherHome]) await letRead(node, own.party)
    const streams = await Promise.all([otherHome, otherNext].map(streamAt))
    const [atHome, atNext] = streams
    assert.ok(atHome !== undefined && atNext !== undefined)
    await pingedBy(otherHome, own)
    await eventually(1, () => pingsIn(atHome))

    await next.done(ADMIN, ALLOCATE, (await signedHosting(own, [next], 2)).request)
    assert.deepEqual(await known(otherHome, own.party), [false])
    await letRead(otherNext, own.party)
    await pingedBy(otherNext, own)
    await eventually(1, () => pingsIn(atNext))

    await home.done(ADMIN, ALLOCATE, (await signedHosting(own, [home], 3)).request)
    await pingedBy(otherHome, own)
    await eventually(2, () => pingsIn(atHome))
    assert.equal(pingsIn(atNext), 1)
    assert.equal((await updatesAt(otherNext, own.party)).length, 1)
    await Promise.all(streams.map((stream) => stream.close()))
  })

  test('let one of two moves at the same moment happen', async () => {
    assert.ok(home !== undefined && next !== undefined && otherNext !== undefined)
    for (let round = 0; round < 4; round += 1) await moveTwice(home, next, otherNext)
  })

  test('refuse what was prepared where the party was before', async () => {
    assert.ok(home !== undefined && next !== undefined && otherHome !== undefined)
    const own = newOutsider('prepared')
    await home.done(ADMIN, ALLOCATE, (await signedHosting(own, [home], 1)).request)
    for (const node of [home, otherHome]) await letRead(node, own.party)
    const late = await preparedAt(otherHome, own)
    await next.done(ADMIN, ALLOCATE, (await signedHosting(own, [next], 2)).request)
    for (const node of [home, otherHome]) {
      const { status, text } = await node.ask('reader', EXECUTE, late)
      assert.ok(status >= 400 && status < 500, text)
    }
  })

  test('move a party of a ledger that is pruned', async () => {
    assert.ok(home !== undefined && next !== undefined && otherNext !== undefined)
    const own = newOutsider('pruned')
    await home.done(ADMIN, ALLOCATE, (await signedHosting(own, [home], 1)).request)
    await letRead(home, own.party)
    await pingedBy(home, own)
    const begin = await endOf(home)
    assert.equal(await nodes.store.updates.prune(BigInt(begin)), 'pruned')
    await next.done(ADMIN, ALLOCATE, (await signedHosting(own, [next], 2)).request)
    for (const node of [next, otherNext]) await letRead(node, own.party)
    for (const node of [next, otherNext]) assert.equal(await activeAt(node, own), 1)
    await pingedBy(otherNext, own)
    for (const node of [next, otherNext]) assert.equal(await activeAt(node, own), 2)
    assert.equal(await activeAt(home, own), 0)
  })
})

/** Whether a user of the node may act as the party. */
async function actsFor(node: LocalNode, user: string, { party }: OutsideParty): Promise<boolean> {
  const { text } = await node.ask(ADMIN, `GET /v2/users/${user}/rights`)
  return text.includes(party)
}

/** Away from a node, and also to stay there, at the same moment: one of them happens. */
async function moveTwice(home: LocalNode, next: LocalNode, otherNext: LocalNode): Promise<void> {
  const own = newOutsider('torn')
  await home.done(ADMIN, ALLOCATE, (await signedHosting(own, [home], 1)).request)
  const leaving = await signedHosting(own, [next], 2)
  const joining = await signedHosting(own, [home, next], 2)
  const [away, both] = await Promise.all([
    next.ask(ADMIN, ALLOCATE, leaving.request),
    otherNext.ask(ADMIN, ALLOCATE, joining.request),
  ])
  assert.deepEqual([away.status, both.status].toSorted(), [200, 400], away.text + both.text)
  assert.deepEqual(await known(next, own.party), [true])
  assert.deepEqual(await known(home, own.party), [both.status === 200])
}

/** All that the node shows from now on. */
async function streamAt(node: LocalNode): Promise<StreamClient> {
  const eventFormat = { filtersForAnyParty: { cumulative: [] }, verbose: true }
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
  const includeTransactions = { transactionShape, eventFormat }
  const request = { beginExclusive: await endOf(node), updateFormat: { includeTransactions } }
  const stream = await openStream(node.url, '/v2/updates', request, { token: 'reader' })
  assert.ok('elements' in stream)
  return stream
}

function pingsIn({ elements }: StreamClient): number {
  return elements.filter((element) => JSON.stringify(element).includes(':Ping"')).length
}

async function pingedBy(node: LocalNode, own: OutsideParty): Promise<void> {
  const { status, text } = await executed(node, own, [pingOf(own)])
  assert.equal(status, 200, text)
}

/** Contracts of the party that the node shows. */
async function activeAt(node: LocalNode, { party }: OutsideParty): Promise<number> {
  const shown = await node.done('reader', 'POST /v2/state/active-contracts', {
    activeAtOffset: await endOf(node),
    eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
  })
  return list(shown).length
}

/** A store whose writes fail once none is left. */
function dyingStore(): { readonly store: Store; writesLeft: number } {
  const kept = createMemoryStore()
  const dying = { store: kept, writesLeft: Infinity }
  const write =
    <A extends readonly unknown[], T>(act: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      dying.writesLeft -= 1
      return dying.writesLeft < 0 ? Promise.reject(new Error('the server died')) : act(...args)
    }
  const { contracts, parties, users } = kept
  dying.store = {
    ...kept,
    contracts: { ...contracts, commit: (asked) => write(contracts.commit)(asked) },
    parties: { ...parties, allocate: write(parties.allocate) },
    users: { ...users, grant: write(users.grant) },
  }
  return dying
}
