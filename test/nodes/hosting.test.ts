// A party that two nodes host: nothing before both have agreed, then the same on both, and still
// nothing on the third.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { generate, signedTopology } from '../external/kit.ts'
import type { Asked } from '../external/kit.ts'
import { list, signaturesOf } from '../interfaces/ledger-kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { newHolder, publicKeyOf } from '../support/topology-reference.ts'
import { openNodes } from './in-process.ts'
import { ADMIN, participantOf, synchronizerOf } from './kit.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'

const ALLOCATE = 'POST /v2/parties/external/allocate'
const PING = '#network-builtin-ping:Network.Internal.Ping:Ping'

describe('a party on several nodes', () => {
  let nodes: LocalNodes
  let [sv, provider, user]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['sv', 'provider', 'user'])
    ;[sv, provider, user] = nodes.all
  })
  after(() => nodes.close())

  test('is there once all have agreed, and is served by these alone', async () => {
    assert.ok(sv !== undefined && provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'shared', {
      otherConfirmingParticipantUids: [await participantOf(provider)],
    })
    await user.done('participant_admin', ALLOCATE, made.request)
    assert.deepEqual(await known(user, made.party), [])
    assert.deepEqual(await known(provider, made.party), [])
    await provider.done('participant_admin', ALLOCATE, made.request)
    for (const node of [user, provider]) assert.equal((await known(node, made.party)).length, 1)
    assert.deepEqual(await known(sv, made.party), [])

    const scan = await user.ask(
      'participant_admin',
      `GET /api/scan/v0/domains/${encodeURIComponent(made.synchronizer)}/parties/${encodeURIComponent(made.party)}/participant-id`,
    )
    assert.equal(scan.status, 409, scan.text)

    const updateId = await pingBy(user, made)
    for (const node of [user, provider]) {
      const shown = await updateAt(node, updateId, made.party)
      assert.equal(shown.status, 200, `${node.name}: ${shown.text}`)
    }
    assert.equal((await updateAt(sv, updateId, made.party)).status, 404)
  })

  test('may be observed by another node', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'watched', {
      observingParticipantUids: [await participantOf(provider)],
    })
    for (const node of [provider, user])
      await node.done('participant_admin', ALLOCATE, made.request)
    const updateId = await pingBy(user, made)
    assert.equal((await updateAt(provider, updateId, made.party)).status, 200)
  })

  test('never comes about with a node that is not on the ledger, or where it is already', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const stranger = `stranger::1220${'ab'.repeat(32)}`
    const made = await signedParty(user, 'lost', { otherConfirmingParticipantUids: [stranger] })
    const refused = await user.ask('participant_admin', ALLOCATE, made.request)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, new RegExp(stranger))

    const alone = await signedParty(user, 'twice', {})
    await user.done('participant_admin', ALLOCATE, alone.request)
    const both = await signedParty(
      user,
      'twice',
      { otherConfirmingParticipantUids: [await participantOf(provider)] },
      alone.holders,
    )
    await provider.done('participant_admin', ALLOCATE, both.request)
    const late = await user.ask('participant_admin', ALLOCATE, both.request)
    assert.equal(late.status, 400, late.text)
    assert.deepEqual(await known(provider, both.party), [])
  })

  test('is not hosted by a node that did not agree with the others, whatever its keys signed', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const own = await signedParty(user, 'loyal', {})
    await user.done('participant_admin', ALLOCATE, own.request)
    const again = await signedParty(provider, 'loyal', {}, own.holders)
    assert.equal(again.party, own.party)
    const [holder] = own.holders
    assert.ok(holder !== undefined)
    const generated = await generate(byOperator(provider), 'loyal', holder)
    const answers = [
      await provider.ask('participant_admin', ALLOCATE, again.request),
      await provider.ask(
        'operator',
        `POST ${ADMIN}/external-party/topology/submit`,
        signedTopology(generated, holder),
      ),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 409],
    )
    assert.deepEqual(await known(provider, own.party), [])
  })

  test('users of one name on both nodes are told of their own commands alone', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'named', {
      otherConfirmingParticipantUids: [await participantOf(provider)],
    })
    for (const node of [user, provider])
      await node.done('participant_admin', ALLOCATE, made.request)
    const updateId = await pingBy(user, made)
    const completions = async (node: LocalNode) =>
      node.done('reader', 'POST /v2/commands/completions?limit=9&stream_idle_timeout_ms=5', {
        userId: 'reader',
        parties: [made.party],
        beginExclusive: 0,
      })
    assert.match(JSON.stringify(await completions(user)), new RegExp(updateId))
    assert.doesNotMatch(JSON.stringify(await completions(provider)), new RegExp(updateId))
  })
})

/** The node's operator, as the helpers of external parties ask. */
function byOperator({ done }: LocalNode): Asked {
  return { done: (who, line, body) => done(who, line.replace(' ', ' /api/validator'), body) }
}

interface Made extends OutsideParty {
  readonly synchronizer: string
  readonly request: object
}

/** A topology that the party has signed, generated at a node. */
async function signedParty(
  node: LocalNode,
  partyHint: string,
  hosts: object,
  [holder = newHolder('EC_CURVE25519')]: OutsideParty['holders'] = [],
): Promise<Made> {
  const synchronizer = await synchronizerOf(node)
  const made = await node.done('participant_admin', 'POST /v2/parties/external/generate-topology', {
    synchronizer,
    partyHint,
    publicKey: publicKeyOf(holder),
    confirmationThreshold: 1,
    ...hosts,
  })
  const own = { party: String(member(made, 'partyId')), holders: [holder] }
  const { signatures } = signaturesOf(own, String(member(made, 'multiHash')), own.holders)
  return {
    ...own,
    synchronizer,
    request: {
      synchronizer,
      onboardingTransactions: list(member(made, 'topologyTransactions')).map((transaction) => ({
        transaction,
      })),
      multiHashSignatures: signatures,
    },
  }
}

/** A contract of the party alone, prepared, signed and executed at a node; the update's id. */
async function pingBy(node: LocalNode, made: Made) {
  const { party, synchronizer } = made
  await node.done('participant_admin', 'POST /v2/users/reader/rights', {
    userId: 'reader',
    identityProviderId: '',
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  })
  const prepared = await node.done('reader', 'POST /v2/interactive-submission/prepare', {
    commandId: `ping ${party}`,
    actAs: [party],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
    commands: [
      {
        CreateCommand: {
          templateId: PING,
          createArguments: { id: 'ping', initiator: party, responder: party },
        },
      },
    ],
  })
  const hash = String(member(prepared, 'preparedTransactionHash'))
  const done = await node.done('reader', 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: member(prepared, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
    submissionId: `ping ${party}`,
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [signaturesOf(made, hash, made.holders)] },
  })
  return String(member(done, 'updateId'))
}

function updateAt(node: LocalNode, updateId: string, party: string) {
  return node.ask('reader', 'POST /v2/updates/update-by-id', {
    updateId,
    updateFormat: {
      includeTransactions: {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
      },
    },
  })
}

async function known(node: LocalNode, party: string): Promise<readonly unknown[]> {
  const answer = await node.done(
    'participant_admin',
    `GET /v2/parties/${encodeURIComponent(party)}`,
  )
  return list(member(answer, 'partyDetails'))
}
