// What a client of the public ledger document does, until every operation was called: users,
// providers, parties, packages, commands, signed commands, and reads.
import { dar } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { newHolder, publicKeyOf, signatureOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import { createdId, list } from './ledger-kit.ts'
import type { World } from './vocabulary-http.test.ts'

/** Calls every operation of the ledger document. */
export async function asLedgerClient(world: World): Promise<void> {
  await world.run(`
    participant_admin GET /livez
    participant_admin GET /readyz
    participant_admin GET ledger/version
    participant_admin GET ledger/authenticated-user
    connected = participant_admin GET ledger/state/connected-synchronizers
  `)
  world.known.set(
    'domain',
    world.answered('connected', 'connectedSynchronizers', '0', 'synchronizerId'),
  )
  await administer(world)
  await keepParties(world)
  await keepPackages(world)
  await submit(world)
  await read(world)
  await signOutside(world)
}

const updateMask = (field: string) => `updateMask: {paths: [${field}], unknownFields: {fields: {}}}`

async function administer({ run }: World): Promise<void> {
  const config = `identityProviderConfig: {identityProviderId: login, isDeactivated: false,
    issuer: 'https://login.example.org', jwksUrl: 'https://login.example.org/keys', audience: ''}`
  const user = "user: {id: dave, primaryParty: '', isDeactivated: false, identityProviderId: ''}"
  const rights = `{userId: dave, rights: [{kind: {CanReadAsAnyParty: {value: {}}}}],
    identityProviderId: ''}`
  await run(`
    participant_admin POST ledger/idps {${config}}
    participant_admin GET ledger/idps
    participant_admin GET ledger/idps/{idp-id=login}
    participant_admin PATCH ledger/idps/{idp-id=login} {${config}, ${updateMask('audience')}}
    participant_admin POST ledger/users {${user}, rights: []}
    participant_admin GET ledger/users
    participant_admin GET ledger/users/{user-id=dave}
    participant_admin PATCH ledger/users/{user-id=dave} {${user}, ${updateMask('isDeactivated')}}
    participant_admin POST ledger/users/{user-id=dave}/rights ${rights}
    participant_admin GET ledger/users/{user-id=dave}/rights
    participant_admin PATCH ledger/users/{user-id=dave}/rights ${rights}
    participant_admin PATCH ledger/users/{user-id=dave}/identity-provider-id
      {userId: dave, sourceIdentityProviderId: '', targetIdentityProviderId: login}
    participant_admin PATCH ledger/users/{user-id=dave}/identity-provider-id
      {userId: dave, sourceIdentityProviderId: login, targetIdentityProviderId: ''}
    participant_admin DELETE ledger/users/{user-id=dave}
    participant_admin DELETE ledger/idps/{idp-id=login}
  `)
}

async function keepParties({ run }: World): Promise<void> {
  await run(`
    made = participant_admin POST ledger/parties
      {partyIdHint: eve, identityProviderId: '', synchronizerId: $domain, userId: ''}
    participant_admin GET ledger/parties
    participant_admin GET ledger/parties/participant-id
    participant_admin GET ledger/parties/{party=$made.partyDetails.party}
    participant_admin PATCH ledger/parties/{party=$made.partyDetails.party}
      {partyDetails: $made.partyDetails, ${updateMask('local_metadata')}}
  `)
}

async function keepPackages({ run, known, upstream }: World): Promise<void> {
  for (const [name, version] of [
    ['first', '1.0.0'],
    ['second', '1.1.0'],
  ] as const) {
    const main = deal(version)
    const attributes = { Format: upstream.manifestFormat }
    known.set(name, { id: main.packageId, raw: new Uint8Array(dar({ main, attributes })) })
  }
  const asked = `{packageMetadataFilter: {packageIds: [], packageNamePrefixes: [deals]},
    topologyStateFilter: {participantIds: [], synchronizerIds: []}, pageToken: '', pageSize: 10}`
  const packages = "packages: [{packageId: $second.id, packageName: '', packageVersion: ''}]"
  const vetting = `changes: [{operation: {Vet: {value: {${packages}}}}}], synchronizerId: $domain`
  await run(`
    participant_admin POST ledger/dars/validate $first.raw
    participant_admin POST ledger/dars $first.raw
    participant_admin POST ledger/packages ?{vetAllPackages: false} $second.raw
    participant_admin GET ledger/packages
    participant_admin GET ledger/packages/{package-id=$first.id}
    participant_admin GET ledger/packages/{package-id=$first.id}/status
    participant_admin POST ledger/package-vetting/list ${asked}
    participant_admin GET ledger/package-vetting ${asked}
    participant_admin POST ledger/package-vetting/update {${vetting}, dryRun: false}
    participant_admin POST ledger/package-vetting {${vetting}, dryRun: true}
    participant_admin GET ledger/interactive-submission/preferred-package-version
      ?{parties: [$alice], package-name: deals}
    participant_admin POST ledger/interactive-submission/preferred-packages
      {packageVettingRequirements: [{packageName: deals, parties: [$alice]}], synchronizerId: ''}
  `)
}

/** Commands by which a party creates a ping, which anybody may. */
function pinging({ upstream }: World, party: string, id: string): string {
  const module = upstream.named('module', 'Network.Internal.Ping')
  const template = `'#${upstream.named('package', 'network-builtin-ping')}:${module}:Ping'`
  const ping = `{id: ${id}, initiator: ${party}, responder: ${party}}`
  return `commandId: ping-${id}, actAs: [${party}],
    commands: [{CreateCommand: {templateId: ${template}, createArguments: ${ping}}}]`
}

async function submit(world: World): Promise<void> {
  const { run, known } = world
  const create = (id: string) => pinging(world, '$alice', id)
  await run(`
    alice POST ledger/commands/submit-and-wait {${create('a')}}
    alice POST ledger/commands/async/submit {${create('b')}}
    alice POST ledger/commands/submit-and-wait-for-transaction-tree {${create('c')}}
    made = alice POST ledger/commands/submit-and-wait-for-transaction {commands: {${create('d')}}}
  `)
  known.set('id', createdId(known.get('made')))
  const { alice } = Object.fromEntries(known)
  known.set('events', { filtersByParty: { [String(alice)]: { cumulative: [] } }, verbose: false })
}

async function read({ run }: World): Promise<void> {
  const shape = '{eventFormat: $events, transactionShape: TRANSACTION_SHAPE_ACS_DELTA}'
  const format = `updateFormat: {includeTransactions: ${shape}}`
  const range = 'beginExclusive: 0, endInclusive: $made.transaction.offset, verbose: true'
  await run(`
    alice POST ledger/updates/update-by-id {updateId: $made.transaction.updateId, ${format}}
    alice POST ledger/updates/update-by-offset {offset: $made.transaction.offset, ${format}}
    alice POST ledger/updates/transaction-by-id
      {updateId: $made.transaction.updateId, requestingParties: [], transactionFormat: ${shape}}
    alice POST ledger/updates/transaction-by-offset
      {offset: $made.transaction.offset, requestingParties: [$alice]}
    alice GET ledger/updates/transaction-tree-by-id/{update-id=$made.transaction.updateId}
      ?{parties: [$alice]}
    alice GET ledger/updates/transaction-tree-by-offset/{offset=$made.transaction.offset}
      ?{parties: [$alice]}
    alice POST ledger/updates {${range}, ${format}}
    alice POST ledger/updates/flats {${range}, filter: $events}
    alice POST ledger/updates/trees {${range}, filter: $events}
    alice POST ledger/updates/get-updates-page {${format}, maxPageSize: 5}
    alice POST ledger/commands/completions ?{limit: 5, stream_idle_timeout_ms: 50}
      {userId: '', parties: [$alice], beginExclusive: 0}
    alice POST ledger/events/events-by-contract-id {contractId: $id, eventFormat: $events}
    alice POST ledger/contracts/contract-by-id {contractId: $id, queryingParties: [$alice]}
    end = alice GET ledger/state/ledger-end
    alice GET ledger/state/latest-pruned-offsets
    alice POST ledger/state/active-contracts
      {activeAtOffset: $end.offset, eventFormat: $events, verbose: false}
    alice GET ledger/state/active-contracts-page {eventFormat: $events, maxPageSize: 5}
  `)
  const moving = (id: string, command: string) =>
    `reassignmentCommands: {commandId: ${id}, submitter: $alice, commands: [{command: ${command}}]}`
  const place = 'source: $domain, target: $domain'
  await run(`
    left = alice POST ledger/commands/submit-and-wait-for-reassignment
      {${moving('away', `{UnassignCommand: {value: {contractId: $id, ${place}}}}`)}, eventFormat: $events}
  `)
  const moved = '$left.reassignment.events.0.JsUnassignedEvent.value.reassignmentId'
  const back = `{AssignCommand: {value: {reassignmentId: ${moved}, ${place}}}}`
  await run(`alice POST ledger/commands/async/submit-reassignment {${moving('back', back)}}`)
}

async function signOutside(world: World): Promise<void> {
  const { run, known, answered } = world
  const holder = newHolder('EC_CURVE25519')
  known.set('key', publicKeyOf(holder))
  await run(`
    made = participant_admin POST ledger/parties/external/generate-topology
      {synchronizer: $domain, partyHint: frank, publicKey: $key}
  `)
  const transactions = list(answered('made', 'topologyTransactions'))
  known.set('frank', answered('made', 'partyId'))
  known.set('signed', signed(holder, answered('made', 'multiHash')))
  known.set(
    'transactions',
    transactions.map((transaction) => ({ transaction })),
  )
  await run(`
    participant_admin POST ledger/parties/external/allocate
      {synchronizer: $domain, onboardingTransactions: $transactions,
       multiHashSignatures: [$signed], userId: alice}
  `)
  for (const name of ['execute', 'executeAndWait', 'executeAndWaitForTransaction']) {
    await run(`
      prepared = alice POST ledger/interactive-submission/prepare
        {${pinging(world, '$frank', name)}, synchronizerId: $domain,
         packageIdSelectionPreference: [], verboseHashing: false}
    `)
    known.set('signed', signed(holder, answered('prepared', 'preparedTransactionHash')))
    await run(`
      alice POST ledger/interactive-submission/${name}
        {preparedTransaction: $prepared.preparedTransaction,
         hashingSchemeVersion: $prepared.hashingSchemeVersion, submissionId: ${name},
         deduplicationPeriod: {Empty: {}},
         partySignatures: {signatures: [{party: $frank, signatures: [$signed]}]}}
    `)
  }
}

/** `hash` in base64. */
function signed(holder: Holder, hash: unknown) {
  return signatureOf(holder, Buffer.from(String(hash), 'base64').toString('hex'))
}
