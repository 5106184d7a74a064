// What every start looks at, in one statement however much there is: whether the ledger's end and
// the newest rows say the same. A file that was cut, put together from two copies or lost a table's
// end does not pass. `verify` looks at everything.
import { StorageRejected } from './migrations.ts'
import { both } from './statements.ts'
import { int64Of } from './database.ts'
import type { Row } from './database.ts'

/** Updates before the end of which none may be missing. */
const RECENT = 64

/** One statement sees one moment: other servers may commit meanwhile. */
export const ENDS = both(
  'ledgerEnds',
  `select last_offset, record_time, last_sequence, last_log_line, up_to,
  (select coalesce(max(ledger_offset), 0) from updates) as newest_offset,
  (select coalesce(max(record_time), 0) from updates) as newest_time,
  (select count(*) from updates where ledger_offset > last_offset - ${RECENT} and ledger_offset > up_to) as recent,
  (select coalesce(max(sequence), 0) from contracts) as newest_sequence,
  (select coalesce(max(line), 0) from logs) as newest_line from ledger_end, pruning`,
)

/** Throws StorageRejected where what the statement answers does not fit together. */
export function assertEndsMeet(rows: readonly Row[]): void {
  const problem = endsProblem(rows)
  if (problem === undefined) return
  throw new StorageRejected(`it is damaged: ${problem}; "ledgerwright verify" says what else is`)
}

function endsProblem([row, ...others]: readonly Row[]): string | undefined {
  if (row === undefined || others.length > 0) return 'it does not have one ledger end'
  const [end, newest, upTo] = [
    int64Of(row, 'last_offset'),
    int64Of(row, 'newest_offset'),
    int64Of(row, 'up_to'),
  ]
  if (newest !== end && !(newest <= upTo && upTo === end))
    return `its ledger ends at ${end}, its last update is ${newest}`
  const kept = end - upTo
  const wanted = kept < RECENT ? kept : BigInt(RECENT)
  if (int64Of(row, 'recent') !== wanted)
    return `of its last ${wanted} updates ${int64Of(row, 'recent')} are there`
  if (kept > 0n && int64Of(row, 'record_time') !== int64Of(row, 'newest_time'))
    return 'its ledger ends at another time than its last update'
  if (int64Of(row, 'last_sequence') !== int64Of(row, 'newest_sequence'))
    return 'its newest contracts are not those of its ledger end'
  if (int64Of(row, 'last_log_line') !== int64Of(row, 'newest_line'))
    return 'its newest lines are not those of its ledger end'
  return undefined
}
