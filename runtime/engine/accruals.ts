// Sums of amounts that grow with every position, such as the fees of coins with every round: stored
// so that a sum at any position can be read without its contracts. Exact: each amount counts 0
// before it begins, and its limit from where it reaches it. docs/decisions/0020-costs-that-grow.md
import type { Accrual, AccrualKey } from '../store/store.ts'
import type { Accruing, Growth } from './template.ts'

export type AccrualRow = AccrualKey & Accrual

/** Positions are 64-bit numbers: nobody asks beyond. */
const LAST_POSITION = 2n ** 63n - 1n

/** The amount at a position: nothing before `since`, at most `limit`. */
export function accruedBy({ since, rate, limit }: Growth, at: bigint): bigint {
  const grown = (at - since) * rate
  if (grown <= 0n) return 0n
  return grown < limit ? grown : limit
}

/** A contract's rows of its account; none if the amount never grows. */
export function accrualsOf({ name, account, since, rate, limit }: Accruing): readonly AccrualRow[] {
  if (rate <= 0n || limit <= 0n) return []
  const until = since + (limit + rate - 1n) / rate
  const key = { name, account }
  return [
    { ...key, part: 'all', at: 0n, amount: -since * rate, rate, count: 1n },
    { ...key, part: 'since', at: since, amount: 0n, rate, count: 1n },
    ...(until > LAST_POSITION
      ? []
      : [
          {
            ...key,
            part: 'until' as const,
            at: until,
            amount: limit - (until - since) * rate,
            rate: -rate,
            count: 1n,
          },
        ]),
  ]
}

/** The same, taken out again. */
export function lessAccrual({ amount, rate, count, ...key }: AccrualRow): AccrualRow {
  return { ...key, amount: -amount, rate: -rate, count: -count }
}

/** The sum at a position, of the rows that decide it. */
export function accruedAt(rows: readonly AccrualRow[], position: bigint): bigint {
  return rows.reduce((sum, { part, at, amount, rate }) => {
    const steps = position - at
    // What begins later was counted as if it had been below nothing all the time.
    return part === 'since' ? sum - rate * steps : sum + amount + rate * steps
  }, 0n)
}

/** Rows added up by their key. */
export class AccrualSums {
  readonly #rows = new Map<string, { -readonly [K in keyof AccrualRow]: AccrualRow[K] }>()

  add(row: AccrualRow): void {
    const id = `${row.name}\0${row.account}\0${row.part}\0${row.at}`
    const known = this.#rows.get(id)
    if (known === undefined) return void this.#rows.set(id, { ...row })
    known.amount += row.amount
    known.rate += row.rate
    known.count += row.count
  }

  /** Rows that are not 0. */
  rows(): readonly AccrualRow[] {
    return [...this.#rows.values()].filter(
      ({ amount, rate, count }) => amount !== 0n || rate !== 0n || count !== 0n,
    )
  }
}
