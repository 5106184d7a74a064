// What a party's keys and the owners of its namespace signed once, handed in again after they have
// signed something else: nothing that was replaced comes back, at one node and at several.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newStore } from '../support/test-store.ts'
import {
  base64,
  delegationTransaction,
  hostingTransaction,
  keyMappingTransaction,
  newHolder,
  transactionHashOf,
} from '../support/topology-reference.ts'
import type { Envelope, Holder } from '../support/topology-reference.ts'
import { EXTERNAL, rawKey, signHex } from '../external/kit.ts'
import type { Answer } from '../support/http.ts'
import { openNodes } from './in-process.ts'
import { nodeClient, participantOf, startNodes } from './kit.ts'
import type { NodeClient } from './kit.ts'
import {
  definitionOf,
  hostingOf,
  ownedBy,
  rootsOf,
  signedBy,
  signsAt,
  submitted,
} from './signed-topology.ts'

interface World {
  /** Hosts the party first. */
  readonly home: NodeClient
  /** Another node, where there is one. */
  readonly next: NodeClient
  /** Asks as the operator of the first. */
  operator(line: string, body: object): Promise<Answer>
  close(): Promise<unknown>
}

const USERS = ['participant_admin', 'reader', 'operator']
const READER = {
  user: { id: 'reader', identityProviderId: '' },
  rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
}

const APART = {
  name: 'nodes with an engine each',
  open: async (): Promise<World> => {
    const nodes = await openNodes(['home', 'next'], { apart: true, given: await newStore() })
    const [home, next] = nodes.all
    assert.ok(home !== undefined && next !== undefined)
    const operator: World['operator'] = (line, body) => home.ask('operator', line, body)
    return { home, next, operator, close: nodes.close }
  },
}

const WORLDS = storesFor('dated topology').flatMap((storage) => [
  {
    name: `one node on ${storage.name}`,
    open: async (): Promise<World> => {
      const config = { storage: await storage.section(), log: { level: 'fatal' } }
      const service = await startService({ config })
      const tokens = new Map<string, string>()
      for (const user of USERS) tokens.set(user, await service.token(user))
      const home = nodeClient('alone', service.url, (user) => tokens.get(user) ?? '')
      await home.done('participant_admin', 'POST /v2/users', READER)
      const operator: World['operator'] = (line, body) => home.ask('operator', line, body)
      return { home, next: home, operator, close: service.stop }
    },
  },
  {
    name: `two nodes on ${storage.name}`,
    open: async (): Promise<World> => {
      const nodes = await startNodes(storage)
      for (const node of [nodes.user, nodes.provider])
        await node.done('participant_admin', 'POST /v2/users', READER)
      const { user: home, provider: next } = nodes
      const operator: World['operator'] = (line, body) => home.ask('app-user', line, body)
      return { home, next, operator, close: nodes.stop }
    },
  },
])

for (const { name, open } of [...WORLDS, APART])
  describe(`topology that was replaced, at ${name}`, () => {
    let world: World
    before(async () => {
      world = await open()
    })
    after(() => world.close())

    test('the root of a namespace has a date, too, and nothing is removed', async () => {
      const { home } = world
      const root = newEd()
      const party = `rooted::${root.fingerprint}`
      const rootWith = (envelope: Envelope) => {
        const key = { ...root, usages: [1] }
        return signedBy(delegationTransaction(root.fingerprint, key, false, envelope), [root])
      }
      const hosting = (serial: number, keys: readonly Holder[]) =>
        hostingOf(party, { hosts: [home], keys, by: [root], serial })
      accepted(await submitted(home, rootsOf([root]), await hosting(1, [root])))
      accepted(await submitted(home, rootWith({ serial: 2 }), await hosting(2, [newEd()])))
      const third = await hosting(3, [newEd()])
      refused(await submitted(home, rootsOf([root]), third), /NamespaceDelegation of .* serial 1/)
      const removal = rootWith({ operation: 2, serial: 3 })
      refused(await submitted(home, removal, third), /does not add a mapping/)
    })

    test('of several that come next at the same moment one is taken', async () => {
      const { home, next } = world
      for (let round = 0; round < 4; round += 1) {
        const { party, owners, roots, strict } = await tightened(world)
        const keys = [newEd(), newEd()]
        const wanted = await Promise.all(
          keys.map(async (key, at) => {
            const hosts = at === 0 ? [next] : [home, next]
            const hosting = await hostingOf(party, { hosts, keys: [key], by: owners, serial: 3 })
            return [hosting, definitionOf(party, { threshold: at + 1, owners, serial: 3 })] as const
          }),
        )
        const answers = await Promise.all(
          wanted.map(([hosting, definition]) => submitted(next, roots, definition, hosting)),
        )
        assert.deepEqual(
          answers.map(({ status }) => status).toSorted(),
          [200, 400],
          JSON.stringify(answers),
        )
        const signing = await Promise.all(keys.map((key) => signsAt(next, party, [key])))
        assert.deepEqual(
          signing,
          answers.map(({ status }) => status === 200),
        )
        const third = await hostingOf(party, { hosts: [next], keys: owners, by: owners, serial: 4 })
        refused(await submitted(next, roots, strict, third), /serial 2, but 3 is in force/)
      }
    })

    test('the operator brings nothing back either', async () => {
      const { home } = world
      const [root, fresh] = [newEd(), newEd()]
      const party = `operated::${root.fingerprint}`
      const delegation = delegationTransaction(root.fingerprint, root)
      const uid = await participantOf(home)
      const apart = (serial: number) =>
        hostingTransaction({ party, threshold: 1, hosts: [[uid, 2]], serial })
      const first = [delegation, apart(1), keyMappingTransaction(party, 1, [root])]
      const byRoot = (transactions: readonly string[]) =>
        world.operator(`POST /api/validator${EXTERNAL}/topology/submit`, {
          public_key: rawKey(root),
          signed_topology_txs: transactions.map((transaction) => ({
            topology_tx: base64(transaction),
            signed_hash: signHex(root, transactionHashOf(transaction)),
          })),
        })
      assert.equal((await byRoot(first)).status, 200)
      const second = await hostingOf(party, { hosts: [home], keys: [fresh], by: [root], serial: 2 })
      accepted(await submitted(home, rootsOf([root]), second))
      for (const late of [first, [delegation, apart(3), keyMappingTransaction(party, 1, [root])]]) {
        const { status, text } = await byRoot(late)
        assert.equal(status, 409, text)
        assert.match(text, /other keys|keys in force/)
      }
      assert.ok(await signsAt(home, party, [fresh]))
    })
  })

/** A party whose two owners had one of them speak for it, and now both. */
async function tightened({ home, next }: World) {
  const owners = [newEd(), newEd()] as const
  const [k1] = owners
  const fresh = newEd()
  const party = ownedBy('shared', owners)
  const roots = rootsOf(owners)
  const loose = definitionOf(party, { threshold: 1, owners })
  const first = await hostingOf(party, { hosts: [home], keys: [k1], by: owners })
  accepted(await submitted(home, roots, loose, first))
  const strict = definitionOf(party, { threshold: 2, owners, serial: 2 })
  const hosts = [home, next]
  const second = await hostingOf(party, { hosts, keys: [fresh], by: owners, serial: 2 })
  accepted(await submitted(next, roots, strict, second))
  return { party, owners, roots, loose, strict, fresh }
}

function newEd() {
  return newHolder('EC_CURVE25519')
}

function accepted({ status, text }: Awaited<ReturnType<typeof submitted>>): void {
  assert.equal(status, 200, text)
}

function refused({ status, text }: Awaited<ReturnType<typeof submitted>>, reason: RegExp): void {
  assert.equal(status, 400, text)
  assert.match(text, reason)
}
