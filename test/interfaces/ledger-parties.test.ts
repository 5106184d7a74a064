// Parties, outside keys, state and single updates over HTTP, on each storage. docs/ledger-rules.md,
// "Parties" and "Topology"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { argument, assertRefused, invalidField, missing, refusal } from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder, publicKeyOf, signatureOf } from '../support/topology-reference.ts'
import { list } from './ledger-kit.ts'

const NOT_FOUND = refusal(11, 'UPDATE_NOT_FOUND', {
  cause: 'Update not found, or not visible.',
  resources: [['OFFSET', '999999']],
})
const NON_POSITIVE = refusal(8, 'NON_POSITIVE_OFFSET', {
  cause:
    'Offset 0 in offset is not a positive integer: the offset has to be a positive integer (>0)',
})
const format = (party: string) => `updateFormat: {includeTransactions: {
  transactionShape: TRANSACTION_SHAPE_LEDGER_EFFECTS,
  eventFormat: {filtersByParty: {${party}: {}}}}}`
const NONE = "== {partyDetails: [], nextPageToken: ''}"
const TREE = 'updates/transaction-tree-by-offset'

for (const storage of storesFor('parties')) {
  describe(`parties on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    const run = (text: string) => world.run(text)
    const answered: Scripts['answered'] = (...asked) => world.answered(...asked)
    const refused = async (line: string, expected: string | Documented): Promise<void> =>
      assertRefused(await world.ask(line), expected)

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      const places = {
        parties: '/v2/parties',
        users: '/v2/users',
        updates: '/v2/updates',
        state: '/v2/state',
      }
      world = await scriptsOf(service, places, 'participant_admin', 'owner', 'reader', 'auditor')
      await run(`
        connected = participant_admin GET state/connected-synchronizers
        participant_admin POST users {user: {id: owner}}
        participant_admin POST users {user: {id: reader}}
      `)
      const first = answered('connected', 'connectedSynchronizers', '0', 'synchronizerId')
      world.known.set('domain', first)
      for (const [name, text] of [
        ['nul', '\0'],
        ['surrogate', '\ud800'],
        ['accent', '\u00e9'],
      ] as const)
        world.known.set(name, text)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('an allocated party is listed, and its user acts as it', async () => {
      await run(`
        made = participant_admin POST parties
          {partyIdHint: local, userId: owner, localMetadata: {annotations: {a: '1'}}}
          == {partyDetails: {party: $made.partyDetails.party, isLocal: true,
            identityProviderId: '', localMetadata: {resourceVersion: '0', annotations: {a: '1'}}}}
        participant_admin GET parties ?{filter-party: local}
          == {partyDetails: [$made.partyDetails], nextPageToken: ''}
        participant_admin GET parties/{party=$made.partyDetails.party}
          == {partyDetails: [$made.partyDetails]}
        participant_admin GET users/owner/rights
          == {rights: [{kind: {CanActAs: {value: {party: $made.partyDetails.party}}}}]}
        owner GET parties/{party=$made.partyDetails.party}
      `)
      const party = String(answered('made', 'partyDetails', 'party'))
      assert.match(party, /^local::1220[0-9a-f]{64}$/)
      await refused(
        'participant_admin POST parties {partyIdHint: local}',
        argument(`Party already exists: party ${party} is already allocated on this node.`),
      )
    })

    test('a party without a hint gets a name of its own', async () => {
      await run(`
        one = participant_admin POST parties {}
        other = participant_admin POST parties {}
      `)
      assert.notEqual(
        answered('one', 'partyDetails', 'party'),
        answered('other', 'partyDetails', 'party'),
      )
    })

    test('a party that cannot be granted is not allocated', async () => {
      await refused(
        'participant_admin POST parties {partyIdHint: half, userId: nobody}',
        refusal(11, 'USER_NOT_FOUND', { resources: [['USER', 'nobody']] }),
      )
      await run(`participant_admin GET parties ?{filter-party: half} ${NONE}`)
    })

    test('metadata of a party is merged under its version', async () => {
      await run('made = participant_admin POST parties {partyIdHint: meta}')
      const party = '$made.partyDetails.party'
      const update = (metadata: string) =>
        `participant_admin PATCH parties/{party=${party}} {partyDetails: {party: ${party},
          localMetadata: {${metadata}}}, updateMask: {paths: [local_metadata.annotations]}}`
      await run(`
        ${update("resourceVersion: '0', annotations: {a: '1', b: '2'}")}
        ${update("resourceVersion: '1', annotations: {a: '', c: '3'}")}
          => {partyDetails.localMetadata:
            {resourceVersion: '2', annotations: {b: '2', c: '3'}}}
      `)
      const resources = [['PARTY', String(answered('made', 'partyDetails', 'party'))]]
      await refused(
        update("resourceVersion: '1', annotations: {d: '4'}"),
        refusal(2, 'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', { resources }),
      )
    })

    test('an update of a party that is not there, of another than the path says', async () => {
      const body = "{partyDetails: {party: 'no::1'}, updateMask: {paths: [localMetadata]}}"
      await refused(
        `participant_admin PATCH parties/no%3A%3A1 ${body}`,
        refusal(11, 'PARTY_NOT_FOUND', { resources: [['PARTY', 'no::1']] }),
      )
      await refused(`participant_admin PATCH parties/other ${body}`, {
        ...argument('other does not match party in body: Some(no::1) '),
        definiteAnswer: false,
      })
    })

    for (const spec of ['EC_CURVE25519', 'EC_P256'] as const) {
      test(`a party with an outside key of the spec ${spec}`, async () => {
        const holder = newHolder(spec)
        world.known.set('key', publicKeyOf(holder))
        await run(`
          made = participant_admin POST parties/external/generate-topology
            {synchronizer: $domain, partyHint: outside, publicKey: $key}
        `)
        const [party, signedBy] = ['partyId', 'publicKeyFingerprint'].map((name) =>
          String(answered('made', name)),
        )
        assert.equal(party, `outside::${signedBy}`)
        const transactions = list(answered('made', 'topologyTransactions'))
        world.known.set(
          'transactions',
          transactions.map((transaction) => ({ transaction })),
        )
        const hash = Buffer.from(String(answered('made', 'multiHash')), 'base64').toString('hex')
        for (const [name, signature] of [
          ['good', signatureOf(holder, hash)],
          ['byAnother', signatureOf(newHolder(spec), hash)],
          ['ofOtherBytes', signatureOf(holder, 'ab')],
        ] as const)
          world.known.set(name, { ...signature, signedBy })
        const allocate = (signature: string, rest = '') =>
          `participant_admin POST parties/external/allocate {synchronizer: $domain,
            onboardingTransactions: $transactions, multiHashSignatures: [$${signature}]${rest}}`
        await run(`
          400 ${allocate('byAnother')}
          400 ${allocate('ofOtherBytes')}
          ${allocate('good', ', userId: owner')} == {partyId: $made.partyId}
        `)
        await refused(
          allocate('good'),
          argument(`Party already exists: party ${party} is already allocated on this node.`),
        )
        const state = await world.ask(
          'participant_admin GET state/connected-synchronizers ?{party: $made.partyId}',
        )
        assert.match(state.text, /PARTICIPANT_PERMISSION_CONFIRMATION/)
        const rights = await world.ask('participant_admin GET users/owner/rights')
        assert.match(rights.text, new RegExp(String(party)))
      })
    }

    test('30 a hint with the delimiter is refused', async () => {
      world.known.set('key', publicKeyOf(newHolder('EC_P256')))
      await refused(
        `participant_admin POST parties/external/generate-topology
          {synchronizer: $domain, partyHint: 'a::b', publicKey: $key}`,
        argument('party_hint: String contains reserved delimiter `::`.'),
      )
    })

    test('a new ledger has its network and was never pruned', async () => {
      await run(`
        end = participant_admin GET state/ledger-end
        participant_admin GET state/latest-pruned-offsets
          == {participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0}
      `)
      assert.ok(Number(answered('end', 'offset')) >= 1)
    })

    test('28, 29 updates that are not there', async () => {
      await run(`
        participant_admin POST users/reader/rights
          {userId: reader, rights: [{kind: {CanReadAs: {value: {party: p}}}}]}
        403 reader GET ${TREE}/1?parties=q
        403 reader POST updates/update-by-id {updateId: 1220ab, ${format('q')}}
      `)
      const byId = { ...NOT_FOUND, resources: [['UPDATE_ID', '1220ab']] }
      const empty = argument('filtersByParty and filtersForAnyParty cannot be empty simultaneously')
      for (const [line, expected] of [
        [`GET ${TREE}/0?parties=p`, NON_POSITIVE],
        [`GET ${TREE}/999999?parties=p`, NOT_FOUND],
        [`GET ${TREE}/x?parties=p`, 'Invalid value for: path parameter offset'],
        [`GET ${TREE}/9223372036854775808?parties=p`, 'Invalid value for: path parameter offset'],
        [`GET ${TREE}/1`, empty],
        [`POST updates/update-by-offset {offset: 999999, ${format('p')}}`, NOT_FOUND],
        [`POST updates/update-by-offset {offset: 0, ${format('p')}}`, NON_POSITIVE],
        ['POST updates/update-by-offset {offset: 1}', missing('update_format')],
        [`POST updates/update-by-id {updateId: 1220ab, ${format('p')}}`, byId],
      ] as const)
        await refused(`reader ${line}`, expected)
      const token = await service.token('reader')
      const { headers } = await fetch(`${service.url}/v2/${TREE}/999999?parties=p`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.ok(headers.get('deprecation'), 'the removal is announced')
    })

    const stranger = argument('non expected character 0x0 in Party "\u0000"')

    test('ids that no store could hold are refused, and begin no party', async () => {
      const provider = invalidField(
        /: Invalid field identity_provider_id: non expected character 0x0/,
      )
      const user = invalidField(/: Invalid field user_id: User ID /)
      const unnamed = '{partyDetails: {party: $nul}, updateMask: {paths: [local_metadata]}}'
      for (const [line, expected] of [
        [`PATCH parties/%00 ${unnamed}`, stranger],
        ['GET state/connected-synchronizers?party=%00', stranger],
        ['POST parties {partyIdHint: unowned, userId: $nul}', user],
        ['POST parties {partyIdHint: unowned, userId: $surrogate}', user],
        ['POST parties {partyIdHint: unowned, userId: a b}', user],
        ['GET /v2/idps/%00', provider],
        ['DELETE /v2/idps/%00', provider],
      ] as const)
        await refused(`participant_admin ${line}`, expected)
      for (const prefix of ['%00', '%25', 'x'.repeat(256), 'unowned'])
        await run(`participant_admin GET parties?filter-party=${prefix} ${NONE}`)
    })

    test('updates of ids and parties that cannot be are refused', async () => {
      await run(`
        participant_admin POST users
          {user: {id: auditor}, rights: [{kind: {CanReadAsAnyParty: {value: {}}}}]}
      `)
      for (const id of ['$nul', '$surrogate', '$accent'])
        await refused(
          `auditor POST updates/update-by-id {updateId: ${id}, updateFormat: {}}`,
          argument(/in Ledger String /),
        )
      await refused(
        `auditor POST updates/update-by-offset {offset: 1, ${format('"\\0"')}}`,
        stranger,
      )
      await refused(`auditor GET ${TREE}/1?parties=%00`, stranger)
    })
  })
}
