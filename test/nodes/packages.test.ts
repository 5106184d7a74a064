// Packages of several nodes: what is uploaded to one is known and vetted there and nowhere else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { member } from '../../runtime/host/member.ts'
import { list, path } from '../interfaces/ledger-kit.ts'
import { dar } from '../support/dar-writer.ts'
import type { ArchiveFile } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import { participantOf } from './kit.ts'

const ADMIN = 'participant_admin'
const first = deal('1.0.0')
const second = deal('2.0.0', 'amount: Optional Int64')
const other = deal('2.0.0', 'price: Optional Int64')

const upload = (node: LocalNode, main: ArchiveFile, query = ''): Promise<unknown> =>
  node.done(ADMIN, `POST /v2/packages${query}`, new Uint8Array(dar({ main })))

describe('packages of several nodes', () => {
  let nodes: LocalNodes
  let [sv, provider, user]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['sv', 'provider', 'user'])
    ;[sv, provider, user] = nodes.all
  })
  after(() => nodes.close())

  test('an upload is known to its node alone, in every answer about packages', async () => {
    assert.ok(sv !== undefined && provider !== undefined && user !== undefined)
    await upload(provider, first)
    const { packageId } = first
    assert.deepEqual(await packagesOf(provider), [packageId])
    assert.equal((await provider.ask(ADMIN, `GET /v2/packages/${packageId}`)).status, 200)
    for (const node of [sv, user]) {
      assert.deepEqual(await packagesOf(node), [])
      assert.equal((await node.ask(ADMIN, `GET /v2/packages/${packageId}`)).status, 404)
      const status = await node.done(ADMIN, `GET /v2/packages/${packageId}/status`)
      assert.deepEqual(status, { packageStatus: 'PACKAGE_STATUS_UNSPECIFIED' })
      const vetting = await vet(node, packageId)
      assert.equal(vetting.status, 404, vetting.text)
    }
  })

  test('each node tells what the others have vetted, and vets for itself', async () => {
    assert.ok(sv !== undefined && provider !== undefined && user !== undefined)
    const before = await vettedBy(user)
    await upload(user, first, '?vetAllPackages=false')
    assert.deepEqual(await vettedBy(user), before)
    assert.deepEqual(await runsAt(user), { runs: 'nothing', reason: 'not-vetted' })
    assert.equal((await vet(user, first.packageId)).status, 200)
    assert.deepEqual(await runsAt(user), { runs: 'package', reason: undefined })
    assert.deepEqual(await runsAt(sv), undefined)
    const after = await vettedBy(sv)
    const participants = await Promise.all([provider, user].map(participantOf))
    assert.deepEqual(
      after.map(({ participant }) => participant),
      participants.toSorted(),
    )
    for (const { packages } of after) assert.deepEqual(packages, [first.packageId])
    const serialOf = (name: string, among = after) =>
      among.find(({ participant }) => participant.startsWith(name))?.serial
    assert.equal(serialOf('user::'), 2)
    assert.equal(serialOf('provider::'), serialOf('provider::', before))
  })

  test('versions of two nodes never meet', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    await upload(provider, second)
    await upload(user, other)
    const again = await user.ask(ADMIN, 'POST /v2/packages', new Uint8Array(dar({ main: second })))
    assert.equal(member(again.json, 'code'), 'KNOWN_PACKAGE_VERSION', again.text)
  })

  test('the version to use is one that the nodes of all parties have vetted', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const [alice, bob] = await Promise.all([partyAt(provider, 'alice'), partyAt(user, 'bob')])
    const preferred = async (...parties: readonly string[]): Promise<unknown> => {
      const body = { packageVettingRequirements: [{ packageName: 'deals', parties }] }
      const line = 'POST /v2/interactive-submission/preferred-packages'
      return path(await provider?.done(ADMIN, line, body), 'packageReferences', 0, 'packageId')
    }
    assert.equal(await preferred(alice), second.packageId)
    assert.equal(await preferred(bob), other.packageId)
    assert.equal(await preferred(alice, bob), first.packageId)
  })
})

test('packages from before there were nodes are the first one’s', async () => {
  const store = createMemoryStore()
  await store.packages.upload([stored(first)], [first.packageId], 0n)
  const { all, close } = await openNodes(['sv', 'user'], { given: store })
  assert.deepEqual(await Promise.all(all.map(packagesOf)), [[first.packageId], []])
  await close()
})

test('packages that all nodes shared stay everyone’s', async () => {
  const store = createMemoryStore()
  await (await openNodes(['sv', 'user'], { given: store })).close()
  await store.contracts.forgetFacts('node-packages', 'node-packages/')
  await store.packages.upload([stored(first)], [first.packageId], 0n)
  const { all, close } = await openNodes(['sv', 'user', 'late'], { given: store })
  assert.deepEqual(await Promise.all(all.map(packagesOf)), [
    [first.packageId],
    [first.packageId],
    [],
  ])
  await close()
})

/** What runs of the first version at a node. */
async function runsAt({ services }: LocalNode) {
  const found = (await services.packages()).find(({ packageId }) => packageId === first.packageId)
  return found && { runs: found.runs, reason: found.reason }
}

const vet = (node: LocalNode, packageId: string) =>
  node.ask(ADMIN, 'POST /v2/package-vetting/update', {
    changes: [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }],
  })

async function packagesOf(node: LocalNode): Promise<unknown> {
  return member(await node.done(ADMIN, 'GET /v2/packages'), 'packageIds')
}

/** The uploaded packages of all nodes, as this one tells them. */
async function vettedBy(node: LocalNode) {
  const answer = await node.done(ADMIN, 'POST /v2/package-vetting/list', {
    packageMetadataFilter: { packageNamePrefixes: ['deals'] },
  })
  return list(path(answer, 'vettedPackages')).map((at) => ({
    participant: String(path(at, 'participantId')),
    serial: Number(path(at, 'topologySerial')),
    packages: list(path(at, 'packages')).map((each) => path(each, 'packageId')),
  }))
}

async function partyAt(node: LocalNode, hint: string): Promise<string> {
  const made = await node.done(ADMIN, 'POST /v2/parties', { partyIdHint: hint })
  return String(path(made, 'partyDetails', 'party'))
}

function stored({ packageId, payload }: ArchiveFile) {
  const readPayload = async (): Promise<Uint8Array> => payload
  const names = { name: 'deals', version: '1.0.0', summary: '{}' }
  return { packageId, ...names, size: payload.length, readPayload }
}
