// Checking what comes back signed for a new external party: from the wire to a party that may be
// allocated, or an error. docs/ledger-rules.md, "Topology"
import type {
  AllocateExternalPartyRequest,
  SignedTransaction,
} from '../../../generated/ledger/types.gen.ts'
import { fill } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField, ledgerError } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { authorizationProblem, isProposal } from './authorization.ts'
import type { MultiSignatures, SignedMapping } from './authorization.ts'
import type { TopologyNode } from './generate.ts'
import { datedTopology } from './dated.ts'
import type { DatedTopology } from './dated.ts'
import { multiTransactionHash, transactionHash } from './hashing.ts'
import { MAX_OWNERS, readOnboarding } from './onboarding.ts'
import type { Onboarding } from './onboarding.ts'
import { decodeTransaction } from './party-to-participant.ts'
import type { HostingParticipant, PartyKey } from './party-to-participant.ts'
import { readSignature, signatureError } from './signature-wire.ts'
import { texts } from './texts.ts'
import { logicalSynchronizerId, parseUniqueIdentifier } from './unique-identifier.ts'

/** A hosting, a key mapping, a definition and a delegation by each of its owners. */
const MAX_TRANSACTIONS = 3 + MAX_OWNERS

/** The part of an allocation about topology; the rest is about users and providers. */
export type OnboardingRequest = Pick<
  AllocateExternalPartyRequest,
  'synchronizer' | 'onboardingTransactions' | 'multiHashSignatures'
>

export interface VerifiedOnboarding {
  readonly partyId: string
  /** The party's namespace; with one key it is that key's fingerprint. */
  readonly fingerprint: string
  /** Logical id of the synchronizer. */
  readonly synchronizer: string
  readonly keys: readonly PartyKey[]
  /** Keys that must sign for the party. */
  readonly keyThreshold: number
  readonly participants: readonly HostingParticipant[]
  /** Participants that must confirm. */
  readonly confirmationThreshold: number
  readonly dated: DatedTopology
  /** Nobody has signed the hosting: nothing is proven, and no party may come of it. */
  readonly proposal: boolean
  /** Participants other than this node, who would have to agree as well. */
  readonly otherParticipants: readonly string[]
  readonly multiHash: Uint8Array
  readonly transactions: readonly Uint8Array[]
}

/**
 * The party that the transactions onboard, with every rule and signature checked.
 * Errors: MISSING_FIELD, INVALID_FIELD for fields that say nothing, INVALID_ARGUMENT for all else.
 */
export function verifyOnboarding(
  request: OnboardingRequest,
  node: TopologyNode,
): VerifiedOnboarding | LedgerError {
  const error = synchronizerError(request.synchronizer, node) ?? fieldError(request)
  if (error !== undefined) return error
  const transactions = readTransactions(request.onboardingTransactions)
  if (typeof transactions === 'string') return invalidArgument(transactions)
  const onboarding = readOnboarding(transactions, node)
  if (typeof onboarding === 'string') return invalidArgument(onboarding)
  const multiHash = multiTransactionHash(transactions.map(({ hash }) => hash))
  const multi = { multiHash, signatures: (request.multiHashSignatures ?? []).map(readSignature) }
  const problem = authorizationProblem(onboarding, transactions, multi)
  if (problem !== undefined) return invalidArgument(problem)
  return verified(onboarding, { request, node, transactions, multi })
}

interface Checked {
  readonly request: OnboardingRequest
  readonly node: TopologyNode
  readonly transactions: readonly SignedMapping[]
  readonly multi: MultiSignatures
}

function verified(
  onboarding: Onboarding,
  { request, node, transactions, multi }: Checked,
): VerifiedOnboarding {
  const { hosting, signingKeys, namespace } = onboarding
  const uids = hosting.participants.map(({ participantUid }) => participantUid)
  return {
    partyId: hosting.party,
    fingerprint: namespace,
    synchronizer: logicalSynchronizerId(request.synchronizer),
    keys: signingKeys.keys,
    keyThreshold: signingKeys.threshold,
    participants: hosting.participants,
    confirmationThreshold: hosting.threshold,
    dated: datedTopology(onboarding, transactions, multi),
    proposal: isProposal(transactions, multi),
    otherParticipants: uids.filter((uid) => uid !== node.participantUid),
    multiHash: multi.multiHash,
    transactions: request.onboardingTransactions.map(({ transaction }) => bytesOf(transaction)),
  }
}

function synchronizerError(
  id: string,
  { connectedSynchronizers }: TopologyNode,
): LedgerError | undefined {
  if (id === '') return ledgerError('MISSING_FIELD', { field_name: 'synchronizer' })
  const logical = logicalSynchronizerId(id)
  const parsed = parseUniqueIdentifier(logical)
  if (typeof parsed === 'string') return invalidField('synchronizer', parsed)
  return connectedSynchronizers.includes(logical)
    ? undefined
    : invalidArgument(fill(texts.notConnected, { id }))
}

function fieldError({
  onboardingTransactions,
  multiHashSignatures = [],
}: OnboardingRequest): LedgerError | undefined {
  if (onboardingTransactions.length === 0) {
    return invalidField('onboarding_transactions.transactions', texts.noTransactions)
  }
  const empty = onboardingTransactions.some(({ transaction }) => transaction === '')
  if (empty) return invalidField('onboarding_transactions.transaction', texts.empty)
  const signatures = [
    ...onboardingTransactions.flatMap((one) => one.signatures ?? []),
    ...multiHashSignatures,
  ]
  return signatures.map(signatureError).find((error) => error !== undefined)
}

function readTransactions(transactions: readonly SignedTransaction[]): SignedMapping[] | string {
  if (transactions.length > MAX_TRANSACTIONS)
    return fill(texts.tooMany, { max: String(MAX_TRANSACTIONS) })
  const read: SignedMapping[] = []
  for (const [at, { transaction: text, signatures = [] }] of transactions.entries()) {
    const bytes = bytesOf(text)
    const transaction = decodeTransaction(bytes)
    const index = String(at)
    if (typeof transaction === 'string')
      return fill(texts.malformedTransaction, { index, problem: transaction })
    if (transaction.operation !== 'ADD_REPLACE') return fill(texts.notAddReplace, { index })
    const { mapping, serial } = transaction
    if (serial < 1) return fill(texts.withoutSerial, { index })
    read.push({
      mapping,
      serial,
      hash: transactionHash(bytes),
      signatures: signatures.map(readSignature),
    })
  }
  return read
}

function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}
