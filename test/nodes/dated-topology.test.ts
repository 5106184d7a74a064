// What a party's keys and the owners of its namespace signed once, handed in again after they have
// signed something else: nothing that was replaced comes back, at one node and at several.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import { nodeClient, startNodes } from './kit.ts'
import type { NodeClient } from './kit.ts'
import { known } from './outside-party.ts'
import { definitionOf, hostingOf, keysOf, ownedBy, rootsOf, signsAt, submitted } from './signed-topology.ts'

interface World {
  /** Hosts the party first. */
  readonly home: NodeClient
  /** Another node, where there is one. */
  readonly next: NodeClient
  close(): Promise<unknown>
}

const USERS = ['participant_admin', 'reader', 'operator']
const READER = {
  user: { id: 'reader', identityProviderId: '' },
  rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
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
      return { home, next: home, close: service.stop }
    },
  },
  {
    name: `two nodes on ${storage.name}`,
    open: async (): Promise<World> => {
      const nodes = await startNodes(storage)
      for (const node of [nodes.user, nodes.provider])
        await node.done('participant_admin', 'POST /v2/users', READER)
      return { home: nodes.user, next: nodes.provider, close: nodes.stop }
    },
  },
])

const LATER = Number(process.env['LATER'] ?? 2)
for (const { name, open } of WORLDS)
  describe(`topology that was replaced, at ${name}`, () => {
    let world: World
    before(async () => {
      world = await open()
    })
    after(() => world.close())

    test('an owner brings back no definition of the namespace with fewer signatures', async () => {
      const { home, next } = world
      const [k1, k2, fresh] = [newEd(), newEd(), newEd()]
      const owners = [k1, k2]
      const party = ownedBy('shared', owners)
      const roots = rootsOf(owners)
      const loose = definitionOf(party, { threshold: 1, owners })
      const first = await hostingOf(party, { hosts: [home], keys: [k1], by: owners })
      accepted(await submitted(home, roots, loose, first))
      const strict = definitionOf(party, { threshold: 2, owners, serial: LATER })
      const second = await hostingOf(party, { hosts: [home, next], keys: [fresh], by: owners, serial: 2 })
      accepted(await submitted(next, roots, strict, second))

      const taken = await hostingOf(party, { hosts: [next], keys: [k1], by: [k1], serial: 3 })
      refused(await submitted(next, roots, loose, taken), /DecentralizedNamespaceDefinition.* has the serial 1/)
      refused(await submitted(next, roots, strict, taken), /signed by 1 owners/)
      assert.deepEqual(await known(home, party), [true])
      assert.deepEqual([await signsAt(next, party, [k1]), await signsAt(next, party, [fresh])], [false, true])
    })
  })

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
void keysOf
