// What a storage plugin may offer besides its store: copies of the data, for reads that may be a
// little old. docs/decisions/0042-read-replicas.md
import type { Store } from './store.ts'

/**
 * The reason why a copy is not read from: its age, its connection, or updates that the storage
 * never had.
 */
export type ReplicaProblem = 'behind' | 'unreachable' | 'another-history'

/** The same for people. */
export const REPLICA_PROBLEMS: Readonly<Record<ReplicaProblem, string>> = {
  behind: 'it is too far behind',
  unreachable: 'it does not answer',
  'another-history': 'it has another history than the database',
}

/** A copy of a storage's data that follows it. */
export interface ReadReplica {
  /** Place of the copy, one line without a password. */
  readonly location: string
  /** Reads only: everything else rejects. */
  readonly store: Store
  /**
   * Age of what it answers at most, milliseconds; undefined where it must not be read from: too
   * old, not there, or of another history.
   */
  ageMs(): number | undefined
  /** Undefined where it may be read from. */
  problem(): ReplicaProblem | undefined
  /** Updates that it did not have when it last answered; undefined before its first answer. */
  readonly missing: bigint | undefined
}
