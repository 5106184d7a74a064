// What a batch is held against before it is committed: it follows on the ledger's end, and that end
// has not gone back.
import type { LedgerEnd, UpdateRecord } from '../store/store.ts'

/**
 * Why a batch must not be committed, one line. `known` is the end that this process has seen
 * committed.
 */
export function endProblem(
  end: LedgerEnd,
  updates: readonly UpdateRecord[],
  known: LedgerEnd,
): string | undefined {
  if (end.offset < known.offset || end.recordTime < known.recordTime) {
    return `the ledger ends at offset ${end.offset}, although offset ${known.offset} was committed: the database has lost updates`
  }
  const misplaced = updates.findIndex(({ offset, recordTime }, index) => {
    const before = updates[index - 1] ?? end
    return offset !== before.offset + 1n || recordTime <= before.recordTime
  })
  return misplaced < 0
    ? undefined
    : `an update at offset ${updates[misplaced]?.offset} does not follow on the one before it`
}
