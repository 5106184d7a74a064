// Generating what a party with an outside key has to sign: one transaction that hosts the party and
// holds its key. docs/ledger-rules.md, "Topology"
import type { GenerateExternalPartyTopologyRequest } from '../../../generated/ledger/types.gen.ts'
import { fill } from '../../errors/catalogue.ts'
import { invalidArgument } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { multiTransactionHash, transactionHash } from './hashing.ts'
import { encodeTransaction } from './party-to-participant.ts'
import type { HostingParticipant, PartyToParticipant, Permission } from './party-to-participant.ts'
import { parseSigningPublicKey } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'
import { texts } from './texts.ts'
import { nameProblem, parseUniqueIdentifier, uniqueIdentifier } from './unique-identifier.ts'

/**
 * What topology needs to know of this node: its uid (`name::fingerprint`) and the logical ids of
 * its synchronizers.
 */
export interface TopologyNode {
  readonly participantUid: string
  readonly connectedSynchronizers: readonly string[]
}

export interface GeneratedTopology {
  readonly partyId: string
  readonly publicKeyFingerprint: string
  /** Each in its versioned wrapper. */
  readonly topologyTransactions: readonly Uint8Array[]
  /** 34 bytes, to be signed as they are. */
  readonly multiHash: Uint8Array
}

/**
 * The topology of a party whose one key names it and signs for it; `serial` is 1 for a new party.
 * Errors: INVALID_ARGUMENT, for the first problem in the order of docs/ledger-rules.md, "Topology".
 */
export function generateTopology(
  request: GenerateExternalPartyTopologyRequest,
  node: TopologyNode,
  serial = 1,
): GeneratedTopology | LedgerError {
  const key = parseSigningPublicKey(request.publicKey)
  if (typeof key === 'string')
    return invalidArgument(fill(texts.field, { field: 'public_key', problem: key }))
  const hosting = readHosting(request, node)
  const reason =
    synchronizerProblem(request.synchronizer, node) ??
    hintProblem(request.partyHint) ??
    hostingProblem(hosting)
  return reason === undefined
    ? topologyOf(request.partyHint, key, hosting, serial)
    : invalidArgument(reason)
}

interface Hosting {
  readonly uid: string
  readonly local: Permission
  readonly confirming: readonly string[]
  readonly observing: readonly string[]
  /** The requested threshold; 0 is the number of confirming nodes. */
  readonly threshold: number
}

function readHosting(
  request: GenerateExternalPartyTopologyRequest,
  { participantUid }: TopologyNode,
): Hosting {
  return {
    uid: participantUid,
    local: request.localParticipantObservationOnly ? 'OBSERVATION' : 'CONFIRMATION',
    confirming: request.otherConfirmingParticipantUids ?? [],
    observing: request.observingParticipantUids ?? [],
    threshold: request.confirmationThreshold ?? 0,
  }
}

function topologyOf(
  hint: string,
  key: SigningKey,
  hosting: Hosting,
  serial: number,
): GeneratedTopology {
  const partyId = uniqueIdentifier(hint, key.fingerprint)
  const mapping: PartyToParticipant = {
    kind: 'PartyToParticipant',
    party: partyId,
    threshold: hosting.threshold === 0 ? confirmingCount(hosting) : hosting.threshold,
    participants: [
      { participantUid: hosting.uid, permission: hosting.local },
      ...hosts(hosting.confirming, 'CONFIRMATION'),
      ...hosts(hosting.observing, 'OBSERVATION'),
    ],
    signingKeys: {
      keys: [{ ...key, usages: ['NAMESPACE', 'PROOF_OF_OWNERSHIP', 'PROTOCOL'] }],
      threshold: 1,
    },
  }
  const transaction = encodeTransaction(mapping, serial)
  const multiHash = multiTransactionHash([transactionHash(transaction)])
  return {
    partyId,
    publicKeyFingerprint: key.fingerprint,
    topologyTransactions: [transaction],
    multiHash,
  }
}

function hosts(uids: readonly string[], permission: Permission): HostingParticipant[] {
  return uids.map((participantUid) => ({ participantUid, permission }))
}

function confirmingCount({ local, confirming }: Hosting): number {
  return confirming.length + (local === 'CONFIRMATION' ? 1 : 0)
}

function synchronizerProblem(
  id: string,
  { connectedSynchronizers }: TopologyNode,
): string | undefined {
  const parsed = parseUniqueIdentifier(id)
  if (typeof parsed === 'string')
    return fill(texts.field, { field: 'synchronizer', problem: parsed })
  return connectedSynchronizers.includes(id) ? undefined : fill(texts.synchronizerUnknown, { id })
}

function hintProblem(hint: string): string | undefined {
  if (hint === '') return texts.hintEmpty
  const problem = nameProblem(hint)
  return problem === undefined ? undefined : fill(texts.field, { field: 'party_hint', problem })
}

function hostingProblem(hosting: Hosting): string | undefined {
  if (hosting.threshold < 0) return texts.thresholdNegative
  const lists = [
    { field: 'other_confirming_participant_uids', uids: hosting.confirming },
    { field: 'observing_participant_uids', uids: hosting.observing },
  ]
  const malformed = lists.flatMap(({ field, uids }) =>
    uids.flatMap((uid) => {
      const parsed = parseUniqueIdentifier(uid)
      return typeof parsed === 'string' ? [fill(texts.field, { field, problem: parsed })] : []
    }),
  )
  const local = lists.find(({ uids }) => uids.includes(hosting.uid))
  const localListed = local && fill(texts.localListed, { uid: hosting.uid, field: local.field })
  return malformed[0] ?? localListed ?? repeatedProblem(hosting) ?? thresholdProblem(hosting)
}

function repeatedProblem({ confirming, observing }: Hosting): string | undefined {
  const uids = [...confirming, ...observing]
  const seen = new Set<string>()
  const repeated = new Set(uids.filter((uid) => seen.has(uid) || !seen.add(uid)))
  return repeated.size > 0
    ? fill(texts.participantsRepeated, { uids: [...repeated].join(', ') })
    : undefined
}

function thresholdProblem(hosting: Hosting): string | undefined {
  const count = confirmingCount(hosting)
  if (hosting.threshold > count) return texts.thresholdTooHigh
  return count === 0 ? texts.noConfirming : undefined
}
