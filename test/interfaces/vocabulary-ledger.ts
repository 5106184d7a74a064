// What a client of the public ledger document does, until every operation was called: users,
// providers, parties, packages, commands, signed commands, and reads.
import assert from 'node:assert/strict'
import { archive, dar, PARTY } from '../support/dar-writer.ts'
import type { Service } from '../support/service.ts'
import { newHolder, publicKeyOf, signatureOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import { commandsOf, createdId, list, path } from './ledger-kit.ts'
import type { LedgerUser } from './ledger-kit.ts'
import type { Asking, Upstream } from './vocabulary-kit.ts'

interface LedgerWorld {
  readonly alice: LedgerUser
  readonly synchronizer: string
  /** A template that anybody may create, in the words of the wire. */
  readonly ping: string
  /** Asks as an admin; fails the test unless it succeeds. */
  done(line: string, asking?: Omit<Asking, 'token'>): Promise<unknown>
  /** Asks as alice. */
  own(line: string, asking?: Omit<Asking, 'token'>): Promise<unknown>
}

/** Calls every operation of the ledger document. */
export async function asLedgerClient(service: Service, upstream: Upstream): Promise<void> {
  const world = await worldOf(service, upstream)
  for (const name of ['livez', 'readyz', 'v2/version', 'v2/authenticated-user'])
    await world.done(`GET /${name}`)
  await administer(world)
  await keepParties(world)
  await keepPackages(world, upstream)
  await submit(world)
  await signOutside(world)
}

async function worldOf(service: Service, upstream: Upstream): Promise<LedgerWorld> {
  const as =
    (token: string): LedgerWorld['done'] =>
    async (line, asking = {}) => {
      const { status, json } = await upstream.ask(service.url, line, { ...asking, token })
      assert.equal(status, 200, `${line}: ${JSON.stringify(json)}`)
      return json
    }
  const done = as(await service.token('participant_admin'))
  const token = await service.token('alice')
  const user = await done('GET /v2/users/{user-id}', { path: ['alice'] })
  const alice = { id: 'alice', party: String(path(user, 'user', 'primaryParty')), token }
  const connected = await done('GET /v2/state/connected-synchronizers')
  const [first] = list(path(connected, 'connectedSynchronizers'))
  return {
    alice,
    done,
    own: as(token),
    synchronizer: String(path(first, 'synchronizerId')),
    ping: `#${upstream.named('package', 'network-builtin-ping')}:${upstream.named('module', 'Network.Internal.Ping')}:Ping`,
  }
}

async function administer({ done }: LedgerWorld): Promise<void> {
  const issuer = 'https://login.example.org'
  const config = { identityProviderId: 'login', issuer, jwksUrl: `${issuer}/keys`, audience: '' }
  const identityProviderConfig = { ...config, isDeactivated: false }
  const named = { path: ['login'] }
  const updateMask = (field: string) => ({ paths: [field], unknownFields: { fields: {} } })
  await done('POST /v2/idps', { body: { identityProviderConfig } })
  await done('GET /v2/idps')
  await done('GET /v2/idps/{idp-id}', named)
  await done('PATCH /v2/idps/{idp-id}', {
    ...named,
    body: { identityProviderConfig, updateMask: updateMask('audience') },
  })
  const user = { id: 'dave', primaryParty: '', isDeactivated: false, identityProviderId: '' }
  const dave = { path: ['dave'] }
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }]
  await done('POST /v2/users', { body: { user, rights: [] } })
  await done('GET /v2/users')
  await done('PATCH /v2/users/{user-id}', {
    ...dave,
    body: { user, updateMask: updateMask('isDeactivated') },
  })
  await done('POST /v2/users/{user-id}/rights', {
    ...dave,
    body: { userId: 'dave', rights, identityProviderId: '' },
  })
  await done('GET /v2/users/{user-id}/rights', dave)
  await done('PATCH /v2/users/{user-id}/rights', {
    ...dave,
    body: { userId: 'dave', rights, identityProviderId: '' },
  })
  for (const [source, target] of [
    ['', 'login'],
    ['login', ''],
  ])
    await done('PATCH /v2/users/{user-id}/identity-provider-id', {
      ...dave,
      body: {
        userId: 'dave',
        sourceIdentityProviderId: source,
        targetIdentityProviderId: target,
      },
    })
  await done('DELETE /v2/users/{user-id}', dave)
  await done('DELETE /v2/idps/{idp-id}', named)
}

async function keepParties({ done, synchronizer }: LedgerWorld): Promise<void> {
  const made = await done('POST /v2/parties', {
    body: {
      partyIdHint: 'eve',
      identityProviderId: '',
      synchronizerId: synchronizer,
      userId: '',
    },
  })
  const details = path(made, 'partyDetails')
  const named = { path: [String(path(details, 'party'))] }
  await done('GET /v2/parties')
  await done('GET /v2/parties/participant-id')
  await done('GET /v2/parties/{party}', named)
  await done('PATCH /v2/parties/{party}', {
    ...named,
    body: {
      partyDetails: details,
      updateMask: { paths: ['local_metadata'], unknownFields: { fields: {} } },
    },
  })
}

async function keepPackages(
  { done, alice, synchronizer }: LedgerWorld,
  upstream: Upstream,
): Promise<void> {
  const dealOf = (version: string) =>
    archive({
      name: 'deals',
      version,
      modules: [
        {
          name: 'Deals',
          dataTypes: [{ name: 'Deal', serializable: true, record: [['owner', PARTY]] }],
          templates: [{ name: 'Deal' }],
        },
      ],
    })
  const [first, second] = [dealOf('1.0.0'), dealOf('1.1.0')]
  const raw = (main: typeof first) =>
    new Uint8Array(dar({ main, attributes: { Format: upstream.manifestFormat } }))
  await done('POST /v2/dars/validate', { body: raw(first) })
  await done('POST /v2/dars', { body: raw(first) })
  await done('POST /v2/packages', { body: raw(second), query: { vetAllPackages: false } })
  await done('GET /v2/packages')
  for (const name of ['', '/status'])
    await done(`GET /v2/packages/{package-id}${name}`, { path: [first.packageId] })
  const asked = {
    packageMetadataFilter: { packageIds: [], packageNamePrefixes: ['deals'] },
    topologyStateFilter: { participantIds: [], synchronizerIds: [] },
    pageToken: '',
    pageSize: 10,
  }
  await done('POST /v2/package-vetting/list', { body: asked })
  await done('GET /v2/package-vetting', { body: asked })
  const packages = [{ packageId: second.packageId, packageName: '', packageVersion: '' }]
  const body = {
    changes: [{ operation: { Vet: { value: { packages } } } }],
    dryRun: false,
    synchronizerId: synchronizer,
  }
  await done('POST /v2/package-vetting/update', { body })
  await done('POST /v2/package-vetting', { body: { ...body, dryRun: true } })
  await done('GET /v2/interactive-submission/preferred-package-version', {
    query: { parties: [alice.party], 'package-name': 'deals' },
  })
  await done('POST /v2/interactive-submission/preferred-packages', {
    body: {
      packageVettingRequirements: [{ packageName: 'deals', parties: [alice.party] }],
      synchronizerId: '',
    },
  })
}

const pinging = (ping: string, party: string, id: string) => ({
  CreateCommand: { templateId: ping, createArguments: { id, initiator: party, responder: party } },
})

async function submit(world: LedgerWorld): Promise<void> {
  const { alice, own, ping } = world
  const create = (id: string) => commandsOf(alice, pinging(ping, alice.party, id))
  const commands = '/v2/commands'
  await own(`POST ${commands}/submit-and-wait`, { body: create('a') })
  await own(`POST ${commands}/async/submit`, { body: create('b') })
  await own(`POST ${commands}/submit-and-wait-for-transaction-tree`, { body: create('c') })
  const made = await own(`POST ${commands}/submit-and-wait-for-transaction`, {
    body: { commands: create('d') },
  })
  await read(world, made)
  await move(world, createdId(made))
}

async function move({ alice, own, synchronizer }: LedgerWorld, contractId: string): Promise<void> {
  const place = { source: synchronizer, target: synchronizer }
  const moving = (command: object) => ({
    reassignmentCommands: {
      commandId: commandsOf(alice).commandId,
      submitter: alice.party,
      commands: [{ command }],
    },
  })
  const eventFormat = formatFor(alice)
  const away = { UnassignCommand: { value: { contractId, ...place } } }
  const left = await own('POST /v2/commands/submit-and-wait-for-reassignment', {
    body: { ...moving(away), eventFormat },
  })
  const [event] = list(path(left, 'reassignment', 'events'))
  const reassignmentId = path(event, 'JsUnassignedEvent', 'value', 'reassignmentId')
  const back = { AssignCommand: { value: { reassignmentId, ...place } } }
  await own('POST /v2/commands/async/submit-reassignment', { body: moving(back) })
}

const formatFor = ({ party }: LedgerUser) => ({
  filtersByParty: { [party]: { cumulative: [] } },
  verbose: false,
})

async function read({ alice, own }: LedgerWorld, made: unknown): Promise<void> {
  const [updateId, offset] = ['updateId', 'offset'].map((name) => path(made, 'transaction', name))
  const eventFormat = formatFor(alice)
  const transactionFormat = {
    eventFormat,
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  }
  const updateFormat = { includeTransactions: transactionFormat }
  const updates = '/v2/updates'
  const requestingParties = [alice.party]
  await own(`POST ${updates}/update-by-id`, { body: { updateId, updateFormat } })
  await own(`POST ${updates}/update-by-offset`, { body: { offset, updateFormat } })
  await own(`POST ${updates}/transaction-by-id`, {
    body: { updateId, requestingParties: [], transactionFormat },
  })
  await own(`POST ${updates}/transaction-by-offset`, {
    body: { offset, requestingParties },
  })
  const query = { parties: [alice.party] }
  await own(`GET ${updates}/transaction-tree-by-id/{update-id}`, {
    path: [String(updateId)],
    query,
  })
  await own(`GET ${updates}/transaction-tree-by-offset/{offset}`, {
    path: [String(offset)],
    query,
  })
  const range = { beginExclusive: 0, endInclusive: offset, verbose: true }
  await own(`POST ${updates}`, { body: { ...range, updateFormat } })
  for (const name of ['flats', 'trees'])
    await own(`POST ${updates}/${name}`, { body: { ...range, filter: eventFormat } })
  await own(`POST ${updates}/get-updates-page`, { body: { updateFormat, maxPageSize: 5 } })
  await own('POST /v2/commands/completions', {
    body: { userId: '', parties: [alice.party], beginExclusive: 0 },
    query: { limit: 5, stream_idle_timeout_ms: 50 },
  })
  const contractId = createdId(made)
  await own('POST /v2/events/events-by-contract-id', { body: { contractId, eventFormat } })
  await own('POST /v2/contracts/contract-by-id', {
    body: { contractId, queryingParties: [alice.party] },
  })
  const { offset: end } = Object(await own('GET /v2/state/ledger-end'))
  await own('GET /v2/state/latest-pruned-offsets')
  await own('POST /v2/state/active-contracts', {
    body: { activeAtOffset: end, eventFormat, verbose: false },
  })
  await own('GET /v2/state/active-contracts-page', { body: { eventFormat, maxPageSize: 5 } })
}

async function signOutside(world: LedgerWorld): Promise<void> {
  const { done, synchronizer } = world
  const holder = newHolder('EC_CURVE25519')
  const made = await done('POST /v2/parties/external/generate-topology', {
    body: { synchronizer, partyHint: 'frank', publicKey: publicKeyOf(holder) },
  })
  const transactions = list(path(made, 'topologyTransactions'))
  await done('POST /v2/parties/external/allocate', {
    body: {
      synchronizer,
      onboardingTransactions: transactions.map((transaction) => ({ transaction })),
      multiHashSignatures: [signed(holder, String(path(made, 'multiHash')))],
      userId: 'alice',
    },
  })
  const frank = { ...world.alice, party: String(path(made, 'partyId')) }
  for (const name of ['execute', 'executeAndWait', 'executeAndWaitForTransaction'])
    await executed(world, { name, frank, holder })
}

interface Executing {
  readonly name: string
  readonly frank: LedgerUser
  readonly holder: Holder
}

async function executed(world: LedgerWorld, { name, frank, holder }: Executing): Promise<void> {
  const { own, ping, synchronizer } = world
  const prepared = await own('POST /v2/interactive-submission/prepare', {
    body: {
      ...commandsOf(frank, pinging(ping, frank.party, name)),
      synchronizerId: synchronizer,
      packageIdSelectionPreference: [],
      verboseHashing: false,
    },
  })
  const signature = signed(holder, String(path(prepared, 'preparedTransactionHash')))
  await own(`POST /v2/interactive-submission/${name}`, {
    body: {
      preparedTransaction: path(prepared, 'preparedTransaction'),
      hashingSchemeVersion: path(prepared, 'hashingSchemeVersion'),
      submissionId: name,
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [{ party: frank.party, signatures: [signature] }] },
    },
  })
}

/** `hash` in base64. */
function signed(holder: Holder, hash: string) {
  return signatureOf(holder, Buffer.from(hash, 'base64').toString('hex'))
}
