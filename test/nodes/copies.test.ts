// Three nodes and a copy of their ledger: each node of the copy has an id of its own, so that a
// hosting is signed for nodes of one of the two, and parties move on both.
// docs/decisions/0048-copies.md
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { hosted } from '../external/kit.ts'
import { list, path } from '../interfaces/ledger-kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { tempDir } from '../support/temp-dir.ts'
import { byOperator, NAMES, participantOf, startNodes, synchronizerOf } from './kit.ts'
import type { NodeName, TestNodes } from './kit.ts'
import {
  ALLOCATE,
  executed,
  known,
  letRead,
  pingOf,
  signedHosting,
  signedParty,
} from './outside-party.ts'
import type { Made } from './outside-party.ts'

async function idsOf(nodes: TestNodes): Promise<readonly string[]> {
  return Promise.all(NAMES.map((name) => participantOf(nodes[name])))
}

/** Asserts that a signature for one ledger is refused by the other, which names both nodes. */
async function assertForAnother(
  nodes: TestNodes,
  at: NodeName,
  { request }: Made,
  meant: string,
): Promise<void> {
  const synchronizer = await synchronizerOf(nodes[at])
  const sent = { ...request, synchronizer }
  const { status, text } = await nodes[at].ask('participant_admin', ALLOCATE, sent)
  assert.equal(status, 400, text)
  for (const uid of [meant, await participantOf(nodes[at])]) assert.ok(text.includes(uid), text)
}

/** It is hosted by both nodes, and by the second one alone; both execute what its keys sign. */
async function assertMoves(nodes: TestNodes, own: OutsideParty): Promise<void> {
  const { user, provider } = nodes
  const [hint = ''] = own.party.split('::')
  for (const hosts of [[provider, user], [provider]]) {
    const otherConfirmingParticipantUids = await Promise.all(hosts.slice(1).map(participantOf))
    const made = await signedParty(provider, hint, { otherConfirmingParticipantUids }, own.holders)
    for (const node of hosts) await node.done('participant_admin', ALLOCATE, made.request)
    for (const node of hosts) {
      await letRead(node, own.party)
      const { status, text } = await executed(node, own, [pingOf(own)])
      assert.equal(status, 200, `${node.name}: ${text}`)
    }
  }
  assert.deepEqual(await known(user, own.party), [false])
  const scan = `/api/scan/v0/domains/${encodeURIComponent(await synchronizerOf(provider))}`
  const line = `GET ${scan}/parties/${encodeURIComponent(own.party)}/participant-id`
  const { json } = await call(nodes.sv.url, line)
  assert.equal(member(json, 'participant_id'), `PAR::${await participantOf(provider)}`)
}

/** Each has another id with the namespace that it had, and all know all of them. */
async function assertRenamed(nodes: TestNodes, before: readonly string[]): Promise<void> {
  const ids = await idsOf(nodes)
  const spaces = (all: readonly string[]) => all.map((uid) => uid.split('::').at(-1))
  assert.deepEqual(spaces(ids), spaces(before))
  assert.ok(ids.every((uid) => !before.includes(uid)))
  const vetted = await nodes.user.done('participant_admin', 'POST /v2/package-vetting/list', {})
  const named = list(member(vetted, 'vettedPackages')).map((each) => path(each, 'participantId'))
  assert.deepEqual(named, ids.toSorted())
}

for (const storage of storesFor('nodes: copies')) {
  describe(`nodes and a copy of their ledger on ${storage.name}`, () => {
    let origin: TestNodes
    let copy: TestNodes
    let mover: OutsideParty
    let originIds: readonly string[] = []
    let copyIds: readonly string[] = []

    before(async () => {
      const [mine, theirs] = [await storage.section(), await storage.section()]
      const [{ path: own }, { path: other }] = [await tempDir(), await tempDir()]
      const command = async (section: object, dir: string, ...args: readonly string[]) => {
        const config = join(dir, 'maintenance.json')
        await writeFile(config, JSON.stringify({ storage: section }))
        const flags = ['--config', config, '--data', dir]
        const { code, stderr } = await run(MAIN, [...args, ...flags], { cwd: dir })
        assert.equal(code, 0, stderr)
      }
      origin = await startNodes({ section: async () => mine }, {}, own)
      for (const node of [origin.user, origin.provider])
        await node.done('participant_admin', 'POST /v2/users', {
          user: { id: 'reader', identityProviderId: '' },
          rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
        })
      const { party, holder } = await hosted(byOperator(origin.user, 'app-user'), 'mover')
      mover = { party, holders: [holder] }
      const file = join(own, 'kept.backup')
      await command(mine, own, 'backup', '--to', file)
      await command(theirs, other, 'restore', '--from', file)
      copy = await startNodes({ section: async () => theirs }, {}, other)
      originIds = await idsOf(origin)
      copyIds = await idsOf(copy)
    })
    after(async () => {
      await copy.stop()
      await origin.stop()
      await storage.release()
    })

    test('every node has an id of its own, and keeps its namespace', async () => {
      await assertRenamed(copy, originIds)
    })

    test('a hosting is signed for the nodes of one of them', async () => {
      const mine = await signedHosting(mover, [origin.provider], 2)
      const theirs = await signedHosting(mover, [copy.provider], 2)
      await assertForAnother(copy, 'provider', mine, originIds[1] ?? '')
      await assertForAnother(origin, 'provider', theirs, copyIds[1] ?? '')
      const mixed = await signedHosting(mover, [copy.user, origin.provider], 2)
      await assertForAnother(copy, 'provider', mixed, originIds[1] ?? '')
      const synchronizer = await synchronizerOf(copy.user)
      const { status, text } = await copy.user.ask('participant_admin', ALLOCATE, {
        ...mixed.request,
        synchronizer,
      })
      assert.equal(status, 400, text)
      assert.ok(text.includes(originIds[1] ?? '-'), text)
    })

    test('a party moves on both, and again after a revert', async () => {
      await copy.sv.done('operator', 'POST /development/snapshots', { name: 'before' })
      await assertMoves(copy, mover)
      await assertMoves(origin, mover)
      const kept = await signedHosting(mover, [copy.user], 2)
      await copy.sv.done('operator', 'POST /development/revert', { snapshot: 'before' })
      await assertForAnother(copy, 'user', kept, copyIds[2] ?? '')
      await assertRenamed(copy, copyIds)
      await assertMoves(copy, mover)
    })
  })
}
