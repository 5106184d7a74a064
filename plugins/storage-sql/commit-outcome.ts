// How a commit ended: its errors in the words of the contract, and whether it was written where the
// answer was lost.
import { CommitRejected, StoreConflict, StoreUnavailable } from '../../runtime/index.ts'
import { CONTRACTS } from './contract-statements.ts'
import { call, ConstraintViolated, int64Of, NotOneRow, touched } from './database.ts'
import { forMs, retry } from './retry.ts'
import type { CommitWrites } from '../../runtime/index.ts'
import type { Database, Row } from './database.ts'

const NOT_ONE_END = 'the database does not have exactly one ledger end, where the lock found it'

/** How long to ask whether a commit was written whose answer was lost. */
const RESOLVE_MS = 10_000

/** The last word of a commit, and how the ledger ends with it. */
export interface Decided<T> {
  readonly writes: CommitWrites
  readonly end: Row
  readonly result: T
}

/**
 * Of a transaction, which may have been written although its answer was lost: until the database's
 * clock is past `until`, microseconds, one that is not there may still come.
 */
export async function outcomeOf<T>(
  database: Database,
  transaction: Promise<T>,
  latest: () => Decided<T> | undefined,
  until = 0n,
): Promise<T> {
  try {
    return await transaction
  } catch (error) {
    if (error instanceof ConstraintViolated)
      throw new StoreConflict('An id is there already', { cause: error })
    if (error instanceof NotOneRow)
      throw new CommitRejected('ledger-end', NOT_ONE_END, { cause: error })
    const decided = latest()
    if (
      decided !== undefined &&
      error instanceof StoreUnavailable &&
      (await isWritten(database, decided.writes.updates[0]?.updateId, until))
    ) {
      return decided.result
    }
    throw error
  }
}

/**
 * Waits for the end of whatever commit holds the ledger end, hence of the one whose connection was
 * lost, then looks for its first update. A batch without updates cannot be told apart: it counts as
 * lost.
 */
async function isWritten(
  database: Database,
  updateId: string | undefined,
  until: bigint,
): Promise<boolean> {
  if (updateId === undefined) return false
  const look = () =>
    database.transact(function* () {
      const [end = {}] = yield* call(CONTRACTS.lockLedgerEnd, 0n)
      if (touched(yield* call(CONTRACTS.isWritten, updateId))) return true
      if (int64Of(end, 'now') <= until) throw new StoreUnavailable('It may still be written')
      return false
    })
  return retry(
    look,
    forMs(RESOLVE_MS, (error) => error instanceof StoreUnavailable),
  )
}
