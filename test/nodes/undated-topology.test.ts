// Parties from before topology was dated: they live on, and take their first next topology only if
// all owners of their namespace have signed it, whatever one of them has signed elsewhere since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'
import type { Store } from '../../runtime/store/store.ts'
import { newStore } from '../support/test-store.ts'
import { newHolder } from '../support/topology-reference.ts'
import { openNodes } from './in-process.ts'
import { known } from './outside-party.ts'
import {
  definitionOf,
  hostingOf,
  keysOf,
  ownedBy,
  rootsOf,
  signsAt,
  submitted,
} from './signed-topology.ts'

const WORLDS = [
  { name: 'a node that is alone', names: ['home'], forget: forgetAll },
  { name: 'two nodes', names: ['home', 'next'], forget: forgetAll },
  { name: 'two nodes that wrote down who hosts it', names: ['home', 'next'], forget: forgetDates },
]

for (const { name, names, forget } of WORLDS)
  test(`a party from before stays its owners' at ${name}`, async (context) => {
    const store = await newStore()
    const nodes = await openNodes(names, { given: store, alone: names.length === 1 })
    context.after(() => nodes.close())
    const [home] = nodes.all
    const next = nodes.all.at(-1)
    assert.ok(home !== undefined && next !== undefined)
    const owners = [0, 1, 2].map(() => newHolder('EC_CURVE25519'))
    const [own, thief] = [newHolder('EC_CURVE25519'), owners.slice(0, 1)]
    const roots = rootsOf(owners)
    const party = ownedBy('old', owners)
    const loose = definitionOf(party, { threshold: 1, owners })
    const first = await hostingOf(party, { hosts: [home], keys: [own], by: owners })
    assert.equal((await submitted(home, roots, loose, first)).status, 200)
    await forget(store, party)

    assert.ok(await signsAt(home, party, [own]))
    assert.equal((await submitted(home, roots, loose, first)).status, 400)
    const taken = await hostingOf(party, { hosts: [next], keys: thief, by: thief, serial: 2 })
    const lacks = /PartyToParticipant is signed by \d owners of its namespace; 3 are needed/
    assert.match((await submitted(next, roots, loose, taken)).text, lacks)

    const other = `other${party.slice(party.indexOf('::'))}`
    const free = await hostingOf(other, { hosts: [next], keys: thief, by: thief })
    assert.equal((await submitted(next, roots, loose, free)).status, 200)
    const alone = definitionOf(party, { threshold: 1, owners: thief, serial: 2 })
    const moved = await hostingOf(other, { hosts: [next], keys: [own], by: thief, serial: 2 })
    assert.equal((await submitted(next, rootsOf(thief), alone, moved)).status, 200)
    assert.match((await submitted(next, rootsOf(thief), alone, taken)).text, lacks)
    assert.deepEqual(await known(home, party), [true])
    assert.ok(await signsAt(home, party, [own]))

    const strict = definitionOf(party, { threshold: 2, owners, serial: 3, by: owners })
    const [fresh, pair] = [newHolder('EC_CURVE25519'), owners.slice(0, 2)]
    const meant = { hosts: [next], keys: [fresh], serial: 2 }
    const [byTwo, byAll] = [
      await hostingOf(party, { ...meant, by: pair }),
      await hostingOf(party, { ...meant, by: owners }),
    ]
    assert.match((await submitted(next, roots, strict, byTwo)).text, lacks)
    const dated = await submitted(next, roots, strict, byAll)
    assert.equal(dated.status, 200, dated.text)
    const later = await hostingOf(party, { hosts: [next], keys: [own], by: pair, serial: 3 })
    assert.equal((await submitted(next, roots, strict, later)).status, 200)
    assert.ok(await signsAt(next, party, [own]))
  })

test('keys of their own from before change with the hosting, or after it was dated', async (context) => {
  const store = await newStore()
  const nodes = await openNodes(['home'], { given: store, alone: true })
  context.after(() => nodes.close())
  const [home] = nodes.all
  assert.ok(home !== undefined)
  const [root, old, fresh] = [0, 1, 2].map(() => newHolder('EC_CURVE25519'))
  assert.ok(root !== undefined && old !== undefined && fresh !== undefined)
  const party = `apart::${root.fingerprint}`
  const asked = async (hostingSerial: number, key: typeof old, serial: number) =>
    submitted(
      home,
      rootsOf([root]),
      await hostingOf(party, { hosts: [home], by: [root], serial: hostingSerial }),
      keysOf(party, { keys: [key], serial, by: [root] }),
    )
  assert.equal((await asked(1, old, 1)).status, 200)
  await forgetAll(store)
  assert.equal((await asked(2, fresh, 1)).status, 400)
  assert.equal((await asked(2, fresh, 2)).status, 400)
  assert.equal((await asked(2, old, 1)).status, 200)
  assert.equal((await asked(3, fresh, 2)).status, 200)
  assert.ok(await signsAt(home, party, [fresh]))
})

/** As a ledger that has only ever had one node. */
async function forgetAll({ contracts }: Store): Promise<void> {
  for (const kind of ['party-hosting', 'namespace']) await contracts.forgetFacts(kind, `${kind}~`)
}

/** As a ledger of several nodes. */
async function forgetDates(store: Store, party: string): Promise<void> {
  const { contracts } = store
  const fact = await contracts.fact('party-hosting', party)
  assert.ok(fact !== undefined)
  const { keys: _keys, ...body } = JSON.parse(fact.body)
  await forgetAll(store)
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({
      writes: { ...NO_WRITES, facts: [{ ...fact, body: JSON.stringify(body) }] },
      result: undefined,
    }),
  })
}
