// The condition of every commit: the batch follows the ledger's end.
import type { LedgerEnd, UpdateRecord } from '../store/store.ts'

/** The reason why a batch must not be committed, one line. */
export function endProblem(end: LedgerEnd, updates: readonly UpdateRecord[]): string | undefined {
  const misplaced = updates.findIndex(({ offset, recordTime }, index) => {
    const before = updates[index - 1] ?? end
    return offset !== before.offset + 1n || recordTime <= before.recordTime
  })
  return misplaced < 0
    ? undefined
    : `an update at offset ${updates[misplaced]?.offset} does not follow on the one before it`
}
