// Updates of the ledger in a store: types only; store.ts has the rules that hold for every method.

import type { UpdateRecord } from './contract-store.ts'

/** Inclusive offsets; 0 is never. docs/ledger-rules.md, "Pruning" */
export interface PrunedOffsets {
  readonly participant: bigint
  /** The offset of divulged contracts, at most `participant`. */
  readonly divulged: bigint
}

/** Updates as they were written, and what of them was pruned. */
export interface UpdateStore {
  /** Offset of the last update, 0 when there never was one. Pruning leaves it alone. */
  ledgerEnd(): Promise<bigint>
  prunedUpTo(): Promise<PrunedOffsets>
  /**
   * Makes the updates up to and including an offset unreadable for good, and with them what nobody
   * can ask for any more: contracts that they archived, lines and facts that are pruned with them.
   * Active contracts, totals, other facts and commands stay. All is unreadable at once; then rows
   * are deleted in short transactions, with turns for others. 'nothing' when they were pruned
   * before; it still deletes what a killed pruning left.
   */
  prune(upTo: bigint): Promise<'pruned' | 'after-end' | 'nothing'>
  /** Undefined for pruned ones too. */
  byOffset(offset: bigint): Promise<UpdateRecord | undefined>
  byId(updateId: string): Promise<UpdateRecord | undefined>
}
