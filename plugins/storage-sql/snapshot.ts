// A page of what was active right after an offset. What stakes find is looked at once more: parties
// and templates stand in them as hashes.
import { activeOf } from './contract-rows.ts'
import { templateKey } from './template-key.ts'
import { clamped, int64Of } from './database.ts'
import { SNAPSHOTS } from './snapshot-statements.ts'
import { EVERYBODY, nodesAt, partyHash } from './stakes.ts'
import { SnapshotPruned, templateOf } from '../../runtime/index.ts'
import type { ActiveContract, SnapshotQuery } from '../../runtime/index.ts'
import type { Database, Row } from './database.ts'

type SnapshotContract = ActiveContract & { readonly createdOffset: bigint }

/** Oldest first; fewer than `limit` only where there are no more. */
export async function snapshot(
  database: Database,
  query: SnapshotQuery,
): Promise<readonly SnapshotContract[]> {
  const fits = fitFor(query)
  const found: SnapshotContract[] = []
  for (let { after } = query; found.length < query.limit;) {
    const wanted = query.limit - found.length
    const page = (await candidates(database, { ...query, after, limit: wanted })).map(snapshotOf)
    found.push(...page.filter(fits))
    const last = page.at(-1)
    if (last === undefined || page.length < wanted) break
    after = last.sequence
  }
  return found
}

async function candidates(database: Database, query: SnapshotQuery): Promise<readonly Row[]> {
  const { offset, templates, parties, after, limit } = query
  const moment = clamped(offset)
  const hashes = new Set((parties.length === 0 ? [EVERYBODY] : parties).map(partyHash))
  const values = [clamped(after), moment, moment, limit, listOf(hashes), listOf(nodesAt(moment))]
  const rows = await (templates.length === 0
    ? database.once(SNAPSHOTS.all, ...values, moment)
    : database.once(
        SNAPSHOTS.named,
        ...values,
        listOf(new Set(templates.map(templateKey))),
        moment,
      ))
  const [first = { up_to: 0n }] = rows
  const prunedUpTo = int64Of(first, 'up_to')
  if (moment < prunedUpTo) throw new SnapshotPruned(prunedUpTo)
  return rows.filter((row) => row['sequence'] !== null)
}

function fitFor({
  templates: asked,
  parties,
}: SnapshotQuery): (found: SnapshotContract) => boolean {
  const [templates, stakeholders] = [new Set(asked), new Set(parties)]
  return ({ contract: { templateId, packageName, signatories, observers } }) =>
    (templates.size === 0 || templates.has(templateOf({ templateId, packageName }))) &&
    (stakeholders.size === 0 ||
      [...signatories, ...observers].some((party) => stakeholders.has(party)))
}

function listOf(numbers: Iterable<bigint | number>): readonly string[] {
  return Array.from(numbers, String)
}

function snapshotOf(row: Row): SnapshotContract {
  return { ...activeOf(row), createdOffset: int64Of(row, 'created_offset') }
}
