// A party that two nodes host: nothing before both have agreed, then the same on both, and still
// nothing on the third.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { member } from '../../runtime/host/member.ts'
import { openNodes } from './in-process.ts'
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
      otherConfirmingParticipantUids: [await uidOf(provider)],
    })
    await user.done('participant_admin', ALLOCATE, made.request)
    assert.deepEqual(await known(user, made.party), [])
    assert.deepEqual(await known(provider, made.party), [])
    await provider.done('participant_admin', ALLOCATE, made.request)
    for (const node of [user, provider]) assert.equal((await known(node, made.party)).length, 1)
    assert.deepEqual(await known(sv, made.party), [])

    const scan = await user.ask(
      'participant_admin',
      `GET /api/scan/v0/domains/${encode(made.synchronizer)}/parties/${encode(made.party)}/participant-id`,
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
      observingParticipantUids: [await uidOf(provider)],
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
      { otherConfirmingParticipantUids: [await uidOf(provider)] },
      alone,
    )
    await provider.done('participant_admin', ALLOCATE, both.request)
    const late = await user.ask('participant_admin', ALLOCATE, both.request)
    assert.equal(late.status, 400, late.text)
    assert.deepEqual(await known(provider, both.party), [])
  })

  test('users of one name on both nodes are told of their own commands alone', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'named', {
      otherConfirmingParticipantUids: [await uidOf(provider)],
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

interface Made {
  readonly party: string
  readonly synchronizer: string
  readonly request: object
  sign(bytes: Uint8Array): object
  readonly publicKey: object
}

/** A topology that the party has signed, generated at a node. */
async function signedParty(
  node: LocalNode,
  partyHint: string,
  hosts: object,
  like: Pick<Made, 'sign' | 'publicKey'> = newKey(),
): Promise<Made> {
  const connected = JSON.stringify(
    await node.done('participant_admin', 'GET /v2/state/connected-synchronizers'),
  )
  const synchronizer = /"synchronizerId":"([^"]+)"/.exec(connected)?.[1] ?? ''
  const made = await node.done('participant_admin', 'POST /v2/parties/external/generate-topology', {
    synchronizer,
    partyHint,
    publicKey: like.publicKey,
    confirmationThreshold: 1,
    ...hosts,
  })
  const transactions = member(made, 'topologyTransactions')
  assert.ok(Array.isArray(transactions))
  const signedBy = String(member(made, 'publicKeyFingerprint'))
  const signOwn = (bytes: Uint8Array): object => ({ ...like.sign(bytes), signedBy })
  return {
    party: String(member(made, 'partyId')),
    synchronizer,
    publicKey: like.publicKey,
    sign: signOwn,
    request: {
      synchronizer,
      onboardingTransactions: transactions.map((transaction: unknown) => ({ transaction })),
      multiHashSignatures: [signOwn(Buffer.from(String(member(made, 'multiHash')), 'base64'))],
    },
  }
}

function newKey(): Pick<Made, 'sign' | 'publicKey'> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keyData: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
    },
    sign: (bytes) => ({
      format: 'SIGNATURE_FORMAT_CONCAT',
      signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
      signature: sign(null, bytes, privateKey).toString('base64'),
    }),
  }
}

/** A contract of the party alone, prepared, signed and executed at a node; the update's id. */
async function pingBy(node: LocalNode, { party, sign: signed, synchronizer }: Made) {
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
  const hash = Buffer.from(String(member(prepared, 'preparedTransactionHash')), 'base64')
  const done = await node.done('reader', 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: member(prepared, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
    submissionId: `ping ${party}`,
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [{ party, signatures: [signed(hash)] }] },
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
  const answer = await node.done('participant_admin', `GET /v2/parties/${encode(party)}`)
  const details = member(answer, 'partyDetails')
  return Array.isArray(details) ? details : []
}

async function uidOf(node: LocalNode): Promise<string> {
  const answer = await node.done('participant_admin', 'GET /v2/parties/participant-id')
  return String(member(answer, 'participantId'))
}

function encode(text: string): string {
  return encodeURIComponent(text)
}
