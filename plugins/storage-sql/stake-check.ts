// Whether snapshots find every contract under its parties and its time, and nothing else: what
// stakes say against what contracts say.
import { stakeRows } from './stakes.ts'
import type { Unreadable } from '../../runtime/index.ts'
import type { StakeHolder, StakeRow } from './stakes.ts'

/** Contracts whose stakes one statement asks for. */
const BATCH = 200

/**
 * A line for each contract that is not found, and one for stakes of no contract. `column` answers a
 * statement's one column.
 */
export async function* stakeProblems(
  contracts: AsyncIterable<StakeHolder | Unreadable>,
  column: (sql: string) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  let wanted = 0
  let missing = 0
  for await (const batch of batches(contracts)) {
    const rows = batch.flatMap(stakeRows)
    if (rows.length === 0) continue
    const lost = await column(missingAmong(rows))
    wanted += rows.length
    missing += lost.length
    for (const sequence of new Set(lost))
      yield `contract number ${sequence}: a snapshot does not find it under its parties and time`
  }
  const [counted = '0'] = await column('select count(*) from stakes')
  const spare = Number(counted) - (wanted - missing)
  if (spare > 0) yield `stakes: ${spare} are of no contract`
}

/** Batches of contracts; those that cannot be read are told of elsewhere. */
async function* batches(
  contracts: AsyncIterable<StakeHolder | Unreadable>,
): AsyncGenerator<readonly StakeHolder[]> {
  let batch: StakeHolder[] = []
  for await (const contract of contracts) {
    if ('unreadable' in contract) continue
    batch.push(contract)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

/** The sequence of each stake that is not there. */
function missingAmong(rows: readonly StakeRow[]): string {
  return `with wanted (party_hash, template_key, node, sequence, archived_offset) as (values ${rows.map((row) => `(${row.join()})`).join()})
    select sequence from wanted where not exists (select 1 from stakes where stakes.party_hash = wanted.party_hash
      and stakes.template_key = wanted.template_key and stakes.node = wanted.node and stakes.sequence = wanted.sequence
      and stakes.archived_offset = wanted.archived_offset)`
}
