// What became of the offers and traffic requests of a tracking id: facts that each commit writes
// and statuses are read from. A tracking id is used up as soon as one says something about it; a
// further fact of its payment stays whatever others make under the same id by commands of their
// own, so that it pays once. docs/economy-rules.md, "Legacy offers" and "Traffic"
import { createHash } from 'node:crypto'
import {
  AcceptedTransferOffer,
  BuyTrafficRequest,
  TransferOffer,
} from '../../../generated/contracts.gen.ts'
import type {
  BuyTrafficRequestStatus,
  TransferOfferFailed,
  TransferOfferStatus,
} from '../../../generated/validator/types.gen.ts'
import { acceptedTransferOffer, buyTrafficRequest, transferOffer } from '../../contracts/index.ts'
import { member } from '../../host/member.ts'
import type { Projector } from '../../engine/submission.ts'
import type { CreateEvent, ExerciseEvent } from '../../engine/transaction.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, FactName, FactRecord, Store } from '../../store/store.ts'
import { TransactionTree } from '../history/tree.ts'
import { contentOf } from './request-ids.ts'
import type { RequestId } from './request-ids.ts'

const OFFER = 'wallet.transfer-offer'
const TRAFFIC_REQUEST = 'wallet.buy-traffic-request'

/** The ending of a kind that holds the payment of an id. */
const PAID = '.paid'

const TRACKED: ReadonlySet<string> = new Set(
  [TransferOffer, AcceptedTransferOffer, BuyTrafficRequest].map(({ reference }) => reference),
)

/** Writes the newest status of each tracking id that an update says something about. */
export const trackingProjector: Projector = {
  of: TRACKED,
  project: (transaction) => {
    const tree = new TransactionTree(transaction)
    const facts = transaction.events.flatMap((event) => {
      if (!TRACKED.has(templateOf(event.kind === 'create' ? event.contract : event))) return []
      const found =
        event.kind === 'create'
          ? begun(event, transaction.updateId)
          : ended(tree, event, transaction.updateId)
      return found === undefined ? [] : withPayment(found)
    })
    return {
      logs: [],
      facts: [...new Map(facts.map((fact) => [`${fact.kind} ${fact.key}`, fact])).values()],
    }
  },
}

/** The status of a sender's offer, once paid that; undefined for an id that was never used. */
export async function offerStatus(
  store: Store,
  sender: string,
  trackingId: string,
): Promise<TransferOfferStatus | undefined> {
  const fact = await statusFact(store, OFFER, keyOf(sender, trackingId))
  return fact === undefined ? undefined : JSON.parse(fact.body)
}

/**
 * The status of a party's request for traffic, once paid that; undefined for an id that was never
 * used.
 */
export async function trafficRequestStatus(
  store: Store,
  endUserParty: string,
  trackingId: string,
): Promise<BuyTrafficRequestStatus | undefined> {
  const fact = await statusFact(store, TRAFFIC_REQUEST, keyOf(endUserParty, trackingId))
  return fact === undefined ? undefined : JSON.parse(fact.body)
}

/**
 * The fact that is there once something was paid for the payer and tracking id of a contract that
 * is to be paid; undefined for one that is not tracked.
 */
export function paymentFactOf(contract: ContractRecord): FactName | undefined {
  if (acceptedTransferOffer.isOf(contract)) {
    const { sender, trackingId } = acceptedTransferOffer.keysOf(contract)
    return { kind: `${OFFER}${PAID}`, key: keyOf(sender, trackingId) }
  }
  if (!buyTrafficRequest.isOf(contract)) return undefined
  const { endUserParty, trackingId } = buyTrafficRequest.keysOf(contract)
  return { kind: `${TRAFFIC_REQUEST}${PAID}`, key: keyOf(endUserParty, trackingId) }
}

async function statusFact(
  { contracts }: Store,
  kind: string,
  key: string,
): Promise<FactRecord | undefined> {
  return (await contracts.fact(`${kind}${PAID}`, key)) ?? contracts.fact(kind, key)
}

function withPayment(fact: FactRecord): readonly FactRecord[] {
  return member(JSON.parse(fact.body), 'status') === 'completed'
    ? [fact, { ...fact, kind: `${fact.kind}${PAID}` }]
    : [fact]
}

/** Terms of an offer: repeated under the same id, it must have the same. */
export type OfferTerms = Pick<
  TransferOffer,
  'receiver' | 'amount' | 'description' | 'expiresAt' | 'trackingId'
>

/** The request id of an offer, unique for sender and tracking id. */
export function offerRequest(
  sender: string,
  { receiver, amount, description, expiresAt, trackingId }: OfferTerms,
): RequestId {
  const content = contentOf(receiver, amount.amount, amount.unit, description, expiresAt)
  return { commandId: trackedCommandId('transfer-offer', sender, trackingId), content }
}

/**
 * The command id of what may be created once for a tracking id. Hashed, since party and id together
 * may be long.
 */
export function trackedCommandId(operation: string, party: string, trackingId: string): string {
  return `wallet-${operation}-${keyOf(party, trackingId)}`
}

function keyOf(party: string, trackingId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([party, trackingId]))
    .digest('hex')
}

/** Offers, accepted or not. */
function offerFact(contract: ContractRecord, status: TransferOfferStatus): FactRecord {
  const template = transferOffer.isOf(contract) ? transferOffer : acceptedTransferOffer
  const { sender, trackingId } = template.keysOf(contract)
  return { kind: OFFER, key: keyOf(sender, trackingId), body: JSON.stringify(status) }
}

function trafficFact(contract: ContractRecord, status: BuyTrafficRequestStatus): FactRecord {
  const { endUserParty: party, trackingId } = buyTrafficRequest.keysOf(contract)
  return { kind: TRAFFIC_REQUEST, key: keyOf(party, trackingId), body: JSON.stringify(status) }
}

function begun({ contract }: CreateEvent, transactionId: string): FactRecord | undefined {
  const ids = { transaction_id: transactionId, contract_id: contract.contractId }
  switch (templateOf(contract)) {
    case TransferOffer.reference:
      return offerFact(contract, { status: 'created', ...ids })
    case AcceptedTransferOffer.reference:
      return offerFact(contract, { status: 'accepted', ...ids })
    default:
      return trafficFact(contract, { status: 'created' })
  }
}

function ended(
  tree: TransactionTree,
  event: ExerciseEvent,
  transactionId: string,
): FactRecord | undefined {
  const contract = event.consuming ? tree.record(event.contractId) : undefined
  if (contract === undefined) return undefined
  if (templateOf(event) === BuyTrafficRequest.reference)
    return trafficFact(contract, trafficEnd(event, transactionId))
  const status = offerEnd(event, transactionId)
  return status === undefined ? undefined : offerFact(contract, status)
}

function offerEnd(event: ExerciseEvent, transactionId: string): TransferOfferStatus | undefined {
  switch (event.choice) {
    // The accepted offer, which it creates, says so.
    case 'TransferOffer_Accept':
      return undefined
    case 'AcceptedTransferOffer_Complete':
      return completedOffer(event, transactionId)
    case 'TransferOffer_Expire':
    case 'AcceptedTransferOffer_Expire':
      return { status: 'failed', failure_kind: 'expired' }
    case 'TransferOffer_Reject':
    case 'AcceptedTransferOffer_Withdraw':
      return { status: 'failed', failure_kind: 'rejected' }
    default:
      return withdrawnOffer(member(event.argument, 'reason'))
  }
}

function completedOffer(event: ExerciseEvent, transactionId: string): TransferOfferStatus {
  const { receiverCoin } =
    AcceptedTransferOffer.choices.AcceptedTransferOffer_Complete.result.decode(event.result)
  return { status: 'completed', transaction_id: transactionId, contract_id: receiverCoin }
}

function withdrawnOffer(reason: unknown): TransferOfferFailed {
  const why = typeof reason === 'string' ? { withdrawn_reason: reason } : {}
  return { status: 'failed', failure_kind: 'withdrawn', ...why }
}

function trafficEnd(event: ExerciseEvent, transactionId: string): BuyTrafficRequestStatus {
  if (event.choice === 'BuyTrafficRequest_Complete')
    return { status: 'completed', transaction_id: transactionId }
  if (event.choice === 'BuyTrafficRequest_Expire')
    return { status: 'failed', failure_reason: 'expired' }
  const reason = member(event.argument, 'reason')
  const why = typeof reason === 'string' ? { rejection_reason: reason } : {}
  return { status: 'failed', failure_reason: 'rejected', ...why }
}
