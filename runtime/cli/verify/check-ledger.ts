// All of a ledger against itself: each row by itself, updates in their order, contracts against
// updates, totals against contracts. Reads a row at a time; memory does not grow with the ledger.
// docs/operations.md
import type { LedgerInspection, Unreadable } from '../../store/maintenance.ts'
import type { LedgerEnd, UpdateRecord } from '../../store/store.ts'
import { allTemplates } from '../../contracts/index.ts'
import { messageOf } from '../../host/problem.ts'
import { decodeUpdate, indexTemplates } from '../../engine/index.ts'
import type { StoredUpdate } from '../../engine/index.ts'
import {
  accrualClaims,
  accruingClaims,
  contractClaims,
  declaredClaims,
  linesOf,
  totalClaims,
  updateClaims,
} from './claims.ts'
import { Comparison } from './comparison.ts'
import type { Claim, Side } from './comparison.ts'
import { bodyProblems, contractProblems, orderProblems } from './row-problems.ts'

/** The part of the data in which a problem was found. */
type ProblemKind = 'storage' | 'end' | 'update' | 'contract' | 'total'

/** One line for people. */
export interface Problem {
  readonly kind: ProblemKind
  readonly text: string
}

/** How much was looked at. */
export interface Checked {
  readonly updates: number
  readonly contracts: number
  readonly totals: number
}

type Report = (kind: ProblemKind, text: string) => void
type End = LedgerEnd & { readonly prunedUpTo: bigint }

/** A receiver of the claims of a reading. */
interface Taker {
  add(side: Side, claims: readonly Claim[]): void
}

interface Reading {
  readonly ledger: LedgerInspection
  readonly end: End
  readonly links: Taker
  readonly sums: Taker
  readonly report: Report
}

const templates = indexTemplates(allTemplates)

/** Reports each problem as it is found. Rejects where the data cannot be reached. */
export async function checkLedger(ledger: LedgerInspection, report: Report): Promise<Checked> {
  for await (const problem of ledger.faults()) report('storage', problem)
  const end = await ledger.end()
  if ('unreadable' in end) {
    report('end', end.unreadable)
    return { updates: 0, contracts: 0, totals: 0 }
  }
  const [links, sums] = [new Comparison(), new Comparison()]
  const reading: Reading = { ledger, end, links, sums, report }
  const contracts = await readContracts(reading)
  const updates = await readUpdates(reading)
  const totals = await readTotals(reading)
  await compare(reading, {
    links: contracts.isWhole && updates.isWhole ? links : undefined,
    sums: contracts.isWhole && totals.isWhole ? sums : undefined,
  })
  return { updates: updates.count, contracts: contracts.count, totals: totals.count }
}

/**
 * Where the sums differ everything is read once more, for those claims only; what cannot be read is
 * known by now.
 */
async function compare(
  first: Reading,
  { links, sums }: Record<'links' | 'sums', Comparison | undefined>,
): Promise<void> {
  const nothing = { add: () => {}, isPart: false, differences: () => [] }
  const [linked, summed] = [links?.gathering(), sums?.gathering()]
  if (linked === undefined && summed === undefined) return
  const second: Reading = {
    ...first,
    links: linked ?? nothing,
    sums: summed ?? nothing,
    report: () => {},
  }
  await readContracts(second)
  if (linked !== undefined) await readUpdates(second)
  if (summed !== undefined) await readTotals(second)
  for (const line of linesOf(linked?.differences() ?? [])) first.report('contract', line)
  for (const line of linesOf(summed?.differences() ?? [])) first.report('total', line)
  if (linked?.isPart === true || summed?.isPart === true)
    first.report('end', 'there are more differences than listed here')
}

interface Read {
  readonly count: number
  /** All rows were read. */
  readonly isWhole: boolean
}

async function each<T extends object>(
  rows: AsyncIterable<T | Unreadable>,
  kind: ProblemKind,
  report: Report,
  take: (row: T) => void,
): Promise<Read> {
  let count = 0
  let isWhole = true
  for await (const row of rows) {
    if ('unreadable' in row) {
      report(kind, row.unreadable)
      if (row.isCut === true) isWhole = false
      continue
    }
    take(row)
    count += 1
  }
  return { count, isWhole }
}

function readContracts(reading: Reading): Promise<Read> {
  const { ledger, end, links, sums, report } = reading
  return each(ledger.contracts(), 'contract', report, (state) => {
    const template = templates.get(state.contract.templateId)
    for (const problem of contractProblems(state, template, end))
      report('contract', `contract ${state.contract.contractId}: it ${problem}`)
    links.add('one', contractClaims(state, end.prunedUpTo))
    if (template !== undefined)
      sums.add(
        'one',
        unlessUnreadable(() => [
          ...declaredClaims(state, template),
          ...accruingClaims(state, template),
        ]) ?? [],
      )
  })
}

async function readTotals({ ledger, sums, report }: Reading): Promise<Read> {
  const totals = await each(ledger.totals(), 'total', report, (total) =>
    sums.add('other', totalClaims(total)),
  )
  const accruals = await each(ledger.accruals(), 'total', report, (row) =>
    sums.add('other', accrualClaims(row)),
  )
  return { count: totals.count, isWhole: totals.isWhole && accruals.isWhole }
}

async function readUpdates({ ledger, end, links, report }: Reading): Promise<Read> {
  let before: LedgerEnd = { offset: end.prunedUpTo, recordTime: 0n }
  const read = await each(ledger.updates(), 'update', report, (update) => {
    if (update.offset <= end.prunedUpTo) return
    reportGap(before.offset + 1n, update.offset - 1n, report)
    const tell = (problem: string): void =>
      report('update', `update ${update.offset}: it ${problem}`)
    orderProblems(update, before, end).forEach(tell)
    links.add('other', bodyClaims(update, tell))
    before = update
  })
  if (!read.isWhole) return read
  reportGap(before.offset + 1n, end.offset, report)
  if (
    before.offset === end.offset &&
    before.offset > end.prunedUpTo &&
    before.recordTime !== end.recordTime
  ) {
    report(
      'end',
      `the ledger ends at record time ${end.recordTime}, its last update has ${before.recordTime}`,
    )
  }
  return read
}

function reportGap(from: bigint, to: bigint, report: Report): void {
  if (from === to) report('update', `update ${from}: it is missing`)
  if (from < to) report('update', `updates ${from} to ${to}: they are missing`)
}

function bodyClaims(update: UpdateRecord, tell: (problem: string) => void): readonly Claim[] {
  try {
    const stored: StoredUpdate = decodeUpdate(update.body)
    bodyProblems(update, stored).forEach(tell)
    return updateClaims(stored, update.offset)
  } catch (error) {
    tell(`does not parse: ${messageOf(error)}`)
    return []
  }
}

/** The value, unless it does not decode, which was reported with its row. */
function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
