// What goes into the engine and what comes out: values, never exceptions, for everything that a
// caller can cause.
import type { ContractRecord, FactName, FactRecord, LogRecord } from '../store/store.ts'
import type { AbortReason, Rejected, Rejection, TransactionLimits } from './rejection.ts'
import type { Tx } from './template.ts'
import type { SubmissionNote, TraceContext, Transaction } from './transaction.ts'

/** A part of a submission; pure. */
export type SubmissionStep = (tx: Tx) => void

/** Commands of one party or several, all or nothing. */
export interface Submission<R> {
  readonly actAs: readonly string[]
  /** Parties whose contracts may also be looked up. */
  readonly readAs?: readonly string[]
  /**
   * Done in order before `run`, with the same authority, where that would be long in one go: others
   * may get their turn between two of them. Pure.
   */
  readonly steps?: readonly SubmissionStep[]
  /**
   * Creates and exercises at the root, with the authority of `actAs`. Pure; runs again after a lost
   * race.
   */
  run(tx: Tx): R
  /** The user or service that submits; '' for the node itself. */
  readonly userId: string
  /** Made up when absent; then there is nothing to deduplicate. */
  readonly commandId?: string
  /**
   * Whose the command id is, where it is not the user's own: nobody else may use it again either.
   */
  readonly commandOwner?: string
  /** How long the command id stays used, microseconds; a day when absent. */
  readonly deduplicationMicros?: bigint
  readonly workflowId?: string
  /** Hash that its parties signed outside, in hexadecimal. */
  readonly signedHash?: string
  /** Kept in the update as it is. */
  readonly note?: SubmissionNote
  readonly traceContext?: TraceContext
  /**
   * Disclosed contracts as created-event blobs; each must be genuine. docs/ledger-rules.md,
   * "Visibility"
   */
  readonly disclosed?: readonly string[]
  /** Contracts that services disclose: read from our own store, hence genuine. */
  readonly disclosedContracts?: readonly ContractRecord[]
  /** Ids that `run` is going to need, so that they are looked up together. */
  readonly contractIds?: readonly string[]
  /** The network's own submissions, and purchases of traffic, cost nothing. */
  readonly free?: boolean
  /** The member whose traffic it uses; the engine's own if absent. */
  readonly member?: string
  /**
   * Refused while less traffic remains than is reserved; what keeps the traffic coming is not low.
   * docs/economy-rules.md, "Traffic"
   */
  readonly lowPriority?: boolean
  /**
   * 32 bytes that no other transaction has, for one that was prepared before; its command id keeps
   * it from a second execution.
   */
  readonly seed?: Uint8Array
  /** Time of a transaction that was prepared before, microseconds; else the clock's. */
  readonly effectiveAt?: bigint
  /** The engine's own where absent, which are meant for nothing that a caller may ask for. */
  readonly limits?: TransactionLimits
  /** Looks at what was interpreted; a reason against it stops it before it is queued. Pure. */
  accept?(transaction: Transaction): AbortReason | undefined
  /** The claim on what its submitters may use; absent: all there is. */
  readonly claim?: Claim | undefined
  /**
   * Facts that say that it was done before: refused where one of them is there when it would be
   * committed, on whichever server.
   */
  readonly unless?: readonly FactName[]
  /**
   * What is to be known of this very submission afterwards: written in its commit, besides what the
   * engine's own projectors make.
   */
  readonly project?: Project
}

/** A claim on what the submitters of one submission may use. */
export interface Claim {
  /** The payer that it counts against: payers take turns. */
  readonly payer: string
  /**
   * Asked with each interpretation, which takes the place of the one before: why it may go no
   * further, or what it has to leave.
   */
  take(transaction: Transaction): TrafficShare | Rejection
}

/** Traffic that has to remain for others. */
export interface TrafficShare {
  /** The submitter that has had as much as may be, and of what; for people. */
  readonly whose: string
  readonly what: string
  readonly leaves: bigint
}

export interface Committed<R> {
  readonly ok: true
  readonly updateId: string
  readonly offset: bigint
  readonly recordTime: bigint
  readonly effectiveAt: bigint
  readonly result: R
}

/**
 * Interpreted and on its way: what it creates can be used by later submissions before it is
 * committed.
 */
export interface Staged<R> {
  readonly ok: true
  readonly updateId: string
  readonly result: R
  /** The transaction as it was interpreted first. */
  readonly transaction: Transaction
  /** The verdict, after at most a few re-interpretations. */
  readonly committed: Promise<Committed<R> | Rejected>
}

/** Data that an update leaves besides its contracts: written in the same commit. */
export interface Projected {
  /** Pruned with the update. */
  readonly logs: readonly LogRecord[]
  readonly facts: readonly ProjectedFact[]
}

export interface ProjectedFact extends FactRecord {
  /** Nobody asks for it once the update is pruned; absent: it is kept for good. */
  readonly isPrunable?: true
}

/** Makes projections of an update; pure. Ids of log lines must be unique in the owner's log. */
export type Project = (transaction: Transaction) => Projected

/** Projections of all updates that concern it. */
export interface Projector {
  /**
   * References of templates: only updates that create or archive a contract of one concern it. All
   * do when absent.
   */
  readonly of?: ReadonlySet<string>
  readonly project: Project
}
