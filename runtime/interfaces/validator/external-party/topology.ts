// How a party whose key is outside comes to be hosted here: three transactions to sign, and what is
// checked of them when they come back signed. docs/ledger-rules.md, "Topology"
import type {
  GenerateExternalPartyTopologyRequest,
  GenerateExternalPartyTopologyResponse,
  SubmitExternalPartyTopologyRequest,
  TopologyTransaction,
} from '../../../../generated/validator/types.gen.ts'
import { LedgerError } from '../../../errors/errors.ts'
import type { Economy } from '../../../economy/economy.ts'
import { hasSameSigners, topologyText } from '../../../participant/topology/party-topology.ts'
import { verifyOnboarding } from '../../../participant/topology/allocate.ts'
import type { VerifiedOnboarding } from '../../../participant/topology/allocate.ts'
import { hex, transactionHash } from '../../../participant/topology/hashing.ts'
import { encodeTransaction } from '../../../participant/topology/party-to-participant.ts'
import type { KeyUsage } from '../../../participant/topology/party-to-participant.ts'
import type { SigningKey } from '../../../participant/topology/signing-key.ts'
import { nameProblem, uniqueIdentifier } from '../../../participant/topology/unique-identifier.ts'
import { badRequest, conflict, PlainError } from '../../../economy/errors.ts'
import type { Cohosting } from '../../../participant/identity/cohosting.ts'
import { readBase64, readPublicKey, readSignature } from './parse.ts'

/** One key says who the party is and signs what it does. */
const USAGES: readonly KeyUsage[] = ['NAMESPACE', 'PROOF_OF_OWNERSHIP', 'PROTOCOL']

/**
 * What the holder of the key has to sign, each by its own hash; nothing is stored. 400 for a hint
 * or a key that is none.
 */
export function generateTopology(
  { node: { participantUid } }: Pick<Economy, 'node'>,
  { party_hint: hint, public_key }: GenerateExternalPartyTopologyRequest,
): GenerateExternalPartyTopologyResponse | PlainError {
  const key = readPublicKey(public_key)
  if (key instanceof PlainError) return key
  const problem = nameProblem(hint)
  if (problem !== undefined) return badRequest(`party_hint: ${problem}`)
  const party = uniqueIdentifier(hint, key.fingerprint)
  const partyKey = { ...key, usages: USAGES }
  const transactions = [
    encodeTransaction({
      kind: 'NamespaceDelegation',
      namespace: key.fingerprint,
      key: partyKey,
      canSignAll: true,
    }),
    encodeTransaction({
      kind: 'PartyToParticipant',
      party,
      threshold: 1,
      participants: [{ participantUid, permission: 'CONFIRMATION' }],
      signingKeys: undefined,
    }),
    encodeTransaction({
      kind: 'PartyToKeyMapping',
      party,
      signingKeys: { keys: [partyKey], threshold: 1 },
    }),
  ]
  return { party_id: party, topology_txs: transactions.map(toSign) }
}

interface TopologyHost {
  readonly economy: Pick<Economy, 'node' | 'store'>
  readonly cohosting: Cohosting
}

/**
 * Hosts the party; answers the party. The same party again changes nothing. 400 for what is
 * unsigned, signed by another key, or no onboarding; 409 where the party is there with other keys,
 * or the topology does not follow the one in force.
 */
export async function submitTopology(
  host: TopologyHost,
  request: SubmitExternalPartyTopologyRequest,
): Promise<string | PlainError> {
  const verified = verifySigned(host, request)
  if (verified instanceof PlainError) return verified
  const problem = await hostParty(host, verified)
  return problem ?? verified.partyId
}

function toSign(transaction: Uint8Array): TopologyTransaction {
  return {
    topology_tx: Buffer.from(transaction).toString('base64'),
    hash: hex(transactionHash(transaction)),
  }
}

function verifySigned(
  { economy: { node } }: TopologyHost,
  request: SubmitExternalPartyTopologyRequest,
): VerifiedOnboarding | PlainError {
  const key = readPublicKey(request.public_key)
  if (key instanceof PlainError) return key
  const onboardingTransactions = []
  for (const { topology_tx, signed_hash } of request.signed_topology_txs) {
    const [transaction, signature] = [
      readBase64('topology_tx', topology_tx),
      readSignature('signed_hash', signed_hash),
    ]
    if (transaction instanceof PlainError) return transaction
    if (signature instanceof PlainError) return signature
    onboardingTransactions.push({
      transaction: topology_tx,
      signatures: [signatureBy(key, signature)],
    })
  }
  const verified = verifyOnboarding(
    { synchronizer: node.synchronizerId, onboardingTransactions },
    {
      participantUid: node.participantUid,
      connectedSynchronizers: [node.synchronizerId],
    },
  )
  if (verified instanceof LedgerError) return badRequest(verified.cause)
  // Nobody but this node can be asked for its consent here.
  const isOurs = !verified.proposal && verified.otherParticipants.length === 0
  return isOurs ? verified : badRequest('The party may be hosted by this node alone')
}

function signatureBy({ fingerprint }: SigningKey, signature: Uint8Array) {
  return {
    format: 'SIGNATURE_FORMAT_CONCAT' as const,
    signature: Buffer.from(signature).toString('base64'),
    signedBy: fingerprint,
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519' as const,
  }
}

async function hostParty(
  { economy: { node, store }, cohosting }: TopologyHost,
  verified: VerifiedOnboarding,
): Promise<PlainError | undefined> {
  const { partyId: party, dated } = verified
  const wanted = {
    party,
    isLocal: true,
    annotations: {},
    topology: topologyText(verified),
    identityProviderId: '',
  }
  const hosts = [node.participantUid]
  const outcome = await cohosting.consent({ party: wanted, grantTo: undefined, dated, hosts })
  if (typeof outcome === 'object') return conflict(outcome.refused)
  if (outcome === 'created') return undefined
  const [known] = await store.parties.get([party])
  if (known?.isLocal !== true)
    return conflict(`The party ${party} is hosted already, by another node`)
  return hasSameSigners(known.topology, wanted.topology)
    ? undefined
    : conflict(`The party ${party} is hosted already, with other keys`)
}
