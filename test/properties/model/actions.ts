// Commands as the model and the driver get them: ids are the model's, amounts are text as a client
// sends them, times are microseconds. The actor is the user who asks, rightly or not.
import type { InputChoice } from './transfer.ts'

interface By {
  readonly actor: string
}

interface On extends By {
  readonly id: string
}

export interface TapAction extends By {
  readonly kind: 'tap'
  /** USD. */
  readonly amount: string
  readonly commandId: string | null
}

export interface OfferAction extends By {
  readonly kind: 'offer'
  readonly receiver: string
  readonly amount: string
  readonly expiresAt: bigint
  readonly trackingId: string
  readonly description: string
}

export interface InstructAction extends By {
  readonly kind: 'instruct'
  readonly receiver: string
  readonly amount: string
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly inputs: InputChoice
}

export interface SendAction extends By {
  readonly kind: 'send'
  readonly receiver: string
  readonly amount: string
  readonly inputs: InputChoice
  readonly commandId: string | null
}

export interface SelfTransferAction extends By {
  readonly kind: 'self-transfer'
  readonly amount: string
  readonly inputs: InputChoice
}

export interface BuyTrafficAction extends By {
  readonly kind: 'buy-traffic'
  readonly member: string
  readonly synchronizer: string
  readonly bytes: bigint
  readonly inputs: InputChoice
}

export interface PreapproveAction extends By {
  readonly kind: 'preapprove'
  readonly receiver: string
  readonly expiresAt: bigint
  readonly inputs: InputChoice
}

export interface RenewAction extends On {
  readonly kind: 'preapproval-renew'
  readonly expiresAt: bigint
  readonly inputs: InputChoice
}

export interface PlainAction extends On {
  readonly kind: PlainKind
}

export interface PartyAction extends By {
  readonly kind: 'collect' | 'liveness' | 'onboard'
}

/** The network's own: nobody asks. */
export interface NetworkAction {
  readonly kind: 'rounds'
}

export interface PriceAction {
  readonly kind: 'price'
  readonly price: string
}

/** Commands that name a contract and nothing else. */
export type PlainKind =
  | 'offer-accept'
  | 'offer-reject'
  | 'offer-withdraw'
  | 'offer-expire'
  | 'accepted-complete'
  | 'accepted-abort'
  | 'accepted-withdraw'
  | 'accepted-expire'
  | 'instruction-accept'
  | 'instruction-reject'
  | 'instruction-withdraw'
  | 'instruction-expire'
  | 'reclaim'
  | 'preapproval-cancel'
  | 'preapproval-expire'
  | 'dust-expire'

export type Action =
  | TapAction
  | OfferAction
  | InstructAction
  | SendAction
  | SelfTransferAction
  | BuyTrafficAction
  | PreapproveAction
  | RenewAction
  | PlainAction
  | PartyAction
  | NetworkAction
  | PriceAction
