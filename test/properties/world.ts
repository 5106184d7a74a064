// What the driver shows of a system under test, read from its store and its updates and never from
// the model: the invariants judge this and nothing else. Amounts are decimals (times 10^10), times
// microseconds, ids the system's own.
import type { Action } from './model/actions.ts'
import type { Reason } from './model/plan.ts'
import type { Config, License, Round, Status, Traffic } from './model/state.ts'

/** Like a coin of the model, with its lock as the contract has it. */
export interface Holding {
  readonly id: string
  readonly owner: string
  readonly amount: bigint
  /** Text on the wire. */
  readonly amountText: string
  readonly createdRound: bigint
  readonly rate: bigint
  readonly lockedUntil: bigint | null
}

export interface InstructionView {
  readonly id: string
  readonly sender: string
  readonly receiver: string
  readonly amount: bigint
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly locked: string
}

export interface OfferView {
  readonly id: string
  readonly sender: string
  readonly receiver: string
  readonly trackingId: string
}

export interface PreapprovalView {
  readonly id: string
  readonly receiver: string
  readonly provider: string
  readonly validFrom: bigint
  readonly lastRenewedAt: bigint
  readonly expiresAt: bigint
}

export interface CouponView {
  readonly id: string
  readonly of: 'app' | 'validator' | 'liveness'
  readonly featured: boolean
  readonly beneficiary: string
  readonly amount: bigint
  readonly round: bigint
}

/** A party as services and totals show it, not as its holdings add up. */
export interface PartyView {
  readonly party: string
  readonly unlocked: bigint
  readonly locked: bigint
  /** Number of holdings by the store's totals. */
  readonly coins: number
  /** Sum of all history entries: senders' and receivers' amounts and balance changes. */
  readonly history: bigint
}

/** A full reading: costs time in proportion to what there is. */
export interface World {
  readonly config: Config
  readonly now: bigint
  readonly parties: readonly PartyView[]
  readonly holdings: readonly Holding[]
  readonly instructions: readonly InstructionView[]
  readonly offers: readonly OfferView[]
  readonly preapprovals: readonly PreapprovalView[]
  readonly coupons: readonly CouponView[]
  readonly rounds: readonly Round[]
  /** Taken from scan's answer; undefined where there are no rounds. */
  readonly timeToLive: bigint | undefined
  readonly licenses: ReadonlyMap<string, License>
  /** Sums over a member's contracts. */
  readonly traffic: ReadonlyMap<string, Traffic>
  /** `target.total_purchased` of traffic-status, by member. */
  readonly trafficTargets: ReadonlyMap<string, bigint>
  /** The wallet's answers, by `statusKey`. */
  readonly statuses: ReadonlyMap<string, Status>
  /** The store's total of all holdings. */
  readonly supply: bigint
}

/** A transfer as its result says it. */
export interface TransferView {
  readonly sender: string
  readonly inputs: readonly bigint[]
  /** Outputs without the change, with what is burned. */
  readonly outputs: readonly bigint[]
  readonly changeAmount: bigint
  /** The new holding of the change, null where there is none. */
  readonly changeId: string | null
  readonly minted: bigint
  readonly burned: bigint
  readonly round: bigint
}

/** A coupon that was turned into coin. */
export interface MintView {
  readonly coupon: CouponView
  readonly amount: bigint
}

/** One committed update, from its events. */
export interface UpdateView {
  readonly updateId: string
  readonly offset: bigint
  readonly recordTime: bigint
  readonly effectiveAt: bigint
  /** Parties whose authority the root commands had. */
  readonly actAs: readonly string[]
  /** Ids of all contracts that it archived, of whatever template. */
  readonly consumed: readonly string[]
  readonly created: readonly string[]
  readonly holdingsConsumed: readonly Holding[]
  readonly holdingsCreated: readonly Holding[]
  readonly transfers: readonly TransferView[]
  readonly couponsMinted: readonly MintView[]
  /** Taps; coupons are counted above. */
  readonly tapped: bigint
  /** Holdings that were burned, dust expiry included. */
  readonly burned: bigint
  /** Dust that went without an entry in the history, by owner; unlocked holdings only. */
  readonly dust: readonly Holding[]
  /** Entries that it wrote to histories. */
  readonly entries: readonly { readonly party: string; readonly amount: bigint }[]
  readonly offersCreated: readonly OfferView[]
  readonly statuses: readonly { readonly key: string; readonly status: Status }[]
  readonly instructionsEnded: readonly {
    readonly instruction: InstructionView
    readonly by: InstructionEnd
  }[]
  readonly instructionsCreated: readonly InstructionView[]
  readonly renewals: readonly {
    readonly before: PreapprovalView
    readonly after: PreapprovalView
  }[]
  readonly trafficBought: readonly {
    readonly member: string
    readonly bytes: bigint
    readonly coins: bigint
  }[]
}

export type InstructionEnd = 'accept' | 'reject' | 'withdraw' | 'expire'

/** Result of a command, in the model's words. */
export type Result =
  | { readonly ok: true; readonly updates: readonly UpdateView[] }
  /**
   * `busy`: others were faster, or a fault was injected; the model does not move. Updates must be
   * empty.
   */
  | {
      readonly ok: false
      readonly reason: Reason | 'busy'
      readonly text: string
      readonly updates: readonly UpdateView[]
    }

/**
 * A command and what it did; everything but `before` and `after` costs time in proportion to the
 * command.
 */
export interface Step {
  readonly index: number
  readonly config: Config
  readonly action: Action
  readonly at: bigint
  readonly result: Result
  readonly before: readonly PartyView[]
  readonly after: readonly PartyView[]
  /** Rounds before the command. */
  readonly rounds: readonly Round[]
}

/** A finding of the invariants. */
export interface Violation {
  /** Names it in reports; 0 for the common rules. */
  readonly invariant: number
  readonly what: string
}
