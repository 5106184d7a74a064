// Which packages are vetted, how that changes, and which version of one a client should use.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { packages as own } from '../../generated/contracts.gen.ts'
import { dar } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { ARGUMENT, assertRefused, refusal } from '../support/documented.ts'
import { call, type Answer } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { list, path } from './ledger-kit.ts'

const LIST = 'POST /v2/package-vetting/list'
const UPDATE = 'POST /v2/package-vetting/update'
const PREFERRED = 'POST /v2/interactive-submission/preferred-packages'
const VERSION = 'GET /v2/interactive-submission/preferred-package-version'
const STATE = { status: 400, category: 9, grpc: 9 }
const COIN = { packageName: 'network-coin', packageVersion: own['network-coin'].version }

const [first, second, broken] = [
  deal('1.0.0'),
  deal('1.10.0', 'amount: Optional Int64'),
  deal('1.2.0', 'amount: Int64'),
]

let service: Service
let admin: string
let guest: string
let party: string
const ask = (request: string, body?: unknown, token = admin): Promise<Answer> =>
  call(service.url, request, { token, ...(body === undefined ? {} : { body }) })
const vet = (...packages: readonly object[]): object => ({
  operation: { Vet: { value: { packages } } },
})
const unvet = (...packages: readonly object[]): object => ({
  operation: { Unvet: { value: { packages } } },
})
const byName = (...packageNamePrefixes: readonly string[]): object => ({
  packageMetadataFilter: { packageNamePrefixes },
})
const vetted = async (): Promise<readonly unknown[]> => {
  const [here] = list(path((await ask(LIST, byName('deals'))).json, 'vettedPackages'))
  return here === undefined
    ? []
    : list(path(here, 'packages')).map((each) => path(each, 'packageId'))
}

before(async () => {
  service = await startService()
  admin = await service.token('participant_admin')
  await ask('POST /v2/users', { user: { id: 'guest' } })
  guest = await service.token('guest')
  const allocated = await ask('POST /v2/parties', { partyIdHint: 'dealer' })
  party = String(path(allocated.json, 'partyDetails', 'party'))
  for (const main of [first, second, broken]) {
    const raw = new Uint8Array(dar({ main }))
    const headers = { 'content-type': 'application/octet-stream' }
    const stored = await call(service.url, 'POST /v2/dars?vetAllPackages=false', {
      token: admin,
      raw,
      headers,
    })
    assert.equal(stored.status, 200, stored.text)
  }
})
after(() => service.stop())

test('the packages of our own contracts are vetted and preferred, for any user', async () => {
  const { json } = await ask(LIST, byName('network-coin'), guest)
  const [here, ...others] = list(path(json, 'vettedPackages'))
  assert.deepEqual(others, [])
  const coin = { packageId: own['network-coin'].id, ...COIN }
  assert.deepEqual(list(path(here, 'packages'))[0], coin)
  const requirement = { packageName: 'network-coin', parties: [party] }
  const answer = await ask(PREFERRED, { packageVettingRequirements: [requirement] }, guest)
  const synchronizerId = path(here, 'synchronizerId')
  assert.deepEqual(answer.json, { packageReferences: [coin], synchronizerId })
  const query = `?package-name=network-coin&parties=${encodeURIComponent(party)}`
  assert.deepEqual((await ask(`${VERSION}${query}`, undefined, guest)).json, {
    packagePreference: { packageReference: coin, synchronizerId },
  })
})

test('a version of what no package may be called is not preferred', async () => {
  for (const packageName of ['a b', 'x'.repeat(256)]) {
    const requirement = { packageName, parties: [party] }
    assertRefused(await ask(PREFERRED, { packageVettingRequirements: [requirement] }, guest), {
      ...ARGUMENT,
      code: 'INVALID_FIELD',
    })
  }
})

test('stored packages are vetted together or not at all, and the highest is preferred', async () => {
  assert.deepEqual(await vetted(), [])
  const changes = [vet({ packageId: first.packageId }), vet({ packageId: second.packageId })]
  const before = path((await ask(LIST, {})).json, 'vettedPackages', 0, 'topologySerial')
  assert.equal((await ask(UPDATE, { changes, dryRun: true })).status, 200)
  assert.deepEqual(await vetted(), [])
  const incompatible = vet({ packageName: 'deals', packageVersion: '1.2.0' })
  assertRefused(await ask(UPDATE, { changes: [...changes, incompatible] }), {
    ...ARGUMENT,
    code: 'NOT_VALID_UPGRADE_PACKAGE',
  })
  assert.deepEqual(await vetted(), [])
  const stale = { serial: { Prior: { value: Number(before) + 1 } } }
  assertRefused(await ask(UPDATE, { changes, expectedTopologySerial: stale }), {
    ...STATE,
    code: 'TOPOLOGY_SERIAL_MISMATCH',
  })
  const expectedTopologySerial = { serial: { Prior: { value: before } } }
  const done = await ask(UPDATE, { changes, expectedTopologySerial })
  assert.equal(done.status, 200, done.text)
  assert.equal(path(done.json, 'newVettedPackages', 'topologySerial'), Number(before) + 1)
  assert.deepEqual(await vetted(), [first.packageId, second.packageId])
  const query = `?package-name=deals&vetting_valid_at=2030-01-01T00:00:00Z`
  const found = path((await ask(`${VERSION}${query}`)).json, 'packagePreference')
  assert.equal(path(found, 'packageReference', 'packageVersion'), '1.10.0')
})

test('vetting again changes nothing; taking it back, times and vague references are refused', async () => {
  const changes = [vet({ packageId: first.packageId })]
  await ask(UPDATE, { changes })
  const kept = await vetted()
  assert.equal((await ask(UPDATE, { changes })).status, 200)
  const values = {
    packages: [{ packageId: first.packageId }],
    newValidFromInclusive: '2030-01-01T00:00:00Z',
  }
  for (const change of [
    unvet({ packageId: first.packageId }),
    unvet({ packageName: 'network-coin' }),
    vet({ packageName: 'deals' }),
    vet({ packageVersion: '1.0.0' }),
    { operation: { Vet: { value: values } } },
    { operation: { Empty: {} } },
    {},
  ])
    assertRefused(await ask(UPDATE, { changes: [change] }), ARGUMENT)
  assertRefused(
    await ask(UPDATE, { changes: [vet({ packageId: 'ab' })] }),
    refusal(11, 'TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES', { context: { packages: 'ab' } }),
  )
  assertRefused(await ask(UPDATE, { changes, synchronizerId: 'other::1220ab' }), {
    ...STATE,
    code: 'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER',
  })
  assert.equal((await ask(UPDATE, { changes: [] })).status, 400)
  assert.equal((await ask(UPDATE, { changes }, guest)).status, 403)
  assert.deepEqual(await vetted(), kept)
})

test('the older paths do the same and say that they go', async () => {
  const older = await ask('GET /v2/package-vetting')
  assert.deepEqual(older.json, (await ask(LIST, {})).json)
  assert.match(older.headers.get('deprecation') ?? '', /./)
  const changes = [vet({ packageId: first.packageId })]
  assert.equal((await ask('POST /v2/package-vetting', { changes, dryRun: true })).status, 200)
})

test('filters let through what matches; what is no page or no name is refused', async () => {
  const nowhere = { topologyStateFilter: { participantIds: ['other::1220ab'] } }
  assert.deepEqual((await ask(LIST, nowhere)).json, { vettedPackages: [], nextPageToken: '' })
  const byId = { packageMetadataFilter: { packageIds: [own['network-wallet'].id] } }
  const [here] = list(path((await ask(LIST, byId)).json, 'vettedPackages'))
  assert.equal(list(path(here, 'packages')).length, 1)
  for (const body of [{ pageSize: 101 }, { pageSize: -1 }, { pageToken: 'zzz' }])
    assertRefused(await ask(LIST, body), ARGUMENT)
  const asking = (packageName: string, parties: readonly string[], rest: object = {}) =>
    ask(PREFERRED, { packageVettingRequirements: [{ packageName, parties }], ...rest })
  const none = { ...STATE, code: 'JSON_API_PACKAGE_SELECTION_FAILED' }
  assertRefused(await asking('nothing', [party]), none)
  assertRefused(await asking('network-coin', ['nobody::1220ab']), none)
  assertRefused(await asking('network-coin', ['*']), ARGUMENT)
  assertRefused(await asking('network-coin', [party], { vettingValidAt: 'soon' }), {
    ...ARGUMENT,
    code: 'INVALID_FIELD',
  })
  assert.equal((await asking('network-coin', [])).status, 400)
  assert.deepEqual((await ask(`${VERSION}?package-name=nothing`)).json, {})
  assert.equal((await ask(VERSION)).status, 400)
  const malformed = { ...ARGUMENT, code: 'INVALID_FIELD' }
  assertRefused(await asking('a\u0000b', [party]), malformed)
  assertRefused(await ask(`${VERSION}?package-name=a%00b`), malformed)
})
