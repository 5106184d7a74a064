// The updates that some parties see, found by rows of party and offset: what others do costs their
// reader nothing. Parties stand in them as hashes, so that an update more may be among the answer;
// so may all where very many parties are asked for. docs/decisions/0020-costs-that-grow.md
import { clamped, int64Of, textOf } from './database.ts'
import { updateTimeOf } from './contract-rows.ts'
import { partyHash } from './stakes.ts'
import type { CommitWrites, SeenQuery, SeenUpdates, UpdateRecord } from '../../runtime/index.ts'
import type { BulkValue, Database, Row, Work } from './database.ts'
import { together } from './database.ts'
import { PRUNE_BULK } from './prune-statements.ts'
import { SEEN } from './seen-statements.ts'
import { STATEMENTS } from './statements.ts'

/** Each is a statement of its own. */
const MOST_PARTIES = 32

type Written = CommitWrites['updates'][number]
type ReadAll = (query: SeenQuery) => Promise<readonly UpdateRecord[]>

/** Answers as `ContractStore.updatesSeenBy`; `readAll` reads whoever sees them. */
export async function updatesSeenBy(
  database: Database,
  query: SeenQuery,
  readAll: ReadAll,
): Promise<SeenUpdates> {
  const after = clamped(query.after)
  if (query.parties.length > MOST_PARTIES) {
    const updates = await readAll(query)
    return { updates, upTo: updates.at(-1)?.offset ?? after }
  }
  const [row = {}] = await database.once(STATEMENTS.ledgerEnd)
  const end = int64Of(row, 'last_offset')
  const last = query.until !== undefined && query.until < end ? query.until : end
  const offsets = await offsetsSeen(database, { ...query, after }, last)
  const updates = await bodiesOf(database, offsets, query.maxBytes)
  const isWhole = offsets.length < query.limit && updates.length === offsets.length
  const read = updates.at(-1)?.offset ?? after
  return { updates, upTo: isWhole && last > read ? last : read }
}

/**
 * Seen offsets; what comes while it reads is left to the next page, because some could be
 * missing.
 */
async function offsetsSeen(
  database: Database,
  { parties, after, limit }: SeenQuery,
  last: bigint,
): Promise<readonly bigint[]> {
  const found = await Promise.all(
    [...new Set(parties.map(partyHash))].map((party) =>
      database.once(SEEN.offsets, party, after, last, limit),
    ),
  )
  const offsets = new Set(found.flat().map((row) => int64Of(row, 'ledger_offset')))
  return [...offsets].toSorted((one, other) => Number(one - other)).slice(0, limit)
}

async function bodiesOf(
  database: Database,
  offsets: readonly bigint[],
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<readonly UpdateRecord[]> {
  if (offsets.length === 0) return []
  const list = offsets.map(String)
  const rows = await database.once(SEEN.bodies, list, list, maxBytes)
  return rows.map((row) => ({ ...updateTimeOf(row), body: textOf(row, 'body') }))
}

/**
 * The text of an update's row that says who sees it, so that a pruning finds the rows that go with
 * it.
 */
export function seenByText({ seenBy = [] }: Written): string {
  return Array.from(new Set(seenBy.map(partyHash)), String).join(' ')
}

/** A row for each party that sees the update. */
export function sightingRows({ offset, seenBy = [] }: Written): readonly (readonly BulkValue[])[] {
  return Array.from(new Set(seenBy.map(partyHash)), (party) => [party, offset])
}

/** Takes the rows of updates out that are deleted. */
export function* forgetSightings(deleted: readonly Row[]): Work<void> {
  const rows = deleted.flatMap((row) =>
    textOf(row, 'seen_by')
      .split(' ')
      .filter((party) => party !== '')
      .map((party) => [BigInt(party), int64Of(row, 'ledger_offset')] as const),
  )
  if (rows.length > 0) yield* together([{ statement: PRUNE_BULK.dropSightings, rows }])
}
