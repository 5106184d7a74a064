// What a commit asks that is decided while the one before it is written.
import { exactlyOne } from './contract-statements.ts'
import { both, UPDATE_ID } from './statements.ts'

export const AHEAD = {
  /** What is read without the lock: the clock, and the update that was seen last. */
  glance: both('glance', `select {micros} as now, (${UPDATE_ID}) as seen`),
  /**
   * That the ledger ends as was guessed, and that little time has passed since. A statement of its
   * own behind the lock: the locking one does not see what was committed while it waited.
   */
  confirmLedgerEnd: exactlyOne(
    'confirmLedgerEnd',
    `select id from ledger_end where last_offset = ? and record_time = ? and last_sequence = ?
    and last_log_line = ? and (${UPDATE_ID}) = ? and {micros} between ? and ?
    and (select count(*) from ledger_end) = 1`,
  ),
}
