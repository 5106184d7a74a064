// Rows of amounts that grow, by account: those of a position are found without a look at the
// others.
import { SortedList } from './sorted-list.ts'
import type { Accrual, AccrualKey, AccrualQuery } from '../../runtime/index.ts'

type Row = AccrualKey & Accrual

/** By position. */
export class Accruals {
  readonly #parts: Readonly<Record<AccrualKey['part'], SortedList<Row>>> = {
    all: new SortedList(byPosition, []),
    since: new SortedList(byPosition, []),
    until: new SortedList(byPosition, []),
  }

  /** A row that comes to no contracts goes. */
  add(change: Row): void {
    const rows = this.#parts[change.part]
    const known = rows.upwards(({ at }) => at < change.at).next().value
    if (known?.at !== change.at) return rows.insert(change)
    rows.delete(known)
    const count = known.count + change.count
    if (count === 0n) return
    const [amount, rate] = [known.amount + change.amount, known.rate + change.rate]
    rows.insert({ ...change, amount, rate, count })
  }

  /** As `ContractStore.accruals` answers them. */
  at(position: AccrualQuery['at']): readonly Row[] {
    const { all, since, until } = this.#parts
    const isUpTo = ({ at }: Row): boolean => at <= position
    return [...all.upwards(() => false), ...since.upwards(isUpTo), ...until.downwards(isUpTo)]
  }
}

function byPosition(one: Row, other: Row): number {
  return one.at < other.at ? -1 : Number(one.at > other.at)
}
