// What the lines of a history come to: the balance as it was, and what came in and went out by
// month.
import type { Amount } from './amount.ts'
import type { HistoryLine } from './history-line.ts'

export interface Point {
  readonly atMs: number
  readonly amount: Amount
}

type Line = Pick<HistoryLine, 'at' | 'amount' | 'group' | 'entry'>

/**
 * What could be spent after each line, oldest first, and before the first; `lines` are newest first
 * and reach up to now, when it is `balance`.
 */
export function balanceOverTime(
  lines: readonly Line[],
  balance: Amount,
  nowMs: number,
): readonly Point[] {
  const points: Point[] = [{ atMs: nowMs, amount: balance }]
  let amount = balance
  for (const line of lines) {
    points.push({ atMs: Date.parse(line.at), amount })
    amount -= line.amount ?? 0n
  }
  const oldest = lines.at(-1)
  if (oldest !== undefined) points.push({ atMs: Date.parse(oldest.at) - 1, amount })
  return points.toReversed()
}

export interface Month {
  /** Its first moment on this machine. */
  readonly first: Date
  readonly income: Amount
  readonly spending: Amount
}

/** Newest first. What comes back to its sender is no income: it takes off the spending. */
export function byMonth(lines: readonly Line[]): readonly Month[] {
  const months = new Map<number, Month>()
  for (const { at, amount = 0n, group, entry } of lines) {
    const day = new Date(at)
    const first = new Date(day.getFullYear(), day.getMonth(), 1)
    const before = months.get(first.getTime()) ?? { first, income: 0n, spending: 0n }
    const isReturn =
      group === 'lock' || (group === 'payment' && entry?.transaction_type === 'balance_change')
    const isIncome = amount > 0n && !isReturn
    months.set(first.getTime(), {
      first,
      income: before.income + (isIncome ? amount : 0n),
      spending: before.spending - (isIncome ? 0n : amount),
    })
  }
  return [...months.values()].toSorted((a, b) => b.first.getTime() - a.first.getTime())
}
