// The outcome of an operation of the treasury: a value, also for failures. docs/economy-rules.md,
// "Treasury"
import type {
  CoinOperation,
  CoinOperationOutcome,
  InvalidTransferReason,
} from '../../../generated/contracts.gen.ts'
import { parseDecimal } from '../../engine/decimal.ts'
import type { AbortReason, Rejection } from '../../engine/index.ts'

export type Priority = 'high' | 'low'

/** The id under which an operation is done once, and the content that belongs to it. */
export interface Deduplication {
  /** One of the party's own for this kind of operation. */
  readonly id: string
  /**
   * Digest of what was asked for (`contentOf`): asking for the same again gets the outcome of then,
   * for anything else a refusal.
   */
  readonly content: string
  /** Kept for good instead of a day. */
  readonly isForGood?: boolean
}

export interface OperationOptions {
  /** High: alone in its batch, and served when traffic is short. Low when absent. */
  readonly priority?: Priority
  /** Alone in its batch. */
  readonly dedup?: Deduplication
  /**
   * Ids of users' coupons that the validator mints along, in place of the oldest of each round;
   * alone in its batch.
   */
  readonly validatorCoupons?: readonly string[]
}

/** The outcome of an operation that was done; `COO_Error` never is one. */
type Done = Exclude<CoinOperationOutcome, { readonly tag: 'COO_Error' }>

export interface InputLimit {
  /** Inputs that a transfer has at most. */
  readonly limit: number
  /** Unlocked ones of the party. */
  readonly holdings: number
}

/** The reason why an operation was not done. */
export type TreasuryRejection =
  /** Cannot be paid, or asks for what the network refuses. */
  | {
      readonly kind: 'invalid-transfer'
      readonly reason: InvalidTransferReason
      /** The party has the funds, in more holdings than a transfer takes inputs. */
      readonly inputs?: InputLimit
    }
  /** The ledger refused the whole command. */
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  /** The contract that the operation is about is no longer active. */
  | { readonly kind: 'target-gone'; readonly contractId: string }
  /**
   * Something else was paid for the payer and tracking id of the contract that the operation is
   * about.
   */
  | { readonly kind: 'paid-before'; readonly contractId: string }
  /** Nobody's wallet here. */
  | { readonly kind: 'no-wallet'; readonly party: string }
  /** None of the rounds are open. */
  | { readonly kind: 'no-round' }
  /** The deduplication id was used for something else. */
  | { readonly kind: 'other-content' }
  /** Too many operations wait already. */
  | { readonly kind: 'queue-full' }

/** The result of an operation that was not done. */
export type TreasuryRejected = TreasuryRejection & { readonly ok: false }

export interface TreasuryDone {
  readonly ok: true
  readonly outcome: Done
  /** '' where nothing had to be submitted. */
  readonly updateId: string
  /** The outcome is that of an earlier request with the same deduplication id. */
  readonly isRepeated: boolean
}

/** The outcome of an operation. */
export type TreasuryResult = TreasuryDone | TreasuryRejected

/** A failure as the result of an operation. */
export function failed(failure: TreasuryRejection): TreasuryRejected {
  return { ok: false, ...failure }
}

/**
 * A refusal as operations report it: structured faults of a transfer become its reasons.
 * docs/economy-rules.md, "Refused transfers"
 */
export function refusedOperation(rejection: Rejection): TreasuryRejected {
  const reason = rejection.kind === 'aborted' ? transferReason(rejection.reason) : undefined
  return failed(
    reason === undefined ? { kind: 'refused', rejection } : { kind: 'invalid-transfer', reason },
  )
}

/** A merge that found nothing to do, or was done by other operations of its batch. */
export const NOTHING_MERGED: TreasuryDone = {
  ok: true,
  outcome: { tag: 'COO_MergeTransferInputs', value: { coin: null } },
  updateId: '',
  isRepeated: false,
}

/** The contract without which the operation has no object; undefined where it has none. */
export function targetOf(operation: CoinOperation): string | undefined {
  switch (operation.tag) {
    case 'CO_CompleteAcceptedTransfer':
      return operation.value.acceptedTransferOfferCid
    case 'CO_CompleteBuyTrafficRequest':
      return operation.value.trafficRequestCid
    case 'CO_AcceptTransferPreapprovalProposal':
      return operation.value.preapprovalProposalCid
    case 'CO_RenewTransferPreapproval':
      return operation.value.previousApprovalCid
    case 'CO_TransferPreapprovalSend':
      return operation.value.transferPreapprovalCid
    case 'CO_BuyMemberTraffic':
      return operation.value.topupStateCid
    case 'CO_AppPayment':
      return operation.value.appPaymentRequestCid
    case 'CO_SubscriptionAcceptAndMakeInitialPayment':
      return operation.value.subscriptionRequestCid
    case 'CO_SubscriptionMakePayment':
      return operation.value.subscriptionStateCid
    default:
      return undefined
  }
}

function transferReason({
  id,
  message,
  metadata = {},
}: AbortReason): InvalidTransferReason | undefined {
  switch (id) {
    case 'insufficient-funds':
      return {
        tag: 'ITR_InsufficientFunds',
        value: { missingAmount: parseDecimal(metadata['requiredAmount'] ?? '') ?? 0n },
      }
    case 'unknown-synchronizer':
      return {
        tag: 'ITR_UnknownSynchronizer',
        value: { synchronizerId: metadata['synchronizerId'] ?? '' },
      }
    case 'insufficient-topup-amount':
      return {
        tag: 'ITR_InsufficientTopupAmount',
        value: {
          requestedTopupAmount: wholeNumber(metadata['requestedTopupAmount']),
          minTopupAmount: wholeNumber(metadata['minTopupAmount']),
        },
      }
    case 'maximum-inputs-exceeded':
    case 'maximum-outputs-exceeded':
      return { tag: 'ITR_Other', value: { description: message } }
    default:
      return undefined
  }
}

function wholeNumber(text: string | undefined): bigint {
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : 0n
}
