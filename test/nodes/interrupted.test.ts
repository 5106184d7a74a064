// A move that is interrupted: a server that dies at any of its writes, two moves at once, a second
// server of a node, a ledger without its oldest updates. Afterwards the party is hosted as one of
// its topologies says, by the same call again, and who was agreed on acts for it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-memory/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import { ALLOCATE, known, newOutsider, signedHosting } from './outside-party.ts'

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
      for (const node of [next, restarted, third]) {
        assert.deepEqual(await known(node, own.party), [true], node.name)
        assert.ok(await actsFor(node, 'guard', own), `${node.name} after ${deaths} writes`)
        assert.ok(!(await actsFor(node, 'thief', own)), `${node.name} after ${deaths} writes`)
      }
    }
    assert.ok(deaths > 6, `it took ${deaths - 1} writes`)
  })
})

/** Whether a user of the node may act as the party. */
async function actsFor(node: LocalNode, user: string, { party }: OutsideParty): Promise<boolean> {
  const { text } = await node.ask(ADMIN, `GET /v2/users/${user}/rights`)
  return text.includes(party)
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
