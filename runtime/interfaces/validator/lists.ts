// Lists of contracts that have pages where they are asked for, and else are answered whole, or with
// the newest that one answer has room for. docs/differences.md
import type { Contract, Reader, TemplateKey } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import { scheduler } from '../../work/scheduler.ts'
import { inSlices, Page } from '../pages.ts'

/** Read together where all of a list is read. */
const ALL_AT_ONCE = 1_000

/** An item of a list, in order of its sequence. */
interface Listed {
  readonly sequence: bigint
  readonly record: Pick<ContractRecord, 'payload'>
}

export interface ListQuery {
  /** The sequence of the last one seen; absent is the start. */
  readonly after?: bigint | undefined
  /** Absent without `after`: all, or the newest if they are too large. */
  readonly limit?: number | undefined
  /** Once it aborts, nobody waits for the list, and it ends where it is. */
  readonly signal: AbortSignal
}

export interface WireList<W> {
  readonly contracts: W[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
  /** Whether all was asked for, and older contracts had no room. */
  readonly olderOmitted: boolean
}

/** A part of a list, in its order. */
interface Slice {
  /** The sequence of the last one read before; absent at the start of the order. */
  readonly after: bigint | undefined
  readonly limit: number
  readonly order: 'created' | 'created-desc'
}

/** Reads a slice of a list. */
export type ReadListed<T> = (slice: Slice) => Promise<readonly T[]>

/** The list as `show` writes each, or leaves it out by undefined; oldest first. */
export async function listed<T extends Listed, W>(
  { settings: { validator } }: Pick<Economy, 'settings'>,
  read: ReadListed<T>,
  show: (contract: T) => W | undefined,
  { after, limit, signal }: ListQuery,
): Promise<WireList<W>> {
  const isWhole = limit === undefined && after === undefined
  const order = isWhole ? 'created-desc' : 'created'
  const page =
    limit === undefined ? new Page<W>(Infinity, validator.maxListBytes) : new Page<W>(limit)
  const wholeOr = (more: Pick<WireList<W>, 'next' | 'olderOmitted'>): WireList<W> => ({
    contracts: isWhole ? page.items.reverse() : page.items,
    ...more,
  })
  let next: bigint | undefined
  const pause = scheduler.parts()
  const slices = inSlices<T>(
    (last, limitOfSlice) => read({ after: last?.sequence ?? after, limit: limitOfSlice, order }),
    ({ record }) => record.payload.length,
    signal,
  )
  for await (const contract of slices) {
    const shown = show(contract)
    if (shown !== undefined && !page.add(shown))
      return wholeOr({ next: isWhole ? undefined : next, olderOmitted: isWhole })
    next = contract.sequence
    await pause()
  }
  return wholeOr({ next: undefined, olderOmitted: false })
}

/** Contracts under one of several keys of their template, each once. */
export function underKeys<T>(
  reader: Reader,
  keys: readonly TemplateKey<T>[],
  value: string,
): ReadListed<Contract<T>> {
  return together(
    keys.map((key): ReadListed<Contract<T>> => ({ after, ...slice }) => {
      const position = after === undefined ? {} : { after: { rank: 0n, sequence: after } }
      return reader.under(key, value, { ...slice, ...position })
    }),
  )
}

/** Several sources as one, each contract once. */
export function together<T extends Listed>(reads: readonly ReadListed<T>[]): ReadListed<T> {
  return async (slice) => {
    const found = (await Promise.all(reads.map((read) => read(slice)))).flat()
    const once = [...new Map(found.map((one) => [one.sequence, one])).values()]
    const sign = slice.order === 'created' ? 1 : -1
    return once.sort((a, b) => (a.sequence < b.sequence ? -sign : sign)).slice(0, slice.limit)
  }
}

/** A list whose source only goes forward: its end is found by reading all of it, once. */
export function bothWays<T extends Listed>(
  read: (after: bigint, limit: number) => Promise<readonly T[]>,
): ReadListed<T> {
  let newestFirst: readonly T[] | undefined
  return async ({ after, limit, order }) => {
    if (order === 'created') return read(after ?? 0n, limit)
    newestFirst ??= (await readAll(read)).toReversed()
    const from = newestFirst.findIndex(({ sequence }) => after === undefined || sequence < after)
    return from === -1 ? [] : newestFirst.slice(from, from + limit)
  }
}

async function readAll<T extends Listed>(
  read: (after: bigint, limit: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const page = await read(all.at(-1)?.sequence ?? 0n, ALL_AT_ONCE)
    all.push(...page)
    if (page.length < ALL_AT_ONCE) return all
  }
}
