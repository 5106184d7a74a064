// An interpreted transaction: what happened, in which order, and who may see it. update-body.ts
// says how it is stored. docs/ledger-rules.md, "Updates"
import type { ContractRecord } from '../store/store.ts'
import type { Json } from './template.ts'

/** W3C trace context. */
export interface TraceContext {
  readonly traceparent?: string
  readonly tracestate?: string
}

/**
 * What has more nodes takes as long as many small ones: it is made in stretches and committed by
 * itself.
 */
export const SMALL_NODES = 50

/** A submission's details for its completion. */
export interface SubmissionNote {
  readonly submissionId: string
  /** Deduplication period in microseconds; a whole number as text. */
  readonly deduplicationMicros: string
}

export interface CreateEvent {
  readonly kind: 'create'
  /** Place in the tree, pre-order from 0. */
  readonly node: number
  readonly contract: ContractRecord
  /** Parties that may see this node. */
  readonly witnesses: readonly string[]
}

export interface ExerciseEvent {
  readonly kind: 'exercise'
  readonly node: number
  readonly contractId: string
  readonly templateId: string
  readonly packageName: string
  readonly interfaceId?: string
  readonly choice: string
  readonly argument: Json
  readonly result: Json
  readonly consuming: boolean
  readonly actingParties: readonly string[]
  /** Stakeholders of the contract. */
  readonly stakeholders: readonly string[]
  readonly witnesses: readonly string[]
  /** The highest node below it, itself where there is none. */
  readonly lastDescendant: number
}

export type LedgerEvent = CreateEvent | ExerciseEvent

/** One update; immutable. Times are microseconds. */
export interface Transaction {
  readonly updateId: string
  readonly commandId: string
  readonly userId: string
  readonly workflowId: string
  readonly actAs: readonly string[]
  readonly effectiveAt: bigint
  readonly synchronizerId: string
  readonly traceContext: TraceContext
  /** Hash that was signed outside, in hexadecimal; of what was prepared before. */
  readonly signedHash?: string
  /** Absent where the submission has no id of its own. */
  readonly note?: SubmissionNote
  /** Events in pre-order. */
  readonly events: readonly LedgerEvent[]
  /** Contracts that were there before and are archived by it. */
  readonly consumed: readonly ContractRecord[]
  /** Contracts that were there before, must be active, and stay. */
  readonly used: readonly string[]
  readonly notBefore: bigint | undefined
  readonly before: bigint | undefined
  /** Its size in full, with what it used: what it costs in traffic. */
  readonly bytes: bigint
}

/**
 * A transaction as it is read again. Content of what it archived stands in the contracts; its
 * stakeholders with the exercise.
 */
export interface StoredTransaction extends Omit<Transaction, 'consumed'> {
  readonly consumed: readonly string[]
}

/** The user and the names under which a move was asked for. */
export interface MoveNames {
  readonly userId: string
  readonly submitter: string
  readonly commandId: string
  readonly workflowId: string
  readonly submissionId: string
}

/** A move of a contract between synchronizers. docs/ledger-rules.md, "Assignment" */
export interface Reassignment {
  readonly updateId: string
  readonly kind: 'unassigned' | 'assigned'
  readonly contractId: string
  readonly source: string
  readonly target: string
  /** The unassignment that belongs to an assignment. */
  readonly unassignId?: string
  /** Absent where the node itself moved it. */
  readonly names?: MoveNames
  readonly recordTime: bigint
}
