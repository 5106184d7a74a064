// The contracts of one template: all of them by creation, and the active ones in every order that a
// query ever asked for. An order that nobody asks for costs a commit nothing.
import { countFirst, SortedList } from './sorted-list.ts'
import type { ActiveQuery, ContractRecord, KeyName, KeysQuery } from '../../runtime/index.ts'

export interface ContractEntry {
  readonly contract: ContractRecord
  readonly sequence: bigint
  readonly createdOffset: bigint
  archivedOffset: bigint
  synchronizerId: string
  /** Where it was from its creation on, and from each later offset at which it moved. */
  readonly places: { readonly offset: bigint; readonly synchronizerId: string }[]
}

interface Order {
  readonly key: KeyName | undefined
  readonly byRank: boolean
  readonly list: SortedList<ContractEntry>
}

export class TemplateContracts {
  /** By sequence, archived ones too. */
  #all: ContractEntry[] = []
  readonly #orders = new Map<string, Order>()

  add(entry: ContractEntry): void {
    this.#all.push(entry)
    if (entry.archivedOffset !== 0n) return
    for (const order of this.#orders.values())
      if (hasKey(entry, order.key)) order.list.insert(entry)
  }

  /** Takes an entry that was active out of all orders. */
  archive(entry: ContractEntry): void {
    for (const order of this.#orders.values())
      if (hasKey(entry, order.key)) order.list.delete(entry)
  }

  /** Forgets entries that were archived before. */
  drop(isGone: (entry: ContractEntry) => boolean): void {
    this.#all = this.#all.filter((entry) => !isGone(entry))
  }

  /** At most `query.limit` entries. */
  active(query: ActiveQuery): readonly ContractEntry[] {
    const { key, order, maxRank, limit } = query
    if (key?.value === '') return []
    const { list, byRank } = this.#order(key?.name, order.startsWith('rank'))
    const walk = order.endsWith('-desc')
      ? list.downwards((entry) => endsAfter(entry, query, byRank))
      : list.upwards((entry) => startsAfter(entry, query, byRank))
    const page: ContractEntry[] = []
    for (const entry of walk) {
      if (page.length >= limit || (key !== undefined && entry.contract[key.name] !== key.value))
        break
      if (maxRank === undefined || entry.contract.rank <= maxRank) page.push(entry)
      else if (byRank) break
    }
    return page
  }

  /** At most `limit` values of a key; those that many entries share are jumped over. */
  keys({ name, after, limit }: KeysQuery): readonly string[] {
    const { list } = this.#order(name, false)
    const values: string[] = []
    for (let last = after; values.length < limit;) {
      const [next] = list.upwards((entry) => compareValues(entry.contract[name], last) <= 0).take(1)
      if (next === undefined) break
      last = next.contract[name]
      values.push(last)
    }
    return values
  }

  /** At most `limit` that fit, by sequence. */
  after(
    sequence: bigint,
    limit: number,
    fits: (entry: ContractEntry) => boolean,
  ): readonly ContractEntry[] {
    return entriesAfter(this.#all, sequence, limit, fits)
  }

  #order(key: KeyName | undefined, byRank: boolean): Order {
    const name = `${key ?? ''} ${byRank}`
    const known = this.#orders.get(name)
    if (known !== undefined) return known
    const active = this.#all.filter((entry) => entry.archivedOffset === 0n && hasKey(entry, key))
    const made = { key, byRank, list: new SortedList((a, b) => compare(a, b, key, byRank), active) }
    this.#orders.set(name, made)
    return made
  }
}

/** At most `limit` entries after a sequence that fit; `all` is sorted by sequence. */
export function entriesAfter(
  all: readonly ContractEntry[],
  sequence: bigint,
  limit: number,
  fits: (entry: ContractEntry) => boolean,
): readonly ContractEntry[] {
  const page: ContractEntry[] = []
  for (
    let at = countFirst(all, (entry) => entry.sequence <= sequence);
    page.length < limit;
    at += 1
  ) {
    const entry = all[at]
    if (entry === undefined) break
    if (fits(entry)) page.push(entry)
  }
  return page
}

function hasKey({ contract }: ContractEntry, key: KeyName | undefined): boolean {
  return key === undefined || contract[key] !== ''
}

function compare(
  a: ContractEntry,
  b: ContractEntry,
  key: KeyName | undefined,
  byRank: boolean,
): number {
  const byKey = key === undefined ? 0 : compareValues(a.contract[key], b.contract[key])
  return byKey || comparePositions(a, b.contract.rank, b.sequence, byRank)
}

function comparePositions(
  entry: ContractEntry,
  rank: bigint,
  sequence: bigint,
  byRank: boolean,
): number {
  return (
    (byRank && compareValues(entry.contract.rank, rank)) || compareValues(entry.sequence, sequence)
  )
}

function compareValues<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b)
}

/** For a walk upwards: the entry comes before the first one of the page. */
function startsAfter(entry: ContractEntry, { key, after }: ActiveQuery, byRank: boolean): boolean {
  const byKey = key === undefined ? 0 : compareValues(entry.contract[key.name], key.value)
  if (byKey !== 0) return byKey < 0
  return after !== undefined && comparePositions(entry, after.rank, after.sequence, byRank) <= 0
}

/** For a walk downwards: the entry is the first one of the page or below it. */
function endsAfter(
  entry: ContractEntry,
  { key, after, maxRank }: ActiveQuery,
  byRank: boolean,
): boolean {
  const byKey = key === undefined ? 0 : compareValues(entry.contract[key.name], key.value)
  if (byKey !== 0) return byKey < 0
  if (byRank && maxRank !== undefined && entry.contract.rank > maxRank) return false
  return after === undefined || comparePositions(entry, after.rank, after.sequence, byRank) < 0
}
