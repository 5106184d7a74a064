// Accruals of contracts that an earlier version of the program wrote, which kept none: written
// once, when a server starts, a page of contracts a commit. Whoever is killed in between is
// followed by the next start; of several servers each page is one's.
// docs/decisions/0020-costs-that-grow.md
import { AccrualSums, accrualsOf } from './accruals.ts'
import { NO_WRITES } from './no-writes.ts'
import type { CommitFacts, ContractRecord, ContractStore } from '../store/store.ts'
import type { AccrualRow } from './accruals.ts'
import type { AnyTemplate } from './template.ts'

const KEPT = { kind: 'accruals', key: 'kept' }

/** Contracts that one commit takes. */
const PAGE = 1_000

/** How far it got, in contracts that were active after an offset; without `after`: to the end. */
interface Progress {
  readonly offset: bigint
  readonly after: bigint | undefined
}

/** Whether accruals are kept of all contracts, by what `fact` finds. */
export async function keepsAccruals(
  fact: (kind: string, key: string) => Promise<string | undefined>,
): Promise<boolean> {
  const body = await fact(KEPT.kind, KEPT.key)
  return body !== undefined && progressIn(body).after === undefined
}

/** Resolves when the store keeps accruals of all contracts. Rejects as the store does. */
export async function fillAccruals(
  store: ContractStore,
  templates: readonly AnyTemplate[],
): Promise<void> {
  let body = (await store.fact(KEPT.kind, KEPT.key))?.body
  let progress: Progress =
    body === undefined ? { offset: (await store.ledgerEnd()).offset, after: 0n } : progressIn(body)
  while (progress.after !== undefined) {
    body = await fillPage(store, templates, { ...progress, after: progress.after }, body)
    progress = progressIn(body)
  }
}

/** Writes a page unless another server did; answers how far it is now. */
async function fillPage(
  store: ContractStore,
  templates: readonly AnyTemplate[],
  { offset, after }: { readonly offset: bigint; readonly after: bigint },
  before: string | undefined,
): Promise<string> {
  const accruing = templates.filter(({ accrues }) => accrues)
  const query = { offset, parties: [], after, limit: PAGE }
  const page = await store.snapshot({
    ...query,
    templates: accruing.map(({ reference }) => reference),
  })
  const byId = new Map(accruing.flatMap((each) => idsOf(each).map((id) => [id, each] as const)))
  const sums = new AccrualSums()
  for (const { contract } of page)
    for (const row of rowsOf(contract, byId.get(contract.templateId))) sums.add(row)
  const last = page.length < PAGE ? undefined : page.at(-1)?.sequence
  const body = JSON.stringify({
    offset: String(offset),
    ...(last === undefined ? {} : { after: String(last) }),
  })
  return store.commit({
    reads: { contractIds: [], commandKeys: [], facts: [KEPT] },
    decide: (facts) => {
      const known = bodyIn(facts)
      return known === before || known === undefined
        ? {
            writes: { ...NO_WRITES, accruals: sums.rows(), facts: [{ ...KEPT, body }] },
            result: body,
          }
        : { writes: NO_WRITES, result: known }
    },
  })
}

/** One that does not decode cannot be used either: it is in no sum, as `verify` tells. */
function rowsOf(
  contract: ContractRecord,
  template: AnyTemplate | undefined,
): readonly AccrualRow[] {
  try {
    return (template?.accrualsOf(contract) ?? []).flatMap(accrualsOf)
  } catch {
    return []
  }
}

function idsOf({ id, earlierIds }: AnyTemplate): readonly string[] {
  return [id, ...earlierIds]
}

function bodyIn({ facts }: CommitFacts): string | undefined {
  return facts.get(KEPT.kind)?.get(KEPT.key)
}

function progressIn(body: string): Progress {
  const { offset, after }: { offset: string; after?: string } = JSON.parse(body)
  return { offset: BigInt(offset), after: after === undefined ? undefined : BigInt(after) }
}
