// What a storage plugin may offer besides its store: copies of the data, for reads that may be a
// little old. docs/decisions/0042-read-replicas.md
import type { Store } from './store.ts'

/** A copy of a storage's data that follows it. */
export interface ReadReplica {
  /** Reads only: everything else rejects. */
  readonly store: Store
  /**
   * How old what it answers is at most, milliseconds; undefined where it must not be read from: too
   * old, not there, or of another history.
   */
  ageMs(): number | undefined
}
