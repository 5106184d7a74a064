// The audit of a ledger's sums: what active contracts declare, added up anew, against the totals
// that commits keep. docs/ledger-rules.md, "Commits"
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContractStore, Total, TotalKey } from '../store/store.ts'
import { allTemplates } from '../contracts/index.ts'
import { accruedAt, AccrualSums, accrualsOf, indexTemplates } from '../engine/index.ts'
import type { AccrualRow } from '../engine/index.ts'

/** Most contracts that are in memory at a time. */
const PAGE = 500

export interface TotalsAudit {
  /** How many active contracts there are. */
  readonly contracts: number
  /** One line for each total that is wrong. */
  readonly problems: readonly string[]
}

type Sums = Map<string, { readonly key: TotalKey; amount: bigint; count: bigint }>

/**
 * As of one offset, of a store that nobody writes to meanwhile. Memory grows with the number of
 * accounts, not of contracts.
 */
export async function auditTotals(
  store: Pick<ContractStore, 'ledgerEnd' | 'snapshot' | 'total' | 'accruals' | 'fact'>,
): Promise<TotalsAudit> {
  const templates = indexTemplates(allTemplates)
  const { offset } = await store.ledgerEnd()
  const sums: Sums = new Map()
  const accruals = new AccrualSums()
  let contracts = 0
  for (let after: bigint | undefined = 0n; after !== undefined;) {
    const page = await store.snapshot({ offset, templates: [], parties: [], after, limit: PAGE })
    for (const { contract } of page) {
      const template = templates.get(contract.templateId)
      for (const total of template?.totalsOf(contract) ?? []) add(sums, total)
      for (const row of template?.accrualsOf(contract).flatMap(accrualsOf) ?? []) accruals.add(row)
    }
    contracts += page.length
    // A store that answers at once would keep Ctrl-C waiting.
    await nextTurn()
    after = page.length < PAGE ? undefined : page.at(-1)?.sequence
  }
  const problems = [
    ...(await problemsOf(sums, store)),
    ...(await accrualProblems(accruals.rows(), store)),
  ]
  return { contracts, problems }
}

function add(sums: Sums, { name, account, amount }: TotalKey & Pick<Total, 'amount'>): void {
  const id = `${name} of "${account}"`
  const sum = sums.get(id)
  if (sum === undefined) return void sums.set(id, { key: { name, account }, amount, count: 1n })
  sum.amount += amount
  sum.count += 1n
}

async function problemsOf(
  sums: Sums,
  store: Pick<ContractStore, 'total'>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [id, { key, amount, count }] of sums) {
    const kept = await store.total(key)
    if (kept.amount === amount && kept.count === count) continue
    problems.push(
      `total ${id} is kept as ${kept.amount} of ${kept.count}, contracts add up to ${amount} of ${count}`,
    )
  }
  return problems
}

/** At every position where an amount begins or ends. */
async function accrualProblems(
  rows: readonly AccrualRow[],
  store: Pick<ContractStore, 'accruals'>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [id, own] of Map.groupBy(rows, ({ name, account }) => `${name} of "${account}"`)) {
    for (const { name, account, at } of own) {
      const [sum, kept] = [
        accruedAt(own.filter(isDecisive(at)), at),
        accruedAt(await store.accruals({ name, account, at }), at),
      ]
      if (sum !== kept)
        problems.push(`${id} has accrued ${kept} at ${at}, contracts add up to ${sum}`)
    }
  }
  return problems
}

/** The filter by which `ContractStore.accruals` picks rows. */
function isDecisive(position: bigint): (row: AccrualRow) => boolean {
  return ({ part, at }) => part === 'all' || (part === 'since' ? at > position : at <= position)
}
