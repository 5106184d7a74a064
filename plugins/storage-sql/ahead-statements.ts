// What a commit asks that is decided while the one before it is written.
import { exactlyOne } from './contract-statements.ts'
import { both, UPDATE_ID } from './statements.ts'

/** Before the body of a fact that is there: one that is not is an empty text. */
export const FACT_MARK = '='

export const AHEAD = {
  /** What is read without the lock: the clock, and the update that was seen last. */
  glance: both('glance', `select {micros} as now, (${UPDATE_ID}) as seen`),
  /**
   * That the ledger ends as was guessed, that little time has passed since, and that facts say what
   * they said: those alone can be written without moving the end. A statement of its own behind the
   * lock: the locking one does not see what was committed while it waited.
   */
  confirmLedgerEnd: exactlyOne(
    'confirmLedgerEnd',
    `select id from ledger_end where last_offset = ? and record_time = ? and last_sequence = ?
    and last_log_line = ? and (${UPDATE_ID}) = ? and {micros} between ? and ?
    and (select count(*) from ledger_end) = 1 and not exists
    (select 1 from unnest(?::text[], ?::text[], ?::text[]) as asked (of, name, said)
      left join facts on kind = of and fact_key = name
      where coalesce('${FACT_MARK}' || body, '') <> said)`,
  ),
}
