// Parties, outside keys, state and single updates over HTTP, on each storage. docs/ledger-rules.md,
// "Parties" and "Topology"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { argument, assertRefused, invalidField, missing, refusal } from '../support/documented.ts'
import { member } from '../../runtime/host/member.ts'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder, publicKeyOf, signatureOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'

const NOT_FOUND = refusal(11, 'UPDATE_NOT_FOUND', {
  cause: 'Update not found, or not visible.',
  resources: [['OFFSET', '999999']],
})
const NON_POSITIVE = refusal(8, 'NON_POSITIVE_OFFSET', {
  cause:
    'Offset 0 in offset is not a positive integer: the offset has to be a positive integer (>0)',
})
const format = (party: string): object => ({
  includeTransactions: {
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    eventFormat: { filtersByParty: { [party]: {} } },
  },
})

for (const storage of storesFor('parties')) {
  describe(`parties on ${storage.name}`, () => {
    let service: Service
    let admin: string
    let synchronizer: string
    const ask = (request: string, options: CallOptions = {}): Promise<Answer> =>
      call(service.url, request, { token: admin, ...options })
    const generate = async (partyHint: string, holder: Holder): Promise<Generated> => {
      const answer = await ask('POST /v2/parties/external/generate-topology', {
        body: { synchronizer, partyHint, publicKey: publicKeyOf(holder) },
      })
      assert.equal(answer.status, 200, answer.text)
      return readGenerated(answer.json)
    }
    const allocate = (made: Generated, signed: object, rest: object = {}): Promise<Answer> =>
      ask('POST /v2/parties/external/allocate', {
        body: {
          synchronizer,
          onboardingTransactions: made.topologyTransactions.map((transaction) => ({ transaction })),
          multiHashSignatures: [{ ...signed, signedBy: made.publicKeyFingerprint }],
          ...rest,
        },
      })

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      admin = await service.token('participant_admin')
      const { json } = await ask('GET /v2/state/connected-synchronizers')
      synchronizer = text(
        Array.isArray(member(json, 'connectedSynchronizers'))
          ? member(member(json, 'connectedSynchronizers'), '0')
          : undefined,
        'synchronizerId',
      )
      for (const id of ['owner', 'reader'])
        assert.equal((await ask('POST /v2/users', { body: { user: { id } } })).status, 200)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('an allocated party is listed, and its user acts as it', async () => {
      const allocated = await ask('POST /v2/parties', {
        body: { partyIdHint: 'local', userId: 'owner', localMetadata: { annotations: { a: '1' } } },
      })
      assert.equal(allocated.status, 200, allocated.text)
      const party = text(member(allocated.json, 'partyDetails'), 'party')
      assert.match(party, /^local::1220[0-9a-f]{64}$/)
      const details = {
        party,
        isLocal: true,
        identityProviderId: '',
        localMetadata: { resourceVersion: '0', annotations: { a: '1' } },
      }
      assert.deepEqual(allocated.json, { partyDetails: details })
      assert.deepEqual((await ask('GET /v2/parties?filter-party=local')).json, {
        partyDetails: [details],
        nextPageToken: '',
      })
      assert.deepEqual((await ask(`GET /v2/parties/${encodeURIComponent(party)}`)).json, {
        partyDetails: [details],
      })
      const rights = await ask('GET /v2/users/owner/rights')
      assert.deepEqual(rights.json, { rights: [{ kind: { CanActAs: { value: { party } } } }] })
      const token = await service.token('owner')
      assert.equal(
        (await ask(`GET /v2/parties/${encodeURIComponent(party)}`, { token })).status,
        200,
        'who operates as it may read it',
      )
      assertRefused(
        await ask('POST /v2/parties', { body: { partyIdHint: 'local' } }),
        argument(`Party already exists: party ${party} is already allocated on this node.`),
      )
    })

    test('a party without a hint gets a name of its own', async () => {
      const ids = await Promise.all(
        [1, 2].map(async () =>
          text(member((await ask('POST /v2/parties', { body: {} })).json, 'partyDetails'), 'party'),
        ),
      )
      assert.equal(new Set(ids).size, 2)
    })

    test('a party that cannot be granted is not allocated', async () => {
      const refused = await ask('POST /v2/parties', {
        body: { partyIdHint: 'half', userId: 'nobody' },
      })
      assertRefused(refused, refusal(11, 'USER_NOT_FOUND', { resources: [['USER', 'nobody']] }))
      assert.deepEqual((await ask('GET /v2/parties?filter-party=half')).json, {
        partyDetails: [],
        nextPageToken: '',
      })
    })

    test('metadata of a party is merged under its version', async () => {
      const party = text(
        member(
          (await ask('POST /v2/parties', { body: { partyIdHint: 'meta' } })).json,
          'partyDetails',
        ),
        'party',
      )
      const update = (resourceVersion: string, annotations: object): Promise<Answer> =>
        ask(`PATCH /v2/parties/${encodeURIComponent(party)}`, {
          body: {
            partyDetails: { party, localMetadata: { resourceVersion, annotations } },
            updateMask: { paths: ['local_metadata.annotations'] },
          },
        })
      assert.equal((await update('0', { a: '1', b: '2' })).status, 200)
      const second = await update('1', { a: '', c: '3' })
      assert.deepEqual(member(member(second.json, 'partyDetails'), 'localMetadata'), {
        resourceVersion: '2',
        annotations: { b: '2', c: '3' },
      })
      assertRefused(
        await update('1', { d: '4' }),
        refusal(2, 'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', { resources: [['PARTY', party]] }),
      )
    })

    test('an update of a party that is not there, of another than the path says', async () => {
      const body = { partyDetails: { party: 'no::1' }, updateMask: { paths: ['localMetadata'] } }
      assertRefused(
        await ask('PATCH /v2/parties/no%3A%3A1', { body }),
        refusal(11, 'PARTY_NOT_FOUND', { resources: [['PARTY', 'no::1']] }),
      )
      assertRefused(await ask('PATCH /v2/parties/other', { body }), {
        ...argument('other does not match party in body: Some(no::1) '),
        definiteAnswer: false,
      })
    })

    for (const spec of ['EC_CURVE25519', 'EC_P256'] as const) {
      test(`a party with an outside key of the spec ${spec}`, async () => {
        const holder = newHolder(spec)
        const made = await generate('outside', holder)
        assert.equal(made.partyId, `outside::${made.publicKeyFingerprint}`)
        const hash = Buffer.from(made.multiHash, 'base64').toString('hex')
        const signed = signatureOf(holder, hash)
        for (const [by, wrong] of [
          ['another key', signatureOf(newHolder(spec), hash)],
          ['the key over other bytes', signatureOf(holder, 'ab')],
        ] as const)
          assert.equal((await allocate(made, wrong)).status, 400, `signed by ${by}`)
        const allocated = await allocate(made, signed, { userId: 'owner' })
        assert.deepEqual(allocated.json, { partyId: made.partyId }, allocated.text)
        assertRefused(
          await allocate(made, signed),
          argument(
            `Party already exists: party ${made.partyId} is already allocated on this node.`,
          ),
        )
        const state = await ask(
          `GET /v2/state/connected-synchronizers?party=${encodeURIComponent(made.partyId)}`,
        )
        assert.match(state.text, /PARTICIPANT_PERMISSION_CONFIRMATION/)
        assert.match((await ask('GET /v2/users/owner/rights')).text, new RegExp(made.partyId))
      })
    }

    test('30 a hint with the delimiter is refused', async () => {
      const body = { synchronizer, partyHint: 'a::b', publicKey: publicKeyOf(newHolder('EC_P256')) }
      assertRefused(
        await ask('POST /v2/parties/external/generate-topology', { body }),
        argument('party_hint: String contains reserved delimiter `::`.'),
      )
    })

    test('a new ledger has its network and was never pruned', async () => {
      const { json } = await ask('GET /v2/state/ledger-end')
      assert.ok(Number(member(json, 'offset')) >= 1, JSON.stringify(json))
      assert.deepEqual((await ask('GET /v2/state/latest-pruned-offsets')).json, {
        participantPrunedUpToInclusive: 0,
        allDivulgedContractsPrunedUpToInclusive: 0,
      })
    })

    test('28, 29 updates that are not there', async () => {
      await ask('POST /v2/users/reader/rights', {
        body: { userId: 'reader', rights: [{ kind: { CanReadAs: { value: { party: 'p' } } } }] },
      })
      const token = await service.token('reader')
      const tree = (offset: string, rest = '?parties=p'): Promise<Answer> =>
        ask(`GET /v2/updates/transaction-tree-by-offset/${offset}${rest}`, { token })
      assertRefused(await tree('0'), NON_POSITIVE)
      assertRefused(await tree('999999'), NOT_FOUND)
      assertRefused(await tree('x'), 'Invalid value for: path parameter offset')
      assertRefused(await tree('9223372036854775808'), 'Invalid value for: path parameter offset')
      assertRefused(
        await tree('1', ''),
        argument('filtersByParty and filtersForAnyParty cannot be empty simultaneously'),
      )
      assert.equal((await tree('1', '?parties=q')).status, 403, 'no right to read as q')
      const announced = (await tree('999999')).headers
      assert.ok(announced.get('deprecation'), 'the removal is announced')
      assertRefused(
        await ask('POST /v2/updates/update-by-offset', {
          token,
          body: { offset: 999999, updateFormat: format('p') },
        }),
        NOT_FOUND,
      )
      assertRefused(
        await ask('POST /v2/updates/update-by-offset', {
          token,
          body: { offset: 0, updateFormat: format('p') },
        }),
        NON_POSITIVE,
      )
      assertRefused(
        await ask('POST /v2/updates/update-by-offset', { token, body: { offset: 1 } }),
        missing('update_format'),
      )
      assertRefused(
        await ask('POST /v2/updates/update-by-id', {
          token,
          body: { updateId: '1220ab', updateFormat: format('p') },
        }),
        { ...NOT_FOUND, resources: [['UPDATE_ID', '1220ab']] },
      )
      assert.equal(
        (
          await ask('POST /v2/updates/update-by-id', {
            token,
            body: { updateId: '1220ab', updateFormat: format('q') },
          })
        ).status,
        403,
      )
    })

    test('ids that no store could hold are refused, and begin no party', async () => {
      const party = argument('non expected character 0x0 in Party "\u0000"')
      const body = { partyDetails: { party: '\u0000' }, updateMask: { paths: ['local_metadata'] } }
      assertRefused(await ask('PATCH /v2/parties/%00', { body }), party)
      assertRefused(await ask('GET /v2/state/connected-synchronizers?party=%00'), party)
      for (const userId of ['\u0000', '\ud800', 'a b']) {
        assertRefused(
          await ask('POST /v2/parties', { body: { partyIdHint: 'unowned', userId } }),
          invalidField(/: Invalid field user_id: User ID /),
        )
      }
      for (const method of ['GET', 'DELETE']) {
        assertRefused(
          await ask(`${method} /v2/idps/%00`),
          invalidField(/: Invalid field identity_provider_id: non expected character 0x0/),
        )
      }
      for (const prefix of ['%00', '%25', 'x'.repeat(256), 'unowned']) {
        const listed = await ask(`GET /v2/parties?filter-party=${prefix}`)
        assert.deepEqual(
          [listed.status, listed.json],
          [200, { partyDetails: [], nextPageToken: '' }],
        )
      }
    })

    test('updates of ids and parties that cannot be are refused', async () => {
      await ask('POST /v2/users', {
        body: { user: { id: 'auditor' }, rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }] },
      })
      const token = await service.token('auditor')
      const by = (how: string, body: object): Promise<Answer> =>
        ask(`POST /v2/updates/update-by-${how}`, { token, body })
      for (const updateId of ['\u0000', '\ud800', '\u00e9']) {
        assertRefused(await by('id', { updateId, updateFormat: {} }), argument(/in Ledger String /))
      }
      const stranger = argument('non expected character 0x0 in Party "\u0000"')
      assertRefused(await by('offset', { offset: 1, updateFormat: format('\u0000') }), stranger)
      assertRefused(
        await ask('GET /v2/updates/transaction-tree-by-offset/1?parties=%00', { token }),
        stranger,
      )
    })
  })
}

interface Generated {
  readonly partyId: string
  readonly publicKeyFingerprint: string
  readonly multiHash: string
  readonly topologyTransactions: readonly string[]
}

function text(value: unknown, name: string): string {
  const found = member(value, name)
  assert.ok(typeof found === 'string', `no text ${name} in ${JSON.stringify(value)}`)
  return found
}

function readGenerated(json: unknown): Generated {
  const transactions = member(json, 'topologyTransactions')
  assert.ok(Array.isArray(transactions))
  return {
    partyId: text(json, 'partyId'),
    publicKeyFingerprint: text(json, 'publicKeyFingerprint'),
    multiHash: text(json, 'multiHash'),
    topologyTransactions: transactions.map(String),
  }
}
